/* SPDX-License-Identifier: Apache-2.0 */
/* Each handler is small: it turns floats into what the command means, refuses what cannot be meant,
 * and asks one module. Whether the vehicle may do it is that module's answer, so a command, the
 * shell and the control API get the same one.
 *
 * Parameters are floats of any bits. NaN is "not given" where MAVLink says so; comparisons are
 * written so that NaN fails them. Texts are PX4's where PX4 has one: clients search for them. */
#include "firmware/protocol/command.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/flight/calibration.h"
#include "firmware/flight/commander.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/faults.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/health.h"
#include "firmware/flight/home.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/flight/transition.h"
#include "firmware/link/barrier.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/link/say.h"
#include "firmware/link/signing.h"
#include "firmware/protocol/param_change.h"
#include "firmware/report/encode.h"
#include "firmware/report/stream.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* param2 of COMPONENT_ARM_DISARM: without checks. The number is MAVLink's own; it keeps a stray 1
 * from stopping the motors in the air. It forces disarming only: like PX4, which checks a client's
 * arming in any case. */
#define FORCE 21196.0f
/* param2 of DO_REPOSITION: the only flags that PX4 takes. */
#define CHANGE_MODE 1.0f
/* Both of params 5 and 6: a client's INT32_MAX ("not given") that went through a float, one unit in
 * the last place below. It is no place on Earth, and what the client meant cannot be told: PX4
 * denies it. */
#define NO_PLACE 2147483520.0f
/* The same in COMMAND_INT: a client copied the bits of a not-a-number. */
#define NO_PLACE_INT 0x7FF80000

static double not_given(void)
{
    return (double)__builtin_nanf("");
}

/* A parameter that must be a whole number: parameters of commands are floats, which hold those up
 * to 2^24 exactly.
 * @return -1 if it is not, or outside 0 .. max */
static int32_t whole(float value, int32_t max)
{
    MF_ASSERT(max >= 0 && max <= 1 << 24);
    const int32_t n = mf_round_i32((double)value);
    return value >= 0.0f && value <= (float)max && (float)n == value ? n : -1;
}

/* The same where not-a-number is "not given": 0. MAVSDK and QGroundControl fill parameters that
 * they do not use with one or the other. */
static int32_t whole_or_none(float value, int32_t max)
{
    return value != value ? 0 : whole(value, max);
}

/* The reason is for people: the MAV_RESULT has no room for it. */
static int refuse(struct mf_vehicle *v, int err, const char *text)
{
    mf_say(v, MF_CRITICAL, text);
    return err;
}

/* ---- arming and modes ---- */

static int arm_disarm(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t arm = whole(c->param[0], 1);
    if (arm < 0) {
        struct mf_text text = mf_text("Unsupported ARM_DISARM param: ");
        mf_text_add_float(&text, (double)c->param[0], 3);
        return refuse(v, MF_E_DENIED, text.s);
    }
    if (arm == 1) {
        return mf_commander_arm(v, now_us, MF_BY_COMMAND);
    }
    return mf_commander_disarm(v, now_us, MF_BY_COMMAND, c->param[1] == FORCE);
}

static int change_mode(struct mf_vehicle *v, int mode, mf_us_t now_us, const char *unknown)
{
    if (mode < 0) {
        return refuse(v, MF_E_DENIED, unknown);
    }
    MF_ASSERT(mode < MF_MODE_COUNT);
    return mf_commander_set_mode(v, now_us, (enum mf_mode)mode);
}

/* base_mode without a custom mode, as MAVLink's oldest clients send it. The flags are weighed as in
 * PX4: the one that leaves most to the vehicle comes first. */
static int mode_from_base(uint8_t base)
{
    if ((base & MAV_MODE_FLAG_AUTO_ENABLED) != 0) {
        return MF_MODE_MISSION;
    }
    if ((base & MAV_MODE_FLAG_MANUAL_INPUT_ENABLED) == 0) {
        return MF_E_NOSUPP;
    }
    if ((base & MAV_MODE_FLAG_GUIDED_ENABLED) != 0) {
        return MF_MODE_POSCTL;
    }
    return (base & MAV_MODE_FLAG_STABILIZE_ENABLED) != 0 ? MF_MODE_STABILIZED : MF_MODE_MANUAL;
}

