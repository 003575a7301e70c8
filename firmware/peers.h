/* SPDX-License-Identifier: Apache-2.0 */
/** Input of peers: from bytes to frames, through signing and routing, to the handlers. Bytes
 * outside of frames, and frames that are not admitted, are counted on their link (SECURITY.md). */
#ifndef MF_FIRMWARE_PEERS_H
#define MF_FIRMWARE_PEERS_H

#include "firmware/state/link.h"

struct mf_vehicle;

/** @brief Read, parse and handle what has arrived on every open link; @p now_us is vehicle time. At
 * most MF_LINK_READ_MAX bytes a link: the rest waits for the next pass. */
void mf_links_receive(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Task on transport time: gives up frames that were begun and never ended. */
mf_us_t mf_links_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
