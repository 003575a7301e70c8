/* SPDX-License-Identifier: Apache-2.0 */
/* Loads shared objects for plugins.c; static programs do not have this file. */
#include "boards/swarm/core/loader.h"

#include <dlfcn.h>
#include <stdio.h>

const void *swarm_loader_find(const char *path, const char *symbol, char *why, size_t size)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    (void)snprintf(why, size, "%s", object == NULL ? dlerror() : "");
    return object != NULL ? dlsym(object, symbol) : NULL;
}
