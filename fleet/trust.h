/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Trust in a drone, by how well it has kept its estimates. It begins at 1. After each task trust is
 * multiplied by alpha times the task's ratio, plus beta times the battery's factor, and stays
 * between 0 and 1.
 *
 * As published (compat) ratio and trust are not capped, and the battery's factor exceeds 1 above
 * half a charge.
 */
#ifndef MF_FLEET_TRUST_H
#define MF_FLEET_TRUST_H

#include "hal/types.h"

struct mf_trust_settings {
    double alpha, beta; /**< weights of time and battery, together 1 */
    double failed;      /**< ratio of a failed task */
    double exclude_below;
    bool compat;
};

/** @brief Ratio of a task: estimated by actual ticks, each at least 1; at most 1. */
double mf_trust_ratio(const struct mf_trust_settings *s, uint32_t estimated, uint32_t actual);

/** @brief Trust after a task. @param ratio  mf_trust_ratio(), or the settings'
 * failed  @param part  share of the battery that is left */
double mf_trust_after(const struct mf_trust_settings *s, double trust, double ratio, double part);

#endif
