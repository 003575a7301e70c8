/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that arm the vehicle, change its mode or send it somewhere. */
#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/flight/commander.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/health.h"
#include "firmware/flight/home.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mode.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/transition.h"
#include "firmware/link/say.h"
#include "firmware/protocol/command_list.h"
#include "firmware/protocol/command_value.h"
#include "firmware/state/limits.h"
#include "firmware/state/nav.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* param2 of COMPONENT_ARM_DISARM: without checks. The number is MAVLink's own; it keeps a stray 1
 * from stopping the motors in the air. It forces disarming only: like PX4, which checks a client's
 * arming in any case. */
#define FORCE 21196.0f
/* param2 of DO_REPOSITION: the only flags that PX4 takes. */
#define CHANGE_MODE 1.0f
/* ---- arming and modes ---- */

int mf_command_arm_disarm(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t arm = mf_command_whole(c->param[0], 1);
    if (arm < 0) {
        struct mf_text text = mf_text("Unsupported ARM_DISARM param: ");
        mf_text_add_float(&text, (double)c->param[0], 3);
        return mf_command_refuse(v, MF_E_DENIED, text.s);
    }
    if (arm == 1) {
        return mf_commander_arm(v, now_us, MF_BY_COMMAND);
    }
    return mf_commander_disarm(v, now_us, MF_BY_COMMAND, c->param[1] == FORCE);
}

