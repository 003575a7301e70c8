/* SPDX-License-Identifier: Apache-2.0 */
/** Another system id on the way: two vehicles with the same one on one link. */
#ifndef MF_BOARDS_SWARM_ALIAS_H
#define MF_BOARDS_SWARM_ALIAS_H

#include "mavlink/frame.h"

/** @brief A frame as if another system had sent it. @param frame  [n]; one without a signature
 *  @param out  [MF_FRAME_MAX]  @return its length; 0: it is no frame of a known message */
size_t swarm_alias_sender(const uint8_t *frame, size_t n, uint8_t sysid, uint8_t *out);

/** @brief A frame as if it were for another system. @param frame  of a known message
 *  @param out  [MF_FRAME_MAX]  @return its length */
size_t swarm_alias_target(const struct mf_frame *frame, uint8_t sysid, uint8_t *out);

#endif
