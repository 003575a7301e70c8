/* SPDX-License-Identifier: Apache-2.0 */
/** SHA-256 (FIPS 180-4), for naming what a vehicle sent in one line. */
#ifndef MF_BOARDS_CONFORM_SHA256_H
#define MF_BOARDS_CONFORM_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32u

struct sha256 {
    uint32_t state[8];
    uint64_t count; /**< bytes so far */
    uint8_t block[64];
};

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, const uint8_t *bytes, size_t n);
/** @brief The digest; the state is used up. @param digest  out [SHA256_BYTES] */
void sha256_end(struct sha256 *h, uint8_t *digest);

#endif
