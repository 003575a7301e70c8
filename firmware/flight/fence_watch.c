/* SPDX-License-Identifier: Apache-2.0 */
/* The watch: is there a breach now, or soon, and what does it lead to? */
#include "firmware/core/param.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/failsafe_act.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/fence_ahead.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

/* ---- is there one? ---- */

/* The breach is another now. What begins is counted, once. */
static void set_breach(struct mf_vehicle *v, mf_us_t t_us, unsigned breach)
{
    MF_ASSERT(breach <= (MF_BREACH_DISTANCE | MF_BREACH_ALTITUDE | MF_BREACH_ZONE));
    struct mf_fence *f = &v->fence;
    const unsigned before = f->breach;
    if (breach == before) {
        return;
    }
    f->breach = (uint8_t)breach;
    v->counters.events++;
    if (before == 0) {
        f->breaches++;
        f->breach_us = t_us;
    }
    if (breach == 0) {
        f->inside = mf_target_none();
    }
}

/* Upper limit of the time to brake, whatever the plan is [us]. */
static mf_us_t longest_lead_us(const struct mf_way *way)
{
    return mf_fence_braking_us(way->bounds->params, way->pace.h_mps, way->pace.v_mps);
}

/* Predict with GF_PREDICT, from inside. @return the breach to act upon now; 0: none
 * @param at_us  in: latest time of the next look; out: earlier if necessary */
static unsigned predict(struct mf_fence *f, const struct mf_way *way, mf_us_t now_us,
                        const struct mf_crossing *next, mf_us_t *at_us)
{
    if (!next->sure) {
        *at_us = next->guessed ? next->at_us : next->at_us - longest_lead_us(way);
        return 0;
    }
    if (next->at_us == MF_NEVER) {
        return 0;
    }
    MF_ASSERT(next->breach != 0);
    const mf_us_t brake_us = next->at_us - mf_fence_lead_us(way->bounds->params, &next->pose);
    if (brake_us > now_us) {
        *at_us = brake_us;
        return 0;
    }
    if (f->breach == 0 && !next->guessed) {
        f->inside = mf_fence_stop_before(way, now_us, next);
    }
    f->until_us = next->at_us;
    return next->breach;
}

/* @return when to look again */
static mf_us_t watch_bounds(struct mf_vehicle *v, const struct mf_bounds *bounds, mf_us_t now_us)
{
    struct mf_fence *f = &v->fence;
    const bool predicts = mf_param_i(&v->params, MF_PARAM_GF_PREDICT) != 0;
    const struct mf_pose pose = v->estimate.pose;
    const struct mf_way way = {bounds, &v->estimate,
                               mf_fence_pace(&v->params, &v->navigator, &pose)};
    const mf_us_t lead_us = predicts ? longest_lead_us(&way) : 0;
    const struct mf_fence_view view = mf_fence_view_at(
        bounds, (struct mf_geo){pose.lat_deg, pose.lon_deg}, pose.alt_amsl_m, &way.pace);
    const struct mf_crossing next =
        mf_fence_next_crossing(&way, now_us, now_us + lead_us + MF_FENCE_POLL_US, pose, view);
    /* A breach that is there is not predicted: the way back in is the failsafe's. */
    unsigned breach = view.breach;
    mf_us_t at_us = next.at_us;
    if (predicts && breach == 0) {
        breach = predict(f, &way, now_us, &next, &at_us);
    }
    if (breach == 0 && now_us < f->until_us) { /* predicted: until it would have been outside */
        breach = f->breach;
        at_us = mf_earlier(at_us, f->until_us);
    }
    set_breach(v, now_us, breach);
    /* A guess is as good as the velocity that it was made of. */
    const mf_us_t again_us = next.guessed ? now_us + MF_FENCE_POLL_US : at_us;
    MF_ASSERT(again_us > now_us);
    return again_us;
}

mf_us_t mf_fence_look(struct mf_vehicle *v, mf_us_t due_us)
{
    const struct mf_bounds bounds = mf_bounds_of(v);
    if (!mf_fence_watched(&bounds)) {
        set_breach(v, due_us, 0);
        return MF_NEVER;
    }
    const struct mf_estimate *e = mf_estimate_at(v, due_us);
    if (!e->position) {
        return MF_NEVER; /* an event that changes this wakes the task */
    }
    /* Motions on the ground are not in a plan. A correction that is not 0 may change at any
     * time. */
    const bool dragged = v->imposed.leash_m > 0.0f && e->pose.on_ground;
    const bool polls = mf_estimate_drifts(e) || dragged;
    return mf_earlier(polls ? due_us + MF_FENCE_POLL_US : MF_NEVER,
                      watch_bounds(v, &bounds, due_us));
}

/* ---- what it leads to ---- */

/* Report the begin of a breach once; failsafes decide on the action. */
static void report_breaches(struct mf_vehicle *v, mf_us_t t_us, unsigned before)
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
        report_breaches(v, due_us, before);
    }
    return at_us;
}
