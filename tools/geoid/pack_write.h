/* SPDX-License-Identifier: Apache-2.0 */
/** Makes packs (docs/geoid.md) of rasters. Uses the heap, as tools may. */
#ifndef MF_TOOLS_GEOID_PACK_WRITE_H
#define MF_TOOLS_GEOID_PACK_WRITE_H

#include "mavlink/sha256.h"
#include "tools/geoid/raster.h"
#include "world/pack.h"

struct mf_pack_plan {
    enum mf_pack_kind kind;
    enum mf_pack_interpolation interpolation; /**< that it is made for */
    uint32_t quantum_um;                      /**< 1000: nodes are rounded to millimetres */
};

/** @brief Pack a raster into memory.
 *  @param bytes  out: from malloc(), the caller frees it  @param error  out: what is wrong
 *  @return false with a text, and nothing to free */
bool mf_pack_make(const struct mf_raster *raster, const struct mf_pack_plan *plan, uint8_t **bytes,
                  size_t *size, char *error, size_t error_size);

/** @brief Make a pack as mf_pack_make() does, and write it to a file. It appears whole or, after a
 * failure, stays as it was. */
bool mf_pack_write(const struct mf_raster *raster, const struct mf_pack_plan *plan,
                   const char *path, char *error, size_t error_size);

/** @brief Grid hash of an open pack, from its nodes: what is in the header, if nothing is wrong.
 *  @return false: a tile is damaged */
bool mf_pack_hash_grid(const struct mf_pack *pack, uint8_t digest[32]);
/**
 * @brief Begin a grid hash with the geometry; the caller adds the nodes, row by row, as
 *        little-endian i32. @param pack  its geometry and quantum are used only
 */
void mf_pack_hash_geometry(struct mf_sha256 *hash, const struct mf_pack *pack);
/** @brief Fingerprint from its parts. @param how  bilinear or cubic */
void mf_pack_hash_fingerprint(const uint8_t grid[32], enum mf_pack_interpolation how,
                              const char *frame, const char *epoch, uint8_t digest[32]);

#endif
