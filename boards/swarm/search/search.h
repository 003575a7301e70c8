/* SPDX-License-Identifier: Apache-2.0 */
/** A scenario whose team searches an area (fleet/search.h), from its keys to its statistics. */
#ifndef MF_BOARDS_SWARM_SEARCH_H
#define MF_BOARDS_SWARM_SEARCH_H

#include "boards/swarm/core/swarm.h"

/** @brief Fly it to its end, or until @p stop is set; print the summary, write the outputs.
 *  @param stop  NULL: look only whether it could be flown
 *  @param plans  folder: write the paths there as plans, and fly nothing; NULL: fly
 *  @param steps  a person on stdin lets the steps pass (console.h)
 *  @return SWARM_OK, SWARM_INPUT with an error set, or SWARM_SIGNAL */
int swarm_search(struct swarm *w, const volatile int *stop, const char *plans, bool steps);

#endif
