/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/commander.h"

#include "firmware/datum.h"
#include "firmware/vehicle.h"
#include "math/trig.h"

static mf_us_t seconds(float s)
{
    return (mf_us_t)((double)s * 1e6);
}

/* No disarming is due any more, nor the pass for it: a clock that jumps would stop there. What is
 * posted still is. */
static void cancel_disarming(struct mf_vehicle *v)
{
    v->commander.disarm_us = MF_NEVER;
    if (v->commander.posted == 0) {
        v->due_us[MF_TASK_COMMANDER] = MF_NEVER;
    }
}

/* On the ground after a flight: disarm soon, unless a mission goes on from here. */
static void disarm_after_landing(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_commander *c = &v->commander;
    const bool goes_on = c->mode == MF_MODE_MISSION && !v->mission.finished;
    const float delay_s = mf_param_f(v, MF_PARAM_COM_DISARM_LAND);
    if (c->armed && c->took_off && c->landed == MF_LANDED_ON_GROUND && !goes_on && delay_s > 0.0f &&
        c->disarm_us == MF_NEVER) {
        c->disarm_us = now_us + seconds(delay_s);
        mf_wake_at(v, MF_TASK_COMMANDER, c->disarm_us);
    }
}

/* A change of mode is announced here, once: whatever goes with it is in place before. @return
 * whether there was one */
static bool enter(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                  const struct mf_target *target)
{
    struct mf_commander *c = &v->commander;
    const enum mf_mode from = (enum mf_mode)c->mode;
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    if (mode != from) {
        c->mode = (uint8_t)mode;
        struct mf_text text = mf_text(mf_mode_info(from)->text);
        mf_text_add(&text, " -> ");
        mf_text_add(&text, mf_mode_info(mode)->text);
        mf_log_event(&v->hal, now_us, MF_INFO, "mode", text.s);
        mf_announce(v, now_us);
    }
    mf_navigator_begin(v, now_us, mode, target);
    disarm_after_landing(v, now_us);
    return mode != from;
}

/* Follow the transition table. @return whether the mode changed */
static bool follow(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event)
{
    const int to = mf_mode_next((enum mf_mode)v->commander.mode, event);
    return to >= 0 && enter(v, now_us, (enum mf_mode)to, NULL);
}

static bool stays_when_armed(const struct mf_vehicle *v)
{
    return v->options.px4_strict || mf_param_i(v, MF_PARAM_MF_ARM_MODE) == 1;
}

/* The place of take-off: home, unless a user set that, and the zero of relative altitude, which PX4
 * has at home. */
static void set_takeoff_place(struct mf_vehicle *v, mf_us_t now_us)
{
    if (!v->options.px4_strict || !v->home.manual) {
        v->home.takeoff_amsl_m = mf_estimate_at(v, now_us)->pose.alt_amsl_m;
    }
    mf_remote_id_take_off(v, now_us);
    if (v->home.manual || mf_param_i(v, MF_PARAM_COM_HOME_EN) == 0) {
        mf_news_tell(v, MF_NEWS_HOME_POSITION, now_us);
    } else {
        (void)mf_commander_home_here(v, now_us, false);
    }
}

/* The mode of an armed vehicle: that of the table, or, begun now, the one it is in. @return whether
 * the mode changed */
static bool enter_armed(struct mf_vehicle *v, mf_us_t now_us)
{
    const enum mf_mode mode = (enum mf_mode)v->commander.mode;
    const bool on_ground = v->commander.landed == MF_LANDED_ON_GROUND;
    if (on_ground && !stays_when_armed(v) && mf_mode_next(mode, MF_EV_ARMED) >= 0) {
        return follow(v, now_us, MF_EV_ARMED);
    }
    const struct mf_target asked = v->navigator.target; /* of a take-off asked for before arming */
    return enter(v, now_us, mode, &asked);
}

