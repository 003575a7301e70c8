/* SPDX-License-Identifier: Apache-2.0 */
/* Policy of fault requests: judgement, teleports out of the fence, faults of the vehicle itself.
 * Called by drone/drone. */
#include "drone/fault_policy.h"

#include "drone/fault_judge.h"
#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/zones.h"
#include "firmware/impose.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#define DENIAL "Preflight Fail: "
/* A way out of the fence ends OUT_M outside [m]. The search for it takes at most OUT_STEPS_MAX
 * steps of at least OUT_STEP_M, with tolerance OUT_NEAR_M, and ends after OUT_MAX_M [m]. */
#define OUT_M         10.0
#define OUT_STEPS_MAX 256
#define OUT_STEP_M    1.0
#define OUT_NEAR_M    0.01
#define OUT_MAX_M     1e5
/* Radius of the fence around home that a breach by a fault can cross if the user has set none
 * [m]. */
#define LEASH_M 100.0f

static bool is_active(const struct mf_fault_policy *p, mf_us_t t_us, enum mf_fault fault)
{
    return p->inject->active(p->inject_ctx, t_us, fault, NULL);
}

/* ---- faults that no device shows: the vehicle is made to behave so ---- */

static void deny_arming(struct mf_fault_policy *p, mf_us_t t_us)
{
    struct mf_fault_values with;
    struct mf_text text = mf_text("");
    if (p->inject->active(p->inject_ctx, t_us, MF_FAULT_PREARM, &with)) {
        mf_text_add(&text, DENIAL);
        mf_text_add(&text, with.text[0] != '\0' ? with.text : MF_FAULT_DEFAULT_TEXT);
    }
    mf_vehicle_deny_arming(p->vehicle, text.s);
}

static void pace_heartbeat(struct mf_fault_policy *p, mf_us_t t_us)
{
    struct mf_fault_values with;
    const bool late = p->inject->active(p->inject_ctx, t_us, MF_FAULT_HEARTBEAT_LATE, &with);
    mf_vehicle_pace_heartbeat(p->vehicle, t_us, is_active(p, t_us, MF_FAULT_HEARTBEAT_OFF),
                              late ? (mf_us_t)((double)with.value[0] * 1e6) : 0);
}

/* Make the vehicle show the active faults. @param was_moved  a fault moved the body until now */
static void impose(struct mf_fault_policy *p, mf_us_t t_us, bool was_moved)
{
    const bool moved =
        is_active(p, t_us, MF_FAULT_BREACH_TELEPORT) || is_active(p, t_us, MF_FAULT_BREACH_DRIFT);
    mf_vehicle_lose_rc(p->vehicle, t_us, is_active(p, t_us, MF_FAULT_RC_LOST));
    mf_vehicle_hide_home(p->vehicle, t_us, is_active(p, t_us, MF_FAULT_HOME_LOST));
    deny_arming(p, t_us);
    pace_heartbeat(p, t_us);
    mf_vehicle_leash(p->vehicle, moved ? LEASH_M : 0.0f);
    if (moved || was_moved) {
        mf_vehicle_moved(p->vehicle, t_us);
    }
}

static void log_changes(struct mf_fault_policy *p, mf_us_t t_us)
{
    static const char *const k_name[MF_FAULT_COUNT] = {
#define X(name, spelling, ...) [MF_FAULT_##name] = spelling,
        MF_FAULT_LIST(X)
#undef X
    };
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        const bool active = is_active(p, t_us, (enum mf_fault)i);
        if (active != ((p->logged >> i & 1u) != 0)) {
            struct mf_text text = mf_text(k_name[i]);
            p->logged ^= UINT64_C(1) << i;
            mf_text_add(&text, active ? " begins" : " ends");
            mf_log_event(&p->vehicle->hal, t_us, MF_NOTICE, "fault", text.s);
        }
    }
}

