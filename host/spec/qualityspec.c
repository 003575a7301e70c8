/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of link qualities, such as "in:loss=5%,delay=50ms", for configurations and the control
 * API. */
#include "host/spec/qualityspec.h"

#include "host/base/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Default of a burst whose text gives only the probability: 10 frames, all of them lost. */
#define BURST_FRAMES     10.0
#define BURST_FRAMES_MAX 10000.0

enum kind { CHANCE, BURST, TIME, RATE, WINDOW };

static const struct term {
    const char *name;
    enum kind kind;
    size_t offset; /* in struct mf_way_quality */
    double low, high;
    const char *such_as;
} k_term[] = {
#define X(name, field, kind, low, high) \
    {name, kind, offsetof(struct mf_way_quality, field), low, high, SUCH_AS_##kind},
#define SUCH_AS_CHANCE "5%"
#define SUCH_AS_BURST  "2%:10 (chance that one begins, mean length in frames)"
#define SUCH_AS_TIME   "50ms"
#define SUCH_AS_RATE   "5760 (bytes per second)"
#define SUCH_AS_WINDOW "30s+10s (from when, for how long)"
    MF_LINK_TERM_LIST(X)
#undef X
};
#define TERMS (sizeof k_term / sizeof k_term[0])

/* The only term about the connection as a whole. */
static const struct term k_disconnect = {"disconnect", WINDOW, 0, 0, 31536000, SUCH_AS_WINDOW};

static const struct {
    const char *name, *terms;
} k_preset[] = {
#define X(name, terms) {name, terms},
    MF_LINK_PRESET_LIST(X)
#undef X
};
#define X(name, terms) " " name
static const char k_presets[] = MF_LINK_PRESET_LIST(X);
#undef X
#define PRESETS (sizeof k_preset / sizeof k_preset[0])

static const char *const k_way[MF_WAY_COUNT] = {[MF_WAY_IN] = "in:", [MF_WAY_OUT] = "out:"};

/* ---- reading */

__attribute__((format(printf, 2, 3))) static int refuse(char *reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, MF_LINK_REASON_MAX, format, args);
    va_end(args);
    return MF_E_RANGE;
}

static int unknown(const char *name, char *reason)
{
    struct mf_nearest nearest = {.word = name};
    for (size_t i = 0; i < TERMS; i++) {
        mf_nearest_try(&nearest, k_term[i].name);
    }
    for (size_t i = 0; i < PRESETS; i++) {
        mf_nearest_try(&nearest, k_preset[i].name);
    }
    mf_nearest_try(&nearest, k_disconnect.name);
    for (size_t i = 0; i < PRESETS && nearest.best == NULL; i++) {
        const bool begins = name[0] != '\0' && strncmp(k_preset[i].name, name, strlen(name)) == 0;
        nearest.best = begins ? k_preset[i].name : NULL;
    }
    return nearest.best != NULL
               ? refuse(reason, "'%.40s' is not known, did you mean %s?", name, nearest.best)
               : refuse(reason,
                        "'%.40s' is not known, allowed: one of%s, or such as "
                        "loss=10%%,in:delay=50ms; docs/links.md lists all",
                        name, k_presets);
}

static int malformed(const struct term *t, const char *text, char *reason)
{
    return refuse(reason, "%s: '%.40s' is not a value of it, example: %s=%s", t->name, text,
                  t->name, t->such_as);
}

static int out_of_range(const struct term *t, const char *text, double low, double high,
                        const char *unit, char *reason)
{
    return refuse(reason, "%s: '%.40s' is out of range, allowed: %.10g .. %.10g%s", t->name, text,
                  low, high, unit);
}

/* Read "5%" or "5" at the beginning. @return the rest of the text; NULL: refused, with a reason */
static const char *take_percent(const struct term *t, const char *text, double *percent,
                                char *reason)
{
    const char *rest = mf_value_number(text, percent);
    if (rest == NULL) {
        (void)malformed(t, text, reason);
        return NULL;
    }
    if (!(*percent >= 0.0 && *percent <= 100.0)) {
        (void)out_of_range(t, text, 0.0, 100.0, " percent", reason);
        return NULL;
    }
    return rest[0] == '%' ? rest + 1 : rest;
}

