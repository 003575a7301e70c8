/* SPDX-License-Identifier: Apache-2.0 */
/* Records vehicles, and logs the telemetry of vehicles and ghosts, each into a file.
 * program/systems.c lists its system. */
#include "boards/swarm/output/taps.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/arrivals.h"
#include "drone/calls.h"
#include "drone/wiring.h"
#include "firmware/report/stream.h"
#include "firmware/state/barrier.h"
#include "firmware/state/link.h"
#include "host/record/setting.h"
#include "host/spec/faultspec.h"

#include <inttypes.h>
#include <string.h>

#define TAPS_MAX       256u
#define LINKS          2u                      /* links of inside orders and of the log */
#define LINKS_MAX      (LINKS + SWARM_CLIENTS) /* with links of clients */
#define TLOG_LINK      1u
#define RECORDER_BYTES 8192u

/* Files of one member. */
struct tap {
    const struct swarm *w;
    uint32_t i;
    FILE *record, *tlog; /* NULL: the scenario does not want the file */
    bool failed;
    int64_t utc_us; /* UTC at vehicle time 0 [us since 1970] */
    const mf_us_t *now_us;
    struct mf_link links[LINKS_MAX];
    struct mf_barrier barriers[LINKS_MAX];
    struct mf_connection connections[LINKS_MAX];
    struct mf_wiring wiring;
    struct mf_memory memory;
    uint8_t parts[MF_WIRING_RECORDER_BYTES(LINKS_MAX, RECORDER_BYTES)];
};

struct swarm_taps {
    uint32_t count;
    int32_t interval_us[2][MF_STREAM_COUNT]; /* [0]: intervals of streams; [1]: with remote
                                              * identification */
    struct tap *tap[TAPS_MAX];
};

static struct swarm_taps *taps_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_TAPS];
}

/* ---- members that outputs name */

static struct tap *find_tap(const struct swarm *w, uint32_t i)
{
    const struct swarm_taps *t = taps_of(w);
    for (uint32_t k = 0; k < t->count; k++) {
        if (t->tap[k]->i == i) {
            return t->tap[k];
        }
    }
    return NULL;
}

static struct tap *add_tap(struct swarm *w, const struct mf_scenario_output *o, uint32_t i)
{
    struct swarm_taps *t = taps_of(w);
    struct tap *tap = find_tap(w, i);
    if (tap != NULL) {
        return tap;
    }
    if (t->count == TAPS_MAX) {
        (void)swarm_refuse(w, o->line, "outputs: more than %u members are recorded or logged",
                           TAPS_MAX);
        return NULL;
    }
    tap = swarm_memory(w, o->line, sizeof *tap);
    if (tap != NULL) {
        tap->w = w;
        tap->i = i;
        tap->utc_us = w->scenario->time.epoch_us;
        t->tap[t->count++] = tap;
    }
    return tap;
}

/* True if a member is a ghost with a MAVLink link, whose frames can be logged. */
static bool is_logged_ghost(const struct swarm *w, uint32_t i)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    return e->as == MF_SCENARIO_KIND_GHOST && e->link.count > 0 &&
           strcmp(e->link.text[e->link.count > 1 ? i - e->first : 0], "bus") != 0;
}

/* Add a tap for each member that an output names. */
static int add_chosen_taps(struct swarm *w, const struct mf_scenario_output *o, bool record)
{
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    if (o->of.count == 0) {
        return swarm_refuse(w, o->line, "outputs: %s needs of: [MEMBER...]",
                            record ? "record" : "tlog");
    }
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        if (!mf_scenario_is_chosen(w->scenario, &o->of, i, false)) {
            continue;
        }
        if (!swarm_is_vehicle(w, i) && (record || !is_logged_ghost(w, i))) {
            return swarm_refuse(w, o->line, "outputs: %s has vehicles%s only",
                                record ? "record" : "tlog",
                                record ? "" : ", and ghosts with a link of MAVLink,");
        }
        if (add_tap(w, o, i) == NULL) {
            return SWARM_INPUT;
        }
    }
    return SWARM_OK;
}

