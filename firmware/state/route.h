/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/link/route.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_ROUTE_H
#define MF_FIRMWARE_STATE_ROUTE_H

#include "firmware/state/limits.h"
#include "mavlink/frame.h"

/** Who was seen on a link: which way a frame for somebody goes, and what of theirs was lost. */
struct mf_senders {
    uint8_t count; /**< of those in @p at; it never falls while the link is open */
    bool more;     /**< than fit: what is for a stranger may be for one of them */
    struct {
        uint8_t sysid, compid;
        uint8_t seq; /**< of its last frame */
    } at[MF_LINK_SENDERS_MAX];
};

#endif
