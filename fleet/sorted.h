/* SPDX-License-Identifier: Apache-2.0 */
/** Search in rows that are sorted by the number of a member. */
#ifndef MF_FLEET_SORTED_H
#define MF_FLEET_SORTED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** @brief Find the first row whose member is not below @p member. O(log n).
 * @param first  the member in row 0; it stands in each row at the same offset
 * @param stride  size of a row [bytes]
 * @return its index; @p count: all are below */
static inline uint32_t mf_sorted_first(const uint32_t *first, size_t stride, uint32_t count,
                                       uint32_t member)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2u;
        uint32_t at;
        memcpy(&at, (const uint8_t *)first + middle * stride, sizeof at);
        if (at < member) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

#endif
