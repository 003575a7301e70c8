/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Two batteries: one that never changes and satisfies the health checks of every client, and one
 * that flight drains.
 */
#ifndef MF_WORLD_BATTERY_H
#define MF_WORLD_BATTERY_H

#include "hal/power.h"
#include "world/wrapped.h"

struct mf_battery_static {
    struct mf_battery state; /**< state that every read returns; the caller may change it */
};

/** @brief Begin full: 16.2 V in four cells, current and consumption not measured. */
void mf_battery_static_init(struct mf_battery_static *battery);

/** Operations; their context is the battery. */
extern const struct mf_power_ops mf_battery_static_ops;

/** Resistance of one cell of a drained battery [ohm]. */
#define MF_BATTERY_CELL_OHM 0.005

/**
 * Battery that flight drains: one current while armed on the ground, another in the air, 0 while
 * disarmed. It also wraps the airframe, whose plans give the intervals in the air; the charge
 * follows from them in whole microseconds, without steps.
 *
 * Voltage: full_v at full charge, a ninth less at 0 (PX4's 4.05 and 3.6 V per cell), less current
 * times resistance. An empty battery stays empty; the firmware decides what to do then.
 */
struct mf_battery_drain {
    struct mf_wrapped wrapped; /**< the body; it must know its future */
    double capacity_mah;       /**< > 0 */
    double hover_a;            /**< current in the air */
    double idle_a;             /**< current on the ground, armed */
    double full_v;             /**< voltage of all cells, full, without load */
    double resistance_ohm;
    double remaining; /**< at the start, 0 .. 1 */
    uint8_t cells;
    bool armed;
    mf_us_t since_us;  /**< start of the present plan */
    mf_us_t lift_us;   /**< start of the interval in the air */
    mf_us_t down_us;   /**< end of the interval in the air */
    mf_us_t ground_us; /**< armed time on the ground before since_us */
    mf_us_t air_us;    /**< time in the air before since_us */
};

/** @brief Begin full, around a body on the ground at vehicle time 0: four cells, 16.2 V, 5000 mAh,
 * 15 A in the air, 1 A on the ground, 5 milliohms per cell. The caller may change its settings
 * before its first use. */
void mf_battery_drain_init(struct mf_battery_drain *battery, const struct mf_airframe_ops *airframe,
                           void *airframe_ctx);

/** Operations of the battery; their context is the battery. Queries are for times not before the
 * last plan. */
extern const struct mf_power_ops mf_battery_drain_ops;

/** Operations of the airframe that drains the battery; their context is the battery. */
extern const struct mf_airframe_ops mf_battery_drain_airframe_ops;

#endif
