/* SPDX-License-Identifier: Apache-2.0 */
/* Watch of control inputs: notices silent inputs, and reports them to failsafes. */
#include "firmware/core/param.h"
#include "firmware/core/silence.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/commander.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/failsafe_act.h"
#include "firmware/flight/health.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

/* The wall's time-out is over, that of vehicle time is not: look again after [us]. */
#define RETRY_US (50 * MF_MS_US)
#define TARGET_S 10.0f
/* A host that slept longer than this has input to read before an input counts as silent [us]. */
#define LATE_US (20 * MF_MS_US)

#define PILOT_MODES 3

bool mf_input_heard(struct mf_vehicle *v, struct mf_input *input, mf_us_t now_us)
{
    MF_ASSERT(input != NULL && now_us >= 0);
    const bool silent = !input->live;
    *input = (struct mf_input){mf_heard_now(&v->now, now_us), true};
    if (silent) { /* otherwise the task looks at it in time already */
        mf_wake_at(v, MF_TASK_INPUTS, v->now.transport_us + RETRY_US);
    }
    if (silent && input == &v->inputs.manual) {
        mf_failsafe_set(v, now_us, MF_CAUSE_MANUAL_LOST, false);
    } else if (silent && input == &v->inputs.setpoint) {
        mf_failsafe_set(v, now_us, MF_CAUSE_OFFBOARD_LOST, false);
    }
    return silent;
}

/* @return transport time to look again; MF_NEVER: it is lost, or was not there */
static mf_us_t check_input(struct mf_vehicle *v, struct mf_input *input, float timeout_s,
                           mf_us_t now_us)
{
    if (!input->live) {
        return MF_NEVER;
    }
    const mf_us_t next_us = mf_silence_next(&v->now, &input->heard,
                                            (mf_us_t)((double)timeout_s * 1e6), RETRY_US, now_us);
    /* Lost by both clocks: a client whose vehicle time is held has not become silent. */
    input->live = next_us != MF_NEVER;
    return next_us;
}

static bool is_flying(const struct mf_vehicle *v)
{
    return v->commander.armed && v->commander.landed != MF_LANDED_ON_GROUND;
}

/* Sticks that are lost matter if they were there since arming. */
static void manual_lost(struct mf_vehicle *v, mf_us_t now_us)
{
    MF_ASSERT(!v->inputs.manual.live);
    mf_say(v, MF_WARNING, "Manual control lost");
    mf_navigator_steer(v, now_us); /* without sticks it stands still */
    /* PX4: no failsafe on the ground, nor in a flight that never had sticks. */
    if (is_flying(v) && v->inputs.had_manual) {
        mf_failsafe_set(v, now_us, MF_CAUSE_MANUAL_LOST, true);
    }
}

void mf_inputs_lose_manual(struct mf_vehicle *v, mf_us_t now_us)
{
    if (v->inputs.manual.live) {
        v->inputs.manual.live = false;
        manual_lost(v, now_us);
    }
}

/* COM_OBL_RC_ACT 0 to 2 hand over to the pilot, if there is one. */
static void setpoint_lost(struct mf_vehicle *v, mf_us_t now_us)
{
    static const enum mf_mode k_pilot[PILOT_MODES] = {MF_MODE_POSCTL, MF_MODE_ALTCTL,
                                                      MF_MODE_STABILIZED};
    const int32_t action = mf_param_i(&v->params, MF_PARAM_COM_OBL_RC_ACT);
    MF_ASSERT(!v->inputs.setpoint.live);
    /* Setpoints that end in another mode are over, not lost. */
    if (v->commander.mode != MF_MODE_OFFBOARD || !is_flying(v)) {
        return;
    }
    mf_navigator_steer(v, now_us); /* without setpoints it stands still */
    if (v->inputs.manual.live && action >= 0 && action < (int32_t)PILOT_MODES) {
        enum mf_mode mode = k_pilot[action];
        if ((mf_mode_info(mode)->needs & ~mf_health_have(v, now_us)) != 0) {
            mode = MF_MODE_ALTCTL; /* without a position */
        }
        mf_say(v, MF_CRITICAL, "Failsafe activated: no offboard signal");
        /* The mode changes as by a pilot's request, and so does not leave a failsafe that would
         * have to end. */
        (void)mf_commander_request(v, now_us, mode, NULL);
    } else {
        mf_failsafe_set(v, now_us, MF_CAUSE_OFFBOARD_LOST, true);
    }
}

mf_us_t mf_inputs_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_inputs *s = &v->inputs;
    const bool had_setpoint = s->setpoint.live;
    const bool had_manual = s->manual.live;
    MF_ASSERT(due_us <= v->now.transport_us);
    if (v->now.transport_us - due_us > LATE_US) {
        return v->now.transport_us + 1; /* after what has arrived meanwhile was read */
    }
    /* A target that is silent is forgotten: no failsafe, FOLLOW holds where it is. */
    mf_us_t next_us = check_input(v, &s->target, TARGET_S, due_us);
    next_us =
        mf_earlier(next_us, check_input(v, &s->setpoint,
                                        mf_param_f(&v->params, MF_PARAM_COM_OF_LOSS_T), due_us));
    next_us =
        mf_earlier(next_us, check_input(v, &s->manual,
                                        mf_param_f(&v->params, MF_PARAM_COM_RC_LOSS_T), due_us));
    if (had_manual && !s->manual.live) {
        manual_lost(v, v->now.vehicle_us);
    }
    if (had_setpoint && !s->setpoint.live) {
        setpoint_lost(v, v->now.vehicle_us);
    }
    return next_us;
}
