/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink FTP, the reading half: list, open, read, burst, checksum. Requests that change files are
 * refused. Source: MAVLink file transfer protocol; answers as PX4's.
 *
 * An answer has the sequence number of its request plus one, and the request's session. Requests
 * can be repeated: each has the same effect as before, and opening again with the same sequence
 * number gives the same session. A session belongs to the client that opened it, and ends with its
 * link, when it is idle, or when that client resets.
 *
 * These functions do not send: the caller takes an answer, or the next frame of a burst, and gives
 * it to a link (ftp_io.c). All times are transport times.
 */
#ifndef MF_FIRMWARE_FTP_H
#define MF_FIRMWARE_FTP_H

#include "firmware/state/ftp.h"
#include "firmware/state/limits.h"

/** Ways in which a request is answered. */
enum mf_ftp_reply {
    MF_FTP_NOW,   /**< by the answer that was made */
    MF_FTP_BEGUN, /**< by frames that mf_ftp_burst() or mf_ftp_sum_step() make from now on */
    MF_FTP_LATER, /**< by the task, but no new checksum begins: only one is computed at a time */
};

/** @brief No sessions. @param hal  whose archive has the logs; must outlive @p ftp */
void mf_ftp_reset(struct mf_ftp *ftp, const struct mf_hal *hal);

/** @brief Is a client in the middle of a transfer? Up to a second after its last request. */
bool mf_ftp_busy(const struct mf_ftp *ftp);

/** @brief A link was closed: its sessions are over. @param link  index */
void mf_ftp_link_closed(struct mf_ftp *ftp, uint16_t link);

/** @brief True if a message is an answer of another FTP server. Answers are never answered. */
bool mf_ftp_is_answer(const struct mf_msg_file_transfer_protocol *m);

/** @brief Serve a request. @param request  of any content  @param answer  out */
enum mf_ftp_reply mf_ftp_answer(struct mf_ftp *ftp, struct mf_client from,
                                const struct mf_msg_file_transfer_protocol *request,
                                struct mf_msg_file_transfer_protocol *answer, mf_us_t now_us);

/** @brief Answer a request on a board without files: unknown opcode. PX4 without FTP sends no
 * answer, and its clients wait for their time-outs; this answer ends them at once.
 * @param answer  out */
void mf_ftp_refuse(struct mf_client from, const struct mf_msg_file_transfer_protocol *request,
                   struct mf_msg_file_transfer_protocol *answer);

/** @brief The next frame of the burst of a session, which must run; the same one until
 * mf_ftp_burst_sent().
 * @param m  out */
void mf_ftp_burst(struct mf_ftp *ftp, struct mf_ftp_session *s,
                  struct mf_msg_file_transfer_protocol *m);

/** @brief Note that a frame of a burst was sent. The burst ends with the frame that has its flag of
 * completion. */
void mf_ftp_burst_sent(struct mf_ftp_session *s, const struct mf_msg_file_transfer_protocol *m,
                       mf_us_t now_us);

/** @brief A slice of the checksum, which must run. @param m  out, with the last slice: the answer,
 * for `sum.client`  @return whether that was the last */
bool mf_ftp_sum_step(struct mf_ftp *ftp, struct mf_msg_file_transfer_protocol *m);

/** @brief End idle sessions, after the frames of a pass. @return time of the next call; MF_NEVER:
 * all sessions are idle or closed */
mf_us_t mf_ftp_rest(struct mf_ftp *ftp, mf_us_t now_us);

#endif
