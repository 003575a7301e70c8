/* SPDX-License-Identifier: Apache-2.0 */
/* A behaviour that transmits in its first turn and answers what it receives: for
 * tests/process/test_swarm_transmit.py. An answer has 5 bytes: the sender's number, the number of
 * its packet, the strength in 0.01 dB (little endian, signed), and how many of the member's packets
 * were refused. */
#include "fleet/plugin.h"

#include <math.h>
#include <string.h>

enum { BURST, SIZE, ANSWERS };

static const struct mf_plugin_param k_param[] = {
    [BURST] = {"burst", MF_PLUGIN_WHOLE, 0, 100, {.whole = 0}, "packets of the first turn"},
    [SIZE] = {"size", MF_PLUGIN_WHOLE, 0, 1000, {.whole = 4}, "of each [bytes]"},
    [ANSWERS] = {"answers", MF_PLUGIN_BOOL, 0, 0, {.truth = false}, "it answers what it receives"},
};

struct state {
    uint8_t refused;
};

static bool turn(const struct mf_plugin_self *self, const struct mf_plugin_member *member,
                 const struct mf_plugin_orders *orders)
{
    struct state *state = self->state;
    uint8_t bytes[1000];
    memset(bytes, 0xAB, sizeof bytes);
    for (int64_t i = 0; i < self->value[BURST].whole && member->turn == 0; i++) {
        state->refused +=
            orders->transmit(orders->host, bytes, (size_t)self->value[SIZE].whole) ? 0 : 1;
    }
    return member->turn == 0;
}

static void received(const struct mf_plugin_self *self, const struct mf_plugin_packet *packet,
                     const struct mf_plugin_air *air)
{
    struct state *state = self->state;
    const long strength = isnan(packet->strength_dbm) ? 0 : lround(packet->strength_dbm * 100.0);
    const uint8_t answer[5] = {(uint8_t)packet->sender, (uint8_t)packet->number, (uint8_t)strength,
                               (uint8_t)((unsigned long)strength >> 8), state->refused};
    if (self->value[ANSWERS].truth) {
        state->refused += air->transmit(air->host, answer, sizeof answer) ? 0 : 1;
    }
}

static const struct mf_plugin_behaviour k_echo = {turn, received};

static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_BEHAVIOUR,
     .name = "echo",
     .help = "it answers",
     .param = k_param,
     .params = sizeof k_param / sizeof k_param[0],
     .state_bytes = sizeof(struct state),
     .behaviour = &k_echo},
};

const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry), "echo",
                                    k_entry, sizeof k_entry / sizeof k_entry[0]};
