/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances are those over ground, as in PX4's rtl.cpp: altitude and wind do not count. Of two
 * places that are equally far the first one stays: home before the mission's landing, that before
 * rally points.
 */
#include "firmware/flight/destination.h"

#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "math/geodesic.h"
#include "mavlink/enums.h"

enum rtl_type {
    RTL_NEAREST = 0,         /* home or a rally point */
    RTL_NOT_HOME = 1,        /* mission landing or rally point */
    RTL_MISSION = 2,         /* along the mission */
    RTL_NEAREST_OF_ALL = 3,  /* home, mission landing or rally point */
    RTL_MISSION_SHORTER = 4, /* along the mission, whichever way is shorter */
};

static bool is_feasible(const struct mf_mission *m, const struct mf_bounds *b)
{
    struct mf_text why;
    return mf_mission_feasible(m, b, &why);
}

static bool has_landing(const struct mf_mission *m, const struct mf_bounds *b)
{
    return m->survey.land >= 0 && is_feasible(m, b);
}

static double distance_m(struct mf_geo from, const struct mf_destination *to)
{
    return mf_geo_inverse(from, (struct mf_geo){to->lat_deg, to->lon_deg}).distance_m;
}

/* Make a destination at an item's place; its other members are 0. */
static struct mf_destination at_item(const struct mf_bounds *b, const struct mf_estimate *e,
                                     const struct mf_item *item)
{
    MF_ASSERT(mf_item_has_position(item));
    const struct mf_datum datum = {b->hal, b->home, e};
    const struct mf_geo place = mf_item_place(item);
    return (struct mf_destination){
        .lat_deg = place.lat_deg,
        .lon_deg = place.lon_deg,
        .alt_amsl_m = mf_item_amsl_m(&datum, item, b->home->alt_amsl_m),
    };
}

/* @return whether rally point @p index can be read and has an altitude */
static bool rally_point(const struct mf_bounds *b, const struct mf_estimate *e, uint16_t index,
                        struct mf_destination *to)
{
    struct mf_item item;
    if (mf_store_get(b->hal, MF_STORE_RALLY, index, &item) != MF_E_OK ||
        mf_item_check(MAV_MISSION_TYPE_RALLY, &item, false) != MAV_MISSION_ACCEPTED) {
        return false;
    }
    *to = at_item(b, e, &item);
    to->rally = true;
    return true;
}

/* Destination at the landing of the mission, if the mission can be flown and its landing has a
 * place. */
static bool mission_landing(const struct mf_mission *m, const struct mf_bounds *b,
                            const struct mf_estimate *e, struct mf_destination *to)
{
    struct mf_item item;
    /* The store may fail now, or contain another mission. */
    if (!has_landing(m, b) ||
        mf_mission_get(m, b->hal, (uint16_t)m->survey.land, &item) != MF_E_OK ||
        !mf_item_has_position(&item)) {
        return false;
    }
    MF_ASSERT(m->survey.land < (int32_t)m->count);
    *to = at_item(b, e, &item);
    to->way = MF_BACK_LANDING;
    return true;
}

/* RTL_TYPE 2 and 4. The shorter way is that with fewer items, as in PX4: no distance is
 * worked out. */
static enum mf_way_back along_the_mission(const struct mf_mission *m, const struct mf_bounds *b,
                                          bool shorter)
{
    const int32_t done = m->current;
    MF_ASSERT(m->survey.land < 0 || m->survey.land_start <= m->survey.land);
    const bool goes_on = has_landing(m, b) && (!shorter || m->survey.land_start - done < done);
    return goes_on ? MF_BACK_FORWARD : is_feasible(m, b) ? MF_BACK_REVERSE : MF_BACK_DIRECT;
}

struct mf_destination mf_destination_choose(const struct mf_mission *m, const struct mf_bounds *b,
                                            const struct mf_estimate *e)
{
    const struct mf_geo here = {e->pose.lat_deg, e->pose.lon_deg};
    const int32_t type = mf_param_i(b->params, MF_PARAM_RTL_TYPE);
    bool found = type == RTL_NEAREST || type == RTL_NEAREST_OF_ALL;
    struct mf_destination best = {.lat_deg = b->home->lat_deg,
                                  .lon_deg = b->home->lon_deg,
                                  .alt_amsl_m = b->home->alt_amsl_m};
    struct mf_destination to;
    struct mf_store_info info = {0};
    /* Along the mission, home is only what comes after its last item. */
    if (type == RTL_MISSION || type == RTL_MISSION_SHORTER) {
        best.way = (uint8_t)along_the_mission(m, b, type == RTL_MISSION_SHORTER);
        return best;
    }
    if ((type == RTL_NOT_HOME || type == RTL_NEAREST_OF_ALL) && mission_landing(m, b, e, &to) &&
        (!found || distance_m(here, &to) < distance_m(here, &best))) {
        best = to;
        found = true;
    }
    (void)mf_store_info(b->hal, MF_STORE_RALLY, &info);
    for (uint16_t i = 0; i < info.count; i++) {
        if (rally_point(b, e, i, &to) &&
            (!found || distance_m(here, &to) < distance_m(here, &best))) {
            best = to;
            found = true;
        }
    }
    MF_ASSERT(best.way == MF_BACK_DIRECT || !best.rally);
    return best;
}
