/* SPDX-License-Identifier: Apache-2.0 */
/** The tasks of a vehicle: who runs when. */
#ifndef MF_FIRMWARE_TASKS_H
#define MF_FIRMWARE_TASKS_H

#include "firmware/state/tasks.h"
#include "hal/types.h"

struct mf_vehicle;

/** @brief Ask that @p task runs at @p at_us (on its own clock) at the latest. A time that is past
 * means: in this pass. O(1); nothing is lost if it is asked twice. */
void mf_wake_at(struct mf_vehicle *v, enum mf_task task, mf_us_t at_us);

/** @brief Ask that @p task runs at @p at_us, whatever was asked before; MF_NEVER: not at all. */
void mf_wake_only_at(struct mf_vehicle *v, enum mf_task task, mf_us_t at_us);

#endif
