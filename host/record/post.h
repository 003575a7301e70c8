/* SPDX-License-Identifier: Apache-2.0 */
/** Requests of a host to a drone apart from MAVLink. They go into a recording, and a replay repeats
 * them. */
#ifndef MF_HOST_RECORD_POST_H
#define MF_HOST_RECORD_POST_H

#include "drone/calls.h"
#include "hal/inject.h"

/** @brief Begin a fault, or end it, at the present vehicle time.
 * @param with  NULL: the defaults of the table
 * @return MF_E_OK; MF_E_NOSUPP: no device here shows it; MF_E_AGAIN: another fault hides it now;
 * MF_E_RANGE: a value */
int mf_post_fault(struct mf_drone *d, enum mf_fault fault, bool on,
                  const struct mf_fault_values *with);

/** @brief Schedule a fault.
 * @param plan  after BOOT: a vehicle time that is not over
 * @param at_once  begin now, whatever time the plan has
 * @return MF_E_OK; MF_E_FULL: not enough room; MF_E_RANGE: the plan's time is over; MF_E_NOSUPP: no
 * device here shows it */
int mf_post_plan(struct mf_drone *d, const struct mf_fault_plan *plan, bool at_once);

/** @brief End a fault at the present vehicle time, and all its schedules.
 * @return as mf_post_fault() */
int mf_post_unplan(struct mf_drone *d, enum mf_fault fault);

#endif
