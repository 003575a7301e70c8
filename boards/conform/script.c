/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/conform/script.h"

#include "host/base/value.h"
#include "mavlink/names.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 64
#define RATE_MAX  1000000
/* Passes that one line may take: a vehicle that wants to run at once, again and again,
 * is broken. */
#define PASSES_MAX 10000000u

/* A line taken apart: its verb and what follows. */
struct words {
    size_t count;
    char *word[WORDS_MAX];
};

__attribute__((format(printf, 2, 3))) static int fail(struct script *s, const char *format, ...)
{
    va_list args;
    const int n = snprintf(s->error, sizeof s->error, "line %" PRIu32 ": ", s->line);
    va_start(args, format);
    (void)vsnprintf(s->error + n, sizeof s->error - (size_t)n, format, args);
    va_end(args);
    return MF_E_RANGE;
}

/* What the player says, with the number of the line. */
static int answer(struct script *s, int result)
{
    return result == MF_E_OK ? MF_E_OK : fail(s, "%s", s->player->error);
}

static int number(struct script *s, const char *text, double low, double high, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !(*value >= low && *value <= high)) {
        return fail(s, "'%.40s' is not a number from %g to %g", text, low, high);
    }
    return MF_E_OK;
}

static int link_number(struct script *s, const char *text, uint16_t *link)
{
    double value;
    if (number(s, text, 0, DRONE_LINKS - 1, &value) != MF_E_OK) {
        return MF_E_RANGE;
    }
    *link = (uint16_t)value;
    return MF_E_OK;
}

static int microseconds(struct script *s, const char *text, mf_us_t *us)
{
    double seconds;
    if (number(s, text, 0, 1e9, &seconds) != MF_E_OK) {
        return MF_E_RANGE;
    }
    *us = mf_us_of(seconds);
    return MF_E_OK;
}

/* ---- time */

/* Transport time passes by whole microseconds; vehicle time by the rate times that. */
static void pass_time(struct script *s, mf_us_t vehicle_us)
{
    const mf_us_t by_us = (vehicle_us + s->rate - 1) / s->rate;
    s->player->now.transport_us += by_us;
    s->player->now.vehicle_us += by_us * s->rate;
}

/* Vehicle time from now to the next due instant of the last step. */
static mf_us_t until_due(const struct script *s)
{
    const struct player *p = s->player;
    mf_us_t wait_us = MF_NEVER;
    const mf_us_t vehicle_us = mf_earlier(p->wake.essential_us, p->wake.periodic_us);
    if (vehicle_us != MF_NEVER) {
        wait_us = vehicle_us - p->now.vehicle_us;
    }
    if (p->wake.transport_us != MF_NEVER) {
        wait_us = mf_earlier(wait_us, (p->wake.transport_us - p->now.transport_us) * s->rate);
    }
    return wait_us > 0 ? wait_us : 0;
}

/* run SECONDS: vehicle time passes, with a pass at every due instant */
static int do_run(struct script *s, const struct words *w)
{
    mf_us_t run_us;
    if (microseconds(s, w->word[1], &run_us) != MF_E_OK) {
        return MF_E_RANGE;
    }
    const mf_us_t end_us = s->player->now.vehicle_us + run_us;
    int result = player_step(s->player);
    for (uint32_t i = 0; result == MF_E_OK && s->player->now.vehicle_us < end_us; i++) {
        if (i == PASSES_MAX) {
            return fail(s, "the vehicle does not come to rest");
        }
        pass_time(s, mf_earlier(until_due(s), end_us - s->player->now.vehicle_us));
        result = player_step(s->player);
    }
    return answer(s, result);
}

/* late SECONDS: the host sleeps; then one pass */
static int do_late(struct script *s, const struct words *w)
{
    mf_us_t late_us;
    if (microseconds(s, w->word[1], &late_us) != MF_E_OK) {
        return MF_E_RANGE;
    }
    pass_time(s, late_us);
    return answer(s, player_step(s->player));
}

