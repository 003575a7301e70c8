/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink FTP, the reading half: list, open, read, burst, checksum. What changes files is refused.
 * Source: MAVLink file transfer protocol; answers as PX4's.
 *
 * An answer has the sequence number of its request plus one, and what the client sent as its
 * session. Requests can be repeated: each does again what it did, and opening again with the same
 * sequence number gives the same session. Sessions belong to whoever opened them, and end with their
 * link, when they are idle, or when that client resets.
 */
#ifndef MF_FIRMWARE_FTP_H
#define MF_FIRMWARE_FTP_H

#include "firmware/limits.h"
#include "firmware/link.h"
#include "firmware/tree.h"

struct mf_ftp_client {
    uint16_t link;
    uint8_t sysid;
    uint8_t compid;
};

struct mf_ftp_session {
    bool open;
    bool bursting;
    uint8_t burst_bytes; /**< of one frame */
    struct mf_ftp_client client;
    uint16_t open_seq;  /**< of the request that opened it */
    uint16_t close_seq; /**< of the request that closed it, once it is closed */
    uint16_t burst_seq; /**< of the next frame of the burst */
    uint32_t burst_at;  /**< offset of that frame [bytes] */
    uint32_t burst_end; /**< where the client is to ask again [bytes] */
    mf_us_t used_us;    /**< transport time of the last request, or frame of a burst */
    struct mf_node file;
    struct mf_metadata_mark mark;
};

/** A checksum in the making: one at a time, a slice per pass. */
struct mf_ftp_sum {
    bool running;
    uint8_t session; /**< as the request had it */
    struct mf_ftp_client client;
    uint16_t seq; /**< of the request */
    uint32_t crc;
    uint32_t at;
    struct mf_node file;
    struct mf_metadata_mark mark;
};

struct mf_ftp {
    mf_us_t asked_us; /**< transport time of the last request; MF_NEVER: no client is at work */
    struct mf_ftp_sum sum;
    struct mf_ftp_session session[MF_FTP_SESSIONS];
};

/** @brief No sessions. */
void mf_ftp_reset(struct mf_ftp *ftp);

/** @brief Is a client in the middle of a transfer? Up to a second after its last request. */
bool mf_ftp_busy(const struct mf_vehicle *v);

/** @brief A link was closed: its sessions are over. @param link  index */
void mf_ftp_link_closed(struct mf_vehicle *v, uint16_t link);

/** @brief Handler. */
void mf_on_file_transfer_protocol(struct mf_vehicle *v, struct mf_peer from,
                                  const struct mf_msg_file_transfer_protocol *m, mf_us_t now_us);

/** @brief Task on transport time: bursts, as far as the links have room; checksums; idle sessions.
 * @return next due time [transport] */
mf_us_t mf_ftp_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
