/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What may be injected into a drone, and what becomes of a fault that none of its devices shows.
 *
 * The policy stands before the injection of the world, as a decorator (hal/inject.h): the one place
 * that every request passes, by MAVLink, by the control API or by a schedule. It refuses what would
 * show nothing (fault_judge.h), and imposes on the vehicle what no device shows: firmware/impose.h.
 */
#ifndef MF_DRONE_FAULT_POLICY_H
#define MF_DRONE_FAULT_POLICY_H

#include "hal/hal.h"

struct mf_vehicle;

/** The caller allocates it; its fields belong to the implementation. */
struct mf_fault_policy {
    struct mf_vehicle *vehicle;
    const struct mf_inject_ops *inject; /**< the world's, which makes faults true */
    void *inject_ctx;
    mf_us_t next_us; /**< vehicle time at which to look again */
    uint64_t logged; /**< active, as the log has them: bits 1 << enum mf_fault */
};

/** @brief Stand before the injection of a set of devices, for the vehicle that is going to be
 * initialized with it. A teleport by request and without values leads away from home, and out of
 * the fence: to 1.1 times GF_MAX_HOR_DIST and 10 m more, or 10 m beyond the zones. */
void mf_fault_policy_connect(struct mf_fault_policy *policy, struct mf_vehicle *vehicle,
                             struct mf_hal *hal);

#endif
