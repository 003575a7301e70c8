/* SPDX-License-Identifier: Apache-2.0 */
/** Files as read-only memory: pages come from the disk when they are looked at, none before. */
#ifndef MF_HAL_POSIX_MAP_FILE_H
#define MF_HAL_POSIX_MAP_FILE_H

#include <stddef.h>
#include <stdint.h>

/** @brief Map a whole file, until the process ends. It may be replaced by another one of the same
 *  name (a rename), but not be cut short.
 *  @param bytes  out: [*size], page-aligned  @return MF_E_OK; MF_E_IO with errno set; MF_E_NOENT:
 *  it is empty, or no plain file */
int mf_map_file(const char *path, const uint8_t **bytes, size_t *size);

#endif
