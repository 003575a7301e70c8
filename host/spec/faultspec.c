/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of faults and of their plans, such as "gps_loss@30s": names, values and times. */
#include "host/spec/faultspec.h"

#include "host/base/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Latest time in a schedule [s]: 31 years. */
#define SLIP       2u /* letters: a mistake in writing, not another word */
#define TIME_MAX_S 1e9
#define SLIP       2u /* letters: a mistake in writing, not another word */

static const struct fault {
    const char *name;
    const char *words; /* "" none, "TEXT", or one word for each number with ':' between them */
} k_fault[MF_FAULT_COUNT] = {
#define X(name, spelling, unit, type, words, limits, effect) [MF_FAULT_##name] = {spelling, words},
    MF_FAULT_LIST(X)
#undef X
};

static const char *const k_happening[MF_HAPPENING_COUNT] = {
#define X(name, spelling) [MF_HAPPENING_##name] = spelling,
    MF_HAPPENING_LIST(X)
#undef X
};

#define X(name, spelling) " " spelling
static const char k_happenings[] = MF_HAPPENING_LIST(X);
#undef X

const char *mf_fault_name(enum mf_fault fault)
{
    MF_ASSERT(fault < MF_FAULT_COUNT);
    return k_fault[fault].name;
}

const char *mf_fault_words(enum mf_fault fault)
{
    return k_fault[fault].words;
}

int mf_fault_find(const char *name)
{
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        if (strcmp(k_fault[i].name, name) == 0) {
            return i;
        }
    }
    return MF_E_NOENT;
}

static bool takes_text(enum mf_fault fault)
{
    return strcmp(k_fault[fault].words, "TEXT") == 0;
}

unsigned mf_fault_value_count(enum mf_fault fault)
{
    MF_ASSERT(fault < MF_FAULT_COUNT);
    const char *words = k_fault[fault].words;
    if (words[0] == '\0' || takes_text(fault)) {
        return 0;
    }
    unsigned n = 1;
    for (; *words != '\0'; words++) {
        n += *words == ':';
    }
    return n;
}

__attribute__((format(printf, 2, 3))) static int refuse(char *reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, MF_FAULT_REASON_MAX, format, args);
    va_end(args);
    return MF_E_RANGE;
}

/* List the faults whose names begin like this one, up to its first '_'. @return their number */
static unsigned list_kin(const char *name, char *text, size_t cap)
{
    const char *end = strchr(name, '_');
    const size_t n = end != NULL ? (size_t)(end - name) + 1 : 0;
    unsigned count = 0;
    size_t at = 0;
    for (size_t i = 0; n > 1 && i < MF_FAULT_COUNT && at < cap; i++) {
        if (strncmp(k_fault[i].name, name, n) == 0) {
            at += (size_t)snprintf(text + at, cap - at, "%s%s", count > 0 ? ", " : "",
                                   k_fault[i].name);
            count++;
        }
    }
    return count;
}

int mf_fault_unknown(const char *name, char *reason)
{
    char kin[MF_FAULT_REASON_MAX - 64u];
    struct mf_nearest nearest = {.word = name};
    for (size_t i = 0; i < MF_FAULT_COUNT; i++) {
        mf_nearest_try(&nearest, k_fault[i].name);
    }
    if (nearest.best != NULL && nearest.distance <= SLIP) {
        return refuse(reason, "fault '%.40s' is not known, did you mean %s?", name, nearest.best);
    }
    if (name[0] == '-' || (name[0] >= '0' && name[0] <= '9')) {
        return refuse(reason,
                      "fault '%.40s' is not known; values of one fault are separated by ':' or "
                      "'/', such as gps_glitch=30:40:0",
                      name);
    }
    return list_kin(name, kin, sizeof kin) > 0
               ? refuse(reason, "fault '%.40s' is not known, there are %s", name, kin)
               : refuse(reason, "fault '%.40s' is not known, docs/faults.md lists all", name);
}

