/* SPDX-License-Identifier: Apache-2.0 */
/* State of the commander: events, landed state, time of flight, disarming after a landing. */
#include "firmware/flight/state.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/health.h"
#include "firmware/flight/news.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

static mf_us_t seconds(float s)
{
    return (mf_us_t)((double)s * 1e6);
}

void mf_commander_post(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event)
{
    MF_ASSERT(event < MF_EV_REQUEST);
    /* Several posts of one event in one instant are one: an event says that something holds, not
     * how often. */
    v->commander.posted |= (uint16_t)(1u << event);
    mf_wake_at(v, MF_TASK_COMMANDER, now_us);
}

void mf_state_init(struct mf_commander *c, enum mf_landed landed)
{
    *c = (struct mf_commander){.mode = MF_MODE_HOLD,
                               .rest = MF_MODE_HOLD,
                               .landed = (uint8_t)landed,
                               .disarm_us = MF_NEVER};
}

void mf_state_by_failsafe(struct mf_commander *c)
{
    MF_ASSERT(c->armed);
    /* until a user chooses a mode, or the vehicle is disarmed */
    c->failsafe = true;
}

/* No disarming is due any more, nor the pass for it: a clock that jumps would stop there. What is
 * posted still is. */
void mf_state_keep_armed(struct mf_vehicle *v)
{
    v->commander.disarm_us = MF_NEVER;
    if (v->commander.posted == 0) {
        mf_wake_only_at(v, MF_TASK_COMMANDER, MF_NEVER);
    }
}

/* Schedule disarming after a flight, unless a mission continues from the ground. */
void mf_state_disarm_after_landing(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_commander *c = &v->commander;
    /* PX4 does not disarm between a landing and the next take-off of a mission. A vehicle that fell
     * does not take off. */
    const bool goes_on =
        c->mode == MF_MODE_MISSION && !v->mission.finished && !v->watched.motors_failed;
    const float delay_s = mf_param_f(&v->params, MF_PARAM_COM_DISARM_LAND);
    MF_ASSERT(c->armed || c->disarm_us == MF_NEVER);
    if (c->armed && c->took_off && c->landed == MF_LANDED_ON_GROUND && !goes_on && delay_s > 0.0f &&
        c->disarm_us == MF_NEVER) {
        c->disarm_us = now_us + seconds(delay_s);
        mf_wake_at(v, MF_TASK_COMMANDER, c->disarm_us);
    }
}

/* LND_FLIGHT_T_HI and _LO: all the time in the air. */
static void count_time(struct mf_vehicle *v, mf_us_t flown_us)
{
    /* The time is a number in two parameters, as in PX4; each half is an int32 in MAVLink. */
    const uint32_t high = (uint32_t)mf_param_i(&v->params, MF_PARAM_LND_FLIGHT_T_HI);
    const uint32_t low = (uint32_t)mf_param_i(&v->params, MF_PARAM_LND_FLIGHT_T_LO);
    const uint64_t all_us = ((uint64_t)high << 32 | low) + (uint64_t)flown_us;
    MF_ASSERT(flown_us >= 0);
    mf_param_count(v, MF_PARAM_LND_FLIGHT_T_HI, (uint32_t)(all_us >> 32) & (uint32_t)INT32_MAX);
    mf_param_count(v, MF_PARAM_LND_FLIGHT_T_LO, (uint32_t)all_us);
}

static void took_off(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_commander *c = &v->commander;
    c->took_off = true;
    /* FLIGHT_INFORMATION shows it, and the time in the air counts from here. */
    c->took_off_us = now_us;
    /* COM_DISARM_PRFLT is over with the first flight, as in PX4. */
    mf_state_keep_armed(v);
    mf_say(v, MF_INFO, "Takeoff detected");
    mf_health_happened(v, now_us, MF_HAPPENING_TAKEOFF, 0);
}

static void touched_down(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_commander *c = &v->commander;
    count_time(v, now_us - c->took_off_us);
    c->landed_us = now_us;
    c->took_off_us = 0;
    mf_say(v, MF_INFO, "Landing detected");
    mf_health_happened(v, now_us, MF_HAPPENING_LANDED, 0);
    mf_state_disarm_after_landing(v, now_us);
}

void mf_commander_set_landed(struct mf_vehicle *v, mf_us_t now_us, enum mf_landed landed)
{
    static const char *const k_text[] = {"undefined", "on ground", "in air", "takeoff", "landing"};
    struct mf_commander *c = &v->commander;
    MF_ASSERT(landed >= MF_LANDED_ON_GROUND && landed <= MF_LANDED_LANDING);
    /* Only changes go out. The navigator reports with every phase. */
    const enum mf_landed before = (enum mf_landed)c->landed;
    if (landed == before) {
        return;
    }
    c->landed = (uint8_t)landed;
    mf_log_event(&v->hal, now_us, MF_INFO, "landed", k_text[landed]);
    if (before == MF_LANDED_ON_GROUND) {
        took_off(v, now_us);
    } else if (landed == MF_LANDED_ON_GROUND) {
        touched_down(v, now_us);
    }
    mf_announce(v, now_us);
}
