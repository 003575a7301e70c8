/* SPDX-License-Identifier: Apache-2.0 */
/* Setpoints of MAVLink for mode OFFBOARD, for receive.c. An acceleration without position and
 * velocity, like a tilt, is flown as the velocity at which drag balances it, as in PX4's own
 * simulator. */
#include "firmware/protocol/setpoint.h"

#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/flight/control_inputs_act.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/navigator.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* Limits beyond which a setpoint is invalid; PX4 would fly towards it. Local positions are in a
 * plane that touches the Earth at the origin, which is meaningless at a thousand kilometres. */
#define LOCAL_MAX_M   1e6
#define VEL_MAX_MPS   1e4
#define ANGLE_MAX_RAD 1e6
/* Faster turns are cut to this: a body that turns more than once a second shows no heading that
 * could be checked. */
#define RATE_MAX_RPS 10.0f

/* Values of both messages, in NED; NAN: unset. */
struct wanted {
    float vel_mps[3];
    float acc_mps2[3];
    float yaw_rad;
    float yaw_rate_rps;
    uint16_t mask;
    const char *name; /* of the message, for texts */
};

/* MAVLink's masks say what to ignore, by bit; what is ignored is NaN from here on, as PX4's
 * setpoints have it. */
static float given(float value, uint16_t mask, unsigned bit)
{
    MF_ASSERT(bit < 16);
    return (mask & 1u << bit) != 0 ? __builtin_nanf("") : value;
}

/* Bits 3 to 5 are the velocity, 6 to 8 the acceleration, 10 the heading, 11 its rate; 9 makes a
 * force of the acceleration, which is judged later. */
static struct wanted wanted_of(const float vel_mps[3], const float acc_mps2[3], float yaw_rad,
                               float yaw_rate_rps, uint16_t mask)
{
    struct wanted w = {.yaw_rad = given(yaw_rad, mask, 10),
                       .yaw_rate_rps = given(yaw_rate_rps, mask, 11),
                       .mask = mask};
    for (unsigned i = 0; i < 3; i++) {
        w.vel_mps[i] = given(vel_mps[i], mask, 3 + i);
        w.acc_mps2[i] = given(acc_mps2[i], mask, 6 + i);
    }
    return w;
}

static bool is_number(float x)
{
    return mf_finite((double)x);
}

static void complain(struct mf_vehicle *v, struct mf_peer from, const char *what, int number)
{
    MF_ASSERT(from.link != NULL && from.link->open);
    mf_count_refused(from.link);
    if (!mf_inputs_may_complain(v)) {
        return;
    }
    struct mf_text text = mf_text(what);
    if (number >= 0) { /* a frame: PX4's text names it */
        mf_text_add(&text, " ");
        mf_text_add_int(&text, number);
        mf_text_add(&text, " unsupported");
    }
    mf_say(v, MF_CRITICAL, text.s);
}

/* ---- position, velocity, acceleration ---- */

/* Set the aim's velocity, horizontally and vertically: the given one, or the one that results from
 * an acceleration without other values. */
static void set_velocity(const struct mf_vehicle *v, const struct wanted *w, struct mf_aim *aim)
{
    const double acc[3] = {is_number(w->acc_mps2[0]) ? (double)w->acc_mps2[0] : 0.0,
                           is_number(w->acc_mps2[1]) ? (double)w->acc_mps2[1] : 0.0,
                           is_number(w->acc_mps2[2]) ? (double)w->acc_mps2[2] : 0.0};
    float by_acc_mps[3];
    mf_velocity_of_acceleration(&v->params, acc, by_acc_mps);
    for (size_t i = 0; i < 3; i++) {
        const bool place = mf_finite(i < 2 ? aim->lat_deg : aim->alt_amsl_m);
        const bool by_acc = !is_number(w->vel_mps[i]) && is_number(w->acc_mps2[i]) && !place;
        aim->vel_ned_mps[i] = by_acc ? by_acc_mps[i] : w->vel_mps[i];
    }
}

/* Is at least one of the three given? */
static bool any_of(const float x[3])
{
    return is_number(x[0]) || is_number(x[1]) || is_number(x[2]);
}

