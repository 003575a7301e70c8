/* SPDX-License-Identifier: Apache-2.0 */
/** Failsafes in action: whoever notices something says so here. */
#ifndef MF_FIRMWARE_FAILSAFE_ACT_H
#define MF_FIRMWARE_FAILSAFE_ACT_H

#include "firmware/state/failsafe.h"

struct mf_vehicle;

/** @brief Something goes wrong, or is well again. Nothing happens unless that is news. */
void mf_failsafe_set(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause, bool on);

/** @brief What is flown now asks for something else because of a cause: if it holds, it counts
 * again. */
void mf_failsafe_reconsider(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause);

/** @brief Another mode is flown: what was an exception in the one before may count now. */
void mf_failsafe_mode_changed(struct mf_vehicle *v, mf_us_t now_us);

/** @brief A user lands an armed vehicle without a position, and has the last word on everything
 * else: it descends, and lands by position once that is back. */
void mf_failsafe_land(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Armed or disarmed: what is wrong is looked at anew. */
void mf_failsafe_restart(struct mf_vehicle *v, mf_us_t now_us);

/** @brief The commander's part of a run at @p due_us: the first hold is over. @return when it will
 * be */
mf_us_t mf_failsafe_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
