/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/drone.h"

#include "boards/posix/board.h"
#include "boards/posix/params.h"
#include "boards/posix/quality.h"
#include "boards/posix/rates.h"
#include "boards/posix/record.h"
#include "boards/posix/remote_id.h"
#include "drone/inside.h"
#include "firmware/link/signing.h"
#include "firmware/report/snapshot.h"
#include "hal-posix/clock.h"
#include "host/spec/keyfile.h"

#include <stdio.h>
#include <unistd.h>

#define COMPONENT_AUTOPILOT 1
/* Number of the word of a setting. */
#define MF_EVENT_STREAMS_ALL 1
/* The upper half of an instance's uid: "MAYF". */
#define UID_MAYFLY UINT64_C(0x4D41594600000000)

_Static_assert(MF_CONFIG_RULES_MAX <= MF_MISBEHAVE_RULES_MAX, "every configured rule fits");
_Static_assert(MF_CONFIG_FAULTS_MAX <= MF_FAULT_PLANS_MAX,
               "every configured fault fits into the schedule");
_Static_assert((int)MF_MOTION_EVENT == (int)MF_WORLD_MOTION_EVENT &&
                   (int)MF_MOTION_PHYSICS == (int)MF_WORLD_MOTION_PHYSICS,
               "words of the setting are the world's");

/* ---- world and vehicle */

static int32_t instance_of(const struct board_drone *d)
{
    return d->board->config.instance + d->index;
}

static uint64_t uid_of(const struct board_drone *d)
{
    return UID_MAYFLY | (uint64_t)(uint32_t)(instance_of(d) + 1);
}

static struct mf_world_settings world_of(struct board_drone *d)
{
    const struct mf_config *c = &d->board->config;
    struct mf_world_settings settings = {.fault_count = c->fault_count};
#define X(type, field, key, value, low, high) settings.field = c->field;
    MF_WORLD_SETTING_LIST(X)
#undef X
    settings.motion = (enum mf_world_motion)c->motion;
    settings.audit = c->audit;
    settings.epoch_utc_us = d->utc_offset_us + d->pace.start_us;
    settings.instance = uid_of(d);
    settings.geoid = &d->board->geoid;
    settings.terrain = &d->board->terrain;
    settings.memory = &d->parts;
    for (int i = 0; i < c->fault_count; i++) {
        settings.fault[i] = c->fault[i];
    }
    return settings;
}

static struct mf_hal devices(struct board_drone *d)
{
    struct mf_hal hal = mf_hal_null();
    hal.clock = &mf_clock_pace_ops;
    hal.clock_ctx = &d->pace;
    hal.store = &mf_store_file_ops;
    hal.store_ctx = &d->store;
    hal.log = &mf_api_log_ops;
    hal.log_ctx = &d->board->api[d->index];
    hal.archive = &mf_archive_file_ops;
    hal.archive_ctx = &d->archive;
    return hal;
}

static struct mf_setup vehicle_setup(struct board_drone *d)
{
    const struct mf_config *c = &d->board->config;
    struct mf_setup setup = {
        .hal = devices(d),
        .sysid = (uint8_t)(c->sysid + d->index),
        .compid = COMPONENT_AUTOPILOT,
        .uid = uid_of(d),
        .utc_us = d->utc_offset_us + d->pace.start_us,
        .options = {.px4_strict = c->px4_strict,
                    .lenient_param_types = c->lenient_param_types,
                    .lose_item_reached = c->lose_item_reached,
                    .statustext_gcs_only = c->statustext_gcs_only,
                    .px4_motion = c->motion == MF_MOTION_PHYSICS,
                    .audit = c->audit,
                    .start_grid_us = (int32_t)(c->start_grid_s * 1e6)},
    };
    board_memory_pools(d->index, &setup);
    return setup;
}

/* Vehicle time begins at 0, now; the store keeps what it has. @param start_us  now, in
 * transport time */
