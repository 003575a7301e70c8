/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Contract: the medium that keeps flight logs, numbered from the oldest to the newest.
 *
 * A log is known by its UTC, which no two share. One at a time is being written. The medium buffers
 * what is appended; a medium that takes no more drops it and says so to its board, not to the
 * vehicle, which does not wait for it.
 */
#ifndef MF_HAL_ARCHIVE_H
#define MF_HAL_ARCHIVE_H

#include "hal/types.h"

struct mf_archive_info {
    int64_t utc_s; /**< when it was begun, since 1970-01-01 */
    uint32_t size; /**< [bytes] */
};

struct mf_archive_room {
    uint64_t total; /**< of the medium, whatever it keeps [bytes] */
    uint64_t free;  /**< of it, for logs [bytes] */
};

struct mf_archive_ops {
    /** @return how many logs there are, 0 .. 65535 */
    int (*count)(void *ctx);
    /** @return MF_E_OK; MF_E_NOENT: no such log */
    int (*info)(void *ctx, uint16_t index, struct mf_archive_info *info);
    /** @return bytes read, 0 at the end; MF_E_NOENT; MF_E_IO */
    int (*read)(void *ctx, uint16_t index, uint32_t offset, uint8_t *bytes, size_t n);
    /** Begin a log; none is being written. @return MF_E_OK; MF_E_NOSUPP: nothing is kept here;
     * MF_E_DENIED: there is one of that time; MF_E_IO */
    int (*begin)(void *ctx, int64_t utc_s);
    /** Append to the log that was begun: all of it or, when the medium is full, nothing. */
    void (*append)(void *ctx, const uint8_t *bytes, size_t n);
    /** The log that was begun is complete. */
    void (*end)(void *ctx);
    /** Remove all logs but the one being written. @return MF_E_OK; MF_E_IO */
    int (*erase)(void *ctx);
    /** Read the size of the medium. @return MF_E_OK; MF_E_NOSUPP: unknown, or this archive keeps
     * nothing */
    int (*room)(void *ctx, struct mf_archive_room *room);
};

#endif
