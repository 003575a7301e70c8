/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/output/outputs.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/bodies.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/output/pictures.h"
#include "boards/swarm/output/tracks.h"
#include "boards/swarm/radio/radio.h"
#include "boards/swarm/space/senses.h"
#include "firmware/flight/mode.h"
#include "host/base/value.h"
#include "math/trig.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX_US (10 * MF_SECOND_US) /* events of so much time wait in memory */

/* A line of the file of events, as the shard that saw it keeps it. */
struct event {
    mf_us_t at_us;
    uint32_t i;
    uint32_t number; /* within its shard: what happened first to one vehicle comes first */
    uint32_t events;
    struct mf_crowd_state now;
};

struct events {
    struct event *event;
    size_t count, capacity;
};

/* Samples at one rate of some members. */
struct sampled {
    FILE *file;
    struct mf_group group;
    uint32_t *id;
};

/* It lies in the arena; files and what grows are the process's own. */
struct swarm_outputs {
    struct swarm *w;
    struct sampled csv, track[SWARM_TRACKS];
    struct mf_group pictures;
    uint32_t all; /* its only member stands for all */
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

/* ---- who is sampled, and how often */

/* Things stay where they are: only those that are named. */
static bool is_sampled(const struct swarm *w, const struct mf_scenario_output *o, uint32_t i)
{
    return mf_scenario_is_chosen(w->scenario, &o->of, i, !swarm_is_thing(w, i));
}

static int sample(struct swarm *w, struct sampled *s, const struct mf_scenario_output *o,
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

static void begin(struct swarm *w, struct sampled *s, const struct mf_scenario_output *o)
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
    MF_ASSERT(result == MF_E_OK); /* sample() has made room */
}

/* A vehicle that is frozen stays where it is, and there is nothing more to say; nor of one that has
 * retired, and not yet of one that will arrive. */
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

/* A column that only scenarios with such a sensor have. */
static void write_sensor(const struct swarm_outputs *o, uint32_t i,
                         enum mf_scenario_sensor_kind kind)
{
    double value;
    if (!swarm_has_sensor(o->w->scenario, kind)) {
        return;
    }
    (void)fputc(',', o->csv.file);
    if (swarm_sense_shows(o->w, i, kind, &value)) {
        (void)fprintf(o->csv.file, "%.4f", value);
    }
}

/* Columns that only scenarios with radios have. */
static void write_radio(const struct swarm_outputs *o, uint32_t i)
{
    struct swarm_radio_state radio;
    if (!swarm_has_radios(o->w->scenario)) {
        return;
    }
    if (!swarm_radio_state(o->w, i, &radio)) {
        (void)fputs(",,,,", o->csv.file);
        return;
    }
    (void)fprintf(o->csv.file, ",%u,%u,", (unsigned)radio.sent, (unsigned)radio.heard);
    if (radio.heard > 0) {
        (void)fprintf(o->csv.file, "%.2f", (double)radio.strength_dbm);
    }
    (void)fprintf(o->csv.file, ",%.3f", radio.charge_mas);
}

/* A column that only scenarios with bees have. */
static void write_charge(const struct swarm_outputs *o, uint32_t i)
{
    double charge_mas;
    if (!swarm_has_bees(o->w->scenario)) {
        return;
    }
    (void)fputc(',', o->csv.file);
    if (swarm_bee_charge(o->w, i, &charge_mas)) {
        (void)fprintf(o->csv.file, "%.3f", charge_mas);
    }
}

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
    write_sensor(o, i, MF_SCENARIO_SENSOR_COMPASS);
    write_sensor(o, i, MF_SCENARIO_SENSOR_RANGE);
    write_radio(o, i);
    write_charge(o, i);
    (void)fputc('\n', o->csv.file);
}

/* ---- KML */

/* A gx:Track holds all times, then all places, and a picture is as large as all that is in it:
 * their points wait in memory. */
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

/* What has waited, output by output. */
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

static void changed(struct swarm *w, const struct swarm_change *c)
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

static int compare(const void *left, const void *right)
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
    static const char *const k_word[] = {
#define X(name, word) word,
        MF_SCENARIO_EVENT_LIST(X)
#undef X
    };
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
        (void)fprintf(o->events, "%.6f,%s,%s,%s\n", (double)e->at_us / 1e6, name, k_word[k],
                      detail);
    }
}

static void drain(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    size_t count = 0, n = 0;
    for (size_t k = 0; k < MF_CROWD_SHARDS; k++) {
        count += o->shard[k].count;
    }
    struct event *all = count > 0 ? malloc(count * sizeof *all) : NULL;
    if (all == NULL) {
        o->failed = o->failed || count > 0;
        return;
    }
    for (size_t k = 0; k < MF_CROWD_SHARDS; k++) {
        if (o->shard[k].count > 0) {
            memcpy(all + n, o->shard[k].event, o->shard[k].count * sizeof *all);
        }
        n += o->shard[k].count;
        o->shard[k].count = 0;
    }
    qsort(all, count, sizeof *all, compare);
    for (size_t k = 0; k < count; k++) {
        write_event(o, &all[k]);
    }
    free(all);
}

