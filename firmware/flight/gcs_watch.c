/* SPDX-License-Identifier: Apache-2.0 */
/* Reactions of a vehicle to a ground station's HEARTBEAT and to its silence, for receive.c and the
 * links' task. */
#include "firmware/core/param.h"
#include "firmware/core/silence.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/failsafe_act.h"
#include "firmware/flight/gcs.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

static mf_us_t patience_us(const struct mf_vehicle *v)
{
    return mf_param_i(&v->params, MF_PARAM_COM_DL_LOSS_T) * MF_SECOND_US;
}

void mf_gcs_heard(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us)
{
    MF_ASSERT(link->open);
    mf_gcs_seen(link, v->now.transport_us);
    /* No sooner: the task looks when the silence may be long enough, not at each HEARTBEAT. */
    mf_wake_at(v, MF_TASK_LINKS, v->now.transport_us + patience_us(v));
    if (mf_gcs_hear(&v->gcs, mf_heard_now(&v->now, now_us))) {
        mf_say(v, MF_INFO, "GCS connection regained");
        mf_failsafe_set(v, now_us, MF_CAUSE_GCS_LOST, false);
    }
}

mf_us_t mf_gcs_run(struct mf_vehicle *v, mf_us_t due_us)
{
    mf_us_t since_us;
    const bool known = mf_gcs_lost(&v->gcs, NULL);
    const mf_us_t next_us = mf_gcs_look(&v->gcs, &v->now, patience_us(v), due_us);
    if (mf_gcs_lost(&v->gcs, &since_us) && !known) {
        mf_say(v, MF_INFO, "Connection to ground station lost");
        /* NAV_DLL_ACT is 0 by default, as PX4's: then the text is all. */
        mf_failsafe_set(v, since_us, MF_CAUSE_GCS_LOST, true);
    }
    MF_ASSERT(next_us > due_us);
    return next_us;
}
