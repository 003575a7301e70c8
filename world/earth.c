/* SPDX-License-Identifier: Apache-2.0 */
/* Geoid and ground of a vehicle's world. Called by world/world, gnss, gnss_noise and faults_gnss,
 * and by boards. */
#include "world/earth.h"

#include "math/trig.h"

#include <string.h>

const char *mf_earth_name(const struct mf_geoid_layer *layer)
{
    MF_ASSERT(layer != NULL);
    if (layer->is_constant) {
        return layer->constant_m == 0.0 ? "none" : "constant";
    }
    return mf_pack_model(&layer->pack);
}

const uint8_t *mf_earth_fingerprint(const struct mf_geoid_layer *layer)
{
    MF_ASSERT(layer != NULL);
    return layer->is_constant ? NULL : mf_pack_fingerprint(&layer->pack, layer->how);
}

struct mf_earth_about mf_earth_describe(const struct mf_geoid_layer *layer)
{
    static const struct {
        enum mf_earth_model model;
        const char *word;
    } k_model[] = {
#define X(name, number, word) {MF_EARTH_##name, word},
        MF_EARTH_MODEL_LIST(X)
#undef X
    };
    const char *name = mf_earth_name(layer);
    const uint8_t *print = mf_earth_fingerprint(layer);
    struct mf_earth_about about = {MF_EARTH_OTHER, 0, 0};
    for (size_t i = 0; i < sizeof k_model / sizeof k_model[0]; i++) {
        if (strcmp(k_model[i].word, name) == 0) {
            about.model = k_model[i].model;
        }
    }
    for (size_t i = 0; print != NULL && i < 4; i++) {
        about.fingerprint = about.fingerprint << 8 | print[i];
    }
    return about;
}

bool mf_earth_is_everywhere(const struct mf_geoid_layer *layer)
{
    return layer->is_constant ||
           (layer->pack.wraps && layer->pack.north_pole && layer->pack.south_pole);
}

enum mf_pack_interpolation mf_earth_how(const struct mf_pack *pack, const uint8_t *fingerprint)
{
    static const enum mf_pack_interpolation k_how[] = {MF_PACK_BILINEAR, MF_PACK_CUBIC};
    for (size_t i = 0; i < sizeof k_how / sizeof k_how[0]; i++) {
        if (memcmp(mf_pack_fingerprint(pack, k_how[i]), fingerprint, MF_PACK_HASH) == 0) {
            return k_how[i];
        }
    }
    return MF_PACK_AS_MADE;
}

int mf_earth_init(struct mf_earth *earth, struct mf_geoid *geoid, double home_lat_deg,
                  double home_lon_deg)
{
    const struct mf_geoid_layer *by = NULL;
    double undulation_m;
    MF_ASSERT(earth != NULL);
    *earth = (struct mf_earth){.geoid = geoid, .everywhere = geoid == NULL};
    if (geoid == NULL) {
        return MF_E_OK;
    }
    const int result = mf_geoid_at(geoid, home_lat_deg, home_lon_deg, &undulation_m, &by);
    if (result != MF_E_OK) {
        return result;
    }
    earth->about = mf_earth_describe(by);
    for (size_t i = 0; i < geoid->count; i++) {
        earth->everywhere = earth->everywhere || mf_earth_is_everywhere(&geoid->layer[i]);
    }
    return MF_E_OK;
}

void mf_earth_set_terrain(struct mf_earth *earth, struct mf_terrain *terrain)
{
    MF_ASSERT(earth != NULL);
    earth->terrain = terrain != NULL && terrain->count > 0 ? terrain : NULL;
    earth->about.ground_spacing_m = mf_terrain_spacing_m(terrain);
}

int mf_earth_at(struct mf_earth *earth, double lat_deg, double lon_deg, double *undulation_m)
{
    MF_ASSERT(earth != NULL && undulation_m != NULL);
    if (earth->geoid == NULL) {
        *undulation_m = 0.0;
        return MF_E_OK;
    }
    if (!earth->last.valid || earth->last.lat_deg != lat_deg || earth->last.lon_deg != lon_deg) {
        earth->last.lat_deg = lat_deg;
        earth->last.lon_deg = lon_deg;
        earth->last.result =
            mf_geoid_at(earth->geoid, lat_deg, lon_deg, &earth->last.undulation_m, NULL);
        earth->last.valid = true;
    }
    if (earth->last.result == MF_E_OK) {
        *undulation_m = earth->last.undulation_m;
    }
    return earth->last.result;
}

void mf_earth_settle(struct mf_earth *earth, struct mf_fix *fix)
{
    double undulation_m;
    MF_ASSERT(fix != NULL);
    if (earth != NULL && mf_earth_at(earth, (double)fix->lat_e7 * 1e-7, (double)fix->lon_e7 * 1e-7,
                                     &undulation_m) == MF_E_OK) {
        fix->alt_ellipsoid_mm = mf_round_i32((double)fix->alt_amsl_mm + undulation_m * 1e3);
    }
}

static int earth_undulation(void *ctx, double lat_deg, double lon_deg, double *m)
{
    return mf_earth_at(ctx, lat_deg, lon_deg, m);
}

static int earth_ground(void *ctx, double lat_deg, double lon_deg, double *amsl_m)
{
    const struct mf_earth *earth = ctx;
    if (earth->terrain == NULL) { /* flat: the airframe's pose has the ground's altitude */
        return MF_E_NOSUPP;
    }
    return mf_terrain_at(earth->terrain, lat_deg, lon_deg, amsl_m) == MF_E_OK ? MF_E_OK
                                                                              : MF_E_NOENT;
}

static struct mf_earth_about earth_about(void *ctx)
{
    return ((const struct mf_earth *)ctx)->about;
}

const struct mf_earth_ops mf_earth_geoid_ops = {earth_undulation, earth_ground, earth_about};
