/* SPDX-License-Identifier: Apache-2.0 */
/* Packs of any bytes, asked for any place. prove_pack() opens them; prove_pack_at() asks for a
 * place in each tile of grids of chosen sizes, with a cache in any state that such questions leave;
 * prove_pack_place() shows that a place is always in a cell of the grid; prove_earth() has the
 * lists that ask packs. */
#include "world/pack.c"

#include "tests/prove/any.h"
#include "world/earth.h"

void prove_pack(void);
void prove_pack_at(void);
void prove_pack_place(void);
void prove_earth(void);

/* ---- stand-ins for what has proofs of its own: `tile`, `crc32`, `pack_place`, `pack_at` */

/* Decode as the decoder promises: on success each node of the tile has a value, and no other has.
 */
int mf_pack_tile_decode(const uint8_t *from, size_t size, uint32_t width, uint32_t height,
                        int32_t *node)
{
    must_be_readable(from, size);
    must_hold(width >= 4 && width <= MF_PACK_SIDE && height >= 4 && height <= MF_PACK_SIDE);
    must_be_writable(node, sizeof *node * width * height);
    if (either()) {
        return MF_E_IO;
    }
    any_bytes(node, sizeof *node * width * height);
    return MF_E_OK;
}

/* Cells in which locate() finds the place: any of the grid, or those of one tile after the other.
 */
static uint32_t first_row, last_row, first_column, last_column;

/* clang-format off */
/*@ requires n == 0 || \valid_read((uint8_t *)bytes + (0 .. n - 1));
  @ requires n == 0 || \initialized((uint8_t *)bytes + (0 .. n - 1));
  @ assigns \result \from any_source; */
uint32_t mf_crc32(uint32_t crc, const void *bytes, size_t n);

/*@ requires room: \valid(spot);
  @ assigns spot->row \from any_source, first_row, last_row;
  @ assigns spot->column \from any_source, first_column, last_column;
  @ assigns spot->x, spot->y, \result \from any_source;
  @ ensures cell: \result == 0 || \result == 1 && \initialized(spot) &&
      first_row <= spot->row <= last_row && first_column <= spot->column <= last_column; */
static bool locate(const struct mf_pack *pack, double lat_deg, double lon_deg, struct spot *spot);
/* clang-format on */

/* ---- any pack */

static enum mf_pack_interpolation any_interpolation(void)
{
    return (enum mf_pack_interpolation)any(0, 2);
}

static void open_pack(const uint8_t *from, size_t size)
{
    struct mf_pack pack;
    if (mf_pack_open(&pack, from, size) == MF_E_OK) {
        must_hold(strlen(mf_pack_model(&pack)) < MF_PACK_MODEL);
        must_hold(strlen(mf_pack_frame(&pack)) < MF_PACK_FRAME);
        must_hold(strlen(mf_pack_epoch(&pack)) < MF_PACK_EPOCH);
        must_be_readable(mf_pack_source(&pack), MF_PACK_HASH);
        must_be_readable(mf_pack_grid(&pack), MF_PACK_HASH);
        must_be_readable(mf_pack_fingerprint(&pack, any_interpolation()), MF_PACK_HASH);
        last_row = last_column = UINT32_MAX;
        (void)mf_pack_covers(&pack, any_number(), any_number());
    }
}

/* Sizes at which the header, and the index of one tile, are whole; and more. */
void prove_pack(void)
{
    static const size_t k_size[] = {1, MF_PACK_HEADER - 1, MF_PACK_HEADER, MF_PACK_HEADER + 40};
    static uint8_t bytes[512];
    //@ loop unroll 4;
    for (size_t i = 0; i < sizeof k_size / sizeof k_size[0]; i++) {
        any_bytes(bytes, sizeof bytes);
        open_pack(bytes + sizeof bytes - k_size[i], k_size[i]);
    }
}

/* ---- places in grids of chosen sizes */

