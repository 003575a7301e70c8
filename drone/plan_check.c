/* SPDX-License-Identifier: Apache-2.0 */
/* Judgement of plans: items, room, feasibility. Called by host/api, and boards/swarm/plans and
 * vehicles. */
#include "drone/plan_check.h"

#include "drone/item_text.h"
#include "firmware/core/text.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "firmware/protocol/mission_io.h"
#include "firmware/protocol/transfer.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* ---- items */

bool mf_plan_check_part(const struct mf_hal *hal, bool px4, uint8_t type,
                        const struct mf_plan_part *part, struct mf_plan_verdict *verdict)
{
    struct mf_fence_part zone = {0};
    for (uint16_t i = 0; i < part->count; i++) {
        const struct mf_item item = mf_item_of(&part->item[i]);
        const char *text = "";
        const uint8_t result = mf_mission_check_item(hal, px4, type, &item,
                                                     (uint16_t)(part->count - i - 1), &zone, &text);
        if (result != MAV_MISSION_ACCEPTED) {
            *verdict = (struct mf_plan_verdict){result, type, i, mf_text("")};
            if (mf_item_check(type, &item, px4) != MAV_MISSION_ACCEPTED) {
                mf_item_explain(px4, type, &item, result, &verdict->why);
            } else {
                mf_text_add(&verdict->why, text);
            }
            return false;
        }
    }
    return true;
}

static bool has_room(const struct mf_vehicle *v, uint8_t type, const struct mf_plan_part *part,
                     struct mf_plan_verdict *verdict)
{
    const uint16_t room = mf_mission_room(v, type);
    if (part->count <= room) {
        return true;
    }
    *verdict = (struct mf_plan_verdict){MAV_MISSION_NO_SPACE, type, -1, mf_text("")};
    mf_text_add_int(&verdict->why, part->count);
    mf_text_add(&verdict->why, type == MAV_MISSION_TYPE_FENCE ? " corners and circles" : " items");
    mf_text_add(&verdict->why, ", at most ");
    mf_text_add_int(&verdict->why, room);
    return false;
}

bool mf_plan_check(const struct mf_vehicle *v, const struct mf_plan_part *part,
                   struct mf_plan_verdict *verdict)
{
    for (uint8_t type = 0; type < MF_PLAN_PARTS; type++) {
        if (part[type].given && mf_transfer_is_busy(&v->transfer)) {
            *verdict = (struct mf_plan_verdict){MAV_MISSION_ERROR, type, -1,
                                                mf_text("another client transfers a plan")};
            return false;
        }
        if (part[type].given &&
            (!has_room(v, type, &part[type], verdict) ||
             !mf_plan_check_part(&v->hal, v->options.px4_strict, type, &part[type], verdict))) {
            return false;
        }
    }
    return true;
}

/* ---- the mission as a whole */

/* Read-only store that shows parts of an offered plan in place of the vehicle's own. */
struct offer {
    const struct mf_hal *below;
    const struct mf_plan_part *part;
};

static const struct mf_plan_part *offered(const struct offer *o, enum mf_store_area area)
{
    return area >= MF_STORE_MISSION && area <= MF_STORE_RALLY &&
                   o->part[area - MF_STORE_MISSION].given
               ? &o->part[area - MF_STORE_MISSION]
               : NULL;
}

static int offer_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    const struct offer *o = ctx;
    const struct mf_plan_part *part = offered(o, area);
    if (part == NULL) {
        return mf_store_info(o->below, area, info);
    }
    *info = (struct mf_store_info){.count = part->count, .capacity = part->count};
    return MF_E_OK;
}

static int offer_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    const struct offer *o = ctx;
    const struct mf_plan_part *part = offered(o, area);
    if (part == NULL) {
        return mf_store_get(o->below, area, index, record);
    }
    if (index >= part->count) {
        return MF_E_RANGE;
    }
    *(struct mf_item *)record = mf_item_of(&part->item[index]);
    return MF_E_OK;
}

static int offer_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    (void)ctx, (void)area, (void)index, (void)record;
    return MF_E_IO;
}

static int offer_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    (void)ctx, (void)area, (void)count, (void)tag;
    return MF_E_IO;
}

static const struct mf_store_ops k_offer = {offer_info, offer_get, offer_put, offer_commit};

bool mf_plan_feasible_for(const struct mf_plan_vehicle *vehicle, struct mf_text *why)
{
    struct mf_bounds bounds = vehicle->bounds;
    const struct mf_datum datum = {bounds.hal, bounds.home, vehicle->estimate};
    struct mf_mission mission = {0};
    struct mf_fence fence;
    mf_fence_init(&fence);
    mf_fence_load(&fence, bounds.hal);
    bounds.fence = &fence;
    mf_mission_take_up(&mission, bounds.hal, 0);
    mf_mission_survey(&mission, &datum, vehicle->in_air, vehicle->px4);
    fence.astray = mf_fence_astray(&bounds, &datum, &mission);
    return mf_mission_feasible(&mission, &bounds, why);
}

bool mf_plan_feasible(const struct mf_vehicle *v, const struct mf_plan_part *part,
                      struct mf_text *why)
{
    struct offer offer = {&v->hal, part};
    struct mf_hal hal = v->hal;
    struct mf_plan_vehicle vehicle = {.bounds = mf_bounds_of(v),
                                      .estimate = &v->estimate,
                                      .in_air = v->commander.landed > MF_LANDED_ON_GROUND,
                                      .px4 = v->options.px4_strict};
    if (part != NULL) {
        hal.store = &k_offer;
        hal.store_ctx = &offer;
        vehicle.bounds.hal = &hal;
    }
    return mf_plan_feasible_for(&vehicle, why);
}
