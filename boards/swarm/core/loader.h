/* SPDX-License-Identifier: Apache-2.0 */
/** Loader of shared objects; only dynamically linked programs contain it. */
#ifndef MF_BOARDS_SWARM_CORE_LOADER_H
#define MF_BOARDS_SWARM_CORE_LOADER_H

#include <stddef.h>

/** @brief Find a symbol of a shared object, which stays loaded.
 *  @param why  out [size]: the error; "" if only the symbol is missing
 *  @return NULL: not found */
const void *swarm_loader_find(const char *path, const char *symbol, char *why, size_t size);

/* swarm_loader_find is NULL in a program that is linked statically, without loader.c. */
#pragma weak swarm_loader_find

#endif
