/* SPDX-License-Identifier: Apache-2.0 */
/* List of geoid models. Called by world/earth, boards and tools/geoid. */
#include "world/geoid.h"

#define CONSTANT_MOST_M 1000.0

int mf_geoid_add(struct mf_geoid *geoid, const struct mf_pack *pack, enum mf_pack_interpolation how)
{
    MF_ASSERT(geoid != NULL && pack != NULL && pack->bytes != NULL);
    if (pack->kind != MF_PACK_GEOID) {
        return MF_E_NOSUPP;
    }
    if (geoid->count == MF_GEOID_LAYERS) {
        return MF_E_FULL;
    }
    struct mf_geoid_layer *layer = &geoid->layer[geoid->count++];
    layer->pack = *pack;
    layer->is_constant = false;
    layer->constant_m = 0.0;
    layer->how = how == MF_PACK_AS_MADE ? (enum mf_pack_interpolation)pack->interpolation : how;
    return MF_E_OK;
}

int mf_geoid_add_constant(struct mf_geoid *geoid, double undulation_m)
{
    MF_ASSERT(geoid != NULL);
    if (!(undulation_m >= -CONSTANT_MOST_M && undulation_m <= CONSTANT_MOST_M)) {
        return MF_E_RANGE;
    }
    if (geoid->count == MF_GEOID_LAYERS) {
        return MF_E_FULL;
    }
    const struct mf_geoid_layer layer = {
        .is_constant = true, .how = MF_PACK_BILINEAR, .constant_m = undulation_m};
    geoid->layer[geoid->count++] = layer;
    return MF_E_OK;
}

int mf_geoid_at(struct mf_geoid *geoid, double lat_deg, double lon_deg, double *undulation_m,
                const struct mf_geoid_layer **by)
{
    MF_ASSERT(geoid != NULL && undulation_m != NULL);
    int err = MF_E_RANGE;
    if (!(lat_deg >= -90.0 && lat_deg <= 90.0) || !(lon_deg >= -1e6 && lon_deg <= 1e6)) {
        return err;
    }
    for (size_t i = 0; i < geoid->count && err == MF_E_RANGE; i++) {
        const struct mf_geoid_layer *layer = &geoid->layer[i];
        double value_m = layer->constant_m;
        err = layer->is_constant
                  ? MF_E_OK
                  : mf_pack_at(&layer->pack, &geoid->cache, layer->how, lat_deg, lon_deg, &value_m);
        if (err == MF_E_OK) {
            *undulation_m = value_m;
            if (by != NULL) {
                *by = layer;
            }
        }
    }
    return err;
}
