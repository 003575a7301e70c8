/* SPDX-License-Identifier: Apache-2.0 */
/** The tasks of a vehicle: who runs when. */
#ifndef MF_FIRMWARE_TASKS_H
#define MF_FIRMWARE_TASKS_H

#include "firmware/state/tasks.h"
#include "hal/types.h"

struct mf_vehicle;

/** @brief Run @p task at @p at_us (on its own clock) at the latest; a past time means in this pass.
 * O(1); repeated requests are allowed. */
void mf_wake_at(struct mf_vehicle *v, enum mf_task task, mf_us_t at_us);

/** @brief Run @p task at @p at_us, whatever was requested before; MF_NEVER: not at all. */
void mf_wake_only_at(struct mf_vehicle *v, enum mf_task task, mf_us_t at_us);

#endif