/* True if each axis has a setpoint, and x and y have the same kinds, as in PX4. */
static bool is_complete(const struct wanted *w, const struct mf_aim *aim)
{
    const double place[3] = {aim->lat_deg, aim->lon_deg, aim->alt_amsl_m};
    bool complete = is_number(w->vel_mps[0]) == is_number(w->vel_mps[1]) &&
                    is_number(w->acc_mps2[0]) == is_number(w->acc_mps2[1]);
    for (size_t i = 0; i < 3; i++) {
        complete = complete &&
                   (mf_finite(place[i]) || is_number(w->vel_mps[i]) || is_number(w->acc_mps2[i]));
    }
    return complete;
}

/* NAN passes: it means "not given". Infinities do not: they would come out of the formulas as NaN,
 * and mean it. */
static bool is_sane(const struct wanted *w)
{
    bool sane = !(mf_abs((double)w->yaw_rad) > ANGLE_MAX_RAD) &&
                !(mf_abs((double)w->yaw_rate_rps) > (double)1e3f);
    for (size_t i = 0; i < 3; i++) {
        sane = sane && !(mf_abs((double)w->vel_mps[i]) > VEL_MAX_MPS) &&
               !(mf_abs((double)w->acc_mps2[i]) > VEL_MAX_MPS);
    }
    return sane;
}

/* Held within what can be seen turning. */
static float limited_rate(float rate_rps)
{
    return rate_rps > RATE_MAX_RPS ? RATE_MAX_RPS
                                   : (rate_rps < -RATE_MAX_RPS ? -RATE_MAX_RPS : rate_rps);
}

/* Take or refuse a setpoint. The reasons are in PX4's order; a refused one does not steer, and is
 * not a sign of life, so that a client with only such setpoints loses OFFBOARD by its time-out. A
 * force would need a mass, which the body lacks. */
static void take_position(struct mf_vehicle *v, struct mf_peer from, const struct wanted *w,
                          struct mf_aim *aim, mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && w->name != NULL);
    const char *wrong = NULL;
    if ((w->mask & POSITION_TARGET_TYPEMASK_FORCE_SET) != 0 && any_of(w->acc_mps2)) {
        wrong = " force not supported";
    } else if (!is_sane(w) || !is_complete(w, aim)) {
        wrong = " invalid";
    } else if (!mf_datum_known(&v->hal, (struct mf_geo){aim->lat_deg, aim->lon_deg})) {
        wrong = " " MF_DATUM_NONE;
    }
    if (wrong != NULL) {
        struct mf_text text = mf_text(w->name);
        mf_text_add(&text, wrong);
        complain(v, from, text.s, -1);
        return;
    }
    set_velocity(v, w, aim);
    aim->yaw_rad = is_number(w->yaw_rad) ? (float)mf_wrap_pi((double)w->yaw_rad) : w->yaw_rad;
    aim->spin_rps = limited_rate(w->yaw_rate_rps);
    mf_inputs_setpoint(v, aim, NULL, now_us);
}

/* Turn a vector from the body's level axes, forward and right, to north and east. If a part of it
 * is unset, the whole result is unset. */
static void turn_to_ned(float x[3], float yaw_rad)
{
    MF_ASSERT(mf_finite((double)yaw_rad));
    const double c = mf_cos((double)yaw_rad);
    const double s = mf_sin((double)yaw_rad);
    if (is_number(x[0]) && is_number(x[1]) && is_number(x[2])) {
        const double ahead = (double)x[0];
        const double right = (double)x[1];
        x[0] = (float)(c * ahead - s * right);
        x[1] = (float)(s * ahead + c * right);
    } else {
        x[0] = x[1] = x[2] = __builtin_nanf("");
    }
}

/* Set a local position. A horizontal position needs both coordinates. Without an origin it is
 * invalid: the plane then touches latitude and longitude 0, far away. */
