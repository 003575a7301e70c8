/* SPDX-License-Identifier: Apache-2.0 */
/** SETUP_SIGNING: a client gives the vehicle the key of its signatures, or takes it away. */
#ifndef MF_FIRMWARE_SIGNING_SETUP_H
#define MF_FIRMWARE_SIGNING_SETUP_H

#include "firmware/state/link.h"

struct mf_vehicle;

/** @brief SETUP_SIGNING, as PX4 takes it: for us or everybody, while disarmed, and signed if there
 * is a key. All zero takes the key away. Nothing answers it but a STATUSTEXT. */
void mf_signing_setup(struct mf_vehicle *v, struct mf_peer from, const struct mf_frame *frame);

#endif