static int change_mode(struct mf_vehicle *v, int mode, mf_us_t now_us, const char *unknown)
{
    if (mode < 0) {
        return mf_command_refuse(v, v->options.px4_strict ? MF_E_AGAIN : MF_E_DENIED, unknown);
    }
    MF_ASSERT(mode < MF_MODE_COUNT);
    if (mode == MF_MODE_ORBIT && v->options.px4_strict) {
        mode = MF_MODE_POSCTL; /* an orbit begins by its command only */
    }
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

int mf_command_change_mode(struct mf_vehicle *v, uint8_t base, int32_t main, int32_t sub,
                           mf_us_t now_us)
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
int mf_command_set_mode(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t base = mf_command_whole(c->param[0], 255);
    const int32_t sub = mf_command_whole_or_none(c->param[2], 255);
    if (base < 0) {
        return change_mode(v, base, now_us, "Unsupported base mode");
    }
    return mf_command_change_mode(v, (uint8_t)base, mf_command_whole(c->param[1], 255), sub,
                                  now_us);
}

/* Modes by MAVLink's names, the same for all autopilots. FAILED, as PX4, for one that this vehicle
 * has not. */
int mf_command_set_standard_mode(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int32_t standard = mf_command_whole(c->param[0], 255);
    const int mode = standard < 0 ? MF_E_NOSUPP : mf_mode_from_standard((uint8_t)standard);
    return mode < 0 ? MF_E_IO : mf_commander_set_mode(v, now_us, (enum mf_mode)mode);
}

/* Report an accepted command with PX4's rules, also on the ground; without them, the mode reports
 * it. */
static void say_done(struct mf_vehicle *v, int err, const char *text)
{
    if (err == MF_E_OK && v->options.px4_strict) {
        mf_say(v, MF_INFO, text);
    }
}

int mf_command_return_to_launch(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int err = mf_commander_request(v, now_us, MF_MODE_RTL, NULL);
    (void)c;
    say_done(v, err, "Returning to launch");
    return err;
}

int mf_command_land(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const int err = mf_commander_request(v, now_us, MF_MODE_LAND, NULL);
    (void)c;
    say_done(v, err, "Landing at current position");
    return err;
}

/* PX4 does not know it as a command. It stops a flight to a target too, where Hold is the mode
 * already. */
int mf_command_loiter(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const struct mf_target here = mf_target_none();
    (void)c;
    return v->options.px4_strict ? MF_E_NOSUPP
                                 : mf_commander_request(v, now_us, MF_MODE_HOLD, &here);
}

/* Terminate the flight. A value up to 0.5 means "stop terminating" in MAVLink, which a falling
 * vehicle cannot do. */
int mf_command_terminate(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    return c->param[0] > 0.5f ? mf_commander_terminate(v, now_us) : MF_E_DENIED;
}

/* Mode first, then arming, as PX4: a mission that may not be flown leaves the vehicle disarmed. A
 * negative first item goes on with the current one; QGroundControl sends 0. */
int mf_command_mission_start(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const float first = c->param[0];
    if ((mf_health_have(v, now_us) & (unsigned)MF_NEED_MISSION) == 0) {
        return mf_command_refuse(v, MF_E_DENIED, "Mission start denied! No valid mission");
    }
    MF_ASSERT(v->mission.count > 0);
    if (!(first >= -1.0f && first < (float)v->mission.count)) {
        return mf_command_refuse(v, MF_E_DENIED, "Mission start denied! No such mission item");
    }
    if (first >= 0.0f) {
        (void)mf_mission_set_current(v, (uint16_t)first, now_us);
    }
    const int err = mf_commander_request(v, now_us, MF_MODE_MISSION, NULL);
    return err != MF_E_OK ? err : mf_commander_arm(v, now_us, MF_BY_MISSION_START);
}

/* ---- where to ---- */

/* True for a valid place. Clients that mix up the order of arguments send latitude 91 or longitude
 * 200. NaN is invalid, too. */
static bool is_place(double lat_deg, double lon_deg)
{
    return mf_abs(lat_deg) <= 90.0 && mf_abs(lon_deg) <= 180.0;
}

/* Vertical, whatever place it names: clients fill in the vehicle's own, or none (PX4 flies there).
 * An altitude that is not given is the parameter's, above here, which PX4 says when the mode
 * begins. */
int mf_command_take_off(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    struct mf_target to = mf_target_none();
    to.alt_amsl_m = c->alt_amsl_m;
    if (!mf_finite(to.alt_amsl_m) && !v->options.px4_strict) {
        const double here_m = mf_estimate_at(v, now_us)->pose.alt_amsl_m;
        to.alt_amsl_m = here_m + mf_navigator_takeoff_height(v);
    }
    if (mf_abs(to.alt_amsl_m) > MF_ALTITUDE_MAX_M) {
        return mf_command_refuse(v, MF_E_DENIED, "Takeoff denied: altitude out of range");
    }
    return mf_commander_request(v, now_us, MF_MODE_TAKEOFF, &to);
}

/* Outside the fence the vehicle holds where it is, as PX4 does: a target that is refused must not
 * leave the old one.
 *
 * Shared by all commands that move the vehicle in Hold. PX4 takes them while disarmed, and for a
 * place outside the fence, and forgets where to. */
static int go_to(struct mf_vehicle *v, const struct mf_target *to, mf_us_t now_us,
                 const char *outside)
{
    MF_ASSERT(to != NULL && outside != NULL);
    if (!v->commander.armed && v->options.px4_strict) {
        return mf_commander_request(v, now_us, MF_MODE_HOLD, NULL);
    }
    if (!v->commander.armed) {
        return mf_command_refuse(v, MF_E_AGAIN, "Reposition denied: not armed");
    }
    const struct mf_bounds bounds = mf_bounds_of(v);
    if (!mf_fence_allows(&bounds, &mf_estimate_at(v, now_us)->pose, to)) {
        mf_say(v, MF_CRITICAL, outside);
        return mf_commander_request(v, now_us, MF_MODE_HOLD, NULL);
    }
    return mf_commander_request(v, now_us, MF_MODE_HOLD, to);
}

/* Reposition. Not-a-number keeps the present value of place, altitude, heading and speed, each
 * separately. */
int mf_command_reposition(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    struct mf_target to = mf_target_none();
    if (v->options.px4_strict && c->param[1] != CHANGE_MODE) {
        return MF_E_NOSUPP;
    }
    if (mf_finite(c->lat_deg) && mf_finite(c->lon_deg)) {
        if (!is_place(c->lat_deg, c->lon_deg)) {
            return mf_command_refuse(v, MF_E_DENIED, "Reposition denied: no such place");
        }
        to.lat_deg = c->lat_deg;
        to.lon_deg = c->lon_deg;
    }
    if (!mf_datum_known(&v->hal, (struct mf_geo){to.lat_deg, to.lon_deg})) {
        return mf_command_refuse(v, MF_E_DENIED, "Reposition denied: " MF_DATUM_NONE);
    }
    if (c->param[0] > MF_SPEED_MAX_MPS || mf_abs(c->alt_amsl_m) > MF_ALTITUDE_MAX_M) {
        return mf_command_refuse(v, MF_E_DENIED,
                                 "Reposition denied: speed or altitude out of range");
    }
    to.alt_amsl_m = c->alt_amsl_m;
    to.yaw_rad =
        mf_abs((double)c->param[3]) <= 1e6 ? (float)mf_wrap_pi((double)c->param[3]) : to.yaw_rad;
    to.speed_mps = c->param[0];
    return go_to(v, &to, now_us, "Reposition is outside geofence");
}

int mf_command_change_altitude(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    struct mf_target to = mf_target_none();
    to.alt_amsl_m = (double)c->param[0];
    return mf_abs(to.alt_amsl_m) <= MF_ALTITUDE_MAX_M
               ? go_to(v, &to, now_us, "Altitude change is outside geofence")
               : MF_E_DENIED;
}

/* The mode is changed first: its plan begins with the next run of the navigator, which then finds
 * the circle. */
int mf_command_orbit(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    const struct mf_target here = mf_target_none();
    struct mf_orbit orbit = mf_orbit_of(&v->params, c->param[0], c->param[1], c->param[2]);
    orbit.lat_deg = c->lat_deg;
    orbit.lon_deg = c->lon_deg;
    orbit.alt_amsl_m = c->alt_amsl_m;
    orbit.given = true;
    if ((mf_finite(c->lat_deg) && mf_finite(c->lon_deg) && !is_place(c->lat_deg, c->lon_deg)) ||
        mf_abs(c->alt_amsl_m) > MF_ALTITUDE_MAX_M) {
        return mf_command_refuse(v, MF_E_DENIED, "Orbit denied: no such place");
    }
    if (!mf_datum_known(&v->hal, (struct mf_geo){c->lat_deg, c->lon_deg})) {
        return mf_command_refuse(v, MF_E_DENIED, "Orbit denied: " MF_DATUM_NONE);
    }
    const int err = mf_commander_request(v, now_us, MF_MODE_ORBIT, &here);
    if (err == MF_E_OK) {
        mf_navigator_set_orbit(&v->navigator, &orbit);
    }
    return err;
}

int mf_command_set_roi(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    struct mf_roi roi;
    const int err = mf_roi_of(c->id, c->param, (struct mf_geo){c->lat_deg, c->lon_deg}, &roi);
    if (err == MF_E_OK) {
        mf_navigator_set_roi(v, now_us, &roi);
    }
    return err;
}

/* A throttle (param3) is nothing that a multicopter could hold. */
int mf_command_change_speed(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
{
    if (c->param[1] > MF_SPEED_MAX_MPS) {
        return mf_command_refuse(v, MF_E_DENIED, "Speed denied: above 100 m/s");
    }
    mf_navigator_set_speed(v, now_us, c->param[1]);
    return MF_E_OK;
}

/* Set home, with param1 to the vehicle's place. Without a heading in range the old one stays. */
int mf_command_set_home(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us)
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
    const bool turned = mf_abs((double)c->param[3]) <= MF_YAW_MAX_DEG;
    const float yaw_rad = turned ? (float)mf_wrap_pi(mf_rad((double)c->param[3])) : v->home.yaw_rad;
    return mf_commander_home_at(v, now_us, place, c->alt_amsl_m, yaw_rad);
}
