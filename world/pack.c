/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of packs. Called by world/geoid, terrain and earth, boards and tools/geoid. */
#include "world/pack.h"

#include <string.h>

#include "math/crc32.h"
#include "world/pack_cubic.h"
#include "world/pack_tile.h"

#define E9            1000000000
#define MOST_NORTH_E9 (INT64_C(90) * E9)
#define MOST_EAST_E9  (INT64_C(180) * E9)
#define EDGE          1e-9 /* tolerance for rounding at the edge of the grid [cells] */
#define LON_MOST_DEG  1e6

static uint32_t crc_of(const uint8_t *bytes, size_t n)
{
    return ~mf_crc32(0xFFFFFFFFu, bytes, n);
}

static int64_t i64_at(const uint8_t *b)
{
    return (int64_t)((uint64_t)mf_pack_u32(b + 4) << 32 | mf_pack_u32(b));
}

/* Is it a name: small letters, digits and . _ + -, then zeros to the end; at least one of each? */
static bool is_name(const uint8_t *text, size_t size)
{
    size_t n = 0;
    while (n < size && ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= '0' && text[n] <= '9') ||
                        text[n] == '.' || text[n] == '_' || text[n] == '+' || text[n] == '-')) {
        n++;
    }
    const size_t length = n;
    while (n < size && text[n] == 0) {
        n++;
    }
    return length > 0 && n == size && text[size - 1] == 0;
}

/* Extent of `cells` times a fraction of a degree [1e-9 deg]; -1: more than `most_deg`, or not a
 * fraction. */
static int64_t extent_e9(uint32_t cells, uint32_t num, uint32_t den, uint32_t most_deg)
{
    const uint64_t parts = (uint64_t)cells * num; /* each is 1 / den degrees */
    if (num == 0 || den == 0 || den > MF_PACK_DEN_MAX || parts > (uint64_t)most_deg * den) {
        return -1;
    }
    return (int64_t)(parts * E9 / den);
}

static bool read_geometry(struct mf_pack *pack, const uint8_t *header)
{
    pack->rows = mf_pack_u32(header + MF_PACK_AT_ROWS);
    pack->columns = mf_pack_u32(header + MF_PACK_AT_COLUMNS);
    pack->north_e9 = i64_at(header + MF_PACK_AT_NORTH);
    pack->west_e9 = i64_at(header + MF_PACK_AT_WEST);
    pack->lat_num = mf_pack_u32(header + MF_PACK_AT_LAT_NUM);
    pack->lat_den = mf_pack_u32(header + MF_PACK_AT_LAT_DEN);
    pack->lon_num = mf_pack_u32(header + MF_PACK_AT_LON_NUM);
    pack->lon_den = mf_pack_u32(header + MF_PACK_AT_LON_DEN);
    pack->wraps = header[MF_PACK_AT_WRAPS] != 0;
    if (header[MF_PACK_AT_WRAPS] > 1 || pack->rows < 2 || pack->columns < 2 ||
        pack->north_e9 > MOST_NORTH_E9 || pack->north_e9 < -MOST_NORTH_E9 ||
        pack->west_e9 >= MOST_EAST_E9 || pack->west_e9 < -MOST_EAST_E9) {
        return false;
    }
    const uint32_t cells = pack->columns - (pack->wraps ? 0u : 1u);
    const int64_t height_e9 = extent_e9(pack->rows - 1, pack->lat_num, pack->lat_den, 180);
    const int64_t width_e9 = extent_e9(cells, pack->lon_num, pack->lon_den, 360);
    const int64_t south_e9 = pack->north_e9 - height_e9;
    const int64_t east_e9 = pack->west_e9 + width_e9;
    if (height_e9 < 0 || width_e9 < 0 || south_e9 < -MOST_NORTH_E9 ||
        (pack->wraps && (uint64_t)cells * pack->lon_num != UINT64_C(360) * pack->lon_den)) {
        return false;
    }
    const bool has_opposites = pack->wraps && pack->columns % 2 == 0;
    pack->north_pole = has_opposites && pack->north_e9 == MOST_NORTH_E9;
    pack->south_pole = has_opposites && south_e9 == -MOST_NORTH_E9;
    pack->north_deg = (double)pack->north_e9 / E9;
    pack->south_deg = (double)south_e9 / E9;
    pack->west_deg = (double)pack->west_e9 / E9;
    pack->east_deg = (double)east_e9 / E9;
    pack->lat_per_deg = (double)pack->lat_den / pack->lat_num;
    pack->lon_per_deg = (double)pack->lon_den / pack->lon_num;
    pack->tile_rows = (pack->rows - 2) / MF_PACK_CELLS + 1;
    pack->tile_columns = (cells - 1) / MF_PACK_CELLS + 1;
    return true;
}

