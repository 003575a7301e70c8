/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The lists of all systems and states of a run, and the slots that hold their states in struct
 * swarm. A new system is a folder and a line here; program/systems.c makes its table of these lists.
 */
#ifndef MF_BOARDS_SWARM_CORE_SLOTS_H
#define MF_BOARDS_SWARM_CORE_SLOTS_H

/*
 * The order counts where one system needs another at the same stage:
 * - trace first: what connects writes lines. participants next: it closes after all that take part.
 * - processes before control: programs in virtual time bring the server of the run's time; they
 * start (SWARM_BEGIN) before the run waits for bodies of autopilots, the bus and gzuav, in this
 * order.
 * - links before flows and vehicles: a vehicle has room for links only if clients may come.
 * - links before the api, whose port is one of theirs.
 * - contacts before bodies: bodies stand in their space.
 * - hosts after all that connects: leaves learn of it.
 * - ghosts before vehicles: drones elsewhere begin side by side with those here.
 * Lines of the summary stand in this order, too. Timers of the engine do not: it orders instants by
 * phase and number.
 */
/* clang-format off */
#define SWARM_SYSTEMS(X) \
    X(TRACE, trace) \
    X(PARTICIPANTS, participants) \
    X(PROCESSES, processes) \
    X(CONTROL, control) \
    X(PAGE, page) \
    X(LINKS, links) \
    X(API, api) \
    X(FLOWS, flows) \
    X(ARRIVALS, arrivals) \
    X(RADIO, radio) \
    X(NETWORK, network) \
    X(SOCKETS, sockets) \
    X(CONTACTS, contacts) \
    X(SENSES, senses) \
    X(SENSE_LINKS, sense_links) \
    X(BODIES, bodies) \
    X(MINDS, minds) \
    X(AGENTS, agents) \
    X(HIVE, hive) \
    X(HEARD, heard) \
    X(GHOSTS, ghosts) \
    X(FOREIGNS, foreigns) \
    X(BUS, bus) \
    X(GZUAV, gzuav) \
    X(COMPONENTS, components) \
    X(HOSTS, hosts) \
    X(EXPECT, expect) \
    X(OUTPUTS, outputs) \
    X(TAPS, taps) \
    X(VEHICLES, vehicles) \
    X(COSTS, costs) \
    X(DISPLAY, display) \
    X(RUN, run)

/** States of files, which a run has from its beginning, made of zeros. The file defines the size of
 * its state, swarm_NAME_bytes. */
#define SWARM_STATES(X) \
    X(BUS_WORLD, bus_world) \
    X(CHECKPOINT, checkpoint) \
    X(CONTACTS_FILE, contacts_file) \
    X(FILES, files) \
    X(FOREIGN_DOOR, foreign_door) \
    X(KEPT, kept) \
    X(PAGE_ORDERS, page_orders) \
    X(PLUGINS, plugins) \
    X(RADIO_FILE, radio_file) \
    X(RECEPTIONS, receptions) \
    X(RELAY, relay) \
    X(SIGNALS, signals) \
    X(SILENCE, silence) \
    X(SPINS, spins) \
    X(TRACKS, tracks)

enum swarm_slot {
#define X(NAME, name) SWARM_SLOT_##NAME,
    SWARM_SYSTEMS(X)
    SWARM_STATES(X)
#undef X
    /* Pointers that their files set. */
    SWARM_SLOT_BODY_OWN,
    SWARM_SLOT_COMPONENTS_OWN,
    SWARM_SLOT_HIVE_FILE,
    SWARM_SLOT_LEAF,
    SWARM_SLOT_MIND_OWN,
    SWARM_SLOT_OPERATOR,
    SWARM_SLOT_ORDERS,
    SWARM_SLOT_OUTSIDE,
    SWARM_SLOT_PICTURE,
    SWARM_SLOT_PICTURES,
    SWARM_SLOT_RADIO_OWN,
    SWARM_SLOT_SENSES_FILE,
    SWARM_SLOT_SENSE_OWN,
    SWARM_SLOT_STREAMS,
    SWARM_SLOT_WORLD_OWN,
    SWARM_SLOTS
};
/* clang-format on */

#endif
