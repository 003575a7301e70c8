/* SPDX-License-Identifier: Apache-2.0 */
/** Reports of causes of failsafes, and the resulting changes of mode. */
#ifndef MF_FIRMWARE_FAILSAFE_ACT_H
#define MF_FIRMWARE_FAILSAFE_ACT_H

#include "firmware/state/failsafe.h"

struct mf_vehicle;

/** @brief Set or clear a cause. A call without a change does nothing. */
void mf_failsafe_set(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause, bool on);

/** @brief Let an overruled cause count again, if it is present, because the flight changed in a way
 * that matters for it. */
void mf_failsafe_reconsider(struct mf_vehicle *v, mf_us_t now_us, enum mf_cause cause);

/** @brief Check causes again after a change of mode, since the mode before may have been an
 * exception for some of them. */
void mf_failsafe_mode_changed(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Land an armed vehicle without a position, as a user requests, and overrule all other
 * causes: it descends, and lands by position once it has one. */
void mf_failsafe_land(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Check all causes again after arming or disarming. */
void mf_failsafe_restart(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Part of the commander's task at @p due_us: ends the first hold. @return end of the first
 * hold */
mf_us_t mf_failsafe_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
