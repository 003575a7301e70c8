/* SPDX-License-Identifier: Apache-2.0 */
/* Geometry of mission items, for nav_mission.c: places, circles, headings, and whether the mission
 * continues after an item without a stop. */
#include "firmware/core/param.h"
#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/nav.h"
#include "firmware/state/limits.h"
#include "firmware/state/nav.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* upper limit of radii; a larger one is ignored [m] */
#define RADIUS_MAX_M 1e6
#define CIRCLE_MIN_M 1.0 /* radius of the smallest circle */
/* Interval of checks of a heading that is not reached in time [s]. */
#define LOOK_S 0.05
/* A heading nearer than this to its tolerance is within it. */
#define YAW_NEAR_RAD 1e-6

static double param(const struct mf_item *item, int i)
{
    return (double)mf_f32_from_bits(item->param[i]);
}

double mf_nav_amsl_m(const struct mf_vehicle *v, const struct mf_item *item, double otherwise_m)
{
    const struct mf_datum datum = {&v->hal, &v->home, &v->estimate};
    return mf_item_amsl_m(&datum, item, otherwise_m);
}

/* Signed: positive is clockwise, seen from above. */
double mf_nav_circle_radius_m(const struct mf_params *p, const struct mf_item *item)
{
    const int kind = mf_item_kind(item->command);
    MF_ASSERT(kind == MF_ITEM_TURNS || kind == MF_ITEM_TO_ALT);
    /* 0 and NaN mean NAV_LOITER_RAD, as in PX4; its sign is the direction, too. */
    const double asked_m = param(item, kind == MF_ITEM_TURNS ? 2 : 1);
    const bool given = mf_abs(asked_m) > 0.0 && mf_abs(asked_m) <= RADIUS_MAX_M;
    const double radius_m = given ? asked_m : (double)mf_param_f(p, MF_PARAM_NAV_LOITER_RAD);
    if (mf_abs(radius_m) >= CIRCLE_MIN_M) {
        return radius_m;
    }
    return radius_m < 0.0 ? -CIRCLE_MIN_M : CIRCLE_MIN_M;
}

double mf_nav_next_bearing_rad(const struct mf_vehicle *v, const struct mf_item *item)
{
    MF_ASSERT(mf_abs(v->navigator.bearing_rad) <= MF_PI);
    const double step_rad = 2.0 * MF_PI / MF_CHORDS_PER_TURN;
    return mf_wrap_pi(v->navigator.bearing_rad +
                      (mf_nav_circle_radius_m(&v->params, item) < 0.0 ? -step_rad : step_rad));
}

/* Until the heading is within MIS_YAW_ERR of what the item says [s]; 0: it is, or does
 * not matter. */
double mf_nav_turn_left_s(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item,
                          const struct mf_leg *leg)
{
    const bool by_item = mf_item_kind(item->command) == MF_ITEM_YAW;
    const bool asked = by_item || mf_abs(param(item, 3)) <= MF_YAW_MAX_DEG;
    /* MIS_YAW_TMT lets PX4 go on without the heading; with one set, nothing waits for it here. */
    const bool ignored = !by_item && mf_param_f(&v->params, MF_PARAM_MIS_YAW_TMT) > 0.0f;
    if (!asked || ignored || !mf_finite((double)leg->yaw_rad) ||
        v->commander.landed == MF_LANDED_ON_GROUND) {
        return 0.0;
    }
    MF_ASSERT(leg->yaw_rate_rps > 0.0f);
    const double yaw_rad = (double)mf_estimate_at(v, t_us)->pose.yaw_rad;
    const double off_rad = mf_abs(mf_wrap_pi((double)leg->yaw_rad - yaw_rad)) -
                           mf_rad((double)mf_param_f(&v->params, MF_PARAM_MIS_YAW_ERR));
    const double left_s = off_rad / (double)leg->yaw_rate_rps;
    return off_rad > YAW_NEAR_RAD ? (left_s > LOOK_S ? left_s : LOOK_S) : 0.0;
}

/* Is this a waypoint at which nothing keeps the vehicle? */
static bool is_passed(const struct mf_item *item)
{
    const bool holds = item->command == MAV_CMD_NAV_WAYPOINT && param(item, 0) > 0.0;
    const bool passes =
        item->command == MAV_CMD_NAV_WAYPOINT || item->command == MAV_CMD_NAV_TAKEOFF;
    return passes && item->autocontinue != 0 && !holds;
}

