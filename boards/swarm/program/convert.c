/* SPDX-License-Identifier: Apache-2.0 */
/* Converts JSON of a published simulator into a scenario, for mayfly-swarm convert. main.c calls
 * it. */
#include "boards/swarm/program/convert.h"

#include "boards/swarm/core/swarm.h"
#include "fleet/listing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int swarm_convert(const struct swarm_command *c)
{
    struct mf_listing_file file[MF_LISTING_FILES_MAX];
    char *text[MF_LISTING_FILES_MAX];
    char error[MF_KEYS_ERROR_MAX] = "convert takes 1 to 3 files";
    size_t read = 0;
    int result = c->jsons > 0 && c->jsons <= MF_LISTING_FILES_MAX ? MF_E_OK : MF_E_RANGE;
    while (result == MF_E_OK && read < c->jsons) {
        file[read].name = c->json[read];
        file[read].text = text[read] = swarm_read_file(NULL, c->json[read], &file[read].n);
        if (text[read] == NULL) {
            (void)snprintf(error, sizeof error, "%.120s: %s", c->json[read], strerror(errno));
            result = MF_E_RANGE;
        } else {
            read++;
        }
    }
    result = result == MF_E_OK ? mf_listing_convert(file, read, stdout, error) : result;
    for (size_t i = 0; i < read; i++) {
        free(text[i]);
    }
    if (result != MF_E_OK) {
        (void)fprintf(stderr, "mayfly-swarm: %s\n", error);
    }
    return result == MF_E_OK ? SWARM_OK : SWARM_INPUT;
}
