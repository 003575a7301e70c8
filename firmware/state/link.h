/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/link/link.h, without functions. */
#ifndef MF_FIRMWARE_STATE_LINK_H
#define MF_FIRMWARE_STATE_LINK_H

#include "firmware/state/download.h"
#include "firmware/state/link_stats.h"
#include "firmware/state/route.h"
#include "firmware/state/stream.h"
#include "hal/serial.h"
#include "mavlink/frame.h"

/** Messages that leave at a change as well as by their interval: clients act on what they say. */
/* clang-format off */
#define MF_NEWS_LIST(X) \
    X(HEARTBEAT) \
    X(SYS_STATUS) \
    X(MISSION_CURRENT) \
    X(GPS_GLOBAL_ORIGIN) \
    X(FENCE_STATUS) \
    X(HOME_POSITION) \
    X(EXTENDED_SYS_STATE) \
    X(CURRENT_MODE)

/** A message of the list by its place in it. */
enum mf_news {
#define X(NAME) MF_NEWS_##NAME,
    MF_NEWS_LIST(X)
#undef X
    MF_NEWS_COUNT
};
/* clang-format on */

/* A time is 8 bytes on every link for each piece of news, an age is 4. It ends at 71 minutes, and
 * no stream asks beyond 18: half of the longest interval that an int32_t of microseconds holds. */

/** Special values of mf_told.ago_us: sent at mf_told.at_us, as an answer or in a stream's turn;
 * sent before that time, or never, or longer ago than any stream asks. */
#define MF_TOLD_IN_TURN  (UINT32_MAX - 1u)
#define MF_TOLD_LONG_AGO UINT32_MAX

/** Times at which a link last received the messages of MF_NEWS_LIST. */
struct mf_told {
    mf_us_t at_us; /**< vehicle time at which the link last received any of them */
    uint32_t
        ago_us[MF_NEWS_COUNT]; /**< time of each message before at_us, if it was sent as a change */
    uint32_t check[MF_NEWS_COUNT]; /**< CRC-32 of the payload */
};

/** State of one link; the board owns the array, the firmware what is in it. Each peer
 * has a link of its own. */
struct mf_link {
    bool open;       /**< a peer is there; otherwise nothing else here counts */
    uint8_t version; /**< 1 or 2: of outgoing frames; becomes 2 with the first v2 frame received */
    uint8_t tx_seq;  /**< of the next frame */
    struct mf_senders senders;
    bool param_hash_due; /**< parameter list: _HASH_CHECK goes first */
    uint16_t
        param_next; /**< parameter list: next index to send; >= MF_PARAM_COUNT: none is running */
    struct mf_serial serial;
    mf_us_t rx_us; /**< transport time of the last byte */
    mf_us_t
        gcs_us; /**< transport time of the last HEARTBEAT of a ground station; MF_NEVER: none yet */
    struct mf_download download;
    struct mf_stream_state stream;
    struct mf_told told;
    struct mf_parser parser;
    struct mf_link_stats stats;
    const char *name; /**< the board's; NULL before the first mf_link_open() */
};

/** Client of a link as long as the link is open, for answers that are sent later. */
struct mf_client {
    uint16_t link; /**< index in the pool */
    uint8_t sysid;
    uint8_t compid;
};

/** Receiver of an answer: link and address from which the question came. */
struct mf_peer {
    struct mf_link *link;
    uint8_t sysid;
    uint8_t compid;
};

#endif
