/* SPDX-License-Identifier: Apache-2.0 */
/* Source: FIPS 180-4, sections 4 to 6; tested with the examples of NIST. Speed is not the aim: a
 * frame is at most five blocks. */
#include "mavlink/sha256.h"

#define BLOCK_BYTES 64u
#define LENGTH_AT   56u /* in the last block */

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t k_round[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32u - n);
}

/* 6.2.2, step 1: the block's 16 words, big-endian, become 64. */
static void schedule(const uint8_t *block, uint32_t w[64])
{
    for (size_t i = 0; i < 16; i++) {
        const uint8_t *b = block + 4 * i;
        w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (size_t i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

/* 6.2.2, steps 2 to 4. v is a to h; they move up by one in each round, and here the index does. */
static void compress(struct mf_sha256 *h)
{
    uint32_t w[64], v[8];
    schedule(h->block, w);
    for (size_t i = 0; i < 8; i++) {
        v[i] = h->state[i];
    }
    for (size_t i = 0; i < 64; i++) {
        const uint32_t a = v[(64 - i) % 8], b = v[(65 - i) % 8], c = v[(66 - i) % 8];
        const uint32_t e = v[(68 - i) % 8], f = v[(69 - i) % 8], g = v[(70 - i) % 8];
        const uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        const uint32_t t1 = v[(71 - i) % 8] + s1 + ((e & f) ^ (~e & g)) + k_round[i] + w[i];
        const uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        v[(67 - i) % 8] += t1;
        v[(71 - i) % 8] = t1 + s0 + ((a & b) ^ (a & c) ^ (b & c));
    }
    for (size_t i = 0; i < 8; i++) {
        h->state[i] += v[i];
    }
}

/* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
void mf_sha256_init(struct mf_sha256 *h)
{
    *h = (struct mf_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                      0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void mf_sha256_add(struct mf_sha256 *h, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        h->block[h->count++ % BLOCK_BYTES] = bytes[i];
        if (h->count % BLOCK_BYTES == 0) {
            compress(h);
        }
    }
}

void mf_sha256_end(struct mf_sha256 *h, uint8_t *digest)
{
    static const uint8_t k_zero = 0, k_one = 0x80;
    const uint64_t bits = 8 * h->count; /* before the padding counts, too */
    mf_sha256_add(h, &k_one, 1);
    while (h->count % BLOCK_BYTES != LENGTH_AT) {
        mf_sha256_add(h, &k_zero, 1);
    }
    for (size_t i = 0; i < 8; i++) {
        const uint8_t byte = (uint8_t)(bits >> (56 - 8 * i));
        mf_sha256_add(h, &byte, 1);
    }
    for (size_t i = 0; i < MF_SHA256_BYTES; i++) {
        digest[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
    }
}
