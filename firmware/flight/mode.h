/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Flight modes and the transitions between them: two tables, and pure functions without state.
 *
 * Source: PX4 px4_custom_mode.h, vehicle_status nav_state; MAVLink standard modes.
 */
#ifndef MF_FIRMWARE_MODE_H
#define MF_FIRMWARE_MODE_H

#include "firmware/state/mode.h"
#include "hal/types.h"

/** @brief Description of a mode. @return static, never NULL */
const struct mf_mode_info *mf_mode_info(enum mf_mode mode);

/** @brief HEARTBEAT.custom_mode of a mode: sub << 24 | main << 16. */
uint32_t mf_mode_custom(enum mf_mode mode);

/** @brief Mode of PX4's main and sub mode (AUTO without a sub mode is MISSION).
 * @return enum mf_mode, or MF_E_NOSUPP if users cannot select such a mode */
int mf_mode_from_custom(uint8_t main, uint8_t sub);

/** @brief Mode of a MAV_STANDARD_MODE. @return enum mf_mode or MF_E_NOSUPP */
int mf_mode_from_standard(uint8_t standard);

/** @brief Look up the transition of @p event in mode @p from. @return enum mf_mode, or MF_E_DENIED:
 * not in the table */
int mf_mode_next(enum mf_mode from, enum mf_event event);

/** @brief True if a flight may begin in this mode in PX4. PX4's ModeRequirements: not
 * prevent_arming. */
bool mf_mode_begins_flights(enum mf_mode mode);

/** @brief Text of the first missing need, "" if all are met. @param missing  bits of enum
 * mf_need */
const char *mf_need_text(unsigned missing);

/** @brief True if a client or user steers in this mode (setpoints, sticks, a target to follow), or
 * if it leads around a circle without end. */
bool mf_mode_is_steered(enum mf_mode mode);

#endif
