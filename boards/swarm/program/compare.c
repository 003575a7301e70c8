/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/program/compare.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/value.h"
#include "math/geodesic.h"
#include "mavlink/frame.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLIGHTS_MAX 250u
#define STEP_S      1.0
#define UP_M        1.0  /* so far above its first place it has taken off */
#define CELL_M      10.0 /* of what a flight has covered */

struct place {
    double t_s, neu_m[3];
};

struct neu {
    double n, e, u;
};

struct flight {
    char name[SWARM_NAME_MAX];
    struct place *place;
    size_t count, capacity;
    double begin_s; /* of its take-off */
};

struct side {
    struct flight flight[FLIGHTS_MAX];
    size_t count;
};

struct comparison {
    struct side run, recorded;
    struct mf_geo origin; /* the first place of the run */
    double origin_m;
    bool begun;
};

static int fail(const char *file, const char *why)
{
    (void)fprintf(stderr, "mayfly-swarm: compare: %s: %s\n", file, why);
    return SWARM_INPUT;
}

/* ---- what is read */

/* @return false: there is no memory */
static bool add(struct comparison *c, struct flight *f, double t_s, struct mf_geo at, double alt_m)
{
    if (!c->begun) {
        c->begun = true;
        c->origin = at;
        c->origin_m = alt_m;
    }
    if (f->count > 0 && t_s <= f->place[f->count - 1u].t_s) {
        return true; /* the same once more */
    }
    struct place *place = swarm_with_room(f->place, f->count, &f->capacity, sizeof *place);
    if (place == NULL) {
        return false;
    }
    f->place = place;
    struct place *p = &f->place[f->count++];
    p->t_s = t_s;
    mf_geo_to_local(c->origin, at, p->neu_m);
    p->neu_m[2] = alt_m - c->origin_m;
    return true;
}

static struct flight *flight_of(struct side *s, const char *name)
{
    size_t i = 0;
    while (i < s->count && strcmp(s->flight[i].name, name) != 0) {
        i++;
    }
    if (i == s->count && i < FLIGHTS_MAX) {
        (void)snprintf(s->flight[s->count++].name, SWARM_NAME_MAX, "%s", name);
    }
    return i < FLIGHTS_MAX ? &s->flight[i] : NULL;
}

/* A line "t_s,member,lat_deg,lon_deg,alt_amsl_m,...". @return false: it is none */
static bool read_line(char *line, double *t_s, char **name, double number[3])
{
    char *end = NULL;
    *t_s = strtod(line, &end);
    if (end == line || *end != ',') {
        return false;
    }
    *name = end + 1;
    char *at = strchr(*name, ',');
    for (size_t i = 0; i < 3u; i++) {
        if (at == NULL || *at != ',') {
            return false;
        }
        char *from = at + 1;
        *at = '\0';
        number[i] = strtod(from, &at);
        if (at == from) {
            return false;
        }
    }
    return true;
}

static int read_csv(struct comparison *c, const char *file)
{
    static const char k_head[] = "t_s,member,lat_deg,lon_deg,alt_amsl_m,";
    size_t n;
    char *text = swarm_read_file(NULL, file, &n), *rest = NULL;
    if (text == NULL) {
        return fail(file, strerror(errno));
    }
    char *line = strtok_r(text + mf_value_bom(text, n), "\n", &rest);
    const char *why = line == NULL || strncmp(line, k_head, strlen(k_head)) != 0
                          ? "is not what outputs.csv writes"
                          : NULL;
    while (why == NULL && (line = strtok_r(NULL, "\n", &rest)) != NULL) {
        double t_s, number[3];
        char *name;
        if (!read_line(line, &t_s, &name, number)) {
            why = "has a line that outputs.csv does not write";
            break;
        }
        struct flight *f = flight_of(&c->run, name);
        if (f != NULL && !add(c, f, t_s, (struct mf_geo){number[0], number[1]}, number[2])) {
            why = "no memory";
        }
    }
    free(text);
    return why == NULL ? SWARM_OK : fail(file, why);
}

