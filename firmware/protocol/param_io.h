/* SPDX-License-Identifier: Apache-2.0 */
/** Parameters over MAVLink: lists, requests and sets. */
#ifndef MF_FIRMWARE_PARAM_IO_H
#define MF_FIRMWARE_PARAM_IO_H

#include "firmware/state/link.h"
#include "firmware/state/param.h"

struct mf_vehicle;

/* Handlers (param_io.c). A refusal sends PARAM_ERROR to the sender, and for PARAM_SET also a
 * STATUSTEXT and the present value. Two names that are not in the table are answered, with index
 * 65535, and cannot be set: `_HASH_CHECK` (UINT32, see mf_param_hash()) and `HOME_POSITION`
 * (SIM-032; REAL32: 1 when home is set, 0 before; the message HOME_POSITION has the place). */
void mf_on_param_request_read(struct mf_vehicle *v, struct mf_peer from,
                              const struct mf_msg_param_request_read *m, mf_us_t now_us);
void mf_on_param_request_list(struct mf_vehicle *v, struct mf_peer from,
                              const struct mf_msg_param_request_list *m, mf_us_t now_us);
void mf_on_param_set(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_param_set *m,
                     mf_us_t now_us);

/* Handler of extended parameters, which belong to cameras: PX4's autopilot does not answer. Here a
 * set is refused at once (PARAM_EXT_ACK, FAILED), unless PX4's rules are on; MAVLink has no refusal
 * of reads and lists, which end with the client's time-out. */
void mf_on_param_ext_set(struct mf_vehicle *v, struct mf_peer from,
                         const struct mf_msg_param_ext_set *m, mf_us_t now_us);

/** @brief Task on transport time: lists go on as the links have room; changed values are saved, and
 * told again.
 * @return next due time [transport], MF_NEVER when there is nothing to do */
mf_us_t mf_params_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
