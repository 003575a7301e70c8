/* SPDX-License-Identifier: Apache-2.0 */
/** What every fuzzer has: the function that libFuzzer calls, and what must hold for any input. */
#ifndef MF_TESTS_FUZZ_H
#define MF_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check_at(bool holds, const char *file, int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: does not hold\n", file, line);
        abort();
    }
}
#define check(holds) check_at(holds, __FILE__, __LINE__)

#endif
