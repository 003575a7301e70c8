/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Missions: items behind the store, and MAVLink's mission protocol, which also carries fence and
 * rally points.
 *
 * Items are kept as they came, floats as bits, and go back the same. A new mission becomes the
 * active one at once with its last item; until then the old one stays. Source: MAVLink mission
 * protocol, PX4 mavlink_mission.
 */
#ifndef MF_FIRMWARE_MISSION_H
#define MF_FIRMWARE_MISSION_H

#include "firmware/state/datum.h"
#include "firmware/state/fence.h"
#include "firmware/state/items.h"
#include "firmware/state/limits.h"
#include "firmware/state/link.h"
#include "firmware/state/mission.h"
#include "firmware/state/mode.h"
#include "firmware/state/text.h"
#include "math/geodesic.h"

struct mf_vehicle;
struct mf_link;

/** @brief Take up what the store holds. */
void mf_mission_load(struct mf_vehicle *v);

/** @brief Can the active mission be flown from this home? O(1): the items were looked through when
 * they came.
 * @param why  out, if not: "Mission rejected: ...", ready for a STATUSTEXT */
bool mf_mission_feasible(const struct mf_vehicle *v, struct mf_text *why);

/** @brief Say what is wrong with a mission that was just uploaded, if anything: why it is rejected, or that a
 * waypoint is lower than home. O(items). */
void mf_mission_judge(struct mf_vehicle *v);

/** @brief MISSION_MODE of MISSION_CURRENT: is a mode that of a mission, or does it count as part of
 * one, as PX4's take-off and landing do? */
bool mf_mission_mode_active(enum mf_mode mode);

/** @brief MISSION_STATE of MISSION_CURRENT: 1 none or infeasible, 2 nothing reached yet, 3 active
 * (armed, in a mode that counts), 4 paused, 5 complete. */
uint8_t mf_mission_state(const struct mf_vehicle *v);

/** @brief The store has another mission now, or none: its progress begins with item @p current.
 * Tells every link and the navigator. */
void mf_mission_replaced(struct mf_vehicle *v, uint16_t current, mf_us_t now_us);

/** @brief Make @p seq the current item; of a finished mission, another run begins. Tells every link
 * and the navigator.
 * @return MF_E_OK, MF_E_RANGE */
int mf_mission_set_current(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us);

/** @brief The navigator has done item @p seq: MISSION_ITEM_REACHED on every link, once. Call it
 * once per item done. */
void mf_mission_reached(struct mf_vehicle *v, uint16_t seq, mf_us_t now_us);

/** @brief A link was closed: a transfer over it ends. */
void mf_mission_link_closed(struct mf_vehicle *v, const struct mf_link *link);

/* Handlers (mission_io.c) */
void mf_on_mission_count(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_mission_count *m, mf_us_t now_us);
void mf_on_mission_item_int(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_mission_item_int *m, mf_us_t now_us);
void mf_on_mission_item(struct mf_vehicle *v, struct mf_peer from,
                        const struct mf_msg_mission_item *m, mf_us_t now_us);
void mf_on_mission_request_list(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_mission_request_list *m, mf_us_t now_us);
void mf_on_mission_request_int(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_mission_request_int *m, mf_us_t now_us);
void mf_on_mission_request(struct mf_vehicle *v, struct mf_peer from,
                           const struct mf_msg_mission_request *m, mf_us_t now_us);
void mf_on_mission_ack(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_mission_ack *m, mf_us_t now_us);
void mf_on_mission_clear_all(struct mf_vehicle *v, struct mf_peer from,
                             const struct mf_msg_mission_clear_all *m, mf_us_t now_us);
void mf_on_mission_set_current(struct mf_vehicle *v, struct mf_peer from,
                               const struct mf_msg_mission_set_current *m, mf_us_t now_us);

/** @brief Task on transport time: repeats requests, gives up silent partners. @return next due time
 * [transport], MF_NEVER while no transfer runs */
mf_us_t mf_transfer_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
