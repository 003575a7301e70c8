/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weather of one's own (docs/plugins.md): a front that comes from the west, with wind and cold
 * behind it.
 *
 *     cc -std=c11 -O2 -shared -fPIC -I . examples/plugins/world.c -o examples/plugins/world.so
 */
#include "fleet/plugin.h"

#include <string.h>

/* ---- weather */

static const struct mf_plugin_param k_front_param[] = {
    {"wind", MF_PLUGIN_REAL, 0, 50, {.real = 10.0}, "behind it, from the west [m/s]"},
    {"speed", MF_PLUGIN_REAL, 0, 100, {.real = 20.0}, "of the front itself [m/s]"},
    {"from",
     MF_PLUGIN_REAL,
     -1e5,
     1e5,
     {.real = -100.0},
     "where it begins, east of the origin [m]"},
};

static bool is_behind(const struct mf_plugin_self *self, const struct mf_plugin_place *at,
                      double time_s)
{
    return at->east < self->value[2].real + self->value[1].real * time_s;
}

static void wind(const struct mf_plugin_self *self, const struct mf_plugin_place *at, double time_s,
                 struct mf_plugin_place *velocity)
{
    velocity->east = is_behind(self, at, time_s) ? self->value[0].real : 0.0;
}

/* It is colder with height, too. */
static bool value(const struct mf_plugin_self *self, const struct mf_plugin_place *at,
                  double time_s, const char *name, double *value)
{
    *value = (is_behind(self, at, time_s) ? 12.0 : 20.0) - 0.01 * at->up;
    return strcmp(name, "temperature") == 0;
}

static const struct mf_plugin_weather k_front = {wind, value};

/* ---- all of it */

static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_WEATHER,
     .name = "front",
     .help = "wind and cold from the west",
     .param = k_front_param,
     .params = 3,
     .weather = &k_front},
};

const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry), "world",
                                    k_entry, sizeof k_entry / sizeof k_entry[0]};
