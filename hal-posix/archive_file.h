/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The archive of flight logs of a host: files DIR/log/YYYY-MM-DD/HH_MM_SS.ulg, as PX4 names them.
 *
 * What is in the directory at the start and has such a name is listed; a full list forgets its
 * oldest logs, whose files stay. What is appended is collected and written a few kilobytes at a
 * time, to the system's cache: nothing waits for the medium. Without a directory nothing is kept.
 */
#ifndef MF_HAL_POSIX_ARCHIVE_FILE_H
#define MF_HAL_POSIX_ARCHIVE_FILE_H

#include "hal/archive.h"

/** Bytes that are collected before they are written. */
#define MF_ARCHIVE_BUFFER_BYTES 4096u

struct mf_archive_file {
    struct mf_archive_info *logs; /**< [capacity], ascending; the board's */
    uint16_t capacity;
    uint16_t count;
    int base_fd;         /**< DIR; -1: nothing is kept */
    int dir_fd;          /**< DIR/log; -1 before the first log */
    int write_fd;        /**< the log being written; -1: none */
    int64_t write_utc_s; /**< which */
    uint32_t written;    /**< of it [bytes] */
    int read_fd;         /**< a log that was read last; -1: none */
    int64_t read_utc_s;  /**< which */
    bool failed;         /**< the medium took no more: the log being written ends there */
    size_t len;          /**< of buffer */
    uint8_t buffer[MF_ARCHIVE_BUFFER_BYTES];
};

/**
 * @brief Begin with what the directory holds.
 * @param logs    [capacity], kept
 * @param dir     existing directory, or NULL or "": no archive
 * @param reason  out on error: one line [@p reason_size]
 * @return MF_E_OK; MF_E_IO: the directory cannot be used
 */
int mf_archive_file_init(struct mf_archive_file *archive, struct mf_archive_info *logs,
                         uint16_t capacity, const char *dir, char *reason, size_t reason_size);

/** @brief Write what was collected, and close. */
void mf_archive_file_close(struct mf_archive_file *archive);

/** The contract; the context is the archive. */
extern const struct mf_archive_ops mf_archive_file_ops;

#endif
