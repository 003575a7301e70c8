/* SPDX-License-Identifier: Apache-2.0 */
/* Files of parameters, line by line, for --params and PUT /v1/parameters. */
#include "host/spec/paramfile.h"

#include "hal/types.h"
#include "host/base/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define BLANKS "\t ,\r"

/* Columns of the longest form of a line. */
enum { VEHICLE, COMPONENT, NAME, VALUE, TYPE, COLUMNS };

struct word {
    const char *at;
    size_t n;
};

struct mf_paramfile mf_paramfile_begin(const char *text, size_t n)
{
    MF_ASSERT(text != NULL && text[n] == '\0');
    return (struct mf_paramfile){.at = text + mf_value_bom(text, n), .end = text + n};
}

/* Split a line into words. @return their number, at most COLUMNS + 1 */
static size_t split_line(const char *line, size_t n, struct word word[COLUMNS])
{
    size_t count = 0;
    const char *end = line + n;
    for (const char *at = line; count <= COLUMNS;) {
        at += strspn(at, BLANKS);
        if (at >= end) {
            break;
        }
        const size_t length = strcspn(at, BLANKS "#\n");
        if (count < COLUMNS) {
            word[count] = (struct word){at, length};
        }
        at += length;
        count++;
    }
    return count;
}

/* Read a word that is a number. @return false: it is not */
static bool read_number(struct word word, double *value)
{
    char text[48];
    if (word.n == 0 || word.n >= sizeof text) {
        return false;
    }
    memcpy(text, word.at, word.n);
    text[word.n] = '\0';
    if (strcasecmp(text, "nan") == 0 || strcasecmp(text, "-nan") == 0) {
        *value = (double)NAN;
        return true;
    }
    const char *rest = mf_value_number(text, value);
    return rest != NULL && *rest == '\0';
}

static bool read_words(const struct word *word, size_t count, struct mf_paramfile_entry *entry)
{
    double vehicle, component = -1.0, type;
    const struct word name = count == COLUMNS ? word[NAME] : word[0];
    const bool whole =
        count != COLUMNS ||
        (read_number(word[VEHICLE], &vehicle) && read_number(word[COMPONENT], &component) &&
         component >= 0.0 && component <= 255.0 && read_number(word[TYPE], &type));
    (void)snprintf(entry->name, sizeof entry->name, "%.*s", (int)name.n, name.at);
    entry->component = whole ? (int)component : -1;
    return whole && read_number(count == COLUMNS ? word[VALUE] : word[1], &entry->value);
}

int mf_paramfile_next(struct mf_paramfile *file, struct mf_paramfile_entry *entry, char *error,
                      size_t error_size)
{
    while (file->at < file->end) {
        struct word word[COLUMNS];
        const char *line = file->at;
        const size_t n = strcspn(line, "#\n");
        const size_t count = split_line(line, n, word);
        file->at += strcspn(line, "\n");
        file->line++;
        if (*file->at == '\0' && file->at < file->end) {
            (void)snprintf(error, error_size, "%u: a NUL byte in it", file->line);
            return MF_E_RANGE;
        }
        file->at += *file->at == '\n';
        if (count == 0) {
            continue;
        }
        entry->line = file->line;
        if ((count != 2 && count != COLUMNS) || !read_words(word, count, entry)) {
            char shown[48];
            mf_value_shown(line, n, shown, sizeof shown);
            (void)snprintf(error, error_size,
                           "%u: '%s' must be NAME VALUE (MAVProxy), or VEHICLE COMPONENT NAME "
                           "VALUE TYPE (QGroundControl)",
                           file->line, shown);
            return MF_E_RANGE;
        }
        return 1;
    }
    return 0;
}