int mf_commander_arm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by)
{
    struct mf_commander *c = &v->commander;
    const bool on_ground = c->landed == MF_LANDED_ON_GROUND;
    if (c->armed) {
        return MF_E_OK;
    }
    const char *denial = mf_health_denial(v, now_us);
    if (denial[0] == '\0' && mf_airframe_arm(&v->hal, now_us, true) != MF_E_OK) {
        denial = "Preflight Fail: motors";
    }
    if (denial[0] != '\0') {
        mf_say(v, MF_CRITICAL, denial);
        mf_say(v, MF_CRITICAL, "Arming denied: Resolve system health failures first");
        return MF_E_AGAIN;
    }
    mf_estimate_forget(v);
    c->armed = true;
    c->armed_us = now_us;
    c->took_off = !on_ground; /* armed again in its fall */
    mf_signals_armed(v);
    mf_failsafe_set(v, now_us, MF_CAUSE_MANUAL_LOST, false);
    mf_failsafe_set(v, now_us, MF_CAUSE_OFFBOARD_LOST, false);
    const float idle_s = mf_param_f(v, MF_PARAM_COM_DISARM_PRFLT);
    c->disarm_us = MF_NEVER;
    if (on_ground && idle_s > 0.0f) {
        c->disarm_us = now_us + seconds(idle_s) + seconds(mf_param_f(v, MF_PARAM_COM_SPOOLUP_TIME));
        mf_wake_at(v, MF_TASK_COMMANDER, c->disarm_us);
    }
    if (on_ground) {
        set_takeoff_place(v, now_us);
    }
    mf_log_event(&v->hal, now_us, MF_INFO, "armed", "yes");
    mf_health_happened(v, now_us, MF_HAPPENING_ARMED, 0);
    mf_say(v, MF_INFO,
           by == MF_BY_MISSION_START ? "Armed by mission start" : "Armed by external command");
    if (!enter_armed(v, now_us)) {
        mf_announce(v, now_us);
    }
    mf_failsafe_restart(v, now_us);
    return MF_E_OK;
}

/* COM_FLIGHT_UUID names the flight that comes. */
static void count_flight(struct mf_vehicle *v)
{
    const int32_t flight = mf_param_i(v, MF_PARAM_COM_FLIGHT_UUID);
    mf_param_count(v, MF_PARAM_COM_FLIGHT_UUID, flight < INT32_MAX ? (uint32_t)flight + 1u : 0);
}

/* LND_FLIGHT_T_HI and _LO: all the time in the air. */
static void count_time(struct mf_vehicle *v, mf_us_t flown_us)
{
    const uint32_t high = (uint32_t)mf_param_i(v, MF_PARAM_LND_FLIGHT_T_HI);
    const uint32_t low = (uint32_t)mf_param_i(v, MF_PARAM_LND_FLIGHT_T_LO);
    const uint64_t all_us = ((uint64_t)high << 32 | low) + (uint64_t)flown_us;
    MF_ASSERT(flown_us >= 0);
    mf_param_count(v, MF_PARAM_LND_FLIGHT_T_HI, (uint32_t)(all_us >> 32) & (uint32_t)INT32_MAX);
    mf_param_count(v, MF_PARAM_LND_FLIGHT_T_LO, (uint32_t)all_us);
}

int mf_commander_disarm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by, bool force)
{
    static const char *const k_text[] = {
        [MF_BY_COMMAND] = "Disarmed by external command",
        [MF_BY_MISSION_START] = "Disarmed by external command",
        [MF_BY_LANDING] = "Disarmed by landing",
        [MF_BY_PREFLIGHT_TIMEOUT] = "Disarmed by auto preflight disarming",
        [MF_BY_FAILSAFE] = "Disarmed by failsafe",
    };
    struct mf_commander *c = &v->commander;
    MF_ASSERT((size_t)by < sizeof k_text / sizeof k_text[0]);
    if (!c->armed) {
        return MF_E_OK;
    }
    const bool flying = c->landed != MF_LANDED_ON_GROUND;
    if (flying && !force) {
        mf_say(v, MF_CRITICAL, "Disarming denied: not landed");
        return MF_E_AGAIN;
    }
    (void)mf_airframe_arm(&v->hal, now_us, false);
    mf_estimate_forget(v);
    c->armed = false;
    v->navigator.roi.kind = MF_ROI_NONE;
    c->failsafe = false;
    c->armed_us = 0;
    cancel_disarming(v);
    mf_failsafe_restart(v, now_us);
    count_flight(v);
    mf_log_event(&v->hal, now_us, MF_INFO, "armed", "no");
    mf_health_happened(v, now_us, MF_HAPPENING_DISARMED, 0);
    mf_say(v, MF_INFO, k_text[by]);
    if (!follow(v, now_us, MF_EV_DISARMED)) {
        mf_announce(v, now_us);
    }
    if (flying || v->navigator.phase != MF_NAV_IDLE) {
        mf_navigator_fall(v, now_us);
    }
    return MF_E_OK;
}

static int refuse_mode(struct mf_vehicle *v, enum mf_mode mode, const char *why, int err)
{
    struct mf_text text = mf_text("Switching to mode '");
    mf_text_add(&text, mf_mode_info(mode)->text);
    mf_text_add(&text, "' is currently not possible: ");
    mf_text_add(&text, why);
    mf_say(v, MF_CRITICAL, text.s);
    return err;
}

