/* SPDX-License-Identifier: Apache-2.0 */
/* Processing of new setpoints and sticks, for setpoint.c and manual.c. */
#include "firmware/flight/control_inputs_act.h"

#include "firmware/core/param.h"
#include "firmware/core/silence.h"
#include "firmware/flight/commander.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/failsafe_act.h"
#include "firmware/flight/health.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

/* Bits of COM_RC_OVERRIDE. */
enum { OVERRIDE_AUTO = 1, OVERRIDE_OFFBOARD = 2 };

/* Setpoints come many times a second, and a client that sends a bad one sends it again: one text a
 * second. */
#define COMPLAINT_US MF_SECOND_US

/* ---- setpoints ---- */

static bool is_same_value(double a, double b)
{
    return a == b || (a != a && b != b);
}

static bool same_aim(const struct mf_aim *a, const struct mf_aim *b)
{
    bool equal = is_same_value(a->lat_deg, b->lat_deg) && is_same_value(a->lon_deg, b->lon_deg) &&
                 is_same_value(a->alt_amsl_m, b->alt_amsl_m) &&
                 is_same_value((double)a->yaw_rad, (double)b->yaw_rad) &&
                 is_same_value((double)a->spin_rps, (double)b->spin_rps) &&
                 a->roll_rad == b->roll_rad && a->pitch_rad == b->pitch_rad;
    for (size_t i = 0; i < 3; i++) {
        equal = equal && is_same_value((double)a->vel_ned_mps[i], (double)b->vel_ned_mps[i]);
    }
    return equal;
}

/* Take a setpoint. Setpoints that change many times a second are chased: a body that begins a new
 * leg for each of them would never move. */
void mf_inputs_setpoint(struct mf_vehicle *v, const struct mf_aim *aim,
                        const struct mf_attitude_aim *attitude, mf_us_t now_us)
{
    MF_ASSERT(aim != NULL && v->commander.mode < MF_MODE_COUNT);
    struct mf_inputs *s = &v->inputs;
    if (attitude != NULL) {
        const bool flown = s->attitude.flown;
        s->attitude = *attitude;
        s->attitude.flown = flown;
    }
    if (mf_param_i(&v->params, MF_PARAM_MAV_FWDEXTSP) == 0) {
        return;
    }
    const bool other_kind = (attitude != NULL) != s->attitude.flown;
    const bool changed = !same_aim(aim, &s->aim);
    const bool found = mf_input_heard(v, &s->setpoint, now_us);
    const bool chase = changed ? now_us - s->changed_us < MF_CHASE_US : s->aim.chase;
    s->aim = *aim;
    s->aim.chase = chase && !found;
    s->changed_us = changed ? now_us : s->changed_us;
    s->attitude.flown = attitude != NULL;
    if (other_kind) {
        mf_failsafe_reconsider(v, now_us, MF_CAUSE_POSITION);
    }
    if ((changed || found) && v->commander.mode == MF_MODE_OFFBOARD) {
        mf_navigator_steer(v, now_us);
    }
}

bool mf_inputs_may_complain(struct mf_vehicle *v)
{
    struct mf_inputs *s = &v->inputs;
    if (v->now.transport_us - s->complained_us < COMPLAINT_US) {
        return false;
    }
    s->complained_us = v->now.transport_us;
    return true;
}

/* ---- sticks ---- */

/* True for a mode that flies without sticks. In FOLLOW, sticks change distance and height. */
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

/* Let sticks that leave their centre take over. Sticks that were deflected before do not. */
static void take_over(struct mf_vehicle *v, const struct mf_sticks *before, mf_us_t now_us)
{
    if (may_override(v) && deflected(v, &v->inputs.sticks) && !deflected(v, before)) {
        const unsigned missing =
            mf_mode_info(MF_MODE_POSCTL)->needs & ~mf_health_have(v, now_us) & MF_NEED_POSITION;
        mf_say(v, MF_INFO, "Pilot took over using sticks");
        (void)mf_commander_request(v, now_us, missing != 0 ? MF_MODE_ALTCTL : MF_MODE_POSCTL, NULL);
    }
}

void mf_inputs_sticks(struct mf_vehicle *v, struct mf_sticks sticks, mf_us_t now_us)
{
    struct mf_inputs *s = &v->inputs;
    const struct mf_sticks before = s->sticks;
    const bool changed = before.roll != sticks.roll || before.pitch != sticks.pitch ||
                         before.yaw != sticks.yaw || before.throttle != sticks.throttle;
    const bool found = mf_input_heard(v, &s->manual, now_us);
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

void mf_inputs_channels(struct mf_vehicle *v, const uint16_t raw[MF_CHANNELS_MAX], uint8_t count,
                        mf_us_t now_us)
{
    struct mf_channels *c = &v->inputs.channels;
    MF_ASSERT(count <= MF_CHANNELS_MAX);
    c->heard = mf_heard_now(&v->now, now_us);
    c->count = count;
    for (size_t i = 0; i < MF_CHANNELS_MAX; i++) {
        c->raw[i] = raw[i];
    }
}
