/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/protocol/transfer.h, without functions. */
#ifndef MF_FIRMWARE_STATE_TRANSFER_H
#define MF_FIRMWARE_STATE_TRANSFER_H

#include "firmware/state/fence.h"
#include "firmware/state/link.h"

/** Which way items go, seen from the vehicle. */
enum mf_transfer_state { MF_TRANSFER_IDLE, MF_TRANSFER_RECEIVE, MF_TRANSFER_SEND };

/** The one transfer that may run, across all links, as in PX4: two clients that upload at once
 * would mix two missions. Members of an upload mean nothing during a download. */
struct mf_transfer {
    uint8_t state;   /**< enum mf_transfer_state */
    uint8_t type;    /**< MAV_MISSION_TYPE */
    uint8_t retries; /**< upload: requests for the first item that went unanswered */
    bool use_float;  /**< the partner knows MISSION_REQUEST / MISSION_ITEM only */
    struct mf_client partner;
    bool last_valid; /**< last_* describe an upload just finished: its last item may come again */
    uint8_t last_sysid, last_compid, last_type;
    uint16_t last_count;
    uint16_t count;            /**< of all items */
    uint16_t next;             /**< sequence number that is expected, or due to be requested */
    struct mf_fence_part part; /**< upload of a fence */
    int32_t current;           /**< upload: item with current = 1, -1 none yet */
    uint32_t tag;              /**< upload: checksum so far */
    uint32_t last_tag;
    mf_us_t heard_us; /**< transport time of the partner's last message */
    mf_us_t
        retry_us; /**< transport time at which the request goes out again; MF_NEVER: none is out */
};

#endif
