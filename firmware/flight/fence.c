/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long nothing can happen follows from the distance to the border and the greatest speed. So a
 * look ahead goes along the plan in such steps, and there is nothing in between that it could miss;
 * what is left near the border is found by bisection.
 */
#include "firmware/flight/fence.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/navigator.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"
#include "math/polygon.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* Steps of a look ahead: an excursion that is shorter than the smallest may go unseen [us]. */
#define STEP_MIN_US (10 * MF_MS_US)
#define STEP_MAX_US (60 * MF_SECOND_US)
/* When so many are used up, another look ahead goes on. */
#define STEPS_MAX 256
/* What does not know its future, or drifts, is looked at like that, as in PX4 [us]. */
#define POLL_US (200 * MF_MS_US)
/* Where there is no border [m]. */
#define NOWHERE_M 1e12
/* Longest prediction [s]. */
#define LEAD_MAX_S 30.0
/* A predicted breach holds so far in front of the border [m]. */
#define STOP_M 0.1

/* GF_ACTION */
enum { ACT_NONE, ACT_WARN, ACT_HOLD, ACT_RETURN };

/* Greatest speeds under the present plan. */
struct pace {
    double h_mps;
    double v_mps;
};

/* Where only the place matters. */
static const struct pace k_any = {1.0, 1.0};

/* A place as the fence sees it. */
struct view {
    unsigned breach; /* of enum mf_breach */
    mf_us_t calm_us; /* for so long that cannot change */
};

/* ---- zones ---- */

static bool is_vertex(uint16_t command)
{
    return command == MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION ||
           command == MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION;
}

static bool is_circle(uint16_t command)
{
    return command == MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION ||
           command == MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION;
}

static bool includes(uint16_t command)
{
    return command == MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION ||
           command == MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION;
}

static float param1(const struct mf_item *item)
{
    return mf_f32_from_bits(item->param[0]);
}

bool mf_fence_goes_on(struct mf_fence_part *part, const struct mf_item *item, uint16_t after)
{
    const bool vertex = is_vertex(item->command);
    const int32_t count = vertex ? mf_round_i32((double)param1(item)) : 0;
    MF_ASSERT(part != NULL);
    if (vertex && !((float)count == param1(item) && count > 0 && count <= UINT16_MAX)) {
        return false;
    }
    if (part->left == 0 && vertex) {
        *part = (struct mf_fence_part){item->command, (uint16_t)count, (uint16_t)count};
    }
    if (part->left > 0) {
        part->left--;
        return vertex && item->command == part->command && count == part->count &&
               part->left <= after;
    }
    return true;
}

/* Zone by zone through the store. */
struct zones {
    const struct mf_vehicle *v;
    struct mf_geo here;
    uint16_t at; /* index of the next item */
    struct mf_item item;
};

/* @return whether there is another item */
static bool next_item(struct zones *z)
{
    return z->at < z->v->fence.items &&
           mf_store_get(&z->v->hal, MF_STORE_FENCE, z->at++, &z->item) == MF_E_OK;
}

/* The polygon whose first vertex was read. */
static double polygon_depth(struct zones *z)
{
    const uint16_t command = z->item.command;
    const int32_t count = mf_round_i32((double)param1(&z->item));
    MF_ASSERT(is_vertex(command));
    struct mf_polygon polygon;
    mf_polygon_begin(&polygon, z->here);
    mf_polygon_add(&polygon, mf_item_place(&z->item));
    for (int32_t i = 1; i < count && next_item(z) && z->item.command == command; i++) {
        mf_polygon_add(&polygon, mf_item_place(&z->item));
    }
    return mf_polygon_depth(&polygon);
}

static double circle_depth(const struct zones *z)
{
    MF_ASSERT(is_circle(z->item.command));
    return (double)param1(&z->item) - mf_geo_inverse(z->here, mf_item_place(&z->item)).distance_m;
}