static int set_mode(struct mf_vehicle *v, uint8_t base, int32_t main, int32_t sub, mf_us_t now_us)
{
    MF_ASSERT(v->commander.mode < MF_MODE_COUNT);
    if ((base & MAV_MODE_FLAG_CUSTOM_MODE_ENABLED) == 0) {
        return change_mode(v, mode_from_base(base), now_us, "Unsupported base mode");
    }
    const bool is_auto = main == mf_mode_info(MF_MODE_HOLD)->main;
    const int mode =
        main < 0 || sub < 0 ? MF_E_NOSUPP : mf_mode_from_custom((uint8_t)main, (uint8_t)sub);
    return change_mode(v, mode, now_us,
                       is_auto ? "Unsupported auto mode" : "Unsupported main mode");
}

/* PX4's main and sub mode as numbers of their own, as MAVSDK sends them; SET_MODE has them in one
 * word. */
static int do_set_mode(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t base = whole(c->param[0], 255);
    const int32_t sub = whole_or_none(c->param[2], 255);
    if (base < 0) {
        return refuse(v, MF_E_DENIED, "Unsupported base mode");
    }
    return set_mode(v, (uint8_t)base, whole(c->param[1], 255), sub, now_us);
}

/* Modes by MAVLink's names, the same for all autopilots. FAILED, as PX4, for one that this vehicle
 * has not. */
static int do_set_standard_mode(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t standard = whole(c->param[0], 255);
    const int mode = standard < 0 ? MF_E_NOSUPP : mf_mode_from_standard((uint8_t)standard);
    return mode < 0 ? MF_E_IO : mf_commander_set_mode(v, now_us, (enum mf_mode)mode);
}

static int return_to_launch(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    (void)c;
    return mf_commander_request(v, now_us, MF_MODE_RTL, NULL);
}

static int land(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    (void)c;
    return mf_commander_request(v, now_us, MF_MODE_LAND, NULL);
}

/* PX4 does not know it as a command. It stops a flight to a target too, where Hold is the mode
 * already. */
static int loiter(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const struct mf_target here = mf_target_none();
    (void)c;
    return v->options.px4_strict ? MF_E_NOSUPP
                                 : mf_commander_request(v, now_us, MF_MODE_HOLD, &here);
}

/* Up to 0.5 MAVLink means "stop terminating", which a vehicle that falls cannot do. */
static int terminate(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    return c->param[0] > 0.5f ? mf_commander_terminate(v, now_us) : MF_E_DENIED;
}

/* Mode first, then arming, as PX4: a mission that may not be flown leaves the vehicle disarmed. A
 * negative first item goes on with the current one; QGroundControl sends 0. */
static int mission_start(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const float first = c->param[0];
    if ((mf_health_have(v, now_us) & (unsigned)MF_NEED_MISSION) == 0) {
        return refuse(v, MF_E_DENIED, "Mission start denied! No valid mission");
    }
    MF_ASSERT(v->mission.count > 0);
    if (!(first >= -1.0f && first < (float)v->mission.count)) {
        return refuse(v, MF_E_DENIED, "Mission start denied! No such mission item");
    }
    if (first >= 0.0f) {
        (void)mf_mission_set_current(v, (uint16_t)first, now_us);
    }
    const int err = mf_commander_request(v, now_us, MF_MODE_MISSION, NULL);
    return err != MF_E_OK ? err : mf_commander_arm(v, now_us, MF_BY_MISSION_START);
}

/* ---- where to ---- */

/* Clients send latitude 91 or longitude 200 by mistake in the order of arguments. NaN is no place,
 * either. */
static bool is_place(double lat_deg, double lon_deg)
{
    return mf_abs(lat_deg) <= 90.0 && mf_abs(lon_deg) <= 180.0;
}

/* Vertical, whatever place it names: clients fill in the vehicle's own, or none (PX4 flies there).
 * An altitude that is not given is the parameter's, above here; the text is PX4's. */
