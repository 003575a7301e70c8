/* SPDX-License-Identifier: Apache-2.0 */
/** Texts for people: STATUSTEXT, a line in the log of the host and one in the flight log. */
#ifndef MF_FIRMWARE_SAY_H
#define MF_FIRMWARE_SAY_H

#include "firmware/state/say.h"
#include "firmware/state/text.h"
#include "hal/log.h"

struct mf_vehicle;
struct mf_link;

/** @brief STATUSTEXT on every link that may have it, a line in the host's log and in the flight
 * log, and a place in the journal if there is one. Longer than 50 characters: in chunks.
 * @param text  NUL-terminated, copied */
void mf_say(struct mf_vehicle *v, enum mf_severity severity, const char *text);

/** @brief A ground station's HEARTBEAT came on this link at transport time @p now_us. */
void mf_gcs_seen(struct mf_link *link, mf_us_t now_us);

/** @brief Is a ground station present on this link: was a HEARTBEAT heard within MF_GCS_PRESENT_US?
 * @param now_us  transport time */
bool mf_gcs_present(const struct mf_link *link, mf_us_t now_us);

#endif
