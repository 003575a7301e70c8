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

void swarm_convert_tell(const char *yaml)
{
    for (const char *at = yaml, *end; at[0] == '#' && (end = strchr(at, '\n')) != NULL;
         at = end + 1) {
        (void)fprintf(stderr, "mayfly-swarm: %.*s\n", (int)(end - at) - 2, at + 2);
    }
    (void)fputs(yaml, stdout);
}

static int read_files(struct swarm *w, const struct swarm_command *c, struct mf_listing_file *file)
{
    for (size_t i = 0; i < c->jsons; i++) {
        file[i].name = c->json[i];
        file[i].text = swarm_read_file(NULL, c->json[i], &file[i].n);
        if (file[i].text == NULL) {
            (void)snprintf(w->error, sizeof w->error, "%.120s: %s", c->json[i], strerror(errno));
            return SWARM_INPUT;
        }
    }
    return SWARM_OK;
}

int swarm_convert(struct swarm *w, struct swarm_command *c, char **yaml)
{
    struct mf_listing_file *file = calloc(c->jsons + 1u, sizeof *file);
    size_t n = 0;
    int result = SWARM_INPUT;
    if (file == NULL || c->jsons == 0) {
        (void)snprintf(w->error, sizeof w->error, "convert takes one or more files");
    } else {
        result = read_files(w, c, file);
        result = result == SWARM_OK ? convert(w, file, c->jsons, yaml, &n) : result;
    }
    if (result == SWARM_OK) {
        (void)snprintf(w->file, sizeof w->file, "scenario of %.120s", c->json[0]);
        c->file = w->file;
        c->check = true;
        result = swarm_read_text(w, c, *yaml, n);
    }
    for (size_t i = 0; file != NULL && i < c->jsons; i++) {
        free((char *)(uintptr_t)file[i].text); /* read_files() has allocated it */
    }
    free(file);
    return result;
}
