/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Bytes of a pack, as docs/geoid.md describes them, for readers and writers of packs. All numbers
 * are little-endian, whatever the processor.
 */
#ifndef MF_WORLD_PACK_FORMAT_H
#define MF_WORLD_PACK_FORMAT_H

#include <stdint.h>

#define MF_PACK_MAGIC   0x4B50464Du /* "MFPK" */
#define MF_PACK_VERSION 1u

/* Offsets into the header. */
#define MF_PACK_AT_VERSION       4u   /* u16 */
#define MF_PACK_AT_HEADER        6u   /* u16 MF_PACK_HEADER */
#define MF_PACK_AT_SIZE          8u   /* u32 bytes of the whole pack */
#define MF_PACK_AT_KIND          12u  /* u8 enum mf_pack_kind */
#define MF_PACK_AT_INTERPOLATION 13u  /* u8 enum mf_pack_interpolation */
#define MF_PACK_AT_WRAPS         14u  /* u8 1: the columns go round the Earth */
#define MF_PACK_AT_CELLS         15u  /* u8 MF_PACK_CELLS */
#define MF_PACK_AT_ROWS          16u  /* u32 */
#define MF_PACK_AT_COLUMNS       20u  /* u32 */
#define MF_PACK_AT_NORTH         24u  /* i64 [1e-9 deg] of the first row */
#define MF_PACK_AT_WEST          32u  /* i64 [1e-9 deg] of the first column */
#define MF_PACK_AT_LAT_NUM       40u  /* u32 spacing of the rows: numerator [deg] */
#define MF_PACK_AT_LAT_DEN       44u  /* u32 spacing of the rows: denominator */
#define MF_PACK_AT_LON_NUM       48u  /* u32 spacing of the columns: numerator [deg] */
#define MF_PACK_AT_LON_DEN       52u  /* u32 spacing of the columns: denominator */
#define MF_PACK_AT_QUANTUM       56u  /* u32 unit of a node's integer [um] */
#define MF_PACK_AT_ZERO          60u  /* u32 0 */
#define MF_PACK_AT_MODEL         64u  /* char[MF_PACK_MODEL] */
#define MF_PACK_AT_FRAME         96u  /* char[MF_PACK_FRAME] */
#define MF_PACK_AT_EPOCH         112u /* char[MF_PACK_EPOCH] */
#define MF_PACK_AT_SOURCE        128u /* SHA-256 of the source file */
#define MF_PACK_AT_GRID          160u /* grid hash */
#define MF_PACK_AT_FINGERPRINT   192u /* of bilinear, then of cubic interpolation */
#define MF_PACK_AT_CRC           256u /* u32 CRC of the bytes before it */
#define MF_PACK_HEADER           260u

#define MF_PACK_MODEL 32u /* bytes of a name, with the zeros after it */
#define MF_PACK_FRAME 16u
#define MF_PACK_EPOCH 16u
#define MF_PACK_HASH  32u

/* The index follows the header: offset of each tile's data in the pack (they end where those of the
 * next entry begin), and their CRC. The index has one entry more than tiles: the last one is the
 * end of the pack. */
#define MF_PACK_INDEX_ENTRY 8u /* u32 offset, u32 crc */

/* A tile holds cells and the nodes around them that interpolation in these cells needs: one row and
 * column before the first node of its first cell, one after the last node of its last cell. */
#define MF_PACK_CELLS 60u
#define MF_PACK_SIDE  (MF_PACK_CELLS + 3u) /* nodes */

#define MF_PACK_DEN_MAX     1000000u
#define MF_PACK_QUANTUM_MAX 1000000u
#define MF_PACK_VOID        INT32_MIN /* node without a value */
#define MF_PACK_VALUE_MAX   16777216  /* limit of a node's value, either sign */

/* Data of a tile: a byte of flags, a value (i32) that predicts the first node, then bits, the
 * highest of a byte first. */
#define MF_PACK_TILE_PREDICTOR 7u /* flags: enum mf_pack_predictor */
#define MF_PACK_TILE_VOIDS     8u /* flags: the bits begin with lengths of runs: values, voids, ... */
#define MF_PACK_TILE_HEAD      5u
#define MF_PACK_ESCAPE         24u /* number of ones after which a number follows with all its 32 bits */

static inline uint32_t mf_pack_u32(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline void mf_pack_put_u32(uint8_t *b, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        b[i] = (uint8_t)(value >> (8 * i));
    }
}

#endif
