/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mode RTL, for navigator.c: up to the altitude of the return, to the destination, and down; or, by
 * RTL_TYPE, along items of the mission, each as a plain waypoint, to its landing or back home.
 * Source: PX4 rtl.cpp, rtl_direct.cpp, rtl_mission_fast.cpp, rtl_mission_fast_reverse.cpp.
 *
 * Other parts of items (waits, headings, cameras) are ignored on the way back, as in PX4, since a
 * return should be quick.
 */
#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/flight/destination.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/nav.h"
#include "firmware/flight/news.h"
#include "firmware/flight/state.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

/* ---- altitudes ---- */

/* PX4's altitudes of a return: in a cone around home, which narrows with the distance. */
static double cone_altitude(struct mf_vehicle *v, double distance_m)
{
    MF_ASSERT(distance_m >= 0.0);
    const double home_m = v->navigator.to.alt_amsl_m;
    const double full_m = home_m + (double)mf_param_f(&v->params, MF_PARAM_RTL_RETURN_ALT);
    const double radius_m = (double)mf_param_f(&v->params, MF_PARAM_NAV_ACC_RAD);
    const int32_t angle_deg = mf_param_i(&v->params, MF_PARAM_RTL_CONE_ANG);
    /* 90 degrees would be a cone without a height: its side is then as good as level. */
    const double angle_rad = mf_rad(angle_deg < 89 ? (double)angle_deg : 89.0);
    if (angle_deg <= 0) {
        return full_m;
    }
    if (distance_m <= radius_m) {
        return home_m + 2.0 * distance_m;
    }
    double to_m = full_m;
    if (distance_m <= (double)mf_param_f(&v->params, MF_PARAM_RTL_MIN_DIST)) {
        const double cone_m = home_m + distance_m * mf_cos(angle_rad) / mf_sin(angle_rad);
        to_m = cone_m < full_m ? cone_m : full_m;
    }
    return to_m > home_m + 2.0 * radius_m ? to_m : home_m + 2.0 * radius_m;
}

/* The altitude to return at: that of the cone, not above RTL_RETURN_ALT, but never below the
 * vehicle. */
static double return_altitude(struct mf_vehicle *v, double distance_m, double here_amsl_m)
{
    const double full_m =
        v->navigator.to.alt_amsl_m + (double)mf_param_f(&v->params, MF_PARAM_RTL_RETURN_ALT);
    const double cone_m = cone_altitude(v, distance_m);
    const double to_m = cone_m < full_m ? cone_m : full_m;
    MF_ASSERT(mf_finite(to_m));
    return to_m > here_amsl_m ? to_m : here_amsl_m; /* down only above the destination */
}

static void fly_home(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_leg leg = mf_nav_leg(v, t_us);
    MF_ASSERT(mf_finite(v->navigator.return_amsl_m));
    leg.lat_deg = v->navigator.to.lat_deg;
    leg.lon_deg = v->navigator.to.lon_deg;
    leg.alt_amsl_m = v->navigator.return_amsl_m;
    leg.yaw_rad = mf_nav_course(v, t_us, leg.lat_deg, leg.lon_deg);
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

/* ---- straight there ---- */

static void say_start(struct mf_vehicle *v)
{
    const struct mf_navigator *n = &v->navigator;
    struct mf_text text = mf_text("RTL: start return at ");
    mf_text_add_int(&text, mf_round_i32(n->return_amsl_m));
    mf_text_add(&text, " m (");
    mf_text_add_int(&text, mf_round_i32(n->return_amsl_m - n->to.alt_amsl_m));
    mf_text_add(&text, " m above destination)");
    mf_say(v, MF_INFO, text.s);
}

/* The last descent: mode LAND, or as PX4 still RTL. */
static void land_now(struct mf_vehicle *v, mf_us_t t_us)
{
    /* Clients that wait for the mode LAND see it by default; PX4 stays in RTL to the ground. */
    if (v->options.px4_strict || mf_param_i(&v->params, MF_PARAM_MF_RTL_LAND_MODE) == 1) {
        mf_nav_land(v, t_us);
    } else {
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
        mf_commander_post(v, t_us, MF_EV_ABOVE_HOME);
    }
}

/* Begin the last descent, above home. */
static void return_lands(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_say(v, MF_INFO, "RTL: land at destination");
    land_now(v, t_us);
}

/* Wait above home for RTL_LAND_DELAY; a negative delay does not end. */
static void wait_above_home(struct mf_vehicle *v, mf_us_t t_us)
{
    const float delay_s = mf_param_f(&v->params, MF_PARAM_RTL_LAND_DELAY);
    if (delay_s < 0.0f) {
        mf_say(v, MF_INFO, "RTL: completed, loitering");
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    } else {
        mf_nav_wait(v, t_us, (double)delay_s);
    }
}

static void above_home(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.to.way == MF_BACK_DIRECT);
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const double here_m = leg.alt_amsl_m;
    /* Straight down from the place that was aimed at, not from where the body is within
     * its radius. */
    leg.lat_deg = v->navigator.leg.lat_deg;
    leg.lon_deg = v->navigator.leg.lon_deg;
    leg.alt_amsl_m =
        v->navigator.to.alt_amsl_m + (double)mf_param_f(&v->params, MF_PARAM_RTL_DESCEND_ALT);
    if (mf_param_f(&v->params, MF_PARAM_RTL_LAND_DELAY) == 0.0f) {
        return_lands(v, t_us);
    } else if (leg.alt_amsl_m < here_m) {
        (void)mf_nav_fly(v, t_us, MF_NAV_DESCEND, &leg);
    } else {
        wait_above_home(v, t_us);
    }
}

