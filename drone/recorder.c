/* SPDX-License-Identifier: Apache-2.0 */
/* Recorder around clock, store, archive and serial devices. Called by drone/wiring, boards and
 * host/record. */
#include "drone/recorder.h"

#include "firmware/core/text.h"
#include "firmware/report/stream.h"
#include "mavlink/frame.h"

#define PAIR_BYTES 8u /* message, interval */

_Static_assert(MF_RECORD_NAME_BYTES + PAIR_BYTES * MF_STREAM_COUNT <= MF_RECORD_BYTES_MAX,
               "the intervals of all streams fit into an OPEN");

void mf_recorder_flush(struct mf_recorder *r)
{
    if (r->running && r->len > 0 && !r->write(r->ctx, r->memory.buffer, r->len)) {
        r->running = false;
        r->failed = true;
    }
    r->len = 0;
}

void mf_recorder_put(struct mf_recorder *r, const struct mf_record *record)
{
    if (!r->running) {
        return;
    }
    if (r->len + MF_RECORD_MAX > r->memory.size) {
        mf_recorder_flush(r);
    }
    r->len += mf_record_encode(record, r->memory.buffer + r->len);
}

/* ---- the devices */

static struct mf_now clock_read(void *ctx)
{
    struct mf_recorder *r = ctx;
    const struct mf_now now = mf_clock_read(&r->inner);
    mf_recorder_put(r, &(struct mf_record){.type = MF_RECORD_CLOCK,
                                           .value = {now.vehicle_us, now.transport_us}});
    return now;
}

static const struct mf_clock_ops k_clock = {clock_read};

static int store_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    return mf_store_info(&((struct mf_recorder *)ctx)->inner, area, info);
}

static int store_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    return mf_store_get(&((struct mf_recorder *)ctx)->inner, area, index, record);
}

static int store_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    return mf_store_put(&((struct mf_recorder *)ctx)->inner, area, index, record);
}

/* Commit and record the result: a medium may fail, so the result is an input. */
static int store_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    struct mf_recorder *r = ctx;
    const int result = mf_store_commit(&r->inner, area, count, tag);
    mf_recorder_put(r,
                    &(struct mf_record){.type = MF_RECORD_SAVED, .value = {(int64_t)area, result}});
    return result;
}

static const struct mf_store_ops k_store = {store_info, store_get, store_put, store_commit};

/* Record an answer of the archive, which is an input: it depends on earlier flights and a disk. */
static int record_answer(struct mf_recorder *r, enum mf_record_archive call, int result,
                         const uint8_t *bytes, size_t n)
{
    mf_recorder_put(r, &(struct mf_record){.type = MF_RECORD_ARCHIVE,
                                           .value = {(int64_t)call, result},
                                           .bytes = bytes,
                                           .n = n});
    return result;
}

static int archive_count(void *ctx)
{
    struct mf_recorder *r = ctx;
    return record_answer(r, MF_RECORD_ARCHIVE_COUNT, mf_archive_count(&r->inner), NULL, 0);
}

static int archive_info(void *ctx, uint16_t index, struct mf_archive_info *info)
{
    struct mf_recorder *r = ctx;
    uint8_t bytes[MF_RECORD_INFO_BYTES];
    const int result = mf_archive_info(&r->inner, index, info);
    if (result != MF_E_OK) {
        return record_answer(r, MF_RECORD_ARCHIVE_INFO, result, NULL, 0);
    }
    mf_record_put(bytes, (uint64_t)info->utc_s, 8);
    mf_record_put(bytes + 8, info->size, 4);
    return record_answer(r, MF_RECORD_ARCHIVE_INFO, result, bytes, sizeof bytes);
}

static int archive_read(void *ctx, uint16_t index, uint32_t offset, uint8_t *bytes, size_t n)
{
    struct mf_recorder *r = ctx;
    const size_t cap = n < MF_RECORD_BYTES_MAX ? n : MF_RECORD_BYTES_MAX;
    const int result = mf_archive_read(&r->inner, index, offset, bytes, cap);
    return record_answer(r, MF_RECORD_ARCHIVE_READ, result, bytes, result > 0 ? (size_t)result : 0);
}

static int archive_begin(void *ctx, int64_t utc_s)
{
    struct mf_recorder *r = ctx;
    return record_answer(r, MF_RECORD_ARCHIVE_BEGIN, mf_archive_begin(&r->inner, utc_s), NULL, 0);
}

