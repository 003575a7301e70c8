/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Archive of flight logs of a host: files DIR/log/YYYY-MM-DD/HH_MM_SS.ulg, as PX4 names them.
 *
 * The archive lists the files that are in the directory at the start and have such a name; a full
 * list forgets its oldest logs, whose files stay. Appended bytes are collected and written a few
 * kilobytes at a time, to the system's cache, without waiting for the medium. Without a directory
 * the archive stays empty.
 */
#ifndef MF_HAL_POSIX_ARCHIVE_FILE_H
#define MF_HAL_POSIX_ARCHIVE_FILE_H

#include "hal/archive.h"

/** Number of bytes collected before a write. */
#define MF_ARCHIVE_BUFFER_BYTES 4096u

struct mf_archive_file {
    struct mf_archive_info *logs; /**< [capacity], ascending; owned by the board */
    uint16_t capacity;
    uint16_t count;
    int base_fd;         /**< DIR; -1: without a directory */
    int dir_fd;          /**< DIR/log; -1 before the first log */
    int write_fd;        /**< log that is written now; -1: not writing */
    int64_t write_utc_s; /**< time in the name of the log that is written */
    uint32_t written;    /**< size of the log that is written [bytes] */
    int read_fd;         /**< log that was read last; -1: not open */
    int64_t read_utc_s;  /**< time in the name of the log that was read last */
    bool failed;         /**< the medium has failed: the log that is written ends there */
    size_t len;          /**< bytes in buffer */
    uint8_t buffer[MF_ARCHIVE_BUFFER_BYTES];
};

/**
 * @brief Begin with the contents of the directory.
 * @param logs  [capacity], kept
 * @param dir  existing directory, or NULL or "": no archive
 * @param reason  out on error: one line [@p reason_size]
 * @return MF_E_OK; MF_E_IO: the directory cannot be used
 */
int mf_archive_file_init(struct mf_archive_file *archive, struct mf_archive_info *logs,
                         uint16_t capacity, const char *dir, char *reason, size_t reason_size);

/** @brief Write the collected bytes, and close. */
void mf_archive_file_close(struct mf_archive_file *archive);

/** Operations; their context is the archive. */
extern const struct mf_archive_ops mf_archive_file_ops;

#endif
