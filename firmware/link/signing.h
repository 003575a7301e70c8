/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Signed links: one key for the vehicle. With a key every version 2 frame leaves signed, and
 * MAV_SIGN_CFG says which frames must arrive so. Source: MAVLink message signing guide, PX4 1.18.
 *
 * The key comes by SETUP_SIGNING, or from the board, and stays in the store. So does a time: what
 * was accepted before a restart is not accepted after it. Nothing is accepted that is over a day
 * ahead of the board's clock, and a stored time that is so far ahead is dropped: no frame of a
 * client can make all others late for longer than that.
 */
#ifndef MF_FIRMWARE_SIGNING_H
#define MF_FIRMWARE_SIGNING_H

#include "firmware/state/limits.h"
#include "firmware/state/signing.h"
#include "hal/hal.h"
#include "mavlink/sign.h"

struct mf_link;

/** @brief Put a key into the store before a vehicle is initialised, as the board's configuration
 * wants it. A store that has it already stays as it is.
 * @param key  [MF_SIGN_KEY_BYTES]  @return MF_E_OK, or what the store says */
int mf_signing_provision(const struct mf_hal *hal, const uint8_t *key);

/** @brief Initialize with the key of the store, if it has one. @param s  memory of the board, or
 * NULL: the vehicle does not sign
 * @param hal  of the vehicle, for the store and the log; outlives @p s @param now  clock of the
 * vehicle, outlives @p s
 * @param boot_utc_us  UTC at transport time 0, since 1970; 0: unknown */
void mf_signing_init(struct mf_signing *s, const struct mf_hal *hal, const struct mf_now *now,
                     int64_t boot_utc_us);

/** @brief Is there a key? Without one, or with @p s NULL, nothing is signed or checked. */
static inline bool mf_signing_on(const struct mf_signing *s)
{
    return s != NULL && s->has_key;
}

/** @brief May this frame be handled and passed on? What may not is counted in the link.
 * @param s  or NULL  @param mode  enum mf_sign_mode: MAV_SIGN_CFG */
bool mf_signing_admit(struct mf_signing *s, int32_t mode, struct mf_link *link,
                      const struct mf_frame *frame);

/** @brief True if a frame would be admitted; nothing changes. @param usb  flag of the link's serial
 * device */
bool mf_signing_admits(const struct mf_signing *s, int32_t mode, bool usb,
                       const struct mf_frame *frame);

/** @brief Was a frame refused because it is ahead of the clock? @param s  or NULL */
static inline bool mf_signing_ahead(const struct mf_signing *s)
{
    return s != NULL && s->ahead;
}

/** @brief Sign a frame that leaves, if there is a key and it is of version 2.
 * @param s  or NULL  @param link_id  of the link on which it leaves
 * @param frame  in, out [MF_FRAME_MAX]: @p n bytes  @return its length [bytes] */
size_t mf_signing_sign(struct mf_signing *s, uint8_t link_id, uint8_t *frame, size_t n,
                       const struct mf_msg_info *info);

/** @brief The vehicle is about to end or restart: what was accepted last is stored exactly.
 * @param s  or NULL */
void mf_signing_save(struct mf_signing *s);

/** @brief Is this the key that holds? @param s  or NULL  @param key  [MF_SIGN_KEY_BYTES] */
bool mf_signing_has(const struct mf_signing *s, const uint8_t *key);

/** @brief Another key from now on; all zero: none. It goes to the store. */
void mf_signing_take_key(struct mf_signing *s, const struct mf_msg_setup_signing *m);

#endif
