/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/protocol/ftp.h, without functions. */
#ifndef MF_FIRMWARE_STATE_FTP_H
#define MF_FIRMWARE_STATE_FTP_H

#include "firmware/state/limits.h"
#include "firmware/state/link.h"
#include "firmware/state/tree.h"

/** A file that a client has open. */
struct mf_ftp_session {
    bool open;
    bool bursting;           /**< frames leave by themselves */
    uint8_t burst_bytes;     /**< of one frame */
    struct mf_client client; /**< whose it is, or was */
    uint16_t open_seq;       /**< of the request that opened it */
    uint16_t close_seq;      /**< of the request that closed it, once it is closed */
    uint16_t burst_seq;      /**< of the next frame of the burst */
    uint32_t burst_at;       /**< offset of that frame [bytes] */
    uint32_t burst_end;      /**< where the client is to ask again [bytes] */
    mf_us_t used_us;         /**< transport time of the last request, or frame of a burst */
    struct mf_tree_node file;
    struct mf_metadata_mark mark; /**< where its last read was */
};

/** A checksum in the making: one at a time, a slice per pass. */
struct mf_ftp_sum {
    bool running;
    uint8_t session; /**< as the request had it */
    struct mf_client client;
    uint16_t seq; /**< of the request */
    uint32_t crc; /**< of what was read */
    uint32_t at;  /**< offset of what is read next [bytes] */
    struct mf_tree_node file;
    struct mf_metadata_mark mark;
};

/** File transfer of a board with files; the board hands it in. */
struct mf_ftp {
    struct mf_tree tree;
    mf_us_t asked_us; /**< transport time of the last request; MF_NEVER: no client is at work */
    struct mf_ftp_sum sum;
    struct mf_ftp_session session[MF_FTP_SESSIONS];
};

#endif
