/* SPDX-License-Identifier: Apache-2.0 */
/* Lock of the heap for boards/posix: an allocation after initialization aborts the program. */
#include "host/base/heap.h"

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* Weak, because a program that is linked without --wrap does not contain these functions. In such a
 * program, the wrappers below are never called. */
void *__real_malloc(size_t size) __attribute__((weak));
void *__real_calloc(size_t count, size_t size) __attribute__((weak));
void *__real_realloc(void *old, size_t size) __attribute__((weak));
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

/* Static, since the heap belongs to the process, too. */
static bool s_locked;

static void check_unlocked(void)
{
    static const char k_text[] = "mayfly: allocation after init: a programmer's error\n";
    if (s_locked) {
        if (write(STDERR_FILENO, k_text, sizeof k_text - 1) < 0) {
            /* the text is lost; the abort is enough */
        }
        abort();
    }
}

void *__wrap_malloc(size_t size)
{
    check_unlocked();
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    check_unlocked();
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    check_unlocked();
    return __real_realloc(old, size);
}

void mf_heap_lock(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
    s_locked = true;
}

void mf_heap_unlock(void)
{
    s_locked = false;
}