static int take_off(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    struct mf_target to = mf_target_none();
    to.alt_amsl_m = c->alt_amsl_m;
    if (!mf_finite(to.alt_amsl_m)) {
        const double here_m = mf_estimate_at(v, now_us)->pose.alt_amsl_m;
        const float height_m = mf_param_f(&v->params, MF_PARAM_MIS_TAKEOFF_ALT);
        struct mf_text text = mf_text("Using default takeoff altitude: ");
        mf_text_add_float(&text, (double)height_m, 1);
        mf_text_add(&text, " m");
        mf_say(v, MF_INFO, text.s);
        to.alt_amsl_m = here_m + (double)height_m;
    }
    MF_ASSERT(mf_finite(to.alt_amsl_m));
    if (mf_abs(to.alt_amsl_m) > MF_ALTITUDE_MAX_M) {
        return refuse(v, MF_E_DENIED, "Takeoff denied: altitude out of range");
    }
    return mf_commander_request(v, now_us, MF_MODE_TAKEOFF, &to);
}

/* Outside the fence the vehicle holds where it is, as PX4 does: a target that is refused must not
 * leave the old one.
 *
 * Shared by all commands that move the vehicle in Hold. PX4 takes them while disarmed, and for a
 * place outside the fence, and forgets where to. */
static int go(struct mf_vehicle *v, const struct mf_target *to, mf_us_t now_us, const char *outside)
{
    MF_ASSERT(to != NULL && outside != NULL);
    if (!v->commander.armed && v->options.px4_strict) {
        return mf_commander_request(v, now_us, MF_MODE_HOLD, NULL);
    }
    if (!v->commander.armed) {
        return refuse(v, MF_E_AGAIN, "Reposition denied: not armed");
    }
    const struct mf_bounds bounds = mf_bounds_of(v);
    if (!mf_fence_allows(&bounds, &mf_estimate_at(v, now_us)->pose, to)) {
        mf_say(v, MF_CRITICAL, outside);
        return mf_commander_request(v, now_us, MF_MODE_HOLD, NULL);
    }
    return mf_commander_request(v, now_us, MF_MODE_HOLD, to);
}

/* Not-a-number is "as it is": place, altitude, heading and speed, each by itself. */
static int do_reposition(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    struct mf_target to = mf_target_none();
    if (v->options.px4_strict && c->param[1] != CHANGE_MODE) {
        return MF_E_NOSUPP;
    }
    if (mf_finite(c->lat_deg) && mf_finite(c->lon_deg)) {
        if (!is_place(c->lat_deg, c->lon_deg)) {
            return refuse(v, MF_E_DENIED, "Reposition denied: no such place");
        }
        to.lat_deg = c->lat_deg;
        to.lon_deg = c->lon_deg;
    }
    if (!mf_datum_known(&v->hal, (struct mf_geo){to.lat_deg, to.lon_deg})) {
        return refuse(v, MF_E_DENIED, "Reposition denied: " MF_DATUM_NONE);
    }
    if (c->param[0] > MF_SPEED_MAX_MPS || mf_abs(c->alt_amsl_m) > MF_ALTITUDE_MAX_M) {
        return refuse(v, MF_E_DENIED, "Reposition denied: speed or altitude out of range");
    }
    to.alt_amsl_m = c->alt_amsl_m;
    to.yaw_rad =
        mf_abs((double)c->param[3]) <= 1e6 ? (float)mf_wrap_pi((double)c->param[3]) : to.yaw_rad;
    to.speed_mps = c->param[0];
    return go(v, &to, now_us, "Reposition is outside geofence");
}

static int do_change_altitude(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    struct mf_target to = mf_target_none();
    to.alt_amsl_m = (double)c->param[0];
    return mf_abs(to.alt_amsl_m) <= MF_ALTITUDE_MAX_M
               ? go(v, &to, now_us, "Altitude change is outside geofence")
               : MF_E_DENIED;
}

/* The mode is changed first: its plan begins with the next run of the navigator, which then finds
 * the circle. */
