/* SPDX-License-Identifier: Apache-2.0 */
/** The fence along the plan: when the vehicle will cross a border, and where it must
 * stop before. */
#ifndef MF_FIRMWARE_FENCE_AHEAD_H
#define MF_FIRMWARE_FENCE_AHEAD_H

#include "firmware/state/estimate.h"
#include "firmware/state/fence.h"

/** A body that does not know its future, or drifts, is looked at again after [us], as in PX4. */
#define MF_FENCE_POLL_US (200 * MF_MS_US)

/** A plan on its way, and what it must keep to. Read only. */
struct mf_way {
    const struct mf_bounds *bounds;
    const struct mf_estimate *estimate; /**< of now */
    struct mf_speeds pace;
};

/** @brief Greatest speeds under the present plan. Nothing that the navigator asks for makes it
 * faster; a body whose motors are off falls. */
struct mf_speeds mf_fence_pace(const struct mf_params *p, const struct mf_navigator *n,
                               const struct mf_pose *pose);

/** @brief How long before a crossing a body of these speeds must brake to stop in front of it, by
 * PX4's formula for the braking distance. 30 s at most. @param up_mps  downwards nothing
 * is crossed */
mf_us_t mf_fence_braking_us(const struct mf_params *p, double h_mps, double up_mps);

/** @brief The same of a body that flies as @p pose says. */
mf_us_t mf_fence_lead_us(const struct mf_params *p, const struct mf_pose *pose);

/** @brief The next crossing after @p from_us. @param need_us  look at least that far
 * @param pose, view  those of @p from_us */
struct mf_crossing mf_fence_next_crossing(const struct mf_way *way, mf_us_t from_us,
                                          mf_us_t need_us, struct mf_pose pose,
                                          struct mf_fence_view view);

/** @brief A place on the way to a crossing, a little in front of it. @param next  a sure one */
struct mf_target mf_fence_stop_before(const struct mf_way *way, mf_us_t now_us,
                                      const struct mf_crossing *next);

#endif
