/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Drone as one object: a vehicle in its world, assembled in one place for all boards and tests.
 *
 * The caller supplies all memory, this struct and everything that the setup points to; the code
 * here allocates nothing, calls no operating system and knows no other drones. The caller must not
 * move a drone after mf_drone_init().
 *
 *     static struct mf_drone s_drone;
 *     static struct mf_link s_links[2];
 *     static int32_t interval_us[MF_STREAM_COUNT];
 *     const struct mf_world_settings world = mf_world_settings_default();
 *     struct mf_drone_setup setup = {
 *         .world = &world,
 *         .vehicle = {.hal = mf_hal_null(), .links = s_links, .link_count = 2, .sysid = 1,
 *                     .compid = 1, .uid = 1}};
 *     setup.vehicle.hal.clock = &my_clock_ops;
 *     if (mf_drone_init(&s_drone, &setup) == MF_E_OK) {
 *         mf_stream_profile(MF_PROFILE_default, interval_us);
 *         mf_drone_open(&s_drone, &(struct mf_drone_link){my_serial, "usart2", interval_us});
 *         for (;;) {
 *             const struct mf_wake wake = mf_drone_step(&s_drone); // then sleep, unless input
 * arrives
 *         }
 *     }
 */
#ifndef MF_DRONE_DRONE_H
#define MF_DRONE_DRONE_H

#include "drone/calls.h"
#include "drone/fault_policy.h"
#include "drone/store_memory.h"
#include "drone/wiring.h"
#include "firmware/report/stream.h"
#include "firmware/state/vehicle.h"
#include "world/world.h"

/** The caller allocates it, zeroed before the first init. Boards and tests may read its parts; only
 * calls change them. */
struct mf_drone {
    struct mf_vehicle vehicle;
    struct mf_fault_policy faults;
    struct mf_world world;    /**< all zero if the board has its own devices */
    struct mf_wiring *wiring; /**< NULL: the vehicle's links are at the devices themselves */
};

#endif
