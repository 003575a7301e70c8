/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/link/route.h, without functions. */
#ifndef MF_FIRMWARE_STATE_ROUTE_H
#define MF_FIRMWARE_STATE_ROUTE_H

#include "firmware/state/limits.h"
#include "mavlink/frame.h"

/** Senders on a link: where frames for them are routed, and how many of their frames were lost. */
struct mf_senders {
    uint8_t count; /**< of those in @p at; it never falls while the link is open */
    bool more;     /**< than fit: what is for a stranger may be for one of them */
    struct {
        uint8_t sysid, compid;
        uint8_t seq; /**< of its last frame */
    } at[MF_LINK_SENDERS_MAX];
};

#endif
