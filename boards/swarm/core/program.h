/* SPDX-License-Identifier: Apache-2.0 */
/** A number that identifies the build of this program. */
#ifndef MF_BOARDS_SWARM_CORE_PROGRAM_H
#define MF_BOARDS_SWARM_CORE_PROGRAM_H

#include <stdint.h>

struct swarm;

/** @brief Code and constants of this program as a number. */
uint64_t swarm_program_sum(void);

#endif
