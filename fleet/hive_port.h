/* SPDX-License-Identifier: Apache-2.0 */
/** The swarm drones of a planner (fleet/hive.h) over order ports: what the planner sees of each,
 * and the orders that it gives. */
#ifndef MF_FLEET_HIVE_PORT_H
#define MF_FLEET_HIVE_PORT_H

#include "fleet/behaviour.h"
#include "fleet/hive.h"

/** Values that the port of a drone needs in addition to struct mf_bee. */
struct mf_hive_pilot {
    uint32_t member;     /**< number in the scenario; pilots are sorted by it */
    uint32_t boot_ms;    /**< time of the last position; UINT32_MAX: none yet */
    double fps;          /**< pictures a second of its camera */
    struct mf_mind mind; /**< its take-off */
};

/** Values that all drones of a planner share. */
struct mf_hive_flight {
    double origin[3];           /**< latitude, longitude [deg], altitude [m] */
    double height_m, speed_mps; /**< above the origin; <= 0: the drone's own speed */
    struct mf_behaviour rise;   /**< how they take off: its rate */
    mf_us_t period_us;          /**< between two turns */
};

/** @brief Index of a member's pilot. @return MF_HIVE_NONE: the planner does not have this member */
uint32_t mf_hive_pilot_of(const struct mf_hive_pilot *pilots, uint32_t count, uint32_t member);

/** @brief Report to the planner what is seen of a drone, if it has sent a new position. Any thread.
 *  @param drone  index of drone and pilot  @param at_us  time of this turn */
void mf_hive_look(struct mf_hive *h, uint32_t drone, struct mf_hive_pilot *pilot,
                  const struct mf_hive_flight *flight, mf_us_t at_us,
                  const struct mf_order_port *port);

/** @brief Give a drone the order that the planner wants to give now, if any. Any thread. */
void mf_hive_steer(struct mf_hive *h, uint32_t drone, struct mf_hive_pilot *pilot,
                   const struct mf_hive_flight *flight, const struct mf_order_port *port);

/** @brief True if all work is done and no drone flies any more. */
bool mf_hive_rests(const struct mf_hive *h);

#endif
