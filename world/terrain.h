/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The ground: its height above the geoid, from an ordered list of packs (docs/terrain.md), bilinear
 * between their nodes; the first one that has a value for a place serves it. Where none has, the
 * ground is not known.
 */
#ifndef MF_WORLD_TERRAIN_H
#define MF_WORLD_TERRAIN_H

#include "world/pack.h"

#define MF_TERRAIN_LAYERS 8u

/** The list. Set to zero to begin with; fields may be read. */
struct mf_terrain {
    struct mf_pack layer[MF_TERRAIN_LAYERS];
    size_t count;
    struct mf_pack_cache cache;
};

/** @brief Put a pack behind those that are there. Its bytes must stay.
 *  @return MF_E_OK; MF_E_FULL; MF_E_NOSUPP: it is no terrain */
int mf_terrain_add(struct mf_terrain *terrain, const struct mf_pack *pack);

/**
 * @brief Height of the ground at a place.
 * @param lat_deg  -90 .. 90  @param lon_deg  any finite
 * @param amsl_m  out: above the geoid that the packs were made for; untouched on errors
 * @return MF_E_OK; MF_E_RANGE: no pack has it; MF_E_IO: a tile is damaged (packs behind it are not
 *         asked)
 */
int mf_terrain_at(struct mf_terrain *terrain, double lat_deg, double lon_deg, double *amsl_m);

/** @brief The ground under a body: that, or where it is not known, or without terrain (NULL),
 *  @p otherwise_m. */
double mf_terrain_under(struct mf_terrain *terrain, double lat_deg, double lon_deg,
                        double otherwise_m);

/** @brief Distance of nodes from north to south in the first pack, rounded, at least 1 [m]; 0:
 * there is no terrain. */
uint16_t mf_terrain_spacing_m(const struct mf_terrain *terrain);

/** @brief Was a pack made for altitudes above a model? Its own model says of which one or, when it
 *  lies above several, of which ones: "navd88+egm96". */
bool mf_terrain_is_above(const struct mf_pack *pack, const char *model);

#endif