int mf_commander_request(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                         const struct mf_target *target)
{
    struct mf_commander *c = &v->commander;
    MF_ASSERT((unsigned)mode < MF_MODE_COUNT);
    if (mf_mode_next((enum mf_mode)c->mode,
                     (enum mf_event)((unsigned)MF_EV_REQUEST + (unsigned)mode)) < 0) {
        return refuse_mode(v, mode, "flight terminated", MF_E_DENIED);
    }
    if (c->armed) {
        const unsigned missing = mf_signals_needs(v, mode) & ~mf_health_have(v, now_us);
        if (missing != 0 && !(mode == (enum mf_mode)c->mode && target == NULL)) {
            return refuse_mode(v, mode, mf_need_text(missing), MF_E_AGAIN);
        }
    }
    const bool flown = mode == (enum mf_mode)c->mode && target == NULL;
    if (flown && !c->failsafe) {
        return MF_E_OK;
    }
    const struct mf_target none = mf_target_none();
    mf_failsafe_take_over(v);
    if (flown) { /* by a failsafe up to now */
        mf_commander_resume(v, now_us, mode);
    } else {
        c->failsafe = false;
        (void)enter(v, now_us, mode, target != NULL ? target : &none);
    }
    mf_failsafe_mode_changed(v, now_us);
    return MF_E_OK;
}

int mf_commander_set_mode(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode)
{
    const struct mf_commander *c = &v->commander;
    const bool blind = (mf_mode_info(mode)->needs & ~mf_health_have(v, now_us)) != 0;
    if (mode == MF_MODE_LAND && blind && c->armed && c->mode != MF_MODE_TERMINATION) {
        mf_failsafe_land(v, now_us);
        return MF_E_OK;
    }
    return mf_commander_request(v, now_us, mode, NULL);
}

void mf_commander_failsafe(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event)
{
    const bool news = !v->commander.failsafe;
    const int to = mf_mode_next((enum mf_mode)v->commander.mode, event);
    const bool other = to >= 0 && to != (int)v->commander.mode;
    const bool stops = to == MF_MODE_HOLD && (other || v->fence.breach != 0);
    v->commander.failsafe = true;
    if (stops) { /* whatever was flown, or the flight to a target in Hold */
        (void)enter(v, now_us, MF_MODE_HOLD, &v->fence.inside);
    } else if (other) {
        (void)follow(v, now_us, event);
    }
    mf_navigator_hurry(v, now_us);
    if (!other && news) {
        mf_announce(v, now_us);
    }
}

void mf_commander_resume(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode)
{
    const struct mf_target none = mf_target_none();
    v->commander.failsafe = false;
    if (mode == (enum mf_mode)v->commander.mode || !enter(v, now_us, mode, &none)) {
        mf_announce(v, now_us);
    }
}

int mf_commander_terminate(struct mf_vehicle *v, mf_us_t now_us)
{
    if (!v->commander.armed) {
        return MF_E_DENIED;
    }
    mf_say(v, MF_EMERGENCY, "Flight termination active");
    (void)mf_airframe_arm(&v->hal, now_us, false);
    mf_estimate_forget(v);
    (void)follow(v, now_us, MF_EV_TERMINATED);
    mf_failsafe_take_over(v); /* no cause, and no end of one, leads out of it */
    mf_navigator_fall(v, now_us);
    return MF_E_OK;
}

void mf_commander_post(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event)
{
    MF_ASSERT(event < MF_EV_REQUEST);
    v->commander.posted |= 1u << event;
    mf_wake_at(v, MF_TASK_COMMANDER, now_us);
}

static void took_off(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_commander *c = &v->commander;
    c->took_off = true;
    c->took_off_us = now_us;
    cancel_disarming(v);
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
    disarm_after_landing(v, now_us);
}