static int do_orbit(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const struct mf_target here = mf_target_none();
    struct mf_orbit orbit = mf_orbit_of(&v->params, c->param[0], c->param[1], c->param[2]);
    orbit.lat_deg = c->lat_deg;
    orbit.lon_deg = c->lon_deg;
    orbit.alt_amsl_m = c->alt_amsl_m;
    orbit.given = true;
    if ((mf_finite(c->lat_deg) && mf_finite(c->lon_deg) && !is_place(c->lat_deg, c->lon_deg)) ||
        mf_abs(c->alt_amsl_m) > MF_ALTITUDE_MAX_M) {
        return refuse(v, MF_E_DENIED, "Orbit denied: no such place");
    }
    if (!mf_datum_known(&v->hal, (struct mf_geo){c->lat_deg, c->lon_deg})) {
        return refuse(v, MF_E_DENIED, "Orbit denied: " MF_DATUM_NONE);
    }
    const int err = mf_commander_request(v, now_us, MF_MODE_ORBIT, &here);
    if (err == MF_E_OK) {
        mf_navigator_set_orbit(&v->navigator, &orbit);
    }
    return err;
}

static int do_set_roi(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    struct mf_roi roi;
    const int err = mf_roi_of(c->id, c->param, (struct mf_geo){c->lat_deg, c->lon_deg}, &roi);
    if (err == MF_E_OK) {
        mf_navigator_set_roi(v, now_us, &roi);
    }
    return err;
}

/* A throttle (param3) is nothing that a multicopter could hold. */
static int do_change_speed(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    if (c->param[1] > MF_SPEED_MAX_MPS) {
        return refuse(v, MF_E_DENIED, "Speed denied: above 100 m/s");
    }
    mf_navigator_set_speed(v, now_us, c->param[1]);
    return MF_E_OK;
}

/* With param1 set home is here. A heading that is not given stays. */
static int do_set_home(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    if (mf_param_i(&v->params, MF_PARAM_COM_HOME_EN) == 0) {
        return MF_E_DENIED;
    }
    if (v->imposed.home_hidden) {
        return MF_E_AGAIN;
    }
    if (c->param[0] > 0.5f) {
        return mf_commander_home_here(v, now_us, true);
    }
    const struct mf_geo place = {c->lat_deg, c->lon_deg};
    const bool turned = mf_finite((double)c->param[3]);
    const float yaw_rad = turned ? (float)mf_wrap_pi(mf_rad((double)c->param[3])) : v->home.yaw_rad;
    return mf_commander_home_at(v, now_us, place, c->alt_amsl_m, yaw_rad);
}

/* ---- requests ---- */

/* MESSAGE_INTERVAL and AVAILABLE_MODES take an argument, so they are no streams; HEARTBEAT has
 * clocks of its own. A message that the vehicle does not have, or not now, is DENIED, as by PX4:
 * UNSUPPORTED would say that the command itself is not known. */
static int request_message(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, float arg,
                           mf_us_t now_us)
{
    MF_ASSERT(link->open);
    if (msgid == MF_MSG_MESSAGE_INTERVAL) {
        const int32_t of = whole(arg, 65535);
        const struct mf_msg_message_interval m = {
            .interval_us =
                of == MF_MSG_HEARTBEAT ? 1000000 : mf_stream_interval(link, (uint32_t)of),
            .message_id = (uint16_t)of,
        };
        return of >= 0 && mf_link_send(v, link, MF_MSG_MESSAGE_INTERVAL, &m) ? MF_E_OK
                                                                             : MF_E_DENIED;
    }
    if (msgid == MF_MSG_HEARTBEAT) {
        mf_heartbeat_start(v, link);
        return v->imposed.silent ? MF_E_DENIED : MF_E_OK;
    }
    if (msgid == MF_MSG_AVAILABLE_MODES) {
        struct mf_msg_available_modes m;
        const int32_t wanted = whole_or_none(arg, 255); /* 0: all, one after the other */
        bool sent = false;
        for (int32_t i = wanted == 0 ? 1 : wanted;
             i > 0 && mf_encode_available_modes((uint8_t)i, &m); i++) {
            MF_ASSERT(i <= MF_MODE_COUNT);
            sent = mf_link_send(v, link, MF_MSG_AVAILABLE_MODES, &m);
            if (wanted != 0) {
                break;
            }
        }
        return sent ? MF_E_OK : MF_E_DENIED;
    }
    return mf_stream_request(v, link, msgid, now_us) == MF_E_OK ? MF_E_OK : MF_E_DENIED;
}

static int cmd_request_message(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t msgid = whole(c->param[0], 0xFFFFFF);
    return msgid < 0 ? MF_E_DENIED
                     : request_message(v, c->from.link, (uint32_t)msgid, c->param[1], now_us);
}

