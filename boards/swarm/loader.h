/* SPDX-License-Identifier: Apache-2.0 */
/** The loader of shared objects, which a program has that is linked dynamically. */
#ifndef MF_BOARDS_SWARM_LOADER_H
#define MF_BOARDS_SWARM_LOADER_H

#include <stddef.h>

/** @brief A symbol of a shared object, which stays loaded. @param why  out [size]: if there is
 * none;
 *  "": the object has no such symbol  @return NULL: none */
const void *swarm_loader_find(const char *path, const char *symbol, char *why, size_t size);

/* A program that is linked statically goes without loader.c: then it is NULL. */
#pragma weak swarm_loader_find

#endif
