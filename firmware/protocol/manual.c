/* SPDX-License-Identifier: Apache-2.0 */
/* Sticks: MANUAL_CONTROL, and RC_CHANNELS_OVERRIDE as a transmitter's channels. */
#include "firmware/core/param.h"
#include "firmware/core/silence.h"
#include "firmware/flight/commander.h"
#include "firmware/flight/health.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/signals.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* Values of COM_RC_IN_MODE; those above take both. */
enum { RC_TRANSMITTER = 0, RC_MAVLINK = 1, RC_NONE = 4 };

/* Bits of COM_RC_OVERRIDE. */
enum { OVERRIDE_AUTO = 1, OVERRIDE_OFFBOARD = 2 };

#define PWM_NONE UINT16_MAX
#define PWM_MIN  800 /* what no transmitter sends is not given */
#define PWM_MAX  2200

static bool is_pulse(uint16_t pwm)
{
    return pwm >= PWM_MIN && pwm <= PWM_MAX;
}

static float within_one(double x)
{
    return (float)(x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x);
}

/* In FOLLOW sticks change how it follows. */
static bool is_auto(enum mf_mode mode)
{
    return (mf_mode_info(mode)->base_mode == MF_BASE_AUTO && mode != MF_MODE_FOLLOW) ||
           mode == MF_MODE_ORBIT;
}

static bool may_override(const struct mf_vehicle *v)
{
    const struct mf_commander *c = &v->commander;
    const int32_t bits = mf_param_i(&v->params, MF_PARAM_COM_RC_OVERRIDE);
    const enum mf_mode mode = (enum mf_mode)c->mode;
    return c->armed && c->landed != MF_LANDED_ON_GROUND &&
           ((is_auto(mode) && (bits & OVERRIDE_AUTO) != 0) ||
            (mode == MF_MODE_OFFBOARD && (bits & OVERRIDE_OFFBOARD) != 0));
}

static bool deflected(const struct mf_vehicle *v, const struct mf_sticks *s)
{
    const double limit = (double)mf_param_f(&v->params, MF_PARAM_COM_RC_STICK_OV) * 0.01;
    return mf_abs((double)s->roll) > limit || mf_abs((double)s->pitch) > limit ||
           mf_abs((double)s->yaw) > limit;
}

/* Sticks that leave their centre take over; that they are held from before does not count. */
static void take_over(struct mf_vehicle *v, const struct mf_sticks *before, mf_us_t now_us)
{
    if (may_override(v) && deflected(v, &v->signals.sticks) && !deflected(v, before)) {
        const unsigned missing =
            mf_mode_info(MF_MODE_POSCTL)->needs & ~mf_health_have(v, now_us) & MF_NEED_POSITION;
        mf_say(v, MF_INFO, "Pilot took over using sticks");
        (void)mf_commander_request(v, now_us, missing != 0 ? MF_MODE_ALTCTL : MF_MODE_POSCTL, NULL);
    }
}

static void take(struct mf_vehicle *v, struct mf_sticks sticks, mf_us_t now_us)
{
    struct mf_signals *s = &v->signals;
    const struct mf_sticks before = s->sticks;
    const bool changed = before.roll != sticks.roll || before.pitch != sticks.pitch ||
                         before.yaw != sticks.yaw || before.throttle != sticks.throttle;
    const bool found = mf_signal_heard(v, &s->manual, now_us);
    s->sticks = sticks;
    s->had_manual = s->had_manual || v->commander.armed;
    if (!found) {
        take_over(v, &before, now_us);
    }
    if ((changed || found) &&
        (mf_mode_info((enum mf_mode)v->commander.mode)->needs & (unsigned)MF_NEED_MANUAL) != 0) {
        mf_navigator_steer(v, now_us);
    }
}

