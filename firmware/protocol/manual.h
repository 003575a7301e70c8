/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sticks: MANUAL_CONTROL, and RC_CHANNELS_OVERRIDE as a transmitter's channels. COM_RC_IN_MODE says
 * which of the two counts; the RC_MAP_ parameters say which channel is which stick. Source: PX4
 * mavlink_receiver, rc_update.
 */
#ifndef MF_FIRMWARE_MANUAL_H
#define MF_FIRMWARE_MANUAL_H

#include "firmware/state/link.h"

struct mf_vehicle;

/* Handlers. Sticks that do not count are counted as refused. */
void mf_on_manual_control(struct mf_vehicle *v, struct mf_peer from,
                          const struct mf_msg_manual_control *m, mf_us_t now_us);
void mf_on_rc_channels_override(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_rc_channels_override *m, mf_us_t now_us);

#endif
