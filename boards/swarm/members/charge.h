/* SPDX-License-Identifier: Apache-2.0 */
/** Charge of the battery of a vehicle in this process. */
#ifndef MF_BOARDS_SWARM_CHARGE_H
#define MF_BOARDS_SWARM_CHARGE_H

#include "hal-sim/crowd.h"

/** @brief Charge that is left at @p at_us, to which the vehicle has run, 0 to 1; negative:
 *  unknown. */
float swarm_crowd_charge(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us);

#endif
