/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/conform/player.h"

#include "host/record/post.h"
#include "host/spec/faultspec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PAIR_BYTES 8u

/* What leaves a device that takes everything has this much room, unless the source knows better. */
#define ROOM_BYTES 65536u

__attribute__((format(printf, 3, 4))) static int fail(struct player *p, int error,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(p->error, sizeof p->error, format, args);
    va_end(args);
    return error;
}

/* ---- the source */

/* @return whether there is a record; it is p->next */
static bool read_record(struct player *p)
{
    if (!p->has_next && p->source != NULL && p->state == MF_RECORDING_RECORD) {
        p->state = mf_recording_next(p->source, &p->next);
        p->has_next = p->state == MF_RECORDING_RECORD;
    }
    return p->has_next;
}

/* Is the next record of this type, on this link? What the vehicle wrote when it was recorded is no
 * input: an own OUT answers for it. Where nothing may have come (a read, a refusal) it is not
 * passed over: what is behind it belongs to what the vehicle does later. */
static bool take_record(struct player *p, enum mf_record_type type, uint16_t link)
{
    while (read_record(p) && p->next.type == MF_RECORD_OUT && type != MF_RECORD_OUT &&
           type != MF_RECORD_REFUSED && type != MF_RECORD_IN) {
        p->has_next = false;
    }
    if (!read_record(p) || p->next.type != type || p->next.link != link) {
        return false;
    }
    p->has_next = false;
    return true;
}

/* ---- the devices; the record of take_record() stays in p->next until read_record() */

static struct mf_now clock_read(void *ctx)
{
    struct player *p = ctx;
    if (take_record(p, MF_RECORD_CLOCK, 0)) {
        const struct mf_now now = {p->next.value[0], p->next.value[1]};
        if (now.vehicle_us >= p->now.vehicle_us && now.transport_us >= p->now.transport_us &&
            now.vehicle_us <= DRONE_TIME_MAX_US && now.transport_us <= DRONE_TIME_MAX_US) {
            if (p->watch.before != NULL && p->booted && now.vehicle_us > p->now.vehicle_us) {
                p->watch.before(p->watch_ctx, now.vehicle_us);
            }
            p->now = now; /* a clock that goes back would be a programmer's error */
        }
    }
    return p->now;
}

static const struct mf_clock_ops k_clock = {clock_read};

static int store_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    return mf_store_memory_ops.info(&((struct player *)ctx)->drone.store, area, info);
}

static int store_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    return mf_store_memory_ops.get(&((struct player *)ctx)->drone.store, area, index, record);
}

static int store_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    return mf_store_memory_ops.put(&((struct player *)ctx)->drone.store, area, index, record);
}

static int store_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    struct player *p = ctx;
    if (take_record(p, MF_RECORD_SAVED, 0) && p->next.value[1] != MF_E_OK) {
        return MF_E_IO;
    }
    return mf_store_memory_ops.commit(&p->drone.store, area, count, tag);
}

static const struct mf_store_ops k_store = {store_info, store_get, store_put, store_commit};

/* ---- an archive that says what the source's said, and keeps nothing */

/* @return the answer, with its bytes in p->next, or @p none where the source has none to give */
static int64_t archive_answer(struct player *p, enum mf_record_archive call, int none)
{
    return take_record(p, MF_RECORD_ARCHIVE, 0) && p->next.value[0] == (int64_t)call
               ? p->next.value[1]
               : none;
}

static int archive_count(void *ctx)
{
    const int64_t count = archive_answer(ctx, MF_RECORD_ARCHIVE_COUNT, 0);
    return count >= 0 && count <= UINT16_MAX ? (int)count : 0;
}

