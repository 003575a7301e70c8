/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink's log protocol: which flight logs there are, and their bytes. Each link has one list and
 * one transfer at a time, as answers name no receiver. Source: MAVLink log protocol; numbers and
 * ends as PX4's.
 */
#ifndef MF_FIRMWARE_DOWNLOAD_H
#define MF_FIRMWARE_DOWNLOAD_H

#include "firmware/state/download.h"
#include "hal/types.h"
#include "mavlink/message.h"

struct mf_vehicle;
struct mf_link;
struct mf_peer;

/** @brief Is something on its way to a client? */
bool mf_download_busy(const struct mf_vehicle *v);

/* Handlers. A log that is not there is answered with no bytes. LOG_ERASE spares the log that is
 * being written. */

/** @brief The logs of a range of numbers, one LOG_ENTRY each. */
void mf_on_log_request_list(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_log_request_list *m, mf_us_t now_us);
/** @brief Bytes of one log; another request takes its place. */
void mf_on_log_request_data(struct mf_vehicle *v, struct mf_peer from,
                            const struct mf_msg_log_request_data *m, mf_us_t now_us);
/** @brief All logs go, and all transfers end: their numbers mean nothing any more. */
void mf_on_log_erase(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_log_erase *m,
                     mf_us_t now_us);
/** @brief The client wants no more. */
void mf_on_log_request_end(struct mf_vehicle *v, struct mf_peer from,
                           const struct mf_msg_log_request_end *m, mf_us_t now_us);

/** @brief Task on transport time: sends the requested parts of logs, as far as the links have room.
 * @return next due time [transport] */
mf_us_t mf_downloads_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
