/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Signed links: one key for the vehicle. With a key every version 2 frame leaves signed, and
 * MAV_SIGN_CFG says which frames must arrive so. Source: MAVLink message signing guide, PX4 1.18.
 *
 * The key comes by SETUP_SIGNING, or from the board, and stays in the store. So does a time: what
 * was accepted before a restart is not accepted after it. Nothing is accepted that is over a day ahead
 * of the board's clock, and a stored time that is so far ahead is dropped: no frame of a client can
 * make all others late for longer than that.
 */
#ifndef MF_FIRMWARE_SIGNING_H
#define MF_FIRMWARE_SIGNING_H

#include "firmware/state/limits.h"
#include "firmware/state/signing.h"
#include "hal/hal.h"
#include "mavlink/sign.h"

struct mf_vehicle;
struct mf_link;
struct mf_peer;

/** @brief Put a key into the store before a vehicle is initialised, as the board's configuration
 * wants it. A store that has it already stays as it is.
 * @param key  [MF_SIGN_KEY_BYTES]  @return MF_E_OK, or what the store says */
int mf_signing_provision(const struct mf_hal *hal, const uint8_t *key);

/** @brief Take the key from the store. @param boot_utc_us  since 1970 at transport time 0 */
void mf_signing_init(struct mf_vehicle *v, int64_t boot_utc_us);

/** @brief May this frame be handled and passed on? What may not is counted in the link. */
bool mf_signing_admit(struct mf_vehicle *v, struct mf_link *link, const struct mf_frame *frame);

/** @brief The same question, and nothing comes of it. @param usb  as the link's serial device has it */
bool mf_signing_admits(const struct mf_vehicle *v, bool usb, const struct mf_frame *frame);

/** @brief Sign a frame that leaves, if there is a key and it is of version 2.
 * @param frame  in, out [MF_FRAME_MAX]: @p n bytes  @return its length [bytes] */
size_t mf_signing_sign(struct mf_vehicle *v, const struct mf_link *link, uint8_t *frame, size_t n,
                       const struct mf_msg_info *info);

/** @brief The vehicle is about to end or restart: what was accepted last is stored exactly. */
void mf_signing_save(struct mf_vehicle *v);

/** @brief Another key from now on; all zero: none. It goes to the store. */
void mf_signing_take_key(struct mf_vehicle *v, const struct mf_msg_setup_signing *m);

#endif