/* Events wait until they are sorted. */
static mf_us_t limit(struct swarm *w, mf_us_t next_us)
{
    (void)next_us;
    return outputs_of(w)->events != NULL ? w->now_us + EVENTS_MAX_US : MF_NEVER;
}

/* ---- pictures */

static void take_picture(void *ctx, uint32_t id, mf_us_t at_us)
{
    (void)id;
    swarm_display_record(((struct swarm_outputs *)ctx)->w, at_us);
}

static void begin_pictures(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    const struct mf_scenario_output *s = &w->scenario->outputs.pictures;
    if (s->file[0] == '\0') {
        return;
    }
    mf_group_init(&o->pictures, MF_PHASE_OBSERVE, take_picture, o, &o->all, 1);
    int result = mf_group_join(&w->engine, &o->pictures, 0, mf_us_of(s->every_s));
    result = result == MF_E_OK ? mf_group_add(&w->engine, &o->pictures, 0) : result;
    MF_ASSERT(result == MF_E_OK); /* the engine has room */
}

/* ---- all of them */

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

/* One switch leaves pictures out. */
static bool is_drawn(const struct swarm *w, unsigned track)
{
    return track != SWARM_TRACK_OVERHEAD || w->scenario->outputs.plots;
}

static int prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    struct swarm_outputs *o = swarm_memory(w, 1, sizeof *o);
    w->state[SWARM_SLOT_OUTPUTS] = o;
    if (o == NULL) {
        return SWARM_INPUT;
    }
    o->w = w;
    int result = sample(w, &o->csv, &s->outputs.csv, write_sample);
    for (unsigned i = 0; i < SWARM_TRACKS && result == SWARM_OK; i++) {
        result = is_drawn(w, i) ? sample(w, &o->track[i], output_of(w, i), k_keep[i]) : SWARM_OK;
    }
    return result;
}

/* @return SWARM_OK: it is open, or not wanted */
static int open_one(struct swarm *w, const struct mf_scenario_output *o, bool drawn, FILE **file)
{
    const bool wanted = o->file[0] != '\0' && drawn;
    *file = wanted ? swarm_open(w, o, 0) : NULL;
    return wanted && *file == NULL ? SWARM_INPUT : SWARM_OK;
}

static int open_all(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    memset(o->shard, 0, sizeof o->shard);
    int result = open_one(w, &w->scenario->outputs.csv, true, &o->csv.file);
    result =
        result == SWARM_OK ? open_one(w, &w->scenario->outputs.events, true, &o->events) : result;
    for (unsigned i = 0; i < SWARM_TRACKS && result == SWARM_OK; i++) {
        result = open_one(w, output_of(w, i), is_drawn(w, i), &o->track[i].file);
    }
    return result == SWARM_OK ? swarm_pictures_open(w) : result;
}

static void *saved(struct swarm *w, uint64_t *bytes)
{
    const struct swarm_tracks *t = tracks_of(w);
    *bytes = t->count * sizeof *t->point;
    return t->point;
}

static void *restore(struct swarm *w, uint64_t bytes)
{
    struct swarm_tracks *t = tracks_of(w);
    t->count = t->capacity = bytes / sizeof *t->point;
    t->point = malloc(bytes > 0 ? bytes : 1u);
    return t->point;
}

static int begin_all(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    if (o->csv.file != NULL) {
        (void)fprintf(o->csv.file,
                      "t_s,member,lat_deg,lon_deg,alt_amsl_m,vel_n_mps,vel_e_mps,vel_d_mps,yaw_deg,"
                      "mode,armed,reached,finished%s%s%s%s\n",
                      swarm_has_sensor(w->scenario, MF_SCENARIO_SENSOR_COMPASS) ? ",compass_deg"
                                                                                : "",
                      swarm_has_sensor(w->scenario, MF_SCENARIO_SENSOR_RANGE) ? ",range_m" : "",
                      swarm_has_radios(w->scenario) ? ",sent,heard,strength_dbm,radio_mas" : "",
                      swarm_has_bees(w->scenario) ? ",body_mas" : "");
    }
    if (o->events != NULL) {
        (void)fputs("t_s,member,event,detail\n", o->events);
    }
    begin(w, &o->csv, &w->scenario->outputs.csv);
    for (unsigned i = 0; i < SWARM_TRACKS; i++) {
        begin(w, &o->track[i], output_of(w, i));
    }
    begin_pictures(w);
    return SWARM_OK;
}

static bool complete(struct swarm *w)
{
    struct swarm_outputs *o = outputs_of(w);
    write_points(o);
    bool good = swarm_close(w, o->csv.file);
    good = swarm_close(w, o->events) && good;
    good = swarm_pictures_close(w) && good;
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
    .on = {[SWARM_PREPARE] = prepare, [SWARM_OPEN] = open_all, [SWARM_BEGIN] = begin_all},
    .saved = saved, /* points of tracks */
    .restore = restore,
    .limit = limit,
    .drain = drain,
    .changed = changed,
    .complete = complete,
};