static int archive_info(void *ctx, uint16_t index, struct mf_archive_info *info)
{
    struct player *p = ctx;
    (void)index;
    if (archive_answer(p, MF_RECORD_ARCHIVE_INFO, MF_E_NOENT) != MF_E_OK ||
        p->next.n != MF_RECORD_INFO_BYTES) {
        return MF_E_NOENT;
    }
    info->utc_s = (int64_t)mf_record_get(p->next.bytes, 8);
    info->size = (uint32_t)mf_record_get(p->next.bytes + 8, 4);
    return info->utc_s >= 0 && info->utc_s <= DRONE_UTC_MAX_S ? MF_E_OK : MF_E_NOENT;
}

static int archive_read(void *ctx, uint16_t index, uint32_t offset, uint8_t *bytes, size_t n)
{
    struct player *p = ctx;
    (void)index, (void)offset;
    const int64_t got = archive_answer(p, MF_RECORD_ARCHIVE_READ, MF_E_NOENT);
    if (got < 0 || (size_t)got != p->next.n || (size_t)got > n) {
        return MF_E_IO;
    }
    if (got > 0) {
        memcpy(bytes, p->next.bytes, (size_t)got);
    }
    return (int)got;
}

static int archive_begin(void *ctx, int64_t utc_s)
{
    (void)utc_s;
    const int64_t result = archive_answer(ctx, MF_RECORD_ARCHIVE_BEGIN, MF_E_NOSUPP);
    return result == MF_E_OK || result == MF_E_DENIED || result == MF_E_NOSUPP ? (int)result
                                                                               : MF_E_IO;
}

static void archive_append(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx, (void)bytes, (void)n;
}

static void archive_end(void *ctx)
{
    (void)ctx;
}

static int archive_erase(void *ctx)
{
    return archive_answer(ctx, MF_RECORD_ARCHIVE_ERASE, MF_E_OK) == MF_E_OK ? MF_E_OK : MF_E_IO;
}

static int archive_room(void *ctx, struct mf_archive_room *room)
{
    struct player *p = ctx;
    if (archive_answer(p, MF_RECORD_ARCHIVE_ROOM, MF_E_NOSUPP) != MF_E_OK ||
        p->next.n != MF_RECORD_ROOM_BYTES) {
        return MF_E_NOSUPP;
    }
    room->total = mf_record_get(p->next.bytes, 8);
    room->free = mf_record_get(p->next.bytes + 8, 8);
    return MF_E_OK;
}

static const struct mf_archive_ops k_archive = {archive_count, archive_info,   archive_read,
                                                archive_begin, archive_append, archive_end,
                                                archive_erase, archive_room};

static int serial_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct player_port *port = ctx;
    struct player *p = port->player;
    if (take_record(p, MF_RECORD_REFUSED, port->number)) {
        return p->next.value[1] < 0 ? MF_E_IO : 0;
    }
    (void)take_record(p, MF_RECORD_OUT, port->number);
    if (p->sent != NULL) {
        p->sent(p->sent_ctx, port->number, bytes, n);
    }
    return (int)n;
}

static int serial_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct player_port *port = ctx;
    struct player *p = port->player;
    if (port->waiting == 0) {
        const bool came = take_record(p, MF_RECORD_IN, port->number);
        const size_t n = came && p->next.n <= cap ? p->next.n : 0;
        if (n > 0) {
            memcpy(bytes, p->next.bytes, n);
        }
        return (int)n;
    }
    const size_t n = port->waiting < cap ? port->waiting : cap;
    memcpy(bytes, port->inbox, n);
    port->waiting -= n;
    memmove(port->inbox, port->inbox + n, port->waiting);
    return (int)n;
}

static size_t serial_room(void *ctx)
{
    struct player_port *port = ctx;
    struct player *p = port->player;
    return take_record(p, MF_RECORD_ROOM, port->number) ? (size_t)p->next.value[0] : ROOM_BYTES;
}

static const struct mf_serial_ops k_serial = {serial_write, serial_read, serial_room};

/* ---- the calls */

void player_init(struct player *p, mf_recorder_write *write, void *ctx)
{
    for (uint16_t i = 0; i < DRONE_LINKS; i++) {
        p->port[i].player = p;
        p->port[i].number = i;
    }
    drone_init(&p->drone, write, ctx);
    p->recorder = p->drone.wiring.recorder;
}

