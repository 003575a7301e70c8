/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Two batteries: one that never changes and satisfies the health checks of every client, and one
 * that is used up.
 */
#ifndef MF_WORLD_BATTERY_H
#define MF_WORLD_BATTERY_H

#include "hal/power.h"
#include "world/wrapped.h"

struct mf_battery_static {
    struct mf_battery state; /**< what every read gives; change it at will */
};

/** @brief Full: 16.2 V in four cells, current and consumption not measured. */
void mf_battery_static_init(struct mf_battery_static *battery);

/** The contract; the context is the battery. */
extern const struct mf_power_ops mf_battery_static_ops;

/** Resistance of one cell of a battery that is used up [ohm]. */
#define MF_BATTERY_CELL_OHM 0.005

/**
 * A battery that is used up: one current while armed on the ground, another in the air, none while
 * disarmed. It sits around the airframe, too, whose plans tell it when that is; the charge follows
 * from those intervals in whole microseconds, without steps.
 *
 * Voltage: full_v at full charge, a ninth less at none (PX4's 4.05 and 3.6 V per cell), less
 * current times resistance. An empty battery stays empty; what that means is not its business.
 */
struct mf_battery_drain {
    struct mf_wrapped wrapped; /**< the body; it must know its future */
    double capacity_mah;       /**< > 0 */
    double hover_a;            /**< in the air */
    double idle_a;             /**< on the ground, armed */
    double full_v;             /**< of all cells, full, without load */
    double resistance_ohm;
    double remaining; /**< at the start, 0 .. 1 */
    uint8_t cells;
    bool armed;
    mf_us_t since_us;  /**< of the present plan */
    mf_us_t lift_us;   /**< in the air from here */
    mf_us_t down_us;   /**< to here */
    mf_us_t ground_us; /**< armed before since_us, on the ground */
    mf_us_t air_us;    /**< and in the air */
};

/** @brief Full, around a body on the ground at vehicle time 0: four cells, 16.2 V, 5000 mAh, 15 A
 *  in the air, 1 A on the ground, 5 milliohms per cell. Change its settings at will before it is
 *  used. */
void mf_battery_drain_init(struct mf_battery_drain *battery, const struct mf_airframe_ops *airframe,
                           void *airframe_ctx);

/** The contract; the context is the battery. Questions are about times not before the last plan. */
extern const struct mf_power_ops mf_battery_drain_ops;

/** The airframe that uses it; the context is the battery. */
extern const struct mf_airframe_ops mf_battery_drain_airframe_ops;

#endif
