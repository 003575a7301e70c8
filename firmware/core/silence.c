/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/core/silence.h"

struct mf_heard mf_heard_now(const struct mf_now *now, mf_us_t now_us)
{
    MF_ASSERT(now_us >= 0);
    return (struct mf_heard){.rx_us = now->transport_us, .at_us = now_us};
}

mf_us_t mf_silence_next(const struct mf_now *now, const struct mf_heard *heard, mf_us_t timeout_us,
                        mf_us_t retry_us, mf_us_t due_us)
{
    MF_ASSERT(heard->rx_us < MF_NEVER && retry_us > 0);
    /* the wall first: it alone can say when to look again */
    if (due_us - heard->rx_us < timeout_us) {
        return heard->rx_us + timeout_us;
    }
    return now->vehicle_us - heard->at_us < timeout_us ? due_us + retry_us : MF_NEVER;
}