#define TILES_MAX 4u
#define DATA      3u /* bytes of coded tiles; that more can be read is the proof `tile` */

/* Cells of a grid in each direction: the smallest, and those around which a tile begins. */
static const uint32_t k_cells[] = {1, 2, 60, 61, 240};
#define GRIDS (sizeof k_cells / sizeof k_cells[0])

static uint32_t tiles_of(uint32_t cells)
{
    return (cells - 1) / MF_PACK_CELLS + 1;
}

/* Open a pack of such a grid whose other bytes are any; behind its end nothing may be read. */
static bool open_grid(struct mf_pack *pack, uint32_t down, uint32_t across, bool wraps)
{
    static uint8_t bytes[MF_PACK_HEADER + (TILES_MAX + 1) * MF_PACK_INDEX_ENTRY + DATA];
    const uint32_t tiles = tiles_of(down) * tiles_of(across);
    if (tiles > TILES_MAX) {
        return false;
    }
    const size_t size = MF_PACK_HEADER + (tiles + 1) * MF_PACK_INDEX_ENTRY + DATA;
    uint8_t *from = bytes + sizeof bytes - size;
    any_bytes(bytes, sizeof bytes);
    mf_pack_put_u32(from + MF_PACK_AT_ROWS, down + 1);
    mf_pack_put_u32(from + MF_PACK_AT_COLUMNS, across + (wraps ? 0u : 1u));
    from[MF_PACK_AT_WRAPS] = wraps;
    return mf_pack_open(pack, from, size) == MF_E_OK;
}

/* Call for all these grids. */
static void for_grids(void (*ask)(const struct mf_pack *pack, uint32_t down, uint32_t across))
{
    struct mf_pack pack;
    //@ loop unroll 100;
    for (size_t i = 0; i < 2 * GRIDS * GRIDS; i++) {
        const uint32_t down = k_cells[i / 2 / GRIDS];
        const uint32_t across = k_cells[i / 2 % GRIDS];
        if (open_grid(&pack, down, across, i % 2)) {
            ask(&pack, down, across);
        }
    }
}

/* The contract of locate() asks for no more than that the cell is one of the grid. */
static void ask_place(const struct mf_pack *pack, uint32_t down, uint32_t across)
{
    struct spot spot;
    last_row = down - 1;
    last_column = across - 1;
    (void)locate(pack, any_number(), any_number(), &spot);
}

void prove_pack_place(void)
{
    for_grids(ask_place);
}

/* Tile of a grid, as its pack says. */
struct shape {
    const uint8_t *of;
    uint32_t width, height;
};

static const uint8_t k_other[1]; /* entry of a tile that is not asked for */

/* A tile of a cache holds that of the shape, or another one or none. */
static void hold(struct mf_pack_tile *tile, const struct shape *shape, bool holds, uint32_t used)
{
    tile->of = either() ? k_other : NULL;
    tile->used = used;
    if (holds) {
        tile->of = shape->of;
        tile->width = shape->width;
        any_bytes(tile->node, sizeof tile->node[0] * shape->width * shape->height);
    }
}

static void must_be_held(const struct mf_pack_tile *tile, const struct shape *shape)
{
    if (tile->of != NULL && tile->of != k_other) {
        must_hold(tile->of == shape->of && tile->width == shape->width);
        must_be_readable(tile->node, sizeof tile->node[0] * shape->width * shape->height);
    }
}

/* Ask for a cell of the tile with each state of a cache: which of its two tiles hold it, and which
 * of them is older. Only nodes of a held tile have values. */
