/* SPDX-License-Identifier: Apache-2.0 */
/** Reads the rates of messages of the configuration; the firmware knows their names. */
#ifndef MF_BOARDS_POSIX_RATES_H
#define MF_BOARDS_POSIX_RATES_H

#include "host/config/config.h"

/** @brief Rates of one link: its profile, remote identification, then what is said of all links,
 * then what is said of it. @param interval_us  out [MF_STREAM_COUNT]
 *  @return MF_E_OK or MF_E_RANGE with config->error set */
int board_rates(struct mf_config *config, const struct mf_config_link *link, int32_t *interval_us);

#endif
