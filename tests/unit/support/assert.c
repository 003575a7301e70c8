/* SPDX-License-Identifier: Apache-2.0 */
/* What a failed MF_ASSERT does in a unit test: say where, and stop; but what
 * host/base/guard.h does where a test uses it. */
#include "hal/types.h"

#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) _Noreturn void mf_assert_failed(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expr);
    abort();
}