/* The commands that MAVLink had for single messages before REQUEST_MESSAGE. */
static int cmd_request_old(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    static const struct {
        uint16_t command;
        uint16_t msgid;
    } k_old[] = {
        {MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES, MF_MSG_AUTOPILOT_VERSION},
        {MAV_CMD_REQUEST_PROTOCOL_VERSION, MF_MSG_PROTOCOL_VERSION},
        {MAV_CMD_REQUEST_FLIGHT_INFORMATION, MF_MSG_FLIGHT_INFORMATION},
        {MAV_CMD_REQUEST_STORAGE_INFORMATION, MF_MSG_STORAGE_INFORMATION},
        {MAV_CMD_GET_HOME_POSITION, MF_MSG_HOME_POSITION},
    };
    for (size_t i = 0; i < sizeof k_old / sizeof k_old[0]; i++) {
        if (k_old[i].command == c->id) {
            return request_message(v, c->from.link, k_old[i].msgid, 0.0f, now_us);
        }
    }
    MF_ASSERT(false); /* each that is routed here has its line */
    return MF_E_NOSUPP;
}

/* 0 and not-a-number both mean "not given" to PX4 here. */
static bool is_given(float value)
{
    return value == value && value != 0.0f;
}

/* For the link that asks alone. Another target of the messages is refused, as by PX4, which answers
 * FAILED. */
static int set_message_interval(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    MF_ASSERT(c->from.link->open);
    const int32_t msgid = whole(c->param[0], 0xFFFFFF); /* 24 bits: MAVLink's largest id */
    const bool more = is_given(c->param[2]) || is_given(c->param[3]) ||
                      is_given(c->param[6]); /* response target */
    if (msgid < 0 || more) {
        return MF_E_IO;
    }
    return mf_stream_set(v, c->from.link, (uint32_t)msgid, c->param[1], now_us) == MF_E_OK
               ? MF_E_OK
               : MF_E_IO;
}

/* The older way to ask for it. */
static int get_message_interval(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    return request_message(v, c->from.link, MF_MSG_MESSAGE_INTERVAL, c->param[0], now_us);
}

/* ---- the rest ---- */

/* Accepted whatever they find, as PX4: the result is told by SYS_STATUS, and in words. */
static int run_prearm_checks(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    (void)c;
    const char *denial = mf_health_denial(v, now_us);
    if (denial[0] != '\0') {
        mf_say(v, MF_CRITICAL, denial);
    }
    return MF_E_OK;
}

/* PX4's text: QGroundControl looks for "[cal]" and shows it in its own window. */
static int calibrate(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    if (v->commander.armed) {
        return refuse(v, MF_E_AGAIN, "[cal] calibration failed: armed");
    }
    mf_us_t run_us;
    const int err = mf_calibration_begin(&v->calibration, &v->hal, c->param, now_us, &run_us);
    mf_wake_at(v, MF_TASK_CALIBRATION, run_us);
    return err;
}

/* param1: 0 reads, which is a promise kept already; 1 writes; 2 and above reset. What was launched
 * (ids, geoid) is not a client's to reset. */
static int storage(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t action = whole(c->param[0], 4);
    if (v->commander.armed) {
        return MF_E_AGAIN;
    }
    if (action == 1) {
        return mf_param_save(&v->params, &v->options, &v->hal);
    }
    if (action >= 2) {
        mf_param_reset(&v->params, &v->options);
        mf_vehicle_set_launched(v);
        mf_fence_changed(v, now_us);
        return mf_param_save(&v->params, &v->options, &v->hal);
    }
    return action == 0 ? MF_E_OK : MF_E_DENIED;
}

/* The board does it once the answer has left. The signing time goes into the store first: a frame
 * that was accepted before the restart must not be accepted again after it. */
static int reboot_shutdown(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    (void)now_us;
    const int32_t action = whole(c->param[0], 3);
    if (action == 0) {
        return MF_E_OK;
    }
    if (action < 0 || v->commander.armed) {
        return MF_E_DENIED;
    }
    mf_signing_save(v->signing);
    v->reboot = action != 2;
    v->shutdown = action == 2;
    MF_ASSERT(v->reboot != v->shutdown);
    return MF_E_OK;
}

