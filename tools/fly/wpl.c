/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/wpl.h"

#include "mavlink/enums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 512
#define BLANK          " \t\r\n"

static const char k_begin[] = "QGC WPL ";

/* Columns of a line. */
enum { INDEX, CURRENT, FRAME, COMMAND, PARAM, LAT = 8, LON, ALT, GO_ON, COLUMNS };

bool fly_wpl_is(FILE *file)
{
    char begin[sizeof k_begin - 1];
    const bool is = fread(begin, 1, sizeof begin, file) == sizeof begin &&
                    memcmp(begin, k_begin, sizeof begin) == 0;
    rewind(file);
    return is;
}

static bool is_whole(double v)
{
    return v >= 0 && v <= 65535 && trunc(v) == v;
}

/* @return false: it has not these twelve numbers */
static bool read_line(char *text, double value[COLUMNS])
{
    int n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, BLANK, &rest); word != NULL;
         word = strtok_r(NULL, BLANK, &rest)) {
        char *end;
        if (n == COLUMNS) {
            return false;
        }
        value[n++] = strtod(word, &end);
        if (*end != '\0') {
            return false;
        }
    }
    return n == COLUMNS && is_whole(value[INDEX]) && is_whole(value[FRAME]) &&
           is_whole(value[COMMAND]);
}

static json_t *number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

static json_t *item_of(const double value[COLUMNS])
{
    json_t *params = json_array();
    for (int i = PARAM; i <= ALT; i++) {
        json_array_append_new(params, number(value[i]));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:b, s:o}", "type", "SimpleItem", "doJumpId",
                     (json_int_t)value[INDEX], "frame", (json_int_t)value[FRAME], "command",
                     (json_int_t)value[COMMAND], "autoContinue", value[GO_ON] > 0, "params",
                     params);
}

static bool is_home(const double value[COLUMNS])
{
    return value[INDEX] <= 0 && value[CURRENT] > 0 && value[FRAME] <= 0 &&
           (int)value[COMMAND] == MAV_CMD_NAV_WAYPOINT;
}

json_t *fly_wpl_read(FILE *file, unsigned *line)
{
    char text[LINE_MAX_BYTES];
    double value[COLUMNS], home[COLUMNS] = {0};
    bool has_home = false;
    json_t *items = json_array();
    (void)fgets(text, sizeof text, file);
    for (*line = 2; fgets(text, sizeof text, file) != NULL; ++*line) {
        if (text[strspn(text, BLANK)] == '\0') {
            continue;
        }
        if (!read_line(text, value)) {
            json_decref(items);
            return NULL;
        }
        if (json_array_size(items) == 0 && !has_home && is_home(value)) {
            has_home = true;
            memcpy(home, value, sizeof home);
        } else {
            json_array_append_new(items, item_of(value));
        }
    }
    if (has_home && json_array_size(items) == 0) { /* a mission of one waypoint */
        has_home = false;
        json_array_append_new(items, item_of(home));
    }
    json_t *root = json_pack("{s:s, s:i, s:{s:o}}", "fileType", "Plan", "version", 1, "mission",
                             "items", items);
    if (has_home) {
        json_object_set_new(json_object_get(root, "mission"), "plannedHomePosition",
                            json_pack("[f, f, f]", home[LAT], home[LON], home[ALT]));
    }
    return root;
}
