/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Active mission without its vehicle: its items in the store, its progress, and counters of its
 * jumps. It does not inform other modules.
 */
#ifndef MF_FIRMWARE_MISSION_STORE_H
#define MF_FIRMWARE_MISSION_STORE_H

#include "firmware/state/items.h"
#include "firmware/state/mission.h"
#include "hal/hal.h"

/** @brief Read item @p index of the active mission. @return MF_E_OK, MF_E_RANGE, MF_E_IO */
int mf_mission_get(const struct mf_mission *m, const struct mf_hal *hal, uint16_t index,
                   struct mf_item *item);

/** @brief Make the store's mission the active one, with no item completed. The survey does not
 * change: the caller makes a new one. @param current  first item; an invalid one means item 0 */
void mf_mission_take_up(struct mf_mission *m, const struct mf_hal *hal, uint16_t current);

/** @brief Read the opaque ids of the fence and of the rally points from the store. */
void mf_mission_read_tags(struct mf_mission *m, const struct mf_hal *hal);

/** @brief Make @p seq the next item. A finished mission starts again: no item is reached, no jump
 * taken. @param seq  an existing item, or 0 */
void mf_mission_begin(struct mf_mission *m, uint16_t seq);

/** @brief Note that mode Mission begins. As in PX4 the mission starts again if the vehicle was
 * disarmed since it was flown, and its last item is the current one. @return true: it starts
 * again */
bool mf_mission_activate(struct mf_mission *m);

/** @brief Choose the item with which mode Mission begins. If it began before with this item, and an
 * item before the current one triggered the camera, PX4 returns to the last place before, so that
 * no picture is missing. */
void mf_mission_resume(struct mf_mission *m, const struct mf_hal *hal);

/** @brief Note that the vehicle was disarmed. */
void mf_mission_disarmed(struct mf_mission *m);

/** @brief Continue the mission with item @p seq, which exists. */
void mf_mission_go_on(struct mf_mission *m, uint16_t seq);

/** @brief Note that the last item was completed. */
void mf_mission_finish(struct mf_mission *m);

/** @brief Note that item @p seq was completed. */
void mf_mission_reach(struct mf_mission *m, uint16_t seq);

/** @brief Forget which item was reached, as PX4 does when an upload begins. */
void mf_mission_forget_reached(struct mf_mission *m);

/** @brief Find the target of DO_JUMP @p seq at present: to param1, param2 times (-1:
 * without end).
 * @return the next item: the item after the jump, if the jump is used up; the number of
 * items, if it leads to no item, which ends the mission as in PX4 */
uint16_t mf_mission_jump_target(const struct mf_mission *m, uint16_t seq,
                                const struct mf_item *item);

/** @brief Take DO_JUMP @p seq, as mf_mission_jump_target() does, and count it.
 * @param next  out: the next item
 * @return MF_E_OK; MF_E_FULL: all counters are used, and the jump is not taken */
int mf_mission_jump(struct mf_mission *m, uint16_t seq, const struct mf_item *item, uint16_t *next);

#endif
