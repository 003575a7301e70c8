/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Ground: its height above the geoid, from an ordered list of packs (docs/terrain.md), bilinear
 * between their nodes; the first one that has a value for a place serves it. Elsewhere the ground
 * is unknown.
 */
#ifndef MF_WORLD_TERRAIN_H
#define MF_WORLD_TERRAIN_H

#include "world/pack.h"

#define MF_TERRAIN_LAYERS 8u

/** The list. Set it to zero to begin; callers may read its fields. */
struct mf_terrain {
    struct mf_pack layer[MF_TERRAIN_LAYERS];
    size_t count;
    struct mf_pack_cache cache;
};

/** @brief Append a pack. Its bytes must stay.
 * @return MF_E_OK; MF_E_FULL; MF_E_NOSUPP: not terrain */
int mf_terrain_add(struct mf_terrain *terrain, const struct mf_pack *pack);

/**
 * @brief Height of the ground at a place.
 * @param lat_deg  -90 .. 90  @param lon_deg  any finite
 * @param amsl_m  out: above the geoid for which the packs were made; untouched on errors
 * @return MF_E_OK; MF_E_RANGE: no pack has a value; MF_E_IO: a tile is damaged (later packs do not
 * replace it)
 */
int mf_terrain_at(struct mf_terrain *terrain, double lat_deg, double lon_deg, double *amsl_m);

/** @brief Height of the ground under a body; @p otherwise_m: the ground is unknown, or @p terrain
 * is NULL. */
double mf_terrain_under(struct mf_terrain *terrain, double lat_deg, double lon_deg,
                        double otherwise_m);

/** @brief Distance of nodes from north to south in the first pack, rounded, at least 1 [m]; 0: the
 * list is empty. */
uint16_t mf_terrain_spacing_m(const struct mf_terrain *terrain);

/** @brief True if a pack was made for altitudes above a model. The pack's own model names one, or
 * several above which it lies: "navd88+egm96". */
bool mf_terrain_is_above(const struct mf_pack *pack, const char *model);

#endif
