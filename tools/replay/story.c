/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/story.h"

#include "host/base/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* GCC 12 reports a leak of memory that a structure keeps and another function frees. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define FIRST_ROOM      64u
#define AXES            8u
#define M_PER_DEG       111320.0
#define RAD_PER_DEG     0.017453292519943295
#define TOLERANCE_M     0.05
#define M_PER_DEG_TURN  0.025 /* of heading: 2 degrees are as much as 0.05 m */
#define TOLERANCE_MAX_M 1e6
#define EVENT_MAX       512u
#define T_MAX_US        (INT64_C(1) << 56) /* of conform: no clock shows later times */

/* Room for @p more elements; it doubles at powers of two. @return NULL: no memory */
static void *grow(void *list, size_t count, size_t more, size_t size)
{
    size_t had = FIRST_ROOM, room;
    while (had < count) {
        had *= 2;
    }
    for (room = had; room < count + more; room *= 2) {
    }
    if (count != 0 && room == had) {
        return list;
    }
    return room > SIZE_MAX / size ? NULL : realloc(list, room * size);
}

static bool add_text(struct replay_story *story, const char *text, size_t n)
{
    char *grown = grow(story->text, story->length, n, 1);
    if (grown == NULL) {
        return false;
    }
    story->text = grown;
    memcpy(grown + story->length, text, n);
    story->length += n;
    return true;
}

/* ---- a story grows */

static bool add_chapter(struct replay_story *story)
{
    struct replay_chapter *grown = grow(story->chapter, story->chapters, 1, sizeof *story->chapter);
    if (grown == NULL) {
        return false;
    }
    story->chapter = grown;
    story->chapter[story->chapters++] = (struct replay_chapter){
        .first = story->instants, .first_figures = story->figures, .text = story->length};
    return true;
}

/* A '<' stands within texts only, where it may be spelled so that no page ends there. */
static bool add_event(struct replay_story *story, const char *line)
{
    struct replay_chapter *chapter = &story->chapter[story->chapters - 1];
    bool good = chapter->length == 0 || add_text(story, ",\n", 2);
    for (const char *at = line; good && *at != '\0' && *at != '\n';) {
        const size_t n = strcspn(at, "<\n");
        good = add_text(story, at, n);
        at += n;
        if (good && *at == '<') {
            good = add_text(story, "\\u003c", 6);
            at++;
        }
    }
    chapter->length = story->length - chapter->text;
    story->events++;
    return good;
}

static bool add_instant(struct replay_story *story, const struct replay_instant *instant)
{
    struct replay_instant *grown = grow(story->instant, story->instants, 1, sizeof *story->instant);
    if (grown == NULL) {
        return false;
    }
    story->instant = grown;
    story->instant[story->instants++] = *instant;
    story->chapter[story->chapters - 1].instants++;
    return true;
}

static bool add_figures(struct replay_story *story, const struct replay_figures *figures)
{
    struct replay_figures *grown = grow(story->figure, story->figures, 1, sizeof *story->figure);
    if (grown == NULL) {
        return false;
    }
    story->figure = grown;
    story->figure[story->figures++] = *figures;
    story->chapter[story->chapters - 1].figures++;
    return true;
}

/* Read "f TIME NUMBER ...". @return false: it is another line, or cut */
static bool read_figures(const char *line, struct replay_figures *f)
{
    char *at;
    if (line[0] != 'f' || line[strlen(line) - 1] != '\n') {
        return false;
    }
    *f = (struct replay_figures){.t_us = strtoll(line + 1, &at, 10)};
    if (f->t_us < 0 || f->t_us > T_MAX_US) {
        return false;
    }
    double *const to[REPLAY_FIGURES] = {
        &f->vel_ned_mps[0], &f->vel_ned_mps[1], &f->vel_ned_mps[2], &f->roll_deg, &f->pitch_deg,
        &f->remaining,      &f->voltage_v,      &f->sent,           &f->received, &f->lost};
    size_t n = 0;
    for (const char *from = at; n < REPLAY_FIGURES; from = at, n++) {
        *to[n] = strtod(from, &at);
        if (at == from) {
            return false;
        }
    }
    return true;
}

/* @return whether it is one */
static bool read_instant(const char *line, struct replay_instant *i)
{
    double v[8];
    char *at;
    *i = (struct replay_instant){.t_us = strtoll(line, &at, 10)};
    size_t n = 0;
    for (const char *from = at; n < 8; from = at, n++) {
        v[n] = strtod(from, &at);
        if (at == from || !isfinite(v[n])) {
            break;
        }
    }
    if ((n != 5 && n != 8) || i->t_us < 0 || i->t_us > T_MAX_US) {
        return false;
    }
    i->lat_deg = v[0];
    i->lon_deg = v[1];
    i->alt_amsl_m = v[2];
    i->ground_amsl_m = v[3];
    i->heading_deg = v[4];
    i->said = n == 8;
    if (i->said) {
        i->said_lat_deg = v[5];
        i->said_lon_deg = v[6];
        i->said_alt_amsl_m = v[7];
    }
    return true;
}

