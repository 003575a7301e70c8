/* SPDX-License-Identifier: Apache-2.0 */
/** The battery of a vehicle of the crowd. */
#ifndef MF_BOARDS_SWARM_CHARGE_H
#define MF_BOARDS_SWARM_CHARGE_H

#include "hal-sim/crowd.h"

/** @brief What is left at a time that has come, 0 to 1; negative: it is not known. */
float swarm_crowd_charge(struct mf_crowd *crowd, uint32_t i, mf_us_t at_us);

#endif
