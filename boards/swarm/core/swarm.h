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

struct swarm_taps;
struct swarm_expect;
struct swarm_links;
struct swarm_minds;
struct swarm_senses;
struct swarm_sense_links;
struct swarm_agents;
struct swarm_bodies;
struct swarm_ghosts;
struct swarm_radio;
struct swarm_contacts;
struct swarm_hive;
struct swarm_heard;
struct swarm_plugin;
struct swarm_bus;
struct swarm_network;
struct swarm_flows;
struct swarm_outside;
struct swarm_streams;
struct swarm_arrivals;
struct swarm_gzuav;
struct swarm_foreigns;
struct swarm_trace;
struct swarm_participants;
struct mf_space;
struct swarm_components;
struct swarm_operator;
struct swarm_display;
struct swarm_page;
struct swarm_picture;
struct swarm_pictures;
struct swarm_hosts;
struct swarm_leaf;

struct swarm {
    const struct swarm_system *const *systems; /**< NULL-terminated (program/systems.c) */
    const struct swarm_command *command;
    const struct swarm_carrier *carrier[MF_SCENARIO_KINDS]; /**< of each kind (members/carrier.h) */
    const struct swarm_behaviours *behaviours;              /**< NULL: no member has one */
    /** Places of members in a world of cells; NULL: those of the scenario. */
    struct mf_placed (*place)(const struct swarm *w, uint32_t i);
    /** Called after a vehicle has run, in a run with links; NULL: without. Any thread. */
    void (*woken)(struct swarm *w, uint32_t i, struct mf_wake *wake);
    const struct swarm_display *display;     /**< of a world that goes by steps (time/pace.h) */
    const struct mf_space *space;            /**< obstacles, or NULL */
    struct swarm_participants *participants; /**< table of those that have ended, or NULL */
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
    mf_us_t next_us;         /**< of a world that goes by steps: the end of the next one; MF_NEVER:
                                there is nothing to do */
    struct swarm_controllers *controllers; /**< on the time socket; NULL: there is none */
    struct swarm_costs costs;
    double late_s; /**< of a clock that counts with the wall: at most [s of the wall] */
    struct swarm_ghosts *ghosts;         /**< NULL: there are none */
    const char *replay;                  /**< recording of what they said; NULL: they speak now */
    struct swarm_links *links;           /**< of programs outside; NULL: none can come */
    struct swarm_bus *bus;               /**< NULL: there is none */
    struct swarm_network *network;       /**< NULL: nobody has sent a packet */
    struct swarm_flows *flows;           /**< over networks that are built in; NULL: none */
    struct swarm_sockets *sockets;       /**< of programs in virtual time; NULL: there are none */
    struct swarm_streams *streams;       /**< as sockets */
    struct swarm_outside *outside;       /**< who simulates it; NULL: nobody */
    struct swarm_gzuav *gzuav;           /**< NULL: there is none */
    struct swarm_foreigns *foreigns;     /**< bodies; NULL: there are none */
    struct swarm_trace *trace;           /**< NULL: nobody wants it */
    struct swarm_components *components; /**< NULL: there are none */
    struct swarm_plugin *own;            /**< [entities]: behaviours of plug-ins */
    struct swarm_operator *operator;     /**< of a world that goes by steps; NULL: there is none */
    struct swarm_page *page;             /**< NULL: there is none */
    struct swarm_picture *picture;       /**< in the making; NULL: none is */
    struct swarm_pictures *pictures;     /**< a file of them; NULL: there is none */
    struct swarm_hosts *hosts;           /**< NULL: this process carries all vehicles */
    struct swarm_leaf *leaf;             /**< NULL: this process is the root, or the only one */
    const uint8_t *here;                 /**< [members]: carried by this process; NULL: all are */
    bool awaits_clients; /**< clients may come at any time: a run to idleness goes on */
    bool interrupted;
    const volatile int *stop; /**< a signal has come */
    bool silent_stop;         /**< who is waited for was silent too long, or is gone: it ends */
    char silent[64];          /**< who is waited for beyond patience; "": nobody */
    uint64_t silences;        /**< how often somebody was */
    char error[MF_KEYS_ERROR_MAX];
    /* From here on: the run, as a checkpoint holds it (checkpoint.h) */
    struct mf_memory arena; /**< swarm_memory() */
    struct mf_memory room;  /**< of it, the crowd's */
    struct mf_crowd *crowd;
    struct mf_engine engine;
    struct mf_engine_slot heap[SWARM_TIMERS + 1u];
    struct mf_timer start[MF_SCENARIO_ENTITIES_MAX];
    struct swarm_taps *taps;      /**< recordings and telemetry logs */
    struct swarm_expect *expects; /**< what has become of expectations */
    struct swarm_outputs *outputs;
    struct swarm_minds *minds;                             /**< behaviours; NULL: nobody has any */
    struct swarm_senses *senses;                           /**< sensors; NULL: nobody has any */
    struct swarm_sense_links *sense_links;                 /**< NULL: they have no links */
    struct swarm_bodies *bodies[MF_SCENARIO_ENTITIES_MAX]; /**< that are stepped; or NULL */
    struct swarm_agents *agents;                           /**< NULL: there are none */
    struct swarm_radio *radio;                             /**< NULL: there are none */
    struct swarm_contacts *contacts; /**< NULL: no obstacles, and nobody wants to know */
    struct swarm_hive *hive;         /**< NULL: there is none */
    struct swarm_heard *heard;       /**< NULL: nobody surveys */
    struct swarm_arrivals *arrivals; /**< NULL: all are there from the beginning */
    mf_us_t now_us;
    uint32_t refused; /**< missions that did not begin */
    uint64_t hash;    /**< of a search */
};

#endif