/* events COUNT: an event clock jumps from one essential instant to the next */
static int do_events(struct script *s, const struct words *w)
{
    double count;
    if (number(s, w->word[1], 1, 100000, &count) != MF_E_OK) {
        return MF_E_RANGE;
    }
    struct player *p = s->player;
    int result = player_step(p);
    for (uint32_t i = 0; i < (uint32_t)count && result == MF_E_OK; i++) {
        if (p->wake.essential_us == MF_NEVER) {
            break;
        }
        if (p->wake.essential_us > p->now.vehicle_us) {
            result = player_jump(p, p->wake.essential_us);
            p->now.vehicle_us = p->wake.essential_us;
        }
        if (result == MF_E_OK) {
            result = player_step(p);
        }
    }
    return answer(s, result);
}

static int do_rate(struct script *s, const struct words *w)
{
    double rate;
    if (number(s, w->word[1], 1, RATE_MAX, &rate) != MF_E_OK) {
        return MF_E_RANGE;
    }
    s->rate = (int64_t)rate;
    return MF_E_OK;
}

/* ---- start and links */

static int do_set(struct script *s, const struct words *w)
{
    char text[SCRIPT_LINE_MAX];
    size_t n = 0;
    for (size_t i = 1; i < w->count; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i > 1 ? " " : "", w->word[i]);
    }
    return answer(s, player_set(s->player, text, n));
}

/* boot [SECONDS of UTC] */
static int do_boot(struct script *s, const struct words *w)
{
    mf_us_t epoch_us = 0;
    if (w->count > 1) {
        double seconds;
        if (number(s, w->word[1], 0, 4e9, &seconds) != MF_E_OK) {
            return MF_E_RANGE;
        }
        epoch_us = mf_us_of(seconds);
    }
    return answer(s, player_boot(s->player, epoch_us));
}

static const struct {
    enum mf_rate_profile profile;
    const char *name;
} k_profile[] = {
#define X(name, text) {MF_PROFILE_##name, text},
    MF_PROFILE_LIST(X)
#undef X
};

/* open LINK PROFILE [datagram] */
static int do_open(struct script *s, const struct words *w)
{
    uint16_t link;
    int32_t interval_us[MF_STREAM_COUNT];
    const bool datagram = w->count > 3 && strcmp(w->word[3], "datagram") == 0;
    if (link_number(s, w->word[1], &link) != MF_E_OK) {
        return MF_E_RANGE;
    }
    for (size_t i = 0; i < sizeof k_profile / sizeof k_profile[0]; i++) {
        if (strcmp(k_profile[i].name, w->word[2]) == 0) {
            mf_stream_profile(k_profile[i].profile, interval_us);
            return answer(s, player_open(s->player, link, datagram ? MF_RECORD_DATAGRAM : 0u,
                                         "script", interval_us));
        }
    }
    return fail(s, "'%.40s' is not a profile", w->word[2]);
}

static int do_close(struct script *s, const struct words *w)
{
    uint16_t link;
    if (link_number(s, w->word[1], &link) != MF_E_OK) {
        return MF_E_RANGE;
    }
    return answer(s, player_close(s->player, link));
}

static int do_from(struct script *s, const struct words *w)
{
    double sysid, compid, version;
    if (number(s, w->word[1], 0, 255, &sysid) != MF_E_OK ||
        number(s, w->word[2], 0, 255, &compid) != MF_E_OK ||
        number(s, w->word[3], 1, 2, &version) != MF_E_OK) {
        return MF_E_RANGE;
    }
    s->from = (struct mf_sender){(uint8_t)version, 0, (uint8_t)sysid, (uint8_t)compid};
    return MF_E_OK;
}

/* ---- messages */

/* One number of a field, into its place in the payload. Floats of the kind that keeps its bits may
 * be written as an integer with "i:" before it, as parameters of integer type travel. */