const char *mf_pack_model(const struct mf_pack *pack)
{
    return (const char *)pack->bytes + MF_PACK_AT_MODEL;
}

const char *mf_pack_frame(const struct mf_pack *pack)
{
    return (const char *)pack->bytes + MF_PACK_AT_FRAME;
}

const char *mf_pack_epoch(const struct mf_pack *pack)
{
    return (const char *)pack->bytes + MF_PACK_AT_EPOCH;
}

const uint8_t *mf_pack_source(const struct mf_pack *pack)
{
    return pack->bytes + MF_PACK_AT_SOURCE;
}

const uint8_t *mf_pack_grid(const struct mf_pack *pack)
{
    return pack->bytes + MF_PACK_AT_GRID;
}

const uint8_t *mf_pack_fingerprint(const struct mf_pack *pack, enum mf_pack_interpolation how)
{
    const bool cubic = (how == MF_PACK_AS_MADE ? pack->interpolation : how) == MF_PACK_CUBIC;
    return pack->bytes + MF_PACK_AT_FINGERPRINT + (cubic ? MF_PACK_HASH : 0u);
}

/* Place in the grid: a cell, and the offset from its first node to its last one. */
struct spot {
    uint32_t row, column;
    double x, y; /* 0 .. 1, to the east and to the south */
};

/* Split u into one of `cells` cells of a line and the rest. @return false: outside */
static bool to_cell(double u, uint32_t cells, uint32_t *cell, double *rest)
{
    if (!(u >= -EDGE && u <= cells + EDGE)) {
        return false;
    }
    const double inside = u < 0.0 ? 0.0 : u > cells ? cells : u;
    *cell = inside >= cells ? cells - 1 : (uint32_t)inside;
    *rest = inside - *cell;
    return true;
}

/* Degrees east of the first column, 0 up to 360. */
static double degrees_east(const struct mf_pack *pack, double lon_deg)
{
    double east_deg = lon_deg - pack->west_deg;
    if (!(east_deg >= 0.0 && east_deg < 360.0)) {
        east_deg -= 360.0 * (double)(int32_t)(east_deg / 360.0);
        east_deg += east_deg < 0.0 ? 360.0 : 0.0;
    }
    return east_deg;
}

static bool locate(const struct mf_pack *pack, double lat_deg, double lon_deg, struct spot *spot)
{
    if (!(lat_deg >= -90.0 && lat_deg <= 90.0) ||
        !(lon_deg >= -LON_MOST_DEG && lon_deg <= LON_MOST_DEG)) {
        return false;
    }
    const double turn = 360.0 * pack->lon_per_deg;
    double u = degrees_east(pack, lon_deg) * pack->lon_per_deg;
    if (u > turn - EDGE) {
        u -= turn; /* a place just west of the first column */
    }
    return to_cell((pack->north_deg - lat_deg) * pack->lat_per_deg, pack->rows - 1, &spot->row,
                   &spot->y) &&
           to_cell(u, pack->columns - (pack->wraps ? 0u : 1u), &spot->column, &spot->x);
}

bool mf_pack_covers(const struct mf_pack *pack, double lat_deg, double lon_deg)
{
    MF_ASSERT(pack->bytes != NULL);
    struct spot spot;
    return locate(pack, lat_deg, lon_deg, &spot);
}

/* Entry of a tile in the index. @return NULL: outside the index. Every cell of the grid has an
 * entry, but reads must stay within the pack whatever its numbers are */
static const uint8_t *entry_of(const struct mf_pack *pack, uint32_t tile_row, uint32_t tile_column)
{
    const uint64_t number = (uint64_t)tile_row * pack->tile_columns + tile_column;
    const uint64_t at = MF_PACK_HEADER + MF_PACK_INDEX_ENTRY * number;
    return at + 2 * MF_PACK_INDEX_ENTRY <= pack->size ? pack->bytes + at : NULL;
}

/* Decode the tile of row and column `tile_row`, `tile_column`, whose entry is `entry`, into
 * `tile`. */
