/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/compare.h"

#include "mavlink/names.h"
#include "tools/replay/frame.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define VALUE_TEXT_MAX 80u

/* Text that grows in memory of the caller's; what does not fit is cut. */
struct text {
    char *s;
    size_t size, len;
};

static struct text text_in(char *s, size_t size)
{
    struct text t;
    t.s = s;
    t.size = size;
    t.len = 0;
    return t;
}

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(t->s + t->len, t->size - t->len, format, args);
    va_end(args);
    if (n > 0) {
        t->len += (size_t)n < t->size - t->len ? (size_t)n : t->size - t->len - 1;
    }
}

/* ---- frames */

static size_t type_size(uint8_t type)
{
    static const uint8_t k_size[] = {
#define X(name, ctype, size, xml) (size),
        MF_WIRE_TYPE_LIST(X)
#undef X
    };
    return k_size[type];
}

/* One element of a field as text. */
static void value_text(uint8_t type, const uint8_t *at, char *text)
{
    switch ((enum mf_wire_type)type) {
#define WHOLE(name, format)                                      \
    case MF_WIRE_##name: {                                       \
        mf_wire_##name value;                                    \
        memcpy(&value, at, sizeof value);                        \
        (void)snprintf(text, VALUE_TEXT_MAX, "%" format, value); \
        break;                                                   \
    }
        WHOLE(u8, PRIu8)
        WHOLE(i8, PRId8)
        WHOLE(u16, PRIu16)
        WHOLE(i16, PRId16)
        WHOLE(u32, PRIu32)
        WHOLE(i32, PRId32)
        WHOLE(u64, PRIu64)
        WHOLE(i64, PRId64)
#undef WHOLE
    case MF_WIRE_chr:
        (void)snprintf(text, VALUE_TEXT_MAX, *at >= ' ' && *at < 0x7F ? "'%c'" : "%d", *at);
        break;
    case MF_WIRE_f32:
    case MF_WIRE_fbits:
    default: {
        uint32_t bits;
        memcpy(&bits, at, sizeof bits);
        (void)snprintf(text, VALUE_TEXT_MAX, "%.9g (0x%08" PRIx32 ")",
                       (double)mf_f32_from_bits(bits), bits);
        break;
    }
    }
}

/* @return whether a field differs */
static bool describe_field(const struct mf_msg_info *info, const uint8_t *a, const uint8_t *b,
                           struct text *t)
{
    for (size_t i = 0; i < info->field_count; i++) {
        const struct mf_field *field = &mf_fields()[info->field_first + i];
        const size_t size = type_size(field->type);
        for (size_t k = 0; k < field->count; k++) {
            const size_t at = field->offset + k * size;
            if (memcmp(a + at, b + at, size) == 0) {
                continue;
            }
            char was[VALUE_TEXT_MAX], is[VALUE_TEXT_MAX];
            value_text(field->type, a + at, was);
            value_text(field->type, b + at, is);
            add(t, ", field %s", mf_field_name(info, i));
            if (field->count > 1) {
                add(t, "[%zu]", k);
            }
            add(t, ": recorded %s, replayed %s", was, is);
            return true;
        }
    }
    return false;
}

static void describe_header(const struct replay_frame *a, const struct replay_frame *b,
                            struct text *t)
{
    const struct {
        const char *name;
        size_t was, is;
    } k_part[] = {
        {"version", a->version, b->version},   {"sequence number", a->seq, b->seq},
        {"system id", a->sysid, b->sysid},     {"component id", a->compid, b->compid},
        {"length of the payload", a->n, b->n},
    };
    for (size_t i = 0; i < sizeof k_part / sizeof k_part[0]; i++) {
        if (k_part[i].was != k_part[i].is) {
            add(t, ", %s: recorded %zu, replayed %zu", k_part[i].name, k_part[i].was, k_part[i].is);
            return;
        }
    }
    add(t, ", checksum");
}

size_t replay_describe(const uint8_t *recorded, size_t recorded_n, const uint8_t *replayed,
                       size_t replayed_n, char *text, size_t size)
{
    static union mf_msg was, is;
    struct text t = text_in(text, size);
    const struct replay_frame a = replay_frame(recorded, recorded_n),
                              b = replay_frame(replayed, replayed_n);
    size_t at = 0;
    while (at < recorded_n && at < replayed_n && recorded[at] == replayed[at]) {
        at++;
    }
    add(&t, "byte %zu of ", at);
    if (a.info == NULL || b.info == NULL) {
        add(&t, "%zu bytes that are no frame, or of an unknown message; replayed %zu bytes",
            recorded_n, replayed_n);
    } else if (a.info != b.info) {
        add(&t, "%s; replayed: %s", mf_msg_name(a.info->id), mf_msg_name(b.info->id));
    } else {
        add(&t, "%s", mf_msg_name(a.info->id));
        memset(&was, 0, sizeof was);
        memset(&is, 0, sizeof is);
        mf_msg_unpack(a.info, a.payload, a.n, &was);
        mf_msg_unpack(b.info, b.payload, b.n, &is);
        if (!describe_field(a.info, (const uint8_t *)&was, (const uint8_t *)&is, &t)) {
            describe_header(&a, &b, &t);
        }
    }
    return t.len;
}