static bool set_local(const struct mf_vehicle *v,
                      const struct mf_msg_set_position_target_local_ned *m, struct mf_aim *aim)
{
    const float x = given(m->x, m->type_mask, 0);
    const float y = given(m->y, m->type_mask, 1);
    const float z = given(m->z, m->type_mask, 2);
    if (is_number(x) != is_number(y) || mf_abs((double)x) > LOCAL_MAX_M ||
        mf_abs((double)y) > LOCAL_MAX_M || mf_abs((double)z) > MF_ALTITUDE_MAX_M) {
        return false;
    }
    if (is_number(x) && is_number(y)) {
        const struct mf_geo place = mf_geo_from_local(v->origin.place, (double)x, (double)y);
        aim->lat_deg = place.lat_deg;
        aim->lon_deg = place.lon_deg;
    }
    if (is_number(z)) {
        aim->alt_amsl_m = v->origin.amsl_m - (double)z;
    }
    return true;
}

/* BODY_NED is level with the vehicle and turns with its heading: "forward" stays forward while it
 * climbs. PX4 refuses MAVLink's other local frames with the same text. */
void mf_on_set_position_target_local_ned(struct mf_vehicle *v, struct mf_peer from,
                                         const struct mf_msg_set_position_target_local_ned *m,
                                         mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && m != NULL);
    struct mf_aim aim = mf_aim_none();
    struct wanted w =
        wanted_of((const float[]){m->vx, m->vy, m->vz}, (const float[]){m->afx, m->afy, m->afz},
                  m->yaw, m->yaw_rate, m->type_mask);
    w.name = "SET_POSITION_TARGET_LOCAL_NED";
    if (!mf_means_us(v, from, m->target_system, m->target_component)) {
        return;
    }
    /* PX4 takes two frames. In that of the body only velocities and accelerations count: a position
     * "five metres ahead" would move on with the vehicle. */
    if (m->coordinate_frame == MAV_FRAME_BODY_NED) {
        const float yaw_rad = mf_estimate_at(v, now_us)->pose.yaw_rad;
        turn_to_ned(w.vel_mps, yaw_rad);
        turn_to_ned(w.acc_mps2, yaw_rad);
    } else if (m->coordinate_frame != MAV_FRAME_LOCAL_NED) {
        complain(v, from, "SET_POSITION_TARGET_LOCAL_NED coordinate frame", m->coordinate_frame);
        return;
    } else if (!set_local(v, m, &aim)) {
        complain(v, from, "SET_POSITION_TARGET_LOCAL_NED invalid", -1);
        return;
    }
    take_position(v, from, &w, &aim, now_us);
}

/* Add the height of the ground at the place; flat ground is as high as below the vehicle. Without a
 * model of the terrain (NOSUPP) the ground counts as flat. */
static bool add_ground(struct mf_vehicle *v, mf_us_t now_us, struct mf_aim *aim)
{
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    const struct mf_geo place = {aim->lat_deg, aim->lon_deg};
    double ground_m = e->pose.ground_amsl_m;
    const int err = mf_datum_ground(&v->hal, e, place, &ground_m);
    aim->alt_amsl_m += ground_m;
    return err == MF_E_OK || err == MF_E_NOSUPP;
}

/* Convert an altitude by its frame. A height above home needs home; a height above the ground needs
 * the ground at the place, not below the vehicle. @param aim  in, out: by the frame, AMSL @return
 * MF_E_NOENT: unknown ground or home; MF_E_NOSUPP: invalid frame */
static int set_altitude(struct mf_vehicle *v, uint8_t frame, mf_us_t now_us, struct mf_aim *aim)
{
    MF_ASSERT(mf_finite(aim->lat_deg) && mf_finite(aim->lon_deg));
    switch (frame) {
    case MAV_FRAME_GLOBAL:
    case MAV_FRAME_GLOBAL_INT:
        return MF_E_OK;
    case MAV_FRAME_GLOBAL_RELATIVE_ALT:
    case MAV_FRAME_GLOBAL_RELATIVE_ALT_INT:
        aim->alt_amsl_m += v->home.alt_amsl_m;
        return v->home.valid ? MF_E_OK : MF_E_NOENT;
    case MAV_FRAME_GLOBAL_TERRAIN_ALT:
    case MAV_FRAME_GLOBAL_TERRAIN_ALT_INT:
        return add_ground(v, now_us, aim) ? MF_E_OK : MF_E_NOENT;
    default:
        return MF_E_NOSUPP;
    }
}