static int decode(const struct mf_pack *pack, const uint8_t *entry, uint32_t tile_row,
                  uint32_t tile_column, struct mf_pack_tile *tile)
{
    const uint32_t data =
        MF_PACK_HEADER + MF_PACK_INDEX_ENTRY * (pack->tile_rows * pack->tile_columns + 1);
    const uint32_t from = mf_pack_u32(entry);
    const uint32_t to = mf_pack_u32(entry + MF_PACK_INDEX_ENTRY);
    if (from < data || from > pack->size) {
        return MF_E_IO;
    }
    if (to < from || to > pack->size) {
        return MF_E_IO;
    }
    uint8_t who[12];
    mf_pack_put_u32(who, tile_row * pack->tile_columns + tile_column);
    mf_pack_put_u32(who + 4, from);
    mf_pack_put_u32(who + 8, to);
    const uint32_t crc = mf_crc32(0xFFFFFFFFu, who, sizeof who);
    if (~mf_crc32(crc, pack->bytes + from, to - from) != mf_pack_u32(entry + 4)) {
        return MF_E_IO;
    }
    if (to == from) {
        return MF_E_RANGE; /* all nodes are voids: the pack omits the tile */
    }
    const uint32_t cells = pack->columns - (pack->wraps ? 0u : 1u);
    const uint32_t across = cells - tile_column * MF_PACK_CELLS;
    const uint32_t down = pack->rows - 1 - tile_row * MF_PACK_CELLS;
    tile->width = (across < MF_PACK_CELLS ? across : MF_PACK_CELLS) + 3;
    const uint32_t height = (down < MF_PACK_CELLS ? down : MF_PACK_CELLS) + 3;
    return mf_pack_tile_decode(pack->bytes + from, to - from, tile->width, height, tile->node);
}

/* Find the decoded tile of a cell in the cache, or decode it in place of the least recently used
 * one. */
static int tile_of(const struct mf_pack *pack, struct mf_pack_cache *cache, uint32_t row,
                   uint32_t column, const struct mf_pack_tile **found)
{
    const uint32_t tile_row = row / MF_PACK_CELLS;
    const uint32_t tile_column = column / MF_PACK_CELLS;
    const uint8_t *of = entry_of(pack, tile_row, tile_column);
    if (of == NULL) {
        return MF_E_IO;
    }
    const uint32_t now = ++cache->lookups;
    struct mf_pack_tile *oldest = &cache->tile[0];
    for (size_t i = 0; i < MF_PACK_CACHE_TILES; i++) {
        struct mf_pack_tile *tile = &cache->tile[i];
        if (tile->of == of) {
            tile->used = now;
            *found = tile;
            return MF_E_OK;
        }
        if (now - tile->used > now - oldest->used) {
            oldest = tile;
        }
    }
    oldest->of = NULL;
    oldest->used = now;
    const int err = decode(pack, of, tile_row, tile_column, oldest);
    if (err == MF_E_OK) {
        cache->decoded++;
        oldest->of = of;
        *found = oldest;
    }
    return err;
}

static bool bilinear(const int32_t *node, uint32_t width, const struct spot *spot, double *value)
{
    const int32_t *four[4] = {node, node + 1, node + width, node + width + 1};
    const double x = spot->x;
    const double y = spot->y;
    const double weight[4] = {(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y};
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        if (weight[i] > 0.0) {
            if (*four[i] == MF_PACK_VOID) {
                return false;
            }
            sum += weight[i] * *four[i];
        }
    }
    *value = sum;
    return true;
}

/* Interpolate with twelve nodes. @return false: a node is missing */
static bool cubic(const struct mf_pack *pack, const int32_t *node, uint32_t width,
                  const struct spot *spot, double *value)
{
    const bool turned = pack->south_pole && spot->row == pack->rows - 2;
    const bool at_pole = turned || (pack->north_pole && spot->row == 0);
    const int32_t *row = turned ? node + 2 * width : node - width; /* first row of the stencil */
    const int32_t down = turned ? -(int32_t)width : (int32_t)width;
    int32_t twelve[MF_CUBIC_NODES];
    twelve[0] = row[0];
    twelve[1] = row[1];
    for (int i = 0; i < 4; i++) {
        twelve[2 + i] = row[down + i - 1];
        twelve[6 + i] = row[2 * down + i - 1];
    }
    twelve[10] = row[3 * down];
    twelve[11] = row[3 * down + 1];
    for (int i = 0; i < MF_CUBIC_NODES; i++) {
        if (twelve[i] == MF_PACK_VOID) {
            return false;
        }
    }
    *value = mf_cubic_at(at_pole ? &mf_cubic_pole : &mf_cubic_inside, twelve, spot->x,
                         turned ? 1.0 - spot->y : spot->y);
    return true;
}

