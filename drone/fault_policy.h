/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Policy of fault injection into a drone, and effects of faults that none of its devices shows.
 *
 * The policy is a decorator of the world's injection (hal/inject.h): the one place that every
 * request passes, by MAVLink, by the control API or by a schedule. It refuses faults that would be
 * invisible (fault_judge.h), and makes the vehicle show those that no device shows:
 * firmware/impose.h.
 *
 * Lost sticks and a late HEARTBEAT are such faults, and not wrappers of links as link quality is. A
 * recording holds the bytes inside all wrappers, so its replay would lose them. The vehicle would
 * also learn of the loss by a timeout, while a receiver of sticks reports it at once.
 */
#ifndef MF_DRONE_FAULT_POLICY_H
#define MF_DRONE_FAULT_POLICY_H

#include "hal/hal.h"

struct mf_vehicle;

/** The caller allocates it; its fields are private. */
struct mf_fault_policy {
    struct mf_vehicle *vehicle;
    const struct mf_inject_ops *inject; /**< the world's injection, which makes faults true */
    void *inject_ctx;
    mf_us_t next_us; /**< vehicle time of the next look */
    uint64_t logged; /**< active faults according to the log: bits 1 << enum mf_fault */
};

/** @brief Decorate the injection of a set of devices, for the vehicle that will be initialised with
 * it. A requested teleport without values leads away from home, and out of the fence: to 1.1 times
 * GF_MAX_HOR_DIST and 10 m more, or 10 m beyond the zones. */
void mf_fault_policy_connect(struct mf_fault_policy *policy, struct mf_vehicle *vehicle,
                             struct mf_hal *hal);

#endif
