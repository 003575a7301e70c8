/* SPDX-License-Identifier: Apache-2.0 */
/* Active mission of a vehicle, for uploads, commands and the navigator: checks, texts and
 * messages. */
#include "firmware/flight/mission.h"

#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/health.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/link/link.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* ---- the mission as a whole ---- */

/* The active mission is what the store holds, and is looked through. */
static void take_up(struct mf_vehicle *v, uint16_t current)
{
    const struct mf_datum datum = {&v->hal, &v->home, &v->estimate};
    mf_mission_take_up(&v->mission, &v->hal, current);
    mf_mission_survey(&v->mission, &datum, v->commander.landed > MF_LANDED_ON_GROUND,
                      v->options.px4_strict);
    mf_fence_survey(v); /* last: it asks where the items are */
    MF_ASSERT(v->fence.astray < (int32_t)v->mission.count);
}

void mf_mission_load(struct mf_vehicle *v)
{
    mf_mission_read_tags(&v->mission, &v->hal);
    mf_fence_load(&v->fence, &v->hal); /* before the mission, which is measured by it */
    take_up(v, 0);
}

/* Clients first: the navigator may go on to other items within its run. */
static void send_current(struct mf_vehicle *v, mf_us_t now_us)
{
    mf_news_send(v, MF_NEWS_MISSION_CURRENT, now_us);
    mf_navigator_refresh(v, now_us);
}

void mf_mission_replaced(struct mf_vehicle *v, uint16_t current, mf_us_t now_us)
{
    /* what the old mission looked at is not the new one's */
    const struct mf_roi none = {.kind = MF_ROI_NONE};
    mf_navigator_set_roi(v, now_us, &none);
    take_up(v, current);
    send_current(v, now_us);
}

/* The first waypoint lower than home, -1 none. */
static int32_t below_home(const struct mf_vehicle *v)
{
    const struct mf_datum datum = {&v->hal, &v->home, &v->estimate};
    struct mf_item item;
    for (uint16_t i = 0; v->home.valid && i < v->mission.count; i++) {
        if (mf_mission_get(&v->mission, &v->hal, i, &item) == MF_E_OK &&
            mf_item_moves(item.command) && mf_item_has_position(&item) &&
            mf_item_amsl_m(&datum, &item, v->home.alt_amsl_m) < v->home.alt_amsl_m) {
            return i;
        }
    }
    return -1;
}

/* Is the first place farther from home than MIS_DIST_1WP? A warning, as in PX4. */
static void warn_of_way(struct mf_vehicle *v)
{
    struct mf_item item;
    const int32_t place = v->mission.survey.place;
    const double max_m = (double)mf_param_f(&v->params, MF_PARAM_MIS_DIST_1WP);
    if (!v->home.valid || place < 0 || max_m <= 0.0 ||
        mf_mission_get(&v->mission, &v->hal, (uint16_t)place, &item) != MF_E_OK) {
        return;
    }
    const struct mf_geo home = {v->home.lat_deg, v->home.lon_deg};
    const double distance_m = mf_geo_inverse(home, mf_item_place(&item)).distance_m;
    if (distance_m > max_m) {
        struct mf_text text = mf_text("First waypoint too far away: ");
        mf_text_add_int(&text, (int32_t)distance_m);
        mf_text_add(&text, "m, ");
        mf_text_add_int(&text, (int32_t)max_m);
        mf_text_add(&text, " max");
        mf_say(v, MF_WARNING, text.s);
    }
}

void mf_mission_judge(struct mf_vehicle *v)
{
    const struct mf_bounds bounds = mf_bounds_of(v);
    struct mf_text why;
    const bool good = mf_mission_feasible(&v->mission, &bounds, &why);
    if (v->options.px4_strict) { /* PX4's other reasons and warnings are EVENTs */
        const char *reason = &why.s[sizeof MF_MISSION_REJECTED - 1];
        if (!good && reason[0] == 'G') { /* the fence */
            mf_say(v, MF_CRITICAL, reason);
        }
        return;
    }
    if (!good) {
        mf_say(v, MF_CRITICAL, why.s);
    }
    warn_of_way(v);
    /* No reason to refuse it: a slope may lead below home. */
    const int32_t below = below_home(v);
    if (below >= 0) {
        struct mf_text text = mf_text("Warning: Waypoint ");
        mf_text_add_int(&text, below + 1);
        mf_text_add(&text, " below home");
        mf_say(v, MF_CRITICAL, text.s);
    }
}

/* ---- its progress ---- */

int mf_mission_set_current(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us)
{
    if (seq >= v->mission.count) {
        return MF_E_RANGE;
    }
    mf_mission_begin(&v->mission, seq);
    send_current(v, now_us);
    return MF_E_OK;
}

/* PX4 sends its last result each 10 ms: what the next item overwrites before is lost. */
static bool is_overwritten(const struct mf_vehicle *v, uint16_t seq)
{
    struct mf_item next;
    if (!v->options.lose_item_reached ||
        mf_mission_get(&v->mission, &v->hal, (uint16_t)(seq + 1), &next) != MF_E_OK) {
        return false;
    }
    const int kind = mf_item_kind(next.command);
    return kind == MF_ITEM_INSTANT || kind == MF_ITEM_SPEED || kind == MF_ITEM_SET_HOME ||
           kind == MF_ITEM_ROI;
}

void mf_mission_reached(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us)
{
    struct mf_item item;
    MF_ASSERT(now_us >= 0);
    v->counters.events++;
    const struct mf_msg_mission_item_reached m = {.seq = seq};
    mf_mission_reach(&v->mission, seq);
    if (v->journal != NULL) {
        struct mf_arrivals *arrivals = &v->journal->arrivals;
        arrivals->last[arrivals->count++ % MF_ARRIVALS_KEPT] = (struct mf_arrival){now_us, seq};
    }
    mf_health_happened(v, now_us, MF_HAPPENING_WAYPOINT, seq);
    if (!is_overwritten(v, seq)) {
        mf_links_send(v, MF_MSG_MISSION_ITEM_REACHED, &m);
    }
    /* Only items that a user has placed on the map get a text. An item that cannot be read is
     * reported, too, since the vehicle was there. */
    const int kind = mf_mission_get(&v->mission, &v->hal, seq, &item) == MF_E_OK
                         ? mf_item_kind(item.command)
                         : MF_E_NOSUPP;
    if (kind >= MF_ITEM_WAYPOINT && kind <= MF_ITEM_TO_ALT && !v->options.px4_strict) {
        struct mf_text text = mf_text("Waypoint ");
        mf_text_add_int(&text, seq);
        mf_text_add(&text, " reached");
        mf_say(v, MF_INFO, text.s);
    }
}
