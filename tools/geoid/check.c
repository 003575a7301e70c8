/* SPDX-License-Identifier: Apache-2.0 */
/* geoid check: a pack against PROJ, against a table of places, or against another pack. */
#include "tools/geoid/commands.h"
#include "tools/geoid/models.h"
#include "tools/geoid/options.h"
#include "tools/geoid/points.h"
#include "tools/geoid/reference.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *grids, *csv, *nodes, *columns, *where, *interp, *tolerance, *points, *datum;
};

/* Places that are looked up neighbours first: what is decoded for one of them, here and in PROJ,
 * serves the next. */
#define SORTED 20000u

struct place {
    double lat_deg, lon_deg;
};

struct tally {
    unsigned long n, missing; /* compared; without an answer from one of both */
    double max_m, sum_m2, lat_deg, lon_deg;
};

static struct geoid_models s_models;
static struct place s_place[SORTED];

static void compare(struct tally *t, double lat_deg, double lon_deg, double want_m)
{
    double got_m;
    if (mf_geoid_at(&s_models.geoid, lat_deg, lon_deg, &got_m, NULL) != MF_E_OK) {
        t->missing++;
        return;
    }
    const double off_m = fabs(got_m - want_m);
    t->n++;
    t->sum_m2 += off_m * off_m;
    if (off_m > t->max_m) {
        t->max_m = off_m;
        t->lat_deg = lat_deg;
        t->lon_deg = lon_deg;
    }
}

static int judge_tally(const struct tally *t, double tolerance_m)
{
    const double rms_m = t->n > 0 ? sqrt(t->sum_m2 / (double)t->n) : 0.0;
    (void)printf("n %lu, max %.4f m at %.6f,%.6f, rms %.4f m, %lu without an answer\n", t->n,
                 t->max_m, t->lat_deg, t->lon_deg, rms_m, t->missing);
    if (t->n == 0) {
        (void)fprintf(stderr, "geoid: nothing was compared\n");
    } else if (t->missing != 0) {
        (void)fprintf(stderr, "geoid: %lu places have a value on one side only\n", t->missing);
    } else if (!(t->max_m <= tolerance_m)) {
        (void)fprintf(stderr, "geoid: %.4f m is beyond the tolerance of %.4f m\n", t->max_m,
                      tolerance_m);
    } else {
        return EXIT_SUCCESS;
    }
    return GEOID_EXIT_FAILED;
}

/* ---- against PROJ */

/* Places spread evenly and the same in each run: multiples of the plastic number's powers,
 * mod 1. */
static struct place place(const struct mf_pack *p, unsigned long i)
{
    const double x = 0.5 + 0.7548776662466927 * (double)i, y = 0.5 + 0.5698402909980532 * (double)i;
    struct place at = {p->south_deg + (p->north_deg - p->south_deg) * (y - floor(y)),
                       p->west_deg + (p->east_deg - p->west_deg) * (x - floor(x))};
    at.lon_deg -= at.lon_deg >= 180.0 ? 360.0 : 0.0;
    return at;
}

/* Bands of a degree, each from the west. */
static int order(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    const double band = floor(p->lat_deg) - floor(q->lat_deg), step = p->lon_deg - q->lon_deg;
    const double first = band < 0.0 || band > 0.0 ? band : step;
    return (first > 0.0) - (first < 0.0);
}

/* @param from, to  numbers of places, at most SORTED of them */
static void compare_places(struct geoid_reference *reference, unsigned long from, unsigned long to,
                           struct tally *t)
{
    const size_t n = to - from;
    for (size_t i = 0; i < n; i++) {
        s_place[i] = place(&s_models.geoid.layer[0].pack, from + i);
    }
    qsort(s_place, n, sizeof s_place[0], order);
    for (size_t i = 0; i < n; i++) {
        const double lat_deg = s_place[i].lat_deg, lon_deg = s_place[i].lon_deg;
        double want_m, got_m;
        const bool known = geoid_reference_at(reference, lat_deg, lon_deg, &want_m);
        const bool mine = mf_geoid_at(&s_models.geoid, lat_deg, lon_deg, &got_m, NULL) == MF_E_OK;
        if (known && mine) {
            compare(t, lat_deg, lon_deg, want_m);
        } else if (known != mine) {
            t->missing++;
        }
    }
}

static bool against(const struct settings *s, struct tally *t)
{
    const struct mf_pack *pack = &s_models.geoid.layer[0].pack;
    struct geoid_reference *reference;
    double points = 20000.0;
    const bool shifted = strcmp(mf_pack_frame(pack), "none") != 0;
    const enum geoid_datum datum = geoid_datum_named(s->datum != NULL ? s->datum : "nad83_2011");
    if (s->points != NULL && !geoid_number("--points", s->points, 1.0, 1e8, &points)) {
        return false;
    }
    if (shifted && !geoid_datum_is_nad83(datum)) {
        (void)fprintf(
            stderr,
            "geoid: --datum: '%s' is not known, allowed: nad83_2011, nad83_pa11, nad83_ma11\n",
            s->datum);
        return false;
    }
    reference = geoid_reference_open(s->grids, shifted ? datum : GEOID_DATUM_WGS84,
                                     shifted ? strtod(mf_pack_epoch(pack), NULL) : 0.0);
    if (reference == NULL) {
        return false;
    }
    const unsigned long count = (unsigned long)points;
    for (unsigned long from = 0; from < count; from += SORTED) {
        compare_places(reference, from, count - from < SORTED ? count : from + SORTED, t);
    }
    geoid_reference_close(reference);
    return true;
}