void mf_commander_set_landed(struct mf_vehicle *v, mf_us_t now_us, enum mf_landed landed)
{
    static const char *const k_text[] = {"undefined", "on ground", "in air", "takeoff", "landing"};
    struct mf_commander *c = &v->commander;
    MF_ASSERT(landed >= MF_LANDED_ON_GROUND && landed <= MF_LANDED_LANDING);
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

static void set_home(struct mf_vehicle *v, mf_us_t now_us, const struct mf_home *home)
{
    v->home = *home;
    v->home.valid = !v->faults.home_lost;
    v->home.hidden = v->faults.home_lost;
    v->home.set_us = now_us;
    mf_news_send(v, MF_NEWS_HOME_POSITION, now_us);
    mf_fence_home_moved(v, now_us);
}

static int deny_home(struct mf_vehicle *v)
{
    mf_say(v, MF_CRITICAL, "Home denied: " MF_DATUM_NONE);
    return MF_E_DENIED;
}

int mf_commander_home_here(struct mf_vehicle *v, mf_us_t now_us, bool manual)
{
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    if (!e->position) {
        return MF_E_AGAIN;
    }
    if (manual && !e->charted) {
        return deny_home(v);
    }
    struct mf_home home = v->home;
    home.manual = manual;
    home.lat_deg = e->pose.lat_deg;
    home.lon_deg = e->pose.lon_deg;
    home.alt_amsl_m = e->pose.alt_amsl_m;
    home.yaw_rad = e->pose.yaw_rad;
    if (manual && v->options.px4_strict) {
        home.takeoff_amsl_m = home.alt_amsl_m;
    }
    set_home(v, now_us, &home);
    return MF_E_OK;
}

int mf_commander_home_at(struct mf_vehicle *v, mf_us_t now_us, double lat_deg, double lon_deg,
                         double alt_amsl_m, float yaw_rad)
{
    if (!(mf_abs(lat_deg) <= 90.0 && mf_abs(lon_deg) <= 180.0 &&
          mf_abs(alt_amsl_m) <= MF_ALTITUDE_MAX_M)) {
        return MF_E_DENIED;
    }
    if (!mf_datum_known(v, lat_deg, lon_deg)) {
        return deny_home(v);
    }
    struct mf_home home = v->home;
    home.manual = true;
    home.lat_deg = lat_deg;
    home.lon_deg = lon_deg;
    home.alt_amsl_m = alt_amsl_m;
    home.yaw_rad = yaw_rad == yaw_rad ? yaw_rad : 0.0f;
    if (v->options.px4_strict) {
        home.takeoff_amsl_m = alt_amsl_m;
    }
    set_home(v, now_us, &home);
    return MF_E_OK;
}

void mf_commander_hide_home(struct mf_vehicle *v, mf_us_t now_us, bool hide)
{
    struct mf_home *home = &v->home;
    const bool known = home->valid || home->hidden;
    home->valid = known && !hide;
    home->hidden = known && hide;
    mf_news_tell(v, MF_NEWS_HOME_POSITION, now_us);
    mf_fence_home_moved(v, now_us);
}

void mf_commander_position_found(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_pose *pose = &mf_estimate_at(v, now_us)->pose;
    if (!v->origin_valid) {
        v->origin_valid = true;
        v->origin = (struct mf_geo){pose->lat_deg, pose->lon_deg};
        v->origin_amsl_m = pose->alt_amsl_m;
    }
    mf_failsafe_set(v, now_us, MF_CAUSE_POSITION, false);
    if (v->commander.armed) {
        mf_say(v, MF_INFO, "GNSS data fusion started");
    } else if (v->commander.landed == MF_LANDED_ON_GROUND) {
        set_takeoff_place(v, now_us);
    }
}

static void position_lost(struct mf_vehicle *v, mf_us_t now_us)
{
    if (v->commander.armed) {
        mf_say(v, MF_WARNING, "GNSS data fusion stopped");
    }
    mf_failsafe_set(v, now_us, MF_CAUSE_POSITION, true);
}

static void take_off_done(struct mf_vehicle *v, mf_us_t now_us)
{
    const bool on_to_mission = mf_param_i(v, MF_PARAM_COM_TAKEOFF_ACT) == 1 &&
                               (mf_health_have(v, now_us) & (unsigned)MF_NEED_MISSION) != 0;
    if (v->commander.mode == MF_MODE_TAKEOFF && on_to_mission) {
        (void)enter(v, now_us, MF_MODE_MISSION, NULL);
    } else {
        (void)follow(v, now_us, MF_EV_TAKEOFF_DONE);
    }
}

mf_us_t mf_commander_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_commander *c = &v->commander;
    const uint32_t posted = c->posted;
    c->posted = 0;
    for (int i = 0; i < MF_EV_REQUEST; i++) {
        if ((posted & 1u << i) == 0) {
            continue;
        }
        const enum mf_event event = (enum mf_event)i;
        if (event == MF_EV_POSITION_LOST) {
            position_lost(v, due_us);
        } else if (event == MF_EV_TAKEOFF_DONE) {
            take_off_done(v, due_us);
        } else {
            (void)follow(v, due_us, event);
        }
    }
    if (posted != 0) {
        mf_failsafe_mode_changed(v, due_us);
    }
    if (c->armed && c->disarm_us <= due_us && mf_navigator_flies(v)) {
        c->disarm_us = due_us + MF_SECOND_US; /* it is about to leave the ground */
    } else if (c->armed && c->disarm_us <= due_us) {
        c->disarm_us = MF_NEVER;
        (void)mf_commander_disarm(v, due_us, c->took_off ? MF_BY_LANDING : MF_BY_PREFLIGHT_TIMEOUT,
                                  false);
    }
    return mf_earlier(c->disarm_us, mf_failsafe_run(v, due_us));
}
