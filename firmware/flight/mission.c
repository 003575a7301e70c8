/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/flight/mission.h"

#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/health.h"
#include "firmware/flight/items.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/link/link.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"
#include "math/crc32.h"
#include "math/geodesic.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <string.h>

/* ---- the mission as a whole ---- */

/* Does it make its place home, or fly there (a take-off climbs where it is), and no model of the geoid
 * covers it? */
static bool is_uncharted(const struct mf_vehicle *v, const struct mf_item *item, int kind)
{
    const struct mf_geo place = mf_item_place(item);
    const bool sets_home = kind == MF_ITEM_SET_HOME && !(mf_f32_from_bits(item->param[0]) > 0.5f);
    const bool goes = kind > MF_ITEM_TAKEOFF && kind <= MF_ITEM_RTL;
    return (sets_home || goes) && mf_item_has_position(item) && !mf_datum_known(&v->hal, place);
}

/* Must it fly at a height above a ground that is not known? */
static bool is_groundless(const struct mf_vehicle *v, const struct mf_item *item, int kind)
{
    const struct mf_datum datum = {&v->hal, &v->home, &v->estimate};
    double ground_m;
    return kind > MF_ITEM_TAKEOFF && kind <= MF_ITEM_RTL && mf_datum_is_terrain(item->frame) &&
           mf_item_has_position(item) && mf_item_ground(&datum, item, &ground_m) == MF_E_NOENT;
}

static enum mf_flaw flaw_of(const struct mf_vehicle *v, const struct mf_item *item)
{
    const struct mf_mission *m = &v->mission;
    const int kind = mf_item_kind(item->command);
    if (mf_item_check(MAV_MISSION_TYPE_MISSION, item) != MAV_MISSION_ACCEPTED) {
        return MF_FLAW_INVALID;
    }
    if (kind == MF_ITEM_TAKEOFF && m->survey.first >= 0) {
        return MF_FLAW_TAKEOFF;
    }
    const bool astray =
        kind == MF_ITEM_JUMP && !(mf_f32_from_bits(item->param[0]) < (float)m->count);
    if (astray) {
        return MF_FLAW_JUMP;
    }
    if (is_uncharted(v, item, kind)) {
        return MF_FLAW_DATUM;
    }
    return is_groundless(v, item, kind) ? MF_FLAW_TERRAIN : MF_FLAW_NONE;
}

static void note(int32_t *first, bool is, uint16_t seq)
{
    if (is && *first < 0) {
        *first = seq;
    }
}

static void survey(struct mf_vehicle *v)
{
    struct mf_mission_survey *s = &v->mission.survey;
    struct mf_item item;
    *s = (struct mf_mission_survey){MF_FLAW_NONE, -1, -1, -1, -1, -1, -1, -1, false};
    s->in_air = v->commander.landed > MF_LANDED_ON_GROUND;
    for (uint16_t i = 0; i < v->mission.count && s->flaw == MF_FLAW_NONE; i++) {
        const bool read = mf_mission_get(&v->mission, &v->hal, i, &item) == MF_E_OK;
        s->flaw = read ? (uint8_t)flaw_of(v, &item) : (uint8_t)MF_FLAW_UNREADABLE;
        note(&s->flaw_seq, s->flaw != MF_FLAW_NONE, i);
        const int kind = read ? mf_item_kind(item.command) : MF_E_IO;
        const bool moving = read && mf_item_moves(item.command);
        /* a take-off climbs where it is, whatever its place says */
        const bool going = moving && kind != MF_ITEM_TAKEOFF && mf_item_has_position(&item);
        note(&s->first, moving, i);
        note(&s->place, going, i);
        note(&s->relative, moving && mf_item_is_relative(item.frame), i);
        note(&s->takeoff, kind == MF_ITEM_TAKEOFF, i);
        note(&s->land, kind == MF_ITEM_LAND, i);
        note(&s->land_start,
             kind == MF_ITEM_LAND || (read && item.command == MAV_CMD_DO_LAND_START), i);
    }
    MF_ASSERT((s->flaw == MF_FLAW_NONE) == (s->flaw_seq < 0));
    mf_fence_survey(v);
}

static struct mf_store_info stored(const struct mf_vehicle *v, enum mf_store_area area)
{
    struct mf_store_info info = {0};
    (void)mf_store_info(&v->hal, area, &info);
    return info;
}

/* The active mission is what the store holds; nothing of it is done. */
static void take_up(struct mf_vehicle *v, uint16_t current)
{
    struct mf_mission *m = &v->mission;
    const struct mf_store_info info = stored(v, MF_STORE_MISSION);
    *m = (struct mf_mission){
        .tag = info.tag,
        .fence_tag = m->fence_tag,
        .rally_tag = m->rally_tag,
        .count = info.count,
        .current = current < info.count ? current : 0,
        .reached = -1,
    };
    survey(v);
    MF_ASSERT(m->current == 0 || m->current < m->count);
}

void mf_mission_load(struct mf_vehicle *v)
{
    v->mission.fence_tag = stored(v, MF_STORE_FENCE).tag;
    v->mission.rally_tag = stored(v, MF_STORE_RALLY).tag;
    v->fence.items = stored(v, MF_STORE_FENCE).count;
    take_up(v, 0);
}

static void tell(struct mf_vehicle *v, mf_us_t now_us)
{
    mf_news_send(v, MF_NEWS_MISSION_CURRENT, now_us);
    mf_navigator_refresh(v, now_us);
}

void mf_mission_replaced(struct mf_vehicle *v, uint16_t current, mf_us_t now_us)
{
    const struct mf_roi none = {.kind = MF_ROI_NONE};
    mf_navigator_set_roi(v, now_us, &none);
    take_up(v, current);
    tell(v, now_us);
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

void mf_mission_judge(struct mf_vehicle *v)
{
    struct mf_text why;
    if (!mf_mission_feasible(v, &why)) {
        mf_say(v, MF_CRITICAL, why.s);
    }
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
    struct mf_mission *m = &v->mission;
    if (seq >= m->count) {
        return MF_E_RANGE;
    }
    if (m->finished) { /* another run begins */
        m->finished = false;
        m->reached = -1;
        memset(m->jump, 0, sizeof m->jump);
    }
    m->current = seq;
    tell(v, now_us);
    return MF_E_OK;
}

void mf_mission_reached(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us)
{
    struct mf_item item;
    MF_ASSERT(now_us >= 0);
    v->counters.events++;
    const struct mf_msg_mission_item_reached m = {.seq = seq};
    v->mission.reached = seq;
    if (v->journal != NULL) {
        struct mf_arrivals *arrivals = &v->journal->arrivals;
        arrivals->last[arrivals->count++ % MF_ARRIVALS_KEPT] = (struct mf_arrival){now_us, seq};
    }
    mf_health_happened(v, now_us, MF_HAPPENING_WAYPOINT, seq);
    mf_links_send(v, MF_MSG_MISSION_ITEM_REACHED, &m);
    const int kind = mf_mission_get(&v->mission, &v->hal, seq, &item) == MF_E_OK
                         ? mf_item_kind(item.command)
                         : MF_E_NOSUPP;
    if (kind >= MF_ITEM_WAYPOINT && kind <= MF_ITEM_TO_ALT) {
        struct mf_text text = mf_text("Waypoint ");
        mf_text_add_int(&text, seq);
        mf_text_add(&text, " reached");
        mf_say(v, MF_INFO, text.s);
    }
}