/* The waypoint to which the mission goes on after item @p seq without a stop. */
static bool find_onward(const struct mf_vehicle *v, uint16_t seq, struct mf_item *item)
{
    MF_ASSERT(seq < v->mission.count);
    /* Jumps that lead in a circle end by the count: then the vehicle stops, and looks again from
     * there. */
    for (unsigned guard = 0; guard < MF_INSTANT_ITEMS_MAX; guard++) {
        const bool jumps = mf_item_kind(item->command) == MF_ITEM_JUMP;
        seq = jumps ? mf_mission_jump_target(&v->mission, seq, item) : (uint16_t)(seq + 1);
        if (mf_mission_get(&v->mission, &v->hal, seq, item) != MF_E_OK) {
            return false; /* the end */
        }
        switch ((enum mf_item_kind)mf_item_kind(item->command)) {
        case MF_ITEM_WAYPOINT:
        case MF_ITEM_LOITER_TIME:
        case MF_ITEM_LOITER_UNLIM:
            return true;
        case MF_ITEM_INSTANT:
        case MF_ITEM_ROI:
        case MF_ITEM_SPEED:
        case MF_ITEM_SET_HOME:
            if (item->autocontinue == 0) {
                return false;
            }
            break;
        case MF_ITEM_JUMP: /* whatever its autocontinue says */
            break;
        case MF_ITEM_TAKEOFF:
        case MF_ITEM_TURNS:
        case MF_ITEM_TO_ALT:
        case MF_ITEM_LAND:
        case MF_ITEM_RTL:
        case MF_ITEM_DELAY:
        case MF_ITEM_YAW:
        default:
            return false;
        }
    }
    return false;
}

/* A waypoint has its own, on a circle it is less than the chords are long. */
float mf_nav_mission_radius(const struct mf_vehicle *v)
{
    const float default_m = mf_param_f(&v->params, MF_PARAM_NAV_ACC_RAD);
    struct mf_item item;
    if (mf_mission_get(&v->mission, &v->hal, v->mission.current, &item) != MF_E_OK) {
        return default_m;
    }
    if (mf_item_kind(item.command) == MF_ITEM_TURNS) {
        const double chord_m =
            mf_abs(mf_nav_circle_radius_m(&v->params, &item)) * 2.0 * MF_PI / MF_CHORDS_PER_TURN;
        MF_ASSERT(chord_m > 0.0);
        return (float)mf_smaller((double)default_m, 0.25 * chord_m);
    }
    if (mf_item_kind(item.command) == MF_ITEM_TO_ALT) {
        return default_m + (float)mf_abs(mf_nav_circle_radius_m(&v->params, &item));
    }
    /* PX4 takes param2 of waypoints alone; other kinds have another meaning there. */
    const double own_m = param(&item, 1);
    const bool given = item.command == MAV_CMD_NAV_WAYPOINT && own_m > 0.0 && own_m <= RADIUS_MAX_M;
    return given ? (float)own_m : default_m;
}

/* The next chord of a circle. */
static bool onward_on_circle(const struct mf_vehicle *v, const struct mf_item *item,
                             const struct mf_leg *leg, struct mf_leg *onward)
{
    MF_ASSERT(mf_item_has_position(item));
    const struct mf_geo centre = mf_item_place(item);
    const double size_m = mf_abs(mf_nav_circle_radius_m(&v->params, item));
    const struct mf_geo next = mf_geo_direct(centre, mf_nav_next_bearing_rad(v, item), size_m);
    if (v->navigator.chords_left == 0) {
        return false;
    }
    *onward = *leg;
    onward->lat_deg = next.lat_deg;
    onward->lon_deg = next.lon_deg;
    return true;
}

/* At constant speed, true if the item's heading is reached later than its place. */
static bool waits_for_heading(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item,
                              const struct mf_leg *leg)
{
    const struct mf_leg here = mf_nav_leg(v, t_us);
    const double up_m = leg->alt_amsl_m - here.alt_amsl_m;
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){here.lat_deg, here.lon_deg},
                                                   (struct mf_geo){leg->lat_deg, leg->lon_deg});
    MF_ASSERT(leg->speed_h_mps > 0.0f && leg->speed_up_mps > 0.0f && leg->speed_down_mps > 0.0f);
    const double level_s = line.distance_m / (double)leg->speed_h_mps;
    const double climb_s =
        up_m > 0.0 ? up_m / (double)leg->speed_up_mps : -up_m / (double)leg->speed_down_mps;
    return !v->options.px4_motion &&
           mf_nav_turn_left_s(v, t_us, item, leg) > mf_larger(level_s, climb_s);
}

bool mf_nav_mission_onward(struct mf_vehicle *v, mf_us_t t_us, const struct mf_leg *leg,
                           struct mf_leg *onward)
{
    struct mf_item item;
    if (mf_mission_get(&v->mission, &v->hal, v->mission.current, &item) != MF_E_OK) {
        return false;
    }
    if (mf_item_kind(item.command) == MF_ITEM_TURNS) {
        return onward_on_circle(v, &item, leg, onward);
    }
    if (!is_passed(&item) || waits_for_heading(v, t_us, &item, leg) ||
        !find_onward(v, v->mission.current, &item) || !mf_item_has_position(&item)) {
        return false;
    }
    /* The speeds stay those of the present leg: a DO_CHANGE_SPEED in between holds from its own
     * turn on. */
    *onward = *leg;
    onward->lat_deg = mf_item_place(&item).lat_deg;
    onward->lon_deg = mf_item_place(&item).lon_deg;
    onward->alt_amsl_m = mf_nav_amsl_m(v, &item, leg->alt_amsl_m);
    return true;
}
