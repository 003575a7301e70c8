/* SPDX-License-Identifier: Apache-2.0 */
/** SHA-256 (FIPS 180-4): for signatures, and for naming what a vehicle sent in one line. */
#ifndef MF_MAVLINK_SHA256_H
#define MF_MAVLINK_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define MF_SHA256_BYTES 32u

/** A digest in the making; owned by the caller, may be copied. */
struct mf_sha256 {
    uint32_t state[8];
    uint64_t count;    /**< bytes so far */
    uint8_t block[64]; /**< the bytes that do not fill a block yet */
};

/** @brief Begin. */
void mf_sha256_init(struct mf_sha256 *h);

/** @brief The next bytes; how they are cut makes no difference. */
void mf_sha256_add(struct mf_sha256 *h, const uint8_t *bytes, size_t n);

/** @brief The digest; the state is used up. @param digest  out [MF_SHA256_BYTES] */
void mf_sha256_end(struct mf_sha256 *h, uint8_t *digest);

#endif
