/* SPDX-License-Identifier: Apache-2.0 */
/* Wind and values by place. Called by fleet/search, world/mover_stepped and boards/swarm. */
#include "world/weather.h"

#include "math/trig.h"

#include <string.h>

static bool is_around(const struct mf_weather_region *r, const double neu_m[3])
{
    const double n_m = neu_m[0] - r->at[0], e_m = neu_m[1] - r->at[1], up_m = neu_m[2] - r->at[2];
    if (r->radius_m > 0.0) {
        return n_m * n_m + e_m * e_m <= r->radius_m * r->radius_m &&
               mf_between(up_m, 0.0, r->height_m);
    }
    return mf_between(n_m, 0.0, r->size[0]) && mf_between(e_m, 0.0, r->size[1]) &&
           mf_between(up_m, 0.0, r->size[2]);
}

static void add_wind(const struct mf_weather_air *air, double ne_mps[2])
{
    if (air->wind[0] > 0.0) {
        const struct mf_sin_cos from = mf_sin_cos(mf_rad(air->wind[1]));
        ne_mps[0] -= air->wind[0] * from.cos;
        ne_mps[1] -= air->wind[0] * from.sin;
    }
}

void mf_weather_wind(const struct mf_weather *w, const double neu_m[3], double t_s,
                     double ne_mps[2])
{
    ne_mps[0] = ne_mps[1] = 0.0;
    if (w == NULL) {
        return;
    }
    MF_ASSERT(w->regions <= MF_WEATHER_REGIONS_MAX);
    add_wind(&w->air, ne_mps);
    for (uint32_t i = 0; i < w->regions; i++) {
        if (is_around(&w->region[i], neu_m)) {
            add_wind(&w->region[i].air, ne_mps);
        }
    }
    if (w->own != NULL) {
        double own_mps[2] = {0.0, 0.0};
        w->own->wind(w->own->ctx, neu_m, t_s, own_mps);
        ne_mps[0] += own_mps[0];
        ne_mps[1] += own_mps[1];
    }
}

static bool find_value(const struct mf_weather_air *air, const char *name, double *value)
{
    for (uint32_t k = 0; k < air->values; k++) {
        if (strcmp(air->value[k].name, name) == 0) {
            *value = air->value[k].value;
            return true;
        }
    }
    return false;
}

bool mf_weather_value(const struct mf_weather *w, const double neu_m[3], double t_s,
                      const char *name, double *value)
{
    for (uint32_t i = w->regions; i-- > 0;) {
        if (is_around(&w->region[i], neu_m) && find_value(&w->region[i].air, name, value)) {
            return true;
        }
    }
    return find_value(&w->air, name, value) ||
           (w->own != NULL && w->own->value(w->own->ctx, neu_m, t_s, name, value));
}
