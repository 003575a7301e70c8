/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Geoid: height of the mean sea level above the ellipsoid of WGS84. An ordered list of packs; the
 * first one that has a value for a place serves it.
 */
#ifndef MF_WORLD_GEOID_H
#define MF_WORLD_GEOID_H

#include "world/pack.h"

#define MF_GEOID_LAYERS 8u

/** Item of the list: a pack, or the same undulation everywhere. */
struct mf_geoid_layer {
    struct mf_pack pack;
    bool is_constant;               /**< pack is unused */
    enum mf_pack_interpolation how; /**< bilinear or cubic, never MF_PACK_AS_MADE */
    double constant_m;
};

/** The list. Set it to zero to begin; callers may read its fields. */
struct mf_geoid {
    struct mf_geoid_layer layer[MF_GEOID_LAYERS];
    size_t count;
    struct mf_pack_cache cache;
};

/** @brief Append a pack. Its bytes must stay.
 * @param how  MF_PACK_AS_MADE: as the pack has it
 * @return MF_E_OK; MF_E_FULL; MF_E_NOSUPP: not a geoid */
int mf_geoid_add(struct mf_geoid *geoid, const struct mf_pack *pack,
                 enum mf_pack_interpolation how);
/** @brief Append the same undulation everywhere: 0 is a sea level at the ellipsoid.
 * @return MF_E_OK; MF_E_FULL; MF_E_RANGE: not finite, or beyond +-1000 m */
int mf_geoid_add_constant(struct mf_geoid *geoid, double undulation_m);

/**
 * @brief Undulation at a place, from the first layer that has one.
 * @param lat_deg  -90 .. 90  @param lon_deg  any finite
 * @param undulation_m  out: height of the geoid above the ellipsoid; untouched on errors
 * @param by  out: the layer that served; may be NULL; untouched on errors
 * @return MF_E_OK; MF_E_RANGE: no layer covers the place; MF_E_IO: a tile is damaged (later layers
 * do not replace it: their value would silently be another model's)
 */
int mf_geoid_at(struct mf_geoid *geoid, double lat_deg, double lon_deg, double *undulation_m,
                const struct mf_geoid_layer **by);

#endif