static bool add_line(struct replay_story *story, const char *line)
{
    struct replay_instant instant;
    struct replay_figures figures;
    const bool boot = line[0] == '{' && strstr(line, "\"event\":\"boot\"") != NULL;
    if (boot && !add_chapter(story)) {
        return false;
    }
    if (story->chapters == 0) {
        return true;
    }
    if (line[0] == '{') {
        return line[strlen(line) - 1] != '\n' || add_event(story, line); /* else cut */
    }
    if (read_figures(line, &figures)) {
        return add_figures(story, &figures);
    }
    return !read_instant(line, &instant) || add_instant(story, &instant);
}

bool replay_story_read(struct replay_story *story, FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    memset(story, 0, sizeof *story);
    for (bool first = true; good && getline(&line, &room, in) > 0; first = false) {
        good = add_line(story, line + (first ? mf_value_bom(line, strlen(line)) : 0));
    }
    free(line);
    return good;
}

/* ---- from what a link heard */

static bool hear_event(struct replay_story *story, const struct replay_event *e)
{
    char text[EVENT_MAX], mode[REPLAY_EVENT_TEXT_MAX];
    const int n = snprintf(text, sizeof text, "{\"t_s\":%.6f,\"event\":", (double)e->t_us / 1e6);
    char *end = text + n;
    const size_t room = sizeof text - (size_t)n;
    switch (e->type) {
    case REPLAY_MODE:
        (void)snprintf(end, room, "\"mode\",\"mode\":\"%s\"}", replay_mode_name(e->value, mode));
        break;
    case REPLAY_ARMED:
        (void)snprintf(end, room, "\"armed\",\"armed\":%s}", e->value != 0 ? "true" : "false");
        break;
    case REPLAY_LANDED_STATE:
        (void)snprintf(end, room, "\"landed\",\"landed_state\":\"%s\"}",
                       replay_landed_name(e->value));
        break;
    case REPLAY_MISSION_REACHED:
    default:
        (void)snprintf(end, room, "\"waypoint\",\"item\":%" PRIu32 "}", e->value);
        break;
    }
    return add_event(story, text);
}

static bool hear_sample(struct replay_story *story, const struct replay_sample *s)
{
    const double lat = s->lat_e7 / 1e7, lon = s->lon_e7 / 1e7, alt = s->alt_amsl_mm / 1e3;
    const struct replay_figures figures = {
        .t_us = s->t_us,
        .vel_ned_mps = {s->vel_ned_cmps[0] / 1e2, s->vel_ned_cmps[1] / 1e2,
                        s->vel_ned_cmps[2] / 1e2},
        .roll_deg = (double)NAN,
        .pitch_deg = (double)NAN,
        .remaining = (double)NAN,
        .voltage_v = (double)NAN,
        .sent = (double)NAN,
        .received = (double)NAN,
        .lost = (double)NAN,
    };
    return add_figures(story, &figures) &&
           add_instant(story, &(struct replay_instant){.t_us = s->t_us,
                                                       .lat_deg = lat,
                                                       .lon_deg = lon,
                                                       .alt_amsl_m = alt,
                                                       .ground_amsl_m = alt - s->height_mm / 1e3,
                                                       .heading_deg = s->heading_cdeg / 1e2,
                                                       .said = true,
                                                       .said_lat_deg = lat,
                                                       .said_lon_deg = lon,
                                                       .said_alt_amsl_m = alt});
}

bool replay_story_heard(struct replay_story *story, const struct replay_flight *flight)
{
    char text[EVENT_MAX];
    bool good = true;
    memset(story, 0, sizeof *story);
    for (size_t boot = 0; good && boot < flight->boots; boot++) {
        size_t n;
        const size_t first = replay_flight_samples(flight, boot, &n);
        (void)snprintf(text, sizeof text,
                       "{\"t_s\":0,\"event\":\"boot\",\"utc_us\":%" PRId64
                       ",\"system_id\":%u,\"component_id\":%u}",
                       replay_utc(flight, boot, 0), flight->sysid, flight->compid);
        good = add_chapter(story) && add_event(story, text);
        for (size_t i = 0; good && i < flight->events; i++) {
            good = flight->event[i].boot != boot || hear_event(story, &flight->event[i]);
        }
        for (size_t i = first; good && i < first + n; i++) {
            good = hear_sample(story, &flight->sample[i]);
        }
    }
    return good;
}

/* ---- what may be left out */

/* All that is drawn of an instant, in metres; the heading without jumps from the one before. */
static void axes_of(const struct replay_instant *i, double heading_deg, double axis[AXES])
{
    const double m_per_lon = M_PER_DEG * cos(i->lat_deg * RAD_PER_DEG);
    const double values[AXES] = {i->lat_deg * M_PER_DEG,
                                 i->lon_deg * m_per_lon,
                                 i->alt_amsl_m,
                                 i->ground_amsl_m,
                                 heading_deg * M_PER_DEG_TURN,
                                 i->said_lat_deg * M_PER_DEG,
                                 i->said_lon_deg * m_per_lon,
                                 i->said_alt_amsl_m};
    memcpy(axis, values, sizeof values);
}

