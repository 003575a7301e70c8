/* SPDX-License-Identifier: Apache-2.0 */
/** Texts without stdio: a small builder. */
#ifndef MF_FIRMWARE_TEXT_H
#define MF_FIRMWARE_TEXT_H

#include "firmware/state/limits.h"
#include "firmware/state/text.h"
#include "hal/log.h"

/** @brief A text that begins with @p s. @return by value: the caller owns it */
struct mf_text mf_text(const char *s);

/** @brief Append a string; an integer; a decimal number with @p decimals (0..6) digits, rounded
 * half away from zero ("nan", and "out of range" from 1e12 on). What does not fit into MF_TEXT_MAX
 * characters is cut. No libc, no locale: the same on every board. */
void mf_text_add(struct mf_text *t, const char *s);
void mf_text_add_int(struct mf_text *t, int64_t value);
void mf_text_add_float(struct mf_text *t, double value, int decimals);

#endif
