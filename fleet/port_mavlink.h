/* SPDX-License-Identifier: Apache-2.0 */
/** The order port of a drone elsewhere: orders leave framed on a link, and what it shows of itself
 * comes in on the same link. */
#ifndef MF_FLEET_PORT_MAVLINK_H
#define MF_FLEET_PORT_MAVLINK_H

#include "fleet/order.h"
#include "mavlink/frame.h"

/** The other end of a link. The caller allocates it; fields may be read. */
struct mf_port_mavlink {
    int (*write)(void *ctx, const uint8_t *bytes, size_t n); /**< @return MF_E_OK or MF_E_IO */
    void *ctx;
    struct mf_order_view view; /**< as last heard */
    uint32_t heard;            /**< frames of the drone */
    uint32_t refused;          /**< orders that a COMMAND_ACK refused */
    uint8_t sysid, compid;     /**< of the drone; 0: not heard yet */
    bool asks;                 /**< a command or an upload has no answer yet */
    uint8_t answer;            /**< to the last one: MAV_RESULT, MAV_MISSION_RESULT */
    uint16_t command;          /**< MAV_CMD that was given last */
    const struct mf_msg_mission_item_int
        *items; /**< [item_count] of an upload; NULL: there is none */
    uint16_t item_count;
    uint8_t wanted; /**< the only system that it may be; 0: whichever is heard first */
    uint8_t seq;
};

/** @brief Nobody was heard yet. @param write  all bytes, or the link is gone */
void mf_port_mavlink_init(struct mf_port_mavlink *p,
                          int (*write)(void *ctx, const uint8_t *bytes, size_t n), void *ctx);

/** @brief A frame of a known message that has come in. @return true: it is the drone's */
bool mf_port_mavlink_hear(struct mf_port_mavlink *p, const struct mf_frame *frame);

/** @brief A message leaves. @return MF_E_OK or MF_E_IO */
int mf_port_mavlink_send(struct mf_port_mavlink *p, uint32_t msgid, const void *msg);

/** @brief Ask for a message's interval. @param interval_us  as SET_MESSAGE_INTERVAL */
int mf_port_mavlink_stream(struct mf_port_mavlink *p, uint32_t msgid, float interval_us);

/** The contract; the context is a struct mf_port_mavlink. Answers come later: MF_E_AGAIN, then
 * `asks` and `answer`. */
extern const struct mf_order_ops mf_port_mavlink_ops;

#endif
