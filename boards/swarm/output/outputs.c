/* SPDX-License-Identifier: Apache-2.0 */
/* Writes samples, events and pictures as time passes, and keeps the points of tracks until the
 * run ends. program/systems.c lists its system. */
#include "boards/swarm/output/outputs.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/output/pictures.h"
#include "boards/swarm/output/tracks.h"
#include "firmware/flight/mode.h"
#include "host/base/value.h"
#include "math/trig.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX_US (10 * MF_SECOND_US) /* longest time that events stay in memory */

/* Event as the shard that reported it keeps it until it is written. */
struct event {
    mf_us_t at_us;
    uint32_t i;
    uint32_t number; /* index in the shard, the last sort key */
    uint32_t events;
    struct mf_crowd_state now;
};

struct events {
    struct event *event;
    size_t count, capacity;
};

/* Members that are sampled at one rate, for one file. */
struct sampled {
    FILE *file;
    struct mf_group group;
    uint32_t *id;
};

/* State of outputs, in the arena. Files and memory that grows are outside it: each process makes
 * them for itself. */
struct swarm_outputs {
    struct swarm *w;
    struct sampled csv, track[SWARM_TRACKS];
    struct mf_group pictures;
    uint32_t all; /* number of the only member of @c pictures */
    FILE *events;
    struct events shard[MF_CROWD_SHARDS];
    bool failed;
};

/* Points of tracks so far. */
struct swarm_tracks {
    struct swarm_point *point;
    size_t count, capacity;
};

const size_t swarm_tracks_bytes = sizeof(struct swarm_tracks);

static struct swarm_tracks *tracks_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_TRACKS];
}

static struct swarm_outputs *outputs_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_OUTPUTS];
}

/* ---- sampled members */

/* True if an output samples a member. An output has things only if it names them. */
static bool is_sampled(const struct swarm *w, const struct mf_scenario_output *o, uint32_t i)
{
    return mf_scenario_is_chosen(w->scenario, &o->of, i, !swarm_is_thing(w, i));
}

static int init_samples(struct swarm *w, struct sampled *s, const struct mf_scenario_output *o,
                        mf_engine_run *run)
{
    uint32_t count = 0;
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        count += is_sampled(w, o, i) ? 1u : 0u;
    }
    if (count == 0) {
        return swarm_refuse(w, o->line, "outputs: %s: there are only things, name them", o->file);
    }
    s->id = swarm_memory(w, o->line, count * sizeof s->id[0]);
    if (s->id == NULL) {
        return SWARM_INPUT;
    }
    mf_group_init(&s->group, MF_PHASE_OBSERVE, run, outputs_of(w), s->id, count);
    return SWARM_OK;
}

static void start_samples(struct swarm *w, struct sampled *s, const struct mf_scenario_output *o)
{
    if (s->file == NULL) {
        return;
    }
    int result = mf_group_join(&w->engine, &s->group, 0, mf_us_of(o->every_s));
    for (uint32_t i = 0; i < w->scenario->members && result == MF_E_OK; i++) {
        if (is_sampled(w, o, i)) {
            result = mf_group_add(&w->engine, &s->group, i);
        }
    }
    MF_ASSERT(result == MF_E_OK); /* init_samples() has reserved the memory */
}

/* True if a member is not sampled at @p at_us: frozen, retired or not arrived. A frozen or retired
 * one leaves the group.
 * @param now  out: its state */
static bool is_gone(struct swarm_outputs *o, struct sampled *s, uint32_t i, mf_us_t at_us,
                    struct mf_crowd_state *now)
{
    *now = swarm_state(o->w, i);
    if (now->frozen || swarm_has_retired(o->w, i, at_us)) {
        (void)mf_group_remove(&s->group, i);
    }
    return now->frozen || swarm_is_absent(o->w, i, at_us);
}

/* ---- CSV */