static mf_us_t policy_next(void *ctx, mf_us_t t_us)
{
    struct mf_fault_policy *p = ctx;
    static const uint64_t k_move =
        UINT64_C(1) << MF_FAULT_BREACH_TELEPORT | UINT64_C(1) << MF_FAULT_BREACH_DRIFT;
    const bool changed = t_us >= p->next_us, was_moved = (p->logged & k_move) != 0;
    p->next_us = p->inject->next(p->inject_ctx, t_us);
    if (changed) {
        log_changes(p, t_us);
        impose(p, t_us, was_moved);
    }
    return p->next_us;
}

/* ---- requests ---- */

/* Distance from a place straight beyond the border of the zones [m]; 0: outside already, or no zone
 * keeps the vehicle in. */
static double way_out_m(const struct mf_vehicle *v, struct mf_geo from, double azimuth_rad)
{
    const struct mf_geo_ray ray = mf_geo_ray(from, azimuth_rad);
    double way_m = 0.0;
    for (int i = 0; v->fence.included && i < OUT_STEPS_MAX && way_m < OUT_MAX_M; i++) {
        const double left_m =
            mf_zones_depth_m(&v->hal, v->fence.items, mf_geo_at(&ray, way_m, NULL)) + OUT_M;
        if (left_m < OUT_NEAR_M) {
            break;
        }
        way_m += left_m > OUT_STEP_M ? left_m : OUT_STEP_M; /* the border is not nearer */
    }
    return way_m < OUT_MAX_M ? way_m : OUT_MAX_M;
}

/* Teleport out of the fence from any place inside, away from home. */
static struct mf_fault_values out_of_fence(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_fault_limit *limit = mf_fault_limit[MF_FAULT_BREACH_TELEPORT];
    const struct mf_pose *pose = &mf_estimate_at(v, now_us)->pose;
    const struct mf_geo here = {pose->lat_deg, pose->lon_deg};
    const float radius_m = mf_param_f(&v->params, MF_PARAM_GF_MAX_HOR_DIST);
    struct mf_fault_values with = mf_fault_default(MF_FAULT_BREACH_TELEPORT);
    double azimuth_rad = 0.0;
    if (v->home.valid) {
        const struct mf_geo home = {v->home.lat_deg, v->home.lon_deg};
        const struct mf_geo_line line = mf_geo_inverse(home, here);
        azimuth_rad = line.distance_m > 1.0 ? line.azimuth_to_rad : 0.0;
    }
    const double way_m = way_out_m(v, here, azimuth_rad);
    with.value[1] = (float)mf_deg(azimuth_rad);
    if (radius_m > 0.0f) {
        with.value[0] = 1.1f * radius_m + 10.0f;
    } else if (way_m > 0.0) {
        with.value[0] = (float)way_m;
    }
    with.value[0] = with.value[0] < limit[0].high ? with.value[0] : limit[0].high;
    return with;
}

/* Schedule a look at this instant, because a fault begins or ends. @return err */
static int changed(struct mf_fault_policy *p, mf_us_t t_us, int err)
{
    if (err == MF_E_OK) {
        p->next_us = t_us;
        mf_estimate_forget(p->vehicle);
    }
    return err;
}

static bool exists(enum mf_fault fault)
{
    return (uint32_t)fault < (uint32_t)MF_FAULT_COUNT;
}

static int policy_set(void *ctx, mf_us_t t_us, enum mf_fault fault, bool on,
                      const struct mf_fault_values *with)
{
    struct mf_fault_policy *p = ctx;
    struct mf_fault_values away;
    if (!exists(fault)) {
        return MF_E_NOSUPP;
    }
    if (on && with == NULL && fault == MF_FAULT_BREACH_TELEPORT && !is_active(p, t_us, fault)) {
        away = out_of_fence(p->vehicle, t_us);
        with = &away;
    }
    const int err = on ? mf_fault_judge(p, t_us, fault, with) : MF_E_OK;
    return err != MF_E_OK ? err
                          : changed(p, t_us, p->inject->set(p->inject_ctx, t_us, fault, on, with));
}