static int parse_time(const char *text, double lowest_us, mf_us_t *t_us, char *reason)
{
    double value;
    const char *rest = mf_value_number(text, &value);
    if (rest == NULL) {
        return refuse(
            reason,
            "'%.40s' is not a time, allowed: a number with us, ms, s, m, min or h, such as 30s",
            text);
    }
    const double unit_us = mf_value_unit_us(rest);
    if (unit_us > 0.0) {
        const double us = value * unit_us;
        if (us < lowest_us || us > TIME_MAX_S * 1e6) {
            return refuse(reason, "time %.40s is out of range, allowed: %s .. 1e9 s", text,
                          lowest_us > 0.0 ? "above 0" : "0");
        }
        *t_us = (mf_us_t)(us + 0.5);
        return MF_E_OK;
    }
    return refuse(reason, "'%.20s' is not a unit of time, allowed: us, ms, s, m, min, h", rest);
}

/* Read the start of a plan: "waypoint3:5s", "takeoff" or "30s". @return MF_E_OK, or MF_E_RANGE with
 * a reason */
static int parse_when(char *text, struct mf_fault_plan *plan, char *reason)
{
    for (int i = 0; i < MF_HAPPENING_COUNT; i++) {
        const size_t n = strlen(k_happening[i]);
        if (strncmp(text, k_happening[i], n) != 0) {
            continue;
        }
        char *rest = text + n;
        plan->on = (enum mf_happening)i;
        if (i == MF_HAPPENING_WAYPOINT) {
            char *end = rest;
            const long index = strtol(rest, &end, 10);
            if (end == rest || rest[0] == '-' || rest[0] == '+' || index < 0 ||
                index > UINT16_MAX - 1) {
                return refuse(
                    reason,
                    "'%.40s' needs the number of an item, such as waypoint3; the first is 0", text);
            }
            plan->index = (uint16_t)index;
            rest = end;
        }
        if (rest[0] == '\0') {
            return MF_E_OK;
        }
        if (rest[0] == ':') {
            return parse_time(rest + 1, 0.0, &plan->after_us, reason);
        }
        break;
    }
    if (text[0] >= 'a' && text[0] <= 'z') {
        return refuse(reason, "'%.40s' is neither a time nor an event, allowed: 30s or one of%s",
                      text, k_happenings);
    }
    return parse_time(text, 0.0, &plan->after_us, reason);
}

int mf_fault_check_value(enum mf_fault fault, unsigned i, double value, char *reason)
{
    const struct fault *f = &k_fault[fault];
    const struct mf_fault_limit *limit = &mf_fault_limit[fault][i];
    const bool counts = strcmp(f->words, "NUMBER") == 0;
    if (!((float)value >= limit->low && (float)value <= limit->high)) {
        return refuse(reason, "%s: %.10g is out of range, allowed: %.10g .. %.10g (%s)", f->name,
                      value, (double)limit->low, (double)limit->high, f->words);
    }
    if (counts && (value < (double)(int)value || value > (double)(int)value)) {
        return refuse(reason, "%s: %.10g is not a whole number, allowed: %.10g .. %.10g", f->name,
                      value, (double)limit->low, (double)limit->high);
    }
    return MF_E_OK;
}

int mf_fault_too_many(enum mf_fault fault, char *reason)
{
    const char *words = k_fault[fault].words;
    const unsigned count = mf_fault_value_count(fault);
    return refuse(reason, "%s takes %s%s", k_fault[fault].name,
                  count > 0 ? "no more than " : "no value", count > 0 ? words : "");
}

static bool is_separator(char c)
{
    return c == ':' || c == '/';
}

static int parse_numbers(const char *text, struct mf_fault_plan *plan, char *reason)
{
    const struct fault *f = &k_fault[plan->fault];
    const unsigned count = mf_fault_value_count(plan->fault);
    for (unsigned i = 0; text != NULL; i++) {
        double value;
        if (i == count) {
            return mf_fault_too_many(plan->fault, reason);
        }
        const char *rest = mf_value_number(text, &value);
        rest = rest != NULL && rest[0] == '%' ? rest + 1 : rest;
        if (rest == NULL || (!is_separator(rest[0]) && rest[0] != '\0')) {
            return refuse(reason, "'%.40s' is not a value of %s, which takes %s", text, f->name,
                          f->words);
        }
        if (mf_fault_check_value(plan->fault, i, value, reason) != MF_E_OK) {
            return MF_E_RANGE;
        }
        plan->with.value[i] = (float)value;
        text = is_separator(rest[0]) ? rest + 1 : NULL;
    }
    const float least = mf_fault_least(plan->fault, &plan->with);
    return least > 0.0f ? refuse(reason, "%s: too small to be seen, allowed: %g or more (%s)",
                                 f->name, (double)least, f->words)
                        : MF_E_OK;
}