/* The stamps between frames are skipped: a position has the time since its boot. */
static bool take_frames(struct comparison *c, struct flight *f, struct mf_parser *parser,
                        uint8_t *sysid)
{
    struct mf_frame frame;
    while (mf_parser_next(parser, &frame)) {
        struct mf_msg_global_position_int m;
        const bool position = frame.info != NULL && frame.info->id == MF_MSG_GLOBAL_POSITION_INT;
        if (!position || (*sysid != 0 && frame.sysid != *sysid)) {
            continue;
        }
        *sysid = frame.sysid;
        mf_msg_unpack(frame.info, frame.payload, frame.len, &m);
        if (!add(c, f, m.time_boot_ms / 1e3, (struct mf_geo){m.lat / 1e7, m.lon / 1e7},
                 m.alt / 1e3)) {
            return false;
        }
    }
    return true;
}

static int read_tlog(struct comparison *c, const char *file)
{
    struct mf_parser parser;
    const char *slash = strrchr(file, '/');
    struct flight *f = &c->recorded.flight[c->recorded.count++];
    uint8_t sysid = 0;
    size_t n = 0;
    char *bytes = swarm_read_file(NULL, file, &n);
    if (bytes == NULL) {
        return fail(file, strerror(errno));
    }
    (void)snprintf(f->name, sizeof f->name, "%s", slash != NULL ? slash + 1 : file);
    memset(&parser, 0, sizeof parser);
    bool good = true;
    for (size_t at = 0; at < n && good;) {
        at += mf_parser_feed(&parser, (const uint8_t *)bytes + at, n - at);
        good = take_frames(c, f, &parser, &sysid);
    }
    while (good && mf_parser_pending(&parser)) {
        mf_parser_flush(&parser);
        good = take_frames(c, f, &parser, &sysid);
    }
    free(bytes);
    if (!good) {
        return fail(file, "no memory");
    }
    return f->count > 1 ? SWARM_OK
                        : fail(file, "has no GLOBAL_POSITION_INT: it is no log of a flight");
}

/* ---- what is compared */

static int find_takeoff(struct side *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct flight *f = &s->flight[i];
        size_t k = 0;
        while (k < f->count && f->place[k].neu_m[2] < f->place[0].neu_m[2] + UP_M) {
            k++;
        }
        if (k == f->count) {
            return fail(f->name, "never takes off: it has no flight");
        }
        f->begin_s = f->place[k].t_s;
    }
    return SWARM_OK;
}

static double between(const struct place *a, const struct place *b, unsigned axis, double part)
{
    return a->neu_m[axis] + part * (b->neu_m[axis] - a->neu_m[axis]);
}

static unsigned steps_of(double end_s)
{
    return (unsigned)(end_s / STEP_S) + 1u;
}

