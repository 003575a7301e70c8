/* SPDX-License-Identifier: Apache-2.0 */
/* Survey of a mission's items when it arrives, for mission.c, so that later checks take O(1). */
#include "firmware/core/units.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "mavlink/enums.h"

/* Does it make its place home, or fly there (a take-off climbs where it is), and no model of the
 * geoid covers it? */
static bool is_uncharted(const struct mf_hal *hal, const struct mf_item *item, int kind)
{
    const struct mf_geo place = mf_item_place(item);
    const bool sets_home = kind == MF_ITEM_SET_HOME && !(mf_f32_from_bits(item->param[0]) > 0.5f);
    const bool goes = kind > MF_ITEM_TAKEOFF && kind <= MF_ITEM_RTL;
    return (sets_home || goes) && mf_item_has_position(item) && !mf_datum_known(hal, place);
}

/* Must it fly at a height above a ground that is not known? */
static bool is_groundless(const struct mf_datum *datum, const struct mf_item *item, int kind)
{
    double ground_m;
    return kind > MF_ITEM_TAKEOFF && kind <= MF_ITEM_RTL && mf_datum_is_terrain(item->frame) &&
           mf_item_has_position(item) && mf_item_ground(datum, item, &ground_m) == MF_E_NOENT;
}

/* The store is not trusted: another program, or an older one, may have written it. So each item is
 * checked as if it had just come over a link. */
static enum mf_flaw flaw_of(const struct mf_mission *m, const struct mf_datum *datum,
                            const struct mf_item *item, bool px4)
{
    const int kind = mf_item_kind(item->command);
    if (mf_item_check(MAV_MISSION_TYPE_MISSION, item, false) != MAV_MISSION_ACCEPTED ||
        mf_item_grounds(item->command, px4)) {
        return MF_FLAW_INVALID;
    }
    if (kind == MF_ITEM_TAKEOFF && m->survey.first >= 0) {
        return MF_FLAW_TAKEOFF;
    }
    if (is_uncharted(datum->hal, item, kind)) {
        return MF_FLAW_DATUM;
    }
    return is_groundless(datum, item, kind) ? MF_FLAW_TERRAIN : MF_FLAW_NONE;
}

/* The first of its kind. */
static void note_first(int32_t *first, bool is, uint16_t seq)
{
    if (is && *first < 0) {
        *first = seq;
    }
}

void mf_mission_survey(struct mf_mission *m, const struct mf_datum *datum, bool in_air, bool px4)
{
    struct mf_mission_survey *s = &m->survey;
    struct mf_item item;
    *s = (struct mf_mission_survey){MF_FLAW_NONE, in_air, -1, -1, -1, -1, -1, -1, -1};
    for (uint16_t i = 0; i < m->count && s->flaw == MF_FLAW_NONE; i++) {
        const bool read = mf_mission_get(m, datum->hal, i, &item) == MF_E_OK;
        s->flaw = read ? (uint8_t)flaw_of(m, datum, &item, px4) : (uint8_t)MF_FLAW_UNREADABLE;
        note_first(&s->flaw_seq, s->flaw != MF_FLAW_NONE, i);
        /* An item that cannot be read is only noted as such. */
        const int kind = read ? mf_item_kind(item.command) : MF_E_IO;
        const bool moving = read && mf_item_moves(item.command);
        /* a take-off climbs where it is, whatever its place says */
        const bool going = moving && kind != MF_ITEM_TAKEOFF && mf_item_has_position(&item);
        note_first(&s->first, moving, i);
        note_first(&s->place, going, i);
        note_first(&s->relative, moving && mf_item_is_relative(item.frame), i);
        note_first(&s->takeoff, kind == MF_ITEM_TAKEOFF, i);
        note_first(&s->land, kind == MF_ITEM_LAND, i);
        note_first(&s->land_start,
                   kind == MF_ITEM_LAND || (read && item.command == MAV_CMD_DO_LAND_START), i);
    }
    MF_ASSERT(s->land < 0 || (s->land_start >= 0 && s->land_start <= s->land));
    MF_ASSERT(s->place < 0 || (s->first >= 0 && s->first <= s->place));
    MF_ASSERT((s->flaw == MF_FLAW_NONE) == (s->flaw_seq < 0));
}
