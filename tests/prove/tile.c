/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of packs, of any bytes. */
#include "tests/prove/any.h"
#include "world/pack_tile.h"

#define BYTES 512u

void prove_tile(void);
void prove_tile_whole(void);

static uint8_t bytes[BYTES];

/* Nothing behind the tile is read, and no node before it was written. */
static void decode(size_t size, uint32_t width, uint32_t height)
{
    int32_t node[MF_PACK_SIDE * MF_PACK_SIDE];
    any_bytes(bytes, sizeof bytes);
    const int result = mf_pack_tile_decode(bytes + sizeof bytes - size, size, width, height, node);
    must_hold(result == MF_E_OK || result == MF_E_IO);
    if (result == MF_E_OK) {
        must_be_readable(node, sizeof node[0] * width * height);
    }
}

/* Sizes around which the reader of bits decides, and shapes with every kind of neighbour. */
void prove_tile(void)
{
    static const size_t k_size[] = {1, 4, 5, 6, 12, 13, 14, BYTES};
    //@ loop unroll 8;
    for (size_t i = 0; i < sizeof k_size / sizeof k_size[0]; i++) {
        decode(k_size[i], 6, 5);
    }
    decode(BYTES, 4, 4);
    decode(BYTES, 5, 4);
}

/* The longest rows and columns. Eva would take a day for the largest tile. */
void prove_tile_whole(void)
{
    decode(BYTES, 4, MF_PACK_SIDE);
    decode(BYTES, MF_PACK_SIDE, 4);
    decode(BYTES, 16, 16);
}
