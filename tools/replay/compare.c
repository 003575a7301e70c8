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

/* Print an element of a field. */
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

/*
 * Fields that distinguish messages of a kind. For kinds that are not listed it is the first field
 * that is neither a time nor an addressee.
 */
static const struct {
    uint32_t msgid;
    const char *field;
} k_about[] = {
    {MF_MSG_PARAM_VALUE, "param_id"}, {MF_MSG_PARAM_SET, "param_id"},
    {MF_MSG_MISSION_ITEM, "seq"},     {MF_MSG_MISSION_ITEM_INT, "seq"},
    {MF_MSG_COMMAND_LONG, "command"}, {MF_MSG_COMMAND_INT, "command"},
    {MF_MSG_COMMAND_ACK, "command"},  {MF_MSG_EXTENDED_SYS_STATE, "landed_state"},
    {MF_MSG_STATUSTEXT, "text"},
};

/* @param name  NULL: of a message that is not listed  @return the field's place, or field_count */
static size_t find_field(const struct mf_msg_info *info, const char *name)
{
    for (size_t i = 0; i < info->field_count; i++) {
        const char *field = mf_field_name(info, i);
        const bool plain = mf_fields()[info->field_first + i].role == MF_FIELD_PLAIN;
        if (name != NULL ? strcmp(field, name) == 0 : plain && strncmp(field, "time", 4) != 0) {
            return i;
        }
    }
    return info->field_count;
}

static const char *listed_about(const struct mf_msg_info *info)
{
    for (size_t i = 0; i < sizeof k_about / sizeof k_about[0]; i++) {
        if (k_about[i].msgid == info->id) {
            return k_about[i].field;
        }
    }
    return NULL;
}

/* "MISSION_ITEM_INT (seq 2)" */
static void add_message(struct text *t, const struct replay_frame *f, const char *about)
{
    static union mf_msg msg;
    const size_t i = find_field(f->info, about);
    add(t, "%s", mf_msg_name(f->info->id));
    if (i == f->info->field_count) {
        return;
    }
    const struct mf_field *field = &mf_fields()[f->info->field_first + i];
    const uint8_t *at = (const uint8_t *)&msg + field->offset;
    char value[VALUE_TEXT_MAX];
    memset(&msg, 0, sizeof msg);
    mf_msg_unpack(f->info, f->payload, f->n, &msg);
    if (field->type == MF_WIRE_chr) {
        (void)snprintf(value, sizeof value, "'%.*s'", (int)field->count, (const char *)at);
    } else {
        value_text(field->type, at, value);
    }
    add(t, " (%s %s)", mf_field_name(f->info, i), value);
}

/* Which element of which field differs first. @return whether one does */
static bool find_difference(const struct mf_msg_info *info, const void *a, const void *b,
                            size_t *field, size_t *element)
{
    for (size_t i = 0; i < info->field_count; i++) {
        const struct mf_field *f = &mf_fields()[info->field_first + i];
        const size_t size = type_size(f->type);
        for (size_t k = 0; k < f->count; k++) {
            const size_t at = f->offset + k * size;
            if (memcmp((const uint8_t *)a + at, (const uint8_t *)b + at, size) != 0) {
                *field = i;
                *element = k;
                return true;
            }
        }
    }
    return false;
}

