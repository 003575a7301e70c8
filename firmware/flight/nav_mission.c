/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MISSION: one item after the other. What an item starts and what ends it follows from its kind
 * (items.h).
 *
 * An item has up to three phases: to its place, to its altitude or heading, and a wait. Items that
 * move nothing have one wait of 0 s, so that all go the same way: start, done, reached, next. Many
 * of them happen at one instant; the navigator's task bounds how many (navigator.c).
 */
#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/home.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/flight/state.h"
#include "firmware/link/say.h"
#include "firmware/state/limits.h"
#include "firmware/state/nav.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* Nearer than this a landing site needs no flight to it [m]. */
#define SAME_PLACE_M 0.1
/* Highest acceleration towards the centre of a circle, for a body with inertia [m/s^2]. */
#define CIRCLE_ACC_MPS2 2.0

static double param(const struct mf_item *item, int i)
{
    return (double)mf_f32_from_bits(item->param[i]);
}

/* PX4 leaves Mission at the end only in the air. Landed, and disarmed, it stays: arming takes off.
 */
static bool stays_in_mission(const struct mf_vehicle *v)
{
    MF_ASSERT(v->mission.finished);
    return v->options.px4_strict && v->commander.landed == MF_LANDED_ON_GROUND;
}

static void say_finished(struct mf_vehicle *v)
{
    mf_say(v, MF_INFO,
           v->commander.landed == MF_LANDED_ON_GROUND ? "Mission finished, landed"
                                                      : "Mission finished, loitering");
}

/* The commander decides what comes after a mission; until then the vehicle holds where it is. */
static void finish(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_mission_finish(&v->mission);
    say_finished(v);
    mf_news_tell(v, MF_NEWS_MISSION_CURRENT, t_us);
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    if (stays_in_mission(v)) {
        mf_state_disarm_after_landing(v, t_us);
    } else {
        mf_commander_post(v, t_us, MF_EV_MISSION_DONE);
    }
}

/* The mission is finished, was cleared, cannot be flown or cannot be read: stop here. */
static void give_up(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_say(v, MF_CRITICAL,
           v->commander.landed == MF_LANDED_ON_GROUND
               ? "No valid mission available, refusing takeoff"
               : "No valid mission available, loitering");
    mf_nav_stay(v, t_us);
    mf_commander_post(v, t_us, MF_EV_MISSION_DONE);
}

/* ---- items ---- */

static struct mf_leg leg_to(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    struct mf_leg leg = mf_nav_leg(v, t_us);
    MF_ASSERT(!leg.velocity && !leg.land);
    leg.alt_amsl_m = mf_nav_amsl_m(v, item, leg.alt_amsl_m);
    /* An item without a place is flown at the vehicle's place, as a take-off or landing is. */
    if (mf_item_has_position(item)) {
        const struct mf_geo place = mf_item_place(item);
        leg.lat_deg = place.lat_deg;
        leg.lon_deg = place.lon_deg;
        leg.yaw_rad = mf_nav_course(v, t_us, leg.lat_deg, leg.lon_deg);
    }
    /* NaN, which means "along the way", fails the comparison. */
    const double yaw_deg = param(item, 3);
    if (mf_abs(yaw_deg) <= MF_YAW_MAX_DEG) {
        leg.yaw_rad = (float)mf_wrap_pi(mf_rad(yaw_deg));
    }
    return leg;
}

/* Horizontal distance between the targets of two legs. */
static double distance_m(const struct mf_leg *from, const struct mf_leg *to)
{
    return mf_geo_inverse((struct mf_geo){from->lat_deg, from->lon_deg},
                          (struct mf_geo){to->lat_deg, to->lon_deg})
        .distance_m;
}

/* First to the landing site, at the present altitude; the descent follows when that phase
 * is done. */
