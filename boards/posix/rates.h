/* SPDX-License-Identifier: Apache-2.0 */
/** What the configuration says of messages and parameters, whose names the firmware knows. */
#ifndef MF_BOARDS_POSIX_RATES_H
#define MF_BOARDS_POSIX_RATES_H

#include "host/config/config.h"

struct mf_vehicle;

/** @brief Rates of one link: its profile, remote identification, then what is said of all links,
 * then what is said of it. @param interval_us  out [MF_STREAM_COUNT]
 *  @return MF_E_OK or MF_E_RANGE with config->error set */
int board_rates(struct mf_config *config, const struct mf_config_link *link, int32_t *interval_us);

/** @brief Values of parameters. @return MF_E_OK or MF_E_RANGE with config->error set */
int board_params(struct mf_config *config, struct mf_vehicle *v);

#endif
