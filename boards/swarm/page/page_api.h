/* SPDX-License-Identifier: Apache-2.0 */
/** Where a browser of the live page finds the control API of the run, which serves pictures of its
 * vehicles. */
#ifndef MF_BOARDS_SWARM_PAGE_API_H
#define MF_BOARDS_SWARM_PAGE_API_H

#include <stdbool.h>
#include <stddef.h>

/** @brief Can this machine reach it?
 *  @param api  "HOST:PORT" as the run has opened it; "": it has none
 *  @param in  where the run's frames come from: over TCP, the run may be on another host
 *  @param text  out [size]: its URL, or why it cannot be reached */
bool swarm_page_reaches(const char *api, int in, char *text, size_t size);

#endif
