/* SPDX-License-Identifier: Apache-2.0 */
/** Check that nothing is allocated after init: from mf_heap_lock() on every attempt is fatal. */
#ifndef MF_HOST_BASE_HEAP_H
#define MF_HOST_BASE_HEAP_H

/** @brief End init: return the memory that init allocated and freed to the system, and forbid
 * allocation. Works in programs that are linked with
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc; does nothing in others. */
void mf_heap_lock(void);

/** @brief Permit allocation again; for tests. */
void mf_heap_unlock(void);

#endif
