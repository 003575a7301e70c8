/* SPDX-License-Identifier: Apache-2.0 */
#include "math/crc32.h"

#include "hal/assert.h"

/* Four bits at a time: 64 bytes of flash, where eight at a time take 1024. */
static const uint32_t k_remainder[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
};

uint32_t mf_crc32(uint32_t crc, const void *bytes, size_t n)
{
    MF_ASSERT(bytes != NULL || n == 0);
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < n; i++) {
        crc ^= byte[i];
        crc = crc >> 4 ^ k_remainder[crc & 15u];
        crc = crc >> 4 ^ k_remainder[crc & 15u];
    }
    return crc;
}
