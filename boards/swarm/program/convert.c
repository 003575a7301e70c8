/* SPDX-License-Identifier: Apache-2.0 */
/* Converts JSON of a published simulator into a scenario, for mayfly-swarm convert. main.c calls
 * it. */
#include "boards/swarm/program/convert.h"

#include "boards/swarm/program/read.h"
#include "fleet/listing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Convert files that are in memory. */
static int convert(struct swarm *w, const struct mf_listing_file *file, size_t count, char **yaml,
                   size_t *n)
{
    char error[MF_KEYS_ERROR_MAX];
    FILE *to = open_memstream(yaml, n);
    if (to == NULL) {
        return swarm_refuse(w, 1, "no memory");
    }
    const int result = mf_listing_convert(file, count, to, error);
    const bool whole = fclose(to) == 0;
    if (result != MF_E_OK || !whole) {
        (void)snprintf(w->error, sizeof w->error, "%s", whole ? error : "no memory");
        return SWARM_INPUT;
    }
    return SWARM_OK;
}

static void tell_notes(const char *yaml)
{
    for (const char *at = yaml, *end; at[0] == '#' && (end = strchr(at, '\n')) != NULL;
         at = end + 1) {
        (void)fprintf(stderr, "mayfly-swarm: %.*s\n", (int)(end - at) - 2, at + 2);
    }
}

void swarm_convert_tell(const char *yaml)
{
    tell_notes(yaml);
    (void)fputs(yaml, stdout);
}

/* Convert files. @param name  [count] */
static int convert_files(struct swarm *w, char *const *name, size_t count, char **yaml, size_t *n)
{
    struct mf_listing_file *file = calloc(count + 1u, sizeof *file);
    char **text = calloc(count + 1u, sizeof *text);
    int result = file != NULL && text != NULL && count > 0 ? SWARM_OK : SWARM_INPUT;
    (void)snprintf(w->error, sizeof w->error, "%s",
                   result == SWARM_OK ? "" : "convert takes one or more files");
    for (size_t i = 0; result == SWARM_OK && i < count; i++) {
        file[i].name = name[i];
        file[i].text = text[i] = swarm_read_file(NULL, name[i], &file[i].n);
        if (file[i].text == NULL) {
            (void)snprintf(w->error, sizeof w->error, "%.120s: %s", name[i], strerror(errno));
            result = SWARM_INPUT;
        }
    }
    result = result == SWARM_OK ? convert(w, file, count, yaml, n) : result;
    for (size_t i = 0; text != NULL && i < count; i++) {
        free(text[i]);
    }
    free(text);
    free(file);
    return result;
}

int swarm_convert(struct swarm *w, struct swarm_command *c, char **yaml)
{
    size_t n = 0;
    int result = convert_files(w, c->json, c->jsons, yaml, &n);
    if (result == SWARM_OK) {
        (void)snprintf(w->file, sizeof w->file, "scenario of %.120s", c->json[0]);
        c->file = w->file;
        c->check = true;
        result = swarm_read_text(w, c, *yaml, n);
    }
    return result;
}

bool swarm_is_listing(const char *path)
{
    static const char k_key[] = "\"swarm\"";
    const size_t length = strlen(path);
    size_t n;
    char *text = length > 5u && strcmp(path + length - 5u, ".json") == 0
                     ? swarm_read_file(NULL, path, &n)
                     : NULL;
    bool listing = text != NULL;
    for (const char *at = text; listing && (at = strstr(at, k_key)) != NULL;) {
        at += sizeof k_key - 1u;
        listing = at[strspn(at, " \t\r\n")] != ':';
    }
    free(text);
    return listing;
}

int swarm_read_listing(struct swarm *w, const struct swarm_command *c)
{
    char *const name[] = {w->file};
    char *yaml = NULL;
    size_t n = 0;
    int result = convert_files(w, name, 1, &yaml, &n);
    result = result == SWARM_OK ? swarm_read_text(w, c, yaml, n) : result;
    if (result == SWARM_OK) {
        tell_notes(yaml);
    }
    free(yaml);
    return result;
}