static int boot(struct board_drone *d, mf_us_t start_us)
{
    d->booted_us = mf_monotonic_us();
    mf_pace_start(&d->pace, start_us);
    mf_achieved_start(&d->achieved, &d->pace, d->booted_us);
    d->pace.demand.limit_us = d->connected ? MF_NEVER : 0;
    const struct mf_world_settings world = world_of(d);
    const struct mf_drone_setup setup = {
        .world = &world, .wiring = &d->wiring, .vehicle = vehicle_setup(d)};
    const int result = mf_drone_init(d->object, &setup);
    MF_ASSERT(result == MF_E_OK);
    mf_api_boot(&d->board->api[d->index]);
    return board_params_set(&d->board->config, d->vehicle);
}

/* ---- the loop's part */

/* Restart on request of a client; its links stay, since the peers do. */
static void reboot(struct board_drone *d)
{
    board_drone_log(d, MF_NOTICE, "board", "reboot");
    const int result = boot(d, mf_pace_transport(&d->pace, mf_monotonic_us()));
    MF_ASSERT(result == MF_E_OK);
    mf_time_control_boot(&d->time);
    if (mf_time_control_exists(&d->time)) {
        d->pace.demand.limit_us = 0; /* before the first pass, too */
    }
    mf_drone_catch_up(d->object, mf_monotonic_us());
    mf_drone_reconnect(d->object);
}

/* Latest vehicle time that controllers permit after a pass. */
static mf_us_t controlled(struct board_drone *d, const struct mf_wake *wake)
{
    const struct mf_status status = mf_vehicle_status(d->vehicle);
    return mf_time_control_pass(&d->time,
                                &(struct mf_time_report){
                                    .now_us = d->pace.vehicle_us,
                                    .next_us = mf_earlier(wake->essential_us, wake->periodic_us),
                                    .event_us = wake->essential_us,
                                    .events = status.counters.events,
                                    .armed = status.armed,
                                    .landed = status.on_ground,
                                });
}

/* Granted time stops where the network would forget a peer. */
static mf_us_t silence_due(const struct board_drone *d)
{
    return mf_net_silence_due(&d->board->net);
}

static bool forgets_now(const struct board_drone *d)
{
    return d->pace.granted && silence_due(d) <= mf_pace_transport(&d->pace, 0);
}

/* Run a pass. @return wall time of the next one */
static mf_us_t step_drone(struct board_drone *d)
{
    struct mf_wake wake = mf_drone_pass(d->object, mf_monotonic_us());
    if (d->pace.granted && silence_due(d) != MF_NEVER) {
        wake.periodic_us = mf_earlier(wake.periodic_us, silence_due(d) - d->pace.start_us);
    }
    const mf_us_t limit_us = controlled(d, &wake);
    d->connected = d->connected || board_is_heard(d);
    const struct mf_drone_hold hold = {.limit_us = limit_us,
                                       .guarded = mf_time_control_exists(&d->time),
                                       .standing = !d->connected,
                                       .backlog = d->backlog};
    if (d->board->server.http != NULL || d->log.format == MF_LOG_JSON) {
        mf_api_watch(&d->board->api[d->index]);
    }
    return mf_drone_next(d->object, &wake, &hold, mf_monotonic_us());
}

/* A client has not taken what was sent to it, and a clock that need not hurry waits. A serial line
 * has a rate of its own, which holds only clocks without one. */
static bool is_behind(struct board_drone *d)
{
    const bool scaled = mf_pace_is_scaled(&d->pace);
    const size_t patience = d->pace.mode == MF_PACE_EVENT ? 0 : BOARD_BACKLOG;
    d->board->net.patience = scaled ? patience : 0;
    return mf_net_backlog(&d->board->net, !scaled) > patience;
}

/* A clock makes several passes, if they are due, before the network has its turn. */
static mf_us_t passes(struct board_drone *d)
{
    mf_us_t due_us = 0;
    d->backlog = is_behind(d);
    for (int i = 0; i < BOARD_PASSES && due_us <= mf_monotonic_us(); i++) {
        due_us = step_drone(d);
        const struct mf_status status = mf_vehicle_status(d->vehicle);
        if (status.shutdown) {
            d->board->loop.stop = true;
            break;
        }
        if (status.reboot) {
            reboot(d);
            return 0; /* at once */
        }
        if (is_behind(d) || forgets_now(d)) {
            break; /* the network first */
        }
    }
    return due_us;
}