static int parse_values(const char *text, struct mf_fault_plan *plan, char *reason)
{
    if (text == NULL) {
        return MF_E_OK;
    }
    if (!takes_text(plan->fault)) {
        return parse_numbers(text, plan, reason);
    }
    if (text[0] == '\0') {
        return refuse(reason, "%s: the text is missing", mf_fault_name(plan->fault));
    }
    if (strlen(text) >= MF_FAULT_TEXT_MAX) {
        return refuse(reason, "%s: the text is longer than %u characters",
                      mf_fault_name(plan->fault), MF_FAULT_TEXT_MAX - 1);
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (*c < ' ' || *c > '~') {
            return refuse(reason, "%s: the text may have printable ASCII characters only",
                          mf_fault_name(plan->fault));
        }
    }
    memcpy(plan->with.text, text, strlen(text) + 1);
    return MF_E_OK;
}

/* Cut a text at a mark. @return the part after the mark; NULL: the mark is missing */
static char *cut_at(char *text, char mark)
{
    char *at = strchr(text, mark);
    if (at != NULL) {
        *at++ = '\0';
    }
    return at;
}

int mf_fault_spec_parse(const char *text, size_t n, struct mf_fault_plan *plan, char *reason)
{
    char copy[MF_FAULT_SPEC_MAX];
    if (n >= sizeof copy) {
        return refuse(reason, "the fault is longer than %u characters", MF_FAULT_SPEC_MAX - 1);
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    char *when = cut_at(copy, '@');
    char *duration = cut_at(when != NULL ? when : copy, '+');
    char *values = cut_at(copy, '=');
    if (when != NULL && strchr(copy, '+') != NULL) {
        return refuse(reason,
                      "the time (@) comes before the duration (+), such as gps_off@30s+10s");
    }
    const int fault = mf_fault_find(copy);
    if (fault < 0) {
        return mf_fault_unknown(copy, reason);
    }
    *plan = (struct mf_fault_plan){.fault = (enum mf_fault)fault, .for_us = MF_NEVER};
    plan->with = mf_fault_default(plan->fault);
    if (parse_values(values, plan, reason) != MF_E_OK ||
        (when != NULL && parse_when(when, plan, reason) != MF_E_OK)) {
        return MF_E_RANGE;
    }
    return duration != NULL ? parse_time(duration, 1.0, &plan->for_us, reason) : MF_E_OK;
}

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text + used, MF_FAULT_SPEC_MAX - used, format, args);
    va_end(args);
}

void mf_fault_spec_print(const struct mf_fault_plan *plan, char *text)
{
    text[0] = '\0';
    add(text, "%s", mf_fault_name(plan->fault));
    for (unsigned i = 0; i < mf_fault_value_count(plan->fault); i++) {
        add(text, "%c%.9g", i == 0 ? '=' : ':', (double)plan->with.value[i]);
    }
    if (plan->with.text[0] != '\0') {
        add(text, "=%s", plan->with.text);
    }
    char time[MF_VALUE_TIME_MAX];
    mf_value_time_text(plan->after_us, time);
    if (plan->on == MF_HAPPENING_BOOT) {
        add(text, "@%s", time);
    } else {
        add(text, "@%s", k_happening[plan->on]);
        if (plan->on == MF_HAPPENING_WAYPOINT) {
            add(text, "%u", plan->index);
        }
        add(text, ":%s", time);
    }
    if (plan->for_us != MF_NEVER) {
        mf_value_time_text(plan->for_us, time);
        add(text, "+%s", time);
    }
}
