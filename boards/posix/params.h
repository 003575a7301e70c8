/* SPDX-License-Identifier: Apache-2.0 */
/** Values of parameters from the configuration: a file of a ground station, and single ones. */
#ifndef MF_BOARDS_POSIX_PARAMS_H
#define MF_BOARDS_POSIX_PARAMS_H

#include "firmware/state/param.h"
#include "hal/log.h"
#include "host/config/config.h"

struct mf_vehicle;

/** Values of the file of --params that a vehicle has. */
struct board_params {
    char *text; /**< of the file, until it is reported; NULL: there is none */
    double value[MF_PARAM_COUNT];
    bool given[MF_PARAM_COUNT];
};

/** @brief Read the file of the configuration, if it names one. Parameters that are not known here
 *         are left out.
 *  @return MF_E_OK; MF_E_RANGE with config->error set */
int board_params_read(struct mf_config *config, struct board_params *params);

/** @brief Report what became of the file: how many values hold, and which do not.
 *  @param say  writes a line */
void board_params_report(const struct mf_config *config, struct board_params *params,
                         void (*say)(void *ctx, enum mf_severity severity, const char *text),
                         void *ctx);

/** @brief Give a vehicle the values of the file, then the single ones of the configuration.
 *  @return MF_E_OK; MF_E_RANGE with config->error set */
int board_params_set(struct mf_config *config, const struct board_params *params,
                     struct mf_vehicle *v);

#endif
