/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/shift.h"

#include "tools/geoid/source.h"

#include <math.h>
#include <proj.h>
#include <stdlib.h>
#include <string.h>

#define DEG 0.017453292519943295

static const struct {
    const char *name;
    int epsg[3];
} k_datum[] = {
#define X(name, text, a, b, c) [GEOID_DATUM_##name] = {text, {a, b, c}},
    GEOID_DATUM_LIST(X)
#undef X
};

#define DATUMS (sizeof k_datum / sizeof k_datum[0])

enum geoid_datum geoid_datum_named(const char *name)
{
    for (size_t i = 0; i < DATUMS; i++) {
        if (strcmp(name, k_datum[i].name) == 0) {
            return (enum geoid_datum)i;
        }
    }
    return GEOID_DATUM_UNKNOWN;
}

enum geoid_datum geoid_datum_epsg(int code)
{
    for (size_t i = 0; i < DATUMS; i++) {
        for (size_t k = 0; k < 3; k++) {
            if (code != 0 && k_datum[i].epsg[k] == code) {
                return (enum geoid_datum)i;
            }
        }
    }
    return GEOID_DATUM_UNKNOWN;
}

bool geoid_datum_is_nad83(enum geoid_datum datum)
{
    return geoid_shift_steps(datum) != NULL;
}

/* Parameters as EPSG has them: ITRF2014 to NAD83(2011) is 8970; ITRF2008 to ITRF2014 is 7790;
 * ITRF2008 to NAD83(PA11) is 7808, to NAD83(MA11) 7809. Rotations in arc seconds, scale in ppm. */
#define FROM_ITRF2014_TO_2008                                                                     \
    " +step +inv +proj=helmert +x=-0.0016 +y=-0.0019 +z=-0.0024 +rx=0 +ry=0 +rz=0 +s=2e-05 +dx=0" \
    " +dy=0 +dz=0.0001 +drx=0 +dry=0 +drz=0 +ds=-3e-05 +t_epoch=2010 +convention=position_vector"
#define CART   " +step +proj=cart +ellps=GRS80"
#define UNCART " +step +inv +proj=cart +ellps=GRS80"

const char *geoid_shift_steps(enum geoid_datum datum)
{
    switch (datum) {
    case GEOID_DATUM_NAD83_2011:
        return CART " +step +proj=helmert +x=1.0053 +y=-1.9092 +z=-0.5416 +rx=0.0267814"
                    " +ry=-0.0004203 +rz=0.0109321 +s=0.00037 +dx=0.0008 +dy=-0.0006 +dz=-0.0014"
                    " +drx=6.67e-05 +dry=-0.0007574 +drz=-5.13e-05 +ds=-7e-05 +t_epoch=2010"
                    " +convention=coordinate_frame" UNCART;
    case GEOID_DATUM_NAD83_PA11:
        return CART FROM_ITRF2014_TO_2008
            " +step +proj=helmert +x=0.908 +y=-2.0161 +z=-0.5653 +rx=0.027741 +ry=0.013469"
            " +rz=0.002712 +s=0.0011 +dx=0.0001 +dy=0.0001 +dz=-0.0018 +drx=-0.000384"
            " +dry=0.001007 +drz=-0.002186 +ds=8e-05 +t_epoch=1997"
            " +convention=coordinate_frame" UNCART;
    case GEOID_DATUM_NAD83_MA11:
        return CART FROM_ITRF2014_TO_2008
            " +step +proj=helmert +x=0.908 +y=-2.0161 +z=-0.5653 +rx=0.028971 +ry=0.01042"
            " +rz=0.008928 +s=0.0011 +dx=0.0001 +dy=0.0001 +dz=-0.0018 +drx=-2e-05"
            " +dry=0.000105 +drz=-0.000347 +ds=8e-05 +t_epoch=1997"
            " +convention=coordinate_frame" UNCART;
    case GEOID_DATUM_UNKNOWN:
    case GEOID_DATUM_WGS84:
        break;
    }
    return NULL;
}

