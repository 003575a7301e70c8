/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink's mission protocol: one transfer at a time over all links, of a mission, a fence or rally
 * points.
 *
 * An upload replaces nothing before its last item: the store keeps the old plan, and a client that
 * goes away half way leaves it in force. Items go back as they came, unless PX4's rules say in
 * which frame. Source: MAVLink mission protocol, PX4 mavlink_mission; whose texts ("WPM: ...")
 * clients search for.
 */
#ifndef MF_FIRMWARE_MISSION_IO_H
#define MF_FIRMWARE_MISSION_IO_H

#include "firmware/state/fence.h"
#include "firmware/state/items.h"
#include "firmware/state/link.h"
#include "hal/hal.h"

struct mf_vehicle;

/** @brief A link was closed: a transfer over it ends. */
void mf_mission_link_closed(struct mf_vehicle *v, struct mf_link *link);

/** @brief Number of items of a part of a plan for which the vehicle has room.
 *  @param type  MAV_MISSION_TYPE 0 .. 2 */
uint16_t mf_mission_room(const struct mf_vehicle *v, uint8_t type);

/** @brief Check an item of an upload: its values, its place among those before it, this Earth.
 *  @param px4    as PX4 takes items, not as Mayfly does (options.px4_strict)
 *  @param part   of a fence: its polygon so far; zeroed before the first item
 *  @param after  items that come after it
 *  @param text   out, if it is refused: what the vehicle says; static
 *  @return MAV_MISSION_RESULT */
uint8_t mf_mission_check_item(const struct mf_hal *hal, bool px4, uint8_t type,
                              const struct mf_item *item, uint16_t after,
                              struct mf_fence_part *part, const char **text);

/* Handlers. Requests that do not fit the transfer under way are answered in words, and by
 * MISSION_ACK where PX4 does so; those of others than its partner change nothing. */

/** @brief An upload is announced, or a plan is cleared by an upload of no items. */
void mf_on_mission_count(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_mission_count *m, mf_us_t now_us);
/** @brief An item of an upload; one that is wrong ends it. */
void mf_on_mission_item_int(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_mission_item_int *m, mf_us_t now_us);
/** @brief Handle MISSION_ITEM, an item in floats: from now on the partner gets MISSION_REQUEST. */
void mf_on_mission_item(struct mf_vehicle *v, struct mf_peer from,
                        const struct mf_msg_mission_item *m, mf_us_t now_us);
/** @brief A download begins, or begins again. */
void mf_on_mission_request_list(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_mission_request_list *m, mf_us_t now_us);
/** @brief The next item of a download, or the last one again. */
void mf_on_mission_request_int(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_mission_request_int *m, mf_us_t now_us);
/** @brief Handle MISSION_REQUEST, which is answered with an item in floats. */
void mf_on_mission_request(struct mf_vehicle *v, struct mf_peer from,
                           const struct mf_msg_mission_request *m, mf_us_t now_us);
/** @brief The partner has all items, gives up, or does not know our kind of request. */
void mf_on_mission_ack(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_mission_ack *m, mf_us_t now_us);
/** @brief The plan of a type, or all of them, is gone at once. */
void mf_on_mission_clear_all(struct mf_vehicle *v, struct mf_peer from,
                             const struct mf_msg_mission_clear_all *m, mf_us_t now_us);
/** @brief The mission goes on with another item; not during a transfer. */
void mf_on_mission_set_current(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_mission_set_current *m, mf_us_t now_us);

/** @brief Task on transport time: repeats requests, gives up silent partners. @return next due time
 * [transport], MF_NEVER while no transfer runs */
mf_us_t mf_transfer_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
