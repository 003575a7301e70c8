/* SPDX-License-Identifier: Apache-2.0 */
/** Values as users write them, and how to tell them what is wrong. Pure functions. */
#ifndef MF_HOST_BASE_VALUE_H
#define MF_HOST_BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Lists, maps, objects and arrays within each other, in YAML and in JSON from outside. */
#define MF_NESTING_MAX 32u
/** An error about more. */
#define MF_NESTING_TEXT "lists and maps nest deeper than 32 levels: write them flatter"
_Static_assert(MF_NESTING_MAX == 32u, "MF_NESTING_TEXT has the number");

/** A printed time, with its NUL. */
#define MF_VALUE_TIME_MAX 24u

/** @brief A finite decimal number at the start of a text: "12", "-0.5", "1e3"; no hexadecimal, nan
 *  or infinity.
 *  @return the first character after it and spaces that follow, NULL if there is no number */
const char *mf_value_number(const char *text, double *value);

/** @brief yes or no: true, yes, on, 1, false, no, off, 0. @return false if it is none of them */
bool mf_value_bool(const char *text, bool *value);

/** @brief UTC: seconds since 1970-01-01, or "2026-03-01T12:00:00Z", or "2026-03-01".
 *  @param us  out [us], within the years 1970 .. 2100  @return false if it is none of them */
bool mf_value_utc(const char *text, int64_t *us);

/** Longest text of a time in UTC, with its NUL [characters]. */
#define MF_VALUE_UTC_TEXT_MAX 64u

/** @brief UTC as text, cut off rather than rounded: "2026-03-01T12:00:12.345Z".
 *  @param us  [us since 1970-01-01]; before that is 1970, behind MF_CALENDAR_DAY_MAX its day
 *  @param decimals  of the seconds, 1 .. 6  @param text  out [MF_VALUE_UTC_TEXT_MAX] */
void mf_value_utc_text(int64_t us, int decimals, char *text);

/** @brief A unit of time as it stands behind a number: us, ms, s, m, min, h, or nothing
 * for seconds.
 *  @return its microseconds, 0 if it is none of them */
double mf_value_unit_us(const char *unit);

/** @brief A time as users write it, in the largest unit of which it is a whole number: "99h",
 *  "30s", "1500ms"; "0s". @param t_us  [us], not negative  @param text  out [MF_VALUE_TIME_MAX] */
void mf_value_time_text(int64_t t_us, char *text);

/** @brief Number of letters to change, add, remove or swap to get from one word to the other; '-',
 *  '_' and case do not count. Words of more than 40 letters are never near. */
unsigned mf_value_distance(const char *a, const char *b);

/** @brief Length of the byte order mark that some editors write before a text in UTF-8: skip so
 * many.
 *  @param text  [n], any bytes  @return 3 or 0 */
size_t mf_value_bom(const char *text, size_t n);

/** @brief Bytes of others as text that may stand in a line: what is not printable ASCII is '?'.
 *  @param text  out [@p size]; what does not fit is left out */
void mf_value_shown(const void *bytes, size_t n, char *text, size_t size);

/** Picks the nearest of many words: begin with {.word = what the user wrote}. */
struct mf_nearest {
    const char *word;
    const char *best; /**< NULL if none is near */
    unsigned distance;
};

/** @brief Consider one more candidate; kept by pointer. */
void mf_nearest_try(struct mf_nearest *nearest, const char *candidate);

#endif
