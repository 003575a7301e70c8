/* SPDX-License-Identifier: Apache-2.0 */
/* How many cases a test takes: tests/lib/cases.py does the same for tests in Python. */
#include "tests/unit/support/cases.h"

#include <stdlib.h>
#include <string.h>

int mf_cases(int sample, int all)
{
    const char *text = getenv("MF_LONG");
    return text == NULL ? sample : strcmp(text, "0") != 0 ? all : sample / 50 + 1;
}
