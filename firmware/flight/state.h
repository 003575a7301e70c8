/* SPDX-License-Identifier: Apache-2.0 */
/** State of the commander: armed, landed, the mode, and events that wait for its next run. */
#ifndef MF_FIRMWARE_STATE_H
#define MF_FIRMWARE_STATE_H

#include "firmware/state/mode.h"
#include "firmware/state/state.h"
#include "hal/types.h"

struct mf_vehicle;

/** @brief Post an event of the navigator or of health: the commander processes it in its next run,
 * at @p now_us. */
void mf_commander_post(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event);

/** @brief Set the landed state that the navigator observes. Changes are sent at once. */
void mf_commander_set_landed(struct mf_vehicle *v, mf_us_t now_us, enum mf_landed landed);

/** @brief Initialize at boot: disarmed in Hold. @param landed  state of the body */
void mf_state_init(struct mf_commander *c, enum mf_landed landed);

/** @brief Note that a failsafe, not a user, has chosen the mode: HEARTBEAT says critical. */
void mf_state_by_failsafe(struct mf_commander *c);

/** @brief Cancel disarming after landing: the vehicle flies, or is disarmed. */
void mf_state_keep_armed(struct mf_vehicle *v);

/** @brief Schedule disarming after landing by COM_DISARM_LAND, unless a mission continues from
 * here, or it is scheduled. */
void mf_state_disarm_after_landing(struct mf_vehicle *v, mf_us_t now_us);

#endif
