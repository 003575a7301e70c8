/* SPDX-License-Identifier: Apache-2.0 */
/** Reasons for which an item is not taken, in words. */
#ifndef MF_DRONE_ITEM_TEXT_H
#define MF_DRONE_ITEM_TEXT_H

#include "firmware/state/items.h"
#include "firmware/state/text.h"

/** @brief Say what is wrong with an item, and what would be right: "frame 3, must be 2". Pure.
 *  @param px4     as PX4 takes items, not as Mayfly does (options.px4_strict)
 *  @param type    MAV_MISSION_TYPE 0 .. 2
 *  @param result  MAV_MISSION_RESULT, other than ACCEPTED; it need not be of this vehicle
 *  @param why     the reason is added to it; nothing, where the result says no more than its name
 */
void mf_item_explain(bool px4, uint8_t type, const struct mf_item *item, uint8_t result,
                     struct mf_text *why);

#endif