/* ---- against a table */

static bool real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static bool find_columns(const struct settings *s, const struct geoid_table *table, size_t *column)
{
    char text[GEOID_LINE_MAX];
    (void)snprintf(text, sizeof text, "%s,",
                   s->columns != NULL ? s->columns : "lat,lon,undulation_m");
    char *name = text;
    for (size_t i = 0; i < 3; i++) {
        char *comma = strchr(name, ',');
        if (comma == NULL) {
            (void)fprintf(stderr, "geoid: --columns must be three, such as lat,lon,undulation_m\n");
            return false;
        }
        *comma = '\0';
        column[i] = geoid_table_column(table, name);
        if (column[i] == GEOID_FIELDS_MAX) {
            (void)fprintf(stderr, "geoid: %s: has no column '%s'; choose with --columns\n", s->csv,
                          name);
            return false;
        }
        name = comma + 1;
    }
    return true;
}

/* --where COLUMN=VALUE. @param column  out: GEOID_FIELDS_MAX without one */
static bool find_where(const struct settings *s, const struct geoid_table *table, size_t *column,
                       const char **value)
{
    char name[GEOID_LINE_MAX];
    *column = GEOID_FIELDS_MAX;
    if (s->where == NULL) {
        return true;
    }
    const char *equals = strchr(s->where, '=');
    if (equals != NULL) {
        (void)snprintf(name, sizeof name, "%.*s", (int)(equals - s->where), s->where);
        *value = equals + 1;
        *column = geoid_table_column(table, name);
    }
    if (*column == GEOID_FIELDS_MAX) {
        (void)fprintf(stderr, "geoid: --where: '%s' is not COLUMN=VALUE of %s\n", s->where, s->csv);
        return false;
    }
    return true;
}

static bool compare_rows(const struct settings *s, struct geoid_table *table, struct tally *t)
{
    size_t column[3], where;
    const char *wanted = NULL;
    int result;
    if (!find_columns(s, table, column) || !find_where(s, table, &where, &wanted)) {
        return false;
    }
    while ((result = geoid_table_next(table)) == 1) {
        double v[3];
        if (where != GEOID_FIELDS_MAX && strcmp(table->field[where], wanted) != 0) {
            continue;
        }
        if (!real(table->field[column[0]], &v[0]) || !real(table->field[column[1]], &v[1]) ||
            !real(table->field[column[2]], &v[2]) || geoid_point_check(v[0], v[1]) != NULL) {
            (void)fprintf(stderr, "geoid: %s: line %lu: no place and value\n", s->csv, table->line);
            return false;
        }
        compare(t, v[0], v[1], v[2]);
    }
    if (result < 0) {
        (void)fprintf(stderr, "geoid: %s: line %lu: not as many fields as columns\n", s->csv,
                      table->line);
    }
    return result == 0;
}

static bool against_table(const struct settings *s, struct tally *t)
{
    static struct geoid_table s_table;
    bool ok = geoid_table_open(&s_table, s->csv);
    if (!ok) {
        (void)fprintf(stderr, "geoid: %s: %s\n", s->csv,
                      errno != 0 ? strerror(errno) : "has no line that names its columns");
    }
    ok = ok && compare_rows(s, &s_table, t);
    geoid_table_close(&s_table);
    return ok;
}

/* ---- the command */

static bool open_all(const struct settings *s, int n, char **argv, double *tolerance_m)
{
    enum mf_pack_interpolation how;
    if (n != 1 || (s->grids != NULL) + (s->csv != NULL) + (s->nodes != NULL) != 1) {
        (void)fprintf(stderr, "geoid: check needs a pack, and one of --against GRID, --csv"
                              " POINTS.csv and --nodes PACK\n");
        return false;
    }
    if (s->grids != NULL && s->interp != NULL && strcmp(s->interp, "bilinear") != 0) {
        (void)fprintf(stderr,
                      "geoid: PROJ interpolates bilinearly only; check --interp %s with --csv\n",
                      s->interp);
        return false;
    }
    if (s->tolerance != NULL &&
        !geoid_number("--tolerance", s->tolerance, 0.0, 1000.0, tolerance_m)) {
        return false;
    }
    return geoid_interpolation_named(s->grids != NULL ? "bilinear" : s->interp, &how) &&
           geoid_models_open(&s_models, argv[0], how);
}

int geoid_check(int argc, char **argv)
{
    struct settings s = {0};
    const struct geoid_option options[] = {
        {"--against", &s.grids},       {"--csv", &s.csv},       {"--nodes", &s.nodes},
        {"--columns", &s.columns},     {"--where", &s.where},   {"--interp", &s.interp},
        {"--tolerance", &s.tolerance}, {"--points", &s.points}, {"--datum", &s.datum},
    };
    const int n = geoid_options(argc, argv, options, sizeof options / sizeof options[0]);
    struct tally t = {0};
    double tolerance_m = 0.01;
    int result = GEOID_EXIT_USAGE;
    if (n >= 0 && open_all(&s, n, argv, &tolerance_m)) {
        if (s.nodes != NULL) {
            result = geoid_check_nodes(&s_models.geoid.layer[0].pack, s.nodes, tolerance_m);
        } else if (s.grids != NULL ? against(&s, &t) : against_table(&s, &t)) {
            result = judge_tally(&t, tolerance_m);
        }
    }
    geoid_models_close(&s_models);
    return result;
}
