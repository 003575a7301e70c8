/* SPDX-License-Identifier: Apache-2.0 */
/* MAVLink FTP: any requests of any clients, and what goes on between them. */
#include "firmware/protocol/ftp.h"

#include "firmware/link/link.h"
#include "firmware/protocol/tree.c"
#include "math/calendar.h"
#include "tests/prove/any.h"

#define LINKS 2u

void prove_ftp(void);
void prove_tree(void);

static struct mf_ftp server;

/* Contract of clean(): `tree` shows it for the body, and `ftp` replaces the body by it. */

/* clang-format off */
/*@ requires there: n == 0 || \valid_read(path + (0 .. n - 1));
  @ requires room: \valid(out);
  @ assigns out->s[0 .. MF_PATH_MAX], \result \from path[0 .. n - 1], indirect:n;
  @ ensures written: \initialized(out->s + (0 .. MF_PATH_MAX));
  @ ensures ends: out->s[MF_PATH_MAX] == 0;
  @ ensures answer: \result == 0 || \result == 1; */
static bool clean(const char *path, size_t n, struct path *out);
/* clang-format on */

/* Rest of the firmware, by its contracts. */

struct mf_metadata_seal mf_metadata_seal(struct mf_metadata_seal *seal, enum mf_metadata file)
{
    must_hold(seal == server.tree.seal && file < MF_METADATA_COUNT);
    return (struct mf_metadata_seal){(uint32_t)any(1, UINT32_MAX), (uint32_t)any(0, UINT32_MAX)};
}

size_t mf_metadata_read(struct mf_metadata_seal *seal, enum mf_metadata file,
                        struct mf_metadata_mark *mark, const struct mf_extent *want)
{
    must_hold(seal == server.tree.seal && file < MF_METADATA_COUNT);
    must_be_writable(mark, sizeof *mark);
    must_be_writable(want->bytes, want->n);
    any_bytes(want->bytes, want->n);
    mark->at = (uint32_t)any(0, UINT32_MAX);
    mark->piece = (uint16_t)any(0, UINT16_MAX);
    return any_size(0, want->n);
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

static void begin(void)
{
    static struct mf_hal hal;
    hal.archive = &k_archive;
    mf_ftp_reset(&server, &hal);
}

static void ask(void)
{
    struct mf_msg_file_transfer_protocol request, answer;
    const struct mf_client from = {(uint16_t)any(0, LINKS - 1), (uint8_t)any(0, 255),
                                   (uint8_t)any(0, 255)};
    any_bytes(&request, sizeof request);
    if (either()) {
        mf_ftp_refuse(from, &request, &answer);
    } else if (!mf_ftp_is_answer(&request)) {
        (void)mf_ftp_answer(&server, from, &request, &answer, any(0, INT64_MAX / 2));
    }
}

static void go_on(void)
{
    struct mf_msg_file_transfer_protocol m;
    struct mf_ftp_session *s = &server.session[any(0, MF_FTP_SESSIONS - 1)];
    if (s->bursting) {
        mf_ftp_burst(&server, s, &m);
        if (either()) {
            mf_ftp_burst_sent(s, &m, any(0, INT64_MAX / 2));
        }
    }
    if (server.sum.running) {
        (void)mf_ftp_sum_step(&server, &m);
    }
    (void)mf_ftp_rest(&server, any(0, INT64_MAX / 2));
}

void prove_ftp(void)
{
    begin();
    while (either()) {
        if (either()) {
            ask();
        } else if (either()) {
            go_on();
        } else {
            mf_ftp_link_closed(&server, (uint16_t)any(0, LINKS - 1));
        }
        (void)mf_ftp_busy(&server);
    }
}

/* Any path, behind which nothing may be read. */
void prove_tree(void)
{
    static char path[251];
    struct mf_tree_node node;
    struct mf_text name = mf_text("");
    begin();
    //@ loop unroll 4;
    for (size_t n = 1; n <= sizeof path; n += 83) {
        any_bytes(path, sizeof path);
        if (mf_tree_find(&server.tree, path + sizeof path - n, n, &node) == MF_E_OK &&
            mf_node_is_folder(&node)) {
            (void)mf_tree_entry(&server.tree, &node, (uint32_t)any(0, UINT32_MAX), &node, &name);
        }
    }
}
