/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A swarm as a process: a scenario, the vehicles that it asks for, the engine that says when
 * anything else happens, and what is written down of it.
 */
#ifndef MF_BOARDS_SWARM_SWARM_H
#define MF_BOARDS_SWARM_SWARM_H

#include "boards/swarm/core/arena.h"
#include "boards/swarm/core/command.h"
#include "boards/swarm/core/costs.h"
#include "boards/swarm/core/display.h"
#include "boards/swarm/core/error.h"
#include "boards/swarm/core/events.h"
#include "boards/swarm/core/file.h"
#include "boards/swarm/core/gathered.h"
#include "boards/swarm/core/kinds.h"
#include "boards/swarm/core/program.h"
#include "boards/swarm/core/slots.h"
#include "boards/swarm/core/system.h"
#include "boards/swarm/core/wall.h"
#include "fleet/place.h"
#include "fleet/scenario.h"
#include "hal-sim/crowd.h"
#include "hal-sim/image.h"
#include "world/engine.h"
#include "world/world.h"

#include <stdio.h>

/** Timers of the engine: one per entity, one per expectation, one per output; flock, radio, bus,
 * contacts, hive. */
#define SWARM_TIMERS (MF_SCENARIO_ENTITIES_MAX + MF_SCENARIO_EXPECT_MAX + 16u)

/** Exit codes. */
enum swarm_exit {
    SWARM_OK = 0,
    SWARM_FAILED = 1, /**< an expectation, or a mission that was refused */
    SWARM_INPUT = 2,  /**< bad input */
    SWARM_FROZEN = 3, /**< an assertion failed within a vehicle */
    SWARM_SIGNAL = 130,
};

/** Longest name of a member, with its NUL. */
#define SWARM_NAME_MAX (MF_SCENARIO_NAME_MAX + 12u)

/** The members of an entity share this. */
struct swarm_kind {
    struct mf_world_settings world;
    const struct mf_shared_plan *plan; /**< NULL: none */
};

/** Points of tracks so far. */
struct swarm_tracks {
    struct swarm_point *point;
    size_t count, capacity;
};

struct swarm_bodies;
struct swarm_plugin;
struct mf_space;

struct swarm {
    const struct swarm_system *const *systems; /**< NULL-terminated (program/systems.c) */
    const struct swarm_command *command;
    const struct swarm_carrier *carrier[MF_SCENARIO_KINDS]; /**< of each kind (members/carrier.h) */
    const struct swarm_behaviours *behaviours;              /**< NULL: no member has one */
    /** Places of members in a world of cells; NULL: those of the scenario. */
    struct mf_placed (*place)(const struct swarm *w, uint32_t i);
    /** Called after a vehicle has run, in a run with links; NULL: without. Any thread. */
    void (*woken)(struct swarm *w, uint32_t i, struct mf_wake *wake);
    const struct swarm_display *display; /**< NULL in tests */
    const struct mf_space *space;        /**< obstacles, or NULL */
    struct mf_scenario *scenario;
    char file[MF_SCENARIO_FILE_MAX]; /**< of the scenario */
    char out[MF_SCENARIO_FILE_MAX];  /**< folder of the outputs; "": the present one */
    struct swarm_kind *kind;         /**< [entities] */
    struct mf_geoid geoid;
    struct mf_workers workers;
    struct swarm_tracks tracks;
    struct swarm_gathered receptions;
    struct swarm_gathered meetings;
    FILE *hive_file;
    FILE *sensings;          /**< measurements; NULL: not written */
    struct mf_image_key key; /**< what a checkpoint belongs to */
    mf_us_t checkpoint_us;   /**< the run ends there, and goes on in another process; MF_NEVER */
    bool reached;            /**< ... it has come there */
    mf_us_t resumed_us;      /**< where this process went on; < 0: it began at time 0 */
    mf_us_t hold_us;         /**< swarm_hold_pause(): time stands there; MF_NEVER: it does not */
    double rate;             /**< swarm_hold_rate() */
    uint64_t instants;       /**< of a clock that counts with the wall: something happened */
    uint64_t punctual;       /**< of these, within 20 ms */
    struct swarm_costs costs;
    double late_s;            /**< of a clock that counts with the wall: at most [s of the wall] */
    const char *replay;       /**< recording of what they said; NULL: they speak now */
    struct swarm_plugin *own; /**< [entities]: behaviours of plug-ins */
    const uint8_t *here;      /**< [members]: carried by this process; NULL: all are */
    bool awaits_clients;      /**< clients may come at any time: a run to idleness goes on */
    bool interrupted;
    const volatile int *stop; /**< a signal has come */
    bool silent_stop;         /**< who is waited for was silent too long, or is gone: it ends */
    char silent[64];          /**< who is waited for beyond patience; "": nobody */
    uint64_t silences;        /**< how often somebody was */
    char error[MF_KEYS_ERROR_MAX];
    void
        *state[SWARM_SLOTS]; /**< of each system (core/slots.h); read by the accessor of its file */
    /* From here on: the run, as a checkpoint holds it (checkpoint.h) */
    struct mf_memory arena; /**< swarm_memory() */
    struct mf_memory room;  /**< of it, the crowd's */
    struct mf_crowd *crowd;
    struct mf_engine engine;
    struct mf_engine_slot heap[SWARM_TIMERS + 1u];
    struct mf_timer start[MF_SCENARIO_ENTITIES_MAX];
    struct swarm_bodies *bodies[MF_SCENARIO_ENTITIES_MAX]; /**< that are stepped; or NULL */
    mf_us_t now_us;
    uint32_t refused; /**< missions that did not begin */
    uint64_t hash;    /**< of a search */
};

/** @brief Does the run have this part? A system of which it has none leaves its slot NULL. */
static inline bool swarm_has(const struct swarm *w, enum swarm_slot slot)
{
    return w->state[slot] != NULL;
}

#endif
