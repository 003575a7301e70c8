/* SPDX-License-Identifier: Apache-2.0 */
/** Settings of a recording, as text. */
#ifndef MF_HOST_RECORD_SETTING_H
#define MF_HOST_RECORD_SETTING_H

#include "drone/recorder.h"

/** @brief Record a setting as "key=value", printf-like. The caller must keep to
 * MF_RECORD_BYTES_MAX. */
__attribute__((format(printf, 2, 3))) void mf_record_setting(struct mf_recorder *recorder,
                                                             const char *format, ...);

#endif