/* ---- along the mission ---- */

/* Is it flown to? A take-off happens where the vehicle is, unless it is back at its place. */
static bool leads_somewhere(const struct mf_item *item)
{
    return mf_item_moves(item->command) && mf_item_has_position(item);
}

/* The next item of the way from @p seq on, this one included. @return whether there is one */
static bool find_item(const struct mf_vehicle *v, int32_t seq, struct mf_item *item,
                      uint16_t *found)
{
    const bool back = v->navigator.to.way == MF_BACK_REVERSE;
    /* only returns along the mission have items */
    MF_ASSERT(v->navigator.to.way != MF_BACK_DIRECT);
    for (; seq >= 0 && seq < v->mission.count; seq += back ? -1 : 1) {
        if (mf_mission_get(&v->mission, &v->hal, (uint16_t)seq, item) != MF_E_OK) {
            return false;
        }
        const int kind = mf_item_kind(item->command);
        *found = (uint16_t)seq;
        if (back && (kind == MF_ITEM_LAND || kind == MF_ITEM_TAKEOFF)) {
            continue;
        }
        if (leads_somewhere(item) || kind == MF_ITEM_LAND) {
            return true;
        }
    }
    return false;
}

/* The item that is nearest, in all three dimensions. */
static uint16_t nearest_item(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    uint16_t nearest = 0;
    double least_m2 = 0.0;
    struct mf_item item;
    bool found = false;
    MF_ASSERT(pose->lat_deg >= -90.0 && pose->lat_deg <= 90.0);
    for (uint16_t i = 0; i < v->mission.count; i++) {
        if (mf_mission_get(&v->mission, &v->hal, i, &item) != MF_E_OK || !leads_somewhere(&item)) {
            continue;
        }
        /* squares do: which is nearest does not need a root */
        const double up_m = mf_nav_amsl_m(v, &item, pose->alt_amsl_m) - pose->alt_amsl_m;
        const double far_m =
            mf_geo_inverse((struct mf_geo){pose->lat_deg, pose->lon_deg}, mf_item_place(&item))
                .distance_m;
        const double m2 = far_m * far_m + up_m * up_m;
        if (!found || m2 < least_m2) {
            found = true;
            least_m2 = m2;
            nearest = i;
        }
    }
    return nearest;
}

/* Nothing of the mission is left, or the mission itself is not: home, as high as it is. */
static void go_home(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    n->to = (struct mf_destination){
        .lat_deg = v->home.lat_deg, .lon_deg = v->home.lon_deg, .alt_amsl_m = v->home.alt_amsl_m};
    n->return_amsl_m = mf_estimate_at(v, t_us)->pose.alt_amsl_m;
    fly_home(v, t_us);
}

/* Down to the ground at the mission's landing; then it is done. */
static void land_by_mission(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_mission_finish(&v->mission);
    mf_news_tell(v, MF_NEWS_MISSION_CURRENT, t_us);
    land_now(v, t_us);
}

