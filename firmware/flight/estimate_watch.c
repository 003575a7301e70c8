/* SPDX-License-Identifier: Apache-2.0 */
/* The estimate of a vehicle: who must look again when it changes. */
#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/estimate.h"
#include "firmware/state/vehicle.h"

const struct mf_estimate *mf_estimate_at(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_estimate *e = &v->estimate;
    /* An encoder, a task or a client may be the first to ask in an instant: who asks must
     * not matter. */
    e->coast_us = mf_param_i(&v->params, MF_PARAM_EKF2_NOAID_TOUT);
    const bool moved = mf_estimate_update(e, &v->hal, t_us);
    if (moved && v->navigator.correct_us == MF_NEVER) {
        mf_wake_at(v, MF_TASK_HEALTH, t_us); /* a receiver that did not say that it would change */
    }
    return e;
}

void mf_estimate_forget(struct mf_vehicle *v)
{
    mf_estimate_expire(&v->estimate);
    mf_wake_at(v, MF_TASK_HEALTH, v->instant_us);
}