static int barrier(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    return mf_barrier_command(v, c->from, c->param[0], c->param[1], now_us);
}

/* Injection is a parameter's to allow, as in PX4. A fault that no message would show is refused,
 * not accepted in vain: a test that waits for it would wait for ever. */
static int inject_failure(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t unit = whole(c->param[0], 255);
    const int32_t type = whole(c->param[1], 255);
    const int32_t instance = whole_or_none(c->param[2], 1); /* 0: all; there is one of each */
    if (mf_param_i(&v->params, MF_PARAM_SYS_FAILURE_EN) != 1) {
        return refuse(v, MF_E_DENIED, "Failure injection denied: SYS_FAILURE_EN is not 1");
    }
    if (instance < 0 || unit < 0 || type < 0) {
        return MF_E_NOSUPP;
    }
    const int err = mf_vehicle_fail_unit(v, now_us, unit, type);
    return err == MF_E_AGAIN    ? refuse(v, err, "Failure injection: another fault hides it")
           : err == MF_E_DENIED ? refuse(v, err, "Failure injection: it shows that already")
                                : err;
}

/* ---- the table ---- */

/* command, who serves it, whether it names a place: a COMMAND_INT must then have a frame that gives
 * one */
/* clang-format off */
#define COMMAND_LIST(X)                                             \
    X(NAV_LOITER_UNLIM, loiter, false)                              \
    X(NAV_RETURN_TO_LAUNCH, return_to_launch, false)                \
    X(NAV_LAND, land, false)                                        \
    X(NAV_TAKEOFF, take_off, true)                                  \
    X(DO_SET_MODE, do_set_mode, false)                              \
    X(DO_CHANGE_SPEED, do_change_speed, false)                      \
    X(DO_SET_HOME, do_set_home, true)                               \
    X(DO_FLIGHTTERMINATION, terminate, false)                       \
    X(DO_ORBIT, do_orbit, true)                                     \
    X(DO_CHANGE_ALTITUDE, do_change_altitude, false)                \
    X(DO_REPOSITION, do_reposition, true)                           \
    X(NAV_ROI, do_set_roi, false)                                   \
    X(DO_SET_ROI, do_set_roi, false)                                \
    X(DO_SET_ROI_LOCATION, do_set_roi, true)                        \
    X(DO_SET_ROI_WPNEXT_OFFSET, do_set_roi, false)                  \
    X(DO_SET_ROI_NONE, do_set_roi, false)                           \
    X(PREFLIGHT_CALIBRATION, calibrate, false)                      \
    X(PREFLIGHT_STORAGE, storage, false)                            \
    X(PREFLIGHT_REBOOT_SHUTDOWN, reboot_shutdown, false)            \
    X(DO_SET_STANDARD_MODE, do_set_standard_mode, false)            \
    X(MISSION_START, mission_start, false)                          \
    X(COMPONENT_ARM_DISARM, arm_disarm, false)                      \
    X(RUN_PREARM_CHECKS, run_prearm_checks, false)                  \
    X(GET_HOME_POSITION, cmd_request_old, false)                    \
    X(INJECT_FAILURE, inject_failure, false)                        \
    X(GET_MESSAGE_INTERVAL, get_message_interval, false)            \
    X(SET_MESSAGE_INTERVAL, set_message_interval, false)            \
    X(REQUEST_MESSAGE, cmd_request_message, false)                  \
    X(REQUEST_PROTOCOL_VERSION, cmd_request_old, false)             \
    X(REQUEST_AUTOPILOT_CAPABILITIES, cmd_request_old, false)       \
    X(REQUEST_STORAGE_INFORMATION, cmd_request_old, false)          \
    X(REQUEST_FLIGHT_INFORMATION, cmd_request_old, false)           \
    X(USER_1, barrier, false)
/* clang-format on */

static int serve(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    switch (c->id) {
#define X(name, handler, place) \
    case MAV_CMD_##name:        \
        return handler(v, c, now_us);
        COMMAND_LIST(X)
#undef X
    default:
        return MF_E_NOSUPP;
    }
}

