/* SPDX-License-Identifier: Apache-2.0 */
/** SETUP_SIGNING: a client gives the vehicle the key of its signatures, or takes it away. */
#ifndef MF_FIRMWARE_SIGNING_SETUP_H
#define MF_FIRMWARE_SIGNING_SETUP_H

#include "firmware/state/link.h"

struct mf_vehicle;

/** @brief Handle SETUP_SIGNING as PX4 does: for this vehicle or all, while disarmed, and signed if
 * there is a key. All zero removes the key. Only a STATUSTEXT answers it. */
void mf_signing_setup(struct mf_vehicle *v, struct mf_peer from, const struct mf_frame *frame);

#endif
