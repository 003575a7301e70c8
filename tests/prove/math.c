/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of any bytes. */
#include "math/crc32.h"
#include "tests/prove/any.h"

void prove_crc32(void);

/* Any bytes, behind which nothing may be read; more of them repeat the loop. */
void prove_crc32(void)
{
    static uint8_t bytes[300];
    static const size_t k_size[] = {0, 1, 2, 64, sizeof bytes};
    any_bytes(bytes, sizeof bytes);
    //@ loop unroll 5;
    for (size_t i = 0; i < sizeof k_size / sizeof k_size[0]; i++) {
        (void)mf_crc32((uint32_t)any(0, UINT32_MAX), bytes + sizeof bytes - k_size[i], k_size[i]);
    }
}
