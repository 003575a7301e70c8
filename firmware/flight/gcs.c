/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/flight/gcs.h"

#include "firmware/core/param.h"
#include "firmware/core/silence.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/failsafe_act.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

/* While vehicle time lags behind, look again after this [us]. */
#define RETRY_US MF_SECOND_US

static mf_us_t patience(const struct mf_vehicle *v)
{
    return mf_param_i(&v->params, MF_PARAM_COM_DL_LOSS_T) * MF_SECOND_US;
}

void mf_gcs_init(struct mf_vehicle *v)
{
    v->gcs = (struct mf_gcs){.heard = {.rx_us = MF_NEVER}, .lost_us = MF_NEVER};
}

void mf_gcs_heard(struct mf_vehicle *v, struct mf_link *link, mf_us_t now_us)
{
    MF_ASSERT(link->open);
    link->gcs_us = v->now.transport_us;
    v->gcs.heard = mf_heard_now(v, now_us);
    mf_wake_at(v, MF_TASK_LINKS, v->now.transport_us + patience(v));
    if (mf_gcs_lost(v, NULL)) {
        v->gcs.lost_us = MF_NEVER;
        mf_say(v, MF_INFO, "GCS connection regained");
        mf_failsafe_set(v, now_us, MF_CAUSE_GCS_LOST, false);
    }
}

bool mf_gcs_lost(const struct mf_vehicle *v, mf_us_t *since_us)
{
    if (since_us != NULL) {
        *since_us = v->gcs.lost_us;
    }
    return v->gcs.lost_us != MF_NEVER;
}

mf_us_t mf_gcs_run(struct mf_vehicle *v, mf_us_t due_us)
{
    MF_ASSERT(due_us >= 0);
    struct mf_gcs *gcs = &v->gcs;
    if (gcs->heard.rx_us == MF_NEVER || gcs->lost_us != MF_NEVER) {
        return MF_NEVER;
    }
    const mf_us_t next_us = mf_silence_next(v, &gcs->heard, patience(v), RETRY_US, due_us);
    if (next_us != MF_NEVER) {
        return next_us;
    }
    gcs->lost_us = v->instant_us;
    mf_say(v, MF_INFO, "Connection to ground station lost");
    mf_failsafe_set(v, v->instant_us, MF_CAUSE_GCS_LOST, true);
    return MF_NEVER;
}