static void start_land(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(mf_item_kind(item->command) == MF_ITEM_LAND);
    const struct mf_leg here = mf_nav_leg(v, t_us);
    struct mf_leg leg = leg_to(v, t_us, item);
    const double way_m = distance_m(&here, &leg);
    if (v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_wait(v, t_us, 0.0);
        return;
    }
    if (!mf_item_has_position(item) || way_m < SAME_PLACE_M) {
        mf_nav_land(v, t_us);
        return;
    }
    v->navigator.moves_to_land = way_m > (double)mf_nav_mission_radius(v);
    /* PX4 lands from the height at which it arrives: the item's own altitude is that of
     * the ground. */
    leg.alt_amsl_m = here.alt_amsl_m;
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

/* The item to fly instead of a DO_JUMP at @p seq, which is never current: where it leads, and so
 * on.
 * @param take  count the jumps @return the number of items: the mission is over */
static uint16_t beyond_jumps(struct mf_vehicle *v, uint16_t seq, bool take)
{
    struct mf_mission *m = &v->mission;
    struct mf_item item;
    for (unsigned guard = 0; guard < MF_INSTANT_ITEMS_MAX; guard++) {
        if (mf_mission_get(m, &v->hal, seq, &item) != MF_E_OK ||
            mf_item_kind(item.command) != MF_ITEM_JUMP) {
            return seq;
        }
        if (!take) {
            seq = mf_mission_jump_target(m, seq, &item);
        } else if (mf_mission_jump(m, seq, &item, &seq) == MF_E_FULL) {
            mf_say(v, MF_WARNING, "Mission: too many DO_JUMP, one ignored");
        }
    }
    return m->count;
}

/* Is the item higher than the vehicle by more than the acceptance radius? Then a mission that
 * begins with it climbs first, as in PX4. */
static bool is_higher(const struct mf_vehicle *v, double to_m, double here_m)
{
    return to_m - here_m > (double)mf_param_f(&v->params, MF_PARAM_NAV_MC_ALT_RAD);
}

static void say_climb(struct mf_vehicle *v, double to_m)
{
    struct mf_text text = mf_text("Climb to ");
    MF_ASSERT(mf_finite(to_m));
    mf_text_add_float(&text, to_m - v->home.alt_amsl_m, 1);
    mf_text_add(&text, " meters above home");
    mf_say(v, MF_INFO, text.s);
}

/* Straight up to the altitude of an item with a position: when the mission is activated, and from
 * the ground. @return whether it does */
static bool climbs_first(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    struct mf_navigator *n = &v->navigator;
    const bool asked = n->climb == MF_CLIMB_ASKED || v->commander.landed == MF_LANDED_ON_GROUND;
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const double here_m = leg.alt_amsl_m;
    leg.alt_amsl_m = mf_nav_amsl_m(v, item, here_m);
    n->climb = MF_CLIMB_NONE;
    if (!asked || !is_higher(v, leg.alt_amsl_m, here_m)) {
        return false;
    }
    say_climb(v, leg.alt_amsl_m);
    /* The item begins again when that climb is done. */
    n->climb = MF_CLIMB_FLOWN;
    return mf_nav_fly(v, t_us, MF_NAV_CLIMB, &leg);
}

static void start_takeoff(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(mf_item_kind(item->command) == MF_ITEM_TAKEOFF);
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const double to_m = mf_nav_amsl_m(v, item, leg.alt_amsl_m);
    if (v->options.px4_strict && v->navigator.climb == MF_CLIMB_ASKED &&
        is_higher(v, to_m, leg.alt_amsl_m)) {
        say_climb(v, to_m);
    }
    v->navigator.climb = MF_CLIMB_NONE;
    if (to_m <= leg.alt_amsl_m) { /* in the air and high enough already */
        mf_nav_wait(v, t_us, 0.0);
        return;
    }
    leg.alt_amsl_m = to_m;
    (void)mf_nav_fly(v, t_us, MF_NAV_CLIMB, &leg);
}

/* ---- circles ---- */

/* A leg to the point of the circle at navigator.bearing_rad. */
static struct mf_leg leg_to_circle(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(mf_item_has_position(item));
    const struct mf_geo centre = mf_item_place(item);
    const double size_m = mf_abs(mf_nav_circle_radius_m(&v->params, item));
    const struct mf_geo point = mf_geo_direct(centre, v->navigator.bearing_rad, size_m);
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const double fastest_mps = mf_sqrt(CIRCLE_ACC_MPS2 * size_m);
    /* A body with inertia keeps to the circle only if its speed needs no more than that (v^2
     * / r). */
    if (v->options.px4_motion && (double)leg.speed_h_mps > fastest_mps) {
        leg.speed_h_mps = (float)fastest_mps;
    }
    leg.lat_deg = point.lat_deg;
    leg.lon_deg = point.lon_deg;
    leg.alt_amsl_m = mf_nav_amsl_m(v, item, leg.alt_amsl_m);
    leg.yaw_rad = mf_nav_course(v, t_us, leg.lat_deg, leg.lon_deg);
    return leg;
}

/* Make a leg to the nearest point of a circle. */
static struct mf_leg enter_circle(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(mf_item_kind(item->command) == MF_ITEM_TURNS);
    const struct mf_leg here = mf_nav_leg(v, t_us);
    const double turns = param(item, 0);
    const struct mf_geo centre = mf_item_place(item);
    const struct mf_geo_line out =
        mf_geo_inverse(centre, (struct mf_geo){here.lat_deg, here.lon_deg});
    const double limited = turns > 0.0 ? (turns < MF_TURNS_MAX ? turns : MF_TURNS_MAX) : 0.0;
    /* From the centre, all points are equally near: the northern one is used. */
    v->navigator.chords_left = (uint16_t)(limited * MF_CHORDS_PER_TURN + 0.5);
    v->navigator.bearing_rad = out.distance_m > SAME_PLACE_M ? out.azimuth_from_rad : 0.0;
    return leg_to_circle(v, t_us, item);
}

static void fly_chord(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(v->navigator.chords_left > 0);
    v->navigator.bearing_rad = mf_nav_next_bearing_rad(v, item);
    v->navigator.chords_left--;
    const struct mf_leg leg = leg_to_circle(v, t_us, item);
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

/* ---- places ---- */

static void start_waypoint(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(mf_item_moves(item->command));
    const struct mf_leg leg = mf_item_kind(item->command) == MF_ITEM_TURNS
                                  ? enter_circle(v, t_us, item)
                                  : leg_to(v, t_us, item);
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

static void start_turn(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(mf_item_kind(item->command) == MF_ITEM_YAW);
    struct mf_leg leg = mf_nav_leg_aimed(v, t_us);
    const double yaw_deg = param(item, 0);
    const double now_rad = (double)mf_estimate_at(v, t_us)->pose.yaw_rad;
    const bool relative = param(item, 3) > 0.0;
    if (v->commander.landed != MF_LANDED_ON_GROUND && mf_abs(yaw_deg) <= MF_YAW_MAX_DEG) {
        const double turn_rad = mf_rad(param(item, 2) < 0.0 ? -yaw_deg : yaw_deg);
        leg.yaw_rad = (float)mf_wrap_pi(relative ? now_rad + turn_rad : mf_rad(yaw_deg));
        (void)mf_nav_fly(v, t_us, MF_NAV_WAIT, &leg);
    }
    mf_nav_wait(v, t_us, 0.0);
}

static void change_speed(struct mf_vehicle *v, const struct mf_item *item)
{
    const double speed_mps = param(item, 1);
    v->navigator.speed_mps =
        speed_mps > 0.0 && speed_mps <= (double)MF_SPEED_MAX_MPS ? (float)speed_mps : 0.0f;
}

/* Set home, like the command of the same name. */
static void set_home(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(mf_item_kind(item->command) == MF_ITEM_SET_HOME);
    const double yaw_deg = param(item, 3);
    const bool turned = mf_abs(yaw_deg) <= MF_YAW_MAX_DEG;
    if (mf_param_i(&v->params, MF_PARAM_COM_HOME_EN) == 0) {
        return;
    }
    if (param(item, 0) > 0.5) {
        (void)mf_commander_home_here(v, t_us, true);
    } else if (mf_item_has_position(item)) {
        const struct mf_geo place = mf_item_place(item);
        (void)mf_commander_home_at(v, t_us, place, mf_nav_amsl_m(v, item, v->home.alt_amsl_m),
                                   turned ? (float)mf_wrap_pi(mf_rad(yaw_deg)) : v->home.yaw_rad);
    }
}

/* Also one that PX4 does not turn to ends the one before. */
static void set_roi(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    const float params[7] = {mf_f32_from_bits(item->param[0]), [6] = mf_f32_from_bits(item->z)};
    struct mf_roi roi;
    if (mf_roi_of(item->command, params, mf_item_place(item), &roi) != MF_E_OK) {
        roi.kind = MF_ROI_NONE;
    }
    mf_navigator_set_roi(v, t_us, &roi);
}

static void start_item(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    MF_ASSERT(v->mission.current <= v->mission.count);
    struct mf_item item;
    /* The tag tells a mission that was replaced meanwhile from this one, whatever its items are. */
    n->item_seq = v->mission.current;
    n->item_tag = v->mission.tag;
    n->chords_left = 0;
    n->moves_to_land = false;
    if (mf_mission_get(&v->mission, &v->hal, v->mission.current, &item) != MF_E_OK) {
        give_up(v, t_us);
        return;
    }
    const int kind = mf_item_kind(item.command);
    const bool lands = kind == MF_ITEM_LAND && v->commander.landed == MF_LANDED_ON_GROUND;
    if (kind > MF_ITEM_TAKEOFF && kind <= MF_ITEM_LAND && !lands && climbs_first(v, t_us, &item)) {
        return;
    }
    switch ((enum mf_item_kind)kind) {
    case MF_ITEM_TAKEOFF:
        start_takeoff(v, t_us, &item);
        break;
    case MF_ITEM_WAYPOINT:
    case MF_ITEM_LOITER_TIME:
    case MF_ITEM_LOITER_UNLIM:
    case MF_ITEM_TURNS:
    case MF_ITEM_TO_ALT:
        start_waypoint(v, t_us, &item);
        break;
    case MF_ITEM_LAND:
        start_land(v, t_us, &item);
        break;
    case MF_ITEM_DELAY:
        mf_nav_wait(v, t_us, param(&item, 0));
        break;
    case MF_ITEM_YAW:
        start_turn(v, t_us, &item);
        break;
    case MF_ITEM_SPEED:
        change_speed(v, &item);
        mf_nav_wait(v, t_us, 0.0);
        break;
    case MF_ITEM_SET_HOME:
        set_home(v, t_us, &item);
        mf_nav_wait(v, t_us, 0.0);
        break;
    case MF_ITEM_ROI:
        set_roi(v, t_us, &item);
        mf_nav_wait(v, t_us, 0.0);
        break;
    case MF_ITEM_INSTANT:
    case MF_ITEM_RTL:
    case MF_ITEM_JUMP: /* none is current */
    default:
        mf_nav_wait(v, t_us, 0.0);
        break;
    }
}

/* ---- from item to item ---- */

static void continue_mission(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    const uint16_t next = beyond_jumps(v, (uint16_t)(v->mission.current + 1), true);
    if (next >= v->mission.count) {
        finish(v, t_us);
        return;
    }
    if (next <= v->mission.current) {
        n->loops = n->looped_us == t_us;
        n->looped_us = t_us;
    }
    mf_mission_go_on(&v->mission, next);
    mf_news_tell(v, MF_NEWS_MISSION_CURRENT, t_us);
    start_item(v, t_us);
}

/* True if a landing is reported as reached before the descent: PX4 counts the way to the place
 * only. */
static bool reports_before_descent(const struct mf_vehicle *v)
{
    MF_ASSERT(v->mission.current < v->mission.count);
    return v->options.px4_strict && v->navigator.moves_to_land;
}

/* A mission whose last item it is counts as finished before the vehicle is at home. */
static void return_home(struct mf_vehicle *v, mf_us_t t_us)
{
    const bool last = v->mission.current + 1 >= v->mission.count;
    if (last) {
        mf_mission_finish(&v->mission);
    }
    if (last && v->options.px4_strict) {
        say_finished(v);
    }
    if (v->options.px4_strict) {
        mf_say(v, MF_INFO, "Returning to launch");
    }
    mf_news_tell(v, MF_NEWS_MISSION_CURRENT, t_us);
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    mf_commander_post(v, t_us, MF_EV_MISSION_RTL);
}

static void complete_item(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    const struct mf_mission *m = &v->mission;
    const uint16_t seq = m->current;
    const int kind = mf_item_kind(item->command);
    MF_ASSERT(seq < m->count);
    if (!(kind == MF_ITEM_LAND && reports_before_descent(v))) {
        mf_mission_reached(v, seq, t_us);
    }
    if (kind == MF_ITEM_RTL) {
        return_home(v, t_us);
    } else if (item->autocontinue == 0 && seq + 1 < m->count) { /* until a client chooses an item */
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    } else {
        continue_mission(v, t_us);
    }
}

/* Set the speed of the items before the current one, as PX4 does for a start in the middle of a
 * mission. */
static void repeat_speed(struct mf_vehicle *v)
{
    MF_ASSERT(v->mission.current <= v->mission.count);
    struct mf_item item;
    for (uint16_t i = v->mission.current; i > 0; i--) {
        if (mf_mission_get(&v->mission, &v->hal, (uint16_t)(i - 1), &item) == MF_E_OK &&
            mf_item_kind(item.command) == MF_ITEM_SPEED) {
            change_speed(v, &item);
            return;
        }
    }
}

void mf_nav_mission_start(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_mission *m = &v->mission;
    struct mf_text why;
    MF_ASSERT(m->current <= m->count);
    if (v->navigator.item_tag != m->tag) {
        v->navigator.speed_mps = 0.0f; /* another mission's */
    }
    v->navigator.item_seq = m->current;
    v->navigator.item_tag = m->tag;
    const struct mf_bounds bounds = mf_bounds_of(v);
    if (mf_mission_activate(&v->mission)) {
        mf_navigator_forget_roi(&v->navigator);
    }
    /* Finished it stays until the vehicle is disarmed, or a client chooses an item. */
    if (!mf_mission_feasible(m, &bounds, &why) || m->finished) {
        give_up(v, t_us);
        return;
    }
    mf_mission_resume(&v->mission, &v->hal);
    const uint16_t first = beyond_jumps(v, m->current, false);
    if (first >= m->count) {
        finish(v, t_us);
        return;
    }
    mf_mission_go_on(&v->mission, first);
    v->navigator.looped_us = t_us;
    mf_say(v, MF_INFO, "Executing Mission");
    mf_news_tell(v, MF_NEWS_MISSION_CURRENT, t_us);
    mf_nav_stay(v, t_us); /* whatever was flown: items that do not move wait here */
    repeat_speed(v);
    start_item(v, t_us);
}

/* ---- from phase to phase of an item ---- */

/* Turn to the item's heading at its place. A plan that leads on past the place is replaced by one
 * that ends there. @return true: the vehicle turns */
static bool turns(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    struct mf_navigator *n = &v->navigator;
    const double left_s = mf_nav_turn_left_s(v, t_us, item, &n->leg);
    MF_ASSERT(n->mode == MF_MODE_MISSION);
    if (left_s <= 0.0) {
        return false;
    }
    if (n->passes) {
        const struct mf_leg leg = n->leg;
        (void)mf_nav_fly(v, t_us, MF_NAV_WAIT, &leg);
    }
    mf_nav_wait(v, t_us, left_s);
    return true;
}

/* Wait at the item. Its time counts from the arrival, as in PX4, and the vehicle turns meanwhile.
 * @return true: it waits */
static bool stays(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    MF_ASSERT(t_us >= v->navigator.arrived_us);
    const double past_s = (double)(t_us - v->navigator.arrived_us) * 1e-6;
    const double left_s = param(item, 0) - past_s;
    if (!(left_s >= 1e-6)) {
        return false;
    }
    mf_nav_wait(v, t_us, left_s);
    return true;
}

/* PX4 flies from the top of a take-off to the item's place, if that is elsewhere. */
static bool goes_to_takeoff_place(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    if (!v->options.px4_strict) {
        return false;
    }
    const struct mf_leg here = mf_nav_leg(v, t_us);
    struct mf_leg leg = leg_to(v, t_us, item);
    leg.yaw_rad = mf_nav_course(v, t_us, leg.lat_deg, leg.lon_deg); /* whatever the item's param4 */
    return distance_m(&here, &leg) > (double)mf_nav_mission_radius(v) &&
           mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

/* A place below the ground is never reached: PX4 lands above it, and stays armed in its mission.
 * @return whether it is one */
static bool ends_on_ground(struct mf_vehicle *v, mf_us_t t_us, int kind)
{
    const struct mf_navigator *n = &v->navigator;
    const double ground_m = mf_estimate_at(v, t_us)->pose.ground_amsl_m;
    if (kind < MF_ITEM_WAYPOINT || kind > MF_ITEM_TO_ALT || kind == MF_ITEM_TURNS) {
        return false;
    }
    if (n->phase == MF_NAV_LAND) {
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE); /* until a client chooses another item */
    } else if (is_higher(v, ground_m, n->leg.alt_amsl_m)) {
        mf_nav_land(v, t_us);
    } else {
        return false;
    }
    return true;
}

/* A phase of the item is over. @return whether another one of it begins */
static bool next_phase(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    struct mf_navigator *n = &v->navigator;
    MF_ASSERT(n->mode == MF_MODE_MISSION && n->phase <= MF_NAV_STEER);
    const int kind = mf_item_kind(item->command);
    const bool arrived = n->phase == MF_NAV_FLY;
    if (arrived) {
        n->arrived_us = t_us;
    }
    if (ends_on_ground(v, t_us, kind)) {
        return true;
    }
    if (kind == MF_ITEM_WAYPOINT || kind == MF_ITEM_LOITER_TIME) {
        return turns(v, t_us, item) || stays(v, t_us, item);
    }
    if (kind == MF_ITEM_YAW) {
        return turns(v, t_us, item);
    }
    if (kind == MF_ITEM_TAKEOFF) {
        return !arrived && goes_to_takeoff_place(v, t_us, item);
    }
    if (!arrived) {
        return false;
    }
    if (kind == MF_ITEM_LAND) {
        if (reports_before_descent(v)) {
            mf_mission_reached(v, v->mission.current, t_us);
        }
        mf_nav_land(v, t_us);
    } else if (kind == MF_ITEM_LOITER_UNLIM) {
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    } else if (kind == MF_ITEM_TURNS && n->chords_left > 0) {
        fly_chord(v, t_us, item);
    } else {
        return false;
    }
    return true;
}

void mf_nav_mission_done(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    MF_ASSERT(n->mode == MF_MODE_MISSION);
    struct mf_item item;
    if (n->climb == MF_CLIMB_FLOWN) {
        start_item(v, t_us);
        return;
    }
    if (mf_mission_get(&v->mission, &v->hal, v->mission.current, &item) != MF_E_OK) {
        give_up(v, t_us);
        return;
    }
    if (next_phase(v, t_us, &item)) {
        return;
    }
    if (mf_item_kind(item.command) == MF_ITEM_LAND) {
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE); /* touched down */
    }
    complete_item(v, t_us, &item);
}