/* Slopes of lines from one instant that pass all later ones closely enough. */
struct door {
    double from[AXES], low[AXES], high[AXES];
    int64_t t_us;
    double heading_deg;
};

static void open_door(struct door *door, const struct replay_instant *i)
{
    door->t_us = i->t_us;
    door->heading_deg = i->heading_deg;
    axes_of(i, i->heading_deg, door->from);
    for (size_t k = 0; k < AXES; k++) {
        door->low[k] = -INFINITY;
        door->high[k] = INFINITY;
    }
}

/* @return whether a straight line leads to this instant, past those before it */
static bool pass_door(struct door *door, const struct replay_instant *i, double tolerance_m)
{
    double axis[AXES];
    const double turn = remainder(i->heading_deg - door->heading_deg, 360.0);
    const double dt = (double)(i->t_us - door->t_us);
    door->heading_deg += turn;
    axes_of(i, door->heading_deg, axis);
    if (!(dt > 0.0)) {
        return false;
    }
    bool through = true;
    for (size_t k = 0; k < AXES; k++) {
        const double rise = axis[k] - door->from[k];
        through = through && rise / dt >= door->low[k] && rise / dt <= door->high[k];
        door->low[k] = fmax(door->low[k], (rise - tolerance_m) / dt);
        door->high[k] = fmin(door->high[k], (rise + tolerance_m) / dt);
    }
    return through;
}

/* State of thinning a chapter in place. */
struct sieve {
    struct replay_instant *to;
    size_t kept;
    struct door door;
};

static void keep_instant(struct sieve *sieve, const struct replay_instant *i)
{
    const struct replay_instant instant = *i; /* it may stand where it goes */
    sieve->to[sieve->kept++] = instant;
    open_door(&sieve->door, &instant);
}

/* @return how many are left at @p to, which is not behind @p in */
static size_t thin(const struct replay_instant *in, size_t n, struct replay_instant *to,
                   double tolerance_m)
{
    struct sieve sieve = {.to = to};
    size_t last = 0; /* that was kept */
    for (size_t i = 0; i < n; i++) {
        const bool same = i > 0 && in[i].said == in[i - 1].said;
        bool through = same && pass_door(&sieve.door, &in[i], tolerance_m);
        if (!through && i > 0 && last != i - 1) {
            last = i - 1;
            keep_instant(&sieve, &in[last]);
            through = same && pass_door(&sieve.door, &in[i], tolerance_m);
        }
        if (!through) {
            last = i;
            keep_instant(&sieve, &in[i]);
        }
    }
    if (n > 0 && last != n - 1) {
        keep_instant(&sieve, &in[n - 1]);
    }
    return sieve.kept;
}

static size_t thin_all(struct replay_story *story, double tolerance_m)
{
    size_t left = 0;
    for (size_t i = 0; i < story->chapters && story->instants > 0; i++) {
        struct replay_chapter *c = &story->chapter[i];
        const size_t kept =
            thin(story->instant + c->first, c->instants, story->instant + left, tolerance_m);
        c->first = left;
        c->instants = kept;
        left += kept;
    }
    return left;
}

/* Leave out figures that are too near to those before them. */
static void thin_figures(struct replay_story *story, size_t figures_max)
{
    size_t left = 0;
    for (size_t i = 0; i < story->chapters && story->figures > 0; i++) {
        struct replay_chapter *c = &story->chapter[i];
        const struct replay_figures *in = story->figure + c->first_figures;
        const size_t n = c->figures;
        const int64_t first_us = n > 0 ? in[0].t_us : 0, last_us = n > 0 ? in[n - 1].t_us : 0;
        const int64_t step_us = (last_us - first_us) / (int64_t)figures_max;
        int64_t next_us = first_us;
        c->first_figures = left;
        for (size_t k = 0; k < n; k++) {
            const struct replay_figures f = in[k]; /* it may stand where it goes */
            if (f.t_us >= next_us || k + 1 == n) {
                next_us = f.t_us + step_us;
                story->figure[left++] = f;
            }
        }
        c->figures = left - c->first_figures;
    }
    story->figures = left;
}

void replay_story_thin(struct replay_story *story, size_t instants_max, size_t figures_max)
{
    thin_figures(story, figures_max);
    double tolerance_m = TOLERANCE_M;
    story->tolerance_m = 0.0;
    do {
        story->instants = thin_all(story, tolerance_m);
        story->tolerance_m += tolerance_m; /* it was thinned before */
        tolerance_m *= 2.0;
    } while (story->instants > instants_max && tolerance_m < TOLERANCE_MAX_M);
}

void replay_story_free(struct replay_story *story)
{
    free(story->chapter);
    free(story->instant);
    free(story->figure);
    free(story->text);
    memset(story, 0, sizeof *story);
}
