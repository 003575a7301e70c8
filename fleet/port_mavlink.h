/* SPDX-License-Identifier: Apache-2.0 */
/** Order port of a drone outside this process: sends orders as frames on a link, and gathers the
 * drone's state from frames of the same link. */
#ifndef MF_FLEET_PORT_MAVLINK_H
#define MF_FLEET_PORT_MAVLINK_H

#include "fleet/order.h"
#include "mavlink/frame.h"

/** A link to a drone. The caller allocates it, and may read its fields. */
struct mf_port_mavlink {
    int (*write)(void *ctx, const uint8_t *bytes, size_t n); /**< @return MF_E_OK or MF_E_IO */
    void *ctx;
    struct mf_order_view view; /**< latest state from the drone's messages */
    uint32_t heard;            /**< number of frames from the drone */
    uint32_t refused;          /**< number of orders that a COMMAND_ACK refused */
    uint8_t sysid, compid;     /**< ids of the drone; 0: no HEARTBEAT yet */
    bool asks;                 /**< a command or an upload waits for its answer */
    uint8_t answer;   /**< answer to the last command or upload: MAV_RESULT, MAV_MISSION_RESULT */
    uint16_t command; /**< MAV_CMD of the last command */
    const struct mf_msg_mission_item_int
        *items; /**< [item_count] items of an upload; NULL: no upload */
    uint16_t item_count;
    uint8_t
        wanted; /**< the only system id that the drone may have; 0: that of the first HEARTBEAT */
    uint8_t seq;
};

/** @brief Begin before the first frame. @param write  writes all bytes, or fails because the link
 * is gone */
void mf_port_mavlink_init(struct mf_port_mavlink *p,
                          int (*write)(void *ctx, const uint8_t *bytes, size_t n), void *ctx);

/** @brief Process a received frame of a known message. @return true: it is the drone's */
bool mf_port_mavlink_hear(struct mf_port_mavlink *p, const struct mf_frame *frame);

/** @brief Send a message. @return MF_E_OK or MF_E_IO */
int mf_port_mavlink_send(struct mf_port_mavlink *p, uint32_t msgid, const void *msg);

/** @brief Request the interval of a message. @param interval_us  as SET_MESSAGE_INTERVAL */
int mf_port_mavlink_stream(struct mf_port_mavlink *p, uint32_t msgid, float interval_us);

/** Operations of the port; their context is a struct mf_port_mavlink. Answers arrive later: they
 * return MF_E_AGAIN, and set `asks` until `answer` is there. */
extern const struct mf_order_ops mf_port_mavlink_ops;

#endif
