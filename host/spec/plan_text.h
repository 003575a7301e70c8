/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Refusals of plans as text, the same for the control API, the ground program and scenarios:
 * "mission: item 3 (delay): frame 3, must be 2 (MAV_MISSION_RESULT 2)".
 */
#ifndef MF_HOST_SPEC_PLAN_TEXT_H
#define MF_HOST_SPEC_PLAN_TEXT_H

#include "drone/plan_check.h"

/** Longest line about a refusal, with its NUL [characters]. */
#define MF_PLAN_REFUSAL_MAX 400u

/** @brief Name of an item's command: "delay", or "command 93". @param text  out [size] */
void mf_plan_command_text(uint16_t command, char *text, size_t size);

/** @brief Word of a MAV_MISSION_RESULT. @return static; "unknown result" */
const char *mf_plan_result_word(uint8_t result);

/** @brief A part of a plan by its MAV_MISSION_TYPE, 0 .. 2: "mission", "geofence", "rally points".
 *  @return static */
const char *mf_plan_part_word(uint8_t type);

/** @brief Explain a vehicle's refusal of an item, as far as its result and our rules show.
 * @param result  MAV_MISSION_RESULT, not ACCEPTED */
struct mf_plan_verdict mf_plan_refused_item(uint8_t type,
                                            const struct mf_msg_mission_item_int *item,
                                            uint16_t seq, uint8_t result);

/** @brief Write a refusal of a whole part, before the vehicle has seen an item of it.
 *  @param count  its items */
struct mf_plan_verdict mf_plan_refused_part(uint8_t type, uint16_t count, uint8_t result);

/** @brief Write a line about a refusal: part, item, command, reason, result.
 * @param command  command of the item; unused if verdict->seq is -1
 * @param text  out [MF_PLAN_REFUSAL_MAX]  @return text */
const char *mf_plan_refusal_text(const struct mf_plan_verdict *verdict, uint16_t command,
                                 char *text);

#endif
