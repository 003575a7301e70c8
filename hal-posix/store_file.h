/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Store of a host: the one in memory (drone/store_memory.h), and with a directory one file per
 * area.
 *
 * A file is written completely under another name, brought to the medium (fsync) and renamed, so
 * that after kill -9 or a power loss the directory has either the old area or the new one. Its
 * header has format, area, size and number of records and a CRC-32; a file that does not fit is
 * refused at the start, not overwritten. Everything is little-endian. Without a directory the store
 * does not use the disk.
 */
#ifndef MF_HAL_POSIX_STORE_FILE_H
#define MF_HAL_POSIX_STORE_FILE_H

#include "drone/store_memory.h"

/** Longest directory name, with its NUL. */
#define MF_STORE_DIR_MAX 256u

struct mf_store_file {
    struct mf_store_memory memory;
    int dir_fd; /**< locked; -1: without a directory */
};

/**
 * @brief Begin with empty areas, or with the contents of the directory.
 * @param banks  [MF_STORE_AREA_COUNT], copied
 * @param dir  existing directory, or NULL or "": keep everything in memory
 * @param reason  out on error: one line that names the file [@p reason_size]
 * @return MF_E_OK; MF_E_IO: the directory is missing, in use by another vehicle, or has a damaged
 * or foreign file
 */
int mf_store_file_init(struct mf_store_file *store, const struct mf_store_banks *banks,
                       const char *dir, char *reason, size_t reason_size);

/** @brief Unlock and close the directory. */
void mf_store_file_close(struct mf_store_file *store);

/** Operations; their context is the store. A commit with a directory takes as long as the medium's
 * fsync. */
extern const struct mf_store_ops mf_store_file_ops;

#endif