int player_set(struct player *p, const char *text, size_t n)
{
    if (p->booted) {
        return fail(p, MF_E_DENIED, "a setting after the boot");
    }
    const int result = drone_set(&p->drone, text, n);
    if (result != MF_E_OK && p->drone.earth.why[0] != '\0') {
        return fail(p, result, "%s", p->drone.earth.why);
    }
    if (result != MF_E_OK) {
        return fail(p, result, "setting '%.*s': %s", (int)(n < 80 ? n : 80), text,
                    result == MF_E_NOENT ? "this build does not know it" : mf_err_text(result));
    }
    mf_recorder_setting(p->recorder, text, n);
    return MF_E_OK;
}

int player_boot(struct player *p, int64_t epoch_utc_us)
{
    struct mf_hal hal = mf_hal_null();
    hal.clock = &k_clock;
    hal.clock_ctx = p;
    hal.store = &k_store;
    hal.store_ctx = p;
    hal.archive = &k_archive;
    hal.archive_ctx = p;
    if (p->log != NULL) {
        hal.log = p->log;
        hal.log_ctx = p->watch_ctx;
    }
    for (size_t i = 0; i < DRONE_LINKS; i++) {
        p->port[i].open = false;
        p->port[i].waiting = 0;
    }
    p->now = (struct mf_now){0, 0};
    p->wake = (struct mf_wake){0};
    const int result = drone_boot(&p->drone, &hal, epoch_utc_us);
    if (result != MF_E_OK) {
        return fail(p, result, "the settings make no vehicle: %s", mf_err_text(result));
    }
    p->booted = true;
    mf_recorder_flush(p->recorder);
    if (p->watch.boot != NULL) {
        p->watch.boot(p->watch_ctx, epoch_utc_us);
    }
    return MF_E_OK;
}

static int check_booted(struct player *p)
{
    return p->booted ? MF_E_OK : fail(p, MF_E_DENIED, "a call before the boot");
}

/* The port of an open link, or NULL with an error */
static struct player_port *open_port(struct player *p, uint16_t link)
{
    if (link >= DRONE_LINKS || !p->port[link].open) {
        (void)fail(p, MF_E_NOENT, "link %u is not open", link);
        return NULL;
    }
    return &p->port[link];
}

int player_open(struct player *p, uint16_t link, unsigned device_is, const char *name,
                const int32_t *interval_us)
{
    if (check_booted(p) != MF_E_OK) {
        return MF_E_DENIED;
    }
    if (link >= DRONE_LINKS || p->port[link].open) {
        return fail(p, MF_E_RANGE, "link %u is open already, or beyond the last", link);
    }
    struct player_port *port = &p->port[link];
    const struct mf_serial device = {
        .ops = &k_serial,
        .ctx = port,
        .datagram = (device_is & MF_RECORD_DATAGRAM) != 0,
        .isolated = (device_is & MF_RECORD_ISOLATED) != 0,
        .usb = (device_is & MF_RECORD_USB) != 0,
    };
    port->waiting = 0;
    memcpy(port->interval_us, interval_us, sizeof port->interval_us);
    (void)snprintf(port->name, sizeof port->name, "%s", name);
    port->open =
        mf_drone_open(&p->drone.object, &(struct mf_drone_link){.serial = device,
                                                                .name = port->name,
                                                                .interval_us = port->interval_us,
                                                                .number = link}) >= 0;
    mf_recorder_flush(p->recorder);
    return MF_E_OK;
}

int player_close(struct player *p, uint16_t link)
{
    struct player_port *port = open_port(p, link);
    if (port == NULL) {
        return MF_E_NOENT;
    }
    mf_drone_close(&p->drone.object, link);
    port->open = false;
    return MF_E_OK;
}