static void write_sample(void *ctx, uint32_t i, mf_us_t at_us)
{
    struct swarm_outputs *o = ctx;
    struct mf_crowd_state now;
    char name[SWARM_NAME_MAX];
    if (is_gone(o, &o->csv, i, at_us, &now)) {
        return;
    }
    const struct mf_pose p = swarm_pose(o->w, i, at_us);
    swarm_costs_count(o->w, SWARM_COST_OUTPUTS, 1);
    mf_scenario_member_name(o->w->scenario, i, name);
    (void)fprintf(o->csv.file, "%.3f,%s,%.7f,%.7f,%.3f,%.3f,%.3f,%.3f,%.2f,%s,%d,%d,%d",
                  (double)at_us / 1e6, name, p.lat_deg, p.lon_deg, p.alt_amsl_m,
                  (double)p.vel_ned_mps[0], (double)p.vel_ned_mps[1], (double)p.vel_ned_mps[2],
                  mf_deg((double)p.yaw_rad), mf_mode_info((enum mf_mode)now.mode)->text, now.armed,
                  now.reached, now.finished);
    swarm_systems_write_columns(o->w, i, o->csv.file);
    (void)fputc('\n', o->csv.file);
}

/* ---- tracks */

/* Keep a point of a track in memory: a gx:Track has all times before all positions, and a
 * picture's scale depends on all its points. */
static void keep_point(struct swarm_outputs *o, enum swarm_track of, uint32_t i, mf_us_t at_us)
{
    struct swarm_tracks *p = tracks_of(o->w);
    struct mf_crowd_state now;
    if (is_gone(o, &o->track[of], i, at_us, &now)) {
        return;
    }
    struct swarm_point *point = swarm_with_room(p->point, p->count, &p->capacity, sizeof *point);
    if (point == NULL) {
        o->failed = true;
        return;
    }
    p->point = point;
    const struct mf_pose pose = swarm_pose(o->w, i, at_us);
    swarm_costs_count(o->w, SWARM_COST_OUTPUTS, 1);
    p->point[p->count++] =
        (struct swarm_point){i, (uint32_t)of, at_us, pose.lat_deg, pose.lon_deg, pose.alt_amsl_m};
}

static void keep_kml(void *ctx, uint32_t i, mf_us_t at_us)
{
    keep_point(ctx, SWARM_TRACK_KML, i, at_us);
}

static void keep_overhead(void *ctx, uint32_t i, mf_us_t at_us)
{
    keep_point(ctx, SWARM_TRACK_OVERHEAD, i, at_us);
}

static void keep_czml(void *ctx, uint32_t i, mf_us_t at_us)
{
    keep_point(ctx, SWARM_TRACK_CZML, i, at_us);
}

static void keep_geojson(void *ctx, uint32_t i, mf_us_t at_us)
{
    keep_point(ctx, SWARM_TRACK_GEOJSON, i, at_us);
}

static mf_engine_run *const k_keep[SWARM_TRACKS] = {
    [SWARM_TRACK_KML] = keep_kml,
    [SWARM_TRACK_OVERHEAD] = keep_overhead,
    [SWARM_TRACK_CZML] = keep_czml,
    [SWARM_TRACK_GEOJSON] = keep_geojson,
};

static int compare_points(const void *left, const void *right)
{
    const struct swarm_point *a = left, *b = right;
    if (a->of != b->of) {
        return a->of < b->of ? -1 : 1;
    }
    if (a->i != b->i) {
        return a->i < b->i ? -1 : 1;
    }
    return a->at_us < b->at_us ? -1 : a->at_us > b->at_us;
}

/* Write the points of all tracks, output by output. */
static void write_points(struct swarm_outputs *o)
{
    const struct swarm_tracks *p = tracks_of(o->w);
    size_t from = 0;
    if (p->count > 0) {
        qsort(p->point, p->count, sizeof *p->point, compare_points);
    }
    for (uint32_t of = 0; of < SWARM_TRACKS; of++) {
        size_t to = from;
        while (to < p->count && p->point[to].of == of) {
            to++;
        }
        if (o->track[of].file != NULL) {
            swarm_tracks_write(o->w, (enum swarm_track)of, p->point + from, to - from,
                               o->track[of].file);
        }
        from = to;
    }
}

/* ---- events */

