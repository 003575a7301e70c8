/* SPDX-License-Identifier: Apache-2.0 */
/* Presence of a ground station, for gcs_watch.c and vehicle.c. */
#include "firmware/flight/gcs.h"

#include "firmware/core/silence.h"

/* While vehicle time lags behind, look again after this [us]. */
#define RETRY_US MF_SECOND_US

void mf_gcs_init(struct mf_gcs *g)
{
    *g = (struct mf_gcs){.heard = {.rx_us = MF_NEVER}, .lost_us = MF_NEVER};
}

bool mf_gcs_hear(struct mf_gcs *g, struct mf_heard heard)
{
    const bool back = mf_gcs_lost(g, NULL);
    MF_ASSERT(heard.rx_us < MF_NEVER);
    g->heard = heard;
    g->lost_us = MF_NEVER;
    return back;
}

bool mf_gcs_lost(const struct mf_gcs *g, mf_us_t *since_us)
{
    /* A ground station that never sent a HEARTBEAT is not lost. */
    MF_ASSERT(g->lost_us == MF_NEVER || g->heard.rx_us != MF_NEVER);
    if (since_us != NULL) {
        *since_us = g->lost_us;
    }
    return g->lost_us != MF_NEVER;
}

mf_us_t mf_gcs_look(struct mf_gcs *g, const struct mf_now *now, mf_us_t timeout_us, mf_us_t due_us)
{
    MF_ASSERT(timeout_us > 0 && due_us <= now->transport_us);
    /* PX4 counts from the first HEARTBEAT on, and says a loss once. */
    if (g->heard.rx_us == MF_NEVER || g->lost_us != MF_NEVER) {
        return MF_NEVER;
    }
    const mf_us_t next_us = mf_silence_next(now, &g->heard, timeout_us, RETRY_US, due_us);
    if (next_us == MF_NEVER) {
        g->lost_us = now->vehicle_us;
    }
    return next_us;
}
