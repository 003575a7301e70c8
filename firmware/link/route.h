/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Routing: the vehicle passes messages of its peers on to each other, as PX4 does. A frame goes to
 * every other link on which its target was seen, or, if it is for all, on which any sender was
 * seen; its bytes stay. Source: MAVLink routing guide, PX4 Mavlink::forward_message.
 *
 * A frame never goes back: neither to the link that it came from, nor to one on which its sender
 * was seen, so that a peer with two links does not cause a circle. A frame for the vehicle alone,
 * SETUP_SIGNING, and a refused frame are not passed on.
 */
#ifndef MF_FIRMWARE_ROUTE_H
#define MF_FIRMWARE_ROUTE_H

#include "firmware/state/limits.h"
#include "firmware/state/route.h"
#include "mavlink/frame.h"

struct mf_vehicle;
struct mf_link;
struct mf_peer;

/** @brief Learn the sender of a frame. Frames of unknown messages, which may be noise, are ignored.
 * @return number of frames of this sender that were lost before it */
uint8_t mf_senders_learn(struct mf_senders *s, const struct mf_frame *frame);

/** @brief Was exactly this one seen? */
bool mf_senders_have(const struct mf_senders *s, uint8_t sysid, uint8_t compid);

/** @brief Pass a frame on to the links of its target. */
void mf_route(struct mf_vehicle *v, const struct mf_link *from, const struct mf_frame *frame);

/** @brief True if a message to (system, component) is for this vehicle. 0 means all. */
bool mf_is_for_us(const struct mf_vehicle *v, uint8_t system, uint8_t component);

/** @brief True if a message of @p from is for this vehicle; another one is counted on its link. */
bool mf_means_us(const struct mf_vehicle *v, struct mf_peer from, uint8_t system,
                 uint8_t component);

/** @brief Count a message of @p link that is addressed to others. */
void mf_count_foreign(struct mf_link *link);

/** @brief Count a message of @p link that makes no sense, or must not be served. */
void mf_count_refused(struct mf_link *link);

#endif