/* How far inside all zones a place is [m], negative outside. */
static double zones_depth(const struct mf_vehicle *v, struct mf_geo here)
{
    MF_ASSERT(v->fence.items > 0);
    struct zones z = {.v = v, .here = here};
    double included_m = -NOWHERE_M; /* in the best of them */
    double excluded_m = NOWHERE_M;
    bool included = false;
    while (next_item(&z)) {
        const uint16_t command = z.item.command;
        if (!is_vertex(command) && !is_circle(command)) {
            continue;
        }
        const double depth_m = is_circle(command) ? circle_depth(&z) : polygon_depth(&z);
        if (includes(command)) {
            included = true;
            included_m = depth_m > included_m ? depth_m : included_m;
        } else {
            excluded_m = -depth_m < excluded_m ? -depth_m : excluded_m;
        }
    }
    return included && included_m < excluded_m ? included_m : excluded_m;
}

double mf_fence_depth_m(const struct mf_vehicle *v, struct mf_geo here)
{
    return v->fence.items > 0 ? zones_depth(v, here) : NOWHERE_M;
}

/* ---- one place ---- */

static void consider(struct view *view, enum mf_breach kind, double margin_m, double speed_mps)
{
    const double calm_us = mf_abs(margin_m) / speed_mps * 1e6;
    MF_ASSERT(speed_mps > 0.0);
    if (margin_m < 0.0) {
        view->breach |= (unsigned)kind;
    }
    if (calm_us < (double)view->calm_us) {
        view->calm_us = (mf_us_t)calm_us;
    }
}

/* The greatest distance from home [m]; 0: any. */
static double max_distance_m(const struct mf_vehicle *v)
{
    const float set_m = mf_param_f(&v->params, MF_PARAM_GF_MAX_HOR_DIST);
    return (double)(set_m > 0.0f || v->fence.included ? set_m : v->imposed.leash_m);
}

/* @param max_h_m  from home; 0: no matter */
static struct view look_at(const struct mf_vehicle *v, struct mf_geo here, double alt_amsl_m,
                           double max_h_m, const struct pace *pace)
{
    /* divided by */
    MF_ASSERT(pace->h_mps > 0.0 && pace->v_mps > 0.0);
    const double max_v_m = (double)mf_param_f(&v->params, MF_PARAM_GF_MAX_VER_DIST);
    struct view view = {.calm_us = STEP_MAX_US};
    if (max_h_m > 0.0 && v->home.valid) {
        const struct mf_geo home = {v->home.lat_deg, v->home.lon_deg};
        consider(&view, MF_BREACH_DISTANCE, max_h_m - mf_geo_inverse(home, here).distance_m,
                 pace->h_mps);
    }
    if (max_v_m > 0.0 && v->home.valid) {
        consider(&view, MF_BREACH_ALTITUDE, v->home.alt_amsl_m + max_v_m - alt_amsl_m, pace->v_mps);
    }
    if (v->fence.items > 0) {
        consider(&view, MF_BREACH_ZONE, zones_depth(v, here), pace->h_mps);
    }
    return view;
}

/* As it is watched. */
static struct view watch_at(const struct mf_vehicle *v, struct mf_geo here, double alt_amsl_m,
                            const struct pace *pace)
{
    return look_at(v, here, alt_amsl_m, max_distance_m(v), pace);
}

/* As it was set. */
static unsigned breach_at(const struct mf_vehicle *v, struct mf_geo here, double alt_amsl_m)
{
    const double max_h_m = (double)mf_param_f(&v->params, MF_PARAM_GF_MAX_HOR_DIST);
    return look_at(v, here, alt_amsl_m, max_h_m, &k_any).breach;
}

/* ---- along the plan ---- */

static double horizontal_mps(const struct mf_pose *pose)
{
    const double north = (double)pose->vel_ned_mps[0];
    const double east = (double)pose->vel_ned_mps[1];
    return mf_length2(north, east);
}

