/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One drone as one object: a vehicle in its world, with what a board would otherwise put together by hand. Every board
 * and the tests use it, so a drone is assembled once.
 *
 * The caller gives all memory, this struct and what the setup points at; nothing here allocates, asks an operating
 * system or knows of other drones. A drone is not moved after mf_drone_init().
 *
 *     static struct mf_drone s_drone;
 *     static struct mf_link s_links[2];
 *     const struct mf_world_settings world = mf_world_settings_default();
 *     struct mf_drone_setup setup = {.world = &world,
 *                                    .vehicle = {.hal = mf_hal_null(), .links = s_links, .link_count = 2,
 *                                                .sysid = 1, .compid = 1, .uid = 1}};
 *     setup.vehicle.hal.clock = &my_clock_ops;
 *     if (mf_drone_init(&s_drone, &setup) == MF_E_OK) {
 *         static int32_t interval_us[MF_STREAM_COUNT];
 *         mf_stream_profile(MF_PROFILE_default, interval_us);
 *         mf_drone_open(&s_drone, &my_serial, "usart2", interval_us);
 *         for (;;) {
 *             const struct mf_wake wake = mf_drone_step(&s_drone); // then sleep until then, or until input
 *         }
 *     }
 */
#ifndef MF_DRONE_DRONE_H
#define MF_DRONE_DRONE_H

#include "drone/fault_policy.h"
#include "drone/store_memory.h"
#include "firmware/vehicle.h"
#include "world/world.h"

/** The caller allocates it, zeroed before the first init. Boards and tests read its parts; they change them through calls only. */
struct mf_drone {
    struct mf_vehicle vehicle;
    struct mf_fault_policy faults;
    struct mf_world world; /**< all zero where the board brings its own devices */
};

/** What a board hands in; only read, while mf_drone_init() runs. */
struct mf_drone_setup {
    /** hal: clock, log, archive and, without @p world, every other device of the board's. links: the pool. */
    struct mf_setup vehicle;
    /** Must be good. Its memory holds the parts that not every drone has (physics body, wind, receiver errors, a battery
     *  that drains, faults), made when they are first needed. NULL: the board's own devices stand in vehicle.hal. */
    const struct mf_world_settings *world;
    struct mf_store_memory *store; /**< outlives the drone and keeps its records over a second init;
                                                NULL: vehicle.hal's store */
};

/** @brief The world begins at vehicle time 0 and the vehicle boots in it; whoever calls it again reboots both.
 *  @return MF_E_OK; as mf_world_init() and mf_vehicle_init() */
int mf_drone_init(struct mf_drone *drone, const struct mf_drone_setup *setup);

/** @brief The vehicle boots anew in the same world, at the same time: its links are gone, its store stays.
 *  @param setup  as at the init  @return as mf_vehicle_init() */
int mf_drone_reboot(struct mf_drone *drone, const struct mf_drone_setup *setup);

/** @brief One pass: mf_vehicle_step(). @return when to come back, unless input comes before */
struct mf_wake mf_drone_step(struct mf_drone *drone);

/** @brief A clock is about to jump: mf_vehicle_jump_to(). */
void mf_drone_jump_to(struct mf_drone *drone, mf_us_t at_us);

/** @brief A peer appears, between two steps: mf_link_open(). @return index of the link, or MF_E_FULL */
int mf_drone_open(struct mf_drone *drone, const struct mf_serial *serial, const char *name,
                  const int32_t *interval_us);

/** @brief A peer is gone, between two steps. */
void mf_drone_close(struct mf_drone *drone, int link);

#endif
