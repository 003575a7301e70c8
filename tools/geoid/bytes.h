/* SPDX-License-Identifier: Apache-2.0 */
/** Numbers in files, in either byte order. */
#ifndef MF_TOOLS_GEOID_BYTES_H
#define MF_TOOLS_GEOID_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t geoid_uint(const uint8_t *p, unsigned n, bool big)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) {
        v = v << 8 | p[big ? i : n - 1 - i];
    }
    return v;
}

static inline uint32_t geoid_u32(const uint8_t *p, bool big)
{
    return (uint32_t)geoid_uint(p, 4, big);
}

static inline float geoid_f32(const uint8_t *p, bool big)
{
    const uint32_t bits = geoid_u32(p, big);
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline double geoid_f64(const uint8_t *p, bool big)
{
    const uint64_t bits = geoid_uint(p, 8, big);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#endif
