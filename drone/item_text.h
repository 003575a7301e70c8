/* SPDX-License-Identifier: Apache-2.0 */
/** Reasons for refusing a mission item, as text. */
#ifndef MF_DRONE_ITEM_TEXT_H
#define MF_DRONE_ITEM_TEXT_H

#include "firmware/state/items.h"
#include "firmware/state/text.h"

/** @brief Write what is wrong with an item, and what would be right: "frame 3, must be 2". Pure.
 * @param px4  items as PX4 accepts them, not as Mayfly does (options.px4_strict)
 * @param type  MAV_MISSION_TYPE 0 .. 2
 * @param result  MAV_MISSION_RESULT, except ACCEPTED; it may be another vehicle's
 * @param why  text to which the reason is added; unchanged if the result's name is the whole
 * reason */
void mf_item_explain(bool px4, uint8_t type, const struct mf_item *item, uint8_t result,
                     struct mf_text *why);

#endif
