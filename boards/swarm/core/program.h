/* SPDX-License-Identifier: Apache-2.0 */
/** Identification of the build of this program. */
#ifndef MF_BOARDS_SWARM_CORE_PROGRAM_H
#define MF_BOARDS_SWARM_CORE_PROGRAM_H

#include <stdint.h>

struct swarm;

/** @brief Hash of the program's code and constants, and of the layout of its variables. */
uint64_t swarm_program_sum(void);

#endif
