/* SPDX-License-Identifier: Apache-2.0 */
/* MISSION: one item after the other. What an item starts and what ends it follows from its kind
 * (mission.h). */
#include "firmware/nav.h"
#include "firmware/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <string.h>

/* Nearer than this a landing site needs no flight to it [m]. */
#define SAME_PLACE_M 0.1
/* A greater acceptance radius is none [m]. */
#define RADIUS_MAX_M 1e6

static double param(const struct mf_item *item, int i)
{
    return (double)mf_f32_from_bits(item->param[i]);
}

static void finish(struct mf_vehicle *v, mf_us_t t_us)
{
    v->mission.finished = true;
    mf_say(v, MF_INFO,
           v->commander.landed == MF_LANDED_ON_GROUND ? "Mission finished, landed"
                                                      : "Mission finished, loitering");
    mf_stream_broadcast(v, MF_STREAM_MISSION_CURRENT, t_us);
    mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    mf_commander_post(v, t_us, MF_EV_MISSION_DONE);
}

/* The mission was cleared, cannot be flown or cannot be read: stop here. */
static void give_up(struct mf_vehicle *v, mf_us_t t_us)
{
    mf_say(v, MF_WARNING, "Mission stopped: nothing to fly");
    mf_nav_stay(v, t_us);
    mf_commander_post(v, t_us, MF_EV_MISSION_DONE);
}

/* ---- items ---- */

static struct mf_leg leg_to(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    struct mf_leg leg = mf_nav_leg(v, t_us);
    leg.alt_amsl_m = mf_item_amsl_m(v, item, leg.alt_amsl_m);
    if (mf_item_has_position(item)) {
        leg.lat_deg = (double)item->x / 1e7;
        leg.lon_deg = (double)item->y / 1e7;
        leg.yaw_rad = mf_nav_course(v, t_us, leg.lat_deg, leg.lon_deg);
    }
    const double yaw_deg = param(item, 3);
    if (mf_finite(yaw_deg) && mf_abs(yaw_deg) <= 36000.0) {
        leg.yaw_rad = (float)mf_wrap_pi(mf_rad(yaw_deg));
    }
    return leg;
}

static void start_takeoff(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const double to_m = mf_item_amsl_m(v, item, leg.alt_amsl_m);
    if (to_m <= leg.alt_amsl_m) { /* in the air and high enough already */
        mf_nav_wait(v, t_us, 0.0);
        return;
    }
    leg.alt_amsl_m = to_m;
    (void)mf_nav_fly(v, t_us, MF_NAV_CLIMB, &leg);
}

/* First to the landing site, at the present altitude; the descent follows when that phase is done.
 */
static void start_land(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    const struct mf_leg here = mf_nav_leg(v, t_us);
    struct mf_leg leg = leg_to(v, t_us, item);
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){here.lat_deg, here.lon_deg},
                                                   (struct mf_geo){leg.lat_deg, leg.lon_deg});
    if (v->commander.landed == MF_LANDED_ON_GROUND) {
        mf_nav_wait(v, t_us, 0.0);
        return;
    }
    if (!mf_item_has_position(item) || line.distance_m < SAME_PLACE_M) {
        mf_nav_land(v, t_us);
        return;
    }
    leg.alt_amsl_m = here.alt_amsl_m;
    (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
}

/* The counter of the DO_JUMP item @p seq: its own, or a free one. @return NULL if all are taken */
static uint16_t *jump_counter(struct mf_mission *m, uint16_t seq)
{
    uint16_t *free_one = NULL;
    for (unsigned i = 0; i < MF_JUMPS_MAX; i++) {
        if (m->jump[i].done > 0 && m->jump[i].seq == seq) {
            return &m->jump[i].done;
        }
        if (m->jump[i].done == 0 && free_one == NULL) {
            m->jump[i].seq = seq;
            free_one = &m->jump[i].done;
        }
    }
    return free_one;
}

/* How often the DO_JUMP item @p seq was taken. */
static uint16_t jumps_done(const struct mf_mission *m, uint16_t seq)
{
    for (unsigned i = 0; i < MF_JUMPS_MAX; i++) {
        if (m->jump[i].done > 0 && m->jump[i].seq == seq) {
            return m->jump[i].done;
        }
    }
    return 0;
}

/* DO_JUMP: to param1, param2 times (-1: for ever). @return the item to go on with after @p done
 * times */
static uint16_t jump_target(const struct mf_vehicle *v, uint16_t seq, const struct mf_item *item,
                            uint16_t done)
{
    const double to = param(item, 0);
    const double times = param(item, 1);
    const bool exists = to >= 0.0 && to < (double)v->mission.count;
    if (exists && (times < 0.0 || (double)done < times)) {
        return (uint16_t)to;
    }
    return (uint16_t)(seq + 1);
}

