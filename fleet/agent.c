/* SPDX-License-Identifier: Apache-2.0 */
/* Agents: legs in closed form or by a stepped body, orders, status. Called by
 * boards/swarm/agents. */
#include "fleet/agent.h"

#include "math/trig.h"
#include "mavlink/enums.h"

#include <string.h>

/* A vehicle's defaults of MPC_XY_CRUISE, MPC_Z_V_AUTO_UP and _DN, MPC_XY_VEL_MAX, MPC_Z_VEL_MAX_UP
 * and _DN, RTL_RETURN_ALT. */
#define CRUISE_MPS   10.0f
#define UP_MPS       3.0
#define DOWN_MPS     3.0
#define FASTEST_MPS  12.0
#define STEER_UP_MPS 3.0
#define SINK_MPS     1.5
#define RETURN_M     30.0
#define SPEED_MAX    100.0f /* limit of a vehicle's DO_CHANGE_SPEED */
/* An older setpoint does not begin Offboard [us]. */
#define FRESH_US MF_SECOND_US
#define FAR_M    1e6 /* largest coordinate of a setpoint's place [m] */
/* A stepped body has reached a place within this distance. A landing leads it below the ground, so
 * that it touches down with speed [m]. */
#define THERE_M 0.5
#define BELOW_M 1.0
#define VEL_MAX 1e4 /* largest velocity of a setpoint; greater values are garbage [m/s] */

/* ---- motion */

static void copy(double to[3], const double from[3])
{
    memcpy(to, from, 3 * sizeof to[0]);
}

