/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Zones: the polygons and circles of the fence in the store. A zone is one item (a circle) or
 * several (a polygon: its vertices, one after the other). Inside is: in at least one inclusion
 * zone, if there is any; in no exclusion zone. Source: PX4 geofence.cpp.
 */
#ifndef MF_FIRMWARE_ZONES_H
#define MF_FIRMWARE_ZONES_H

#include "firmware/state/fence.h"
#include "firmware/state/items.h"
#include "hal/hal.h"
#include "math/geodesic.h"

/** How deep inside a place is where there is no border [m]. */
#define MF_NOWHERE_M 1e12

/** @brief May this item follow? All vertices of a polygon come one after the other and name their
 * number. @param after  how many items come after it */
bool mf_zone_goes_on(struct mf_fence_part *part, const struct mf_item *item, uint16_t after);

/** @brief Is there an inclusion zone among the first @p count items of the fence? */
bool mf_zones_include(const struct mf_hal *hal, uint16_t count);

/** @brief How far inside all zones a place is [m], negative outside; MF_NOWHERE_M without zones.
 * The distance is that to the nearest border, so nothing changes on a way that is shorter.
 * @param count  items of the fence; those behind one that cannot be read do not count. O(count) */
double mf_zones_depth_m(const struct mf_hal *hal, uint16_t count, struct mf_geo here);

#endif
