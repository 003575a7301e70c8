/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/text.h"

#include <stdlib.h>
#include <string.h>

bool simctl_text_add(void *ctx, const char *bytes, size_t n)
{
    struct simctl_text *t = ctx;
    if (t->len + n > t->cap) {
        const size_t cap = 2 * (t->len + n);
        char *more = cap <= SIMCTL_TEXT_MAX ? realloc(t->bytes, cap) : NULL;
        if (more == NULL) {
            return false;
        }
        t->bytes = more;
        t->cap = cap;
    }
    memcpy(t->bytes + t->len, bytes, n);
    t->len += n;
    return true;
}