static void store_vector(double to[3], struct mf_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void position(const struct mf_agent *a, mf_us_t t_us, double ned_m[3])
{
    if (a->body != NULL) {
        store_vector(ned_m, mf_stepped_at(a->body, a->made, t_us).pos_m);
        return;
    }
    if (t_us >= a->until_us) {
        copy(ned_m, a->to_m);
        return;
    }
    const double s = (double)(t_us - a->from_us) * 1e-6;
    for (size_t i = 0; i < 3; i++) {
        ned_m[i] = a->from_m[i] + a->vel_mps[i] * s;
    }
}

void mf_agent_place(const struct mf_agent *a, mf_us_t t_us, double ned_m[3])
{
    position(a, t_us, ned_m);
}

static void begin(struct mf_agent *a, mf_us_t t_us)
{
    double here_m[3];
    position(a, t_us, here_m);
    copy(a->from_m, here_m);
    a->from_us = t_us;
}

static void stay(struct mf_agent *a, mf_us_t t_us)
{
    begin(a, t_us);
    copy(a->to_m, a->from_m);
    a->until_us = t_us;
    a->steers = false;
    a->leg_mps = a->speed_mps;
    memset(a->vel_mps, 0, sizeof a->vel_mps);
}

/* Begin a leg to a place, not below the ground. The slower axis sets its duration, as for a
 * vehicle. */
static void begin_leg(struct mf_agent *a, mf_us_t t_us, const double to_ned_m[3], double speed_mps)
{
    begin(a, t_us);
    copy(a->to_m, to_ned_m);
    a->to_m[2] = mf_smaller(a->to_m[2], a->home_m[2]);
    a->steers = false;
    a->leg_mps = (float)speed_mps;
    double d[3];
    for (size_t i = 0; i < 3; i++) {
        d[i] = a->to_m[i] - a->from_m[i];
    }
    const double across_s = mf_length2(d[0], d[1]) / speed_mps;
    const double along_s = d[2] < 0.0 ? -d[2] / UP_MPS : d[2] / DOWN_MPS;
    const double lasts_us = mf_larger(across_s, along_s) * 1e6;
    const mf_us_t whole_us = (mf_us_t)lasts_us;
    a->until_us = t_us + whole_us + ((double)whole_us < lasts_us ? 1 : 0);
    for (size_t i = 0; i < 3; i++) {
        a->vel_mps[i] = lasts_us > 0.0 ? d[i] / (lasts_us * 1e-6) : 0.0;
    }
    if (mf_length2(d[0], d[1]) > 1.0) {
        a->yaw_rad = (float)mf_atan2(d[1], d[0]);
    }
}

/* Begin to fly a velocity, until the agent reaches the ground. From the ground only upwards. */
static void steer(struct mf_agent *a, mf_us_t t_us, const double vel_ned_mps[3])
{
    begin(a, t_us);
    copy(a->vel_mps, vel_ned_mps);
    a->until_us = MF_NEVER;
    a->steers = true;
    if (vel_ned_mps[2] > 0.0) {
        const double lasts_us = (a->home_m[2] - a->from_m[2]) / vel_ned_mps[2] * 1e6;
        a->until_us = t_us + (mf_us_t)lasts_us;
        a->to_m[0] = a->from_m[0] + vel_ned_mps[0] * lasts_us * 1e-6;
        a->to_m[1] = a->from_m[1] + vel_ned_mps[1] * lasts_us * 1e-6;
        a->to_m[2] = a->home_m[2];
    }
}

static bool touches(const struct mf_agent *a)
{
    return a->until_us != MF_NEVER && a->to_m[2] >= a->home_m[2];
}

static void land(struct mf_agent *a, mf_us_t t_us)
{
    double to_m[3];
    position(a, t_us, to_m);
    to_m[2] = a->home_m[2];
    begin_leg(a, t_us, to_m, CRUISE_MPS);
}

/* ---- stepped bodies */

/* Does the present leg lead to the ground? */
static bool sinks(const struct mf_agent *a)
{
    return a->steers ? a->vel_mps[2] > 0.0 : a->to_m[2] >= a->home_m[2];
}

/* Convert the present leg into the stepped body's order for its next step. */
static void order_body(struct mf_agent *a, mf_us_t t_us)
{
    const bool flies = a->armed && a->phase != MF_AGENT_REST;
    struct mf_stepped_order order = {.yaw_rad = (double)a->yaw_rad, .works = flies};
    if (flies && a->steers) {
        order.want_mps = (struct mf_vec3){a->vel_mps[0], a->vel_mps[1], a->vel_mps[2]};
    } else if (flies) {
        const struct mf_stepped_speeds speeds = {mf_larger((double)a->leg_mps, 0.1), UP_MPS,
                                                 DOWN_MPS};
        const struct mf_vec3 to_m = {a->to_m[0], a->to_m[1],
                                     a->to_m[2] + (sinks(a) ? BELOW_M : 0.0)};
        order.want_mps = mf_stepped_toward(a->body, a->made, to_m, &speeds);
    }
    mf_stepped_tell(a->body, a->made, t_us, &order);
}

static bool is_there(const struct mf_agent *a)
{
    double here_m[3], square = 0.0;
    position(a, a->body->at_us, here_m);
    for (size_t i = 0; i < 3; i++) {
        square += (a->to_m[i] - here_m[i]) * (a->to_m[i] - here_m[i]);
    }
    return square < THERE_M * THERE_M;
}

/* Choose the next phase when the stepped body has ended a leg, as mf_agent_settle() does in closed
 * form. */
static void choose_phase(struct mf_agent *a)
{
    const mf_us_t at_us = a->body->at_us;
    if (a->phase == MF_AGENT_RETURN && is_there(a)) {
        a->phase = MF_AGENT_HOME;
        land(a, at_us);
    } else if (a->phase != MF_AGENT_REST && a->body->standing && sinks(a)) {
        a->phase = MF_AGENT_REST;
        a->armed = false;
        stay(a, at_us);
    } else if (a->phase == MF_AGENT_CLIMB && is_there(a)) {
        a->phase = MF_AGENT_HOLD;
    }
}

static void settle_body(struct mf_agent *a, mf_us_t now_us)
{
    while (mf_stepped_next(a->body, a->made) <= now_us) {
        mf_stepped_step(a->body, a->made);
        choose_phase(a);
        order_body(a, a->body->at_us);
    }
}

/* ---- legs that end */

/* Each next leg begins at the end of the one before, not at the time of the call. */
void mf_agent_settle(struct mf_agent *a, mf_us_t now_us)
{
    if (a->body != NULL) {
        settle_body(a, now_us);
        return;
    }
    while (a->until_us <= now_us && a->phase != MF_AGENT_REST) {
        const mf_us_t end_us = a->until_us;
        if (a->phase == MF_AGENT_RETURN) {
            a->phase = MF_AGENT_HOME;
            land(a, end_us);
        } else if (touches(a)) {
            a->phase = MF_AGENT_REST;
            a->armed = false;
            stay(a, end_us);
        } else {
            a->phase = a->phase == MF_AGENT_STEERED ? MF_AGENT_STEERED : MF_AGENT_HOLD;
            return;
        }
    }
}

void mf_agent_init(struct mf_agent *a, const struct mf_agent_plane *plane, struct mf_geo home,
                   double alt_amsl_m)
{
    MF_ASSERT(a != NULL && plane != NULL);
    memset(a, 0, sizeof *a);
    mf_geo_to_local(plane->origin, home, a->home_m);
    a->home_m[2] = plane->alt_amsl_m - alt_amsl_m;
    copy(a->from_m, a->home_m);
    copy(a->to_m, a->home_m);
    a->aim_us = -FRESH_US - 1;
    a->aim_yaw_rad = __builtin_nanf("");
    a->speed_mps = a->leg_mps = CRUISE_MPS;
}

void mf_agent_carry(struct mf_agent *a, struct mf_stepped *body,
                    const struct mf_stepped_settings *made, bool in_air)
{
    struct mf_vec3 home_m = {a->home_m[0], a->home_m[1], a->home_m[2]};
    if (in_air) {
        a->home_m[2] = mf_larger(home_m.z, 0.0);
        a->armed = mf_stepped_obeys(made);
        a->phase = a->armed ? MF_AGENT_HOLD : MF_AGENT_REST;
        home_m.z -= a->armed ? 0.5 * made->bee.length_m : 0.0;
    }
    mf_stepped_begin(body, made, home_m, (double)a->yaw_rad, a->home_m[2]);
    a->body = body;
    a->made = made;
    stay(a, 0);
    order_body(a, 0);
}

/* ---- setpoints */

static double held(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static void follow_aim(struct mf_agent *a, mf_us_t t_us)
{
    if (a->aims_at_place) {
        begin_leg(a, t_us, a->aim_m, (double)a->speed_mps);
    } else {
        const double speed = mf_length2(a->aim_m[0], a->aim_m[1]);
        const double part = speed > FASTEST_MPS ? FASTEST_MPS / speed : 1.0;
        const double vel_mps[3] = {a->aim_m[0] * part, a->aim_m[1] * part,
                                   held(a->aim_m[2], -STEER_UP_MPS, SINK_MPS)};
        steer(a, t_us, vel_mps);
    }
    if (mf_finite((double)a->aim_yaw_rad)) {
        a->yaw_rad = a->aim_yaw_rad;
    }
}

static uint8_t take_aim(struct mf_agent *a, mf_us_t now_us, const double aim[3], bool place,
                        float yaw_rad)
{
    const double most = place ? FAR_M : VEL_MAX;
    for (size_t i = 0; i < 3; i++) {
        if (!mf_within(aim[i], most)) {
            return MAV_RESULT_DENIED;
        }
    }
    copy(a->aim_m, aim);
    a->aims_at_place = place;
    a->aim_yaw_rad = mf_within((double)yaw_rad, 1e6) ? (float)mf_wrap_pi((double)yaw_rad) : yaw_rad;
    a->aim_us = now_us;
    if (a->phase == MF_AGENT_STEERED) {
        follow_aim(a, now_us);
    }
    return MAV_RESULT_ACCEPTED;
}

/* Bits of a SET_POSITION_TARGET's type mask, by the quantity that they switch off. */
enum {
    PLACE = POSITION_TARGET_TYPEMASK_X_IGNORE | POSITION_TARGET_TYPEMASK_Y_IGNORE |
            POSITION_TARGET_TYPEMASK_Z_IGNORE,
    VELOCITY = POSITION_TARGET_TYPEMASK_VX_IGNORE | POSITION_TARGET_TYPEMASK_VY_IGNORE |
               POSITION_TARGET_TYPEMASK_VZ_IGNORE,
    OTHER = POSITION_TARGET_TYPEMASK_AX_IGNORE | POSITION_TARGET_TYPEMASK_AY_IGNORE |
            POSITION_TARGET_TYPEMASK_AZ_IGNORE | POSITION_TARGET_TYPEMASK_YAW_RATE_IGNORE,
};

/* Does the mask ask for a complete place or a complete velocity, perhaps with a heading, and
 * nothing else? @param place  out: it is a place */
static bool wants(uint16_t mask, bool *place)
{
    const unsigned ignored = mask;
    *place = (ignored & PLACE) == 0;
    return (ignored & OTHER) == OTHER &&
           ((*place && (ignored & VELOCITY) == VELOCITY) ||
            ((ignored & PLACE) == PLACE && (ignored & VELOCITY) == 0));
}

static float yaw_of(uint16_t mask, float yaw_rad)
{
    return (mask & POSITION_TARGET_TYPEMASK_YAW_IGNORE) != 0 ? __builtin_nanf("") : yaw_rad;
}

static uint8_t obey_local(struct mf_agent *a, mf_us_t now_us,
                          const struct mf_msg_set_position_target_local_ned *m)
{
    bool place;
    const bool body = m->coordinate_frame == MAV_FRAME_BODY_NED;
    if (!wants(m->type_mask, &place) || (body && place) ||
        (!body && m->coordinate_frame != MAV_FRAME_LOCAL_NED)) {
        return MAV_RESULT_UNSUPPORTED;
    }
    double aim[3] = {(double)m->vx, (double)m->vy, (double)m->vz};
    if (place) {
        aim[0] = a->home_m[0] + (double)m->x;
        aim[1] = a->home_m[1] + (double)m->y;
        aim[2] = a->home_m[2] + (double)m->z;
    } else if (body) {
        const double c = mf_cos((double)a->yaw_rad), s = mf_sin((double)a->yaw_rad);
        aim[0] = c * (double)m->vx - s * (double)m->vy;
        aim[1] = s * (double)m->vx + c * (double)m->vy;
    }
    return take_aim(a, now_us, aim, place, yaw_of(m->type_mask, m->yaw));
}

/* Convert an altitude into down of the plane. @return false: agents do not know the frame */
static bool down_of(const struct mf_agent *a, const struct mf_agent_plane *plane, uint8_t frame,
                    double alt_m, double *down_m)
{
    switch (frame) {
    case MAV_FRAME_GLOBAL:
    case MAV_FRAME_GLOBAL_INT:
        *down_m = plane->alt_amsl_m - alt_m;
        return true;
    case MAV_FRAME_GLOBAL_RELATIVE_ALT:
    case MAV_FRAME_GLOBAL_RELATIVE_ALT_INT:
        *down_m = a->home_m[2] - alt_m;
        return true;
    default:
        return false;
    }
}

/* Convert a place to the plane. @return MAV_RESULT_ACCEPTED, or why the place is not on Earth or
 * out of reach */
static uint8_t place_of(const struct mf_agent *a, const struct mf_agent_plane *plane, uint8_t frame,
                        int32_t lat_e7, int32_t lon_e7, double alt_m, double ned_m[3])
{
    const struct mf_geo place = {(double)lat_e7 / 1e7, (double)lon_e7 / 1e7};
    if (!down_of(a, plane, frame, alt_m, &ned_m[2])) {
        return MAV_RESULT_UNSUPPORTED;
    }
    if (!(mf_within(place.lat_deg, 90.0) && mf_within(place.lon_deg, 180.0) &&
          mf_within(ned_m[2], FAR_M))) {
        return MAV_RESULT_DENIED;
    }
    mf_geo_to_local(plane->origin, place, ned_m);
    return MAV_RESULT_ACCEPTED;
}

static uint8_t obey_global(struct mf_agent *a, const struct mf_agent_plane *plane, mf_us_t now_us,
                           const struct mf_msg_set_position_target_global_int *m)
{
    bool place;
    double aim[3] = {(double)m->vx, (double)m->vy, (double)m->vz};
    if (!wants(m->type_mask, &place)) {
        return MAV_RESULT_UNSUPPORTED;
    }
    if (place) {
        const uint8_t result =
            place_of(a, plane, m->coordinate_frame, m->lat_int, m->lon_int, (double)m->alt, aim);
        if (result != MAV_RESULT_ACCEPTED) {
            return result;
        }
    }
    return take_aim(a, now_us, aim, place, yaw_of(m->type_mask, m->yaw));
}

/* ---- commands */

/* A command from COMMAND_INT or MISSION_ITEM_INT. */
struct command {
    uint16_t id;
    uint8_t frame;
    float param[4];
    int32_t x, y;
    float z;
};

/* Command handlers: each checks the agent's phase and the parameters, and returns a MAV_RESULT. */
static uint8_t arm(struct mf_agent *a, const struct command *c, mf_us_t now_us)
{
    (void)now_us;
    if (c->param[0] != 0.0f && c->param[0] != 1.0f) {
        return MAV_RESULT_DENIED;
    }
    if (c->param[0] == 0.0f && a->phase != MF_AGENT_REST) {
        return MAV_RESULT_TEMPORARILY_REJECTED;
    }
    a->armed = c->param[0] == 1.0f;
    return MAV_RESULT_ACCEPTED;
}

static uint8_t take_off(struct mf_agent *a, const struct mf_agent_plane *plane,
                        const struct command *c, mf_us_t now_us)
{
    double to_m[3];
    position(a, now_us, to_m);
    const double here_m = to_m[2];
    if (!a->armed) {
        return MAV_RESULT_TEMPORARILY_REJECTED;
    }
    if (!down_of(a, plane, c->frame, (double)c->z, &to_m[2])) {
        return MAV_RESULT_UNSUPPORTED;
    }
    if (!mf_within(to_m[2], FAR_M)) {
        return MAV_RESULT_DENIED;
    }
    to_m[2] = mf_smaller(to_m[2], here_m);
    begin_leg(a, now_us, to_m, (double)a->speed_mps);
    a->phase = MF_AGENT_CLIMB;
    return MAV_RESULT_ACCEPTED;
}

static bool flies(const struct mf_agent *a)
{
    return a->armed && a->phase != MF_AGENT_REST;
}

static uint8_t reposition(struct mf_agent *a, const struct mf_agent_plane *plane,
                          const struct command *c, mf_us_t now_us)
{
    double to_m[3];
    if (!flies(a)) {
        return MAV_RESULT_TEMPORARILY_REJECTED;
    }
    const uint8_t result = place_of(a, plane, c->frame, c->x, c->y, (double)c->z, to_m);
    if (result == MAV_RESULT_ACCEPTED) {
        const bool given = c->param[0] > 0.0f && c->param[0] <= SPEED_MAX;
        begin_leg(a, now_us, to_m, given ? (double)c->param[0] : (double)a->speed_mps);
        if (mf_within((double)c->param[3], 1e6)) {
            a->yaw_rad = (float)mf_wrap_pi((double)c->param[3]);
        }
        a->phase = MF_AGENT_HOLD;
    }
    return result;
}

static uint8_t return_home(struct mf_agent *a, mf_us_t now_us)
{
    double to_m[3];
    position(a, now_us, to_m);
    if (!flies(a)) {
        return MAV_RESULT_TEMPORARILY_REJECTED;
    }
    const double down_m = mf_smaller(to_m[2], a->home_m[2] - RETURN_M);
    copy(to_m, a->home_m);
    to_m[2] = down_m;
    begin_leg(a, now_us, to_m, (double)a->speed_mps);
    a->phase = MF_AGENT_RETURN;
    return MAV_RESULT_ACCEPTED;
}

static uint8_t land_here(struct mf_agent *a, mf_us_t now_us)
{
    if (!flies(a)) {
        return MAV_RESULT_TEMPORARILY_REJECTED;
    }
    land(a, now_us);
    a->phase = MF_AGENT_LAND;
    return MAV_RESULT_ACCEPTED;
}

static uint8_t hold_place(struct mf_agent *a, mf_us_t now_us)
{
    if (flies(a)) {
        stay(a, now_us);
        a->phase = MF_AGENT_HOLD;
    }
    return MAV_RESULT_ACCEPTED;
}

static uint8_t change_speed(struct mf_agent *a, const struct command *c)
{
    if (!(c->param[1] > 0.0f && c->param[1] <= SPEED_MAX)) {
        return MAV_RESULT_DENIED;
    }
    a->speed_mps = c->param[1];
    return MAV_RESULT_ACCEPTED;
}

static uint8_t offboard(struct mf_agent *a, mf_us_t now_us)
{
    if (!a->armed || now_us - a->aim_us > FRESH_US) {
        return MAV_RESULT_TEMPORARILY_REJECTED;
    }
    /* an agent on the ground may only begin to climb */
    const double down = a->aims_at_place ? a->aim_m[2] - a->home_m[2] : a->aim_m[2];
    if (a->phase == MF_AGENT_REST && !(down < 0.0)) {
        return MAV_RESULT_DENIED;
    }
    a->phase = MF_AGENT_STEERED;
    follow_aim(a, now_us);
    return MAV_RESULT_ACCEPTED;
}

static uint8_t set_mode(struct mf_agent *a, const struct command *c, mf_us_t now_us)
{
    const bool whole =
        mf_between((double)c->param[1], 0.0, 255.0) && mf_between((double)c->param[2], 0.0, 255.0);
    const uint32_t mode =
        whole ? MF_ORDER_MODE((uint8_t)c->param[1], (uint8_t)c->param[2]) : UINT32_MAX;
    switch (mode) {
    case MF_ORDER_OFFBOARD:
        return offboard(a, now_us);
    case MF_ORDER_HOLD:
        return hold_place(a, now_us);
    case MF_ORDER_RETURN:
        return return_home(a, now_us);
    case MF_ORDER_LAND:
        return land_here(a, now_us);
    default:
        return MAV_RESULT_UNSUPPORTED;
    }
}

static uint8_t obey(struct mf_agent *a, const struct mf_agent_plane *plane, const struct command *c,
                    mf_us_t now_us)
{
    switch (c->id) {
    case MAV_CMD_COMPONENT_ARM_DISARM:
        return arm(a, c, now_us);
    case MAV_CMD_NAV_TAKEOFF:
        return take_off(a, plane, c, now_us);
    case MAV_CMD_DO_REPOSITION:
    case MAV_CMD_NAV_WAYPOINT: /* only of a MISSION_ITEM_INT */
        return reposition(a, plane, c, now_us);
    case MAV_CMD_NAV_RETURN_TO_LAUNCH:
        return return_home(a, now_us);
    case MAV_CMD_NAV_LAND:
        return land_here(a, now_us);
    case MAV_CMD_NAV_LOITER_UNLIM:
        return hold_place(a, now_us);
    case MAV_CMD_DO_CHANGE_SPEED:
        return change_speed(a, c);
    case MAV_CMD_DO_SET_MODE:
        return set_mode(a, c, now_us);
    default:
        return MAV_RESULT_UNSUPPORTED;
    }
}

static struct command of_int(const struct mf_msg_command_int *m)
{
    return (struct command){m->command, m->frame, {m->param1, m->param2, m->param3, m->param4},
                            m->x,       m->y,     m->z};
}

/* The first parameter of a waypoint is a hold time, not a speed. */
static struct command of_item(const struct mf_msg_mission_item_int *m)
{
    struct command c = {m->command,
                        m->frame,
                        {mf_f32_from_bits(m->param1), mf_f32_from_bits(m->param2),
                         mf_f32_from_bits(m->param3), mf_f32_from_bits(m->param4)},
                        m->x,
                        m->y,
                        mf_f32_from_bits(m->z)};
    if (m->command == MAV_CMD_NAV_WAYPOINT) {
        c.param[0] = -1.0f;
        c.param[3] = __builtin_nanf("");
    }
    return c;
}

static uint8_t answer(struct mf_agent *a, const struct mf_agent_plane *plane, mf_us_t now_us,
                      uint32_t msgid, const void *msg)
{
    struct command c;
    switch (msgid) {
    case MF_MSG_SET_POSITION_TARGET_LOCAL_NED:
        return obey_local(a, now_us, msg);
    case MF_MSG_SET_POSITION_TARGET_GLOBAL_INT:
        return obey_global(a, plane, now_us, msg);
    case MF_MSG_COMMAND_INT:
        c = of_int(msg);
        return c.id == MAV_CMD_NAV_WAYPOINT ? MAV_RESULT_UNSUPPORTED : obey(a, plane, &c, now_us);
    case MF_MSG_MISSION_ITEM_INT:
        c = of_item(msg);
        return obey(a, plane, &c, now_us);
    default:
        return MAV_RESULT_UNSUPPORTED;
    }
}

uint8_t mf_agent_obey(struct mf_agent *a, const struct mf_agent_plane *plane, mf_us_t now_us,
                      uint32_t msgid, const void *msg)
{
    MF_ASSERT(a != NULL && plane != NULL && msg != NULL && now_us >= a->from_us);
    if (a->body != NULL && !mf_stepped_obeys(a->made)) {
        return MAV_RESULT_UNSUPPORTED;
    }
    mf_agent_settle(a, now_us);
    const uint8_t result = answer(a, plane, now_us, msgid, msg);
    if (a->body != NULL) {
        order_body(a, now_us);
    }
    return result;
}

/* ---- status and poses */

/* Pose of a stepped body, which has run up to its step at @p t_us. */
static struct mf_pose motion_of_body(const struct mf_agent *a, mf_us_t t_us, double ned_m[3])
{
    const struct mf_stepped_state state = mf_stepped_at(a->body, a->made, t_us);
    struct mf_pose pose = {.on_ground = state.standing};
    store_vector(ned_m, state.pos_m);
    mf_stepped_show(&state, &pose);
    return pose;
}

struct mf_pose mf_agent_motion(const struct mf_agent *a, mf_us_t t_us, double ned_m[3])
{
    if (a->body != NULL) {
        return motion_of_body(a, t_us, ned_m);
    }
    struct mf_agent now = *a;
    mf_agent_settle(&now, t_us);
    position(&now, t_us, ned_m);
    const bool moves = t_us < now.until_us;
    return (struct mf_pose){
        .vel_ned_mps = {moves ? (float)now.vel_mps[0] : 0.0f, moves ? (float)now.vel_mps[1] : 0.0f,
                        moves ? (float)now.vel_mps[2] : 0.0f},
        .yaw_rad = now.yaw_rad,
        .on_ground = now.phase == MF_AGENT_REST,
    };
}

struct mf_pose mf_agent_pose(const struct mf_agent *a, const struct mf_agent_plane *plane,
                             mf_us_t t_us)
{
    double ned_m[3] = {0.0, 0.0, 0.0};
    struct mf_pose pose = mf_agent_motion(a, t_us, ned_m);
    const struct mf_geo at = mf_geo_from_local(plane->origin, ned_m[0], ned_m[1]);
    pose.lat_deg = at.lat_deg;
    pose.lon_deg = at.lon_deg;
    pose.alt_amsl_m = plane->alt_amsl_m - ned_m[2];
    pose.ground_amsl_m = plane->alt_amsl_m - a->home_m[2];
    return pose;
}

struct mf_agent_status mf_agent_status(const struct mf_agent *a)
{
    static const struct {
        uint32_t mode;
        uint8_t landed;
    } k_shown[] = {
        [MF_AGENT_REST] = {MF_ORDER_HOLD, MAV_LANDED_STATE_ON_GROUND},
        [MF_AGENT_CLIMB] = {MF_ORDER_TAKEOFF, MAV_LANDED_STATE_TAKEOFF},
        [MF_AGENT_HOLD] = {MF_ORDER_HOLD, MAV_LANDED_STATE_IN_AIR},
        [MF_AGENT_STEERED] = {MF_ORDER_OFFBOARD, MAV_LANDED_STATE_IN_AIR},
        [MF_AGENT_RETURN] = {MF_ORDER_RETURN, MAV_LANDED_STATE_IN_AIR},
        [MF_AGENT_HOME] = {MF_ORDER_RETURN, MAV_LANDED_STATE_LANDING},
        [MF_AGENT_LAND] = {MF_ORDER_LAND, MAV_LANDED_STATE_LANDING},
    };
    const bool falls = a->body != NULL && a->phase == MF_AGENT_REST && !a->body->standing;
    return (struct mf_agent_status){
        k_shown[a->phase].mode, falls ? (uint8_t)MAV_LANDED_STATE_IN_AIR : k_shown[a->phase].landed,
        a->armed};
}

mf_us_t mf_agent_next(const struct mf_agent *a, mf_us_t now_us)
{
    if (a->body != NULL) {
        return mf_stepped_next(a->body, a->made);
    }
    return a->phase != MF_AGENT_REST && a->until_us > now_us ? a->until_us : MF_NEVER;
}

static int32_t rounded(double x)
{
    return (int32_t)(x < 0.0 ? x - 0.5 : x + 0.5);
}

static int16_t cmps(float mps)
{
    return (int16_t)rounded((double)mps * 1e2);
}

/* Fill in the view that a vehicle's telemetry would give. */
static void view_of(const struct mf_agent *a, const struct mf_agent_plane *plane, mf_us_t t_us,
                    struct mf_order_view *view)
{
    struct mf_agent now = *a;
    mf_agent_settle(&now, t_us);
    const struct mf_agent_status status = mf_agent_status(&now);
    const struct mf_pose p = mf_agent_pose(&now, plane, t_us);
    const double yaw_deg = mf_deg((double)p.yaw_rad);
    const int32_t hdg_cdeg = rounded((yaw_deg < 0.0 ? yaw_deg + 360.0 : yaw_deg) * 1e2);
    *view = (struct mf_order_view){
        .known = true,
        .armed = status.armed,
        .landed = status.landed,
        .custom_mode = status.custom_mode,
        .reached = -1,
        .position = {.time_boot_ms = (uint32_t)(t_us / 1000),
                     .lat = rounded(p.lat_deg * 1e7),
                     .lon = rounded(p.lon_deg * 1e7),
                     .alt = rounded(p.alt_amsl_m * 1e3),
                     .relative_alt = rounded((p.alt_amsl_m - p.ground_amsl_m) * 1e3),
                     .vx = cmps(p.vel_ned_mps[0]),
                     .vy = cmps(p.vel_ned_mps[1]),
                     .vz = cmps(p.vel_ned_mps[2]),
                     .hdg = (uint16_t)(hdg_cdeg % 36000)},
    };
}

/* ---- the order port */

static int send_order(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    const struct mf_agent_port *port = ctx;
    *result = mf_agent_obey(port->agent, port->plane, port->now_us, msgid, msg);
    return MF_E_OK;
}

static void read_view(void *ctx, struct mf_order_view *view)
{
    const struct mf_agent_port *port = ctx;
    view_of(port->agent, port->plane, port->now_us, view);
}

const struct mf_order_ops mf_agent_port_ops = {send_order, read_view, NULL};
