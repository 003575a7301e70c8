/* SPDX-License-Identifier: Apache-2.0 */
/** A battery that never changes and satisfies the health checks of every client. */
#ifndef MF_WORLD_BATTERY_H
#define MF_WORLD_BATTERY_H

#include "hal/power.h"

struct mf_battery_static {
    struct mf_battery state; /**< what every read gives; change it at will */
};

/** @brief Full: 16.2 V in four cells, current and consumption not measured. */
void mf_battery_static_init(struct mf_battery_static *battery);

/** The contract; the context is the battery. */
extern const struct mf_power_ops mf_battery_static_ops;

#endif
