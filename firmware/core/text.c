/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/core/text.h"

#include "firmware/state/limits.h"
#include "mavlink/message.h"

#include <string.h>

struct mf_text mf_text(const char *s)
{
    struct mf_text t = {.len = 0};
    mf_text_add(&t, s);
    return t;
}

/* Append a text, cut at the limit: a part of a long text is still the best to show. */
void mf_text_add(struct mf_text *t, const char *s)
{
    MF_ASSERT(t->len <= MF_TEXT_MAX);
    while (*s != '\0' && t->len < MF_TEXT_MAX) {
        t->s[t->len++] = *s++;
    }
    t->s[t->len] = '\0';
}

/* Append a whole number. Its magnitude is computed unsigned, since the least integer lacks a
 * positive counterpart. */
void mf_text_add_int(struct mf_text *t, int64_t value)
{
    char digits[24]; /* 19, a sign and a NUL */
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0u - (uint64_t)value : (uint64_t)value;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + rest % 10u);
        rest /= 10u;
    } while (rest > 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    mf_text_add(t, &digits[at]);
}

/* Rounds the whole number of last places, then cuts that into digits, so that 9.999 becomes 10.00.
 * A million times 10^12 is below 2^63: no intermediate value overflows. */
void mf_text_add_float(struct mf_text *t, double value, int decimals)
{
    MF_ASSERT(decimals >= 0 && decimals <= 6);
    if (!(value > -1e12 && value < 1e12)) {
        mf_text_add(t, value == value ? "out of range" : "nan");
        return;
    }
    int64_t scale = 1;
    for (int i = 0; i < decimals; i++) {
        scale *= 10;
    }
    const double magnitude = value < 0.0 ? -value : value;
    /* half away from zero, and no minus before a zero */
    const int64_t scaled = (int64_t)(magnitude * (double)scale + 0.5);
    if (value < 0.0 && scaled > 0) {
        mf_text_add(t, "-");
    }
    mf_text_add_int(t, scaled / scale);
    if (decimals > 0) {
        mf_text_add(t, ".");
        for (int64_t place = scale / 10; place > 0; place /= 10) {
            mf_text_add_int(t, scaled / place % 10);
        }
    }
}
