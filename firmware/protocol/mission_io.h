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

#include "firmware/state/link.h"

struct mf_vehicle;

/** @brief A link was closed: a transfer over it ends. */
void mf_mission_link_closed(struct mf_vehicle *v, struct mf_link *link);

/* Handlers. Requests that do not fit the transfer under way are answered in words, and by
 * MISSION_ACK where PX4 does so; those of others than its partner change nothing. */

/** @brief An upload is announced, or a plan is cleared by an upload of no items. */
void mf_on_mission_count(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_mission_count *m, mf_us_t now_us);
/** @brief An item of an upload; one that is wrong ends it. */
void mf_on_mission_item_int(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_mission_item_int *m, mf_us_t now_us);
/** @brief The same in floats: the partner is asked with MISSION_REQUEST from now on. */
void mf_on_mission_item(struct mf_vehicle *v, struct mf_peer from,
                        const struct mf_msg_mission_item *m, mf_us_t now_us);
/** @brief A download begins, or begins again. */
void mf_on_mission_request_list(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_mission_request_list *m, mf_us_t now_us);
/** @brief The next item of a download, or the last one again. */
void mf_on_mission_request_int(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_mission_request_int *m, mf_us_t now_us);
/** @brief The same, answered in floats. */
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
