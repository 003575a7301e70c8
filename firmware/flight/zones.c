/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Zones are read from the store each time: a fence of 256 vertices would be 8 kB in every instance,
 * and the watch asks rarely, because it knows how long nothing can happen (fence.c).
 */
#include "firmware/flight/zones.h"

#include "firmware/core/units.h"
#include "firmware/flight/items.h"
#include "math/polygon.h"
#include "math/trig.h"
#include "mavlink/enums.h"

/* ---- items ---- */

static bool is_vertex(uint16_t command)
{
    return command == MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION ||
           command == MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION;
}

static bool is_circle(uint16_t command)
{
    return command == MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION ||
           command == MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION;
}

static bool includes(uint16_t command)
{
    return command == MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION ||
           command == MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION;
}

static float param1(const struct mf_item *item)
{
    return mf_f32_from_bits(item->param[0]);
}

bool mf_zone_goes_on(struct mf_fence_part *part, const struct mf_item *item, uint16_t after)
{
    const bool vertex = is_vertex(item->command);
    const int32_t count = vertex ? mf_round_i32((double)param1(item)) : 0;
    MF_ASSERT(part != NULL);
    if (vertex && !((float)count == param1(item) && count > 0 && count <= UINT16_MAX)) {
        return false;
    }
    /* A vertex after a complete polygon begins another one, of its own number. */
    if (part->left == 0 && vertex) {
        *part = (struct mf_fence_part){item->command, (uint16_t)count, (uint16_t)count};
    }
    if (part->left > 0) {
        part->left--;
        return vertex && item->command == part->command && count == part->count &&
               part->left <= after;
    }
    return true;
}

/* ---- places ---- */

/* Zone by zone through the store. */
struct zones {
    const struct mf_hal *hal;
    uint16_t count;
    uint16_t at; /* index of the next item */
    struct mf_geo here;
    struct mf_item item;
};

/* @return whether there is another item; one that cannot be read ends them */
static bool next_item(struct zones *z)
{
    return z->at < z->count && mf_store_get(z->hal, MF_STORE_FENCE, z->at++, &z->item) == MF_E_OK;
}

bool mf_zones_include(const struct mf_hal *hal, uint16_t count)
{
    struct zones z = {.hal = hal, .count = count};
    while (next_item(&z)) {
        if (includes(z.item.command)) {
            return true;
        }
    }
    return false;
}

/* The polygon whose first vertex was read. */
static double polygon_depth(struct zones *z)
{
    const uint16_t command = z->item.command;
    const int32_t count = mf_round_i32((double)param1(&z->item));
    MF_ASSERT(is_vertex(command));
    struct mf_polygon polygon;
    mf_polygon_begin(&polygon, z->here);
    mf_polygon_add(&polygon, mf_item_place(&z->item));
    for (int32_t i = 1; i < count && next_item(z) && z->item.command == command; i++) {
        mf_polygon_add(&polygon, mf_item_place(&z->item));
    }
    return mf_polygon_depth(&polygon);
}

static double circle_depth(const struct zones *z)
{
    MF_ASSERT(is_circle(z->item.command));
    return (double)param1(&z->item) - mf_geo_inverse(z->here, mf_item_place(&z->item)).distance_m;
}

double mf_zones_depth_m(const struct mf_hal *hal, uint16_t count, struct mf_geo here)
{
    struct zones z = {.hal = hal, .count = count, .here = here};
    MF_ASSERT(mf_finite(here.lat_deg) && mf_finite(here.lon_deg));
    double included_m = -MF_NOWHERE_M; /* in the best of them */
    double excluded_m = MF_NOWHERE_M;
    bool included = false;
    while (next_item(&z)) {
        const uint16_t command = z.item.command;
        if (!is_vertex(command) && !is_circle(command)) {
            continue;
        }
        const double depth_m = is_circle(command) ? circle_depth(&z) : polygon_depth(&z);
        if (includes(command)) {
            included = true;
            included_m = depth_m > included_m ? depth_m : included_m;
        } else {
            excluded_m = -depth_m < excluded_m ? -depth_m : excluded_m;
        }
    }
    /* The union of inclusion zones, less the exclusion zones: the deepest of those, the shallowest
     * of these. */
    return included && included_m < excluded_m ? included_m : excluded_m;
}
