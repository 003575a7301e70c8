/* SPDX-License-Identifier: Apache-2.0 */
/** Files that models are published in, read into one raster. */
#ifndef MF_TOOLS_GEOID_SOURCE_H
#define MF_TOOLS_GEOID_SOURCE_H

#include "tools/geoid/raster.h"
#include "tools/geoid/shift.h"

#include <stdio.h>

#define GEOID_ERROR_MAX 512u

/** A raster and what its file says about it. */
struct geoid_source {
    struct mf_raster
        raster; /**< its model is "" when the file does not say; frame and epoch "none" */
    enum geoid_datum datum; /**< of its coordinates; GEOID_DATUM_UNKNOWN: not said */
    uint32_t quantum_um;    /**< what integers of the file count; 0: it holds real numbers */
    bool terrain;           /**< heights of the ground, not undulations */
};

/** @brief Read one file; its first bytes show what it is.
 *  @param source  out: the caller frees it with geoid_source_free(), also after a failure
 *  @param error   out, on failure [GEOID_ERROR_MAX]: which file, what is wrong, what to do
 *  @return false on failure */
bool geoid_source_read(const char *path, struct geoid_source *source, char *error);

/** @brief Read all files of one model into one raster; what none of them covers is void. Nodes that
 *  several hold must agree. The hash is the file's, or that of the files' hashes in
 *  rising order. */
bool geoid_source_read_all(char *const *paths, size_t n, struct geoid_source *source, char *error);

/**
 * @brief True if the file names a model whose heights are not known at its place, as NAVD88 in
 * Hawaii.
 */
bool geoid_source_is_named_wrongly(const struct geoid_source *source);

void geoid_source_free(struct geoid_source *source);

/* ---- for readers (layout.c) */

/** @brief Write an error. @return false */
__attribute__((format(printf, 2, 3))) bool geoid_fail(char *error, const char *format, ...);

/** Positions of nodes, as files give them. */
struct geoid_geometry {
    double north_deg, west_deg; /**< the first node; west may be 0..360 */
    double lat_step_deg, lon_step_deg;
    uint32_t rows, columns;
};

/** @brief Make room for rows and columns of nodes. @return false: there are too many */
bool geoid_allocate(struct mf_raster *r);

/** @brief Set geometry and make room for the nodes. */
bool geoid_layout(struct mf_raster *r, const struct geoid_geometry *g, const char *path,
                  char *error);

/** @brief Set geometry and make room, if @p bytes bytes of nodes follow in the file. */
bool geoid_layout_of(FILE *file, uint64_t bytes, struct mf_raster *r,
                     const struct geoid_geometry *g, const char *path, char *error);

/* Readers of a file each. */
bool geoid_read_geotiff(const char *path, struct geoid_source *source, char *error);
bool geoid_read_noaa_bin(const char *path, struct geoid_source *source, char *error);
bool geoid_read_geotrans(const char *path, struct geoid_source *source, char *error);
bool geoid_read_pgm(const char *path, struct geoid_source *source, char *error);
bool geoid_read_hgt(const char *path, struct geoid_source *source, char *error);

#endif