static void archive_append(void *ctx, const uint8_t *bytes, size_t n)
{
    mf_archive_append(&((struct mf_recorder *)ctx)->inner, bytes, n);
}

static void archive_end(void *ctx)
{
    mf_archive_end(&((struct mf_recorder *)ctx)->inner);
}

static int archive_erase(void *ctx)
{
    struct mf_recorder *r = ctx;
    return record_answer(r, MF_RECORD_ARCHIVE_ERASE, mf_archive_erase(&r->inner), NULL, 0);
}

static int archive_room(void *ctx, struct mf_archive_room *room)
{
    struct mf_recorder *r = ctx;
    uint8_t bytes[MF_RECORD_ROOM_BYTES];
    const int result = mf_archive_room(&r->inner, room);
    if (result != MF_E_OK) {
        return record_answer(r, MF_RECORD_ARCHIVE_ROOM, result, NULL, 0);
    }
    mf_record_put(bytes, room->total, 8);
    mf_record_put(bytes + 8, room->free, 8);
    return record_answer(r, MF_RECORD_ARCHIVE_ROOM, result, bytes, sizeof bytes);
}

static const struct mf_archive_ops k_archive = {archive_count, archive_info,   archive_read,
                                                archive_begin, archive_append, archive_end,
                                                archive_erase, archive_room};

static int serial_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_recorder_link *link = ctx;
    const int result = mf_serial_write(&link->serial, bytes, n);
    struct mf_record record = {.type = MF_RECORD_OUT, .link = link->number, .bytes = bytes, .n = n};
    if (result != (int)n) {
        record = (struct mf_record){
            .type = MF_RECORD_REFUSED, .link = link->number, .value = {(int64_t)n, result}};
    }
    mf_recorder_put(link->recorder, &record);
    return result;
}

static int serial_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct mf_recorder_link *link = ctx;
    const int n =
        mf_serial_read(&link->serial, bytes, cap < MF_RECORD_BYTES_MAX ? cap : MF_RECORD_BYTES_MAX);
    if (n > 0) {
        mf_recorder_put(link->recorder, &(struct mf_record){.type = MF_RECORD_IN,
                                                            .link = link->number,
                                                            .bytes = bytes,
                                                            .n = (size_t)n});
    }
    return n;
}

static size_t serial_room(void *ctx)
{
    struct mf_recorder_link *link = ctx;
    const size_t room = mf_serial_room(&link->serial);
    mf_recorder_put(link->recorder, &(struct mf_record){.type = MF_RECORD_ROOM,
                                                        .link = link->number,
                                                        .value = {(int64_t)room}});
    return room;
}

static const struct mf_serial_ops k_serial = {serial_write, serial_read, serial_room};

/* ---- calls of the board */

void mf_recorder_start(struct mf_recorder *r, mf_recorder_write *write, void *ctx,
                       const struct mf_recorder_memory *memory)
{
    MF_ASSERT(memory->size >= MF_RECORD_MAX);
    *r = (struct mf_recorder){
        .write = write, .ctx = ctx, .memory = *memory, .running = true, .inner = mf_hal_null()};
    mf_recording_header(memory->buffer);
    r->len = MF_RECORDING_HEADER_BYTES;
}

void mf_recorder_setting(struct mf_recorder *r, const char *text, size_t n)
{
    MF_ASSERT(n > 0 && n <= MF_RECORD_BYTES_MAX);
    mf_recorder_put(
        r, &(struct mf_record){.type = MF_RECORD_SETTING, .bytes = (const uint8_t *)text, .n = n});
}

static void put_area(struct mf_recorder *r, const struct mf_hal *hal, enum mf_store_area area,
                     const char *name, size_t size)
{
    struct mf_store_info info;
    uint8_t bytes[64];
    MF_ASSERT(size <= sizeof bytes);
    if (mf_store_info(hal, area, &info) != MF_E_OK) {
        return;
    }
    struct mf_text setting = mf_text("store.");
    mf_text_add(&setting, name);
    mf_text_add(&setting, "=");
    mf_text_add_int(&setting, info.capacity);
    mf_recorder_setting(r, setting.s, setting.len);
    if (info.count == 0) {
        return;
    }
    for (uint16_t i = 0; i < info.count; i++) {
        if (mf_store_get(hal, area, i, bytes) == MF_E_OK) {
            mf_recorder_put(
                r, &(struct mf_record){
                       .type = MF_RECORD_STORED, .value = {area, i}, .bytes = bytes, .n = size});
        }
    }
    mf_recorder_put(
        r, &(struct mf_record){.type = MF_RECORD_HELD, .value = {area, info.count, info.tag}});
}