static int put_number(struct script *s, enum mf_wire_type type, const char *text, void *at)
{
    double real = 0.0;
    int64_t whole = 0;
    const bool is_float =
        (type == MF_WIRE_f32 || type == MF_WIRE_fbits) && strncmp(text, "i:", 2) != 0;
    char *end;
    if (is_float) {
        real = strtod(text, &end);
    } else {
        text += strncmp(text, "i:", 2) == 0 ? 2 : 0;
        whole = text[0] == '-' ? strtoll(text, &end, 10) : (int64_t)strtoull(text, &end, 0);
    }
    if (end == text || *end != '\0') {
        return fail(s, "'%.40s' is not a number", text);
    }
    const uint32_t bits = is_float ? mf_f32_bits((float)real) : (uint32_t)whole;
    switch (type) {
#define PUT(name)                                           \
    case MF_WIRE_##name: {                                  \
        const mf_wire_##name value = (mf_wire_##name)whole; \
        memcpy(at, &value, sizeof value);                   \
        break;                                              \
    }
        PUT(u8)
        PUT(i8)
        PUT(chr)
        PUT(u16)
        PUT(i16)
        PUT(u32)
        PUT(i32)
        PUT(u64)
        PUT(i64)
#undef PUT
    case MF_WIRE_f32:
    case MF_WIRE_fbits:
    default:
        memcpy(at, &bits, sizeof bits);
        break;
    }
    return MF_E_OK;
}

static size_t wire_bytes(enum mf_wire_type type)
{
    static const uint8_t k_bytes[] = {
#define X(name, ctype, size, xml) (size),
        MF_WIRE_TYPE_LIST(X)
#undef X
    };
    return k_bytes[type];
}

/* "field=value", or "field=a,b,c" for arrays; text for arrays of characters */
static int put_field(struct script *s, const struct mf_msg_info *info, char *word, uint8_t *msg)
{
    char *value = strchr(word, '=');
    if (value == NULL) {
        return fail(s, "'%.40s' is not FIELD=VALUE", word);
    }
    *value++ = '\0';
    for (size_t i = 0; i < info->field_count; i++) {
        const struct mf_field *field = &mf_fields()[info->field_first + i];
        if (strcmp(mf_field_name(info, i), word) != 0) {
            continue;
        }
        uint8_t *at = msg + field->offset;
        if (field->type == MF_WIRE_chr) {
            const size_t n = strlen(value);
            memcpy(at, value, n < field->count ? n : field->count);
            return MF_E_OK;
        }
        int result = MF_E_OK;
        for (size_t k = 0; k < field->count && value != NULL && result == MF_E_OK; k++) {
            char *comma = strchr(value, ',');
            if (comma != NULL) {
                *comma++ = '\0';
            }
            result = put_number(s, (enum mf_wire_type)field->type, value, at);
            at += wire_bytes((enum mf_wire_type)field->type);
            value = comma;
        }
        return result;
    }
    return fail(s, "%s has no field '%.40s'", mf_msg_name(info->id), word);
}

/* Messages for somebody are for this vehicle, unless they say otherwise. */
static void address(struct script *s, const struct mf_msg_info *info, uint8_t *msg)
{
    for (size_t i = 0; i < info->field_count; i++) {
        const struct mf_field *field = &mf_fields()[info->field_first + i];
        if (strcmp(mf_field_name(info, i), "target_system") == 0) {
            msg[field->offset] = (uint8_t)s->player->drone.settings.sysid;
        } else if (strcmp(mf_field_name(info, i), "target_component") == 0) {
            msg[field->offset] = (uint8_t)s->player->drone.settings.compid;
        }
    }
}

