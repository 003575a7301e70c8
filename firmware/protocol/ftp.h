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

#include "firmware/state/ftp.h"
#include "firmware/state/limits.h"
#include "firmware/state/link.h"
#include "firmware/state/tree.h"

struct mf_vehicle;

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
