/* SPDX-License-Identifier: Apache-2.0 */
/** Whole writes to files. */
#ifndef MF_HAL_POSIX_WRITE_ALL_H
#define MF_HAL_POSIX_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** @brief Write all @p n bytes to a blocking descriptor, also after interruptions.
 * @return false: the medium is full or broken, and may have some of the bytes */
bool mf_write_all(int fd, const uint8_t *bytes, size_t n);

#endif
