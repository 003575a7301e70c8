/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Routing: the vehicle passes on what its peers say to each other, as PX4 does. A frame goes to
 * every other link on which its target was seen, or, if it is for everybody, on which anybody was;
 * it keeps its bytes. Source: MAVLink routing guide, PX4 Mavlink::forward_message.
 *
 * It never goes back: not to the link that it came from, nor to one on which its sender was seen,
 * so that a peer with two links makes no circle. A frame for the vehicle alone, SETUP_SIGNING, and
 * a frame that was refused go nowhere.
 */
#ifndef MF_FIRMWARE_ROUTE_H
#define MF_FIRMWARE_ROUTE_H

#include "firmware/state/limits.h"
#include "firmware/state/route.h"
#include "mavlink/frame.h"

struct mf_vehicle;
struct mf_link;
struct mf_peer;

/** @brief Remember who sent this frame. A frame of an unknown message, which may be noise, makes
 * nobody known. @return frames of the same sender that were lost before it */
uint8_t mf_senders_learn(struct mf_senders *s, const struct mf_frame *frame);

/** @brief Was exactly this one seen? */
bool mf_senders_have(const struct mf_senders *s, uint8_t sysid, uint8_t compid);

/** @brief Pass a frame on to whom it concerns. */
void mf_route(struct mf_vehicle *v, const struct mf_link *from, const struct mf_frame *frame);

/** @brief Is something addressed to (system, component) meant for us? 0 is everybody. */
bool mf_is_for_us(const struct mf_vehicle *v, uint8_t system, uint8_t component);

/** @brief The same of a message of @p from; one that is not for us is counted in its link. */
bool mf_means_us(const struct mf_vehicle *v, struct mf_peer from, uint8_t system,
                 uint8_t component);

/** @brief A message that came over @p link is for others: counted. */
void mf_count_foreign(struct mf_link *link);

/** @brief A message that came over @p link makes no sense, or may not be served: counted. */
void mf_count_refused(struct mf_link *link);

#endif
