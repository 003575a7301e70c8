/* SPDX-License-Identifier: Apache-2.0 */
/**
 * One drone as one object: a vehicle in its world, with what a board would otherwise put together
 * by hand. Every board and the tests use it, so a drone is assembled once.
 *
 * The caller gives all memory, this struct and what the setup points at; nothing here allocates,
 * asks an operating system or knows of other drones. A drone is not moved after mf_drone_init().
 *
 *     static struct mf_drone s_drone;
 *     static struct mf_link s_links[2];
 *     const struct mf_world_settings world = mf_world_settings_default();
 *     struct mf_drone_setup setup = {.world = &world,
 *                                    .vehicle = {.hal = mf_hal_null(), .links = s_links,
 * .link_count = 2, .sysid = 1, .compid = 1, .uid = 1}}; setup.vehicle.hal.clock = &my_clock_ops; if
 * (mf_drone_init(&s_drone, &setup) == MF_E_OK) { static int32_t interval_us[MF_STREAM_COUNT];
 *         mf_stream_profile(MF_PROFILE_default, interval_us);
 *         mf_drone_open(&s_drone, &(struct mf_drone_link){my_serial, "usart2", interval_us});
 *         for (;;) {
 *             const struct mf_wake wake = mf_drone_step(&s_drone); // then sleep until then, or
 * until input
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

/** The caller allocates it, zeroed before the first init. Boards and tests read its parts; they
 * change them through calls only. */
struct mf_drone {
    struct mf_vehicle vehicle;
    struct mf_fault_policy faults;
    struct mf_world world;    /**< all zero where the board brings its own devices */
    struct mf_wiring *wiring; /**< NULL: devices are at the links of the vehicle */
};

#endif
