/* SPDX-License-Identifier: Apache-2.0 */
/** What the commander knows: armed, landed, the mode, and the events that wait for its next run. */
#ifndef MF_FIRMWARE_STATE_H
#define MF_FIRMWARE_STATE_H

#include "firmware/state/mode.h"
#include "firmware/state/state.h"
#include "hal/types.h"

struct mf_vehicle;

/** @brief Something happened (navigator, health): the commander acts on it in its next run, at @p
 * now_us. */
void mf_commander_post(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event);

/** @brief The navigator reports what the body does. Changes go out at once. */
void mf_commander_set_landed(struct mf_vehicle *v, mf_us_t now_us, enum mf_landed landed);

/** @brief At boot: disarmed in Hold. @param landed  what the body does */
void mf_state_init(struct mf_commander *c, enum mf_landed landed);

/** @brief From now on a failsafe, not a user, has chosen the mode: HEARTBEAT says critical. */
void mf_state_by_failsafe(struct mf_commander *c);

/** @brief No disarming is due any more: it flies, or is disarmed. */
void mf_state_keep_armed(struct mf_vehicle *v);

/** @brief On the ground after a flight: disarm after COM_DISARM_LAND, unless a mission goes on from
 * here, or that is due already. */
void mf_state_disarm_after_landing(struct mf_vehicle *v, mf_us_t now_us);

#endif
