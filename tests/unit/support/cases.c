/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/support/cases.h"

#include <stdlib.h>

int mf_cases(int sample, int all)
{
    const char *text = getenv("MF_CASES");
    const int count = getenv("MF_LONG") != NULL ? all : sample;
    const long most = text != NULL ? strtol(text, NULL, 10) : count;
    return most < 1 ? 1 : most < count ? (int)most : count;
}