static void ask_with(const struct mf_pack *pack, const struct shape *shape, unsigned state)
{
    struct mf_pack_cache cache;
    double value_m;
    int32_t value;
    hold(&cache.tile[0], shape, state & 1u, state & 4u ? 1 : 2);
    hold(&cache.tile[1], shape, state & 2u, state & 4u ? 2 : 1);
    cache.lookups = 2;
    cache.decoded = 0;
    if (state & 8u) {
        const uint32_t row = (uint32_t)any(first_row, last_row + (last_row + 2 == pack->rows));
        const bool ends = !pack->wraps && last_column + 2 == pack->columns;
        const uint32_t column = (uint32_t)any(first_column, last_column + ends);
        if (mf_pack_node(pack, &cache, row, column, &value) == MF_E_OK) {
            must_be_readable(&value, sizeof value);
        }
    } else if (mf_pack_at(pack, &cache, any_interpolation(), any_number(), any_number(),
                          &value_m) == MF_E_OK) {
        must_be_readable(&value_m, sizeof value_m);
    }
    must_be_held(&cache.tile[0], shape);
    must_be_held(&cache.tile[1], shape);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void ask_tiles(const struct mf_pack *pack, uint32_t down, uint32_t across)
{
    //@ loop unroll 4;
    for (uint32_t i = 0; i < pack->tile_rows * pack->tile_columns; i++) {
        first_row = i / pack->tile_columns * MF_PACK_CELLS;
        first_column = i % pack->tile_columns * MF_PACK_CELLS;
        last_row = smaller(first_row + MF_PACK_CELLS, down) - 1;
        last_column = smaller(first_column + MF_PACK_CELLS, across) - 1;
        const struct shape shape = {pack->bytes + MF_PACK_HEADER + i * MF_PACK_INDEX_ENTRY,
                                    last_column - first_column + 4, last_row - first_row + 4};
        //@ loop unroll 16;
        for (unsigned state = 0; state < 16; state++) {
            ask_with(pack, &shape, state);
        }
    }
}

void prove_pack_at(void)
{
    for_grids(ask_tiles);
}

/* ---- the lists that ask packs */

/* Answer as value_at() does, by the proof `pack_at`. */
static int any_value(const struct mf_pack *pack, struct mf_pack_cache *cache,
                     enum mf_pack_interpolation how, double lat_deg, double lon_deg,
                     double *value_m)
{
    must_be_readable(pack, sizeof *pack);
    must_be_writable(cache, sizeof *cache);
    (void)how, (void)lat_deg, (void)lon_deg;
    if (either()) {
        return either() ? MF_E_RANGE : MF_E_IO;
    }
    any_bytes(value_m, sizeof *value_m);
    return MF_E_OK;
}

static void ask_earth(struct mf_geoid *geoid)
{
    struct mf_earth earth = {0};
    struct mf_fix fix = {0};
    if (mf_earth_init(&earth, geoid, any_number(), any_number()) == MF_E_OK) {
        fix.lat_e7 = (int32_t)any(INT32_MIN, INT32_MAX);
        fix.lon_e7 = (int32_t)any(INT32_MIN, INT32_MAX);
        fix.alt_amsl_mm = (int32_t)any(INT32_MIN, INT32_MAX);
        mf_earth_settle(&earth, &fix);
    }
}

void prove_earth(void)
{
    static const struct mf_pack_reader k_any = {any_value};
    static uint8_t bytes[300];
    static struct mf_geoid geoid, constant;
    static struct mf_terrain terrain;
    struct mf_pack pack;
    double amsl_m;
    any_bytes(bytes, sizeof bytes);
    if (mf_geoid_add_constant(&constant, any_number()) == MF_E_OK) {
        ask_earth(&constant);
    }
    if (mf_pack_open(&pack, bytes, sizeof bytes) != MF_E_OK) {
        return;
    }
    pack.reader = &k_any;
    if (mf_geoid_add(&geoid, &pack, any_interpolation()) == MF_E_OK) {
        ask_earth(&geoid);
    }
    if (mf_terrain_add(&terrain, &pack) == MF_E_OK) {
        (void)mf_terrain_at(&terrain, any_number(), any_number(), &amsl_m);
        (void)mf_terrain_spacing_m(&terrain);
        (void)mf_terrain_is_above(&pack, "egm96");
    }
}
