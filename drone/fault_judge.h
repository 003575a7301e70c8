/* SPDX-License-Identifier: Apache-2.0 */
/** Whether a fault that begins now would be seen: the one judge of every way in. */
#ifndef MF_DRONE_FAULT_JUDGE_H
#define MF_DRONE_FAULT_JUDGE_H

#include "drone/fault_policy.h"

/** @brief Would it? @param with  NULL: the defaults of the table  @return MF_E_OK, or as
 * mf_inject_ops.set() */
int mf_fault_judge(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault,
                   const struct mf_fault_values *with);

/** @brief Does another fault that is active hide it? @param among  bits 1 << enum mf_fault: only
 * those count */
bool mf_fault_hidden(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault,
                     uint64_t among);

#endif
