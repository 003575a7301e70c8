/* SPDX-License-Identifier: Apache-2.0 */
/** Frames with another system id: for two vehicles with the same id on one link. */
#ifndef MF_MAVLINK_READDRESS_H
#define MF_MAVLINK_READDRESS_H

#include "mavlink/frame.h"

/** @brief Copy a frame with another sender and a new checksum; a signature is left out.
 *  @param frame  [n], one frame  @param sysid  system id of the new sender
 *  @param out  [MF_FRAME_MAX], not @p frame
 *  @return length of the new frame [bytes]; 0: the bytes are not a frame of a known message */
size_t mf_readdress_sender(const uint8_t *frame, size_t n, uint8_t sysid, uint8_t *out);

/** @brief Copy a frame with another target system, where its message has that field, and a new
 *  checksum; a signature is left out.
 *  @param frame  of a known message  @param sysid  the new target
 *  @param out  [MF_FRAME_MAX]  @return length of the new frame [bytes] */
size_t mf_readdress_target(const struct mf_frame *frame, uint8_t sysid, uint8_t *out);

#endif
