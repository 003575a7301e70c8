/* SPDX-License-Identifier: Apache-2.0 */
/** Files as read-only memory: the system reads a page from the disk at its first access. */
#ifndef MF_HAL_POSIX_MAP_FILE_H
#define MF_HAL_POSIX_MAP_FILE_H

#include <stddef.h>
#include <stdint.h>

/** @brief Map a whole file, until the process ends. Another file of the same name may replace it (a
 * rename), but it must not be cut short.
 * @param bytes  out: [*size], page-aligned  @return MF_E_OK; MF_E_IO with errno set; MF_E_NOENT:
 * empty, or not a plain file */
int mf_map_file(const char *path, const uint8_t **bytes, size_t *size);

#endif
