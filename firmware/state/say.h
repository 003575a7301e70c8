/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/link/say.h, without functions. */
#ifndef MF_FIRMWARE_STATE_SAY_H
#define MF_FIRMWARE_STATE_SAY_H

#include "firmware/state/text.h"
#include "hal/log.h"

/** Last texts of the vehicle: the n-th is at n % MF_TEXTS_KEPT. */
struct mf_texts_said {
    uint32_t count; /**< number of all texts since the boot */
    struct {
        mf_us_t t_us;               /**< vehicle time */
        uint8_t severity;           /**< enum mf_severity */
        char s[MF_TEXT_KEPT_CHARS]; /**< its beginning, NUL-terminated */
    } last[MF_TEXTS_KEPT];
};

/** A ground station counts as present on a link for this long after its HEARTBEAT, as in PX4. */
#define MF_GCS_PRESENT_US (25 * MF_SECOND_US / 10)

#endif
