/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the scenario's weather a plug-in for wind and values. contacts.c calls it at SWARM_FIND. */
#include "boards/swarm/space/world_plugin.h"

#include "boards/swarm/core/plugins.h"
#include "math/chance.h"

#include <math.h>

/* Purpose of the weather's random numbers; fleet/scenario.h has the others. */
enum { WEATHER_PURPOSE = 42 };

/* The arena holds these, since a checkpoint has their addresses: a resume finds the plug-in of its
 * process. */
struct own {
    struct swarm_plugin weather;
    struct mf_weather_own air;
};

static struct mf_plugin_place plugin_place_of(const double neu_m[3])
{
    return (struct mf_plugin_place){neu_m[1], neu_m[0], neu_m[2]};
}

/* ---- weather */

static void blow_wind(const void *ctx, const double neu_m[3], double t_s, double ne_mps[2])
{
    const struct swarm_plugin *o = ctx;
    const struct mf_plugin_place at = plugin_place_of(neu_m);
    struct mf_plugin_place velocity = {0.0, 0.0, 0.0};
    if (o->entry->weather->wind == NULL) {
        return;
    }
    swarm_plugin_enter(o);
    o->entry->weather->wind(&o->self, &at, t_s, &velocity);
    swarm_plugin_leave();
    if (!isfinite(velocity.east) || !isfinite(velocity.north)) {
        swarm_plugin_fatal(o,
                           "has a wind of %g m/s to the east, %g to the north: it must be finite",
                           velocity.east, velocity.north);
    }
    ne_mps[0] = velocity.north;
    ne_mps[1] = velocity.east;
}

static bool weather_value_at(const void *ctx, const double neu_m[3], double t_s, const char *name,
                             double *value)
{
    const struct swarm_plugin *o = ctx;
    const struct mf_plugin_place at = plugin_place_of(neu_m);
    double given = 0.0;
    if (o->entry->weather->value == NULL) {
        return false;
    }
    swarm_plugin_enter(o);
    const bool has = o->entry->weather->value(&o->self, &at, t_s, name, &given);
    swarm_plugin_leave();
    if (has && !isfinite(given)) {
        swarm_plugin_fatal(o, "has %g as '%s': it must be finite", given, name);
    }
    *value = has ? given : *value;
    return has;
}

static int prepare_weather(struct swarm *w)
{
    struct mf_scenario *s = w->scenario;
    if (s->weather.kind != MF_SCENARIO_WEATHER_OWN) {
        return SWARM_OK;
    }
    struct own *own = w->state[SWARM_SLOT_WORLD_PLUGIN];
    own = own != NULL ? own : swarm_memory(w, s->weather.own.line, sizeof *own);
    w->state[SWARM_SLOT_WORLD_PLUGIN] = own;
    if (own == NULL) {
        return SWARM_INPUT;
    }
    const int result = swarm_plugin_find(w, &s->weather.own, MF_PLUGIN_WEATHER, "space.weather",
                                         s->weather.own.line, &own->weather);
    own->weather.self.key = mf_chance_key(s->seed, s->variation_number, 0, WEATHER_PURPOSE);
    own->air = (struct mf_weather_own){blow_wind, weather_value_at, &own->weather};
    s->weather.is.own = &own->air;
    return result;
}

int swarm_world_plugin_prepare(struct swarm *w)
{
    return prepare_weather(w);
}
