/* SPDX-License-Identifier: Apache-2.0 */
/* Stores of vehicles that share a plan. Called by hal-sim/crowd, and boards/swarm (plans, vehicles,
 * routes, arrivals). */
#include "hal-sim/store_shared.h"

#include "firmware/flight/items.h"
#include "math/trig.h"
#include "mavlink/enums.h"
#include "mavlink/message.h"

#include <string.h>

#define E7           1e7
#define HALF_TURN_E7 INT64_C(1800000000)

/* Wrap a longitude to -180 to 180 degrees. */
static int32_t wrap_e7(int64_t lon_e7)
{
    if (lon_e7 > HALF_TURN_E7) {
        return (int32_t)(lon_e7 - 2 * HALF_TURN_E7);
    }
    return (int32_t)(lon_e7 < -HALF_TURN_E7 ? lon_e7 + 2 * HALF_TURN_E7 : lon_e7);
}

struct mf_plan_shift mf_plan_shift(const struct mf_shared_plan *plan, double lat_deg,
                                   double lon_deg, double up_m)
{
    MF_ASSERT(plan != NULL);
    const double here = mf_cos(mf_rad(lat_deg));
    const double there = mf_cos(mf_rad(plan->lat_deg));
    MF_ASSERT(here > 0.0 && there > 0.0);
    return (struct mf_plan_shift){
        .lat_e7 = mf_round_i32(lat_deg * E7) - mf_round_i32(plan->lat_deg * E7),
        .lon_e7 = wrap_e7((int64_t)mf_round_i32(lon_deg * E7) - mf_round_i32(plan->lon_deg * E7)),
        .up_m = (float)up_m,
        .lon_scale = there / here,
    };
}

void mf_store_shared_init(struct mf_store_shared *store, const struct mf_shared_plan *plan,
                          const struct mf_plan_shift *shift, struct mf_memory *memory,
                          uint16_t own_items)
{
    MF_ASSERT(store != NULL && (plan == NULL || shift != NULL));
    *store = (struct mf_store_shared){
        .plan = plan, .memory = memory, .own_items = memory != NULL ? own_items : 0};
    if (plan != NULL) {
        store->lon_scale = shift->lon_scale;
        store->lat_e7 = shift->lat_e7;
        store->lon_e7 = shift->lon_e7;
        store->up_m = shift->up_m;
    }
}

/* Find the shared records of an area. @return NULL: the area is not shared */
static const struct mf_shared_items *shared(const struct mf_store_shared *s,
                                            enum mf_store_area area)
{
    if (s->plan == NULL) {
        return NULL;
    }
    switch (area) {
    case MF_STORE_MISSION:
        return &s->plan->mission;
    case MF_STORE_FENCE:
        return &s->plan->fence;
    case MF_STORE_RALLY:
        return &s->plan->rally;
    case MF_STORE_PARAM:
    case MF_STORE_SIGNING:
    case MF_STORE_AREA_COUNT:
    default:
        return NULL;
    }
}

static bool holds_items(enum mf_store_area area)
{
    return area == MF_STORE_MISSION || area == MF_STORE_FENCE || area == MF_STORE_RALLY;
}

static bool is_owned(const struct mf_store_shared *s, enum mf_store_area area)
{
    return ((unsigned)s->owned >> area & 1u) != 0;
}

static void apply(const struct mf_store_shared *shift, struct mf_item *item)
{
    if (mf_item_has_position(item)) {
        const int32_t from_e7 = mf_round_i32(shift->plan->lon_deg * E7);
        const int64_t east_e7 = (int64_t)item->y - from_e7;
        item->x += shift->lat_e7;
        item->y = wrap_e7((int64_t)mf_round_i32((double)east_e7 * shift->lon_scale) + from_e7 +
                          shift->lon_e7);
    }
    /* an altitude above home or ground needs no shift */
    if (shift->up_m != 0.0f &&
        (item->frame == MAV_FRAME_GLOBAL || item->frame == MAV_FRAME_GLOBAL_INT)) {
        item->z = mf_f32_bits(mf_f32_from_bits(item->z) + shift->up_m);
    }
}

/* Get the vehicle's own store; the first call allocates it. @return NULL: not enough memory */
static struct mf_store_memory *own(struct mf_store_shared *s)
{
    if (!s->made && s->own_items > 0) {
        const size_t bytes = (size_t)s->own_items * sizeof(struct mf_item);
        struct mf_store_memory *store = mf_memory_part(s->memory, NULL, sizeof *store);
        uint8_t *banks = mf_memory_part(s->memory, NULL, 6u * bytes);
        if (store == NULL || banks == NULL) {
            return NULL;
        }
        const struct mf_store_banks area[MF_STORE_AREA_COUNT] = {
            [MF_STORE_MISSION] = {{banks, banks + bytes}, s->own_items},
            [MF_STORE_FENCE] = {{banks + 2u * bytes, banks + 3u * bytes}, s->own_items},
            [MF_STORE_RALLY] = {{banks + 4u * bytes, banks + 5u * bytes}, s->own_items},
        };
        mf_store_memory_init(store, area);
        s->own = store;
        s->made = true;
    }
    return s->made ? s->own : NULL;
}

static int store_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    struct mf_store_shared *s = ctx;
    const struct mf_shared_items *items = shared(s, area);
    *info = (struct mf_store_info){0};
    if (is_owned(s, area)) {
        return mf_store_memory_ops.info(s->own, area, info);
    }
    if (holds_items(area)) {
        info->capacity = s->own_items;
    }
    if (items != NULL) {
        info->count = items->count;
        info->tag = items->tag;
        info->capacity = info->capacity > items->count ? info->capacity : items->count;
    }
    return MF_E_OK;
}

static int store_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    struct mf_store_shared *s = ctx;
    const struct mf_shared_items *items = shared(s, area);
    if (is_owned(s, area)) {
        return mf_store_memory_ops.get(s->own, area, index, record);
    }
    if (items == NULL || index >= items->count) {
        return MF_E_RANGE;
    }
    struct mf_item item = items->item[index];
    apply(s, &item);
    memcpy(record, &item, sizeof item);
    return MF_E_OK;
}

static int store_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    struct mf_store_shared *s = ctx;
    if (!holds_items(area) || own(s) == NULL) {
        return MF_E_FULL;
    }
    return mf_store_memory_ops.put(s->own, area, index, record);
}

static int store_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    struct mf_store_shared *s = ctx;
    if (!holds_items(area) || own(s) == NULL) {
        return MF_E_IO;
    }
    const int result = mf_store_memory_ops.commit(s->own, area, count, tag);
    if (result == MF_E_OK) {
        s->owned = (uint8_t)(s->owned | 1u << area);
    }
    return result;
}

const struct mf_store_ops mf_store_shared_ops = {store_info, store_get, store_put, store_commit};
