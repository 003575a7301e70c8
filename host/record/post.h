/* SPDX-License-Identifier: Apache-2.0 */
/** What a host asks of a drone beside MAVLink. It goes into a recording, and replay asks
 * the same. */
#ifndef MF_HOST_RECORD_POST_H
#define MF_HOST_RECORD_POST_H

#include "drone/calls.h"
#include "hal/inject.h"

/** @brief Begin a fault, or end it, at the present vehicle time.
 *  @param with  NULL: the defaults of the table
 *  @return MF_E_OK; MF_E_NOSUPP: nothing here shows it; MF_E_AGAIN: not while
 *  another fault hides it; MF_E_RANGE: a value */
int mf_post_fault(struct mf_drone *d, enum mf_fault fault, bool on,
                  const struct mf_fault_values *with);

/** @brief Schedule a fault.
 *  @param plan     after BOOT: a vehicle time that is not over
 *  @param at_once  it begins now, whatever the plan says of that
 *  @return MF_E_OK; MF_E_FULL: no room; MF_E_RANGE: that time is over; MF_E_NOSUPP: nothing here
 *  shows it */
int mf_post_plan(struct mf_drone *d, const struct mf_fault_plan *plan, bool at_once);

/** @brief End a fault at the present vehicle time, and all that is scheduled of it.
 *  @return as mf_post_fault() */
int mf_post_unplan(struct mf_drone *d, enum mf_fault fault);

#endif
