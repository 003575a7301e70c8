/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of all systems and of their states, by the lists of core/slots.h. main.c gives them to
 * a run. */
#include "boards/swarm/program/systems.h"

#include "boards/swarm/api/api.h"
#include "boards/swarm/cells/grid.h"
#include "boards/swarm/core/costs.h"
#include "boards/swarm/core/kept.h"
#include "boards/swarm/core/kinds.h"
#include "boards/swarm/core/participants.h"
#include "boards/swarm/core/plugins.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/hosts/hosts.h"
#include "boards/swarm/hosts/leaf.h"
#include "boards/swarm/hosts/relay.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/agents.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/bodies.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/minds/hive.h"
#include "boards/swarm/minds/minds.h"
#include "boards/swarm/minds/rx_minds.h"
#include "boards/swarm/output/expect.h"
#include "boards/swarm/output/outputs.h"
#include "boards/swarm/output/pictures.h"
#include "boards/swarm/output/taps.h"
#include "boards/swarm/outside/bus_world.h"
#include "boards/swarm/outside/components.h"
#include "boards/swarm/outside/foreign_internal.h"
#include "boards/swarm/outside/foreigns.h"
#include "boards/swarm/outside/gzuav.h"
#include "boards/swarm/outside/gzuav_info.h"
#include "boards/swarm/outside/sense_links.h"
#include "boards/swarm/page/page.h"
#include "boards/swarm/page/page_world.h"
#include "boards/swarm/processes/patience.h"
#include "boards/swarm/processes/processes.h"
#include "boards/swarm/processes/spins.h"
#include "boards/swarm/radio/flows.h"
#include "boards/swarm/radio/network.h"
#include "boards/swarm/radio/radio.h"
#include "boards/swarm/radio/radio_file.h"
#include "boards/swarm/radio/receptions.h"
#include "boards/swarm/radio/sockets.h"
#include "boards/swarm/search/search.h"
#include "boards/swarm/space/collisions.h"
#include "boards/swarm/space/contacts.h"
#include "boards/swarm/space/senses.h"
#include "boards/swarm/time/checkpoint.h"
#include "boards/swarm/time/control.h"
#include "boards/swarm/time/run.h"
#include "boards/swarm/time/steps.h"

#include <stdlib.h>

/* clang-format off */
#define WITH(name) &swarm_##name##_system,
#define NOT(name)

static const struct swarm_system *const k_members[] = {
#define X(NAME, name, members, cells, search, leaf) members(name)
    SWARM_SYSTEMS(X)
#undef X
    NULL,
};

static const struct swarm_system *const k_cells[] = {
#define X(NAME, name, members, cells, search, leaf) cells(name)
    SWARM_SYSTEMS(X)
#undef X
    NULL,
};

static const struct swarm_system *const k_search[] = {
#define X(NAME, name, members, cells, search, leaf) search(name)
    SWARM_SYSTEMS(X)
#undef X
    NULL,
};

const struct swarm_system *const swarm_leaf_systems[] = {
#define X(NAME, name, members, cells, search, leaf) leaf(name)
    SWARM_SYSTEMS(X)
#undef X
    NULL,
};

/* Sizes of the states of all slots, in their order. NULL: its file sets the slot. */
static const size_t *const k_bytes[SWARM_SLOTS] = {
#define X(NAME, name, ...) &swarm_##name##_system.bytes,
    SWARM_SYSTEMS(X)
#undef X
#define X(NAME, name) &swarm_##name##_bytes,
    SWARM_STATES(X)
#undef X
};
/* clang-format on */

const struct swarm_system *const *swarm_systems_of(const struct swarm *w)
{
    return swarm_has_cells(w) ? k_cells : swarm_searches(w) ? k_search : k_members;
}

#define ALIGNMENT 64u /* a line of a cache: threads that write one state do not slow another */

static size_t state_room_of(int slot)
{
    const size_t bytes = k_bytes[slot] != NULL ? *k_bytes[slot] : 0;
    return (bytes + ALIGNMENT - 1u) / ALIGNMENT * ALIGNMENT;
}

void *swarm_states_make(struct swarm *w)
{
    size_t bytes = ALIGNMENT;
    for (int slot = 0; slot < SWARM_SLOTS; slot++) {
        bytes += state_room_of(slot);
    }
    uint8_t *states = calloc(1, bytes); /* of which a run pays for what it touches */
    if (states == NULL) {
        return NULL;
    }
    size_t at = ALIGNMENT - (uintptr_t)states % ALIGNMENT;
    for (int slot = 0; slot < SWARM_SLOTS; slot++) {
        w->state[slot] = state_room_of(slot) > 0 ? states + at : NULL;
        at += state_room_of(slot);
    }
    return states;
}
