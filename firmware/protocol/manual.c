/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/manual.h"

#include "firmware/core/param.h"
#include "firmware/flight/control_inputs_act.h"
#include "firmware/link/route.h"
#include "firmware/state/vehicle.h"

/* Values of COM_RC_IN_MODE; the others take both: PX4 tells those apart by the source that it keeps
 * to, here the last word counts. */
enum { RC_TRANSMITTER = 0, RC_MAVLINK = 1, RC_NONE = 4 };

/* RC_CHANNELS: a channel that is not there. */
#define PWM_NONE UINT16_MAX
/* Range of pulses of transmitters; other values mean an unset channel, and 0 and UINT16_MAX have
 * special meanings in RC_CHANNELS_OVERRIDE. */
#define PWM_MIN 800
#define PWM_MAX 2200

static bool is_pulse(uint16_t pwm)
{
    return pwm >= PWM_MIN && pwm <= PWM_MAX;
}

static float within_one(double x)
{
    return (float)(x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x);
}

/* Handle MANUAL_CONTROL. Throttle is 0 .. 1000, as PX4 reads it; missing sticks are INT16_MAX. The
 * message lacks a target component: it is for the component that flies. */
void mf_on_manual_control(struct mf_vehicle *v, struct mf_peer from,
                          const struct mf_msg_manual_control *m, mf_us_t now_us)
{
    const int32_t source = mf_param_i(&v->params, MF_PARAM_COM_RC_IN_MODE);
    if (!mf_means_us(v, from, m->target, 0)) {
        return;
    }
    if (v->imposed.rc_lost || source == RC_TRANSMITTER || source == RC_NONE || m->x == INT16_MAX ||
        m->y == INT16_MAX || m->z == INT16_MAX || m->r == INT16_MAX) {
        mf_count_refused(from.link);
        return;
    }
    const struct mf_sticks sticks = {
        .roll = within_one((double)m->y * 1e-3),
        .pitch = within_one((double)m->x * 1e-3),
        .yaw = within_one((double)m->r * 1e-3),
        .throttle = within_one((double)m->z * 2e-3 - 1.0),
    };
    mf_inputs_sticks(v, sticks, now_us);
}

/* The channel that a RC_MAP_ parameter names, or the default one. @return false: not given */
static bool channel(const struct mf_vehicle *v, const uint16_t *raw, enum mf_param map,
                    int32_t otherwise, float *x)
{
    const int32_t mapped = mf_param_i(&v->params, map);
    const int32_t number = mapped >= 1 && mapped <= 8 ? mapped : otherwise;
    MF_ASSERT(otherwise >= 1 && otherwise <= (int32_t)MF_CHANNELS_MAX);
    const uint16_t pwm = raw[number - 1];
    *x = within_one(((double)pwm - 1500.0) / 500.0);
    return is_pulse(pwm);
}

/* Keep the channels of a message. A value that is not a pulse means unset: UINT16_MAX, or 0 for a
 * channel that the client releases or does not know. */
static void keep_channels(struct mf_vehicle *v, const struct mf_msg_rc_channels_override *m,
                          mf_us_t now_us)
{
    uint16_t raw[MF_CHANNELS_MAX] = {
        m->chan1_raw,  m->chan2_raw,  m->chan3_raw,  m->chan4_raw,  m->chan5_raw,  m->chan6_raw,
        m->chan7_raw,  m->chan8_raw,  m->chan9_raw,  m->chan10_raw, m->chan11_raw, m->chan12_raw,
        m->chan13_raw, m->chan14_raw, m->chan15_raw, m->chan16_raw, m->chan17_raw, m->chan18_raw};
    uint8_t count = 0;
    for (uint8_t i = 0; i < MF_CHANNELS_MAX; i++) {
        raw[i] = is_pulse(raw[i]) ? raw[i] : PWM_NONE;
        count = raw[i] != PWM_NONE ? (uint8_t)(i + 1u) : count;
    }
    MF_ASSERT(count == 0 || raw[count - 1] != PWM_NONE);
    mf_inputs_channels(v, raw, count, now_us);
}

void mf_on_rc_channels_override(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_rc_channels_override *m, mf_us_t now_us)
{
    const int32_t source = mf_param_i(&v->params, MF_PARAM_COM_RC_IN_MODE);
    struct mf_sticks sticks;
    if (!mf_means_us(v, from, m->target_system, m->target_component)) {
        return;
    }
    const uint16_t *raw = v->inputs.channels.raw;
    /* Kept whether it counts as sticks or not: RC_CHANNELS shows what the transmitter does. */
    if (!v->imposed.rc_lost) {
        keep_channels(v, m, now_us);
    }
    if (v->imposed.rc_lost || source == RC_MAVLINK || source == RC_NONE ||
        !channel(v, raw, MF_PARAM_RC_MAP_ROLL, 1, &sticks.roll) ||
        !channel(v, raw, MF_PARAM_RC_MAP_PITCH, 2, &sticks.pitch) ||
        !channel(v, raw, MF_PARAM_RC_MAP_THROTTLE, 3, &sticks.throttle) ||
        !channel(v, raw, MF_PARAM_RC_MAP_YAW, 4, &sticks.yaw)) {
        mf_count_refused(from.link);
        return;
    }
    sticks.pitch = -sticks.pitch; /* a stick pushed forward is a low pulse */
    MF_ASSERT(sticks.throttle >= -1.0f && sticks.throttle <= 1.0f);
    mf_inputs_sticks(v, sticks, now_us);
}
