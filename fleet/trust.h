/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Trust in a drone: how well it has kept its estimates. It begins at 1. After each task it is
 * multiplied by alpha times the task's ratio, plus beta times the battery's factor, and stays
 * between 0 and 1. The ratio of one task stands beside it.
 *
 * As published (compat) the ratio and trust have no cap, and the battery counts above a half, too.
 */
#ifndef MF_FLEET_TRUST_H
#define MF_FLEET_TRUST_H

#include "hal/types.h"

struct mf_trust_settings {
    double alpha, beta; /**< weights of time and battery, together 1 */
    double failed;      /**< ratio of a task that was not done */
    double exclude_below;
    bool compat;
};

/** @brief A task's ratio: estimated by actual ticks, at most 1. @param actual  0: it took none */
double mf_trust_ratio(const struct mf_trust_settings *s, uint32_t estimated, uint32_t actual);

/** @brief Trust after a task. */
double mf_trust_after(const struct mf_trust_settings *s, double trust, double ratio, double part);

#endif