/* Nothing that the navigator asks for makes it faster; a body whose motors are off falls. */
static struct pace pace_of(const struct mf_vehicle *v, const struct mf_pose *pose)
{
    const double down_mps = (double)pose->vel_ned_mps[2];
    struct pace pace = {
        mf_larger(horizontal_mps(pose), (double)mf_param_f(&v->params, MF_PARAM_MPC_XY_VEL_MAX)),
        mf_larger(mf_abs(down_mps), (double)mf_param_f(&v->params, MF_PARAM_MPC_Z_VEL_MAX_UP)),
    };
    if (v->navigator.planned) {
        const struct mf_leg *leg = &v->navigator.leg;
        pace.h_mps = mf_larger(pace.h_mps, (double)leg->speed_h_mps);
        pace.v_mps = mf_larger(pace.v_mps, (double)leg->speed_up_mps);
        pace.v_mps = mf_larger(pace.v_mps, (double)leg->speed_down_mps);
    }
    if (v->navigator.phase == MF_NAV_FALL) {
        const double height_m = mf_larger(pose->alt_amsl_m - pose->ground_amsl_m, 0.0);
        pace.v_mps =
            mf_larger(pace.v_mps, mf_sqrt(down_mps * down_mps + 2.0 * MF_GRAVITY_MPS2 * height_m));
    }
    return pace;
}

static bool at_rest(const struct mf_pose *pose)
{
    bool rest = true;
    for (unsigned i = 0; i < 3; i++) {
        rest = rest && pose->vel_ned_mps[i] == 0.0f && pose->acc_ned_mps2[i] == 0.0f;
    }
    return rest;
}

/* PX4's time to brake: jerk and acceleration of automatic flight [s]. */
static double braking_s(const struct mf_vehicle *v, double speed_mps, enum mf_param accel)
{
    return speed_mps / (2.0 * (double)mf_param_f(&v->params, accel)) +
           (double)mf_param_f(&v->params, accel) /
               (double)mf_param_f(&v->params, MF_PARAM_MPC_JERK_AUTO);
}

/* How long before a crossing it must brake to stop in front of it. */
static mf_us_t braking_us(const struct mf_vehicle *v, double h_mps, double up_mps)
{
    const double h_s = h_mps > 0.0 ? braking_s(v, h_mps, MF_PARAM_MPC_ACC_HOR) : 0.0;
    const double up_s = up_mps > 0.0 ? braking_s(v, up_mps, MF_PARAM_MPC_ACC_DOWN_MAX) : 0.0;
    const double lead_s = mf_larger(h_s, up_s);
    return (mf_us_t)((lead_s < LEAD_MAX_S ? lead_s : LEAD_MAX_S) * 1e6);
}

static mf_us_t lead_of(const struct mf_vehicle *v, const struct mf_pose *pose)
{
    return braking_us(v, horizontal_mps(pose), -(double)pose->vel_ned_mps[2]);
}

/* The next instant at which the plan crosses a border. */
struct crossing {
    mf_us_t at_us;       /* MF_NEVER: none */
    bool sure;           /* false: none before that, look again then */
    bool guessed;        /* the body does not know its future */
    struct mf_pose pose; /* there */
    unsigned breach;     /* from then on */
};

static struct view look_ahead(struct mf_vehicle *v, mf_us_t t_us, const struct pace *pace,
                              struct mf_pose *pose)
{
    mf_estimate_ahead(&v->estimate, &v->hal, t_us, pose);
    return watch_at(v, (struct mf_geo){pose->lat_deg, pose->lon_deg}, pose->alt_amsl_m, pace);
}

