/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/reference.h"

#include <errno.h>
#include <math.h>
#include <proj.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEG       0.017453292519943295
#define GRIDS_MAX 64u

struct geoid_reference {
    PJ_CONTEXT *context;
    PJ *pipeline;
    double epoch;
    char *names; /* of the files, zeros between them */
    const char *path[GRIDS_MAX];
    size_t count;
};

/*
 * Find the file of a grid. Pipelines name grids `0.grid`, `1.grid`; this table alone maps them to
 * files, which may have any names.
 */
static const char *find_grid(PJ_CONTEXT *context, const char *name, void *user)
{
    const struct geoid_reference *r = user;
    char *end;
    const unsigned long i = strtoul(name, &end, 10);
    (void)context;
    return end != name && strncmp(end, ".grid", 5) == 0 && i < r->count ? r->path[i] : NULL;
}

static bool name_grids(struct geoid_reference *r, const char *grids)
{
    r->names = strdup(grids);
    for (char *name = r->names; name != NULL;) {
        char *comma = strchr(name, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        FILE *file = fopen(name, "rb");
        if (file == NULL || r->count == GRIDS_MAX) {
            (void)fprintf(stderr,
                          "geoid: %s: %s; say where the grid is, or fetch it (projsync --file)\n",
                          name, file == NULL ? strerror(errno) : "too many grids");
            if (file != NULL) {
                (void)fclose(file);
            }
            return false;
        }
        (void)fclose(file);
        r->path[r->count++] = name;
        name = comma;
    }
    return r->names != NULL;
}

static bool make_pipeline(struct geoid_reference *r, enum geoid_datum datum)
{
    char text[4096];
    const char *steps = geoid_shift_steps(datum);
    int n = snprintf(text, sizeof text,
                     "+proj=pipeline%s +step +proj=vgridshift +multiplier=-1 +grids=",
                     steps != NULL ? steps : "");
    for (size_t i = 0; i < r->count && n > 0 && (size_t)n < sizeof text; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%zu.grid", i > 0 ? "," : "", i);
    }
    r->context = proj_context_create();
    (void)proj_context_set_enable_network(r->context, 0);
    proj_log_level(r->context, PJ_LOG_NONE);
    proj_context_set_file_finder(r->context, find_grid, r);
    r->pipeline = proj_create(r->context, text);
    if (r->pipeline == NULL) {
        (void)fprintf(stderr, "geoid: %s: PROJ does not take this grid (%s)\n", r->path[0],
                      proj_context_errno_string(r->context, proj_context_errno(r->context)));
    }
    return r->pipeline != NULL;
}

struct geoid_reference *geoid_reference_open(const char *grids, enum geoid_datum datum,
                                             double epoch)
{
    struct geoid_reference *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->epoch = epoch;
    if (!name_grids(r, grids) || !make_pipeline(r, datum)) {
        geoid_reference_close(r);
        return NULL;
    }
    return r;
}

bool geoid_reference_at(struct geoid_reference *r, double lat_deg, double lon_deg, double *value_m)
{
    const PJ_COORD at = proj_coord(lon_deg * DEG, lat_deg * DEG, 0.0, r->epoch);
    (void)proj_errno_reset(r->pipeline);
    const PJ_COORD to = proj_trans(r->pipeline, PJ_FWD, at);
    *value_m = -to.lpz.z; /* what lies on the ellipsoid is that far below the geoid */
    return proj_errno(r->pipeline) == 0 && isfinite(*value_m);
}

void geoid_reference_close(struct geoid_reference *r)
{
    (void)proj_destroy(r->pipeline);
    (void)proj_context_destroy(r->context);
    free(r->names);
    free(r);
}
