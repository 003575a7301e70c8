/* SPDX-License-Identifier: Apache-2.0 */
/* List of terrain packs. Called by world/earth and the airframes, and by boards. */
#include "world/terrain.h"

#include <string.h>

#define METRES_PER_DEG 111195.0

int mf_terrain_add(struct mf_terrain *terrain, const struct mf_pack *pack)
{
    MF_ASSERT(terrain != NULL && pack != NULL && pack->bytes != NULL);
    if (pack->kind != MF_PACK_TERRAIN) {
        return MF_E_NOSUPP;
    }
    if (terrain->count == MF_TERRAIN_LAYERS) {
        return MF_E_FULL;
    }
    terrain->layer[terrain->count++] = *pack;
    return MF_E_OK;
}

int mf_terrain_at(struct mf_terrain *terrain, double lat_deg, double lon_deg, double *amsl_m)
{
    MF_ASSERT(terrain != NULL && amsl_m != NULL);
    int err = MF_E_RANGE;
    for (size_t i = 0; i < terrain->count && err == MF_E_RANGE; i++) {
        err = mf_pack_at(&terrain->layer[i], &terrain->cache, MF_PACK_BILINEAR, lat_deg, lon_deg,
                         amsl_m);
    }
    return err;
}

double mf_terrain_under(struct mf_terrain *terrain, double lat_deg, double lon_deg,
                        double otherwise_m)
{
    double amsl_m = otherwise_m;
    if (terrain != NULL) {
        (void)mf_terrain_at(terrain, lat_deg, lon_deg, &amsl_m);
    }
    return amsl_m;
}

uint16_t mf_terrain_spacing_m(const struct mf_terrain *terrain)
{
    if (terrain == NULL || terrain->count == 0) {
        return 0;
    }
    const double m = METRES_PER_DEG / terrain->layer[0].lat_per_deg + 0.5;
    return (uint16_t)(m < 1.0 ? 1.0 : m >= (double)UINT16_MAX ? (double)UINT16_MAX : m);
}

bool mf_terrain_is_above(const struct mf_pack *pack, const char *model)
{
    const size_t n = strlen(model);
    for (const char *part = mf_pack_model(pack); n > 0 && *part != '\0';) {
        const char *plus = strchr(part, '+');
        const size_t length = plus != NULL ? (size_t)(plus - part) : strlen(part);
        if (length == n && strncmp(part, model, n) == 0) {
            return true;
        }
        part += length + (part[length] == '+');
    }
    return false;
}