/* Open an output's file for each member that it names. */
static int open_tap_files(struct swarm *w, const struct mf_scenario_output *o, bool record)
{
    for (uint32_t k = 0; k < taps_of(w)->count; k++) {
        struct tap *tap = taps_of(w)->tap[k];
        FILE **file = record ? &tap->record : &tap->tlog;
        const bool chosen =
            o->file[0] != '\0' && mf_scenario_is_chosen(w->scenario, &o->of, tap->i, false);
        *file = chosen ? swarm_open(w, o, tap->i) : NULL;
        if (chosen && *file == NULL) {
            return SWARM_INPUT;
        }
    }
    return SWARM_OK;
}

static int prepare_taps(struct swarm *w)
{
    w->state[SWARM_SLOT_TAPS] = swarm_memory(w, 1, sizeof *taps_of(w));
    if (taps_of(w) == NULL) {
        return SWARM_INPUT;
    }
    for (size_t k = 0; k < 2; k++) {
        mf_stream_profile(MF_PROFILE_sim, taps_of(w)->interval_us[k]);
    }
    mf_stream_remote_id(taps_of(w)->interval_us[1]);
    const int result = add_chosen_taps(w, &w->scenario->outputs.record, true);
    return result == SWARM_OK ? add_chosen_taps(w, &w->scenario->outputs.tlog, false) : result;
}

static int open_taps(struct swarm *w)
{
    const int result = open_tap_files(w, &w->scenario->outputs.record, true);
    return result == SWARM_OK ? open_tap_files(w, &w->scenario->outputs.tlog, false) : result;
}

/* ---- recordings: the vehicle's settings, then all its inputs and outputs */

static bool write_record(void *ctx, const uint8_t *bytes, size_t n)
{
    struct tap *tap = ctx;
    tap->failed = tap->failed || fwrite(bytes, 1, n, tap->record) != n;
    return !tap->failed;
}

static void put_settings(struct mf_recorder *r, const struct mf_scenario_entity *e,
                         const struct mf_setup *v, const struct mf_world_settings *world)
{
    mf_record_setting(r, "links=%u", v->link_count);
    mf_record_setting(r, "sysid=%u", v->sysid);
    mf_record_setting(r, "compid=%u", v->compid);
    mf_record_setting(r, "uid=0x%" PRIx64, v->uid);
    mf_record_setting(r, "holdable_clock=%d", v->barriers != NULL);
    mf_record_setting(r, "services=0"); /* without files, shell and signatures */
    mf_record_setting(r, "start_grid_us=%" PRId32, v->options.start_grid_us);
    mf_record_setting(r, "motion=%s",
                      world->motion == MF_WORLD_MOTION_PHYSICS ? "physics" : "constant");
#define PUT_INT(field, key)                   mf_record_setting(r, "%s=%" PRId32, key, world->field);
#define PUT_REAL(field, key)                  mf_record_setting(r, "%s=%.17g", key, world->field);
#define X(type, field, key, value, low, high) PUT_##type(field, key)
    MF_WORLD_SETTING_LIST(X)
#undef X
    for (uint32_t i = 0; i < e->params; i++) {
        mf_record_setting(r, "param.%s=%.17g", e->param[i].name, e->param[i].value);
    }
    for (uint32_t i = 0; i < world->fault_count; i++) {
        char text[MF_FAULT_SPEC_MAX];
        mf_fault_spec_print(&world->fault[i], text);
        mf_record_setting(r, "fault=%s", text);
    }
    mf_record_setting(r, "geoid=egm96");
}

static int describe_tap(struct swarm *w, uint32_t i, struct mf_drone_setup *setup,
                        struct mf_world_settings *world)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    struct tap *tap = find_tap(w, i);
    if (tap == NULL) {
        return MF_E_OK;
    }
    setup->vehicle.links = tap->links;
    setup->vehicle.link_count = swarm_has(w, SWARM_SLOT_LINKS) ? LINKS_MAX : LINKS;
    setup->vehicle.barriers = swarm_has(w, SWARM_SLOT_LINKS) ? tap->barriers : NULL;
    tap->utc_us = world->epoch_utc_us;
    tap->memory = (struct mf_memory){.bytes = tap->parts, .size = sizeof tap->parts};
    if (tap->record == NULL && !swarm_has(w, SWARM_SLOT_LINKS)) {
        return MF_E_OK;
    }
    setup->wiring = &tap->wiring;
    mf_wiring_init(&tap->wiring, &(struct mf_wiring_setup){.connections = tap->connections,
                                                           .count = setup->vehicle.link_count,
                                                           .memory = &tap->memory,
                                                           .recorder_bytes = RECORDER_BYTES});
    if (tap->record == NULL) {
        return MF_E_OK;
    }
    const int result = mf_wiring_record(&tap->wiring, write_record, tap);
    MF_ASSERT(result == MF_E_OK);
    put_settings(tap->wiring.recorder, e, &setup->vehicle, world);
    mf_recorder_store(tap->wiring.recorder, &setup->vehicle.hal);
    return MF_E_OK;
}

