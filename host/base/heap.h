/* SPDX-License-Identifier: Apache-2.0 */
/** Nothing is allocated after init: from mf_heap_lock() on every attempt is fatal and says so. */
#ifndef MF_HOST_BASE_HEAP_H
#define MF_HOST_BASE_HEAP_H

/** @brief Init is over. Gives back to the system what init allocated and freed. Works in programs
 *  that are linked with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc and does nothing
 *  in others. */
void mf_heap_lock(void);

/** @brief Allocation is allowed again; for tests. */
void mf_heap_unlock(void);

#endif
