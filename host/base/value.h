/* SPDX-License-Identifier: Apache-2.0 */
/** Values as users write them, and helpers for errors about them. Pure functions. */
#ifndef MF_HOST_BASE_VALUE_H
#define MF_HOST_BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Maximum nesting of lists, maps, objects and arrays, in YAML and in JSON from outside. */
#define MF_NESTING_MAX 32u
/** Text of an error about deeper nesting. */
#define MF_NESTING_TEXT "lists and maps nest deeper than 32 levels: write them flatter"
_Static_assert(MF_NESTING_MAX == 32u, "MF_NESTING_TEXT has the number");

/** A printed time, with its NUL. */
#define MF_VALUE_TIME_MAX 24u

/** @brief Read a finite decimal number at the start of a text: "12", "-0.5", "1e3"; not
 * hexadecimal, nan or infinity.
 * @return the first character after it and after spaces, NULL: not a number */
const char *mf_value_number(const char *text, double *value);

/** @brief Read yes or no: true, yes, on, 1, false, no, off, 0. @return false: another text */
bool mf_value_bool(const char *text, bool *value);

/** @brief Read UTC: seconds since 1970-01-01, or "2026-03-01T12:00:00Z", or "2026-03-01".
 * @param us  out [us], within the years 1970 .. 2100  @return false: another text */
bool mf_value_utc(const char *text, int64_t *us);

/** Longest text of a time in UTC, with its NUL [characters]. */
#define MF_VALUE_UTC_TEXT_MAX 64u

/** @brief Write UTC as text, cut off, not rounded: "2026-03-01T12:00:12.345Z".
 * @param us  [us since 1970-01-01]; earlier becomes 1970, later than MF_CALENDAR_DAY_MAX becomes
 * its day
 * @param decimals  of the seconds, 1 .. 6  @param text  out [MF_VALUE_UTC_TEXT_MAX] */
void mf_value_utc_text(int64_t us, int decimals, char *text);

/** @brief Read a unit of time after a number: us, ms, s, m, min, h, or "" for seconds.
 * @return its microseconds, 0: unknown */
double mf_value_unit_us(const char *unit);

/** @brief Write a time as users do, in the largest unit of which it is a whole number: "99h",
 * "30s", "1500ms"; "0s". @param t_us  [us], not negative  @param text  out [MF_VALUE_TIME_MAX] */
void mf_value_time_text(int64_t t_us, char *text);

/** @brief Number of letters to change, add, remove or swap to get from one word to the other; '-',
 *  '_' and case do not count. Words of more than 40 letters are never near. */
unsigned mf_value_distance(const char *a, const char *b);

/** @brief Length of the byte order mark that some editors write before a text in UTF-8, to be
 * skipped.
 * @param text  [n], any bytes  @return 3 or 0 */
size_t mf_value_bom(const char *text, size_t n);

/** @brief Convert bytes of others into text for a line: '?' replaces all except printable ASCII.
 * @param text  out [@p size]; bytes that do not fit are omitted */
void mf_value_shown(const void *bytes, size_t n, char *text, size_t size);

/** Search for the nearest of many words: begin with {.word = the user's word}. */
struct mf_nearest {
    const char *word;
    const char *best; /**< NULL: all are too different */
    unsigned distance;
};

/** @brief Consider one more candidate, which must stay. */
void mf_nearest_try(struct mf_nearest *nearest, const char *candidate);

#endif
