/* SPDX-License-Identifier: Apache-2.0 */
/* Values in texts: numbers, times and words, for all readers of configurations and
 * specifications. */
#include "host/base/value.h"

#include "hal/assert.h"
#include "hal/types.h"
#include "math/calendar.h"
#include "math/decimal.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Longest word for mf_value_distance(); more characters are ignored. */
#define WORD_MAX 40u

const char *mf_value_number(const char *text, double *value)
{
    char *end = NULL;
    if (mf_decimal(text, value)) {
        return text + strlen(text);
    }
    const size_t n = strspn(text, "+-.0123456789eE");
    if (n == 0) {
        return NULL;
    }
    const double parsed = strtod(text, &end);
    if (end == text || end > text + n || !isfinite(parsed)) {
        return NULL;
    }
    *value = parsed;
    return end + strspn(end, " ");
}

bool mf_value_bool(const char *text, bool *value)
{
    static const char *const k_yes[] = {"true", "yes", "on", "1"};
    static const char *const k_no[] = {"false", "no", "off", "0"};
    for (size_t i = 0; i < sizeof k_yes / sizeof k_yes[0]; i++) {
        if (strcasecmp(text, k_yes[i]) == 0 || strcasecmp(text, k_no[i]) == 0) {
            *value = strcasecmp(text, k_yes[i]) == 0;
            return true;
        }
    }
    return false;
}

