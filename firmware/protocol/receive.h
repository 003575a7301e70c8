/* SPDX-License-Identifier: Apache-2.0 */
/** The handlers of messages. */
#ifndef MF_FIRMWARE_RECEIVE_H
#define MF_FIRMWARE_RECEIVE_H

#include "firmware/state/link.h"

struct mf_link;

struct mf_vehicle;

/** @brief Hand one good frame to its handler. */
void mf_receive(struct mf_vehicle *v, struct mf_link *link, const struct mf_frame *frame,
                mf_us_t now_us);

#endif
