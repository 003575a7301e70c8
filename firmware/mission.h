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

#include "firmware/datum.h"
#include "firmware/fence.h"
#include "firmware/items.h"
#include "firmware/limits.h"
#include "firmware/link.h"
#include "firmware/mode.h"
#include "firmware/text.h"
#include "math/geodesic.h"

/* What makes a mission infeasible wherever home is: name, text before and after the item's number, NULL: none.
 */
/* clang-format off */
#define MF_FLAW_LIST(X)                                     \
    X(NONE, "", NULL)                                       \
    X(UNREADABLE, "item ", " cannot be read")               \
    X(INVALID, "item ", " is invalid")                      \
    X(TAKEOFF, "takeoff not first waypoint item", NULL)     \
    X(JUMP, "item ", " jumps to an item that does not exist") \
    X(DATUM, "item ", " is " MF_DATUM_NONE)                 \
    X(TERRAIN, "item ", " is " MF_DATUM_NO_GROUND)
/* clang-format on */

enum mf_flaw {
#define X(name, before, after) MF_FLAW_##name,
    MF_FLAW_LIST(X)
#undef X
};

/** What one look through a mission's items tells of it. Item indices, -1 none. */
struct mf_mission_survey {
    uint8_t flaw;       /**< enum mf_flaw */
    int32_t flaw_seq;   /**< the item that has it */
    int32_t first;      /**< first item that moves the vehicle */
    int32_t place;      /**< first of those, take-offs aside, that has a position */
    int32_t relative;   /**< first of those whose altitude is above home */
    int32_t takeoff;    /**< first take-off */
    int32_t land;       /**< first landing */
    int32_t land_start; /**< first item of the way to it: DO_LAND_START before it, or itself */
    bool in_air;        /**< the vehicle was, when it looked: what a mission needs depends on it */
};

/** Progress of the active mission, and of a transfer. */
struct mf_mission {
    uint32_t tag; /**< opaque id of the active mission */
    uint32_t fence_tag;
    uint32_t rally_tag;
    uint16_t count;   /**< items of the active mission */
    uint16_t current; /**< index of the item flown, or to be flown next */
    int32_t reached;  /**< index last reached, -1 none */
    bool finished;    /**< the last item is done */
    struct {
        uint16_t seq;
        uint16_t done;
    } jump[MF_JUMPS_MAX]; /**< DO_JUMP items and how often they were taken */
    struct mf_mission_survey survey;
};

enum mf_transfer_state { MF_TRANSFER_IDLE, MF_TRANSFER_RECEIVE, MF_TRANSFER_SEND };

/** The one transfer that may run, across all links. */
struct mf_transfer {
    uint8_t state; /**< enum mf_transfer_state */
    uint8_t type;  /**< MAV_MISSION_TYPE */
    uint8_t sysid; /**< of the partner */
    uint8_t compid;
    uint8_t retries; /**< of the request now waited for, unanswered */
    bool use_float;  /**< the partner knows MISSION_REQUEST / MISSION_ITEM only */
    bool last_valid; /**< last_* describe an upload just finished: its last item may come again */
    uint8_t last_sysid, last_compid, last_type;
    uint16_t last_count;
    uint16_t count;
    uint16_t next;   /**< sequence number expected, or to be asked for */
    int32_t current; /**< upload: item with current = 1, -1 none yet */
    uint32_t tag;    /**< upload: checksum so far */
    uint32_t last_tag;
    struct mf_fence_part part; /**< upload of a fence */
    mf_us_t heard_us;          /**< transport time of the partner's last message */
    mf_us_t retry_us;          /**< transport time at which the request goes out again */
    struct mf_link *link;
};

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