/* A frame means something only to a command that has a place. */
static bool names_a_place(uint16_t command)
{
    switch (command) {
#define X(name, handler, place) \
    case MAV_CMD_##name:        \
        return place;
        COMMAND_LIST(X)
#undef X
    default:
        return false;
    }
}

/* For those who watch: the control API and the shell's dmesg. */
static void remember(struct mf_vehicle *v, const struct mf_command *c, uint8_t result)
{
    if (v->journal == NULL) {
        return;
    }
    struct mf_answers *answers = &v->journal->answers;
    MF_ASSERT(result <= MAV_RESULT_COMMAND_UNSUPPORTED_MAV_FRAME);
    answers->results[result < MF_RESULTS ? result : MF_RESULTS - 1]++;
    answers->last[answers->count++ % MF_ANSWERS_KEPT] =
        (struct mf_answer){v->instant_us, c->id, result, c->from.sysid, c->from.compid};
}

/* IN_PROGRESS is a yes: the second acknowledgement follows. */
static void count(struct mf_vehicle *v, const struct mf_command *c, uint8_t result)
{
    if (result == MAV_RESULT_ACCEPTED || result == MAV_RESULT_IN_PROGRESS) {
        v->counters.commands_accepted++;
    } else {
        v->counters.commands_refused++;
    }
    remember(v, c, result);
}

static void acknowledge(struct mf_vehicle *v, const struct mf_command *c, uint8_t result)
{
    MF_ASSERT(c->from.link != NULL && c->from.link->open);
    const struct mf_msg_command_ack ack = {
        .command = c->id,
        .result = result,
        .target_system = c->from.sysid,
        .target_component = c->from.compid,
    };
    count(v, c, result);
    mf_link_answer(v, c->from, MF_MSG_COMMAND_ACK, &ack);
}

/* Handlers answer with errors, which have a MAV_RESULT each. */
static uint8_t result_of(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int err = serve(v, c, now_us);
    MF_ASSERT(err <= MF_E_OK);
    return mf_err_mav_result(err);
}

uint8_t mf_command_run(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const uint8_t result = result_of(v, c, now_us);
    count(v, c, result);
    return result;
}

/* Two commands are answered whatever component they name, as by PX4: a client that does not know
 * the vehicle yet asks them first. */
static bool addressed(const struct mf_vehicle *v, struct mf_peer from, uint16_t id, uint8_t system,
                      uint8_t component)
{
    const bool any =
        id == MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES || id == MAV_CMD_REQUEST_PROTOCOL_VERSION;
    return mf_means_us(v, from, system, any ? 0 : component);
}

void mf_on_command_long(struct mf_vehicle *v, struct mf_peer from,
                        const struct mf_msg_command_long *m, mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && from.link->open);
    if (!addressed(v, from, m->command, m->target_system, m->target_component)) {
        return;
    }
    const struct mf_command c = {
        .from = from,
        .id = m->command,
        .param = {m->param1, m->param2, m->param3, m->param4, m->param5, m->param6, m->param7},
        .lat_deg = (double)m->param5,
        .lon_deg = (double)m->param6,
        .alt_amsl_m = (double)m->param7,
    };
    if (m->param5 >= NO_PLACE && m->param6 >= NO_PLACE) {
        acknowledge(v, &c, MAV_RESULT_DENIED);
    } else {
        acknowledge(v, &c, result_of(v, &c, now_us));
    }
}

/* Both coordinates INT32_MAX: MAVLink's "not given" in integers, which a COMMAND_LONG says by
 * not-a-number. */
static struct mf_geo place_of(const struct mf_msg_command_int *m)
{
    const bool given = m->x != INT32_MAX || m->y != INT32_MAX;
    return (struct mf_geo){given ? (double)m->x / 1e7 : not_given(),
                           given ? (double)m->y / 1e7 : not_given()};
}

/* A place above the ground needs ground that is known; what is said then is why. */
static uint8_t check_ground(struct mf_vehicle *v, const struct mf_msg_command_int *m,
                            mf_us_t now_us)
{
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    double ground_m;
    const int err = mf_datum_ground(&v->hal, e, place_of(m), &ground_m);
    if (err == MF_E_NOENT) {
        (void)refuse(v, MF_E_DENIED, "Command denied: " MF_DATUM_NO_GROUND);
    }
    return err == MF_E_OK ? MAV_RESULT_ACCEPTED : MAV_RESULT_DENIED;
}

