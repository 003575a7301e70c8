/* SPDX-License-Identifier: Apache-2.0 */
/** Judgement whether a fault that begins now would be visible, for all ways to request faults. */
#ifndef MF_DRONE_FAULT_JUDGE_H
#define MF_DRONE_FAULT_JUDGE_H

#include "drone/fault_policy.h"

/** @brief Judge a fault. @param with  NULL: the defaults of the table  @return MF_E_OK, or as
 * mf_inject_ops.set() */
int mf_fault_judge(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault,
                   const struct mf_fault_values *with);

/** @brief True if another active fault hides it. @param among  bits 1 << enum mf_fault: only these
 * count */
bool mf_fault_hidden(const struct mf_fault_policy *p, mf_us_t now_us, enum mf_fault fault,
                     uint64_t among);

#endif