int player_step(struct player *p)
{
    if (check_booted(p) != MF_E_OK) {
        return MF_E_DENIED;
    }
    p->wake = mf_drone_step(&p->drone.object);
    mf_recorder_flush(p->recorder);
    return MF_E_OK;
}

int player_jump(struct player *p, mf_us_t at_us)
{
    if (check_booted(p) != MF_E_OK) {
        return MF_E_DENIED;
    }
    if (at_us < p->now.vehicle_us || at_us > DRONE_TIME_MAX_US) {
        return fail(p, MF_E_RANGE, "a jump back in time, or out of it");
    }
    mf_drone_jump_to(&p->drone.object, at_us);
    return MF_E_OK;
}

int player_feed(struct player *p, uint16_t link, const uint8_t *bytes, size_t n)
{
    struct player_port *port = open_port(p, link);
    if (port == NULL) {
        return MF_E_NOENT;
    }
    if (n > sizeof port->inbox - port->waiting) {
        return fail(p, MF_E_FULL, "link %u: more than %u bytes at once", link, PLAYER_INBOX_BYTES);
    }
    memcpy(port->inbox + port->waiting, bytes, n);
    port->waiting += n;
    return MF_E_OK;
}

int player_message(struct player *p, uint16_t link, struct mf_address from, uint32_t msgid,
                   const void *msg)
{
    if (open_port(p, link) == NULL) {
        return MF_E_NOENT;
    }
    (void)mf_drone_message(&p->drone.object, link, from, msgid, msg);
    mf_recorder_flush(p->recorder);
    return MF_E_OK;
}

void player_end(struct player *p)
{
    mf_recorder_call(p->recorder, MF_RECORD_END, 0);
}

/* ---- records */

static int play_open(struct player *p, const struct mf_record *record)
{
    char name[MF_RECORD_NAME_BYTES];
    int32_t interval_us[MF_STREAM_COUNT];
    if (record->n < sizeof name || (record->n - sizeof name) % PAIR_BYTES != 0) {
        return fail(p, MF_E_RANGE, "an OPEN that is cut or too long");
    }
    memcpy(name, record->bytes, sizeof name);
    name[sizeof name - 1] = '\0';
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        interval_us[i] = MF_STREAM_OFF;
    }
    for (size_t at = sizeof name; at < record->n; at += PAIR_BYTES) {
        const uint32_t msgid = (uint32_t)mf_record_get(record->bytes + at, 4);
        const uint32_t bits = (uint32_t)mf_record_get(record->bytes + at + 4, 4);
        const int stream = mf_stream_find(msgid);
        if (stream < 0) {
            return fail(p, MF_E_NOENT, "message %u is not a stream of this build", (unsigned)msgid);
        }
        interval_us[stream] = (int32_t)bits;
    }
    return player_open(p, record->link, (unsigned)record->value[0], name, interval_us);
}

static int play_stored(struct player *p, const struct mf_record *record)
{
    uint8_t bytes[DRONE_RECORD_MAX] = {0};
    const bool held = record->type == MF_RECORD_HELD;
    const int64_t index = record->value[1];
    if (p->booted || record->value[0] < 0 || record->value[0] >= MF_STORE_AREA_COUNT || index < 0 ||
        index > DRONE_RECORDS || record->n > sizeof bytes) {
        return fail(p, MF_E_RANGE, "a record of the store that makes no sense");
    }
    const enum mf_store_area area = (enum mf_store_area)record->value[0];
    mf_recorder_put(p->recorder, record);
    if (record->n > 0) {
        memcpy(bytes, record->bytes, record->n);
    }
    return held ? mf_store_memory_ops.commit(&p->drone.store, area, (uint16_t)index,
                                             (uint32_t)record->value[2])
                : mf_store_memory_ops.put(&p->drone.store, area, (uint16_t)index, bytes);
}

