/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Packs: read-only grids of heights, geoids and terrain alike, compressed in tiles (docs/geoid.md).
 *
 * A pack is bytes that the caller owns and keeps: a mapped file, or constant data in flash. They
 * come from outside and are never trusted. Opening one reads its header only; looking up a place
 * reads an entry of the index and one tile, which stays decoded in a cache that the caller owns
 * too.
 *
 * Values are the same bits everywhere: integers, then + - * / of doubles.
 */
#ifndef MF_WORLD_PACK_H
#define MF_WORLD_PACK_H

#include "hal/types.h"
#include "world/pack_format.h"

enum mf_pack_kind { MF_PACK_GEOID = 1, MF_PACK_TERRAIN = 2 };

enum mf_pack_interpolation {
    MF_PACK_AS_MADE = 0,  /**< what the pack was made for; never in a pack */
    MF_PACK_BILINEAR = 1, /**< of the four nodes around the place; PROJ's */
    MF_PACK_CUBIC = 2, /**< GeographicLib's: the cubic polynomial that fits twelve nodes best, with
                             twice the weight for the four in the middle; where one of the other
                             eight is missing, bilinear */
};

struct mf_pack;
struct mf_pack_cache;

/** How values are read. A pack has it from mf_pack_open(), so that a program which opens none holds
 * none of the code. */
struct mf_pack_reader {
    int (*at)(const struct mf_pack *pack, struct mf_pack_cache *cache,
              enum mf_pack_interpolation how, double lat_deg, double lon_deg, double *value_m);
};

/** An open pack. Fields may be read; mf_pack_open() sets them. */
struct mf_pack {
    const struct mf_pack_reader *reader;
    const uint8_t *bytes;
    size_t size;
    uint8_t kind;          /**< enum mf_pack_kind */
    uint8_t interpolation; /**< enum mf_pack_interpolation that it was made for */
    bool wraps;            /**< its columns go round the Earth */
    bool north_pole;       /**< its first row is the pole, seen from all longitudes */
    bool south_pole;       /**< its last row is */
    uint32_t rows, columns;
    uint32_t tile_rows, tile_columns;
    uint32_t lat_num, lat_den; /**< spacing of the rows [deg], a fraction */
    uint32_t lon_num, lon_den;
    uint32_t quantum_um;
    int64_t north_e9, west_e9; /**< first node [1e-9 deg] */
    double north_deg, south_deg;
    double west_deg, east_deg;       /**< east of west_deg, at most 360 deg: may exceed 180 */
    double lat_per_deg, lon_per_deg; /**< nodes in a degree */
    double quantum_m;
};

/** One decoded tile; private. */
struct mf_pack_tile {
    const uint8_t *of; /**< its entry of the index: which tile of which pack; NULL none */
    uint32_t used;     /**< when it was used last, in lookups of the cache */
    uint32_t width;    /**< nodes in a row */
    int32_t node[MF_PACK_SIDE * MF_PACK_SIDE]; /**< MF_PACK_VOID: none */
};

#define MF_PACK_CACHE_TILES 2u /* one around the vehicle, one around what it asks about */

/** Decoded tiles, of any packs. Set to zero to begin with, and again when the bytes of a pack that
 * it has seen go away. */
struct mf_pack_cache {
    struct mf_pack_tile tile[MF_PACK_CACHE_TILES];
    uint32_t lookups;
    uint32_t decoded; /**< tiles so far */
};

_Static_assert(sizeof(struct mf_pack_cache) <= 32 * 1024, "RAM budget: decoded tiles");

/** @brief Look at a pack. Checks everything in the header and nothing behind it.
 *  @param bytes  of the pack, which stay where they are as long as it is used; need not be aligned
 *  @return MF_E_OK; MF_E_IO: not a pack, damaged or cut off; MF_E_NOSUPP: of another version */
int mf_pack_open(struct mf_pack *pack, const void *bytes, size_t size);

/** Texts of the header; they end with a zero and live as long as the pack's bytes. */
const char *mf_pack_model(const struct mf_pack *pack);
/** Frame that the grid's heights above the ellipsoid are in; "none": the grid as it
 * was published. */
const char *mf_pack_frame(const struct mf_pack *pack);
/** Decimal year of the frame, or "none". */
const char *mf_pack_epoch(const struct mf_pack *pack);
/** SHA-256 of the file that the pack was made of [MF_PACK_HASH]. */
const uint8_t *mf_pack_source(const struct mf_pack *pack);
/** SHA-256 of geometry and nodes [MF_PACK_HASH]. */
const uint8_t *mf_pack_grid(const struct mf_pack *pack);
/** SHA-256 of grid, frame, epoch and @p how [MF_PACK_HASH], as it was computed when packing. */
const uint8_t *mf_pack_fingerprint(const struct mf_pack *pack, enum mf_pack_interpolation how);

/** @brief Is the place within the pack's bounds? Looks at the header only: there may be a void. */
bool mf_pack_covers(const struct mf_pack *pack, double lat_deg, double lon_deg);

/**
 * @brief The value at a place.
 * @param lat_deg  -90 .. 90  @param lon_deg  any, as long as it is finite and within +-1e6
 * @param value_m  out; untouched on errors
 * @return MF_E_OK; MF_E_RANGE: outside, or on a void; MF_E_IO: the tile there is damaged
 * Cost: some 30 ns bilinear, 100 ns cubic; 20 us more when the tile is not in the cache.
 */
static inline int mf_pack_at(const struct mf_pack *pack, struct mf_pack_cache *cache,
                             enum mf_pack_interpolation how, double lat_deg, double lon_deg,
                             double *value_m)
{
    return pack->reader->at(pack, cache, how, lat_deg, lon_deg, value_m);
}

/** @brief The integer of a node, for tools. @return MF_E_OK (@p value may be MF_PACK_VOID);
 *  MF_E_RANGE: no such node; MF_E_IO: the tile there is damaged */
int mf_pack_node(const struct mf_pack *pack, struct mf_pack_cache *cache, uint32_t row,
                 uint32_t column, int32_t *value);

#endif
