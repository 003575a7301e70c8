/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A world of one's own (docs/plugins.md): weather, a front that comes from the west, with wind and
 * cold behind it; a sensor, a sonar of three rays that loses some echoes; a body that is lazy, and
 * gets tired; a component that tells who was highest.
 *
 *     cc -std=c11 -O2 -shared -fPIC -I . examples/plugins/world.c -o examples/plugins/world.so -lm
 */
#include "fleet/plugin.h"

#include <math.h>
#include <stdio.h>
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

/* ---- sensor */

#define RAYS 3u

static const struct mf_plugin_param k_sonar_param[] = {
    {"spread", MF_PLUGIN_REAL, 0, 10, {.real = 0.5}, "tangent of a ray's angle from the middle"},
    {"miss", MF_PLUGIN_REAL, 0, 1, {.real = 0.0}, "part of the echoes that get lost"},
};

struct sonar {
    uint32_t lost; /* so far */
};

/* Echoes left, ahead and right; who is near; how many echoes are lost so far; the temperature. */
static void listen(const struct mf_plugin_self *self, const struct mf_plugin_sense *sense,
                   const struct mf_plugin_world *world, double *value)
{
    struct sonar *sonar = self->state;
    for (uint32_t n = 0; n < RAYS; n++) {
        const double aside = ((double)n - 1.0) * self->value[0].real;
        const struct mf_plugin_place toward = {sense->ahead.east + aside * sense->right.east,
                                               sense->ahead.north + aside * sense->right.north,
                                               sense->ahead.up + aside * sense->right.up};
        if (self->host->chance(self->key, sense->count * RAYS + n) >= self->value[1].real) {
            value[n] = world->ray(world->host, &toward);
        } else {
            sonar->lost++;
        }
    }
    value[3] = world->near(world->host, NULL, 0);
    value[4] = sonar->lost;
    (void)world->weather(world->host, "temperature", &value[5]);
}

static const struct mf_plugin_sensor k_sonar = {listen};

/* ---- body */

#define GRAVITY_MPS2 9.80665

static const struct mf_plugin_param k_lazy_param[] = {
    {"time", MF_PLUGIN_REAL, 0.1, 100, {.real = 1.0}, "with which it follows what it is told [s]"},
    {"tires",
     MF_PLUGIN_REAL,
     0,
     1e9,
     {.real = 1e9},
     "after so long in the air it is half as fast [s]"},
};

struct lazy {
    double flown_s;
};

/* It drifts with the wind, leans into what it does, and falls without motors. */
static void follow(const struct mf_plugin_self *self, const struct mf_plugin_step *step,
                   struct mf_plugin_moves *moves)
{
    struct lazy *lazy = self->state;
    const struct mf_plugin_place told = step->velocity, before = moves->velocity;
    const double rate = step->dt_s / self->value[0].real;
    const double part = lazy->flown_s < self->value[1].real ? 1.0 : 0.5;
    struct mf_plugin_place *v = &moves->velocity;
    lazy->flown_s += step->dt_s;
    if (step->works) {
        v->east += (part * told.east + step->wind.east - v->east) * rate;
        v->north += (part * told.north + step->wind.north - v->north) * rate;
        v->up += (part * told.up - v->up) * rate;
    } else {
        v->up -= GRAVITY_MPS2 * step->dt_s;
    }
    moves->at.east += 0.5 * (before.east + v->east) * step->dt_s;
    moves->at.north += 0.5 * (before.north + v->north) * step->dt_s;
    moves->at.up += 0.5 * (before.up + v->up) * step->dt_s;
    const double east = (v->east - before.east) / step->dt_s;
    const double north = (v->north - before.north) / step->dt_s;
    const double ahead = cos(step->heading_rad), aside = sin(step->heading_rad);
    moves->yaw_rad = step->heading_rad;
    moves->pitch_rad = -atan((north * ahead + east * aside) / GRAVITY_MPS2);
    moves->roll_rad = atan((east * ahead - north * aside) / GRAVITY_MPS2);
}

static const struct mf_plugin_body k_lazy = {follow};

/* ---- component */

struct highest {
    char name[32];
    double up, time_s;
};

static void look_up(const struct mf_plugin_self *self, const struct mf_plugin_told *told)
{
    struct highest *highest = self->state;
    if (told->at.up > highest->up + 0.01) {
        highest->up = told->at.up;
        highest->time_s = told->time_s;
        (void)snprintf(highest->name, sizeof highest->name, "%s", told->name);
    }
}

static void print_summary(const struct mf_plugin_self *self)
{
    const struct highest *highest = self->state;
    printf("highest   %s, %.1f m after %.0f s\n", highest->name, highest->up, highest->time_s);
}

static const struct mf_plugin_component k_highest = {look_up, print_summary};

/* ---- all of it */

static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_WEATHER,
     .name = "front",
     .help = "wind and cold from the west",
     .param = k_front_param,
     .params = 3,
     .weather = &k_front},
    {.kind = MF_PLUGIN_SENSOR,
     .name = "sonar",
     .help = "three rays",
     .param = k_sonar_param,
     .params = 2,
     .state_bytes = sizeof(struct sonar),
     .sensor = &k_sonar},
    {.kind = MF_PLUGIN_BODY,
     .name = "lazy",
     .help = "follows slowly",
     .param = k_lazy_param,
     .params = 2,
     .state_bytes = sizeof(struct lazy),
     .body = &k_lazy},
    {.kind = MF_PLUGIN_COMPONENT,
     .name = "highest",
     .help = "tells at the end",
     .state_bytes = sizeof(struct highest),
     .component = &k_highest},
};

const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry), "world",
                                    k_entry, sizeof k_entry / sizeof k_entry[0]};