/* The same, and it is counted. */
static uint16_t jump(struct mf_vehicle *v, uint16_t seq, const struct mf_item *item)
{
    const uint16_t next = (uint16_t)(seq + 1);
    const double to = param(item, 0);
    if (!(to >= 0.0 && to < (double)v->mission.count) || param(item, 1) < 0.0) {
        return jump_target(v, seq, item, 0);
    }
    uint16_t *done = jump_counter(&v->mission, seq);
    if (done == NULL) {
        mf_say(v, MF_WARNING, "Mission: too many DO_JUMP items, jump ignored");
        return next;
    }
    if (!((double)*done < param(item, 1))) {
        *done = 0; /* a later pass through the same loop counts anew */
        return next;
    }
    (*done)++;
    return (uint16_t)to;
}

/* From the ground to a waypoint: straight up first, to MIS_TAKEOFF_ALT above home, as PX4. @return
 * whether it does */
static bool climbs_first(struct mf_vehicle *v, mf_us_t t_us)
{
    const double height_m = (double)mf_param_f(v, MF_PARAM_MIS_TAKEOFF_ALT);
    struct mf_leg leg = mf_nav_leg(v, t_us);
    const double here_m = leg.alt_amsl_m;
    leg.alt_amsl_m = v->home.alt_amsl_m + height_m;
    if (v->commander.landed != MF_LANDED_ON_GROUND || leg.alt_amsl_m <= here_m) {
        return false;
    }
    struct mf_text text = mf_text("Climb to ");
    mf_text_add_float(&text, height_m, 1);
    mf_text_add(&text, " meters above home");
    mf_say(v, MF_INFO, text.s);
    return mf_nav_fly(v, t_us, MF_NAV_CLIMB, &leg);
}

static void start_waypoint(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    v->navigator.climb_first = climbs_first(v, t_us);
    if (!v->navigator.climb_first) {
        const struct mf_leg leg = leg_to(v, t_us, item);
        (void)mf_nav_fly(v, t_us, MF_NAV_FLY, &leg);
    }
}

static void change_speed(struct mf_vehicle *v, const struct mf_item *item)
{
    const double speed_mps = param(item, 1);
    v->navigator.speed_mps =
        speed_mps > 0.0 && speed_mps <= (double)MF_SPEED_MAX_MPS ? (float)speed_mps : 0.0f;
}

static void start_item(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    struct mf_item item;
    n->item_seq = v->mission.current;
    n->item_tag = v->mission.tag;
    n->climb_first = false;
    if (mf_mission_get(v, v->mission.current, &item) != MF_E_OK) {
        give_up(v, t_us);
        return;
    }
    switch ((enum mf_item_kind)mf_item_kind(item.command)) {
    case MF_ITEM_TAKEOFF:
        start_takeoff(v, t_us, &item);
        break;
    case MF_ITEM_WAYPOINT:
    case MF_ITEM_LOITER_TIME:
    case MF_ITEM_LOITER_UNLIM:
        start_waypoint(v, t_us, &item);
        break;
    case MF_ITEM_LAND:
        start_land(v, t_us, &item);
        break;
    case MF_ITEM_DELAY:
        mf_nav_wait(v, t_us, param(&item, 0));
        break;
    case MF_ITEM_SPEED:
        change_speed(v, &item);
        mf_nav_wait(v, t_us, 0.0);
        break;
    case MF_ITEM_INSTANT:
    case MF_ITEM_RTL:
    case MF_ITEM_JUMP:
    default:
        mf_nav_wait(v, t_us, 0.0);
        break;
    }
}

/* ---- corners ---- */

/* Is this a waypoint at which nothing keeps the vehicle? */
static bool is_passed(const struct mf_item *item)
{
    return item->command == MAV_CMD_NAV_WAYPOINT && item->autocontinue != 0 &&
           !(param(item, 0) > 0.0);
}

/* The waypoint to which the mission goes on after item @p seq without a stop. */
static bool find_onward(const struct mf_vehicle *v, uint16_t seq, struct mf_item *item)
{
    for (unsigned guard = 0; guard < MF_INSTANT_ITEMS_MAX; guard++) {
        const bool jumps = mf_item_kind(item->command) == MF_ITEM_JUMP;
        seq = jumps ? jump_target(v, seq, item, jumps_done(&v->mission, seq)) : (uint16_t)(seq + 1);
        if (mf_mission_get(v, seq, item) != MF_E_OK) {
            return false; /* the end */
        }
        switch ((enum mf_item_kind)mf_item_kind(item->command)) {
        case MF_ITEM_WAYPOINT:
        case MF_ITEM_LOITER_TIME:
        case MF_ITEM_LOITER_UNLIM:
            return true;
        case MF_ITEM_INSTANT:
        case MF_ITEM_SPEED:
        case MF_ITEM_JUMP:
            if (item->autocontinue == 0) {
                return false;
            }
            break;
        case MF_ITEM_TAKEOFF:
        case MF_ITEM_LAND:
        case MF_ITEM_RTL:
        case MF_ITEM_DELAY:
        default:
            return false;
        }
    }
    return false;
}

