/* SPDX-License-Identifier: Apache-2.0 */
/** Faults of the vehicle: requests to hal/inject.h, and a look at the devices when a fault begins
 * or ends. */
#ifndef MF_FIRMWARE_FAULTS_H
#define MF_FIRMWARE_FAULTS_H

#include "hal/inject.h"

struct mf_vehicle;

/* The requests act at @p now_us, which is the present vehicle time: a board calls
 * mf_vehicle_catch_up() before. Their results are those of hal/inject.h. */

/** @brief Begin or end a fault. @param with  NULL: the defaults */
int mf_vehicle_inject(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault, bool on,
                      const struct mf_fault_values *with);

/** @brief Schedule a fault. */
int mf_vehicle_plan(struct mf_vehicle *v, mf_us_t now_us, const struct mf_fault_plan *plan);

/** @brief End a fault, and remove all plans of it. */
int mf_vehicle_unplan(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault);

/** @brief Begin or end a fault as MAVLink names it: FAILURE_UNIT fails by FAILURE_TYPE. */
int mf_vehicle_fail_unit(struct mf_vehicle *v, mf_us_t now_us, int32_t unit, int32_t type);

/** @brief Part of the health task at @p due_us. @return when to look again */
mf_us_t mf_faults_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