/* A clock that cannot keep its rate says so, once, and again when it can. */
static void watch_rate(struct board_drone *d)
{
    const struct mf_achieved *a = &d->achieved;
    char text[128];
    if (!mf_achieved_note(&d->achieved, &d->pace, mf_monotonic_us())) {
        return;
    }
    const char *what = !a->behind     ? "vehicle time keeps up again"
                       : a->by_client ? "vehicle time falls behind: a client does not read"
                                      : "vehicle time falls behind: the host is late";
    (void)snprintf(text, sizeof text, "%s, x%.4g of x%.4g", what, a->rate, d->pace.rate);
    board_drone_log(d, a->behind ? MF_WARNING : MF_NOTICE, "clock", text);
}

static mf_us_t serve_controllers(struct board_drone *d)
{
    const struct mf_net_stats *n = &d->board->net.stats;
    if (d->time.count == 0) {
        return MF_NEVER;
    }
    mf_net_flush(&d->board->net);
    /* opened and closed connections count as input that is yet to be processed */
    mf_time_control_count(&d->time, n->rx_bytes + n->opened + n->closed, n->tx_bytes);
    struct mf_pose truth;
    struct mf_estimate estimate;
    const bool told =
        mf_time_control_watched(&d->time) && mf_snapshot_motion(d->vehicle, &truth, &estimate);
    d->time.truth = told ? &truth : NULL;
    mf_time_control_answer(&d->time);
    d->time.truth = NULL;
    const mf_us_t virtual_us = board_virtual_turn(d->board);
    const bool more = mf_time_control_read(&d->time);
    const int broken = mf_time_control_broken(&d->time);
    if (broken >= 0) {
        mf_net_drop(&d->board->net, (uint16_t)broken, "dropped: it does not read its lines");
    }
    return more ? 0 : virtual_us;
}

/* Write all that a turn has recorded, at once. */
static void flush_record(struct board_drone *d)
{
    struct mf_recorder *r = d->wiring.recorder;
    if (r == NULL || r->failed) {
        return;
    }
    mf_recorder_flush(r);
    if (r->failed) {
        board_drone_log(d, MF_ERROR, "record",
                        board_record_is_full(d)
                            ? "record_max is reached: recording ends here, the flight goes on"
                            : "cannot write to the file: recording ends here");
    }
}

/* ---- start */

/* Set the pace of time as configured. */
static void set_pace(struct board_drone *d)
{
    const struct mf_config *c = &d->board->config;
    d->pace = (struct mf_pace){
        .mode = board_pace_mode[c->clock.kind],
        .rate = c->clock.rate,
        .gap_us = (mf_us_t)(c->event_gap_ms * 1e3),
        .every_sample = c->event_streams == MF_EVENT_STREAMS_ALL,
        .granted = c->transport == MF_TRANSPORT_VEHICLE,
    };
    mf_time_control_init(&d->time, c->clock.kind == MF_CLOCK_LOCKSTEP, mf_clock_name[c->clock.kind],
                         (uint8_t)(c->sysid + d->index));
}

static void set_wiring(struct board_drone *d, mf_us_t start_us)
{
    uint8_t *parts = d->board->pools->parts[d->index];
    d->parts = (struct mf_memory){.bytes = parts, .size = sizeof d->board->pools->parts[0]};
    mf_wiring_init(&d->wiring, &(struct mf_wiring_setup){.connections = d->memory.connections,
                                                         .count = BOARD_DRONE_LINKS,
                                                         .memory = &d->parts,
                                                         .quality_chunks = BOARD_QUALITY_CHUNKS,
                                                         .recorder_bytes = BOARD_RECORDER_BYTES,
                                                         .pace = &d->pace,
                                                         .start_us = start_us});
}

/* A key that the user gives takes the place of one in the store. */
static int provision_key(struct board_drone *d)
{
    uint8_t key[MF_SIGN_KEY_BYTES];
    char reason[MF_REASON_MAX];
    struct mf_hal hal = mf_hal_null();
    const struct mf_config_origin origin =
        mf_config_origin_of(&d->board->config, MF_CONFIG_signing_key);
    if (d->board->config.signing_key[0] == '\0') {
        return MF_E_OK;
    }
    hal.store = &mf_store_file_ops;
    hal.store_ctx = &d->store;
    if (mf_keyfile_read(d->board->config.signing_key, key, reason, sizeof reason) != MF_E_OK) {
        return mf_config_complain(&d->board->config, &origin, "%s", reason);
    }
    return mf_signing_provision(&hal, key) == MF_E_OK
               ? MF_E_OK
               : mf_config_complain(&d->board->config, &origin, "the key could not be stored");
}

