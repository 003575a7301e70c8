/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The calls of a drone: all that a program needs of one whose memory it does not hold.
 * drone/drone.h has the layout, and says how a drone is made.
 */
#ifndef MF_DRONE_CALLS_H
#define MF_DRONE_CALLS_H

#include "firmware/vehicle.h"
#include "hal/serial.h"

struct mf_drone;
struct mf_world_settings;
struct mf_store_memory;
struct mf_wiring;
struct mf_link_quality;
struct mf_quality_link;
struct mf_record;
struct mf_rule;
struct mf_memory;
struct mf_misbehave;

/** What a board hands in; only read, while mf_drone_init() runs. */
struct mf_drone_setup {
    /** hal: clock, log, archive and, without @p world, every other device of the board's. links:
     * the pool. */
    struct mf_setup vehicle;
    /** Must be good. Its memory holds the parts that not every drone has (physics body, wind,
     * receiver errors, a battery that drains, faults), made when they are first needed. NULL: the
     * board's own devices stand in vehicle.hal. */
    const struct mf_world_settings *world;
    struct mf_store_memory *store; /**< outlives the drone and keeps its records over a second init;
                                                NULL: vehicle.hal's store */
    struct mf_wiring
        *wiring; /**< outlives the drone and keeps its wrappers over a second init; NULL: none */
};

/** A link, as a board hands it in; only read, while mf_drone_open() runs. */
struct mf_drone_link {
    struct mf_serial serial;    /**< its context lives until the link is closed */
    const char *name;           /**< for logs; lives as long */
    const int32_t *interval_us; /**< [MF_STREAM_COUNT] as mf_link_open(); lives as long */
    /* the wiring's */
    uint16_t number; /**< the board's, below the wiring's count, and of no open link; recordings
                        have it */
    uint16_t port;   /**< links of one port have one quality, and each its own random numbers */
    const struct mf_link_quality *quality; /**< NULL: perfect */
};

/** What a host knows that holds vehicle time, for mf_drone_next(). */
struct mf_drone_hold {
    mf_us_t limit_us; /**< vehicle time that others than clients permit at most; MF_NEVER: any */
    bool guarded;     /**< and they may hold it */
    bool standing;    /**< it stands at 0 until somebody comes */
    bool backlog;     /**< a client has not taken yet what was sent */
};

/** @brief The world begins at vehicle time 0 and the vehicle boots in it; whoever calls it again
 * reboots both, and opens the links again.
 *  @return MF_E_OK; as mf_world_init() and mf_vehicle_init() */
int mf_drone_init(struct mf_drone *drone, const struct mf_drone_setup *setup);

/** @brief The vehicle boots anew in the same world, at the same time: its links are gone, its store
 * stays. Not while it is recorded: a recording has no such boot.
 *  @param setup  as at the init  @return as mf_vehicle_init() */
int mf_drone_reboot(struct mf_drone *drone, const struct mf_drone_setup *setup);

/** @brief Its vehicle, for calls of firmware/vehicle.h. */
struct mf_vehicle *mf_drone_vehicle(struct mf_drone *drone);

/** @brief One pass: mf_vehicle_step(). @return when to come back, unless input comes before */
struct mf_wake mf_drone_step(struct mf_drone *drone);

/** @brief A clock is about to jump: mf_vehicle_jump_to(). */
void mf_drone_jump_to(struct mf_drone *drone, mf_us_t at_us);

/** @brief A peer appears, between two steps: mf_link_open(), around the device what the wiring has.
 *  @return what mf_drone_close() takes: with wiring the link's number, else the vehicle's index of
 * it; MF_E_FULL: no room; MF_E_AGAIN: its quality has it disconnected now */
int mf_drone_open(struct mf_drone *drone, const struct mf_drone_link *link);

/** @brief Has a frame come in over an open link? @param link  what mf_drone_open() has returned */
bool mf_drone_hears(const struct mf_drone *drone, int link);

/** @brief Nothing more will come: the links' counters go to the log, what the vehicle has learned
 * into the store, and a recording ends. */
void mf_drone_end(struct mf_drone *drone);

/** @brief A peer is gone, between two steps. @param link  what mf_drone_open() has returned */
void mf_drone_close(struct mf_drone *drone, int link);

/** @brief Hand a message over as its struct, between two steps: mf_message(). @param link  what
 * mf_drone_open() has returned */
int mf_drone_message(struct mf_drone *drone, int link, struct mf_address from, uint32_t msgid,
                     const void *msg);

/* ---- a drone with wiring; wall times are of one clock, in us. If its pace has transport time
 * granted, the wall counts for nothing, and what is due in granted time is part of mf_wake. */

/** @brief After mf_drone_init() has been called again: links that were open are the vehicle's
 * again. */
void mf_drone_reconnect(struct mf_drone *drone);

/** @brief The vehicle's index of an open link. @param number  its connection's; < 0: the vehicle
 * has booted since */
int mf_drone_link(const struct mf_drone *drone, uint16_t number);

/** @brief What stands around the device of an open link; NULL: no quality. */
const struct mf_quality_link *mf_drone_quality(const struct mf_drone *drone, uint16_t number);

/** @brief Something that is no message happens to the drone: if it is recorded, this goes into the
 * recording. */
void mf_drone_note(struct mf_drone *drone, const struct mf_record *record);

/** @brief One more rule of misbehaviour: mf_misbehave_add(). @return its id, from 1,
 * or MF_E_FULL */
int mf_drone_add_rule(struct mf_drone *drone, const struct mf_rule *rule);

/** @brief Wrappers that are made from now on are made of this memory. */
void mf_drone_provide(struct mf_drone *drone, struct mf_memory *memory);

/** @brief Rules of misbehaviour end, and the memory that they took is not used any more. */
void mf_drone_forget_rules(struct mf_drone *drone);

/** @brief The rules of misbehaviour, which may be looked at and removed; NULL: there was
 * none yet. */
struct mf_misbehave *mf_drone_rules(struct mf_drone *drone);

/** @brief The open links of a port are like this from now on. @return MF_E_OK or MF_E_FULL */
int mf_drone_set_quality(struct mf_drone *drone, uint16_t port,
                         const struct mf_link_quality *quality);

/** @brief Before the passes of a turn: what wrappers held back until now leaves. */
void mf_drone_run(struct mf_drone *drone, mf_us_t wall_us);

/** @brief After them: wall time at which a wrapper has something to do; MF_NEVER. */
mf_us_t mf_drone_due(const struct mf_drone *drone);

/** @brief After them: number of a link whose quality disconnects it, each only once; -1: none. */
int mf_drone_cut(struct mf_drone *drone);

/** @brief Something is about to happen between two passes: the drone is at the present. */
void mf_drone_catch_up(struct mf_drone *drone, mf_us_t wall_us);

/** @brief Vehicle time passes as its pace has it, then one mf_drone_step(). */
struct mf_wake mf_drone_pass(struct mf_drone *drone, mf_us_t wall_us);

/** @brief After mf_drone_pass(). @param wake  what it returned  @return wall time of the next one;
 * MF_NEVER: only input can bring one */
mf_us_t mf_drone_next(struct mf_drone *drone, const struct mf_wake *wake,
                      const struct mf_drone_hold *hold, mf_us_t wall_us);

#endif
