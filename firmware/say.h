/* SPDX-License-Identifier: Apache-2.0 */
/** Texts for people: STATUSTEXT, a line in the log of the host and one in the flight log. */
#ifndef MF_FIRMWARE_SAY_H
#define MF_FIRMWARE_SAY_H

#include "firmware/text.h"
#include "hal/log.h"

struct mf_vehicle;
struct mf_link;

/** The last texts that were said: the n-th is at n % MF_TEXTS_KEPT. */
struct mf_texts_said {
    uint32_t count;
    struct {
        mf_us_t t_us; /**< vehicle time */
        char s[MF_TEXT_KEPT_CHARS];
    } last[MF_TEXTS_KEPT];
};

/** A ground station counts as present on a link for this long after its HEARTBEAT, as in PX4. */
#define MF_GCS_PRESENT_US (25 * MF_SECOND_US / 10)

/** @brief STATUSTEXT on every link that may have it, and a line in the log. Longer than 50
 * characters: in chunks. */
void mf_say(struct mf_vehicle *v, enum mf_severity severity, const char *text);

/** @brief Is a ground station present on this link? */
bool mf_gcs_present(const struct mf_vehicle *v, const struct mf_link *link);

#endif
