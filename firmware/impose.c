/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/impose.h"

#include "firmware/core/tasks.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/home.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/state/vehicle.h"
#include "firmware/vehicle.h"

#include <string.h>

void mf_vehicle_deny_arming(struct mf_vehicle *v, const char *reason)
{
    char *denial = v->imposed.denial;
    MF_ASSERT(reason != NULL);
    /* All of it: nothing of a longer reason stays behind the NUL. */
    memset(denial, 0, MF_DENIAL_MAX);
    for (size_t i = 0; i + 1 < MF_DENIAL_MAX && reason[i] != '\0'; i++) {
        denial[i] = reason[i];
    }
}

void mf_vehicle_lose_rc(struct mf_vehicle *v, mf_us_t now_us, bool lost)
{
    /* The receiver reports the loss, so no time-out is needed. The loss ends with the next
     * message. */
    v->imposed.rc_lost = lost;
    if (lost) {
        mf_inputs_lose_manual(v, now_us);
    }
}

void mf_vehicle_hide_home(struct mf_vehicle *v, mf_us_t now_us, bool hide)
{
    /* A home that is set meanwhile must not be shown by a request that changes nothing. */
    if (hide != v->imposed.home_hidden) {
        v->imposed.home_hidden = hide;
        mf_commander_hide_home(v, now_us, hide);
    }
}

void mf_vehicle_pace_heartbeat(struct mf_vehicle *v, mf_us_t now_us, bool silent, mf_us_t late_us)
{
    struct mf_imposed *i = &v->imposed;
    const mf_us_t more_us = late_us - i->late_us;
    /* Clients have lost a silent vehicle, so it sends HEARTBEAT at the end of the silence. */
    const bool again = i->silent && !silent;
    MF_ASSERT(late_us >= 0);
    i->silent = silent;
    i->late_us = late_us;
    mf_heartbeat_shift(v, now_us, more_us);
    if (again) {
        mf_wake_at(v, MF_TASK_HEARTBEAT, now_us);
    }
}

void mf_vehicle_moved(struct mf_vehicle *v, mf_us_t now_us)
{
    mf_estimate_forget(v);
    if (mf_navigator_flies(v) && mf_estimate_at(v, now_us)->position &&
        v->commander.landed != MF_LANDED_ON_GROUND) { /* it must not arrive where it did not lead */
        mf_navigator_refresh(v, now_us);
        mf_navigator_steer(v, now_us);
    }
}

void mf_vehicle_leash(struct mf_vehicle *v, float radius_m)
{
    MF_ASSERT(radius_m >= 0.0f);
    /* The fence looks at it with its next run; nothing has moved yet. */
    v->imposed.leash_m = radius_m;
}
