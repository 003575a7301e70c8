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

/** Timers of the engine: one per entity and per expectation, and 18 of systems: outputs, radio,
 * network, flows, streams, bus, gzuav, behaviours, hive, contacts, collisions. A system whose timer
 * the engine refuses at PREPARE or BEGIN asserts. */
#define SWARM_TIMERS (MF_SCENARIO_ENTITIES_MAX + MF_SCENARIO_EXPECT_MAX + 18u)

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

struct mf_space;

/** Members of all kinds, as the room members/ has them and systems set them before members boot. */
struct swarm_members {
    const struct swarm_carrier *carrier[MF_SCENARIO_KINDS]; /**< of each kind (members/carrier.h) */
    const struct swarm_behaviours *behaviours;              /**< NULL: no member has one */
    /** Places of members in a world of cells; NULL: those of the scenario. */
    struct mf_placed (*place)(const struct swarm *w, uint32_t i);
    /** Called after a vehicle has run, in a run with links; NULL: without. Any thread. */
    void (*woken)(struct swarm *w, uint32_t i, struct mf_wake *wake);
    const uint8_t *here;          /**< [members]: carried by this process; NULL: all are */
    struct swarm_kind *kind;      /**< [entities] */
    struct mf_crowd *crowd;       /**< vehicles of this process; NULL before SWARM_BOOT */
    const struct mf_space *space; /**< obstacles that members meet, or NULL */
    struct mf_geoid geoid;
};

/** Orders to hold or end a run; the thread of the run obeys them between two pieces of time. */
struct swarm_hold {
    mf_us_t at_us;        /**< swarm_hold_pause(): time stands there; MF_NEVER: it does not */
    mf_us_t permitted_us; /**< time up to which controllers let time pass (time/control.h) */
    double rate;          /**< swarm_hold_rate() */
    uint64_t sent;        /**< bytes sent to participants of the bus and of gzuav */
    /** Let programs in virtual time run while the run waits for a participant, perhaps one of them;
     * NULL: a run without such programs. */
    void (*serve)(struct swarm *w);
    bool awaits_clients;      /**< clients may come at any time: a run to idleness goes on */
    const volatile int *stop; /**< not 0: a signal has come, and the run ends */
};

struct swarm {
    const struct swarm_system *const *systems; /**< NULL-terminated (program/systems.c) */
    const struct swarm_command *command;
    struct mf_scenario *scenario;
    char file[MF_SCENARIO_FILE_MAX]; /**< of the scenario */
    struct swarm_members members;
    struct swarm_hold hold;
    struct mf_workers workers;
    char error[MF_KEYS_ERROR_MAX];
    void
        *state[SWARM_SLOTS]; /**< of each system (core/slots.h); read by the accessor of its file */
    struct mf_memory arena;  /**< swarm_memory() */
    /* From here on: the run, as a checkpoint holds it (checkpoint.h) */
    struct mf_engine engine;
    mf_us_t now_us;
};

/** @brief True if the run has the part of a slot: its system has set the state. A slot with a size
 *  (struct swarm_system, SWARM_STATES) has its state in every run. */
static inline bool swarm_has(const struct swarm *w, enum swarm_slot slot)
{
    return w->state[slot] != NULL;
}

/** Name of a member as a value; calls print swarm_name(w, i).text. */
struct swarm_name {
    char text[SWARM_NAME_MAX];
};

/** @brief The name of a member. */
static inline struct swarm_name swarm_name(const struct swarm *w, uint32_t i)
{
    struct swarm_name name = {.text = ""};
    mf_scenario_member_name(w->scenario, i, name.text);
    return name;
}

#endif