void mf_recorder_store(struct mf_recorder *r, const struct mf_hal *hal)
{
#define X(name, size) put_area(r, hal, MF_STORE_##name, #name, (size));
    MF_STORE_AREA_LIST(X)
#undef X
}

void mf_recorder_boot(struct mf_recorder *r, struct mf_hal *hal, int64_t epoch_utc_us)
{
    if (!r->running) {
        return;
    }
    mf_recorder_put(r, &(struct mf_record){.type = MF_RECORD_BOOT, .value = {epoch_utc_us}});
    r->inner = *hal;
    hal->clock = &k_clock;
    hal->clock_ctx = r;
    hal->store = &k_store;
    hal->store_ctx = r;
    hal->archive = &k_archive;
    hal->archive_ctx = r;
}

static int64_t open_value(const struct mf_serial *serial)
{
    return (serial->datagram ? MF_RECORD_DATAGRAM : 0) |
           (serial->isolated ? MF_RECORD_ISOLATED : 0) | (serial->usb ? MF_RECORD_USB : 0);
}

struct mf_serial mf_recorder_open(struct mf_recorder *r, uint16_t number,
                                  const struct mf_serial *serial, const char *name,
                                  const int32_t *interval_us)
{
    uint8_t bytes[MF_RECORD_NAME_BYTES + PAIR_BYTES * MF_STREAM_COUNT] = {0};
    size_t n = MF_RECORD_NAME_BYTES;
    if (r->write == NULL) {
        return *serial;
    }
    MF_ASSERT(number < r->memory.link_count);
    for (size_t i = 0; i + 1 < MF_RECORD_NAME_BYTES && name[i] != '\0'; i++) {
        bytes[i] = (uint8_t)name[i];
    }
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        if (interval_us[i] != MF_STREAM_OFF) {
            mf_record_put(bytes + n, mf_stream_msgid((enum mf_stream)i), 4);
            mf_record_put(bytes + n + 4, (uint32_t)interval_us[i], 4);
            n += PAIR_BYTES;
        }
    }
    mf_recorder_put(r, &(struct mf_record){.type = MF_RECORD_OPEN,
                                           .link = number,
                                           .value = {open_value(serial)},
                                           .bytes = bytes,
                                           .n = n});
    r->memory.links[number] = (struct mf_recorder_link){r, number, *serial};
    struct mf_serial around = *serial;
    around.ops = &k_serial;
    around.ctx = &r->memory.links[number];
    return around;
}

struct mf_serial *mf_recorder_inner(struct mf_recorder *r, uint16_t number)
{
    MF_ASSERT(number < r->memory.link_count && r->memory.links[number].recorder == r);
    return &r->memory.links[number].serial;
}

void mf_recorder_close(struct mf_recorder *r, uint16_t number)
{
    mf_recorder_put(r, &(struct mf_record){.type = MF_RECORD_CLOSE, .link = number});
}

void mf_recorder_message(struct mf_recorder *r, uint16_t number, struct mf_address from,
                         uint32_t msgid, const void *msg)
{
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_sender sender = {.version = 2, .sysid = from.system, .compid = from.component};
    if (!r->running) {
        return;
    }
    const size_t n = mf_frame_encode(&sender, mf_msg_find(msgid), msg, frame);
    mf_recorder_put(
        r, &(struct mf_record){.type = MF_RECORD_MESSAGE, .link = number, .bytes = frame, .n = n});
}

void mf_recorder_call(struct mf_recorder *r, enum mf_record_type call, mf_us_t at_us)
{
    MF_ASSERT(call == MF_RECORD_STEP || call == MF_RECORD_JUMP || call == MF_RECORD_END);
    mf_recorder_put(r, &(struct mf_record){.type = call, .value = {at_us}});
    if (call == MF_RECORD_END) {
        mf_recorder_flush(r);
        r->running = false;
    }
}
