/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The active mission by itself: its items behind the store, how far it has got, how often its jumps
 * were taken. It knows neither the vehicle nor who is told.
 */
#ifndef MF_FIRMWARE_MISSION_STORE_H
#define MF_FIRMWARE_MISSION_STORE_H

#include "firmware/state/items.h"
#include "firmware/state/mission.h"
#include "hal/hal.h"

/** @brief Read item @p index of the active mission. @return MF_E_OK, MF_E_RANGE, MF_E_IO */
int mf_mission_get(const struct mf_mission *m, const struct mf_hal *hal, uint16_t index,
                   struct mf_item *item);

/** @brief The active mission is what the store holds; nothing of it is done. Its survey is as
 * before: the caller makes a new one. @param current  item to begin with; where there is none,
 * the first */
void mf_mission_take_up(struct mf_mission *m, const struct mf_hal *hal, uint16_t current);

/** @brief The opaque ids of the fence and of the rally points are those of the store. */
void mf_mission_read_tags(struct mf_mission *m, const struct mf_hal *hal);

/** @brief Item @p seq comes next. Of a finished mission another run begins: nothing is reached, no
 * jump taken. @param seq  of an item, or 0 */
void mf_mission_begin(struct mf_mission *m, uint16_t seq);

/** @brief Note that mode Mission begins. As in PX4 the mission begins anew if the vehicle was
 * disarmed since it was flown, and its last item is the current one. @return whether it does */
bool mf_mission_activate(struct mf_mission *m);

/** @brief Choose the item that mode Mission begins with. If it began before with this item,
 * and the camera was triggered by an item before the current one, PX4 goes back to the last place
 * before, so that no picture is missing. */
void mf_mission_resume(struct mf_mission *m, const struct mf_hal *hal);

/** @brief The vehicle is disarmed now. */
void mf_mission_disarmed(struct mf_mission *m);

/** @brief The mission goes on with item @p seq, which exists. */
void mf_mission_go_on(struct mf_mission *m, uint16_t seq);

/** @brief Its last item is done. */
void mf_mission_finish(struct mf_mission *m);

/** @brief Item @p seq is done. */
void mf_mission_reach(struct mf_mission *m, uint16_t seq);

/** @brief No item counts as reached any more, as in PX4 when an upload begins. */
void mf_mission_forget_reached(struct mf_mission *m);

/** @brief DO_JUMP @p seq if it were taken now: to param1, param2 times (-1: for ever).
 * @return the item to go on with: that after it, if it was taken often enough; the number of items,
 * if it leads to none, which ends the mission as in PX4 */
uint16_t mf_mission_jump_target(const struct mf_mission *m, uint16_t seq,
                                const struct mf_item *item);

/** @brief Take DO_JUMP @p seq: as mf_mission_jump_target(), and it is counted.
 * @param next  out: the item to go on with
 * @return MF_E_OK; MF_E_FULL: no counter is left, the jump is not taken */
int mf_mission_jump(struct mf_mission *m, uint16_t seq, const struct mf_item *item, uint16_t *next);

#endif