static int policy_plan(void *ctx, mf_us_t t_us, const struct mf_fault_plan *plan)
{
    struct mf_fault_policy *p = ctx;
    if (!exists(plan->fault)) {
        return MF_E_NOSUPP;
    }
    const bool begins = plan->on == MF_HAPPENING_BOOT && plan->after_us == t_us;
    const int err = begins ? mf_fault_judge(p, t_us, plan->fault, &plan->with) : MF_E_OK;
    return err != MF_E_OK ? err : changed(p, t_us, p->inject->plan(p->inject_ctx, t_us, plan));
}

static void policy_unplan(void *ctx, mf_us_t t_us, enum mf_fault fault)
{
    struct mf_fault_policy *p = ctx;
    p->inject->unplan(p->inject_ctx, t_us, fault);
    p->next_us = t_us;
}

static bool policy_happened(void *ctx, mf_us_t t_us, enum mf_happening what, uint16_t index)
{
    struct mf_fault_policy *p = ctx;
    const bool follows = p->inject->happened(p->inject_ctx, t_us, what, index);
    p->next_us = follows ? t_us : p->next_us;
    return follows;
}

static bool policy_active(void *ctx, mf_us_t t_us, enum mf_fault fault,
                          struct mf_fault_values *with)
{
    const struct mf_fault_policy *p = ctx;
    return p->inject->active(p->inject_ctx, t_us, fault, with);
}

static bool policy_planned(void *ctx, mf_us_t t_us, uint32_t index,
                           struct mf_fault_planned *planned)
{
    const struct mf_fault_policy *p = ctx;
    return p->inject->planned(p->inject_ctx, t_us, index, planned);
}

static int policy_unit(void *ctx, mf_us_t now_us, int32_t unit, int32_t type)
{
    static const struct {
        uint8_t unit, type;
    } k_fault[MF_FAULT_COUNT] = {
#define X(name, spelling, unit, type, words, limits, effect) [MF_FAULT_##name] = {unit, type},
        MF_FAULT_LIST(X)
#undef X
    };
    struct mf_fault_policy *p = ctx;
    uint64_t of_unit = 0, ways = 0; /* faults that have a type */
    int err = MF_E_OK;
    int wanted = MF_FAULT_COUNT;
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if (unit != MF_NO_UNIT && k_fault[i].unit == unit) {
            of_unit |= UINT64_C(1) << i;
            ways |= k_fault[i].type != MF_NO_TYPE ? UINT64_C(1) << i : 0u;
            wanted = type != MF_NO_TYPE && k_fault[i].type == type ? i : wanted;
        }
    }
    const bool on = type != FAILURE_TYPE_OK;
    if (of_unit == 0 || (on && wanted == MF_FAULT_COUNT)) {
        return MF_E_NOSUPP;
    }
    if (on && mf_fault_hidden(p, now_us, (enum mf_fault)wanted, ~ways)) {
        return MF_E_AGAIN;
    }
    const uint64_t others = (on ? ways : of_unit) & ~(on ? UINT64_C(1) << wanted : 0u);
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if ((others >> i & 1u) != 0 && (!on || is_active(p, now_us, (enum mf_fault)i))) {
            err = policy_set(p, now_us, (enum mf_fault)i, false, NULL);
        }
    }
    return on ? policy_set(p, now_us, (enum mf_fault)wanted, true, NULL) : err;
}

static const struct mf_inject_ops k_policy = {.set = policy_set,
                                              .active = policy_active,
                                              .next = policy_next,
                                              .happened = policy_happened,
                                              .plan = policy_plan,
                                              .unplan = policy_unplan,
                                              .planned = policy_planned,
                                              .unit = policy_unit};

void mf_fault_policy_connect(struct mf_fault_policy *policy, struct mf_vehicle *vehicle,
                             struct mf_hal *hal)
{
    MF_ASSERT(policy != NULL && vehicle != NULL && hal != NULL && hal->inject != &k_policy);
    *policy = (struct mf_fault_policy){
        .vehicle = vehicle, .inject = hal->inject, .inject_ctx = hal->inject_ctx};
    hal->inject = &k_policy;
    hal->inject_ctx = policy;
}
