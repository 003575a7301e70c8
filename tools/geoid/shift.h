/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shifts from the frame of a grid to the frame in which receivers measure. PROJ gets complete
 * pipelines, so its database, grids and choices do not matter.
 */
#ifndef MF_TOOLS_GEOID_SHIFT_H
#define MF_TOOLS_GEOID_SHIFT_H

#include "tools/geoid/raster.h"

#define GEOID_EPOCH_DEFAULT 2026.0 /* decimal year */

/* name, what a user calls it, EPSG codes of its 2D and 3D coordinates and of a sibling.
 * EPSG:4269 is any NAD83; PROJ's own grids name it for NAD83(2011), too. */
// clang-format off
#define GEOID_DATUM_LIST(X)                             \
    X(UNKNOWN,    "unknown",    0,    0,    0)          \
    X(WGS84,      "wgs84",      4326, 4979, 9057)       \
    X(NAD83_2011, "nad83_2011", 6318, 6319, 4269)       \
    X(NAD83_PA11, "nad83_pa11", 6322, 6321, 6320)       \
    X(NAD83_MA11, "nad83_ma11", 6325, 6324, 6323)
// clang-format on

enum geoid_datum {
#define X(name, text, a, b, c) GEOID_DATUM_##name,
    GEOID_DATUM_LIST(X)
#undef X
};

/** @brief Find a datum by name or EPSG code. @return GEOID_DATUM_UNKNOWN: not found */
enum geoid_datum geoid_datum_named(const char *name);
enum geoid_datum geoid_datum_epsg(int code);
/** @brief True if the datum moves against ITRF2014 by a motion that geoid_shift_apply() knows. */
bool geoid_datum_is_nad83(enum geoid_datum datum);

/** @brief The steps that bring ITRF2014 coordinates [rad, m] into @p datum, for a pipeline of PROJ.
 *  NULL: it is the same within centimetres. */
const char *geoid_shift_steps(enum geoid_datum datum);

/** @brief Make N_eff = N - (h_datum - h_ITRF2014) of all nodes, so that h_ITRF2014 - N_eff is the
 *  height that h_datum - N is. The difference is computed each degree and interpolated in between:
 *  0.14 mm at most off.
 *  @param epoch  of the ITRF2014 coordinates [decimal year]
 *  @param error  out, on failure [GEOID_ERROR_MAX]
 *  @return false: PROJ refused */
bool geoid_shift_apply(struct mf_raster *r, enum geoid_datum datum, double epoch, char *error);

#endif