bool mf_nav_mission_onward(const struct mf_vehicle *v, struct mf_leg *leg, struct mf_leg *onward)
{
    struct mf_item item;
    if (mf_mission_get(v, v->mission.current, &item) != MF_E_OK || !is_passed(&item)) {
        return false;
    }
    const double radius_m = param(&item, 1);
    if (!find_onward(v, v->mission.current, &item) || !mf_item_has_position(&item)) {
        return false;
    }
    leg->radius_m = radius_m > 0.0 && radius_m <= RADIUS_MAX_M
                        ? (float)radius_m
                        : mf_param_f(v, MF_PARAM_NAV_ACC_RAD);
    *onward = *leg;
    onward->lat_deg = (double)item.x / 1e7;
    onward->lon_deg = (double)item.y / 1e7;
    onward->alt_amsl_m = mf_item_amsl_m(v, &item, leg->alt_amsl_m);
    return true;
}

/* ---- from item to item ---- */

static void go_on(struct mf_vehicle *v, mf_us_t t_us, uint16_t next)
{
    if (next >= v->mission.count) {
        finish(v, t_us);
        return;
    }
    v->mission.current = next;
    mf_stream_broadcast(v, MF_STREAM_MISSION_CURRENT, t_us);
    start_item(v, t_us);
}

static void complete_item(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item)
{
    struct mf_mission *m = &v->mission;
    const uint16_t seq = m->current;
    const int kind = mf_item_kind(item->command);
    mf_mission_reached(v, seq, t_us);
    if (kind == MF_ITEM_RTL) {
        m->finished = seq + 1 >= m->count;
        mf_stream_broadcast(v, MF_STREAM_MISSION_CURRENT, t_us);
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
        mf_commander_post(v, t_us, MF_EV_MISSION_RTL);
    } else if (item->autocontinue == 0 && seq + 1 < m->count) {
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    } else {
        go_on(v, t_us, kind == MF_ITEM_JUMP ? jump(v, seq, item) : (uint16_t)(seq + 1));
    }
}

/* Whoever begins in the middle flies at the speed that the items before ask for, as in PX4. */
static void repeat_speed(struct mf_vehicle *v)
{
    struct mf_item item;
    for (uint16_t i = v->mission.current; i > 0; i--) {
        if (mf_mission_get(v, (uint16_t)(i - 1), &item) == MF_E_OK &&
            mf_item_kind(item.command) == MF_ITEM_SPEED) {
            change_speed(v, &item);
            return;
        }
    }
}

void mf_nav_mission_start(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_mission *m = &v->mission;
    struct mf_text why;
    MF_ASSERT(m->current <= m->count);
    if (v->navigator.item_tag != m->tag) {
        v->navigator.speed_mps = 0.0f; /* another mission's */
    }
    v->navigator.item_seq = m->current;
    v->navigator.item_tag = m->tag;
    if (!mf_mission_feasible(v, &why)) {
        give_up(v, t_us);
        return;
    }
    if (m->finished) {
        m->finished = false;
        m->current = 0;
        m->reached = -1;
        memset(m->jump, 0, sizeof m->jump);
    }
    mf_say(v, MF_INFO, "Executing Mission");
    mf_stream_broadcast(v, MF_STREAM_MISSION_CURRENT, t_us);
    mf_nav_stay(v, t_us); /* whatever was flown: items that do not move wait here */
    repeat_speed(v);
    start_item(v, t_us);
}

void mf_nav_mission_done(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_navigator *n = &v->navigator;
    struct mf_item item;
    if (n->climb_first) {
        start_item(v, t_us);
        return;
    }
    if (mf_mission_get(v, v->mission.current, &item) != MF_E_OK) {
        give_up(v, t_us);
        return;
    }
    const int kind = mf_item_kind(item.command);
    const bool arrived = n->phase == MF_NAV_FLY;
    if (arrived && kind == MF_ITEM_LAND) {
        mf_nav_land(v, t_us);
    } else if (arrived && kind == MF_ITEM_LOITER_UNLIM) {
        mf_nav_set_phase(v, t_us, MF_NAV_IDLE);
    } else if (arrived && (kind == MF_ITEM_WAYPOINT || kind == MF_ITEM_LOITER_TIME) &&
               param(&item, 0) > 0.0) {
        mf_nav_wait(v, t_us, param(&item, 0));
    } else {
        if (kind == MF_ITEM_LAND) {
            mf_nav_set_phase(v, t_us, MF_NAV_IDLE); /* touched down */
        }
        complete_item(v, t_us, &item);
    }
}