/* ---- records */

static bool same(const struct mf_record *a, const struct mf_record *b)
{
    return a->type == b->type && a->link == b->link &&
           memcmp(a->value, b->value, sizeof a->value) == 0 && a->n == b->n &&
           (a->n == 0 || memcmp(a->bytes, b->bytes, a->n) == 0);
}

static void add_record(struct text *t, const struct mf_record *r)
{
    const struct mf_record_info *info = mf_record_info(r->type);
    add(t, "%s", info->name);
    if (r->type == MF_RECORD_OUT) {
        const struct replay_frame f = replay_frame(r->bytes, r->n);
        add(t, " %s", f.info != NULL ? mf_msg_name(f.info->id) : "of no known message");
    }
    if (info->has_link) {
        add(t, " on link %u", r->link);
    }
    for (size_t i = 0; i < info->values; i++) {
        add(t, "%s%" PRId64, i == 0 ? " " : ", ", r->value[i]);
    }
    if (r->type == MF_RECORD_SETTING) {
        add(t, " %.*s", (int)r->n, (const char *)r->bytes);
    } else if (info->has_bytes) {
        add(t, " of %zu bytes", r->n);
    }
}

static void add_place(struct text *t, const struct replay_source *s)
{
    add(t, "record %" PRIu64 ", vehicle time %.6f s, transport time %.6f s", s->reader.count,
        (double)s->vehicle_us / 1e6, (double)s->transport_us / 1e6);
    if (mf_record_info(s->record.type)->has_link) {
        add(t, ", link %u", s->record.link);
        if (replay_link_name(s, s->record.link)[0] != '\0') {
            add(t, " (%s)", replay_link_name(s, s->record.link));
        }
    }
}

static enum replay_verdict differ(const struct replay_source *a, const struct replay_source *b,
                                  char *report)
{
    struct text t = text_in(report, REPLAY_REPORT_MAX);
    const struct mf_record *was = &a->record, *is = &b->record;
    add(&t, "first difference at ");
    add_place(&t, a);
    add(&t, ":\n  ");
    if (was->type == MF_RECORD_OUT && is->type == MF_RECORD_OUT && was->link == is->link) {
        t.len += replay_describe(was->bytes, was->n, is->bytes, is->n, t.s + t.len, t.size - t.len);
    } else {
        add(&t, "recorded ");
        add_record(&t, was);
        add(&t, ", replayed ");
        add_record(&t, is);
    }
    return REPLAY_DIFFERENT;
}

/* One of them is over. What the other says more belongs to a pass that was cut off, or is news. */
static enum replay_verdict judge_rest(struct replay_source *longer, bool longer_is_replay,
                                      bool may_be_cut, char *report)
{
    struct text t = text_in(report, REPLAY_REPORT_MAX);
    do {
        const enum mf_record_kind kind = mf_record_info(longer->record.type)->kind;
        if (!may_be_cut || kind == MF_RECORD_CALL || kind == MF_RECORD_START) {
            add(&t, "first difference at ");
            add_place(&t, longer);
            add(&t, ":\n  the %s ends here, the %s goes on with ",
                longer_is_replay ? "recording" : "replay",
                longer_is_replay ? "replay" : "recording");
            add_record(&t, &longer->record);
            return REPLAY_DIFFERENT;
        }
    } while (replay_next(longer));
    return REPLAY_EQUAL;
}

enum replay_verdict replay_compare(struct replay_source *recorded, struct replay_source *replayed,
                                   char *report)
{
    struct text t = text_in(report, REPLAY_REPORT_MAX);
    enum replay_verdict verdict = REPLAY_EQUAL;
    report[0] = '\0';
    for (;;) {
        const bool a = replay_next(recorded), b = replay_next(replayed);
        const struct replay_source *bad = recorded->state == MF_RECORDING_DAMAGED   ? recorded
                                          : replayed->state == MF_RECORDING_DAMAGED ? replayed
                                                                                    : NULL;
        if (bad != NULL) {
            add(&t, "%s: %s", bad->name, bad->reader.error);
            return REPLAY_UNREADABLE;
        }
        if (a && b && !same(&recorded->record, &replayed->record)) {
            return differ(recorded, replayed, report);
        }
        if (a != b) {
            verdict = judge_rest(b ? replayed : recorded, b, b && !recorded->complete, report);
        }
        if (!a || !b) {
            break;
        }
    }
    if (verdict == REPLAY_EQUAL) {
        add(&t, "equal: %" PRIu64 " records, %.6f s", recorded->reader.count,
            (double)recorded->vehicle_us / 1e6);
    }
    return verdict;
}