static int set_chance(const struct term *t, const char *text, double *percent, char *reason)
{
    const char *rest = take_percent(t, text, percent, reason);
    if (rest == NULL) {
        return MF_E_RANGE;
    }
    return rest[0] == '\0' ? MF_E_OK : malformed(t, text, reason);
}

/* Read a burst: "2%", "2%:10" or "2%:10:80%". */
static int set_burst(const struct term *t, const char *text, struct mf_burst *burst, char *reason)
{
    *burst = (struct mf_burst){.frames = BURST_FRAMES, .loss = 100.0};
    const char *rest = take_percent(t, text, &burst->percent, reason);
    if (rest != NULL && rest[0] == ':') {
        const char *frames = rest + 1;
        rest = mf_value_number(frames, &burst->frames);
        if (rest != NULL && !(burst->frames >= 1.0 && burst->frames <= BURST_FRAMES_MAX)) {
            return out_of_range(t, frames, 1.0, BURST_FRAMES_MAX, " frames", reason);
        }
        if (rest == NULL) {
            return malformed(t, text, reason);
        }
        if (rest[0] == ':') {
            return set_chance(t, rest + 1, &burst->loss, reason);
        }
    }
    if (rest == NULL) {
        return MF_E_RANGE; /* the reason is set already */
    }
    return rest[0] == '\0' ? MF_E_OK : malformed(t, text, reason);
}

static int set_time(const struct term *t, const char *text, mf_us_t *us, char *reason)
{
    double value;
    const char *rest = mf_value_number(text, &value);
    const double unit_us = rest != NULL ? mf_value_unit_us(rest) : 0.0;
    if (rest == NULL || !(unit_us > 0.0)) {
        return malformed(t, text, reason);
    }
    if (!(value * unit_us >= t->low * 1e6 && value * unit_us <= t->high * 1e6)) {
        return out_of_range(t, text, t->low, t->high, " s", reason);
    }
    *us = (mf_us_t)(value * unit_us + 0.5);
    return MF_E_OK;
}

static int set_rate(const struct term *t, const char *text, uint32_t *bps, char *reason)
{
    double value;
    const char *rest = mf_value_number(text, &value);
    if (rest == NULL || rest[0] != '\0') {
        return malformed(t, text, reason);
    }
    if (!(value >= t->low && value <= t->high)) {
        return out_of_range(t, text, t->low, t->high, " bytes/s", reason);
    }
    *bps = (uint32_t)value;
    return MF_E_OK;
}

