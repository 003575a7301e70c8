/* SPDX-License-Identifier: Apache-2.0 */
/** The fence of a vehicle: what bounds it now, and what follows when that changes. */
#ifndef MF_FIRMWARE_FENCE_CHANGE_H
#define MF_FIRMWARE_FENCE_CHANGE_H

#include "firmware/state/fence.h"

struct mf_vehicle;

/** @brief What a plan of this vehicle must keep to now. @return valid as long as the vehicle */
struct mf_bounds mf_bounds_of(const struct mf_vehicle *v);

/** @brief The zones or a parameter of the fence changed: looks at the mission again, and the
 * watch begins anew. Says so if the mission can no longer be flown. */
void mf_fence_changed(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Home is somewhere else: the same, if that matters. */
void mf_fence_home_moved(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Look which mission item lies outside. O(items of the mission * items of the fence). */
void mf_fence_survey(struct mf_vehicle *v);

#endif