void board_drone_init(struct board_drone *d, struct board *b, uint16_t index)
{
    *d = (struct board_drone){
        .board = b,
        .index = index,
        .memory = board_memory(index),
        .connected = b->config.start != MF_START_CONNECT,
    };
    d->log = (struct mf_log){
        .fd = STDERR_FILENO,
        .format = (enum mf_log_format)b->config.log,
        .level = (enum mf_severity)((int)MF_ERROR + b->config.log_level),
        .instance = instance_of(d),
    };
    d->object = d->memory.drone;
    d->vehicle = mf_drone_vehicle(d->object);
    mf_inside_init(d->memory.inside, BOARD_LINKS);
    d->guard =
        (struct mf_guard){.instance = instance_of(d), .now_us = mf_vehicle_clock(d->vehicle)};
    mf_guard_watch(&d->guard);
    b->api[index] = (struct mf_api){
        .server = &b->server,
        .drone = d->object,
        .vehicle = d->vehicle,
        .instance = instance_of(d),
        .time = &d->time,
        .ops = &board_api_ops,
        .ops_ctx = d,
        .log = &mf_log_line_ops,
        .log_ctx = &d->log,
        .json = d->log.format == MF_LOG_JSON ? &d->log : NULL,
    };
    set_pace(d);
}

/* Open the drone's files, in their state before the boot. */
static int open_files(struct board_drone *d)
{
    struct mf_config *c = &d->board->config;
    int result =
        mf_store_file_init(&d->store, d->memory.banks, c->state, c->error, sizeof c->error);
    if (result == MF_E_OK) {
        result = provision_key(d);
    }
    if (result == MF_E_OK) {
        result = mf_archive_file_init(&d->archive, d->memory.logs, BOARD_LOGS, c->state, c->error,
                                      sizeof c->error);
    }
    if (result == MF_E_OK) {
        const struct mf_setup setup = vehicle_setup(d);
        result = board_record(d, &setup);
    }
    return result;
}

int board_drone_start(struct board_drone *d)
{
    struct board *b = d->board;
    const mf_us_t now_us = mf_monotonic_us(); /* read once: --epoch is met to the microsecond */
    set_wiring(d, now_us);
    int result = board_remote_id(&b->config, uid_of(d), d->memory.remote_id);
    if (result == MF_E_OK) {
        result = open_files(d);
    }
    if (result == MF_E_OK) {
        const int64_t utc_us = b->config.epoch_utc_us != 0 ? b->config.epoch_utc_us : mf_utc_us();
        d->utc_offset_us = utc_us - now_us;
        result = boot(d, now_us);
    }
    for (uint16_t i = 0; result == MF_E_OK && i < b->config.rule_count; i++) {
        (void)mf_drone_add_rule(d->object, &b->config.rule[i]);
    }
    return result;
}

mf_us_t board_drone_turn(struct board_drone *d)
{
    mf_guard_watch(&d->guard);
    mf_drone_run(d->object, mf_monotonic_us());
    const mf_us_t due_us = passes(d);
    watch_rate(d);
    board_quality_run(d);
    return mf_earlier(due_us, mf_drone_due(d->object));
}

mf_us_t board_drone_settle(struct board_drone *d)
{
    const mf_us_t due_us = serve_controllers(d);
    flush_record(d);
    if (d->archive.failed && !d->archive_failed) {
        board_drone_log(d, MF_ERROR, "log",
                        "cannot write to the file: this flight's log ends here");
    }
    d->archive_failed = d->archive.failed;
    return due_us;
}

void board_drone_end(struct board_drone *d)
{
    mf_inside_close(d->memory.inside, d->object);
    mf_drone_end(d->object);
    d->ended = true;
}

void board_drone_close(struct board_drone *d)
{
    mf_store_file_close(&d->store);
    mf_archive_file_close(&d->archive);
}
