/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The handlers of messages: one list (receive.c). A message without a line there is counted and
 * ignored, as in PX4.
 *
 * Handlers run at the vehicle time of the pass that took the message in, in the order of arrival.
 * They validate and ask; what that makes due runs in the same pass.
 */
#ifndef MF_FIRMWARE_RECEIVE_H
#define MF_FIRMWARE_RECEIVE_H

#include "firmware/state/link.h"

struct mf_link;

struct mf_vehicle;

/** @brief Pass a message to its handler. @param msg  `struct mf_msg_<name>` of @p msgid @return
 * false: the message lacks a handler, which is counted, or the sender has the vehicle's own
 * address */
bool mf_receive_message(struct mf_vehicle *v, struct mf_peer from, uint32_t msgid, const void *msg,
                        mf_us_t now_us);

/** @brief Hand one good frame to its handler. */
void mf_receive(struct mf_vehicle *v, struct mf_link *link, const struct mf_frame *frame,
                mf_us_t now_us);

#endif