static int value_at(const struct mf_pack *pack, struct mf_pack_cache *cache,
                    enum mf_pack_interpolation how, double lat_deg, double lon_deg, double *value_m)
{
    MF_ASSERT(pack->bytes != NULL && cache != NULL && value_m != NULL);
    struct spot spot;
    if (!locate(pack, lat_deg, lon_deg, &spot)) {
        return MF_E_RANGE;
    }
    const struct mf_pack_tile *tile;
    const int err = tile_of(pack, cache, spot.row, spot.column, &tile);
    if (err != MF_E_OK) {
        return err;
    }
    const uint32_t width = tile->width;
    const uint32_t at = (spot.row % MF_PACK_CELLS + 1) * width + spot.column % MF_PACK_CELLS + 1;
    const int32_t *node = tile->node + at;
    const bool wants_cubic = (how == MF_PACK_AS_MADE ? pack->interpolation : how) == MF_PACK_CUBIC;
    double value;
    if (!(wants_cubic && cubic(pack, node, width, &spot, &value)) &&
        !bilinear(node, width, &spot, &value)) {
        return MF_E_RANGE;
    }
    *value_m = value * pack->quantum_m;
    return MF_E_OK;
}

int mf_pack_node(const struct mf_pack *pack, struct mf_pack_cache *cache, uint32_t row,
                 uint32_t column, int32_t *value)
{
    MF_ASSERT(pack->bytes != NULL && cache != NULL && value != NULL);
    if (row >= pack->rows || column >= pack->columns) {
        return MF_E_RANGE;
    }
    /* the last row, and the last column of a grid that ends, belong to the cells before them */
    const uint32_t cell_row = row == pack->rows - 1 ? row - 1 : row;
    const uint32_t cell_column = !pack->wraps && column == pack->columns - 1 ? column - 1 : column;
    const struct mf_pack_tile *tile;
    const int err = tile_of(pack, cache, cell_row, cell_column, &tile);
    if (err == MF_E_RANGE) {
        *value = MF_PACK_VOID;
        return MF_E_OK;
    }
    if (err == MF_E_OK) {
        const uint32_t y = cell_row % MF_PACK_CELLS + 1 + (row - cell_row);
        const uint32_t x = cell_column % MF_PACK_CELLS + 1 + (column - cell_column);
        const uint32_t width = tile->width;
        *value = tile->node[y * width + x];
    }
    return err;
}

/* ---- open */

static const struct mf_pack_reader k_reader = {value_at};

int mf_pack_open(struct mf_pack *pack, const void *bytes, size_t size)
{
    MF_ASSERT(pack != NULL && (bytes != NULL || size == 0));
    memset(pack, 0, sizeof *pack);
    const uint8_t *h = bytes;
    if (size < MF_PACK_HEADER || mf_pack_u32(h) != MF_PACK_MAGIC) {
        return MF_E_IO;
    }
    if (h[MF_PACK_AT_VERSION] != MF_PACK_VERSION || h[MF_PACK_AT_VERSION + 1] != 0) {
        return MF_E_NOSUPP;
    }
    pack->kind = h[MF_PACK_AT_KIND];
    pack->interpolation = h[MF_PACK_AT_INTERPOLATION];
    pack->quantum_um = mf_pack_u32(h + MF_PACK_AT_QUANTUM);
    if (crc_of(h, MF_PACK_AT_CRC) != mf_pack_u32(h + MF_PACK_AT_CRC) ||
        mf_pack_u32(h + MF_PACK_AT_SIZE) != size ||
        (h[MF_PACK_AT_HEADER] | h[MF_PACK_AT_HEADER + 1] << 8) != (int)MF_PACK_HEADER ||
        h[MF_PACK_AT_CELLS] != MF_PACK_CELLS || mf_pack_u32(h + MF_PACK_AT_ZERO) != 0 ||
        (pack->kind != MF_PACK_GEOID && pack->kind != MF_PACK_TERRAIN) ||
        (pack->interpolation != MF_PACK_BILINEAR && pack->interpolation != MF_PACK_CUBIC) ||
        pack->quantum_um == 0 || pack->quantum_um > MF_PACK_QUANTUM_MAX ||
        !is_name(h + MF_PACK_AT_MODEL, MF_PACK_MODEL) ||
        !is_name(h + MF_PACK_AT_FRAME, MF_PACK_FRAME) ||
        !is_name(h + MF_PACK_AT_EPOCH, MF_PACK_EPOCH) || !read_geometry(pack, h)) {
        return MF_E_IO;
    }
    const uint64_t tiles = (uint64_t)pack->tile_rows * pack->tile_columns;
    if (tiles >= size / MF_PACK_INDEX_ENTRY ||
        MF_PACK_HEADER + (tiles + 1) * MF_PACK_INDEX_ENTRY > size) {
        return MF_E_IO;
    }
    pack->quantum_m = pack->quantum_um / 1e6;
    pack->reader = &k_reader;
    pack->bytes = bytes;
    pack->size = size;
    return MF_E_OK;
}
