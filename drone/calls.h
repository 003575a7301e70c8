/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Calls of a drone, for programs that do not hold its memory. drone/drone.h has the layout, and
 * shows how to make a drone.
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

/** Setup of a drone by a board; mf_drone_init() reads it, and does not keep it. */
struct mf_drone_setup {
    /** hal: clock, log, archive and, without @p world, all other devices. links: the pool. */
    struct mf_setup vehicle;
    /** Must be good. Its memory holds the parts that only some drones have (physics body, wind,
     * receiver errors, a battery that drains, faults), allocated on demand. NULL: vehicle.hal has
     * the board's own devices. */
    const struct mf_world_settings *world;
    struct mf_store_memory *store; /**< must outlive the drone; keeps its records over a second
                                      init; NULL: vehicle.hal's store */
    struct mf_wiring *wiring; /**< must outlive the drone; keeps its wrappers over a second init;
                                 NULL: without wrappers */
};

/** Link of a board; mf_drone_open() reads it, and does not keep it. */
struct mf_drone_link {
    struct mf_serial serial; /**< its context lives until the link is closed */
    const char *name;        /**< its context must live until the link is closed */
    const int32_t *
        interval_us; /**< [MF_STREAM_COUNT] as mf_link_open(); must live until the link is closed */
    /* for the wiring */
    uint16_t number; /**< the board's number, below the wiring's count, and of no open link;
                        recordings contain it */
    uint16_t port;   /**< links of one port have one quality, and each its own random numbers */
    const struct mf_link_quality *quality; /**< NULL: perfect */
};

/** State of a host that holds vehicle time, for mf_drone_next(). */
struct mf_drone_hold {
    mf_us_t limit_us; /**< latest vehicle time that others than clients permit; MF_NEVER: any */
    bool guarded;     /**< others than clients may hold vehicle time */
    bool standing;    /**< vehicle time stands at 0 until a client connects */
    bool backlog;     /**< a client has not read all data sent to it */
};

/** @brief Begin the world at vehicle time 0, and boot the vehicle in it; a second call reboots
 * both, after which the caller opens the links again.
 * @return MF_E_OK; as mf_world_init() and mf_vehicle_init() */
int mf_drone_init(struct mf_drone *drone, const struct mf_drone_setup *setup);

/** @brief Reboot the vehicle in the same world, at the same time: it loses its links and keeps its
 * store. Not while a recorder runs, because recordings lack such a boot.
 * @param setup  as for mf_drone_init()  @return as mf_vehicle_init() */
int mf_drone_reboot(struct mf_drone *drone, const struct mf_drone_setup *setup);

/** @brief Vehicle of a drone, for calls of firmware/vehicle.h. */
struct mf_vehicle *mf_drone_vehicle(struct mf_drone *drone);

/** @brief Run one pass: mf_vehicle_step(). @return due time of the next one, unless input arrives
 * before */
struct mf_wake mf_drone_step(struct mf_drone *drone);

/** @brief Announce that the clock is about to jump: mf_vehicle_jump_to(). */
void mf_drone_jump_to(struct mf_drone *drone, mf_us_t at_us);

/** @brief Open a link, between two passes: mf_link_open(), with the wiring's wrappers around the
 * device.
 * @return argument for mf_drone_close(): with wiring the link's number, else the vehicle's index;
 * MF_E_FULL: not enough room; MF_E_AGAIN: the link's quality disconnects it now */
int mf_drone_open(struct mf_drone *drone, const struct mf_drone_link *link);

/** @brief True if a frame has arrived over an open link. @param link  result of mf_drone_open() */
bool mf_drone_hears(const struct mf_drone *drone, int link);

/** @brief End a drone: write the links' counters to the log and learned values to the store, and
 * finish a recording. */
void mf_drone_end(struct mf_drone *drone);

/** @brief Close a link, between two passes. @param link  result of mf_drone_open() */
void mf_drone_close(struct mf_drone *drone, int link);

/** @brief Hand a message over as its struct, between two passes: mf_message(). @param link  result
 * of mf_drone_open() */
int mf_drone_message(struct mf_drone *drone, int link, struct mf_address from, uint32_t msgid,
                     const void *msg);

/* ---- a drone with wiring; wall times are of one clock, in us. If transport time is granted, the
 * wall does not count, and mf_wake includes due times in granted time. */

/** @brief Open the vehicle's links again after a second mf_drone_init(), for all connections that
 * were open. */
void mf_drone_reconnect(struct mf_drone *drone);

/** @brief Vehicle's index of an open link. @param number  number of its connection  @return < 0:
 * the vehicle has booted since */
int mf_drone_link(const struct mf_drone *drone, uint16_t number);

/** @brief Wrapper of link quality around an open link; NULL: without. */
const struct mf_quality_link *mf_drone_quality(const struct mf_drone *drone, uint16_t number);

/** @brief Write an event that is not a message into the recording, if a recorder runs. */
void mf_drone_note(struct mf_drone *drone, const struct mf_record *record);

/** @brief Add a rule of misbehaviour: mf_misbehave_add(). @return its id, from 1, or MF_E_FULL */
int mf_drone_add_rule(struct mf_drone *drone, const struct mf_rule *rule);

/** @brief Set the memory from which later wrappers are allocated. */
void mf_drone_provide(struct mf_drone *drone, struct mf_memory *memory);

/** @brief End all rules of misbehaviour, after which their memory is free. */
void mf_drone_forget_rules(struct mf_drone *drone);

/** @brief Rules of misbehaviour, which the caller may read and remove; NULL: a rule was never
 * added. */
struct mf_misbehave *mf_drone_rules(struct mf_drone *drone);

/** @brief Set the quality of the open links of a port. @return MF_E_OK or MF_E_FULL */
int mf_drone_set_quality(struct mf_drone *drone, uint16_t port,
                         const struct mf_link_quality *quality);

/** @brief Send what wrappers held back until now. Call before the passes of a turn. */
void mf_drone_run(struct mf_drone *drone, mf_us_t wall_us);

/** @brief Wall time at which a wrapper is due; MF_NEVER. Call after the passes of a turn. */
mf_us_t mf_drone_due(const struct mf_drone *drone);

/** @brief Number of a link that its quality disconnects, each only once; -1: none left. Call after
 * the passes of a turn. */
int mf_drone_cut(struct mf_drone *drone);

/** @brief Advance vehicle time to the present, because an event follows between two passes. */
void mf_drone_catch_up(struct mf_drone *drone, mf_us_t wall_us);

/** @brief Advance vehicle time by its pace, then run one mf_drone_step(). */
struct mf_wake mf_drone_pass(struct mf_drone *drone, mf_us_t wall_us);

/** @brief Wall time of the next pass, after mf_drone_pass(). @param wake  result of mf_drone_pass()
 * @return MF_NEVER: only input can make a pass due */
mf_us_t mf_drone_next(struct mf_drone *drone, const struct mf_wake *wake,
                      const struct mf_drone_hold *hold, mf_us_t wall_us);

#endif
