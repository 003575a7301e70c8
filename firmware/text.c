/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/text.h"

#include "firmware/vehicle.h"
#include "mavlink/message.h"

#include <string.h>

#define CHUNK sizeof(((struct mf_msg_statustext *)0)->text)

struct mf_text mf_text(const char *s)
{
    struct mf_text t = {.len = 0};
    mf_text_add(&t, s);
    return t;
}

void mf_text_add(struct mf_text *t, const char *s)
{
    MF_ASSERT(t->len <= MF_TEXT_MAX);
    while (*s != '\0' && t->len < MF_TEXT_MAX) {
        t->s[t->len++] = *s++;
    }
    t->s[t->len] = '\0';
}

void mf_text_add_int(struct mf_text *t, int64_t value)
{
    char digits[24];
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

static bool may_have_texts(const struct mf_vehicle *v, const struct mf_link *link)
{
    if (!v->options.statustext_gcs_only && !v->options.px4_strict) {
        return true;
    }
    return mf_gcs_present(v, link);
}

static void keep(struct mf_vehicle *v, const char *text)
{
    const size_t i = v->said.count++ % MF_TEXTS_KEPT;
    char *s = v->said.last[i].s;
    v->said.last[i].t_us = v->instant_us;
    for (size_t n = MF_TEXT_KEPT_CHARS - 1u; n > 0 && *text != '\0'; n--) {
        *s++ = *text++;
    }
    *s = '\0';
}

void mf_say(struct mf_vehicle *v, enum mf_severity severity, const char *text)
{
    MF_ASSERT(text != NULL);
    const size_t len = strlen(text);
    struct mf_msg_statustext m = {.severity = (uint8_t)severity};
    if (len > CHUNK) {
        v->text_id =
            (uint16_t)(v->text_id == UINT16_MAX ? 1 : v->text_id + 1); /* 0 is: not in chunks */
        m.id = v->text_id;
    }
    const size_t end = len > CHUNK ? len + 1 : len; /* of chunks, the last one ends with a NUL */
    for (size_t at = 0; at == 0 || at < end; at += CHUNK) {
        const size_t n = len - at < CHUNK ? len - at : CHUNK;
        memset(m.text, 0, sizeof m.text);
        memcpy(m.text, &text[at], n);
        for (uint16_t i = 0; i < v->links_top; i++) {
            if (v->links[i].open && may_have_texts(v, &v->links[i])) {
                (void)mf_link_send(v, &v->links[i], MF_MSG_STATUSTEXT, &m);
            }
        }
        m.chunk_seq++;
    }
    keep(v, text);
    mf_log_event(&v->hal, v->instant_us, severity, "text", text);
    mf_logger_text(v, severity, text);
}
