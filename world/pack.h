/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Packs: read-only grids of heights, geoids and terrain alike, compressed in tiles (docs/geoid.md).
 *
 * The caller owns and keeps the bytes of a pack: a mapped file, or constant data in flash. They are
 * untrusted. Opening a pack reads its header only; a look-up reads an entry of the index and one
 * tile, which stays decoded in a cache that the caller also owns.
 *
 * Values are the same bits everywhere: integers, then + - * / of doubles.
 */
#ifndef MF_WORLD_PACK_H
#define MF_WORLD_PACK_H

#include "hal/types.h"
#include "world/pack_format.h"

enum mf_pack_kind { MF_PACK_GEOID = 1, MF_PACK_TERRAIN = 2 };

enum mf_pack_interpolation {
    MF_PACK_AS_MADE = 0,  /**< the one for which the pack was made; never in a pack */
    MF_PACK_BILINEAR = 1, /**< bilinear, of the four nodes around the place, as PROJ does */
    MF_PACK_CUBIC =
        2, /**< GeographicLib's: the cubic polynomial that fits twelve nodes best, with twice the
              weight for the four in the middle; bilinear if one of the other eight is missing */
};

struct mf_pack;
struct mf_pack_cache;

/** Reader of values. mf_pack_open() puts it into the pack, so that a program that opens no packs
 * contains none of the code. */
struct mf_pack_reader {
    int (*at)(const struct mf_pack *pack, struct mf_pack_cache *cache,
              enum mf_pack_interpolation how, double lat_deg, double lon_deg, double *value_m);
};

/** Open pack. Callers may read its fields; mf_pack_open() sets them. */
struct mf_pack {
    const struct mf_pack_reader *reader;
    const uint8_t *bytes;
    size_t size;
    uint8_t kind;          /**< enum mf_pack_kind */
    uint8_t interpolation; /**< enum mf_pack_interpolation for which the pack was made */
    bool wraps;            /**< its columns go round the Earth */
    bool north_pole;       /**< its first row is the pole, seen from all longitudes */
    bool south_pole;       /**< its last row is the pole, seen from all longitudes */
    uint32_t rows, columns;
    uint32_t tile_rows, tile_columns;
    uint32_t lat_num, lat_den; /**< spacing of the rows [deg], a fraction */
    uint32_t lon_num, lon_den;
    uint32_t quantum_um;
    int64_t north_e9, west_e9; /**< first node [1e-9 deg] */
    double north_deg, south_deg;
    double west_deg, east_deg; /**< east_deg is at most 360 deg east of west_deg: may exceed 180 */
    double lat_per_deg, lon_per_deg; /**< nodes per degree */
    double quantum_m;
};

/** Decoded tile; private. */
struct mf_pack_tile {
    const uint8_t *of; /**< its entry of the index, which identifies tile and pack; NULL: empty */
    uint32_t used;     /**< last use, in lookups of the cache */
    uint32_t width;    /**< nodes in a row */
    int32_t node[MF_PACK_SIDE * MF_PACK_SIDE]; /**< MF_PACK_VOID: without a value */
};

#define MF_PACK_CACHE_TILES 2u /* one around the vehicle, one around places that it queries */

/** Decoded tiles of any packs. Set it to zero to begin, and again when the bytes of one of these
 * packs disappear. */
struct mf_pack_cache {
    struct mf_pack_tile tile[MF_PACK_CACHE_TILES];
    uint32_t lookups;
    uint32_t decoded; /**< number of tiles decoded so far */
};

_Static_assert(sizeof(struct mf_pack_cache) <= 32 * 1024, "RAM budget: decoded tiles");

/** @brief Open a pack. Checks everything in the header, and nothing after it.
 * @param bytes  the pack; must stay while the pack is in use; need not be aligned
 * @return MF_E_OK; MF_E_IO: not a pack, damaged or cut off; MF_E_NOSUPP: another version */
int mf_pack_open(struct mf_pack *pack, const void *bytes, size_t size);

/** Texts of the header; they end with a zero and are valid as long as the pack's bytes. */
const char *mf_pack_model(const struct mf_pack *pack);
/** Frame of the grid's heights above the ellipsoid; "none": the grid as it was published. */
const char *mf_pack_frame(const struct mf_pack *pack);
/** Decimal year of the frame, or "none". */
const char *mf_pack_epoch(const struct mf_pack *pack);
/** SHA-256 of the file from which the pack was made [MF_PACK_HASH]. */
const uint8_t *mf_pack_source(const struct mf_pack *pack);
/** SHA-256 of geometry and nodes [MF_PACK_HASH]. */
const uint8_t *mf_pack_grid(const struct mf_pack *pack);
/** SHA-256 of grid, frame, epoch and @p how [MF_PACK_HASH], as computed when the pack was made. */
const uint8_t *mf_pack_fingerprint(const struct mf_pack *pack, enum mf_pack_interpolation how);

/** @brief True if the place is within the pack's bounds. Reads the header only: the place may be a
 * void. */
bool mf_pack_covers(const struct mf_pack *pack, double lat_deg, double lon_deg);

/**
 * @brief Value at a place.
 * @param lat_deg  -90 .. 90  @param lon_deg  any, as long as it is finite and within +-1e6
 * @param value_m  out; untouched on errors
 * @return MF_E_OK; MF_E_RANGE: outside, or on a void; MF_E_IO: the tile there is damaged
 * Cost: some 30 ns bilinear, 100 ns cubic; 20 us more if the tile is not in the cache.
 */
static inline int mf_pack_at(const struct mf_pack *pack, struct mf_pack_cache *cache,
                             enum mf_pack_interpolation how, double lat_deg, double lon_deg,
                             double *value_m)
{
    return pack->reader->at(pack, cache, how, lat_deg, lon_deg, value_m);
}

/** @brief Integer of a node, for tools. @return MF_E_OK (@p value may be MF_PACK_VOID); MF_E_RANGE:
 * outside the grid; MF_E_IO: the tile there is damaged */
int mf_pack_node(const struct mf_pack *pack, struct mf_pack_cache *cache, uint32_t row,
                 uint32_t column, int32_t *value);

#endif
