/* SPDX-License-Identifier: Apache-2.0 */
/** Reads the rates of messages of the configuration; the firmware knows their names. */
#ifndef MF_BOARDS_POSIX_RATES_H
#define MF_BOARDS_POSIX_RATES_H

#include "host/config/config.h"

/** Set the rates of a link: from its profile, remote identification, the settings of all links,
 * then its own settings. @param interval_us  out [MF_STREAM_COUNT] @return MF_E_OK or MF_E_RANGE
 * with config->error set */
int board_rates(struct mf_config *config, const struct mf_config_link *link, int32_t *interval_us);

#endif
