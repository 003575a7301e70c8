/* SPDX-License-Identifier: Apache-2.0 */
#include "math/chance.h"

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15) /* 2^64 divided by the golden ratio, odd */

uint64_t mf_chance_u64(uint64_t key, uint64_t n)
{
    uint64_t z = key + (n + 1) * GOLDEN;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double mf_chance_unit(uint64_t key, uint64_t n)
{
    return (double)(mf_chance_u64(key, n) >> 11) * 0x1p-53;
}

uint64_t mf_chance_text(uint64_t key, const char *text)
{
    for (; *text != '\0'; text++) {
        key = (key ^ (uint8_t)*text) * UINT64_C(0x100000001B3); /* FNV-1a */
    }
    return mf_chance_u64(key, 0);
}

uint64_t mf_chance_key(uint64_t seed, uint64_t variation, uint64_t entity, uint64_t purpose)
{
    return mf_chance_u64(mf_chance_u64(mf_chance_u64(seed, variation), entity), purpose);
}