static const struct mf_msg_info *find_message(const char *name)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(mf_msg_name(table[i].id), name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* LINK MESSAGE FIELD=VALUE ... @return the message; NULL: they are wrong, and why is said */
static const struct mf_msg_info *read_message(struct script *s, const struct words *w,
                                              uint16_t *link, union mf_msg *msg)
{
    if (link_number(s, w->word[1], link) != MF_E_OK) {
        return NULL;
    }
    const struct mf_msg_info *info = find_message(w->word[2]);
    if (info == NULL) {
        (void)fail(s, "'%.40s' is not a message", w->word[2]);
        return NULL;
    }
    memset(msg, 0, sizeof *msg);
    address(s, info, (uint8_t *)msg);
    for (size_t i = 3; i < w->count; i++) {
        if (put_field(s, info, w->word[i], (uint8_t *)msg) != MF_E_OK) {
            return NULL;
        }
    }
    return info;
}

static int step(struct script *s, int result)
{
    return answer(s, result == MF_E_OK ? player_step(s->player) : result);
}

/* send LINK MESSAGE FIELD=VALUE ...: a frame arrives, and a pass takes it in */
static int do_send(struct script *s, const struct words *w)
{
    uint16_t link;
    union mf_msg msg;
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_msg_info *info = read_message(s, w, &link, &msg);
    if (info == NULL) {
        return MF_E_RANGE;
    }
    const size_t n = mf_frame_encode(&s->from, info, &msg, frame);
    if (n == 0) {
        return fail(s, "version 1 cannot carry %s", w->word[2]);
    }
    s->from.seq++;
    return step(s, player_feed(s->player, link, frame, n));
}

/* hand LINK MESSAGE FIELD=VALUE ...: the same message without a frame, from within the process */
static int do_hand(struct script *s, const struct words *w)
{
    uint16_t link;
    union mf_msg msg;
    const struct mf_address from = {s->from.sysid, s->from.compid};
    const struct mf_msg_info *info = read_message(s, w, &link, &msg);
    if (info == NULL) {
        return MF_E_RANGE;
    }
    return step(s, player_message(s->player, link, from, info->id, &msg));
}

/* bytes LINK HEX ...: these arrive, and a pass takes them in */
static int do_bytes(struct script *s, const struct words *w)
{
    uint16_t link;
    uint8_t bytes[SCRIPT_LINE_MAX / 2];
    size_t n = 0;
    if (link_number(s, w->word[1], &link) != MF_E_OK) {
        return MF_E_RANGE;
    }
    for (size_t i = 2; i < w->count; i++) {
        for (const char *at = w->word[i]; at[0] != '\0'; at += 2) {
            const char digits[3] = {at[0], at[1], '\0'};
            char *end;
            bytes[n++] = (uint8_t)strtoul(digits, &end, 16);
            if (end != digits + 2) {
                return fail(s, "'%.40s' are not bytes in hexadecimal", w->word[i]);
            }
        }
    }
    int result = player_feed(s->player, link, bytes, n);
    if (result == MF_E_OK) {
        result = player_step(s->player);
    }
    return answer(s, result);
}

/* ---- lines */

static const struct {
    const char *verb;
    size_t words; /* at least, with the verb */
    int (*run)(struct script *s, const struct words *w);
} k_verb[] = {
    {"set", 2, do_set},   {"boot", 1, do_boot}, {"open", 3, do_open},     {"close", 2, do_close},
    {"from", 4, do_from}, {"send", 3, do_send}, {"hand", 3, do_hand},     {"bytes", 3, do_bytes},
    {"run", 2, do_run},   {"late", 2, do_late}, {"events", 2, do_events}, {"rate", 2, do_rate},
};

void script_init(struct script *s, struct player *player)
{
    *s = (struct script){.player = player, .rate = 1, .from = {2, 0, 255, 190}};
}

static void split(char *line, struct words *w)
{
    w->count = 0;
    line[strcspn(line, "#\r\n")] = '\0';
    while (w->count < WORDS_MAX) {
        line += strspn(line, " ");
        if (*line == '\0') {
            return;
        }
        w->word[w->count++] = line;
        line += strcspn(line, " ");
        if (*line != '\0') {
            *line++ = '\0';
        }
    }
}

int script_line(struct script *s, char *line)
{
    struct words w;
    s->line++;
    split(line + (s->line == 1 ? mf_value_bom(line, strlen(line)) : 0), &w);
    if (w.count == 0) {
        return MF_E_OK;
    }
    for (size_t i = 0; i < sizeof k_verb / sizeof k_verb[0]; i++) {
        if (strcmp(k_verb[i].verb, w.word[0]) == 0) {
            return w.count < k_verb[i].words ? fail(s, "%s needs more words", w.word[0])
                                             : k_verb[i].run(s, &w);
        }
    }
    return fail(s, "'%.40s' is not a word of a script", w.word[0]);
}
