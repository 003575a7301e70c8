/* SPDX-License-Identifier: Apache-2.0 */
/** What a parser must find, said without one: all bytes are there, nothing is held. */
#ifndef MF_TESTS_SCAN_H
#define MF_TESTS_SCAN_H

#include "mavlink/frame.h"

/** @brief Length of the good frame of a known message that @p bytes begin with, 0 if they
 * do not. */
static inline size_t scan_frame(const uint8_t *bytes, size_t n)
{
    const bool v2 = n > 0 && bytes[0] == 0xFD;
    const size_t header = v2 ? 10 : 6;
    if (n < header || (!v2 && bytes[0] != 0xFE) || (v2 && bytes[2] > 1)) {
        return 0;
    }
    const uint32_t id =
        v2 ? bytes[7] | (uint32_t)bytes[8] << 8 | (uint32_t)bytes[9] << 16 : bytes[5];
    const struct mf_msg_info *info = mf_msg_find(id);
    const size_t checked = header + bytes[1];
    const size_t whole = checked + 2 + (v2 && bytes[2] == 1 ? 13 : 0);
    if (info == NULL || n < whole || (!v2 && bytes[1] > info->len_max)) {
        return 0;
    }
    const uint16_t crc = mf_crc16(mf_crc16(0xFFFF, bytes + 1, checked - 1), &info->crc_extra, 1);
    return (bytes[checked] | bytes[checked + 1] << 8) == crc ? whole : 0;
}

/** @brief The first good frame of a known message from @p *at on: its place is put there.
 * @return its length, 0 if there is none */
static inline size_t scan_next(const uint8_t *bytes, size_t n, size_t *at)
{
    for (; *at < n; ++*at) {
        const size_t whole = scan_frame(bytes + *at, n - *at);
        if (whole > 0) {
            return whole;
        }
    }
    return 0;
}

#endif