/* It is @p breach at one time and no longer at another: the first instant at which it is not. */
static struct crossing bisect(struct mf_vehicle *v, mf_us_t same_us, mf_us_t other_us,
                              unsigned breach, const struct pace *pace)
{
    MF_ASSERT(same_us < other_us);
    struct crossing found = {.sure = true};
    while (other_us - same_us > 1) {
        const mf_us_t middle_us = same_us + (other_us - same_us) / 2;
        if (look_ahead(v, middle_us, pace, &found.pose).breach == breach) {
            same_us = middle_us;
        } else {
            other_us = middle_us;
        }
    }
    found.at_us = other_us;
    found.breach = look_ahead(v, other_us, pace, &found.pose).breach;
    return found;
}

/* Of a body that does not know its future: where it is in @p ahead_us if it goes on like that. */
static struct crossing guess(const struct mf_vehicle *v, mf_us_t from_us, mf_us_t ahead_us,
                             const struct mf_pose *pose)
{
    MF_ASSERT(ahead_us >= 0);
    const double ahead_s = (double)ahead_us * 1e-6;
    const struct mf_geo there = mf_geo_from_local((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                  (double)pose->vel_ned_mps[0] * ahead_s,
                                                  (double)pose->vel_ned_mps[1] * ahead_s);
    const double alt_amsl_m = pose->alt_amsl_m - (double)pose->vel_ned_mps[2] * ahead_s;
    const unsigned breach = watch_at(v, there, alt_amsl_m, &k_any).breach;
    return (struct crossing){.at_us = from_us + (breach != 0 ? ahead_us : POLL_US),
                             .sure = breach != 0,
                             .guessed = true,
                             .pose = *pose,
                             .breach = breach};
}

/* From a pose and the view from there. @param need_us  look at least that far */
static struct crossing next_crossing(struct mf_vehicle *v, mf_us_t from_us, mf_us_t need_us,
                                     const struct pace *pace, struct mf_pose pose, struct view view)
{
    MF_ASSERT(need_us >= from_us);
    mf_us_t end_us = MF_NEVER;
    const unsigned breach = view.breach;
    if (mf_airframe_next(&v->hal, from_us, MF_WHEN_ARRIVED, 0.0, &end_us) != MF_E_OK) {
        return guess(v, from_us, lead_of(v, &pose), &pose);
    }
    mf_us_t t_us = from_us;
    for (int i = 0; i < STEPS_MAX || t_us <= need_us; i++) {
        if (at_rest(&pose) && (end_us == MF_NEVER || end_us <= t_us)) {
            return (struct crossing){.at_us = MF_NEVER, .sure = true};
        }
        const mf_us_t next_us = t_us + (view.calm_us > STEP_MIN_US ? view.calm_us : STEP_MIN_US);
        view = look_ahead(v, next_us, pace, &pose);
        if (view.breach != breach) {
            return bisect(v, t_us, next_us, breach, pace);
        }
        t_us = next_us;
    }
    return (struct crossing){.at_us = t_us};
}

/* ---- before it happens ---- */

/* A place on the way there, a little in front of it. */
static struct mf_target stop_before(struct mf_vehicle *v, mf_us_t now_us,
                                    const struct crossing *next)
{
    MF_ASSERT(next->sure && next->at_us != MF_NEVER);
    const double down_mps = (double)next->pose.vel_ned_mps[2];
    const double h_mps = horizontal_mps(&next->pose);
    const double speed_mps = mf_length2(h_mps, down_mps);
    const double early_us = speed_mps > STOP_M ? STOP_M / speed_mps * 1e6 : 1e6;
    mf_us_t at_us = next->at_us - (mf_us_t)early_us;
    struct mf_target target = mf_target_none();
    struct mf_pose pose;
    at_us = at_us > now_us ? at_us : now_us;
    mf_estimate_ahead(&v->estimate, &v->hal, at_us, &pose);
    target.lat_deg = pose.lat_deg;
    target.lon_deg = pose.lon_deg;
    target.alt_amsl_m = pose.alt_amsl_m;
    return target;
}

/* ---- the watch ---- */

/* Is there a limit around home? */
static bool is_limited(const struct mf_vehicle *v)
{
    return mf_param_f(&v->params, MF_PARAM_GF_MAX_HOR_DIST) > 0.0f ||
           mf_param_f(&v->params, MF_PARAM_GF_MAX_VER_DIST) > 0.0f;
}

static bool exists(const struct mf_vehicle *v)
{
    return v->fence.items > 0 || is_limited(v);
}

bool mf_fence_watched(const struct mf_vehicle *v)
{
    return mf_param_i(&v->params, MF_PARAM_GF_ACTION) != ACT_NONE &&
           (exists(v) || max_distance_m(v) > 0.0);
}

const char *mf_fence_text(unsigned breach)
{
    if ((breach & MF_BREACH_DISTANCE) != 0) {
        return "Geofence: exceeding maximum distance to Home";
    }
    return (breach & MF_BREACH_ALTITUDE) != 0 ? "Geofence: exceeding maximum altitude above Home"
                                              : "Geofence: approaching or outside geofence";
}

/* The breach is another now. What begins is counted, once. */
static void set_breach(struct mf_vehicle *v, mf_us_t t_us, unsigned breach)
{
    MF_ASSERT(breach <= UINT8_MAX);
    struct mf_fence *f = &v->fence;
    const unsigned before = f->breach;
    if (breach == before) {
        return;
    }
    f->breach = (uint8_t)breach;
    v->counters.events++;
    if (before == 0) {
        f->breaches++;
        f->breach_us = t_us;
    }
    if (breach == 0) {
        f->inside = mf_target_none();
    }
}

/* With GF_PREDICT, from inside. @return the breach that must be acted upon now, 0 none
 * @param at_us  in: look again before that; out: then */
static unsigned predict(struct mf_vehicle *v, mf_us_t now_us, const struct crossing *next,
                        mf_us_t lead_max_us, mf_us_t *at_us)
{
    MF_ASSERT(lead_max_us >= 0);
    if (!next->sure) {
        *at_us = next->guessed ? next->at_us : next->at_us - lead_max_us;
        return 0;
    }
    if (next->at_us == MF_NEVER) {
        return 0;
    }
    const mf_us_t brake_us = next->at_us - lead_of(v, &next->pose);
    if (brake_us > now_us) {
        *at_us = brake_us;
        return 0;
    }
    if (v->fence.breach == 0 && !next->guessed) {
        v->fence.inside = stop_before(v, now_us, next);
    }
    v->fence.until_us = next->at_us;
    return next->breach;
}

/* @return when to look again */
static mf_us_t watch(struct mf_vehicle *v, mf_us_t now_us, const struct mf_pose pose)
{
    struct mf_fence *f = &v->fence;
    const bool predicts = mf_param_i(&v->params, MF_PARAM_GF_PREDICT) != 0;
    const struct pace pace = pace_of(v, &pose);
    const mf_us_t lead_us = predicts ? braking_us(v, pace.h_mps, pace.v_mps) : 0;
    MF_ASSERT(lead_us >= 0 && lead_us <= (mf_us_t)(LEAD_MAX_S * 1e6));
    const struct view view =
        watch_at(v, (struct mf_geo){pose.lat_deg, pose.lon_deg}, pose.alt_amsl_m, &pace);
    const struct crossing next =
        next_crossing(v, now_us, now_us + lead_us + POLL_US, &pace, pose, view);
    unsigned breach = view.breach;
    mf_us_t at_us = next.at_us;
    if (predicts && breach == 0) {
        breach = predict(v, now_us, &next, lead_us, &at_us);
    }
    if (breach == 0 && now_us < f->until_us) { /* predicted: until it would have been outside */
        breach = f->breach;
        at_us = mf_earlier(at_us, f->until_us);
    }
    set_breach(v, now_us, breach);
    return next.guessed ? now_us + POLL_US : at_us;
}

mf_us_t mf_fence_look(struct mf_vehicle *v, mf_us_t due_us)
{
    if (!mf_fence_watched(v)) {
        set_breach(v, due_us, 0);
        return MF_NEVER;
    }
    const struct mf_estimate *e = mf_estimate_at(v, due_us);
    if (!e->position) {
        return MF_NEVER; /* whoever finds it wakes us */
    }
    const bool dragged = v->imposed.leash_m > 0.0f && e->pose.on_ground;
    const mf_us_t poll_us = mf_estimate_drifts(e) || dragged ? due_us + POLL_US : MF_NEVER;
    return mf_earlier(poll_us, watch(v, due_us, e->pose));
}

/* ---- what others ask ---- */

static bool needs_home(const struct mf_vehicle *v)
{
    return mf_param_i(&v->params, MF_PARAM_GF_ACTION) == ACT_RETURN;
}

const char *mf_fence_denial(const struct mf_vehicle *v)
{
    if (!mf_fence_watched(v)) {
        return "";
    }
    if (v->fence.breach != 0) {
        return mf_fence_text(v->fence.breach);
    }
    return needs_home(v) && !v->home.valid ? "Preflight Fail: Geofence RTL requires valid home"
                                           : "";
}

bool mf_fence_allows(struct mf_vehicle *v, mf_us_t t_us, const struct mf_target *to)
{
    const struct mf_pose *pose = &mf_estimate_at(v, t_us)->pose;
    const bool given = mf_finite(to->lat_deg);
    const struct mf_geo place = {given ? to->lat_deg : pose->lat_deg,
                                 given ? to->lon_deg : pose->lon_deg};
    const double alt_amsl_m = mf_finite(to->alt_amsl_m) ? to->alt_amsl_m : pose->alt_amsl_m;
    return mf_param_i(&v->params, MF_PARAM_GF_ACTION) < ACT_HOLD ||
           breach_at(v, place, alt_amsl_m) == 0;
}

static bool is_astray(const struct mf_vehicle *v, uint16_t seq)
{
    struct mf_item item;
    if (mf_mission_get(&v->mission, &v->hal, seq, &item) != MF_E_OK ||
        !mf_item_moves(item.command) || !mf_item_has_position(&item)) {
        return false;
    }
    const struct mf_datum datum = {&v->hal, &v->home, &v->estimate};
    return breach_at(v, mf_item_place(&item), mf_item_amsl_m(&datum, &item, v->home.alt_amsl_m)) !=
           0;
}

void mf_fence_load(struct mf_fence *f, const struct mf_hal *hal)
{
    struct mf_store_info info = {0};
    (void)mf_store_info(hal, MF_STORE_FENCE, &info);
    f->items = info.count;
}

void mf_fence_survey(struct mf_vehicle *v)
{
    struct mf_fence *f = &v->fence;
    struct zones z = {.v = v};
    f->included = false;
    while (!f->included && next_item(&z)) {
        f->included = includes(z.item.command);
    }
    f->astray = -1;
    for (uint16_t i = 0; exists(v) && i < v->mission.count && f->astray < 0; i++) {
        f->astray = is_astray(v, i) ? i : -1;
    }
}

void mf_fence_home_moved(struct mf_vehicle *v, mf_us_t now_us)
{
    if (is_limited(v)) {
        mf_fence_changed(v, now_us);
    }
}

void mf_fence_changed(struct mf_vehicle *v, mf_us_t now_us)
{
    struct mf_fence *f = &v->fence;
    struct mf_text why;
    const bool was_astray = f->astray >= 0;
    mf_fence_load(f, &v->hal);
    f->until_us = 0;
    mf_fence_survey(v);
    if (f->astray >= 0 && !was_astray && !mf_mission_feasible(v, &why)) {
        mf_say(v, MF_CRITICAL, why.s);
    }
    mf_wake_at(v, MF_TASK_FENCE, now_us);
}
