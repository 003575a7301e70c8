/* SPDX-License-Identifier: Apache-2.0 */
/** Address of the run's control API for browsers of the live page: the API serves pictures of
 * vehicles. */
#ifndef MF_BOARDS_SWARM_PAGE_API_H
#define MF_BOARDS_SWARM_PAGE_API_H

#include <stdbool.h>
#include <stddef.h>

/** @brief True if this machine can reach the control API.
 *  @param api  "HOST:PORT" as the run has opened it; "": the run does not have one
 *  @param in  descriptor of the run's frames: if it is TCP, the run may be on another host
 *  @param text  out [size]: URL of the API, or the reason why it cannot be reached */
bool swarm_page_reaches(const char *api, int in, char *text, size_t size);

#endif