/* ---- telemetry logs: time of each frame [us since 1970, big-endian], then the frame */

static void log_frames(struct tap *tap, mf_us_t now_us, const uint8_t *bytes, size_t n)
{
    const uint64_t at_us = (uint64_t)(tap->utc_us + now_us);
    uint8_t head[8];
    for (int i = 0; i < 8; i++) {
        head[i] = (uint8_t)(at_us >> (56 - 8 * i));
    }
    tap->failed = tap->failed || fwrite(head, 1, sizeof head, tap->tlog) != sizeof head ||
                  fwrite(bytes, 1, n, tap->tlog) != n;
}

static int log_sent_frames(void *ctx, const uint8_t *bytes, size_t n)
{
    struct tap *tap = ctx;
    if (!swarm_is_absent(tap->w, tap->i, *tap->now_us)) {
        log_frames(tap, *tap->now_us, bytes, n);
    }
    return (int)n;
}

static void tap_heard(const struct swarm *w, uint32_t i, mf_us_t at_us, const uint8_t *frame,
                      size_t n)
{
    struct tap *tap = taps_of(w) != NULL ? find_tap(w, i) : NULL;
    if (tap != NULL && tap->tlog != NULL) {
        log_frames(tap, at_us > 0 ? at_us : 0, frame, n);
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): the contract's type
static int read_nothing(void *ctx, uint8_t *bytes, size_t cap)
{
    (void)ctx, (void)bytes, (void)cap;
    return 0;
}

static size_t much_room(void *ctx)
{
    (void)ctx;
    return 65536;
}

static const struct mf_serial_ops k_tlog = {log_sent_frames, read_nothing, much_room};

static int begin_tlog(struct swarm *w, uint32_t i, struct mf_drone *drone)
{
    struct tap *tap = find_tap(w, i);
    if (tap == NULL || tap->tlog == NULL) {
        return MF_E_OK;
    }
    tap->now_us = mf_vehicle_clock(mf_drone_vehicle(drone));
    const struct mf_drone_link link = {.serial = {.ops = &k_tlog, .ctx = tap},
                                       .name = "tlog",
                                       .interval_us =
                                           taps_of(w)->interval_us[swarm_sends_remote_id(w, i)],
                                       .number = TLOG_LINK};
    const int result = mf_drone_open(drone, &link);
    return result < 0 ? result : MF_E_OK;
}

static int flush_taps(struct swarm *w)
{
    const struct swarm_taps *t = taps_of(w);
    for (uint32_t k = 0; k < t->count; k++) {
        if (t->tap[k]->wiring.recorder != NULL) {
            mf_recorder_flush(t->tap[k]->wiring.recorder);
        }
    }
    return SWARM_OK;
}

static bool close_taps(struct swarm *w)
{
    bool good = true;
    (void)flush_taps(w);
    for (uint32_t k = 0; k < taps_of(w)->count; k++) {
        struct tap *tap = taps_of(w)->tap[k];
        FILE *const files[] = {tap->record, tap->tlog};
        for (size_t f = 0; f < 2; f++) {
            tap->failed = (files[f] != NULL && fclose(files[f]) != 0) || tap->failed;
        }
        good = good && !tap->failed;
    }
    return good;
}

static int begin_ghost_taps(struct swarm *w)
{
    swarm_ghosts_set_tap(w, tap_heard);
    return SWARM_OK;
}

const struct swarm_system swarm_taps_system = {
    .name = "taps",
    .on = {[SWARM_PREPARE] = prepare_taps,
           [SWARM_OPEN] = open_taps,
           [SWARM_BOOT] = begin_ghost_taps,
           [SWARM_FLUSH] = flush_taps},
    .describe = describe_tap,
    .booted = begin_tlog,
    .complete = close_taps,
};
