/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The lists of all systems and states of a run, and the slots that hold their states in struct
 * swarm. A new system is a line here, and an include in program/systems.c, which makes the
 * tables of these lists.
 */
#ifndef MF_BOARDS_SWARM_CORE_SLOTS_H
#define MF_BOARDS_SWARM_CORE_SLOTS_H

/*
 * Systems in the order of their calls, and the kinds of runs that have them: of members, of a world
 * of cells, of a search, and of a leaf, whose root has all others.
 *
 * The order counts where one system needs another at the same stage:
 * - trace first: what connects writes lines. participants next: it closes after all that take part.
 * - processes before control: programs in virtual time bring the server of the run's time; they
 * start (SWARM_BEGIN) before the run waits for bodies of autopilots, the bus and gzuav, in this
 * order.
 * - links before flows and vehicles: a vehicle has room for links only if clients may come.
 * - links before the api, whose port is one of theirs.
 * - gzuav before gzuav_info: a client that has an answer finds the ports of gzuav open.
 * - contacts before bodies: bodies stand in their space.
 * - hosts after all that connects: leaves learn of it.
 * - ghosts before vehicles: drones elsewhere begin side by side with those here.
 * - steps before links: a line that the console has obeyed needs no wait for clients.
 * - the world of cells, or the search, before its vehicles: they land before they end.
 * - senses, radio, bodies: the order of their columns in the file of samples.
 * Lines of the summary stand in this order, too. Timers of the engine do not: it orders instants by
 * phase and number.
 */
/* clang-format off */
#define SWARM_SYSTEMS(X) \
    /* slot             name               members cells search leaf */ \
    X(TRACE,            trace,            WITH, WITH, WITH, NOT) \
    X(PARTICIPANTS,     participants,     WITH, WITH, WITH, NOT) \
    X(PROCESSES,        processes,        WITH, NOT , NOT , NOT) \
    X(CONTROL,          control,          WITH, WITH, WITH, NOT) \
    X(PAGE,             page,             WITH, WITH, WITH, NOT) \
    X(STEPS,            steps,            NOT , WITH, WITH, NOT) \
    X(LINKS,            links,            WITH, WITH, WITH, WITH) \
    X(API,              api,              WITH, WITH, WITH, NOT) \
    X(FLOWS,            flows,            WITH, NOT , NOT , NOT) \
    X(ARRIVALS,         arrivals,         WITH, NOT , NOT , WITH) \
    X(SENSES,           senses,           WITH, NOT , NOT , WITH) \
    X(RADIO,            radio,            WITH, NOT , NOT , WITH) \
    X(NETWORK,          network,          WITH, NOT , NOT , NOT) \
    X(SOCKETS,          sockets,          WITH, NOT , NOT , NOT) \
    X(CONTACTS,         contacts,         WITH, NOT , NOT , WITH) \
    X(OBSTACLES,        obstacles,        NOT , WITH, WITH, NOT) \
    X(SENSE_LINKS,      sense_links,      WITH, NOT , NOT , NOT) \
    X(COLLISIONS,       collisions,       WITH, NOT , NOT , NOT) \
    X(BODIES,           bodies,           WITH, WITH, WITH, WITH) \
    X(MINDS,            minds,            WITH, NOT , NOT , WITH) \
    X(AGENTS,           agents,           WITH, NOT , NOT , WITH) \
    X(HIVE,             hive,             WITH, NOT , NOT , WITH) \
    X(RX_MINDS,         rx_minds,         WITH, NOT , NOT , NOT) \
    X(GRID,             grid,             NOT , WITH, NOT , NOT) \
    X(SEARCH,           search,           NOT , NOT , WITH, NOT) \
    X(GHOSTS,           ghosts,           WITH, NOT , NOT , NOT) \
    X(STEPPED_GHOSTS,   stepped_ghosts,   NOT , WITH, WITH, NOT) \
    X(FOREIGNS,         foreigns,         WITH, NOT , NOT , NOT) \
    X(BUS,              bus,              WITH, NOT , NOT , NOT) \
    X(GZUAV,            gzuav,            WITH, NOT , NOT , NOT) \
    X(GZUAV_INFO,       gzuav_info,       WITH, NOT , NOT , NOT) \
    X(COMPONENTS,       components,       WITH, NOT , NOT , NOT) \
    X(HOSTS,            hosts,            WITH, NOT , NOT , NOT) \
    X(EXPECT,           expect,           WITH, NOT , NOT , NOT) \
    X(OUTPUTS,          outputs,          WITH, NOT , NOT , NOT) \
    X(TAPS,             taps,             WITH, NOT , NOT , WITH) \
    X(VEHICLES,         vehicles,         WITH, NOT , NOT , WITH) \
    X(STEPPED_VEHICLES, stepped_vehicles, NOT , WITH, WITH, NOT) \
    X(PICTURES,         pictures,         WITH, WITH, WITH, NOT) \
    X(LEAF,             leaf,             NOT , NOT , NOT , WITH) \
    X(COSTS,            costs,            WITH, WITH, WITH, NOT) \
    X(RUN,              run,              WITH, WITH, WITH, NOT) \
    X(API_MEMBERS,      api_members,      WITH, NOT , NOT , NOT)

/** States of files, which a run has from its beginning, made of zeros. The file defines the size of
 * its state, swarm_NAME_bytes. */
#define SWARM_STATES(X) \
    X(BUS_WORLD, bus_world) \
    X(CHECKPOINT, checkpoint) \
    X(CONTACTS_FILE, contacts_file) \
    X(FILES, files) \
    X(FOREIGN_DOOR, foreign_door) \
    X(KEPT, kept) \
    X(MEMBER_COUNTS, member_counts) \
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
#define X(NAME, ...) SWARM_SLOT_##NAME,
    SWARM_SYSTEMS(X)
    SWARM_STATES(X)
#undef X
    /* Pointers that their files set. */
    SWARM_SLOT_BODY_PLUGIN,
    SWARM_SLOT_COMPONENTS_PLUGIN,
    SWARM_SLOT_HIVE_FILE,
    SWARM_SLOT_MIND_PLUGIN,
    SWARM_SLOT_OPERATOR,
    SWARM_SLOT_ORDERS,
    SWARM_SLOT_OUTBOX,
    SWARM_SLOT_OUTSIDE,
    SWARM_SLOT_PICTURE,
    SWARM_SLOT_RADIO_PLUGIN,
    SWARM_SLOT_REFUSED,
    SWARM_SLOT_SENSES_FILE,
    SWARM_SLOT_SENSE_PLUGIN,
    SWARM_SLOT_STREAMS,
    SWARM_SLOT_WORLD_PLUGIN,
    SWARM_SLOTS
};
/* clang-format on */

#endif
