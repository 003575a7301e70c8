/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Zones: the polygons and circles of the fence in the store. A zone is one item (a circle) or
 * several (a polygon: its vertices, one after the other). A place is inside if it is in at least
 * one inclusion zone, if any exists, and in no exclusion zone. Source: PX4 geofence.cpp.
 */
#ifndef MF_FIRMWARE_ZONES_H
#define MF_FIRMWARE_ZONES_H

#include "firmware/state/fence.h"
#include "firmware/state/items.h"
#include "hal/hal.h"
#include "math/geodesic.h"

/** Result of mf_zones_depth_m() without a border [m]. */
#define MF_NOWHERE_M 1e12

/** @brief True if an item may follow. All vertices of a polygon come one after the other, and each
 * contains their number. @param after  number of items after it */
bool mf_zone_goes_on(struct mf_fence_part *part, const struct mf_item *item, uint16_t after);

/** @brief True if an inclusion zone is among the first @p count items of the fence. */
bool mf_zones_include(const struct mf_hal *hal, uint16_t count);

/** @brief Distance by which a place is inside all zones [m], negative outside; MF_NOWHERE_M without
 * zones. It is the distance to the nearest border, so the place stays inside, or outside, on any
 * shorter way.
 * @param count  items of the fence; those after an item that cannot be read do not count.
 * O(count) */
double mf_zones_depth_m(const struct mf_hal *hal, uint16_t count, struct mf_geo here);

#endif
