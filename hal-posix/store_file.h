/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The store of a host: the one in memory (drone/store_memory.h), and if a directory is given, one
 * file per area.
 *
 * A file is written whole under another name, brought to the medium (fsync) and renamed, so that
 * after kill -9 or a power loss either the old area or the new one is there. Its header names
 * format, area, size and number of records and carries a CRC-32; a file that does not fit is
 * refused at start rather than overwritten. Everything is little-endian. Without a directory
 * nothing touches the disk.
 */
#ifndef MF_HAL_POSIX_STORE_FILE_H
#define MF_HAL_POSIX_STORE_FILE_H

#include "drone/store_memory.h"

/** Longest directory name, with its NUL. */
#define MF_STORE_DIR_MAX 256u

struct mf_store_file {
    struct mf_store_memory memory;
    int dir_fd; /**< held locked; -1: no directory */
};

/**
 * @brief Begin with empty areas, or with what the directory holds.
 * @param banks   [MF_STORE_AREA_COUNT], copied
 * @param dir     existing directory, or NULL or "": keep everything in memory
 * @param reason  out on error: one line that names the file [@p reason_size]
 * @return MF_E_OK; MF_E_IO: the directory is not there, in use by another vehicle, or holds a
 * damaged or foreign file
 */
int mf_store_file_init(struct mf_store_file *store, const struct mf_store_banks *banks,
                       const char *dir, char *reason, size_t reason_size);

/** @brief Let go of the directory. */
void mf_store_file_close(struct mf_store_file *store);

/** The contract; the context is the store. A commit with a directory takes as long as the medium's
 *  fsync. */
extern const struct mf_store_ops mf_store_file_ops;

#endif
