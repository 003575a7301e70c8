/* SPDX-License-Identifier: Apache-2.0 */
/** Fence along the plan: when the vehicle will cross a border, and where it must stop before it. */
#ifndef MF_FIRMWARE_FENCE_AHEAD_H
#define MF_FIRMWARE_FENCE_AHEAD_H

#include "firmware/state/estimate.h"
#include "firmware/state/fence.h"

/** Interval of checks of a body that does not know its future, or drifts [us], as in PX4. */
#define MF_FENCE_POLL_US (200 * MF_MS_US)

/** Plan of a flight, and its bounds. Read only. */
struct mf_way {
    const struct mf_bounds *bounds;
    const struct mf_estimate *estimate; /**< present estimate */
    struct mf_speeds pace;
};

/** @brief Highest speeds under the present plan. The navigator requests no higher ones; a body
 * whose motors are off falls. */
struct mf_speeds mf_fence_pace(const struct mf_params *p, const struct mf_navigator *n,
                               const struct mf_pose *pose);

/** @brief Time before a crossing at which a body of these speeds must brake to stop before it, by
 * PX4's formula for the braking distance. At most 30 s. @param up_mps  a body that sinks crosses no
 * border above it */
mf_us_t mf_fence_braking_us(const struct mf_params *p, double h_mps, double up_mps);

/** @brief Compute mf_fence_braking_us() for a body with the velocity of @p pose. */
mf_us_t mf_fence_lead_us(const struct mf_params *p, const struct mf_pose *pose);

/** @brief Find the next crossing after @p from_us. @param need_us  least time to look ahead
 * @param pose, view  at @p from_us */
struct mf_crossing mf_fence_next_crossing(const struct mf_way *way, mf_us_t from_us,
                                          mf_us_t need_us, struct mf_pose pose,
                                          struct mf_fence_view view);

/** @brief Find a place on the way to a crossing, a little before it. @param next  a certain
 * crossing */
struct mf_target mf_fence_stop_before(const struct mf_way *way, mf_us_t now_us,
                                      const struct mf_crossing *next);

#endif
