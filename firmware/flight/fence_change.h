/* SPDX-License-Identifier: Apache-2.0 */
/** Changes of a vehicle's fence: its present bounds, and the checks after a change. */
#ifndef MF_FIRMWARE_FENCE_CHANGE_H
#define MF_FIRMWARE_FENCE_CHANGE_H

#include "firmware/state/fence.h"

struct mf_vehicle;

/** @brief Present bounds of plans of this vehicle. @return valid as long as the vehicle */
struct mf_bounds mf_bounds_of(const struct mf_vehicle *v);

/** @brief Check the mission again, and restart the watch, after a change of zones or of a parameter
 * of the fence. Reports a mission that can no longer be flown. */
void mf_fence_changed(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Do what mf_fence_changed() does after a change of home, if the fence depends on home. */
void mf_fence_home_moved(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Find the mission item that is outside. O(items of the mission * items of the fence). */
void mf_fence_survey(struct mf_vehicle *v);

#endif