/* Fly to the next item from @p seq on. */
static void fly_item(struct mf_vehicle *v, mf_us_t t_us, int32_t seq)
{
    struct mf_navigator *n = &v->navigator;
    struct mf_item item;
    uint16_t found;
    /* The items of a mission that replaced this one do not lead back from here. */
    if (n->item_tag != v->mission.tag || !find_item(v, seq, &item, &found)) {
        go_home(v, t_us);
        return;
    }
    const int kind = mf_item_kind(item.command);
    MF_ASSERT(found < v->mission.count);
    struct mf_leg leg = mf_nav_leg(v, t_us);
    n->item_seq = found;
    mf_mission_go_on(&v->mission, found);
    mf_news_tell(v, MF_NEWS_MISSION_CURRENT, t_us);
    if (!mf_item_has_position(&item)) { /* a landing where it is */
        land_by_mission(v, t_us);
        return;
    }
    leg.lat_deg = mf_item_place(&item).lat_deg;
    leg.lon_deg = mf_item_place(&item).lon_deg;
    /* The vehicle flies to these two at its present altitude, and changes it at the place. */
    if (kind != MF_ITEM_LAND && kind != MF_ITEM_TO_ALT) {
        leg.alt_amsl_m = mf_nav_amsl_m(v, &item, leg.alt_amsl_m);
    }
    leg.yaw_rad = mf_nav_course(v, t_us, leg.lat_deg, leg.lon_deg);
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

/* Continue after reaching the place of an item, or its altitude. */
static void item_done(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    struct mf_item item;
    MF_ASSERT(n->phase == MF_NAV_FLY || n->phase == MF_NAV_DESCEND);
    if (n->item_tag != v->mission.tag ||
        mf_mission_get(&v->mission, &v->hal, n->item_seq, &item) != MF_E_OK) {
        go_home(v, t_us);
        return;
    }
    const int kind = mf_item_kind(item.command);
    struct mf_leg leg = mf_nav_leg_aimed(v, t_us);
    if (kind == MF_ITEM_LAND) {
        land_by_mission(v, t_us);
    } else if (kind == MF_ITEM_TO_ALT && n->phase == MF_NAV_FLY) {
        leg.alt_amsl_m = mf_nav_amsl_m(v, &item, leg.alt_amsl_m);
        (void)mf_nav_fly(v, t_us, MF_NAV_DESCEND, &leg);
    } else {
        mf_mission_reached(v, n->item_seq, t_us);
        fly_item(v, t_us, n->item_seq + (n->to.way == MF_BACK_REVERSE ? -1 : 1));
    }
}

/* The first item: of the landing; the one that was flown, or back, the one before it; or, if none
 * was, the nearest. */
static void begin_way(struct mf_vehicle *v, mf_us_t t_us)
{
    const struct mf_navigator *n = &v->navigator;
    const int32_t now = n->from_mission ? v->mission.current : (int32_t)nearest_item(v, t_us);
    /* The item that was being flown was not reached yet: the way back begins with the
     * one before. */
    const bool one_back = n->from_mission && n->to.way == MF_BACK_REVERSE && now > 0;
    fly_item(v, t_us,
             n->to.way == MF_BACK_LANDING ? v->mission.survey.land_start
                                          : now - (one_back ? 1 : 0));
}

/* ---- from phase to phase ---- */

void mf_nav_return_start(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    MF_ASSERT(n->mode == MF_MODE_RTL);
    if (v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_stay(v, t_us);
        return;
    }
    const struct mf_bounds bounds = mf_bounds_of(v);
    n->to = mf_destination_choose(&v->mission, &bounds, mf_estimate_at(v, t_us));
    n->item_tag = v->mission.tag;
    if (n->to.way == MF_BACK_FORWARD || n->to.way == MF_BACK_REVERSE) {
        begin_way(v, t_us);
        return;
    }
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){leg.lat_deg, leg.lon_deg},
                                                   (struct mf_geo){n->to.lat_deg, n->to.lon_deg});
    n->return_amsl_m = return_altitude(v, line.distance_m, leg.alt_amsl_m);
    say_start(v);
    if (leg.alt_amsl_m < n->return_amsl_m) {
        leg.alt_amsl_m = n->return_amsl_m;
        (void)mf_nav_fly(v, t_us, MF_NAV_CLIMB, &leg);
    } else if (n->to.way == MF_BACK_LANDING) {
        begin_way(v, t_us);
    } else {
        fly_home(v, t_us);
    }
}

void mf_nav_return_done(struct mf_vehicle *v, mf_us_t t_us)
{
    MF_ASSERT(v->navigator.mode == MF_MODE_RTL);
    const bool direct = v->navigator.to.way == MF_BACK_DIRECT;
    switch ((enum mf_nav_phase)v->navigator.phase) {
    case MF_NAV_CLIMB:
        if (direct) {
            fly_home(v, t_us);
        } else {
            begin_way(v, t_us);
        }
        break;
    case MF_NAV_FLY:
        if (direct) {
            above_home(v, t_us);
        } else {
            item_done(v, t_us);
        }
        break;
    case MF_NAV_DESCEND:
        if (direct) {
            wait_above_home(v, t_us);
        } else {
            item_done(v, t_us);
        }
        break;
    case MF_NAV_WAIT:
        return_lands(v, t_us);
        break;
    case MF_NAV_LAND:
    case MF_NAV_IDLE:
    case MF_NAV_FALL:
    case MF_NAV_BRAKE:
    case MF_NAV_STEER:
    default:
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
        break;
    }
}