/* Read a window of time: "30s+10s" or "30s"; without a start, it begins at the boot. */
static int set_window(const struct term *t, char *text, struct mf_window *window, char *reason)
{
    char *plus = strchr(text, '+');
    *window = (struct mf_window){.from_us = 0, .for_us = MF_NEVER};
    if (plus != NULL) {
        *plus = '\0';
        if (set_time(t, plus + 1, &window->for_us, reason) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return set_time(t, text, &window->from_us, reason);
}

static int set_term(const struct term *t, char *text, struct mf_way_quality *way, char *reason)
{
    void *field = (char *)way + t->offset;
    switch (t->kind) {
    case CHANCE:
        return set_chance(t, text, field, reason);
    case BURST:
        return set_burst(t, text, field, reason);
    case TIME:
        return set_time(t, text, field, reason);
    case RATE:
        return set_rate(t, text, field, reason);
    case WINDOW:
    default:
        return set_window(t, text, field, reason);
    }
}

static int set_named(const char *name, char *value, int only, struct mf_link_quality *q,
                     char *reason)
{
    char copy[MF_LINK_SPEC_MAX];
    if (strcmp(name, k_disconnect.name) == 0) {
        if (only < MF_WAY_COUNT) {
            return refuse(reason,
                          "disconnect: a connection has no direction: leave out '%s', or use "
                          "%ssilent",
                          k_way[only], k_way[only]);
        }
        return set_window(&k_disconnect, value, &q->disconnect, reason);
    }
    for (size_t i = 0; i < TERMS; i++) {
        if (strcmp(name, k_term[i].name) != 0) {
            continue;
        }
        for (int way = 0; way < MF_WAY_COUNT; way++) {
            memcpy(copy, value, strlen(value) + 1);
            if ((only == MF_WAY_COUNT || only == way) &&
                set_term(&k_term[i], copy, &q->way[way], reason) != MF_E_OK) {
                return MF_E_RANGE;
            }
        }
        return MF_E_OK;
    }
    return unknown(name, reason);
}

/* Read a term, such as "in:loss=5%" or "delay=50ms". */
static int add_plain(char *text, struct mf_link_quality *q, char *reason)
{
    int only = MF_WAY_COUNT;
    for (int way = 0; way < MF_WAY_COUNT && only == MF_WAY_COUNT; way++) {
        if (strncmp(text, k_way[way], strlen(k_way[way])) == 0) {
            only = way;
            text += strlen(k_way[way]);
        }
    }
    char *equals = strchr(text, '=');
    if (equals != NULL) {
        *equals = '\0';
        return set_named(text, equals + 1, only, q, reason);
    }
    for (size_t i = 0; i < PRESETS; i++) {
        if (strcmp(text, k_preset[i].name) == 0) {
            MF_ASSERT(only < MF_WAY_COUNT); /* presets without a direction are read by add_term() */
            return refuse(reason, "%s is for both directions: leave out '%s'", text, k_way[only]);
        }
    }
    for (size_t i = 0; i < TERMS; i++) {
        if (strcmp(text, k_term[i].name) == 0) {
            return malformed(&k_term[i], "", reason);
        }
    }
    return strcmp(text, k_disconnect.name) == 0 ? malformed(&k_disconnect, "", reason)
                                                : unknown(text, reason);
}

/* Take the next term of a list, trimmed. @param list  in and out: the rest @return NULL: the list
 * has ended */
static char *next_term(char **list)
{
    char *term = *list;
    if (term == NULL) {
        return NULL;
    }
    char *comma = strchr(term, ',');
    *list = comma != NULL ? comma + 1 : NULL;
    if (comma != NULL) {
        *comma = '\0';
    }
    term += strspn(term, " ");
    for (size_t n = strlen(term); n > 0 && term[n - 1] == ' '; n--) {
        term[n - 1] = '\0';
    }
    return term;
}

/* Add a term of the user, which may be a preset of several terms. */
static int add_term(char *text, struct mf_link_quality *q, char *reason)
{
    char terms[MF_LINK_SPEC_MAX];
    for (size_t i = 0; i < PRESETS; i++) {
        if (strcmp(text, k_preset[i].name) != 0) {
            continue;
        }
        char *list = terms;
        memcpy(terms, k_preset[i].terms, strlen(k_preset[i].terms) + 1);
        for (char *term = next_term(&list); term != NULL; term = next_term(&list)) {
            const int result = add_plain(term, q, reason);
            MF_ASSERT(result == MF_E_OK);
        }
        return MF_E_OK;
    }
    return add_plain(text, q, reason);
}

static struct mf_link_quality perfect(void)
{
    const struct mf_window never = {.from_us = MF_NEVER, .for_us = MF_NEVER};
    struct mf_link_quality q = {.disconnect = never};
    for (int way = 0; way < MF_WAY_COUNT; way++) {
        q.way[way].silent = never;
    }
    return q;
}

int mf_link_spec_parse(const char *text, struct mf_link_quality *quality, char *reason)
{
    char copy[MF_LINK_SPEC_MAX];
    struct mf_link_quality q = perfect();
    if (strcmp(text, "none") == 0) {
        *quality = q;
        return MF_E_OK;
    }
    if (strlen(text) >= sizeof copy) {
        return refuse(reason, "is longer than %u characters", MF_LINK_SPEC_MAX - 1);
    }
    memcpy(copy, text, strlen(text) + 1);
    char *list = copy;
    for (char *term = next_term(&list); term != NULL; term = next_term(&list)) {
        if (add_term(term, &q, reason) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    q.shaped = true;
    *quality = q;
    return MF_E_OK;
}

/* ---- printing */

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text + used, MF_LINK_SPEC_MAX - used, format, args);
    va_end(args);
}

/* Append the shortest form of a number that reads back as the same number. */
static void add_number(char *text, double value)
{
    char number[40];
    (void)snprintf(number, sizeof number, "%.15g", value);
    if (strtod(number, NULL) < value || strtod(number, NULL) > value) {
        (void)snprintf(number, sizeof number, "%.17g", value);
    }
    add(text, "%s", number);
}

static void add_time(char *text, mf_us_t t_us)
{
    char time[MF_VALUE_TIME_MAX];
    mf_value_time_text(t_us, time);
    add(text, "%s", time);
}

static void add_window(char *text, const struct mf_window *window)
{
    add_time(text, window->from_us);
    if (window->for_us != MF_NEVER) {
        add(text, "+");
        add_time(text, window->for_us);
    }
}

static bool is_said(const struct term *t, const struct mf_way_quality *way)
{
    const void *field = (const char *)way + t->offset;
    switch (t->kind) {
    case CHANCE:
        return *(const double *)field > 0.0;
    case BURST:
        return ((const struct mf_burst *)field)->percent > 0.0;
    case TIME:
        return *(const mf_us_t *)field > 0;
    case RATE:
        return *(const uint32_t *)field > 0;
    case WINDOW:
    default:
        return ((const struct mf_window *)field)->from_us != MF_NEVER;
    }
}

static void add_value(char *text, const struct term *t, const struct mf_way_quality *way)
{
    const void *field = (const char *)way + t->offset;
    const struct mf_burst *burst = field;
    switch (t->kind) {
    case CHANCE:
        add_number(text, *(const double *)field);
        add(text, "%%");
        break;
    case BURST:
        add_number(text, burst->percent);
        add(text, "%%:");
        add_number(text, burst->frames);
        add(text, ":");
        add_number(text, burst->loss);
        add(text, "%%");
        break;
    case TIME:
        add_time(text, *(const mf_us_t *)field);
        break;
    case RATE:
        add(text, "%" PRIu32, *(const uint32_t *)field);
        break;
    case WINDOW:
    default:
        add_window(text, field);
        break;
    }
}

void mf_link_spec_print(const struct mf_link_quality *quality, char *text)
{
    text[0] = '\0';
    for (int way = 0; quality->shaped && way < MF_WAY_COUNT; way++) {
        for (size_t i = 0; i < TERMS; i++) {
            if (is_said(&k_term[i], &quality->way[way])) {
                add(text, "%s%s%s=", text[0] != '\0' ? "," : "", k_way[way], k_term[i].name);
                add_value(text, &k_term[i], &quality->way[way]);
            }
        }
    }
    if (quality->shaped && quality->disconnect.from_us != MF_NEVER) {
        add(text, "%s%s=", text[0] != '\0' ? "," : "", k_disconnect.name);
        add_window(text, &quality->disconnect);
    }
    if (text[0] == '\0') {
        add(text, "%s", quality->shaped ? "loss=0%" : "none");
    }
}

/* ---- counts of frames */

static void way_text(const struct mf_quality_stats *stats, const char *before, char *text,
                     size_t size)
{
    const struct {
        uint32_t count;
        const char *what;
    } k_count[] = {
#define X(name, what) {stats->name, what},
        MF_QUALITY_COUNT_LIST(X)
#undef X
    };
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s", before);
    const char *between = "";
    for (size_t i = 0; i < sizeof k_count / sizeof k_count[0]; i++) {
        if (k_count[i].count > 0 || i == 0) {
            used = strlen(text);
            (void)snprintf(text + used, size - used, "%s%" PRIu32 " %s", between, k_count[i].count,
                           k_count[i].what);
            between = ", ";
        }
    }
}

void mf_link_counts_text(const struct mf_quality_link *link, char *text, size_t size)
{
    MF_ASSERT(size > 0);
    text[0] = '\0';
    way_text(&link->line[MF_WAY_IN].stats, "in: ", text, size);
    way_text(&link->line[MF_WAY_OUT].stats, "; out: ", text, size);
}
