/* SPDX-License-Identifier: Apache-2.0 */
/** The checksum of parameter hashes, mission ids, stored records and packs. */
#ifndef MF_MATH_CRC32_H
#define MF_MATH_CRC32_H

#include <stddef.h>
#include <stdint.h>

/**
 * @brief CRC-32 (polynomial 0xEDB88320, reflected) of @p n bytes, continued from @p crc.
 * PX4 begins with 0 and takes the result as it is; zlib begins with 0xFFFFFFFF and inverts it.
 */
uint32_t mf_crc32(uint32_t crc, const void *bytes, size_t n);

#endif