static int play_fault(struct player *p, const struct mf_record *record)
{
    struct mf_fault_plan plan;
    char reason[MF_FAULT_REASON_MAX];
    if (check_booted(p) != MF_E_OK) {
        return MF_E_DENIED;
    }
    if (mf_fault_spec_parse((const char *)record->bytes, record->n, &plan, reason) != MF_E_OK) {
        return fail(p, MF_E_RANGE, "%s", reason);
    }
    const struct mf_fault_values *with = record->value[1] != 0 ? &plan.with : NULL;
    const bool at_once = record->value[0] == MF_RECORD_FAULT_PLAN_NOW;
    if (at_once || record->value[0] == MF_RECORD_FAULT_PLAN) {
        (void)mf_post_plan(&p->drone.object, &plan, at_once);
    } else if (record->value[0] == MF_RECORD_FAULT_UNPLAN) {
        (void)mf_post_unplan(&p->drone.object, plan.fault);
    } else {
        (void)mf_post_fault(&p->drone.object, plan.fault, record->value[0] != MF_RECORD_FAULT_OFF,
                            with);
    }
    mf_recorder_flush(p->recorder);
    return MF_E_OK;
}

static int play_message(struct player *p, const struct mf_record *record)
{
    struct mf_frame frame;
    union mf_msg msg;
    if (!mf_frame_read(record->bytes, record->n, &frame)) {
        return fail(p, MF_E_RANGE, "a MESSAGE that is not a frame of a message of this build");
    }
    mf_msg_unpack(frame.info, frame.payload, frame.len, &msg);
    return player_message(p, record->link, (struct mf_address){frame.sysid, frame.compid},
                          frame.info->id, &msg);
}

static int play(struct player *p, const struct mf_record *record)
{
    switch (record->type) {
    case MF_RECORD_SETTING:
        return player_set(p, (const char *)record->bytes, record->n);
    case MF_RECORD_STORED:
    case MF_RECORD_HELD:
        return play_stored(p, record);
    case MF_RECORD_BOOT:
        return player_boot(p, record->value[0]);
    case MF_RECORD_STEP:
        return player_step(p);
    case MF_RECORD_OPEN:
        return play_open(p, record);
    case MF_RECORD_CLOSE:
        return player_close(p, record->link);
    case MF_RECORD_JUMP:
        return player_jump(p, record->value[0]);
    case MF_RECORD_FAULT:
        return play_fault(p, record);
    case MF_RECORD_MESSAGE:
        return play_message(p, record);
    case MF_RECORD_END:
        player_end(p);
        return MF_E_OK;
    case MF_RECORD_IN: /* behind a frame that was not sent this time: it is read later, not lost */
        (void)player_feed(p, record->link, record->bytes, record->n);
        return MF_E_OK;
    case MF_RECORD_CLOCK:
    case MF_RECORD_OUT:
    case MF_RECORD_REFUSED:
    case MF_RECORD_ROOM:
    case MF_RECORD_SAVED:
    case MF_RECORD_ARCHIVE:
    default:
        return MF_E_OK; /* inputs that the vehicle did not ask for this time, outputs not made */
    }
}

int player_run(struct player *p, struct mf_recording_reader *source)
{
    p->source = source;
    p->state = MF_RECORDING_RECORD;
    int result = MF_E_OK;
    while (result == MF_E_OK && read_record(p)) {
        const struct mf_record record = p->next; /* its bytes stay until the next read_record() */
        p->has_next = false;
        result = play(p, &record);
        if (p->watch.after != NULL && p->booted && result == MF_E_OK &&
            (record.type == MF_RECORD_STEP || record.type == MF_RECORD_FAULT ||
             record.type == MF_RECORD_MESSAGE)) {
            p->watch.after(p->watch_ctx);
        }
        if (record.type == MF_RECORD_END) {
            break;
        }
    }
    if (result == MF_E_OK && p->state == MF_RECORDING_DAMAGED) {
        result = fail(p, MF_E_IO, "%s", source->error);
    }
    mf_recorder_flush(p->recorder);
    return result;
}