/* What a COMMAND_INT is answered with because of its frame. PX4 takes one frame only. */
static uint8_t check_frame(struct mf_vehicle *v, const struct mf_msg_command_int *m, mf_us_t now_us)
{
    if (v->options.px4_strict) {
        return m->frame == MAV_FRAME_GLOBAL_INT ? MAV_RESULT_ACCEPTED
                                                : MAV_RESULT_COMMAND_UNSUPPORTED_MAV_FRAME;
    }
    switch (m->frame) {
    case MAV_FRAME_GLOBAL:
    case MAV_FRAME_GLOBAL_INT:
        return MAV_RESULT_ACCEPTED;
    case MAV_FRAME_GLOBAL_RELATIVE_ALT:
    case MAV_FRAME_GLOBAL_RELATIVE_ALT_INT:
        return v->home.valid || !names_a_place(m->command) ? MAV_RESULT_ACCEPTED
                                                           : MAV_RESULT_DENIED;
    case MAV_FRAME_GLOBAL_TERRAIN_ALT:
    case MAV_FRAME_GLOBAL_TERRAIN_ALT_INT:
        return names_a_place(m->command) ? check_ground(v, m, now_us) : MAV_RESULT_DENIED;
    case MAV_FRAME_MISSION:
        return names_a_place(m->command) ? MAV_RESULT_DENIED : MAV_RESULT_ACCEPTED;
    default:
        return MAV_RESULT_DENIED;
    }
}

/* MAVSDK asks for an orbit at an absolute altitude in frame 3, which PX4 does not look at. */
static bool is_relative(const struct mf_msg_command_int *m)
{
    return m->frame == MAV_FRAME_GLOBAL_RELATIVE_ALT_INT ||
           (m->frame == MAV_FRAME_GLOBAL_RELATIVE_ALT && m->command != MAV_CMD_DO_ORBIT);
}

/* Where altitudes of its frame begin. Computed before the frame is judged, so it may be of no use;
 * then nobody looks at it. */
static double zero_amsl_m(const struct mf_vehicle *v, const struct mf_msg_command_int *m)
{
    double zero_m = 0.0;
    if (is_relative(m)) {
        return v->home.alt_amsl_m;
    }
    if (mf_datum_is_terrain(m->frame)) {
        /* without ground that is known the command was denied */
        (void)mf_datum_ground(&v->hal, &v->estimate, place_of(m), &zero_m);
    }
    MF_ASSERT(mf_finite(zero_m));
    return zero_m;
}

void mf_on_command_int(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_command_int *m, mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && from.link->open);
    if (!addressed(v, from, m->command, m->target_system, m->target_component)) {
        return;
    }
    const struct mf_geo place = place_of(m);
    const bool garbled = m->x == NO_PLACE_INT && m->y == NO_PLACE_INT;
    const uint8_t result = garbled ? MAV_RESULT_DENIED : check_frame(v, m, now_us);
    const struct mf_command c = {
        .from = from,
        .id = m->command,
        .param = {m->param1, m->param2, m->param3, m->param4, (float)place.lat_deg,
                  (float)place.lon_deg, m->z},
        .lat_deg = place.lat_deg,
        .lon_deg = place.lon_deg,
        .alt_amsl_m = (double)m->z + zero_amsl_m(v, m),
    };
    if (result == MAV_RESULT_ACCEPTED) {
        acknowledge(v, &c, result_of(v, &c, now_us));
    } else {
        acknowledge(v, &c, result);
    }
}

void mf_on_set_mode(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_set_mode *m,
                    mf_us_t now_us)
{
    MF_ASSERT(from.link != NULL && from.link->open);
    const struct mf_command c = {.from = from, .id = MAV_CMD_DO_SET_MODE};
    if (!mf_means_us(v, from, m->target_system, 0)) {
        return;
    }
    const int32_t main = (int32_t)(m->custom_mode >> 16 & 0xFFu);
    const int32_t sub = (int32_t)(m->custom_mode >> 24);
    acknowledge(v, &c, mf_err_mav_result(set_mode(v, m->base_mode, main, sub, now_us)));
}
