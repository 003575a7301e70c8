/* SPDX-License-Identifier: Apache-2.0 */
/** Remote identification as configured: who the vehicle is, and how often it says so. */
#ifndef MF_BOARDS_POSIX_REMOTE_ID_H
#define MF_BOARDS_POSIX_REMOTE_ID_H

#include "host/config/config.h"

struct mf_remote_id_card;

/** @brief The ids of the configuration; without one, the default made of @p uid.
 *  @return MF_E_OK; MF_E_RANGE with config->error set: too long, or no UUID */
int board_remote_id(struct mf_config *config, uint64_t uid, struct mf_remote_id_card *card);

#endif