/* Handle the message. Its frame only matters for positions: a velocity means the same in all of
 * them. */
void mf_on_set_position_target_global_int(struct mf_vehicle *v, struct mf_peer from,
                                          const struct mf_msg_set_position_target_global_int *m,
                                          mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && m != NULL);
    const unsigned place_mask = POSITION_TARGET_TYPEMASK_X_IGNORE |
                                POSITION_TARGET_TYPEMASK_Y_IGNORE |
                                POSITION_TARGET_TYPEMASK_Z_IGNORE;
    struct wanted w =
        wanted_of((const float[]){m->vx, m->vy, m->vz}, (const float[]){m->afx, m->afy, m->afz},
                  m->yaw, m->yaw_rate, m->type_mask);
    struct mf_aim aim = mf_aim_none();
    w.name = "SET_POSITION_TARGET_GLOBAL_INT";
    if (!mf_means_us(v, from, m->target_system, m->target_component)) {
        return;
    }
    if ((m->type_mask & place_mask) == 0) { /* a position is all three, as in PX4 */
        aim.lat_deg = (double)m->lat_int / 1e7;
        aim.lon_deg = (double)m->lon_int / 1e7;
        aim.alt_amsl_m = (double)m->alt;
        const int err = set_altitude(v, m->coordinate_frame, now_us, &aim);
        if (err == MF_E_NOSUPP) {
            complain(v, from, "SET_POSITION_TARGET_GLOBAL_INT coordinate frame",
                     m->coordinate_frame);
            return;
        }
        if (err != MF_E_OK || !(mf_abs(aim.lat_deg) <= 90.0 && mf_abs(aim.lon_deg) <= 180.0 &&
                                mf_abs(aim.alt_amsl_m) <= MF_ALTITUDE_MAX_M)) {
            complain(v, from, "SET_POSITION_TARGET_GLOBAL_INT invalid", -1);
            return;
        }
    }
    take_position(v, from, &w, &aim, now_us);
}

/* ---- attitude ---- */

/* Compute the direction of the thrust (the third row of the rotation) and the heading. @return
 * false: the quaternion is not an attitude */
