/* SPDX-License-Identifier: Apache-2.0 */
/* Runs sensors of plug-ins, and answers their queries about the world. senses.c calls it. */
#include "boards/swarm/space/sense_plugin.h"

#include "boards/swarm/space/sense_rays.h"

#include "boards/swarm/core/plugins.h"
#include "math/trig.h"

#include <math.h>
#include <string.h>

_Static_assert(MF_PLUGIN_VALUES_MAX == MF_SENSOR_VALUES_MAX, "a plug-in gives whole measurements");

/* Sensors of an entity. */
typedef struct swarm_plugin of_entity[MF_SCENARIO_SENSORS_MAX];

/* @return [entities], in the arena; NULL: on a leaf, which finds no plug-ins */
static of_entity *sense_plugins_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_SENSE_PLUGIN];
}

int swarm_sense_plugin_prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = swarm_plugins_make(w, SWARM_SLOT_SENSE_PLUGIN, s->entities * sizeof(of_entity));
    for (uint32_t n = 0; n < s->entities && result == SWARM_OK; n++) {
        const struct mf_scenario_entity *e = &s->entity[n];
        char key[MF_SCENARIO_NAME_MAX + 16u];
        (void)snprintf(key, sizeof key, "%s.sensors", e->name);
        for (uint32_t k = 0; k < e->sensors && result == SWARM_OK; k++) {
            if (e->sensor[k].kind == MF_SCENARIO_SENSOR_OWN) {
                result = swarm_plugin_find(w, &e->sensor[k].own, MF_PLUGIN_SENSOR, key,
                                           e->sensor[k].line, &sense_plugins_of(w)[n][k]);
            }
        }
    }
    return result;
}

size_t swarm_sense_plugin_bytes(const struct swarm *w, uint32_t entity, uint32_t k)
{
    const struct mf_plugin_entry *e =
        sense_plugins_of(w) != NULL ? sense_plugins_of(w)[entity][k].entry : NULL;
    return e != NULL ? (e->state_bytes + 15u) / 16u * 16u : 0;
}

bool swarm_sense_read_weather(const struct swarm *w, const double neu_m[3], mf_us_t at_us,
                              const char *name, double *value)
{
    const struct mf_weather *weather = &w->scenario->weather.is;
    const double t_s = (double)at_us * 1e-6;
    const bool north = strcmp(name, "wind_north") == 0;
    if (north || strcmp(name, "wind_east") == 0) {
        double ne_mps[2];
        mf_weather_wind(weather, neu_m, t_s, ne_mps);
        *value = ne_mps[north ? 0 : 1];
        return true;
    }
    return mf_weather_value(weather, neu_m, t_s, name, value);
}

/* ---- queries of a sensor */

static const struct mf_scenario_sensor *sensor_of(const struct swarm_sense_plugin *s)
{
    return &s->w->scenario->entity[s->entity].sensor[s->k];
}

static struct mf_plugin_place plugin_place_of(const double neu[3])
{
    return (struct mf_plugin_place){neu[1], neu[0], neu[2]};
}

static double measure_ray(const void *host, const struct mf_plugin_place *toward)
{
    const struct swarm_sense_plugin *s = host;
    const double way[3] = {toward->north, toward->east, toward->up};
    const double length = mf_sqrt(mf_dot3(way, way));
    if (!(length > 0.0 && isfinite(length))) {
        return (double)INFINITY;
    }
    const double ahead[3] = {way[0] / length, way[1] / length, way[2] / length};
    const double reach_m = sensor_of(s)->reach_m;
    const double wall_m = mf_sense_ray(s->w->members.space, s->at->neu_m, ahead, reach_m);
    const struct swarm_sense_ray ray = {s->i, s->at_us, s->at->neu_m, ahead, reach_m};
    const double ball_m =
        sensor_of(s)->members ? swarm_sense_ray_members(s->w, &ray, s->neu_m) : (double)INFINITY;
    return ball_m < wall_m ? ball_m : wall_m;
}

static uint32_t find_near(const void *host, struct mf_plugin_found *found, uint32_t room)
{
    const struct swarm_sense_plugin *s = host;
    uint32_t from = 0, to = 0, count = 0;
    (void)mf_scenario_find(s->w->scenario, sensor_of(s)->of, &from, &to);
    for (uint32_t j = from; j < to; j++) {
        const double *p = s->neu_m[j], *q = s->at->neu_m;
        const double way[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        const double away_m = mf_sqrt(mf_dot3(way, way));
        if (j == s->i || !(away_m < sensor_of(s)->reach_m)) {
            continue;
        }
        if (count < room) {
            found[count] = (struct mf_plugin_found){j + 1u, plugin_place_of(p), away_m};
        }
        count++;
    }
    return count;
}

static bool read_weather(const void *host, const char *name, double *value)
{
    const struct swarm_sense_plugin *s = host;
    return swarm_sense_read_weather(s->w, s->at->neu_m, s->at_us, name, value);
}

void swarm_sense_plugin_measure(const struct swarm_sense_plugin *s, double *value)
{
    const struct swarm_plugin *o = &sense_plugins_of(s->w)[s->entity][s->k];
    const double *rpy_rad = s->body->rpy_rad;
    struct mf_plugin_self self = o->self;
    const struct mf_plugin_world world = {s, measure_ray, find_near, read_weather};
    const struct mf_plugin_sense sense = {
        .number = s->i + 1u,
        .count = s->count,
        .time_s = (double)s->at_us * 1e-6,
        .at = plugin_place_of(s->at->neu_m),
        .velocity = plugin_place_of(s->at->vel_mps),
        .ahead = plugin_place_of(s->at->ahead),
        .right = plugin_place_of(s->at->right),
        .below = plugin_place_of(s->at->below),
        .roll_rad = rpy_rad[0],
        .pitch_rad = rpy_rad[1],
        .yaw_rad = rpy_rad[2],
        .reach_m = sensor_of(s)->reach_m,
    };
    self.state = s->state;
    self.key = s->key;
    for (uint32_t n = 0; n < MF_PLUGIN_VALUES_MAX; n++) {
        value[n] = (double)INFINITY;
    }
    swarm_plugin_enter(o);
    o->entry->sensor->measure(&self, &sense, &world, value);
    swarm_plugin_leave();
    for (uint32_t n = 0; n < MF_PLUGIN_VALUES_MAX; n++) {
        if (!(value[n] > -(double)INFINITY)) {
            swarm_plugin_fatal(o, "measures %g as number %u: it must be finite, or infinity",
                               value[n], (unsigned)n + 1u);
        }
    }
}
