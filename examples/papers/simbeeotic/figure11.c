/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figure 11 of Simbeeotic's paper as a plug-in (docs/papers.md): a bee that walks at random, looks
 * at its compass and broadcasts four bytes once a second. What the paper's bee does in
 * updateKinematics() and in its two timers is turn() here, messageReceived() is received().
 *
 *     cc -std=c11 -O2 -shared -fPIC -I . examples/papers/simbeeotic/figure11.c \
 *         -o examples/papers/simbeeotic/figure11.so -lm
 */
#include "fleet/plugin.h"

#include <math.h>
#include <string.h>

#define TURNS_A_SECOND 10u /* the behaviour's rate: the paper's kinematic update of 100 ms */
#define DRAWS          12u /* the sum of so many uniform numbers stands for a normal one */
#define PI             3.14159265358979323846

enum { MAX_VEL, VELOCITY_SIGMA, HEADING_SIGMA, USE_RADIO };

static const struct mf_plugin_param k_param[] = {
    [MAX_VEL] = {"max-vel", MF_PLUGIN_REAL, 0, 100, {.real = 2.0}, "[m/s]"},
    [VELOCITY_SIGMA] = {"velocity-sigma", MF_PLUGIN_REAL, 0, 100, {.real = 0.2}, "[m/s]"},
    [HEADING_SIGMA] = {"heading-sigma", MF_PLUGIN_REAL, 0, 10, {.real = PI / 16.0}, "[rad]"},
    [USE_RADIO] = {"use-radio", MF_PLUGIN_BOOL, 0, 0, {.truth = true}, "broadcast"},
};

struct bee {
    double forward, up; /* desired velocity in the frame of the body [m/s] */
    double heading_rad;
    double compass_rad; /* what the compass has said last */
    uint64_t draws;
    uint64_t received;
    double strongest_dbm;
};

/* getRandom().nextGaussian(): mean 0, variance 1. */
static double next_gaussian(const struct mf_plugin_self *self, struct bee *bee)
{
    double sum = 0.0;
    for (unsigned i = 0; i < DRAWS; i++) {
        sum += self->host->chance(self->key, bee->draws++);
    }
    return sum - DRAWS / 2.0;
}

static void update_kinematics(const struct mf_plugin_self *self, struct bee *bee,
                              const struct mf_plugin_orders *orders)
{
    const double max_vel = self->value[MAX_VEL].real;
    /* randomly vary the heading */
    bee->heading_rad += next_gaussian(self, bee) * self->value[HEADING_SIGMA].real;
    /* randomly vary the velocity ahead and upward */
    bee->forward += next_gaussian(self, bee) * self->value[VELOCITY_SIGMA].real;
    bee->up += next_gaussian(self, bee) * self->value[VELOCITY_SIGMA].real;
    /* cap the velocity */
    const double speed = sqrt(bee->forward * bee->forward + bee->up * bee->up);
    if (speed > max_vel) {
        bee->forward *= max_vel / speed;
        bee->up *= max_vel / speed;
    }
    const struct mf_plugin_place velocity = {.east = bee->forward * sin(bee->heading_rad),
                                             .north = bee->forward * cos(bee->heading_rad),
                                             .up = bee->up};
    orders->fly(orders->host, &velocity, bee->heading_rad);
    (void)orders->offboard(orders->host);
}

static void read_compass(const struct mf_plugin_member *member, struct bee *bee)
{
    for (uint32_t k = 0; k < member->readings; k++) {
        const struct mf_plugin_reading *r = &member->reading[k];
        if (strcmp(r->kind, "compass") == 0 && r->count > 0) {
            bee->compass_rad = r->value[0];
        }
    }
}

static bool turn(const struct mf_plugin_self *self, const struct mf_plugin_member *member,
                 const struct mf_plugin_orders *orders)
{
    static const uint8_t k_packet[] = {1, 2, 3, 4};
    struct bee *bee = self->state;
    update_kinematics(self, bee, orders);
    if (member->turn % TURNS_A_SECOND == 0) { /* both timers have a period of a second */
        read_compass(member, bee);
        if (self->value[USE_RADIO].truth) {
            (void)orders->transmit(orders->host, k_packet, sizeof k_packet);
        }
    }
    return true;
}

/* messageReceived(time, data, rxPower) */
static void received(const struct mf_plugin_self *self, const struct mf_plugin_packet *packet,
                     const struct mf_plugin_air *air)
{
    struct bee *bee = self->state;
    (void)air;
    if (bee->received == 0 || packet->strength_dbm > bee->strongest_dbm) {
        bee->strongest_dbm = packet->strength_dbm;
    }
    bee->received++;
}

static const struct mf_plugin_behaviour k_bee = {turn, received};

static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_BEHAVIOUR,
     .name = "bee",
     .help = "Figure 11 of Simbeeotic's paper",
     .param = k_param,
     .params = sizeof k_param / sizeof k_param[0],
     .state_bytes = sizeof(struct bee),
     .behaviour = &k_bee},
};

const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry), "figure11",
                                    k_entry, sizeof k_entry / sizeof k_entry[0]};
