/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/link/signing.h, without functions. */
#ifndef MF_FIRMWARE_STATE_SIGNING_H
#define MF_FIRMWARE_STATE_SIGNING_H

#include "firmware/state/limits.h"
#include "hal/hal.h"
#include "mavlink/sign.h"

/** Modes of MAV_SIGN_CFG: which clients must sign, once there is a key. */
enum mf_sign_mode {
    MF_SIGN_OPTIONAL, /**< no client; signatures must still be valid */
    MF_SIGN_NON_USB,  /**< all but clients on a cable */
    MF_SIGN_ALWAYS,
};

/**
 * A part that a board hands in if its links may be signed. Times: [10 us since 2015-01-01], as in
 * the frames; 48 bits last until 2104.
 */
struct mf_signing {
    const struct mf_hal *hal; /**< the vehicle's: store and log */
    const struct mf_now *now; /**< the vehicle's clock */
    bool has_key;
    bool full;     /**< a sender was forgotten for another: logged once */
    bool ahead;    /**< a frame was refused because it is ahead of the clock */
    uint8_t count; /**< of senders */
    uint8_t key[MF_SIGN_KEY_BYTES];
    int64_t boot_utc_us;                /**< since 1970 at transport time 0; 0: not known */
    uint64_t time;                      /**< of the last signature, sent or accepted */
    uint64_t floor;                     /**< senders not in the list must be later than this */
    uint64_t stored;                    /**< what the floor will be after a restart */
    uint64_t last[MF_SIGN_SENDERS_MAX]; /**< time of the last frame accepted from each sender */
    /** Sender of each time in last[]; a system has an entry per link id. */
    struct {
        uint8_t sysid, compid, link_id;
    } sender[MF_SIGN_SENDERS_MAX];
};

#endif
