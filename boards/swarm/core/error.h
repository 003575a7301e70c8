/* SPDX-License-Identifier: Apache-2.0 */
/** Error with which a run ends. */
#ifndef MF_BOARDS_SWARM_CORE_ERROR_H
#define MF_BOARDS_SWARM_CORE_ERROR_H

struct swarm;

/** @brief Set the error "FILE:LINE: ..." about the scenario. @return SWARM_INPUT */
__attribute__((format(printf, 3, 4))) int swarm_refuse(struct swarm *w, int line,
                                                       const char *format, ...);

#endif
