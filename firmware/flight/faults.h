/* SPDX-License-Identifier: Apache-2.0 */
/** Faults on request as the autopilot sees them: it passes the request on to hal/inject.h, and
 * looks at its devices when one begins or ends. */
#ifndef MF_FIRMWARE_FAULTS_H
#define MF_FIRMWARE_FAULTS_H

#include "hal/inject.h"

struct mf_vehicle;

/* The requests act at @p now_us, which is the present vehicle time: a board that acts from outside
 * calls mf_vehicle_catch_up() before. What they return is hal/inject.h's. */

/** @brief Switch a fault on or off. @param with  NULL: the defaults */
int mf_vehicle_inject(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault, bool on,
                      const struct mf_fault_values *with);

/** @brief Schedule a fault. */
int mf_vehicle_plan(struct mf_vehicle *v, mf_us_t now_us, const struct mf_fault_plan *plan);

/** @brief End a fault, and all that is scheduled of it. */
int mf_vehicle_unplan(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault);

/** @brief As MAVLink asks for it: FAILURE_UNIT fails by FAILURE_TYPE. */
int mf_vehicle_fail_unit(struct mf_vehicle *v, mf_us_t now_us, int32_t unit, int32_t type);

/** @brief The health task's part of a run at @p due_us. @return when to look again */
mf_us_t mf_faults_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
