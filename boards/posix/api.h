/* SPDX-License-Identifier: Apache-2.0 */
/** The control API of this board: its HTTP server and what it asks the process. */
#ifndef MF_BOARDS_POSIX_API_H
#define MF_BOARDS_POSIX_API_H

#include "hal-posix/net.h"
#include "host/api/api.h"
#include "host/config/config.h"

/** @brief Take the token from the configuration, which forgets it.
 *  @return MF_E_OK or MF_E_RANGE with config->error set */
int board_api_token(struct mf_config *config, struct mf_api_server *server);

/** @brief Take the map of the live picture from the configuration, if there is one.
 *  @return MF_E_OK or MF_E_RANGE with config->error set */
int board_api_map(struct mf_config *config, struct mf_api_server *server);

/** @brief The configuration as the API shows it; it allocates. */
void board_api_config(const struct mf_config *config, struct mf_api_server *server);

/** @brief Resident memory of this process [bytes]; 0: not known. */
uint64_t board_resident_bytes(void);

#endif