/* A coarse grid of h_datum - h_ITRF2014 over the raster, a node each degree and one at each end. */
struct coarse {
    size_t rows, columns;
    double north_deg, west_deg, lat_step_deg, lon_step_deg;
    double *dh_m;
};

static size_t cells(double extent_deg)
{
    return extent_deg > 1.0 ? (size_t)ceil(extent_deg) : 1;
}

static bool compute(struct coarse *c, PJ *pipeline, double epoch, char *error)
{
    for (size_t i = 0; i < c->rows * c->columns; i++) {
        const size_t row = i / c->columns, column = i % c->columns;
        const double lat_deg = c->north_deg - c->lat_step_deg * (double)row;
        const double lon_deg = c->west_deg + c->lon_step_deg * (double)column;
        const PJ_COORD at = proj_coord(lon_deg * DEG, lat_deg * DEG, 0.0, epoch);
        c->dh_m[i] = proj_trans(pipeline, PJ_FWD, at).lpz.z;
        if (!isfinite(c->dh_m[i]) || fabs(c->dh_m[i]) > 10.0) {
            return geoid_fail(error, "PROJ cannot shift %.3f,%.3f at epoch %.2f", lat_deg, lon_deg,
                              epoch);
        }
    }
    return true;
}

static double interpolate(const struct coarse *c, double y, double x)
{
    const size_t row = y < (double)(c->rows - 2) ? (size_t)y : c->rows - 2;
    const size_t column = x < (double)(c->columns - 2) ? (size_t)x : c->columns - 2;
    const double fy = y - (double)row, fx = x - (double)column;
    const double *n = c->dh_m + row * c->columns + column, *s = n + c->columns;
    return (1.0 - fy) * ((1.0 - fx) * n[0] + fx * n[1]) + fy * ((1.0 - fx) * s[0] + fx * s[1]);
}

static void subtract(struct mf_raster *r, const struct coarse *c)
{
    const double per_row = (double)(c->rows - 1) / (r->rows > 1 ? r->rows - 1 : 1);
    const double per_column = (double)(c->columns - 1) / (r->columns > 1 ? r->columns - 1 : 1);
    for (size_t i = 0; i < (size_t)r->rows * r->columns; i++) {
        const size_t row = i / r->columns, column = i % r->columns;
        r->node_m[i] -= interpolate(c, per_row * (double)row, per_column * (double)column);
    }
}

bool geoid_shift_apply(struct mf_raster *r, enum geoid_datum datum, double epoch, char *error)
{
    const char *steps = geoid_shift_steps(datum);
    char text[1024];
    bool ok = false;
    if (steps == NULL) {
        return geoid_fail(error, "coordinates on %s have no shift to ITRF2014; use --frame none",
                          k_datum[datum].name);
    }
    const double height_deg = (r->rows - 1.0) * r->lat_num / r->lat_den;
    const double width_deg = (r->columns - 1.0) * r->lon_num / r->lon_den;
    struct coarse c = {.rows = cells(height_deg) + 1,
                       .columns = cells(width_deg) + 1,
                       .north_deg = (double)r->north_e9 * 1e-9,
                       .west_deg = (double)r->west_e9 * 1e-9};
    c.lat_step_deg = height_deg / (double)(c.rows - 1);
    c.lon_step_deg = width_deg / (double)(c.columns - 1);
    c.dh_m = calloc(c.rows * c.columns, sizeof *c.dh_m);
    PJ_CONTEXT *context = proj_context_create();
    (void)proj_context_set_enable_network(context, 0);
    (void)snprintf(text, sizeof text, "+proj=pipeline%s", steps);
    PJ *pipeline = proj_create(context, text);
    if (pipeline == NULL || c.dh_m == NULL) {
        (void)geoid_fail(error, "PROJ refuses the shift from ITRF2014 to %s: %s",
                         k_datum[datum].name,
                         proj_context_errno_string(context, proj_context_errno(context)));
    } else if (compute(&c, pipeline, epoch, error)) {
        subtract(r, &c);
        ok = true;
    }
    (void)proj_destroy(pipeline);
    (void)proj_context_destroy(context);
    free(c.dh_m);
    return ok;
}