/* Days from 1970-01-01 to a date of the Gregorian calendar. */
static int64_t days_from_date(int year, int month, int day)
{
    const int y =
        month <= 2 ? year - 1 : year; /* years from March, so that the leap day is the last day */
    const int m = month <= 2 ? month + 9 : month - 3;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

static int days_in_month(int year, int month)
{
    static const int k_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return k_days[month - 1] + (month == 2 && leap);
}

/* Read exactly @p digits digits with a value in @p low .. @p high. @param text  in and out: moved
 * past them */
static bool take_digits(const char **text, int digits, int low, int high, int *value)
{
    *value = 0;
    for (int i = 0; i < digits; i++, (*text)++) {
        if (!isdigit((unsigned char)**text)) {
            return false;
        }
        *value = *value * 10 + (**text - '0');
    }
    return *value >= low && *value <= high;
}

static bool take_char(const char **text, char c)
{
    if (**text != c) {
        return false;
    }
    (*text)++;
    return true;
}

static bool take_time(const char **text, int *hour, int *minute, int *second)
{
    return take_digits(text, 2, 0, 23, hour) && take_char(text, ':') &&
           take_digits(text, 2, 0, 59, minute) && take_char(text, ':') &&
           take_digits(text, 2, 0, 59, second);
}

static bool parse_iso(const char *text, int64_t *us)
{
    int year, month, day, hour = 0, minute = 0, second = 0;
    if (!take_digits(&text, 4, 1970, 2100, &year) || !take_char(&text, '-') ||
        !take_digits(&text, 2, 1, 12, &month) || !take_char(&text, '-') ||
        !take_digits(&text, 2, 1, days_in_month(year, month), &day)) {
        return false;
    }
    if ((take_char(&text, 'T') || take_char(&text, ' ')) &&
        !take_time(&text, &hour, &minute, &second)) {
        return false;
    }
    (void)take_char(&text, 'Z');
    if (*text != '\0') {
        return false;
    }
    *us = (days_from_date(year, month, day) * 86400 + hour * 3600 + minute * 60 + second) * 1000000;
    return true;
}

bool mf_value_utc(const char *text, int64_t *us)
{
    double seconds;
    const char *rest = mf_value_number(text, &seconds);
    if (rest != NULL && *rest == '\0') {
        if (seconds < 0.0 || seconds > 4133980799.0) { /* end of the year 2100 */
            return false;
        }
        *us = (int64_t)(seconds * 1e6 + 0.5);
        return true;
    }
    return parse_iso(text, us);
}

void mf_value_utc_text(int64_t us, int decimals, char *text)
{
    MF_ASSERT(decimals >= 1 && decimals <= 6);
    const int64_t since_us = us > 0 ? us : 0;
    const int64_t day = since_us / MF_SECOND_US / MF_CALENDAR_DAY_S;
    const struct mf_date date =
        mf_calendar_date((int32_t)(day < MF_CALENDAR_DAY_MAX ? day : MF_CALENDAR_DAY_MAX));
    const int s = (int)(since_us / MF_SECOND_US % MF_CALENDAR_DAY_S);
    int fraction = (int)(since_us % MF_SECOND_US);
    for (int i = decimals; i < 6; i++) {
        fraction /= 10;
    }
    (void)snprintf(text, MF_VALUE_UTC_TEXT_MAX, "%04d-%02d-%02dT%02d:%02d:%02d.%0*dZ",
                   (int)date.year, (int)date.month, (int)date.day, s / 3600, s / 60 % 60, s % 60,
                   decimals, fraction);
}

double mf_value_unit_us(const char *unit)
{
    static const struct {
        const char *name;
        double us;
    } k_unit[] = {{"us", 1.0}, {"ms", 1e3},  {"s", 1e6},  {"", 1e6},
                  {"m", 6e7},  {"min", 6e7}, {"h", 3.6e9}};
    for (size_t i = 0; i < sizeof k_unit / sizeof k_unit[0]; i++) {
        if (strcmp(unit, k_unit[i].name) == 0) {
            return k_unit[i].us;
        }
    }
    return 0.0;
}

void mf_value_time_text(int64_t t_us, char *text)
{
    static const struct {
        int64_t us;
        const char *name;
    } k_unit[] = {
        {INT64_C(3600000000), "h"}, {60000000, "min"}, {1000000, "s"}, {1000, "ms"}, {1, "us"}};
    size_t i = t_us == 0 ? 2 : 0;
    while (t_us % k_unit[i].us != 0) {
        i++;
    }
    (void)snprintf(text, MF_VALUE_TIME_MAX, "%" PRId64 "%s", t_us / k_unit[i].us, k_unit[i].name);
}

static char folded(char c)
{
    return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    const unsigned ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Edit distance with exchanged neighbours (optimal string alignment); three rows of the matrix are
 * kept. */
unsigned mf_value_distance(const char *a, const char *b)
{
    const size_t na = strlen(a);
    const size_t nb = strlen(b);
    unsigned row[3][WORD_MAX + 1];
    if (na > WORD_MAX || nb > WORD_MAX) {
        return WORD_MAX;
    }
    for (unsigned j = 0; j <= nb; j++) {
        row[0][j] = j;
    }
    for (unsigned i = 1; i <= na; i++) {
        unsigned *now = row[i % 3u];
        const unsigned *last = row[(i + 2u) % 3u];
        const unsigned *before = row[(i + 1u) % 3u];
        now[0] = i;
        for (unsigned j = 1; j <= nb; j++) {
            const char ca = folded(a[i - 1]);
            const char cb = folded(b[j - 1]);
            now[j] = least(last[j] + 1u, now[j - 1] + 1u, last[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == folded(b[j - 2]) && folded(a[i - 2]) == cb &&
                before[j - 2] + 1u < now[j]) {
                now[j] = before[j - 2] + 1u;
            }
        }
    }
    return row[na % 3u][nb];
}

void mf_nearest_try(struct mf_nearest *nearest, const char *candidate)
{
    const unsigned distance = mf_value_distance(nearest->word, candidate);
    const size_t n = strlen(nearest->word);
    const unsigned limit = n < 4 ? 1u : (unsigned)n / 3u + 1u;
    if (distance <= limit && (nearest->best == NULL || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

size_t mf_value_bom(const char *text, size_t n)
{
    static const char k_mark[] = "\xEF\xBB\xBF";
    const size_t length = sizeof k_mark - 1;
    return n >= length && memcmp(text, k_mark, length) == 0 ? length : 0;
}

void mf_value_shown(const void *bytes, size_t n, char *text, size_t size)
{
    const char *from = bytes;
    size_t kept = 0;
    MF_ASSERT(size > 0);
    for (; kept < n && kept + 1u < size; kept++) {
        text[kept] = from[kept] >= ' ' && from[kept] <= '~' ? from[kept] : '?';
    }
    text[kept] = '\0';
}