static bool attitude_of(const float q[4], double up_ned[3], struct mf_aim *aim,
                        struct mf_attitude_aim *attitude)
{
    const double norm2 = (double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                         (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3];
    if (!(norm2 > 0.25 && norm2 < 4.0)) {
        return false;
    }
    const double part = 1.0 / mf_sqrt(norm2); /* clients round: nearly one is one */
    const double w = (double)q[0] * part, x = (double)q[1] * part;
    const double y = (double)q[2] * part, z = (double)q[3] * part;
    const double forward = 2.0 * (w * y - z * x); /* sine of the pitch */
    up_ned[0] = -2.0 * (x * z + w * y);
    up_ned[1] = -2.0 * (y * z - w * x);
    up_ned[2] = -(w * w - x * x - y * y + z * z);
    aim->yaw_rad = (float)mf_atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    const double level = 1.0 - forward * forward;
    attitude->pitch_rad = (float)mf_atan2(forward, mf_sqrt(level > 0.0 ? level : 0.0));
    attitude->roll_rad = (float)mf_atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
    return true;
}

static double held_within(double x, double limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

/* Rates of roll and pitch add up to a tilt since the setpoint before, within the greatest tilt.
 * PX4's rate controller would go on turning and fall; a body without dynamics of its attitude stops
 * at what a pilot could ask for. */
static void tilt_by_rates(const struct mf_vehicle *v, struct mf_attitude_aim *a, mf_us_t now_us)
{
    const struct mf_input *s = &v->inputs.setpoint;
    const double limit_rad = mf_rad((double)mf_param_f(&v->params, MF_PARAM_MPC_TILTMAX_AIR));
    const double step_s = s->live ? (double)(now_us - s->heard.at_us) * 1e-6 : 0.0;
    MF_ASSERT(step_s >= 0.0 && limit_rad > 0.0);
    const double roll = (double)a->roll_rad + (double)a->rates_rps[0] * step_s;
    const double pitch = (double)a->pitch_rad + (double)a->rates_rps[1] * step_s;
    a->roll_rad = (float)held_within(roll, limit_rad);
    a->pitch_rad = (float)held_within(pitch, limit_rad);
}

/* A thrust that is not given hovers. Negative ones turn propellers round, which a multicopter
 * cannot. */
static float thrust_of(const struct mf_vehicle *v, const struct mf_msg_set_attitude_target *m)
{
    if ((m->type_mask & ATTITUDE_TARGET_TYPEMASK_THROTTLE_IGNORE) != 0 || !is_number(m->thrust)) {
        return mf_param_f(&v->params, MF_PARAM_MPC_THR_HOVER);
    }
    return m->thrust < 0.0f ? 0.0f : m->thrust > 1.0f ? 1.0f : m->thrust;
}

/* Rate about an axis; an unset rate is 0, so that the body keeps its tilt about that axis. */
static float rate_of(const struct mf_msg_set_attitude_target *m, float rate_rps, unsigned ignore)
{
    return (m->type_mask & ignore) != 0 || !is_number(rate_rps) ? 0.0f : limited_rate(rate_rps);
}

/* Handle the message. An attitude has priority over rates; with rates only, the tilt continues from
 * the setpoint before, and the heading turns. All become one velocity, and the attitude is kept for
 * ATTITUDE_TARGET. */
void mf_on_set_attitude_target(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_set_attitude_target *m, mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && m != NULL);
    const unsigned no_rates = ATTITUDE_TARGET_TYPEMASK_BODY_ROLL_RATE_IGNORE |
                              ATTITUDE_TARGET_TYPEMASK_BODY_PITCH_RATE_IGNORE;
    const bool by_attitude = (m->type_mask & ATTITUDE_TARGET_TYPEMASK_ATTITUDE_IGNORE) == 0;
    const bool by_rates = (m->type_mask & no_rates) == 0;
    struct mf_attitude_aim a = v->inputs.attitude;
    struct mf_aim aim = mf_aim_none();
    double up_ned[3];
    if (!mf_means_us(v, from, m->target_system, m->target_component)) {
        return;
    }
    a.roll_rad = a.flown ? a.roll_rad : 0.0f;
    a.pitch_rad = a.flown ? a.pitch_rad : 0.0f;
    a.thrust = thrust_of(v, m);
    a.rates_rps[0] = rate_of(m, m->body_roll_rate, ATTITUDE_TARGET_TYPEMASK_BODY_ROLL_RATE_IGNORE);
    a.rates_rps[1] =
        rate_of(m, m->body_pitch_rate, ATTITUDE_TARGET_TYPEMASK_BODY_PITCH_RATE_IGNORE);
    a.rates_rps[2] = rate_of(m, m->body_yaw_rate, ATTITUDE_TARGET_TYPEMASK_BODY_YAW_RATE_IGNORE);
    if (by_attitude ? !attitude_of(m->q, up_ned, &aim, &a) : !by_rates) {
        complain(v, from, "SET_ATTITUDE_TARGET invalid", -1);
        return;
    }
    if (!by_attitude) {
        tilt_by_rates(v, &a, now_us);
        mf_thrust_axis((double)a.roll_rad, (double)a.pitch_rad,
                       (double)mf_estimate_at(v, now_us)->pose.yaw_rad, up_ned);
        aim.spin_rps = a.rates_rps[2];
    }
    MF_ASSERT(mf_finite(up_ned[0]) && mf_finite(up_ned[1]) && mf_finite(up_ned[2]));
    mf_velocity_of_thrust(&v->params, up_ned, a.thrust, aim.vel_ned_mps);
    aim.roll_rad = a.roll_rad;
    aim.pitch_rad = a.pitch_rad;
    mf_inputs_setpoint(v, &aim, &a, now_us);
}
