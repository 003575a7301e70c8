/* SPDX-License-Identifier: Apache-2.0 */
/* What a breach leads to. */
#include "firmware/flight/failsafe_act.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/news.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

/* What begins is said, once; what to do about it is the failsafes' business. */
static void tell(struct mf_vehicle *v, mf_us_t t_us, unsigned before)
{
    MF_ASSERT(before <= UINT8_MAX);
    const unsigned breach = v->fence.breach;
    const unsigned more = breach & ~before;
    if (more != 0) {
        mf_say(v, MF_CRITICAL, mf_fence_text(more));
    }
    mf_failsafe_set(v, t_us, MF_CAUSE_FENCE, breach != 0);
    mf_log_event(&v->hal, t_us, MF_NOTICE, "fence", breach != 0 ? mf_fence_text(breach) : "over");
    if (!v->options.px4_strict) { /* PX4 shows neither */
        mf_news_tell(v, MF_NEWS_FENCE_STATUS, t_us);
        mf_news_tell(v, MF_NEWS_SYS_STATUS, t_us);
    }
}

mf_us_t mf_fence_run(struct mf_vehicle *v, mf_us_t due_us)
{
    const unsigned before = v->fence.breach;
    const mf_us_t at_us = mf_fence_look(v, due_us);
    if (v->fence.breach != before) {
        tell(v, due_us, before);
    }
    return at_us;
}
