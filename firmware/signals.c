/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/signals.h"

#include "firmware/vehicle.h"
#include "math/trig.h"

#define DRAG_S   1.0 /* speed per acceleration at which drag balances it, in SIH */
#define TARGET_S 10.0f
/* The wall's time-out is over, that of vehicle time is not: look again after [us]. */
#define RETRY_US (50 * MF_MS_US)
/* A host that slept longer than this has input to read before anybody counts as silent [us]. */
#define LATE_US (20 * MF_MS_US)

#define PILOT_MODES 3

/* ---- liveness ---- */

void mf_signals_init(struct mf_vehicle *v)
{
    v->signals.aim = mf_aim_none();
    v->signals.complained_us = -MF_SECOND_US;
    v->signals.changed_us = -MF_CHASE_US;
}

bool mf_signal_heard(struct mf_vehicle *v, struct mf_signal *signal, mf_us_t now_us)
{
    const bool silent = !signal->live;
    *signal = (struct mf_signal){mf_heard_now(v, now_us), true};
    mf_wake_at(v, MF_TASK_SIGNALS, v->now.transport_us + RETRY_US);
    if (silent && signal == &v->signals.manual) {
        mf_failsafe_set(v, now_us, MF_CAUSE_MANUAL_LOST, false);
    } else if (silent && signal == &v->signals.setpoint) {
        mf_failsafe_set(v, now_us, MF_CAUSE_OFFBOARD_LOST, false);
    }
    return silent;
}

static mf_us_t microseconds(float s)
{
    return (mf_us_t)((double)s * 1e6);
}

/* @return transport time to look again; MF_NEVER: it is lost, or was not there */
static mf_us_t look(struct mf_vehicle *v, struct mf_signal *signal, float timeout_s, mf_us_t now_us)
{
    if (!signal->live) {
        return MF_NEVER;
    }
    const mf_us_t next_us =
        mf_silence_next(v, &signal->heard, microseconds(timeout_s), RETRY_US, now_us);
    signal->live = next_us != MF_NEVER;
    return next_us;
}

bool mf_signals_have_channels(const struct mf_vehicle *v)
{
    const struct mf_channels *c = &v->signals.channels;
    const mf_us_t timeout_us = microseconds(mf_param_f(v, MF_PARAM_COM_RC_LOSS_T));
    return c->count > 0 && !v->faults.rc_lost &&
           mf_silence_next(v, &c->heard, timeout_us, RETRY_US, v->now.transport_us) != MF_NEVER;
}

void mf_signals_armed(struct mf_vehicle *v, mf_us_t now_us)
{
    v->signals.had_manual = v->signals.manual.live;
    mf_failsafe_set(v, now_us, MF_CAUSE_MANUAL_LOST, false);
    mf_failsafe_set(v, now_us, MF_CAUSE_OFFBOARD_LOST, false);
}

unsigned mf_signals_have(const struct mf_vehicle *v)
{
    return (v->signals.manual.live ? (unsigned)MF_NEED_MANUAL : 0u) |
           (v->signals.setpoint.live ? (unsigned)MF_NEED_SETPOINT : 0u);
}

unsigned mf_signals_needs(const struct mf_vehicle *v, enum mf_mode mode)
{
    const bool by_position = mode == MF_MODE_OFFBOARD && !v->signals.attitude.flown;
    return mf_mode_info(mode)->needs | (by_position ? MF_NEED_POSITION : 0u);
}

/* ---- loss ---- */

static bool is_flying(const struct mf_vehicle *v)
{
    return v->commander.armed && v->commander.landed != MF_LANDED_ON_GROUND;
}

/* Sticks that are lost matter if they were there since arming. */
static void manual_lost(struct mf_vehicle *v, mf_us_t now_us)
{
    mf_say(v, MF_WARNING, "Manual control lost");
    mf_navigator_steer(v, now_us); /* without sticks it stands still */
    if (is_flying(v) && v->signals.had_manual) {
        mf_failsafe_set(v, now_us, MF_CAUSE_MANUAL_LOST, true);
    }
}

void mf_signals_lose_manual(struct mf_vehicle *v, mf_us_t now_us)
{
    if (v->signals.manual.live) {
        v->signals.manual.live = false;
        manual_lost(v, now_us);
    }
}

