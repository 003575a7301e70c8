/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the time socket: commands of controllers, and reports to them. */
#include "host/time/time_line.h"

#include "host/base/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define REASON_MAX (MF_TIME_TEXT_MAX - 8u)
/* Maximum number of characters that an error repeats. */
#define SHOWN_MAX 24u

static const struct {
    const char *word;
    bool timed;
} k_word[MF_TIME_WORD_COUNT] = {
#define X(name, word, follows) {word, sizeof follows > 1},
    MF_TIME_WORD_LIST(X)
#undef X
};

#define X(name, word, follows) ", " word follows
static const char k_allowed[] = MF_TIME_WORD_LIST(X);
#undef X

__attribute__((format(printf, 2, 3))) static int refuse(char *reason, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, REASON_MAX, format, args);
    va_end(args);
    return MF_E_RANGE;
}

/* Copy the part of a text that an answer may repeat: printable, and short. */
static const char *copy_shown(const char *text, size_t n, char *copy)
{
    mf_value_shown(text, n, copy, SHOWN_MAX + 1u);
    return copy;
}

/* Read a time of digits only. */
static bool parse_time(const char *text, size_t n, mf_us_t *at_us)
{
    mf_us_t value = 0;
    if (n == 0) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        value = value * 10 + (text[i] - '0');
        if (value > MF_TIME_MAX_US) {
            return false;
        }
    }
    *at_us = value;
    return true;
}

int mf_time_line_parse(struct mf_time_command *command, const char *line, size_t n, char *reason)
{
    char copy[SHOWN_MAX + 1u];
    n -= n > 0 && line[n - 1] == '\r';
    const char *space = n > 0 ? memchr(line, ' ', n) : NULL;
    const size_t length = space != NULL ? (size_t)(space - line) : n;
    for (int i = 0; i < MF_TIME_WORD_COUNT; i++) {
        if (strlen(k_word[i].word) != length || memcmp(k_word[i].word, line, length) != 0) {
            continue;
        }
        command->word = (enum mf_time_word)i;
        command->at_us = 0;
        if (k_word[i].timed) {
            const size_t rest = space != NULL ? n - length - 1 : 0;
            const char *digits = line + n - rest;
            return parse_time(digits, rest, &command->at_us)
                       ? MF_E_OK
                       : refuse(reason, "%s: '%s' is not a time, allowed: 0 .. %" PRId64 " us",
                                k_word[i].word, copy_shown(digits, rest, copy), MF_TIME_MAX_US);
        }
        return space == NULL ? MF_E_OK : refuse(reason, "%s: nothing may follow", k_word[i].word);
    }
    return refuse(reason, "'%s' is not known, allowed: %s", copy_shown(line, n, copy),
                  k_allowed + 2);
}

/* Reports are printed without printf(), which needs more time for seven numbers than a step of the
 * drone. */
static size_t put_text(const char *text, char *to)
{
    size_t n = 0;
    for (; text[n] != '\0'; n++) {
        to[n] = text[n];
    }
    return n;
}

/* Print a whole number. @param digits  number of digits after a decimal point; 0: without a
 * point */
static size_t put_digits(uint64_t value, unsigned digits, char *text)
{
    char reversed[24];
    size_t n = 0, length = 0;
    do {
        reversed[n++] = (char)('0' + value % 10u);
        value /= 10u;
        if (n == digits) {
            reversed[n++] = '.';
        }
    } while (value > 0 || (digits > 0 && n < digits + 2u));
    while (n > 0) {
        text[length++] = reversed[--n];
    }
    return length;
}

static size_t put_whole(const char *key, uint64_t value, char *text)
{
    const size_t n = put_text(key, text);
    return n + put_digits(value, 0, text + n);
}

/* Print a time, at least 0, when vehicle time begins: an event that was due earlier is due then. */
static size_t put_time(const char *key, mf_us_t at_us, char *text)
{
    const size_t n = put_text(key, text);
    return n + (at_us == MF_NEVER ? put_text("never", text + n)
                                  : put_digits(at_us > 0 ? (uint64_t)at_us : 0u, 0, text + n));
}

static size_t put_decimal(const char *key, double value, unsigned digits, char *text)
{
    uint64_t scale = 1;
    for (unsigned i = 0; i < digits; i++) {
        scale *= 10u;
    }
    const uint64_t all = (uint64_t)((value < 0.0 ? -value : value) * (double)scale + 0.5);
    size_t n = put_text(key, text);
    n += value < 0.0 && all > 0 ? put_text("-", text + n) : 0u;
    return n + put_digits(all, digits, text + n);
}

static size_t put_truth(const struct mf_pose *p, char *text)
{
    const struct {
        const char *key;
        double value;
        unsigned digits;
    } all[] = {
        {" lat ", p->lat_deg, 9},       {" lon ", p->lon_deg, 9},
        {" alt ", p->alt_amsl_m, 4},    {" vn ", p->vel_ned_mps[0], 4},
        {" ve ", p->vel_ned_mps[1], 4}, {" vd ", p->vel_ned_mps[2], 4},
        {" yaw ", p->yaw_rad, 6},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        n += put_decimal(all[i].key, all[i].value, all[i].digits, text + n);
    }
    return n;
}

size_t mf_time_line_report(const char *word, const struct mf_time_report *report,
                           const struct mf_pose *truth, char *text)
{
    size_t n = put_text(word, text);
    n += put_time(" ", report->now_us, text + n);
    n += put_time(" next ", report->next_us, text + n);
    n += put_whole(" events ", report->events, text + n);
    n += put_whole(" armed ", report->armed, text + n);
    n += put_whole(" landed ", report->landed, text + n);
    n += put_whole(" in ", report->in, text + n);
    n += put_whole(" out ", report->out, text + n);
    n += truth != NULL ? put_truth(truth, text + n) : 0u;
    n += put_text("\n", text + n);
    MF_ASSERT(n < MF_TIME_TEXT_MAX);
    text[n] = '\0';
    return n;
}

size_t mf_time_line_next(mf_us_t next_us, char *text)
{
    size_t n = put_time("next ", next_us, text);
    n += put_text("\n", text + n);
    text[n] = '\0';
    return n;
}
