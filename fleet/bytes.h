/* SPDX-License-Identifier: Apache-2.0 */
/** Numbers in frames and records: little endian, floating point by its bits. */
#ifndef MF_FLEET_BYTES_H
#define MF_FLEET_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** @brief Read a number of 1 to 8 bytes. */
static inline uint64_t mf_bytes_u(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)at[i] << 8u * i;
    }
    return value;
}

static inline uint32_t mf_bytes_u32(const uint8_t *at)
{
    return (uint32_t)mf_bytes_u(at, 4);
}

static inline float mf_bytes_f32(const uint8_t *at)
{
    const uint32_t bits = mf_bytes_u32(at);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double mf_bytes_f64(const uint8_t *at)
{
    const uint64_t bits = mf_bytes_u(at, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/** @brief Write a number of 1 to 8 bytes. @return the byte behind it */
static inline uint8_t *mf_bytes_put_u(uint8_t *at, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(value >> 8u * i);
    }
    return at + bytes;
}

static inline uint8_t *mf_bytes_put_f32(uint8_t *at, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return mf_bytes_put_u(at, bits, sizeof bits);
}

static inline uint8_t *mf_bytes_put_f64(uint8_t *at, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return mf_bytes_put_u(at, bits, sizeof bits);
}

#endif