/* Where a flight is so long after its take-off: north, east, up. */
static struct neu place_at(const struct flight *f, double after_s)
{
    const double t_s = f->begin_s + after_s;
    size_t low = 0, high = f->count - 1u;
    while (high - low > 1u) {
        const size_t middle = (low + high) / 2u;
        if (f->place[middle].t_s <= t_s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const struct place *a = &f->place[low], *b = &f->place[high];
    const double part =
        b->t_s > a->t_s ? fmin(fmax((t_s - a->t_s) / (b->t_s - a->t_s), 0.0), 1.0) : 0.0;
    return (struct neu){between(a, b, 0, part), between(a, b, 1, part), between(a, b, 2, part)};
}

static double lasts_s(const struct flight *f)
{
    return f->place[f->count - 1u].t_s - f->begin_s;
}

static double apart_m(struct neu a, struct neu b)
{
    return sqrt((a.n - b.n) * (a.n - b.n) + (a.e - b.e) * (a.e - b.e) + (a.u - b.u) * (a.u - b.u));
}

static void tell_position(const struct flight *run, const struct flight *recorded)
{
    const double end_s = fmin(lasts_s(run), lasts_s(recorded));
    const unsigned n = steps_of(end_s);
    double sum = 0.0, squares = 0.0, most = 0.0;
    for (unsigned i = 0; i < n; i++) {
        const struct neu a = place_at(run, i * STEP_S);
        const double d = apart_m(a, place_at(recorded, i * STEP_S));
        sum += d;
        squares += d * d;
        most = fmax(most, d);
    }
    (void)printf(
        "position  %s, %s: %.0f s in the air, %.3f m apart in the mean, %.3f m rms, %.3f m at "
        "most; lasts %.1f s and %.1f s\n",
        run->name, recorded->name, end_s, sum / n, sqrt(squares / n), most, lasts_s(run),
        lasts_s(recorded));
}

/* Mean distance to the nearest other flight [m]; NAN: there is none. */
static double spacing_m(const struct side *s, size_t count, double end_s)
{
    double sum = 0.0;
    unsigned n = 0;
    for (unsigned step = 0; step < steps_of(end_s); step++) {
        for (size_t i = 0; i < count; i++, n++) {
            const struct neu a = place_at(&s->flight[i], step * STEP_S);
            double nearest = INFINITY;
            for (size_t k = 0; k < count; k++) {
                const double d = apart_m(a, place_at(&s->flight[k], step * STEP_S));
                nearest = k != i ? fmin(nearest, d) : nearest;
            }
            sum += nearest;
        }
    }
    return count > 1 ? sum / n : (double)NAN;
}

static int by_number(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return p < q ? -1 : p > q;
}

/* Cells that flights came to, sorted, each once. @return how many; < 0: there is no memory */
static long cells_of(const struct side *s, size_t count, double end_s, int64_t **cells)
{
    const size_t most = count * steps_of(end_s);
    int64_t *all = malloc(most * sizeof *all);
    long n = 0, kept = 0;
    *cells = all;
    if (all == NULL) {
        return -1;
    }
    for (unsigned step = 0; step < steps_of(end_s); step++) {
        for (size_t i = 0; i < count; i++) {
            const struct neu at = place_at(&s->flight[i], step * STEP_S);
            all[n++] = (int64_t)floor(at.n / CELL_M) * 1000000 + (int64_t)floor(at.e / CELL_M);
        }
    }
    qsort(all, (size_t)n, sizeof *all, by_number);
    for (long i = 0; i < n; i++) {
        if (kept == 0 || all[kept - 1] != all[i]) {
            all[kept++] = all[i];
        }
    }
    return kept;
}

static int tell_coverage(const struct comparison *c, size_t count, double end_s)
{
    int64_t *a, *b;
    long n = cells_of(&c->run, count, end_s, &a), m = cells_of(&c->recorded, count, end_s, &b);
    long both = 0;
    for (long i = 0, k = 0; i < n && k < m;) {
        both += a[i] == b[k] ? 1 : 0;
        const bool left = a[i] <= b[k], right = b[k] <= a[i];
        i += left ? 1 : 0;
        k += right ? 1 : 0;
    }
    free(a);
    free(b);
    if (n < 0 || m < 0) {
        return fail("coverage", "no memory");
    }
    (void)printf("coverage  %ld and %ld squares of %g m, %ld of them the same: %.3f of all\n", n, m,
                 CELL_M, both, (double)both / (double)(n + m - both));
    return SWARM_OK;
}

static int tell(struct comparison *c)
{
    const size_t count = c->recorded.count;
    double end_s = INFINITY;
    if (find_takeoff(&c->run, count) != SWARM_OK || find_takeoff(&c->recorded, count) != SWARM_OK) {
        return SWARM_INPUT;
    }
    for (size_t i = 0; i < count; i++) {
        tell_position(&c->run.flight[i], &c->recorded.flight[i]);
        end_s = fmin(end_s, fmin(lasts_s(&c->run.flight[i]), lasts_s(&c->recorded.flight[i])));
    }
    if (count > 1) {
        const double run_m = spacing_m(&c->run, count, end_s);
        const double recorded_m = spacing_m(&c->recorded, count, end_s);
        (void)printf("spacing   %.3f m and %.3f m to the nearest other one in the mean: %+.3f m\n",
                     run_m, recorded_m, run_m - recorded_m);
    }
    return tell_coverage(c, count, end_s);
}

int swarm_compare(char *const *file, size_t n)
{
    struct comparison *c = calloc(1, sizeof *c);
    if (c == NULL || n < 2 || n - 1u > FLIGHTS_MAX) {
        free(c);
        return fail(n > 0 ? file[0] : "RUN.csv",
                    "give the CSV of a run, then 1 to 250 telemetry logs");
    }
    int result = read_csv(c, file[0]);
    for (size_t i = 1; i < n && result == SWARM_OK; i++) {
        result = read_tlog(c, file[i]);
    }
    if (result == SWARM_OK && c->run.count < c->recorded.count) {
        result = fail(file[0], "has fewer members than there are telemetry logs");
    }
    result = result == SWARM_OK ? tell(c) : result;
    for (size_t i = 0; i < FLIGHTS_MAX; i++) {
        free(c->run.flight[i].place);
        free(c->recorded.flight[i].place);
    }
    free(c);
    return result;
}
