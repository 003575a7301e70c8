/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fence at a place, for fence_watch.c and the checks of plans. A place has a margin to each border,
 * which takes at least margin / speed to cross. Until the smallest of these times nothing can
 * change, so the watch sleeps that long; near a border it looks more often.
 */
#include "firmware/flight/fence.h"

#include "firmware/core/param.h"
#include "firmware/core/units.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/zones.h"
#include "math/trig.h"

/* Nothing is calm for longer [us]: distances grow without limit, times need not. */
#define STEP_MAX_US (60 * MF_SECOND_US)

/* GF_ACTION */
enum { ACT_NONE, ACT_WARN, ACT_HOLD, ACT_RETURN };

/* View with a pace that is not used, for callers that need only the place. */
static const struct mf_speeds k_any = {1.0, 1.0};

/* ---- one place ---- */

static void consider(struct mf_fence_view *view, enum mf_breach kind, double margin_m,
                     double speed_mps)
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

/* Highest distance from home [m]; 0: unlimited. The leash limits a vehicle that nothing else bounds
 * in the plane: an inclusion zone does, an exclusion zone or GF_MAX_VER_DIST does not. */
static double max_distance_m(const struct mf_bounds *b)
{
    const float set_m = mf_param_f(b->params, MF_PARAM_GF_MAX_HOR_DIST);
    return (double)(set_m > 0.0f || b->fence->included ? set_m : b->leash_m);
}

/* @param max_h_m  from home; 0: no matter */
static struct mf_fence_view look_at(const struct mf_bounds *b, struct mf_geo here,
                                    double alt_amsl_m, double max_h_m, const struct mf_speeds *pace)
{
    /* divided by */
    MF_ASSERT(pace->h_mps > 0.0 && pace->v_mps > 0.0);
    const double max_v_m = (double)mf_param_f(b->params, MF_PARAM_GF_MAX_VER_DIST);
    struct mf_fence_view view = {.calm_us = STEP_MAX_US};
    if (max_h_m > 0.0 && b->home->valid) {
        const struct mf_geo home = {b->home->lat_deg, b->home->lon_deg};
        consider(&view, MF_BREACH_DISTANCE, max_h_m - mf_geo_inverse(home, here).distance_m,
                 pace->h_mps);
    }
    if (max_v_m > 0.0 && b->home->valid) {
        consider(&view, MF_BREACH_ALTITUDE, b->home->alt_amsl_m + max_v_m - alt_amsl_m,
                 pace->v_mps);
    }
    if (b->fence->items > 0) { /* the dearest one last: it reads the store */
        consider(&view, MF_BREACH_ZONE, mf_zones_depth_m(b->hal, b->fence->items, here),
                 pace->h_mps);
    }
    MF_ASSERT(view.calm_us >= 0 && view.calm_us <= STEP_MAX_US);
    return view;
}

struct mf_fence_view mf_fence_view_at(const struct mf_bounds *b, struct mf_geo here,
                                      double alt_amsl_m, const struct mf_speeds *pace)
{
    return look_at(b, here, alt_amsl_m, max_distance_m(b), pace);
}

unsigned mf_fence_breach_at(const struct mf_bounds *b, struct mf_geo here, double alt_amsl_m)
{
    return mf_fence_view_at(b, here, alt_amsl_m, &k_any).breach;
}

/* Breaches of the fence as set by users, without the leash. @return bits of enum mf_breach; 0:
 * inside */
static unsigned breach_at(const struct mf_bounds *b, struct mf_geo here, double alt_amsl_m)
{
    const double max_h_m = (double)mf_param_f(b->params, MF_PARAM_GF_MAX_HOR_DIST);
    return look_at(b, here, alt_amsl_m, max_h_m, &k_any).breach;
}

/* ---- the watch ---- */

bool mf_fence_is_limited(const struct mf_bounds *b)
{
    return mf_param_f(b->params, MF_PARAM_GF_MAX_HOR_DIST) > 0.0f ||
           mf_param_f(b->params, MF_PARAM_GF_MAX_VER_DIST) > 0.0f;
}

/* True if a fence was set. */
static bool exists(const struct mf_bounds *b)
{
    return b->fence->items > 0 || mf_fence_is_limited(b);
}

bool mf_fence_watched(const struct mf_bounds *b)
{
    return mf_param_i(b->params, MF_PARAM_GF_ACTION) != ACT_NONE &&
           (exists(b) || max_distance_m(b) > 0.0);
}

const char *mf_fence_text(unsigned breach)
{
    MF_ASSERT(breach != 0);
    /* Several at once have one text: distance before altitude before zones. */
    if ((breach & MF_BREACH_DISTANCE) != 0) {
        return "Geofence: exceeding maximum distance to Home";
    }
    return (breach & MF_BREACH_ALTITUDE) != 0 ? "Geofence: exceeding maximum altitude above Home"
                                              : "Geofence: approaching or outside geofence";
}

/* ---- what others ask ---- */

/* A return leads home; the other actions need none. */
static bool needs_home(const struct mf_bounds *b)
{
    return mf_param_i(b->params, MF_PARAM_GF_ACTION) == ACT_RETURN;
}

const char *mf_fence_denial(const struct mf_bounds *b)
{
    if (!mf_fence_watched(b)) {
        return "";
    }
    if (b->fence->breach != 0) {
        return mf_fence_text(b->fence->breach);
    }
    return needs_home(b) && !b->home->valid ? "Preflight Fail: Geofence RTL requires valid home"
                                            : "";
}

bool mf_fence_allows(const struct mf_bounds *b, const struct mf_pose *pose,
                     const struct mf_target *to)
{
    const bool given = mf_finite(to->lat_deg);
    MF_ASSERT(given == mf_finite(to->lon_deg));
    const struct mf_geo place = {given ? to->lat_deg : pose->lat_deg,
                                 given ? to->lon_deg : pose->lon_deg};
    const double alt_amsl_m = mf_finite(to->alt_amsl_m) ? to->alt_amsl_m : pose->alt_amsl_m;
    return mf_param_i(b->params, MF_PARAM_GF_ACTION) < ACT_HOLD ||
           breach_at(b, place, alt_amsl_m) == 0;
}

static bool is_astray(const struct mf_bounds *b, const struct mf_datum *datum,
                      const struct mf_item *item)
{
    return mf_item_moves(item->command) && mf_item_has_position(item) &&
           breach_at(b, mf_item_place(item), mf_item_amsl_m(datum, item, b->home->alt_amsl_m)) != 0;
}

int32_t mf_fence_astray(const struct mf_bounds *b, const struct mf_datum *datum,
                        const struct mf_mission *m)
{
    struct mf_item item;
    for (uint16_t i = 0; exists(b) && i < m->count; i++) {
        if (mf_mission_get(m, b->hal, i, &item) == MF_E_OK && is_astray(b, datum, &item)) {
            return i;
        }
    }
    return -1;
}

void mf_fence_init(struct mf_fence *f)
{
    *f = (struct mf_fence){.astray = -1, .inside = mf_target_none()};
}

void mf_fence_load(struct mf_fence *f, const struct mf_hal *hal)
{
    struct mf_store_info info = {0};
    (void)mf_store_info(hal, MF_STORE_FENCE, &info);
    f->items = info.count;
    f->included = mf_zones_include(hal, f->items);
}
