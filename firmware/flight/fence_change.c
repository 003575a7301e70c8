/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of the fence, for home, missions and commands. This file is below the watch
 * (fence_watch.c), which starts failsafes: home and missions change the fence, and failsafes change
 * home and missions.
 */
#include "firmware/flight/fence_change.h"

#include "firmware/core/tasks.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/mission.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

struct mf_bounds mf_bounds_of(const struct mf_vehicle *v)
{
    return (struct mf_bounds){&v->hal, &v->params, &v->home, &v->fence, v->imposed.leash_m};
}

void mf_fence_survey(struct mf_vehicle *v)
{
    const struct mf_bounds bounds = mf_bounds_of(v);
    const struct mf_datum datum = {&v->hal, &v->home, &v->estimate};
    v->fence.astray = mf_fence_astray(&bounds, &datum, &v->mission);
}

void mf_fence_home_moved(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_bounds bounds = mf_bounds_of(v);
    if (mf_fence_is_limited(&bounds)) {
        mf_fence_changed(v, now_us);
    }
}

void mf_fence_changed(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_bounds bounds = mf_bounds_of(v);
    const bool was_astray = v->fence.astray >= 0;
    struct mf_text why;
    mf_fence_load(&v->fence, &v->hal);
    v->fence.until_us = 0; /* predictions for the old border are invalid */
    mf_fence_survey(v);
    if (v->fence.astray >= 0 && !was_astray && !mf_mission_feasible(&v->mission, &bounds, &why)) {
        mf_say(v, MF_CRITICAL, why.s);
    }
    mf_wake_at(v, MF_TASK_FENCE, now_us);
}
