/* SPDX-License-Identifier: Apache-2.0 */
/** Texts for people: STATUSTEXT, a line in the log of the host and one in the flight log. */
#ifndef MF_FIRMWARE_SAY_H
#define MF_FIRMWARE_SAY_H

#include "firmware/state/say.h"
#include "firmware/state/text.h"
#include "hal/log.h"

struct mf_vehicle;
struct mf_link;

/** @brief STATUSTEXT on every link that may have it, and a line in the log. Longer than 50
 * characters: in chunks. */
void mf_say(struct mf_vehicle *v, enum mf_severity severity, const char *text);

/** @brief Is a ground station present on this link? */
bool mf_gcs_present(const struct mf_link *link, mf_us_t now_us);

#endif