/* Throttle is 0 .. 1000 there, as PX4 reads it; sticks that are not there are INT16_MAX. */
void mf_on_manual_control(struct mf_vehicle *v, struct mf_peer from,
                          const struct mf_msg_manual_control *m, mf_us_t now_us)
{
    const int32_t source = mf_param_i(&v->params, MF_PARAM_COM_RC_IN_MODE);
    if (!mf_is_for_us(v, m->target, 0)) {
        from.link->stats.rx_foreign++;
        return;
    }
    if (v->imposed.rc_lost || source == RC_TRANSMITTER || source == RC_NONE || m->x == INT16_MAX ||
        m->y == INT16_MAX || m->z == INT16_MAX || m->r == INT16_MAX) {
        from.link->stats.rx_rejected++;
        return;
    }
    const struct mf_sticks sticks = {
        .roll = within_one((double)m->y * 1e-3),
        .pitch = within_one((double)m->x * 1e-3),
        .yaw = within_one((double)m->r * 1e-3),
        .throttle = within_one((double)m->z * 2e-3 - 1.0),
    };
    take(v, sticks, now_us);
}

/* The channel that a RC_MAP_ parameter names, or the usual one. @return false: not given */
static bool channel(const struct mf_vehicle *v, const uint16_t *raw, enum mf_param map,
                    int32_t usual, float *x)
{
    const int32_t mapped = mf_param_i(&v->params, map);
    const int32_t number = mapped >= 1 && mapped <= 8 ? mapped : usual;
    const uint16_t pwm = raw[number - 1];
    *x = within_one(((double)pwm - 1500.0) / 500.0);
    return is_pulse(pwm);
}

/* What is no pulse is not given: UINT16_MAX, or 0 where it lets go of a channel or is not known. */
static void keep(struct mf_vehicle *v, const struct mf_msg_rc_channels_override *m, mf_us_t now_us)
{
    struct mf_channels c = {
        .heard = mf_heard_now(&v->now, now_us),
        .raw = {m->chan1_raw, m->chan2_raw, m->chan3_raw, m->chan4_raw, m->chan5_raw, m->chan6_raw,
                m->chan7_raw, m->chan8_raw, m->chan9_raw, m->chan10_raw, m->chan11_raw,
                m->chan12_raw, m->chan13_raw, m->chan14_raw, m->chan15_raw, m->chan16_raw,
                m->chan17_raw, m->chan18_raw},
    };
    for (uint8_t i = 0; i < MF_CHANNELS_MAX; i++) {
        c.raw[i] = is_pulse(c.raw[i]) ? c.raw[i] : PWM_NONE;
        c.count = c.raw[i] != PWM_NONE ? (uint8_t)(i + 1u) : c.count;
    }
    v->signals.channels = c;
}

void mf_on_rc_channels_override(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_rc_channels_override *m, mf_us_t now_us)
{
    const int32_t source = mf_param_i(&v->params, MF_PARAM_COM_RC_IN_MODE);
    struct mf_sticks sticks;
    if (!mf_is_for_us(v, m->target_system, m->target_component)) {
        from.link->stats.rx_foreign++;
        return;
    }
    const uint16_t *raw = v->signals.channels.raw;
    if (!v->imposed.rc_lost) {
        keep(v, m, now_us);
    }
    if (v->imposed.rc_lost || source == RC_MAVLINK || source == RC_NONE ||
        !channel(v, raw, MF_PARAM_RC_MAP_ROLL, 1, &sticks.roll) ||
        !channel(v, raw, MF_PARAM_RC_MAP_PITCH, 2, &sticks.pitch) ||
        !channel(v, raw, MF_PARAM_RC_MAP_THROTTLE, 3, &sticks.throttle) ||
        !channel(v, raw, MF_PARAM_RC_MAP_YAW, 4, &sticks.yaw)) {
        from.link->stats.rx_rejected++;
        return;
    }
    sticks.pitch = -sticks.pitch; /* a stick pushed forward is a low pulse */
    take(v, sticks, now_us);
}
