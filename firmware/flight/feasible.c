/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check whether a mission can be flown, for arming, mode changes and uploads. The first reason
 * found is the only one reported; clients match these texts, which are PX4's
 * (feasibility_checker.cpp). mission_survey.c has examined the items when they arrived; home, the
 * fence and parameters are checked each time, since they change.
 */
#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"

#define LANDING_REQUIRED "Landing waypoint/pattern required."

/* Input of the checks. */
struct plan {
    const struct mf_mission *mission;
    const struct mf_bounds *bounds;
};

static bool has_flaw(const struct plan *p, struct mf_text *why)
{
    static const struct {
        const char *before, *after;
    } k_text[] = {
#define X(name, before, after) {before, after},
        MF_FLAW_LIST(X)
#undef X
    };
    const struct mf_mission_survey *s = &p->mission->survey;
    MF_ASSERT(s->flaw < sizeof k_text / sizeof k_text[0]);
    if (s->flaw == MF_FLAW_NONE) {
        return false;
    }
    mf_text_add(why, k_text[s->flaw].before);
    if (k_text[s->flaw].after != NULL) {
        mf_text_add_int(why, s->flaw_seq);
        mf_text_add(why, k_text[s->flaw].after);
    }
    return true;
}

static bool has_no_items(const struct plan *p, struct mf_text *why)
{
    if (p->mission->count > 0) {
        return false;
    }
    mf_text_add(why, "it has no items");
    return true;
}

static bool lacks_home(const struct plan *p, struct mf_text *why)
{
    if (p->mission->survey.relative < 0 || p->bounds->home->valid) {
        return false;
    }
    mf_text_add(why, "No home pos, WP ");
    mf_text_add_int(why, p->mission->survey.relative + 1); /* PX4 counts them from 1 in texts */
    mf_text_add(why, " uses rel alt");
    return true;
}

static bool takes_off_too_low(const struct plan *p, struct mf_text *why)
{
    struct mf_item item;
    if (!p->bounds->home->valid || p->mission->survey.first < 0 ||
        mf_mission_get(p->mission, p->bounds->hal, (uint16_t)p->mission->survey.first, &item) !=
            MF_E_OK ||
        mf_item_kind(item.command) != MF_ITEM_TAKEOFF) {
        return false;
    }
    MF_ASSERT(p->mission->survey.first < (int32_t)p->mission->count);
    const double zero_m = mf_item_is_relative(item.frame) ? 0.0 : p->bounds->home->alt_amsl_m;
    if ((double)mf_f32_from_bits(item.z) > zero_m) {
        return false;
    }
    mf_text_add(why, "Takeoff altitude below home altitude!");
    return true;
}

/* allowed in flight: the vehicle flies to the landing from any place */
static bool starts_with_landing(const struct plan *p, struct mf_text *why)
{
    if (p->mission->survey.land != 0 || p->mission->survey.in_air) {
        return false;
    }
    mf_text_add(why, "starts with landing");
    return true;
}

/* Both, or none. */
static const char *either_or(bool takeoff, bool land)
{
    if (takeoff == land) {
        return "";
    }
    return takeoff ? "Add Landing item or remove Takeoff." : "Add Takeoff item or remove Landing.";
}

/* MIS_TKO_LAND_REQ */
static bool lacks_takeoff_or_landing(const struct plan *p, struct mf_text *why)
{
    MF_ASSERT(why != NULL);
    const bool takeoff = p->mission->survey.takeoff >= 0;
    const bool land = p->mission->survey.land >= 0;
    const char *missing = "";
    switch (mf_param_i(p->bounds->params, MF_PARAM_MIS_TKO_LAND_REQ)) {
    case 1:
        missing = takeoff ? "" : "Takeoff waypoint required.";
        break;
    case 2:
        missing = land ? "" : LANDING_REQUIRED;
        break;
    case 3:
        missing = takeoff && land ? "" : "Takeoff or Landing item missing.";
        break;
    case 5:
        if (p->mission->survey.in_air) {
            missing = land ? "" : LANDING_REQUIRED;
            break;
        }
        missing = either_or(takeoff, land);
        break;
    case 4:
        missing = either_or(takeoff, land);
        break;
    default:
        break;
    }
    mf_text_add(why, missing);
    return missing[0] != '\0';
}

/* Late in the list, so that the fence is not reported as the reason of a mission with a fault of
 * its own. */
static bool leaves_fence(const struct plan *p, struct mf_text *why)
{
    if (p->bounds->fence->astray < 0) {
        return false;
    }
    mf_text_add(why, "Geofence violation for waypoint ");
    mf_text_add_int(why, p->bounds->fence->astray + 1); /* PX4 counts them from 1 here */
    return true;
}

bool mf_mission_feasible(const struct mf_mission *m, const struct mf_bounds *b, struct mf_text *why)
{
    static bool (*const k_reason[])(const struct plan *, struct mf_text *) = {
        has_no_items,      has_flaw,     starts_with_landing,     lacks_home,
        takes_off_too_low, leaves_fence, lacks_takeoff_or_landing};
    const struct plan plan = {m, b};
    *why = mf_text(MF_MISSION_REJECTED);
    for (size_t i = 0; i < sizeof k_reason / sizeof k_reason[0]; i++) {
        if (k_reason[i](&plan, why)) {
            MF_ASSERT(why->len > 0);
            return false;
        }
    }
    MF_ASSERT(m->count > 0 && m->survey.flaw == MF_FLAW_NONE);
    *why = mf_text("");
    return true;
}
