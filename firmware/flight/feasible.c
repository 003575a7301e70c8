/* SPDX-License-Identifier: Apache-2.0 */
/* Can a mission be flown, and how far has it got? */
#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

#define LANDING_REQUIRED "Landing waypoint/pattern required."

static bool has_flaw(const struct mf_vehicle *v, struct mf_text *why)
{
    static const struct {
        const char *before, *after;
    } k_text[] = {
#define X(name, before, after) {before, after},
        MF_FLAW_LIST(X)
#undef X
    };
    const struct mf_mission_survey *s = &v->mission.survey;
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

static bool has_no_items(const struct mf_vehicle *v, struct mf_text *why)
{
    if (v->mission.count > 0) {
        return false;
    }
    mf_text_add(why, "it has no items");
    return true;
}

static bool lacks_home(const struct mf_vehicle *v, struct mf_text *why)
{
    if (v->mission.survey.relative < 0 || v->home.valid) {
        return false;
    }
    mf_text_add(why, "No home pos, WP ");
    mf_text_add_int(why, v->mission.survey.relative + 1); /* PX4 counts them from 1 in texts */
    mf_text_add(why, " uses rel alt");
    return true;
}

static bool takes_off_too_low(const struct mf_vehicle *v, struct mf_text *why)
{
    struct mf_item item;
    if (!v->home.valid || v->mission.survey.first < 0 ||
        mf_mission_get(&v->mission, &v->hal, (uint16_t)v->mission.survey.first, &item) != MF_E_OK ||
        mf_item_kind(item.command) != MF_ITEM_TAKEOFF) {
        return false;
    }
    const double zero_m = mf_item_is_relative(item.frame) ? 0.0 : v->home.alt_amsl_m;
    if ((double)mf_f32_from_bits(item.z) > zero_m) {
        return false;
    }
    mf_text_add(why, "Takeoff altitude below home altitude!");
    return true;
}

static bool begins_too_far(const struct mf_vehicle *v, struct mf_text *why)
{
    struct mf_item item;
    const double max_m = (double)mf_param_f(&v->params, MF_PARAM_MIS_DIST_1WP);
    if (!v->home.valid || v->mission.survey.place < 0 || max_m <= 0.0 ||
        mf_mission_get(&v->mission, &v->hal, (uint16_t)v->mission.survey.place, &item) != MF_E_OK) {
        return false;
    }
    const struct mf_geo home = {v->home.lat_deg, v->home.lon_deg};
    const double distance_m = mf_geo_inverse(home, mf_item_place(&item)).distance_m;
    if (distance_m <= max_m) {
        return false;
    }
    *why = mf_text("First waypoint too far away: ");
    mf_text_add_int(why, (int32_t)distance_m);
    mf_text_add(why, "m, ");
    mf_text_add_int(why, (int32_t)max_m);
    mf_text_add(why, " max");
    return true;
}

static bool starts_with_landing(const struct mf_vehicle *v, struct mf_text *why)
{
    if (v->mission.survey.land != 0 || v->mission.survey.in_air) {
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
static bool lacks_takeoff_or_landing(const struct mf_vehicle *v, struct mf_text *why)
{
    MF_ASSERT(why != NULL);
    const bool takeoff = v->mission.survey.takeoff >= 0;
    const bool land = v->mission.survey.land >= 0;
    const char *missing = "";
    switch (mf_param_i(&v->params, MF_PARAM_MIS_TKO_LAND_REQ)) {
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
        if (v->mission.survey.in_air) {
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

static bool leaves_fence(const struct mf_vehicle *v, struct mf_text *why)
{
    if (v->fence.astray < 0) {
        return false;
    }
    mf_text_add(why, "Geofence violation for waypoint ");
    mf_text_add_int(why, v->fence.astray + 1); /* PX4 counts them from 1 here */
    return true;
}

bool mf_mission_feasible(const struct mf_vehicle *v, struct mf_text *why)
{
    static bool (*const k_reason[])(const struct mf_vehicle *, struct mf_text *) = {
        has_no_items,      has_flaw,       starts_with_landing, lacks_home,
        takes_off_too_low, begins_too_far, leaves_fence,        lacks_takeoff_or_landing};
    *why = mf_text("Mission rejected: ");
    for (size_t i = 0; i < sizeof k_reason / sizeof k_reason[0]; i++) {
        if (k_reason[i](v, why)) {
            MF_ASSERT(why->len > 0);
            return false;
        }
    }
    *why = mf_text("");
    return true;
}

bool mf_mission_mode_active(enum mf_mode mode)
{
    return mode == MF_MODE_MISSION || mode == MF_MODE_TAKEOFF || mode == MF_MODE_LAND;
}

uint8_t mf_mission_state(const struct mf_vehicle *v)
{
    struct mf_text why;
    MF_ASSERT(v->mission.reached >= -1);
    if (!mf_mission_feasible(v, &why)) {
        return MISSION_STATE_NO_MISSION;
    }
    if (v->mission.finished) {
        return MISSION_STATE_COMPLETE;
    }
    if (v->commander.armed && mf_mission_mode_active((enum mf_mode)v->commander.mode)) {
        return MISSION_STATE_ACTIVE;
    }
    return v->mission.reached < 0 ? MISSION_STATE_NOT_STARTED : MISSION_STATE_PAUSED;
}
