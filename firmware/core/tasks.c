/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/core/tasks.h"

#include "firmware/state/vehicle.h"

/* Run a task earlier. A later time is ignored, since another caller waits for the earlier one. The
 * return value of a running task includes its own needs. */
void mf_wake_at(struct mf_vehicle *v, enum mf_task task, mf_us_t at_us)
{
    MF_ASSERT((unsigned)task < MF_TASK_COUNT);
    if (at_us < v->due_us[task]) {
        v->due_us[task] = at_us;
    }
}

void mf_wake_only_at(struct mf_vehicle *v, enum mf_task task, mf_us_t at_us)
{
    MF_ASSERT((unsigned)task < MF_TASK_COUNT);
    v->due_us[task] = at_us;
}
