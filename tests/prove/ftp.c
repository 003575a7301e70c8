/* SPDX-License-Identifier: Apache-2.0 */
/* MAVLink FTP: any requests of any clients, and what goes on between them. */
#include "firmware/protocol/ftp.h"

#include "firmware/vehicle.h"
#include "math/calendar.h"
#include "tests/prove/any.h"

#define LINKS 2u

void prove_ftp(void);
void prove_tree(void);

static struct mf_vehicle vehicle;
static struct mf_ftp ftp;
static struct mf_link links[LINKS];

/* What the rest of the firmware does with what it is handed, by its contracts. */

bool mf_link_send(struct mf_vehicle *v, struct mf_link *link, uint32_t msgid, const void *msg)
{
    must_be_readable(link, sizeof *link);
    must_be_readable(msg, sizeof(struct mf_msg_file_transfer_protocol));
    must_hold(v == &vehicle && msgid == MF_MSG_FILE_TRANSFER_PROTOCOL);
    return either();
}

void mf_wake_at(struct mf_vehicle *v, enum mf_task task, mf_us_t at_us)
{
    must_hold(v == &vehicle && task < MF_TASK_COUNT && at_us >= 0);
}

bool mf_is_for_us(const struct mf_vehicle *v, uint8_t system, uint8_t component)
{
    (void)system;
    (void)component;
    return v == &vehicle && either();
}

struct mf_metadata_seal mf_metadata_seal(struct mf_vehicle *v, enum mf_metadata file)
{
    must_hold(v == &vehicle && file < MF_METADATA_COUNT);
    return (struct mf_metadata_seal){(uint32_t)any(1, UINT32_MAX), (uint32_t)any(0, UINT32_MAX)};
}

size_t mf_metadata_read(struct mf_vehicle *v, enum mf_metadata file, struct mf_metadata_mark *mark,
                        uint32_t offset, uint8_t *bytes, size_t n)
{
    (void)offset;
    must_hold(v == &vehicle && file < MF_METADATA_COUNT);
    must_be_writable(mark, sizeof *mark);
    must_be_writable(bytes, n);
    any_bytes(bytes, n);
    mark->at = (uint32_t)any(0, UINT32_MAX);
    mark->piece = (uint16_t)any(0, UINT16_MAX);
    return any_size(0, n);
}

/* Any medium that keeps the contract of hal/archive.h. */

static int archive_count(void *ctx)
{
    (void)ctx;
    return (int)any(0, UINT16_MAX);
}

static int archive_info(void *ctx, uint16_t index, struct mf_archive_info *info)
{
    (void)ctx;
    (void)index;
    if (either()) {
        return MF_E_NOENT;
    }
    info->utc_s = any(0, (int64_t)MF_CALENDAR_DAY_MAX * MF_CALENDAR_DAY_S);
    info->size = (uint32_t)any(0, UINT32_MAX);
    return MF_E_OK;
}

static int archive_read(void *ctx, uint16_t index, uint32_t offset, uint8_t *bytes, size_t n)
{
    (void)ctx;
    (void)index;
    (void)offset;
    must_be_writable(bytes, n);
    if (either()) {
        return MF_E_IO;
    }
    any_bytes(bytes, n);
    return (int)any(0, (int64_t)n);
}

static const struct mf_archive_ops k_archive = {
    .count = archive_count,
    .info = archive_info,
    .read = archive_read,
};

static size_t serial_room(void *ctx)
{
    (void)ctx;
    return any_size(0, SIZE_MAX);
}

static const struct mf_serial_ops k_serial = {.room = serial_room};

static void begin(void)
{
    vehicle.links = links;
    vehicle.hal.archive = &k_archive;
    links[0].open = links[1].open = true;
    links[0].serial.ops = links[1].serial.ops = &k_serial;
    vehicle.ftp = &ftp;
    mf_ftp_reset(&ftp);
}

void prove_ftp(void)
{
    begin();
    while (either()) {
        struct mf_msg_file_transfer_protocol request;
        const struct mf_peer from = {&links[any(0, LINKS - 1)], (uint8_t)any(0, 255),
                                     (uint8_t)any(0, 255)};
        vehicle.now.transport_us = any(0, INT64_MAX / 2);
        any_bytes(&request, sizeof request);
        if (either()) {
            mf_on_file_transfer_protocol(&vehicle, from, &request, 0);
        } else if (either()) {
            (void)mf_ftp_run(&vehicle, 0);
        } else {
            mf_ftp_link_closed(&vehicle, (uint16_t)any(0, LINKS - 1));
        }
        (void)mf_ftp_busy(&vehicle);
    }
}

/* Any path, behind which nothing may be read. */
void prove_tree(void)
{
    static char path[251];
    struct mf_node node;
    struct mf_text name = mf_text("");
    begin();
    //@ loop unroll 4;
    for (size_t n = 1; n <= sizeof path; n += 83) {
        any_bytes(path, sizeof path);
        if (mf_tree_find(&vehicle, path + sizeof path - n, n, &node) == MF_E_OK &&
            mf_node_is_folder(&node)) {
            (void)mf_tree_entry(&vehicle, &node, (uint32_t)any(0, UINT32_MAX), &node, &name);
        }
    }
}
