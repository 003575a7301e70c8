/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of measured detection tables. Called by boards/swarm/search/search_plugin.c. */
#include "fleet/detection.h"
#include "host/base/value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS   5u
#define LINE_MAX  256u
#define NODES_MAX (MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX * MF_DETECTION_AXIS_MAX)

static const char k_header[] = "height_m,speed_mps,place,recall,false_alarm";

struct reader {
    struct mf_detection_table *t;
    char *error;
    unsigned line;
    uint32_t rows;
    bool given[NODES_MAX];
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...)
{
    va_list args;
    const int n = snprintf(r->error, MF_DETECTION_ERROR_MAX, "%u: ", r->line);
    va_start(args, format);
    (void)vsnprintf(r->error + n, MF_DETECTION_ERROR_MAX - (size_t)n, format, args);
    va_end(args);
    return false;
}

/* Copy the next line of a text, without its end. @return false: the text has ended */
static bool next_line(struct reader *r, const char **text, char *line)
{
    const size_t n = strcspn(*text, "\n");
    if (**text == '\0') {
        return false;
    }
    (void)snprintf(line, LINE_MAX, "%.*s", (int)(n < LINE_MAX ? n : LINE_MAX - 1u), *text);
    line[strcspn(line, "\r")] = '\0';
    *text += n + ((*text)[n] == '\n' ? 1u : 0u);
    r->line++;
    return true;
}

static bool read_row(struct reader *r, const char *line, double row[COLUMNS])
{
    static const double k_high[COLUMNS] = {1e5, 1e3, 1.0, 1.0, 1.0};
    const char *at = line;
    for (size_t i = 0; i < COLUMNS; i++) {
        at = mf_value_number(at, &row[i]);
        if (at == NULL || *at != (i + 1u < COLUMNS ? ',' : '\0') || !(row[i] >= 0.0) ||
            row[i] > k_high[i]) {
            return refuse(r, "must be five numbers, 0 <= height, speed, and 0 <= place, recall, "
                             "false_alarm <= 1");
        }
        at++;
    }
    return true;
}

/* A value takes its place on its axis. */
static bool add_value(struct reader *r, enum mf_detection_axis axis, double x)
{
    double *value = r->t->value[axis];
    uint32_t *count = &r->t->count[axis];
    uint32_t i = 0;
    while (i < *count && value[i] < x) {
        i++;
    }
    if (i < *count && value[i] == x) {
        return true;
    }
    if (*count == MF_DETECTION_AXIS_MAX) {
        return refuse(r, "an axis has at most %u values", MF_DETECTION_AXIS_MAX);
    }
    memmove(&value[i + 1u], &value[i], (*count - i) * sizeof value[0]);
    value[i] = x;
    ++*count;
    return true;
}

static uint32_t place_of(const struct mf_detection_table *t, enum mf_detection_axis axis, double x)
{
    uint32_t i = 0;
    while (t->value[axis][i] != x) {
        i++;
    }
    return i;
}

static bool take_row(struct reader *r, const double row[COLUMNS], bool rates)
{
    struct mf_detection_table *t = r->t;
    if (!rates) {
        r->rows++;
        return add_value(r, MF_DETECTION_HEIGHT, row[0]) &&
               add_value(r, MF_DETECTION_SPEED, row[1]) && add_value(r, MF_DETECTION_PLACE, row[2]);
    }
    const uint32_t at = (place_of(t, MF_DETECTION_HEIGHT, row[0]) * t->count[MF_DETECTION_SPEED] +
                         place_of(t, MF_DETECTION_SPEED, row[1])) *
                            t->count[MF_DETECTION_PLACE] +
                        place_of(t, MF_DETECTION_PLACE, row[2]);
    if (r->given[at]) {
        return refuse(r, "height %g, speed %g, place %g is given twice", row[0], row[1], row[2]);
    }
    r->given[at] = true;
    t->recall[at] = row[3];
    t->false_alarm[at] = row[4];
    return true;
}

/* All lines: first for the axes, then for the rates. */
static bool read_lines(struct reader *r, const char *text, bool rates)
{
    char line[LINE_MAX];
    bool header = false;
    r->line = 0;
    while (next_line(r, &text, line)) {
        double row[COLUMNS];
        if (line[0] == '#' || line[0] == '\0') {
            continue;
        }
        if (!header) {
            header = strcmp(line, k_header) == 0;
            if (!header) {
                return refuse(r, "must be %s", k_header);
            }
        } else if (!read_row(r, line, row) || !take_row(r, row, rates)) {
            return false;
        }
    }
    return true;
}

bool mf_detection_read(const char *text, struct mf_detection_table *t, char *error)
{
    struct reader r = {.t = t, .error = error};
    error[0] = '\0';
    memset(t, 0, sizeof *t);
    text += mf_value_bom(text, strlen(text));
    if (!read_lines(&r, text, false)) {
        return false;
    }
    const uint32_t nodes =
        t->count[MF_DETECTION_HEIGHT] * t->count[MF_DETECTION_SPEED] * t->count[MF_DETECTION_PLACE];
    if (nodes == 0 || r.rows != nodes) {
        return refuse(&r,
                      "%u lines for %u heights, %u speeds and %u places: one for each "
                      "combination",
                      r.rows, t->count[MF_DETECTION_HEIGHT], t->count[MF_DETECTION_SPEED],
                      t->count[MF_DETECTION_PLACE]);
    }
    return read_lines(&r, text, true);
}
