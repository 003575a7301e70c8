/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/core/tasks.h"

#include "firmware/state/vehicle.h"

/* Only earlier: whoever asked for less than this waits for it, too. A task that runs has asked for
 * all that it still needs by what it returns. */
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
