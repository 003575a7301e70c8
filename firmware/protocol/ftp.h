/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink FTP, the reading half: list, open, read, burst, checksum. What changes files is refused.
 * Source: MAVLink file transfer protocol; answers as PX4's.
 *
 * An answer has the sequence number of its request plus one, and what the client sent as its
 * session. Requests can be repeated: each does again what it did, and opening again with the same
 * sequence number gives the same session. Sessions belong to whoever opened them, and end with
 * their link, when they are idle, or when that client resets.
 *
 * Nothing here sends: the caller takes an answer or the next frame of a burst out and gives it to a
 * link (ftp_io.c). All times are transport times.
 */
#ifndef MF_FIRMWARE_FTP_H
#define MF_FIRMWARE_FTP_H

#include "firmware/state/ftp.h"
#include "firmware/state/limits.h"

/** How a request is answered. */
enum mf_ftp_reply {
    MF_FTP_NOW,   /**< by the answer that was made */
    MF_FTP_BEGUN, /**< by frames that mf_ftp_burst() or mf_ftp_sum_step() make from now on */
    MF_FTP_LATER, /**< the same, but nothing new began: one checksum is made at a time */
};

/** @brief No sessions. @param hal  whose archive has the logs; must outlive @p ftp */
void mf_ftp_reset(struct mf_ftp *ftp, const struct mf_hal *hal);

/** @brief Is a client in the middle of a transfer? Up to a second after its last request. */
bool mf_ftp_busy(const struct mf_ftp *ftp);

/** @brief A link was closed: its sessions are over. @param link  index */
void mf_ftp_link_closed(struct mf_ftp *ftp, uint16_t link);

/** @brief Is it an answer of somebody else, which is never answered? */
bool mf_ftp_is_answer(const struct mf_msg_file_transfer_protocol *m);

/** @brief Serve a request. @param request  of any content  @param answer  out */
enum mf_ftp_reply mf_ftp_answer(struct mf_ftp *ftp, struct mf_client from,
                                const struct mf_msg_file_transfer_protocol *request,
                                struct mf_msg_file_transfer_protocol *answer, mf_us_t now_us);

/** @brief Answer a request where there are no files: the opcode is not known. PX4 without FTP says
 * nothing, and its clients wait for their time-outs; this ends them at once. @param answer  out */
void mf_ftp_refuse(struct mf_client from, const struct mf_msg_file_transfer_protocol *request,
                   struct mf_msg_file_transfer_protocol *answer);

/** @brief The next frame of the burst of a session, which must run; the same one until
 * mf_ftp_burst_sent().
 * @param m  out */
void mf_ftp_burst(struct mf_ftp *ftp, struct mf_ftp_session *s,
                  struct mf_msg_file_transfer_protocol *m);

/** @brief That frame left. The burst is over with the one that says so. */
void mf_ftp_burst_sent(struct mf_ftp_session *s, const struct mf_msg_file_transfer_protocol *m,
                       mf_us_t now_us);

/** @brief A slice of the checksum, which must run. @param m  out, with the last slice: the answer,
 * for `sum.client`  @return whether that was the last */
bool mf_ftp_sum_step(struct mf_ftp *ftp, struct mf_msg_file_transfer_protocol *m);

/** @brief Behind the frames of a pass: ends idle sessions. @return when to go on; MF_NEVER: nothing
 * is under way */
mf_us_t mf_ftp_rest(struct mf_ftp *ftp, mf_us_t now_us);

#endif