/* COM_OBL_RC_ACT 0 to 2 hand over to the pilot, if there is one. */
static void setpoint_lost(struct mf_vehicle *v, mf_us_t now_us)
{
    static const enum mf_mode k_pilot[PILOT_MODES] = {MF_MODE_POSCTL, MF_MODE_ALTCTL,
                                                      MF_MODE_STABILIZED};
    const int32_t action = mf_param_i(v, MF_PARAM_COM_OBL_RC_ACT);
    if (v->commander.mode != MF_MODE_OFFBOARD || !is_flying(v)) {
        return;
    }
    mf_navigator_steer(v, now_us); /* without setpoints it stands still */
    if (v->signals.manual.live && action >= 0 && action < (int32_t)PILOT_MODES) {
        enum mf_mode mode = k_pilot[action];
        if ((mf_mode_info(mode)->needs & ~mf_health_have(v, now_us)) != 0) {
            mode = MF_MODE_ALTCTL; /* without a position */
        }
        mf_say(v, MF_CRITICAL, "Failsafe activated: no offboard signal");
        (void)mf_commander_request(v, now_us, mode, NULL);
    } else {
        mf_failsafe_set(v, now_us, MF_CAUSE_OFFBOARD_LOST, true);
    }
}

mf_us_t mf_signals_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_signals *s = &v->signals;
    const bool had_setpoint = s->setpoint.live;
    const bool had_manual = s->manual.live;
    if (v->now.transport_us - due_us > LATE_US) {
        return v->now.transport_us + 1; /* after what has arrived meanwhile was read */
    }
    mf_us_t next_us = look(v, &s->target, TARGET_S, due_us);
    next_us =
        mf_earlier(next_us, look(v, &s->setpoint, mf_param_f(v, MF_PARAM_COM_OF_LOSS_T), due_us));
    next_us =
        mf_earlier(next_us, look(v, &s->manual, mf_param_f(v, MF_PARAM_COM_RC_LOSS_T), due_us));
    if (had_manual && !s->manual.live) {
        manual_lost(v, v->now.vehicle_us);
    }
    if (had_setpoint && !s->setpoint.live) {
        setpoint_lost(v, v->now.vehicle_us);
    }
    return next_us;
}

/* ---- from acceleration and tilt to velocity ---- */

void mf_velocity_of_acceleration(const struct mf_vehicle *v, const double acc_ned_mps2[3],
                                 float vel_ned_mps[3])
{
    const double most_mps = (double)mf_param_f(v, MF_PARAM_MPC_XY_VEL_MAX);
    const double up_mps = (double)mf_param_f(v, MF_PARAM_MPC_Z_VEL_MAX_UP);
    const double down_mps = (double)mf_param_f(v, MF_PARAM_MPC_Z_VEL_MAX_DN);
    const double north = acc_ned_mps2[0] * DRAG_S;
    const double east = acc_ned_mps2[1] * DRAG_S;
    const double down = acc_ned_mps2[2] * DRAG_S;
    const double speed = mf_length2(north, east);
    const double part = speed > most_mps ? most_mps / speed : 1.0;
    vel_ned_mps[0] = (float)(north * part);
    vel_ned_mps[1] = (float)(east * part);
    vel_ned_mps[2] = (float)(down > down_mps ? down_mps : down < -up_mps ? -up_mps : down);
}

void mf_velocity_of_thrust(const struct mf_vehicle *v, const double up_ned[3], float thrust,
                           float vel_ned_mps[3])
{
    const double hover = (double)mf_param_f(v, MF_PARAM_MPC_THR_HOVER);
    const double lift_mps2 = MF_GRAVITY_MPS2 * (double)thrust / hover;
    const double acc[3] = {lift_mps2 * up_ned[0], lift_mps2 * up_ned[1],
                           lift_mps2 * up_ned[2] + MF_GRAVITY_MPS2};
    mf_velocity_of_acceleration(v, acc, vel_ned_mps);
}

void mf_thrust_axis(double roll_rad, double pitch_rad, double yaw_rad, double up_ned[3])
{
    const double ahead = -mf_cos(roll_rad) * mf_sin(pitch_rad);
    const double right = mf_sin(roll_rad);
    const double c = mf_cos(yaw_rad);
    const double s = mf_sin(yaw_rad);
    up_ned[0] = ahead * c - right * s;
    up_ned[1] = ahead * s + right * c;
    up_ned[2] = -mf_cos(roll_rad) * mf_cos(pitch_rad);
}
