/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink FTP on the links: requests come in, answers and frames of bursts leave. What they say is
 * ftp.h's.
 *
 * A transfer leaves room for the streams, and goes on by transport time: a file can be read while
 * vehicle time stands.
 */
#ifndef MF_FIRMWARE_FTP_IO_H
#define MF_FIRMWARE_FTP_IO_H

#include "firmware/state/link.h"

struct mf_vehicle;

/** @brief Handler. A vehicle without files refuses everything. */
void mf_on_file_transfer_protocol(struct mf_vehicle *v, struct mf_peer from,
                                  const struct mf_msg_file_transfer_protocol *m, mf_us_t now_us);

/** @brief Task on transport time: bursts, as far as the links have room; checksums; idle sessions.
 * @return next due time [transport] */
mf_us_t mf_ftp_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