static void keep_events(struct swarm *w, const struct swarm_change *c)
{
    struct swarm_outputs *o = outputs_of(w);
    struct events *e = &o->shard[c->shard];
    if (o->events == NULL || c->events == 0) {
        return;
    }
    struct event *event = swarm_with_room(e->event, e->count, &e->capacity, sizeof *event);
    if (event == NULL) {
        o->failed = true;
        return;
    }
    e->event = event;
    e->event[e->count] =
        (struct event){c->now->at_us, c->member, (uint32_t)e->count, c->events, *c->now};
    e->count++;
}

static int compare_events(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    if (a->at_us != b->at_us) {
        return a->at_us < b->at_us ? -1 : 1;
    }
    if (a->i != b->i) {
        return a->i < b->i ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

static void write_event(struct swarm_outputs *o, const struct event *e)
{
    char name[SWARM_NAME_MAX];
    mf_scenario_member_name(o->w->scenario, e->i, name);
    for (unsigned k = 0; k < MF_SCENARIO_EVENTS; k++) {
        char detail[32] = "";
        if ((e->events >> k & 1u) == 0) {
            continue;
        }
        if (k == MF_SCENARIO_EVENT_ITEM) {
            (void)snprintf(detail, sizeof detail, "%d", (int)e->now.reached);
        } else if (k == MF_SCENARIO_EVENT_MODE) {
            (void)snprintf(detail, sizeof detail, "%s",
                           mf_mode_info((enum mf_mode)e->now.mode)->text);
        }
        swarm_costs_count(o->w, SWARM_COST_OUTPUTS, 1);
        (void)fprintf(o->events, "%.6f,%s,%s,%s\n", (double)e->at_us / 1e6, name,
                      mf_scenario_event_words[k], detail);
    }
}

static int drain_events(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    size_t count = 0, n = 0;
    for (size_t k = 0; k < MF_CROWD_SHARDS; k++) {
        count += o->shard[k].count;
    }
    struct event *all = count > 0 ? malloc(count * sizeof *all) : NULL;
    if (all == NULL) {
        o->failed = o->failed || count > 0;
        return SWARM_OK;
    }
    for (size_t k = 0; k < MF_CROWD_SHARDS; k++) {
        if (o->shard[k].count > 0) {
            memcpy(all + n, o->shard[k].event, o->shard[k].count * sizeof *all);
        }
        n += o->shard[k].count;
        o->shard[k].count = 0;
    }
    qsort(all, count, sizeof *all, compare_events);
    for (size_t k = 0; k < count; k++) {
        write_event(o, &all[k]);
    }
    free(all);
    return SWARM_OK;
}

/* Limit a piece of time, because events stay in memory until its end. */
static mf_us_t limit_by_events_us(struct swarm *w, mf_us_t next_us)
{
    (void)next_us;
    return outputs_of(w)->events != NULL ? w->now_us + EVENTS_MAX_US : MF_NEVER;
}

/* ---- pictures */

static void write_due_picture(void *ctx, uint32_t id, mf_us_t at_us)
{
    (void)id;
    swarm_pictures_write_due(((struct swarm_outputs *)ctx)->w, at_us);
}

static void begin_pictures(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    const struct mf_scenario_output *s = &w->scenario->outputs.pictures;
    if (s->file[0] == '\0') {
        return;
    }
    mf_group_init(&o->pictures, MF_PHASE_OBSERVE, write_due_picture, o, &o->all, 1);
    int result = mf_group_join(&w->engine, &o->pictures, 0, mf_us_of(s->every_s));
    result = result == MF_E_OK ? mf_group_add(&w->engine, &o->pictures, 0) : result;
    MF_ASSERT(result == MF_E_OK); /* the engine has room for the groups of all outputs */
}

/* ---- all outputs */

static const struct mf_scenario_output *output_of(const struct swarm *w, unsigned track)
{
    const struct mf_scenario_output *const all[SWARM_TRACKS] = {
        [SWARM_TRACK_KML] = &w->scenario->outputs.kml,
        [SWARM_TRACK_OVERHEAD] = &w->scenario->outputs.overhead,
        [SWARM_TRACK_CZML] = &w->scenario->outputs.czml,
        [SWARM_TRACK_GEOJSON] = &w->scenario->outputs.geojson,
    };
    return all[track];
}

/* True if a track is written: outputs.plots leaves out pictures. */
static bool is_track_written(const struct swarm *w, unsigned track)
{
    return track != SWARM_TRACK_OVERHEAD || w->scenario->outputs.plots;
}

static int prepare_outputs(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    struct swarm_outputs *o = swarm_memory(w, 1, sizeof *o);
    w->state[SWARM_SLOT_OUTPUTS] = o;
    if (o == NULL) {
        return SWARM_INPUT;
    }
    o->w = w;
    int result = init_samples(w, &o->csv, &s->outputs.csv, write_sample);
    for (unsigned i = 0; i < SWARM_TRACKS && result == SWARM_OK; i++) {
        result = is_track_written(w, i) ? init_samples(w, &o->track[i], output_of(w, i), k_keep[i])
                                        : SWARM_OK;
    }
    return result;
}

/* Open an output.
 * @param file  out; NULL: the scenario does not want it
 * @return SWARM_OK or SWARM_INPUT */
static int open_output(struct swarm *w, const struct mf_scenario_output *o, bool drawn, FILE **file)
{
    const bool wanted = o->file[0] != '\0' && drawn;
    *file = wanted ? swarm_open(w, o, 0) : NULL;
    return wanted && *file == NULL ? SWARM_INPUT : SWARM_OK;
}

static int open_outputs(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    memset(o->shard, 0, sizeof o->shard);
    int result = open_output(w, &w->scenario->outputs.csv, true, &o->csv.file);
    result = result == SWARM_OK ? open_output(w, &w->scenario->outputs.events, true, &o->events)
                                : result;
    for (unsigned i = 0; i < SWARM_TRACKS && result == SWARM_OK; i++) {
        result = open_output(w, output_of(w, i), is_track_written(w, i), &o->track[i].file);
    }
    return result;
}

static void *get_points(struct swarm *w, uint64_t *bytes)
{
    const struct swarm_tracks *t = tracks_of(w);
    *bytes = t->count * sizeof *t->point;
    return t->point;
}

static void *restore_points(struct swarm *w, uint64_t bytes)
{
    struct swarm_tracks *t = tracks_of(w);
    t->count = t->capacity = bytes / sizeof *t->point;
    t->point = malloc(bytes > 0 ? bytes : 1u);
    return t->point;
}

static int begin_outputs(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    if (o->csv.file != NULL) {
        (void)fputs("t_s,member,lat_deg,lon_deg,alt_amsl_m,vel_n_mps,vel_e_mps,vel_d_mps,yaw_deg,"
                    "mode,armed,reached,finished",
                    o->csv.file);
        swarm_systems_name_columns(w, o->csv.file);
        (void)fputc('\n', o->csv.file);
    }
    if (o->events != NULL) {
        (void)fputs("t_s,member,event,detail\n", o->events);
    }
    start_samples(w, &o->csv, &w->scenario->outputs.csv);
    for (unsigned i = 0; i < SWARM_TRACKS; i++) {
        start_samples(w, &o->track[i], output_of(w, i));
    }
    begin_pictures(w);
    return SWARM_OK;
}

static bool close_outputs(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    write_points(o);
    bool good = swarm_close(w, o->csv.file);
    good = swarm_close(w, o->events) && good;
    for (unsigned i = 0; i < SWARM_TRACKS; i++) {
        good = swarm_close(w, o->track[i].file) && good;
    }
    o->failed = o->failed || !good;
    for (size_t k = 0; k < MF_CROWD_SHARDS; k++) {
        free(o->shard[k].event);
    }
    free(tracks_of(w)->point);
    *tracks_of(w) = (struct swarm_tracks){0};
    return !o->failed;
}

const struct swarm_system swarm_outputs_system = {
    .name = "outputs",
    .on = {[SWARM_PREPARE] = prepare_outputs,
           [SWARM_OPEN] = open_outputs,
           [SWARM_BEGIN] = begin_outputs,
           [SWARM_DRAIN] = drain_events},
    .get_saved = get_points, /* state: points of tracks */
    .restore = restore_points,
    .limit_us = limit_by_events_us,
    .changed = keep_events,
    .complete = close_outputs,
};
