/* SPDX-License-Identifier: Apache-2.0 */
/** An archive of flight logs in memory, for fuzz_vehicle. */
#ifndef MF_TESTS_FUZZ_ARCHIVE_H
#define MF_TESTS_FUZZ_ARCHIVE_H

#include "hal/archive.h"

#include <string.h>

#define LOGS      4
#define LOG_BYTES 65536

/* Flight logs; what they hold is of no interest, so it is not cleared between inputs. */
static struct archive {
    bool kept, writing;
    uint16_t count;
    struct mf_archive_info info[LOGS];
    uint8_t bytes[LOGS][LOG_BYTES];
} g_archive;

static int archive_count(void *ctx)
{
    return ((const struct archive *)ctx)->count;
}

static int archive_info(void *ctx, uint16_t index, struct mf_archive_info *info)
{
    const struct archive *a = ctx;
    if (index >= a->count) {
        return MF_E_NOENT;
    }
    *info = a->info[index];
    return MF_E_OK;
}

static int archive_read(void *ctx, uint16_t index, uint32_t offset, uint8_t *bytes, size_t n)
{
    const struct archive *a = ctx;
    if (index >= a->count) {
        return MF_E_NOENT;
    }
    const size_t left = offset < a->info[index].size ? a->info[index].size - offset : 0;
    const size_t got = n < left ? n : left;
    if (got > 0) {
        memcpy(bytes, a->bytes[index] + offset, got);
    }
    return (int)got;
}

static int archive_begin(void *ctx, int64_t utc_s)
{
    struct archive *a = ctx;
    MF_ASSERT(!a->writing && utc_s >= 0);
    if (!a->kept) {
        return MF_E_NOSUPP;
    }
    if (a->count > 0 && a->info[a->count - 1].utc_s >= utc_s) {
        return MF_E_DENIED;
    }
    if (a->count == LOGS) {
        return MF_E_IO;
    }
    a->info[a->count++] = (struct mf_archive_info){.utc_s = utc_s};
    a->writing = true;
    return MF_E_OK;
}

static void archive_append(void *ctx, const uint8_t *bytes, size_t n)
{
    struct archive *a = ctx;
    MF_ASSERT(a->writing && n > 0);
    struct mf_archive_info *info = &a->info[a->count - 1];
    if (info->size + n <= LOG_BYTES) {
        memcpy(a->bytes[a->count - 1] + info->size, bytes, n);
        info->size += (uint32_t)n;
    }
}

static void archive_end(void *ctx)
{
    struct archive *a = ctx;
    MF_ASSERT(a->writing);
    a->writing = false;
}

static int archive_erase(void *ctx)
{
    struct archive *a = ctx;
    if (a->writing) {
        return MF_E_IO;
    }
    a->count = 0;
    return MF_E_OK;
}

static int archive_room(void *ctx, struct mf_archive_room *room)
{
    (void)ctx;
    *room = (struct mf_archive_room){.total = LOGS * LOG_BYTES};
    return MF_E_OK;
}

static const struct mf_archive_ops k_archive = {archive_count, archive_info,   archive_read,
                                                archive_begin, archive_append, archive_end,
                                                archive_erase, archive_room};

#endif
