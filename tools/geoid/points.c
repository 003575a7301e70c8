/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/points.h"

#include "host/base/value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* GCC 12 reports a leak of memory that a structure keeps and another function closes or frees. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-file-leak"
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define LON_MAX_DEG 720.0

const char *geoid_point_check(double lat_deg, double lon_deg)
{
    return !(fabs(lat_deg) <= 90.0)          ? "the latitude is not within -90..90"
           : !(fabs(lon_deg) <= LON_MAX_DEG) ? "the longitude is not within -720..720"
                                             : NULL;
}

const char *geoid_point_read(const char *text, double *lat_deg, double *lon_deg)
{
    static const char k_what[] = "not LAT,LON in degrees";
    char *end;
    *lat_deg = strtod(text, &end);
    if (end == text) {
        return k_what;
    }
    const char *at = end + strspn(end, " \t");
    at += *at == ',' ? 1 : 0;
    if (at == end) {
        return k_what;
    }
    *lon_deg = strtod(at, &end);
    if (end == at || end[strspn(end, " \t\r\n")] != '\0') {
        return k_what;
    }
    return geoid_point_check(*lat_deg, *lon_deg);
}

/* ---- tables */

/* Take the quotes off a field, in place. @param out  it, from its first quote
 * @return what follows it, or NULL: the last quote is missing */
static char *unquote(char *out, char **end)
{
    char *in = out + 1;
    for (; *in != '"' || in[1] == '"'; in++) {
        if (*in == '\0') {
            return NULL;
        }
        in += *in == '"' ? 1 : 0;
        *out++ = *in;
    }
    *end = out;
    return in + 1;
}

/* Cut a line into fields, in place. @return how many; 0: too many, or a quote that does not end */
static size_t cut(char *text, char **field)
{
    size_t n = 0;
    for (char *in = text;; in++) {
        char *end = in + strcspn(in, ",\r\n");
        if (n == GEOID_FIELDS_MAX) {
            return 0;
        }
        field[n++] = in;
        in = *in == '"' ? unquote(in, &end) : end;
        if (in == NULL) {
            return 0;
        }
        const char after = *in;
        *end = '\0';
        if (after != ',') {
            return n;
        }
    }
}

/* @return as geoid_table_next() */
static int read_row(struct geoid_table *t, char *text, char **field, size_t *n)
{
    char *begin;
    do {
        if (fgets(text, (int)GEOID_LINE_MAX, t->file) == NULL) {
            return 0;
        }
        begin = text + (t->line++ == 0 ? mf_value_bom(text, strlen(text)) : 0);
    } while (begin[strspn(begin, " \t\r\n")] == '\0');
    if (strchr(text, '\n') == NULL && feof(t->file) == 0) {
        return -1; /* longer than a line may be */
    }
    *n = cut(begin, field);
    return *n != 0 ? 1 : -1;
}

bool geoid_table_open(struct geoid_table *t, const char *path)
{
    memset(t, 0, sizeof *t);
    errno = 0;
    t->file = fopen(path, "r");
    return t->file != NULL && read_row(t, t->names, t->name, &t->columns) == 1;
}

int geoid_table_next(struct geoid_table *t)
{
    size_t n = 0;
    const int result = read_row(t, t->text, t->field, &n);
    return result == 1 && n != t->columns ? -1 : result;
}

size_t geoid_table_column(const struct geoid_table *t, const char *name)
{
    for (size_t i = 0; i < t->columns; i++) {
        if (strcmp(t->name[i], name) == 0) {
            return i;
        }
    }
    char *end;
    const long number = strtol(name, &end, 10);
    return end != name && *end == '\0' && number >= 1 && (size_t)number <= t->columns
               ? (size_t)number - 1
               : GEOID_FIELDS_MAX;
}

void geoid_table_close(struct geoid_table *t)
{
    if (t->file != NULL) {
        (void)fclose(t->file);
        t->file = NULL;
    }
}