/* @return whether a field differs */
static bool describe_field(const struct mf_msg_info *info, const uint8_t *a, const uint8_t *b,
                           struct text *t)
{
    char was[VALUE_TEXT_MAX], is[VALUE_TEXT_MAX];
    size_t i, k;
    if (!find_difference(info, a, b, &i, &k)) {
        return false;
    }
    const struct mf_field *field = &mf_fields()[info->field_first + i];
    const size_t at = field->offset + k * type_size(field->type);
    value_text(field->type, a + at, was);
    value_text(field->type, b + at, is);
    add(t, ", field %s", mf_field_name(info, i));
    if (field->count > 1) {
        add(t, "[%zu]", k);
    }
    add(t, ": recorded %s, replayed %s", was, is);
    return true;
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

/* Describe the difference of two frames: message, field and both values, or the part of the header.
 * @return length of the text */
static size_t describe_frames(const uint8_t *recorded, size_t recorded_n, const uint8_t *replayed,
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
    if (a.info == NULL || b.info == NULL) {
        add(&t,
            "byte %zu of %zu bytes that are not a frame, or of an unknown message; replayed %zu "
            "bytes",
            at, recorded_n, replayed_n);
    } else if (a.info != b.info) {
        add(&t, "recorded ");
        add_message(&t, &a, listed_about(a.info));
        add(&t, ", replayed ");
        add_message(&t, &b, listed_about(b.info));
    } else {
        add(&t, "byte %zu of ", at);
        if (listed_about(a.info) != NULL) {
            add_message(&t, &a, listed_about(a.info));
        } else {
            add(&t, "%s", mf_msg_name(a.info->id));
        }
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

static bool is_same_record(const struct mf_record *a, const struct mf_record *b)
{
    return a->type == b->type && a->link == b->link &&
           memcmp(a->value, b->value, sizeof a->value) == 0 && a->n == b->n &&
           (a->n == 0 || memcmp(a->bytes, b->bytes, a->n) == 0);
}

static bool holds_frames(const struct mf_record *r)
{
    return r->type == MF_RECORD_OUT || r->type == MF_RECORD_IN || r->type == MF_RECORD_MESSAGE;
}

static void add_record(struct text *t, const struct mf_record *r)
{
    const struct mf_record_info *info = mf_record_info(r->type);
    add(t, "%s", info->name);
    if (holds_frames(r)) {
        const struct replay_frame f = replay_frame(r->bytes, r->n);
        add(t, " ");
        if (f.info != NULL) {
            add_message(t, &f, listed_about(f.info));
        } else {
            add(t, "of no known message");
        }
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

/* Position of the frame that differs: a received record may be several frames. */
static size_t frame_that_differs(const struct mf_record *was, const struct mf_record *is)
{
    size_t at = 0;
    while (at < was->n && at < is->n) {
        const size_t size = replay_frame(was->bytes + at, was->n - at).size;
        if (size == 0 || size > was->n - at || size > is->n - at ||
            memcmp(was->bytes + at, is->bytes + at, size) != 0) {
            break;
        }
        at += size;
    }
    return at;
}

static void add_difference(struct text *t, const struct mf_record *was, const struct mf_record *is)
{
    if (holds_frames(was) && was->type == is->type && was->link == is->link) {
        const size_t at = frame_that_differs(was, is);
        t->len += describe_frames(was->bytes + at, was->n - at, is->bytes + at, is->n - at,
                                  t->s + t->len, t->size - t->len);
    } else {
        add(t, "recorded ");
        add_record(t, was);
        add(t, ", replayed ");
        add_record(t, is);
    }
}

static void differ(const struct replay_source *a, const struct replay_source *b, struct text *t)
{
    add(t, "first difference at ");
    add_place(t, a);
    add(t, ":\n  ");
    add_difference(t, &a->record, &b->record);
}

/* ---- checksums of plans */

/* Fields that say of a plan only that it is another one. The flight goes on alike up to the item
 * that differs, and so does the comparison. */
static const struct {
    uint32_t msgid;
    const char *field;
} k_tag[] = {
    {MF_MSG_MISSION_COUNT, "opaque_id"},         {MF_MSG_MISSION_ACK, "opaque_id"},
    {MF_MSG_MISSION_CURRENT, "mission_id"},      {MF_MSG_MISSION_CURRENT, "fence_id"},
    {MF_MSG_MISSION_CURRENT, "rally_points_id"},
};

static void unpack_without_tags(const struct replay_frame *f, union mf_msg *msg)
{
    memset(msg, 0, sizeof *msg);
    mf_msg_unpack(f->info, f->payload, f->n, msg);
    for (size_t i = 0; i < sizeof k_tag / sizeof k_tag[0]; i++) {
        if (k_tag[i].msgid == f->info->id) {
            const size_t field = f->info->field_first + find_field(f->info, k_tag[i].field);
            memset((uint8_t *)msg + mf_fields()[field].offset, 0, sizeof(uint32_t));
        }
    }
}

static bool only_tags_differ(const struct mf_record *a, const struct mf_record *b)
{
    static union mf_msg was, is;
    size_t field, element;
    if (a->type != MF_RECORD_OUT || b->type != MF_RECORD_OUT || a->link != b->link) {
        return false;
    }
    const struct replay_frame f = replay_frame(a->bytes, a->n), g = replay_frame(b->bytes, b->n);
    if (f.info == NULL || f.info != g.info || f.version != g.version || f.seq != g.seq ||
        f.sysid != g.sysid || f.compid != g.compid) {
        return false;
    }
    unpack_without_tags(&f, &was);
    unpack_without_tags(&g, &is);
    return !find_difference(f.info, &was, &is, &field, &element);
}

#define MISSION_MODE_ACTIVE 1 /* of MISSION_CURRENT.mission_mode */

/* The item that is being flown, as the vehicle says; -1: none is. */
static void follow_item(const struct mf_record *r, int *item)
{
    const struct replay_frame f = replay_frame(r->bytes, r->type == MF_RECORD_OUT ? r->n : 0);
    struct mf_msg_mission_current m = {0};
    if (f.info != NULL && f.info->id == MF_MSG_MISSION_CURRENT) {
        mf_msg_unpack(f.info, f.payload, f.n, &m);
        *item = m.mission_mode == MISSION_MODE_ACTIVE ? m.seq : -1;
    }
}

/* Add a later difference to the report, after one that is only in tags. */
static void differ_later(const struct replay_source *a, const struct replay_source *b, int item,
                         struct text *t)
{
    add(t, "\n  then at ");
    add_place(t, a);
    if (item >= 0) {
        add(t, ", on the way to mission item %d", item);
    }
    add(t, ": ");
    add_difference(t, &a->record, &b->record);
}

/* Judge the rest of the longer recording, after the other's end: records of a pass that was cut
 * off, or a difference. */
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

/* Report a difference. @param t  the report so far @return true: more than tags differ, which ends
 * the comparison */
static bool report_difference(const struct replay_source *a, const struct replay_source *b,
                              int item, struct text *t)
{
    const bool tags = only_tags_differ(&a->record, &b->record);
    if (t->len == 0) {
        differ(a, b, t);
    } else if (!tags) {
        differ_later(a, b, item, t);
    }
    return !tags;
}

enum replay_verdict replay_compare(struct replay_source *recorded, struct replay_source *replayed,
                                   char *report)
{
    struct text t = text_in(report, REPLAY_REPORT_MAX);
    enum replay_verdict verdict = REPLAY_EQUAL;
    bool a, b, told = false;
    int item = -1;
    report[0] = '\0';
    do {
        a = replay_next(recorded);
        b = replay_next(replayed);
        const struct replay_source *bad = recorded->state == MF_RECORDING_DAMAGED   ? recorded
                                          : replayed->state == MF_RECORDING_DAMAGED ? replayed
                                                                                    : NULL;
        if (bad != NULL) {
            t.len = 0;
            add(&t, "%s: %s", bad->name, bad->reader.error);
            return REPLAY_UNREADABLE;
        }
        if (a && b) {
            follow_item(&recorded->record, &item);
            told = !is_same_record(&recorded->record, &replayed->record) &&
                   report_difference(recorded, replayed, item, &t);
        }
    } while (a && b && !told);
    if (t.len != 0) {
        return REPLAY_DIFFERENT;
    }
    if (a != b) {
        verdict = judge_rest(b ? replayed : recorded, b, b && !recorded->complete, report);
    }
    if (verdict == REPLAY_EQUAL) {
        add(&t, "equal: %" PRIu64 " records, %.6f s", recorded->reader.count,
            (double)recorded->vehicle_us / 1e6);
    }
    return verdict;
}
