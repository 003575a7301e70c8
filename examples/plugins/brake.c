/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A behaviour of one's own (docs/plugins.md): it takes off, flies north, and stands still as soon
 * as a range sensor sees something near.
 *
 *     cc -std=c11 -O2 -shared -fPIC -I . examples/plugins/brake.c -o examples/plugins/brake.so
 */
#include "fleet/plugin.h"

#include <string.h>

#define HEIGHT_M 10.0

enum { DISTANCE, SPEED };

static const struct mf_plugin_param k_param[] = {
    [DISTANCE] = {"distance", MF_PLUGIN_REAL, 0, 1000, {.real = 10.0}, "at which it stops [m]"},
    [SPEED] = {"speed", MF_PLUGIN_REAL, 0.1, 20, {.real = 3.0}, "[m/s]"},
};

/* What a member keeps: it stands for good. */
struct state {
    bool stands;
};

static bool is_near(const struct mf_plugin_member *member, double distance_m)
{
    for (uint32_t k = 0; k < member->readings; k++) {
        const struct mf_plugin_reading *r = &member->reading[k];
        if (strcmp(r->kind, "range") == 0 && r->count > 0 && r->value[0] < distance_m) {
            return true;
        }
    }
    return false;
}

static bool turn(const struct mf_plugin_self *self, const struct mf_plugin_member *member,
                 const struct mf_plugin_orders *orders)
{
    struct state *state = self->state;
    struct mf_plugin_place velocity = {0.0, 0.0, 0.0};
    if (!member->known) {
        return true;
    }
    if (!member->armed) {
        (void)(orders->arm(orders->host) && orders->take_off(orders->host, HEIGHT_M));
        return true;
    }
    if (!member->in_air || member->height_m < HEIGHT_M - 0.1) {
        return true;
    }
    state->stands = state->stands || is_near(member, self->value[DISTANCE].real);
    velocity.north = state->stands ? 0.0 : self->value[SPEED].real;
    orders->fly(orders->host, &velocity, 0.0);
    (void)orders->offboard(orders->host);
    return true;
}

static const struct mf_plugin_behaviour k_brake = {.turn = turn};

static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_BEHAVIOUR,
     .name = "brake",
     .help = "north, until something is near",
     .param = k_param,
     .params = sizeof k_param / sizeof k_param[0],
     .state_bytes = sizeof(struct state),
     .behaviour = &k_brake},
};

const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry), "brake",
                                    k_entry, sizeof k_entry / sizeof k_entry[0]};
