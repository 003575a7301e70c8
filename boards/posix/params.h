/* SPDX-License-Identifier: Apache-2.0 */
/** Values of parameters from the configuration: a file of a ground station, and single ones. */
#ifndef MF_BOARDS_POSIX_PARAMS_H
#define MF_BOARDS_POSIX_PARAMS_H

#include "hal/log.h"
#include "host/config/config.h"

struct mf_vehicle;

/** @brief Read the file of the configuration, if it names one: for all vehicles of the process.
 *         Parameters that are not known here are left out.
 *  @return MF_E_OK; MF_E_RANGE with config->error set */
int board_params_read(struct mf_config *config);

/** @brief Report how many values of the file hold, and which do not.
 *  @param say  writes a line */
void board_params_report(const struct mf_config *config,
                         void (*say)(void *ctx, enum mf_severity severity, const char *text),
                         void *ctx);

/** @brief A value of the file. @param param  index of a parameter
 *  @return false: the file does not have it */
bool board_params_get(int param, double *value);

/** @brief Give a vehicle the values of the file, then the single ones of the configuration.
 *  @return MF_E_OK; MF_E_RANGE with config->error set */
int board_params_set(struct mf_config *config, struct mf_vehicle *v);

#endif
