/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/pack_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/crc32.h"
#include "world/pack_tile.h"

#define E9 INT64_C(1000000000)

/* A raster as integers, its first column the first one at or east of -180 deg. */
struct grid {
    const struct mf_raster *raster;
    uint32_t rows, columns;
    int64_t west_e9;
    int32_t *node;
};

/* Bytes that grow. After a failure, none are added. */
struct buffer {
    uint8_t *bytes;
    size_t size, room;
    bool failed;
};

/* Bits on their way into a buffer, the highest of a byte first. */
struct bits {
    struct buffer *to;
    uint64_t window; /* its lowest bits are the last ones */
    uint32_t count;  /* of those that fill no byte yet */
};

static uint8_t *more(struct buffer *buffer, size_t n)
{
    if (!buffer->failed && buffer->size + n > buffer->room) {
        const size_t room = 2 * buffer->room + n + 4096;
        uint8_t *grown = realloc(buffer->bytes, room);
        if (grown == NULL) {
            buffer->failed = true;
            return NULL;
        }
        buffer->bytes = grown;
        buffer->room = room;
    }
    if (buffer->failed) {
        return NULL;
    }
    buffer->size += n;
    return memset(buffer->bytes + buffer->size - n, 0, n);
}

/* @param n  0 .. 32 */
static void put_bits(struct bits *bits, uint32_t value, uint32_t n)
{
    bits->window = bits->window << n | (value & ((UINT64_C(1) << n) - 1u));
    for (bits->count += n; bits->count >= 8;) {
        uint8_t *byte = more(bits->to, 1);
        bits->count -= 8;
        if (byte != NULL) {
            *byte = (uint8_t)(bits->window >> bits->count & 255u);
        }
    }
}

static void put_end(struct bits *bits)
{
    put_bits(bits, 0, (8u - bits->count) % 8u);
}

static void put_length(struct bits *bits, uint32_t length)
{
    uint32_t more_bits = 0;
    while ((length + 1) >> (more_bits + 1) != 0) {
        more_bits++;
    }
    put_bits(bits, (1u << more_bits) - 1u, more_bits);
    put_bits(bits, 0, 1);
    put_bits(bits, length + 1, more_bits);
}

static uint32_t number_of(int32_t difference)
{
    return (uint32_t)difference << 1 ^ (difference < 0 ? UINT32_MAX : 0u);
}

static void put_difference(struct bits *bits, struct mf_pack_rice *rice, int32_t difference)
{
    const uint32_t number = number_of(difference);
    const uint32_t high = number >> rice->k;
    if (high < MF_PACK_ESCAPE) {
        put_bits(bits, UINT32_MAX - 1u, high + 1);
        put_bits(bits, number, rice->k);
    } else {
        put_bits(bits, UINT32_MAX, MF_PACK_ESCAPE);
        put_bits(bits, number, 32);
    }
    mf_pack_rice_add(rice, number);
}

static void put_runs(struct bits *bits, const int32_t *node, uint32_t count)
{
    uint32_t done = 0;
    for (bool is_void = false; done < count; is_void = !is_void) {
        uint32_t length = 0;
        while (done + length < count && (node[done + length] == MF_PACK_VOID) == is_void) {
            length++;
        }
        put_length(bits, length);
        done += length;
    }
}

/* The nodes of a tile, and the same with something in the place of voids. */
struct tile {
    uint32_t width, height;
    int32_t first;
    bool has_nodes, has_voids;
    int32_t node[MF_PACK_SIDE * MF_PACK_SIDE];
    int32_t filled[MF_PACK_SIDE * MF_PACK_SIDE];
};

static void fill_voids(struct tile *t)
{
    t->has_nodes = false;
    t->has_voids = false;
    for (uint32_t i = t->width * t->height; i > 0; i--) {
        const bool is_void = t->node[i - 1] == MF_PACK_VOID;
        t->has_voids = t->has_voids || is_void;
        t->has_nodes = t->has_nodes || !is_void;
        t->first = is_void ? t->first : t->node[i - 1];
    }
    memcpy(t->filled, t->node, sizeof t->filled[0] * t->width * t->height);
    for (uint32_t i = 0; t->has_voids && i < t->width * t->height; i++) {
        if (t->node[i] == MF_PACK_VOID) {
            t->filled[i] =
                mf_pack_filler(t->filled, t->width, i / t->width, i % t->width, t->first);
        }
    }
}

/* Differences between the nodes and this predictor's values. */
static void differences(const struct tile *t, enum mf_pack_predictor predictor, int32_t *out)
{
    for (uint32_t row = 0; row < t->height; row++) {
        for (uint32_t column = 0; column < t->width; column++, out++) {
            *out = t->filled[row * t->width + column] -
                   mf_pack_predict(predictor, t->filled, t->width, row, column, t->first);
        }
    }
}

/* Bits that these differences take, or the first sum found above `most`. */
static uint64_t cost(const struct tile *t, const int32_t *difference, uint64_t most)
{
    struct mf_pack_rice rice = MF_PACK_RICE_START;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < t->width * t->height && bits <= most; i++) {
        if (t->node[i] != MF_PACK_VOID) {
            const uint32_t number = number_of(difference[i]);
            const uint32_t high = number >> rice.k;
            bits += high < MF_PACK_ESCAPE ? high + 1u + rice.k : MF_PACK_ESCAPE + 32u;
            mf_pack_rice_add(&rice, number);
        }
    }
    return bits;
}

/* The data of a tile with this predictor, behind what the buffer holds. */
static void encode(const struct tile *t, enum mf_pack_predictor predictor,
                   const int32_t *difference, struct buffer *out)
{
    uint8_t *head = more(out, MF_PACK_TILE_HEAD);
    if (head == NULL) {
        return;
    }
    head[0] = (uint8_t)((unsigned)predictor | (t->has_voids ? MF_PACK_TILE_VOIDS : 0u));
    mf_pack_put_u32(head + 1, (uint32_t)t->first);
    struct bits bits = {.to = out};
    if (t->has_voids) {
        put_runs(&bits, t->node, t->width * t->height);
    }
    struct mf_pack_rice rice = MF_PACK_RICE_START;
    for (uint32_t i = 0; i < t->width * t->height; i++) {
        if (t->node[i] != MF_PACK_VOID) {
            put_difference(&bits, &rice, difference[i]);
        }
    }
    put_end(&bits);
}

/* A node of the grid, also of those beyond a pole, which lie on the opposite meridian. */
static int32_t node_at(const struct grid *grid, int64_t row, int64_t column)
{
    const bool opposite = row < 0 || row >= grid->rows;
    if (opposite) {
        const struct mf_raster *r = grid->raster;
        const bool pole =
            row < 0 ? r->north_e9 == 90 * E9
                    : (r->north_e9 + 90 * E9) * r->lat_den == E9 * r->lat_num * (grid->rows - 1);
        row = row < 0 ? -row : 2 * ((int64_t)grid->rows - 1) - row;
        column += grid->columns / 2;
        if (!pole || !r->wraps || grid->columns % 2 != 0 || row < 0 || row >= grid->rows) {
            return MF_PACK_VOID;
        }
    }
    if (grid->raster->wraps) {
        const bool inside = column >= 0 && column < grid->columns; /* most are: no division */
        column = inside ? column : (column + grid->columns) % grid->columns;
    } else if (column < 0 || column >= grid->columns) {
        return MF_PACK_VOID;
    }
    return grid->node[(size_t)row * grid->columns + (size_t)column];
}

/* Append the data of a tile to the buffer; nothing if all nodes are missing. */
static void add_tile(const struct grid *grid, uint32_t tile_row, uint32_t tile_column,
                     struct buffer *out)
{
    const uint32_t cells = grid->columns - (grid->raster->wraps ? 0u : 1u);
    const uint32_t across = cells - tile_column * MF_PACK_CELLS;
    const uint32_t down = grid->rows - 1 - tile_row * MF_PACK_CELLS;
    struct tile t = {.width = (across < MF_PACK_CELLS ? across : MF_PACK_CELLS) + 3,
                     .height = (down < MF_PACK_CELLS ? down : MF_PACK_CELLS) + 3};
    const int64_t north = (int64_t)tile_row * MF_PACK_CELLS - 1;
    const int64_t west = (int64_t)tile_column * MF_PACK_CELLS - 1;
    for (uint32_t row = 0; row < t.height; row++) {
        for (uint32_t column = 0; column < t.width; column++) {
            t.node[row * t.width + column] = node_at(grid, north + row, west + column);
        }
    }
    fill_voids(&t);
    if (!t.has_nodes) {
        return;
    }
    int32_t difference[MF_PACK_SIDE * MF_PACK_SIDE] = {0};
    uint64_t best = UINT64_MAX / 8; /* bytes */
    enum mf_pack_predictor chosen = MF_PREDICT_PLANE;
    for (unsigned p = 0; p < MF_PREDICT_COUNT; p++) {
        differences(&t, (enum mf_pack_predictor)p, difference);
        const uint64_t bytes = (cost(&t, difference, 8 * best) + 7) / 8;
        if (bytes < best) {
            best = bytes;
            chosen = (enum mf_pack_predictor)p;
        }
    }
    differences(&t, chosen, difference);
    encode(&t, chosen, difference, out);
}

static void add_tiles(const struct grid *grid, struct buffer *out)
{
    const uint32_t cells = grid->columns - (grid->raster->wraps ? 0u : 1u);
    const uint32_t rows = (grid->rows - 2) / MF_PACK_CELLS + 1;
    const uint32_t columns = (cells - 1) / MF_PACK_CELLS + 1;
    more(out, MF_PACK_INDEX_ENTRY * ((size_t)rows * columns + 1));
    for (uint32_t i = 0; i <= rows * columns && !out->failed; i++) {
        const size_t from = out->size;
        if (i < rows * columns) {
            add_tile(grid, i / columns, i % columns, out);
        }
        if (out->size > UINT32_MAX) {
            out->failed = true;
        }
        if (out->failed) {
            return;
        }
        uint8_t who[12];
        mf_pack_put_u32(who, i);
        mf_pack_put_u32(who + 4, (uint32_t)from);
        mf_pack_put_u32(who + 8, (uint32_t)out->size);
        uint32_t crc = mf_crc32(0xFFFFFFFFu, who, sizeof who);
        crc = ~mf_crc32(crc, out->bytes + from, out->size - from);
        uint8_t *entry = out->bytes + MF_PACK_HEADER + (size_t)MF_PACK_INDEX_ENTRY * i;
        mf_pack_put_u32(entry, (uint32_t)from);
        mf_pack_put_u32(entry + 4, crc);
    }
}

void mf_pack_hash_geometry(struct mf_sha256 *hash, const struct mf_pack *p)
{
    char text[320];
    const int n =
        snprintf(text, sizeof text,
                 "mayfly grid 1\nnorth_e9 %" PRId64 "\nwest_e9 %" PRId64 "\nlat_step %" PRIu32
                 "/%" PRIu32 "\nlon_step %" PRIu32 "/%" PRIu32 "\nrows %" PRIu32
                 "\ncolumns %" PRIu32 "\nwraps %d\nquantum_um %" PRIu32 "\n",
                 p->north_e9, p->west_e9, p->lat_num, p->lat_den, p->lon_num, p->lon_den, p->rows,
                 p->columns, p->wraps ? 1 : 0, p->quantum_um);
    mf_sha256_init(hash);
    mf_sha256_add(hash, (const uint8_t *)text, (size_t)n);
}

static void hash_nodes(struct mf_sha256 *hash, const int32_t *node, size_t count)
{
    uint8_t bytes[4 * 256];
    for (size_t done = 0; done < count;) {
        const size_t n = count - done < sizeof bytes / 4 ? count - done : sizeof bytes / 4;
        for (size_t i = 0; i < n; i++) {
            mf_pack_put_u32(bytes + 4 * i, (uint32_t)node[done + i]);
        }
        mf_sha256_add(hash, bytes, 4 * n);
        done += n;
    }
}

/* Nodes of up to MF_PACK_CELLS rows, tile by tile. @param band  out [height][pack->columns] */
static bool read_band(const struct mf_pack *pack, struct mf_pack_cache *cache, uint32_t from_row,
                      uint32_t height, int32_t *band)
{
    for (uint32_t west = 0; west < pack->columns; west += MF_PACK_CELLS) {
        const uint32_t left = pack->columns - west;
        const uint32_t width = left < MF_PACK_CELLS ? left : MF_PACK_CELLS;
        for (uint32_t i = 0; i < height * width; i++) {
            const uint32_t row = i / width;
            const uint32_t column = west + i % width;
            if (mf_pack_node(pack, cache, from_row + row, column,
                             &band[(size_t)row * pack->columns + column]) != MF_E_OK) {
                return false;
            }
        }
    }
    return true;
}

bool mf_pack_hash_grid(const struct mf_pack *pack, uint8_t digest[32])
{
    struct mf_pack_cache *cache = calloc(1, sizeof *cache);
    int32_t *band = calloc((size_t)pack->columns * MF_PACK_CELLS, sizeof *band);
    struct mf_sha256 hash;
    mf_pack_hash_geometry(&hash, pack);
    bool whole = cache != NULL && band != NULL;
    for (uint32_t from = 0; whole && from < pack->rows; from += MF_PACK_CELLS) {
        const uint32_t left = pack->rows - from;
        const uint32_t height = left < MF_PACK_CELLS ? left : MF_PACK_CELLS;
        whole = read_band(pack, cache, from, height, band);
        if (whole) {
            hash_nodes(&hash, band, (size_t)height * pack->columns);
        }
    }
    free(band);
    free(cache);
    mf_sha256_end(&hash, digest);
    return whole;
}

void mf_pack_hash_fingerprint(const uint8_t grid[32], enum mf_pack_interpolation how,
                              const char *frame, const char *epoch, uint8_t digest[32])
{
    char hex[65];
    for (int i = 0; i < 32; i++) {
        snprintf(hex + (size_t)2 * (size_t)i, 3, "%02x", grid[i]);
    }
    char text[256];
    const int n = snprintf(text, sizeof text,
                           "mayfly geoid fingerprint 1\ngrid %s\ninterpolation %s\nframe %s\n"
                           "epoch %s\n",
                           hex, how == MF_PACK_CUBIC ? "cubic" : "bilinear", frame, epoch);
    struct mf_sha256 hash;
    mf_sha256_init(&hash);
    mf_sha256_add(&hash, (const uint8_t *)text, (size_t)n);
    mf_sha256_end(&hash, digest);
}

static void put_i64(uint8_t *at, int64_t value)
{
    mf_pack_put_u32(at, (uint32_t)((uint64_t)value & UINT32_MAX));
    mf_pack_put_u32(at + 4, (uint32_t)((uint64_t)value >> 32));
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a == 0 ? 1 : a;
}

static void seal(uint8_t *h)
{
    mf_pack_put_u32(h + MF_PACK_AT_CRC, ~mf_crc32(0xFFFFFFFFu, h, MF_PACK_AT_CRC));
}

static void put_header(const struct grid *grid, const struct mf_pack_plan *plan, uint32_t size,
                       uint8_t *h)
{
    const struct mf_raster *r = grid->raster;
    const uint32_t lat = common_divisor(r->lat_num, r->lat_den);
    const uint32_t lon = common_divisor(r->lon_num, r->lon_den);
    memset(h, 0, MF_PACK_HEADER);
    mf_pack_put_u32(h, MF_PACK_MAGIC);
    h[MF_PACK_AT_VERSION] = MF_PACK_VERSION;
    h[MF_PACK_AT_HEADER] = MF_PACK_HEADER & 255u;
    h[MF_PACK_AT_HEADER + 1] = MF_PACK_HEADER >> 8;
    mf_pack_put_u32(h + MF_PACK_AT_SIZE, size);
    h[MF_PACK_AT_KIND] = (uint8_t)plan->kind;
    h[MF_PACK_AT_INTERPOLATION] = (uint8_t)plan->interpolation;
    h[MF_PACK_AT_WRAPS] = r->wraps ? 1 : 0;
    h[MF_PACK_AT_CELLS] = MF_PACK_CELLS;
    mf_pack_put_u32(h + MF_PACK_AT_ROWS, grid->rows);
    mf_pack_put_u32(h + MF_PACK_AT_COLUMNS, grid->columns);
    put_i64(h + MF_PACK_AT_NORTH, r->north_e9);
    put_i64(h + MF_PACK_AT_WEST, grid->west_e9);
    mf_pack_put_u32(h + MF_PACK_AT_LAT_NUM, r->lat_num / lat);
    mf_pack_put_u32(h + MF_PACK_AT_LAT_DEN, r->lat_den / lat);
    mf_pack_put_u32(h + MF_PACK_AT_LON_NUM, r->lon_num / lon);
    mf_pack_put_u32(h + MF_PACK_AT_LON_DEN, r->lon_den / lon);
    mf_pack_put_u32(h + MF_PACK_AT_QUANTUM, plan->quantum_um);
    snprintf((char *)h + MF_PACK_AT_MODEL, MF_PACK_MODEL, "%s", r->model);
    snprintf((char *)h + MF_PACK_AT_FRAME, MF_PACK_FRAME, "%s", r->frame);
    snprintf((char *)h + MF_PACK_AT_EPOCH, MF_PACK_EPOCH, "%s", r->epoch);
    memcpy(h + MF_PACK_AT_SOURCE, r->source_sha256, MF_PACK_HASH);
    seal(h);
}

static void put_hashes(const struct grid *grid, const struct mf_pack *pack, uint8_t *h)
{
    struct mf_sha256 hash;
    mf_pack_hash_geometry(&hash, pack);
    hash_nodes(&hash, grid->node, (size_t)grid->rows * grid->columns);
    mf_sha256_end(&hash, h + MF_PACK_AT_GRID);
    const enum mf_pack_interpolation how[] = {MF_PACK_BILINEAR, MF_PACK_CUBIC};
    for (size_t i = 0; i < 2; i++) {
        mf_pack_hash_fingerprint(h + MF_PACK_AT_GRID, how[i], grid->raster->frame,
                                 grid->raster->epoch,
                                 h + MF_PACK_AT_FINGERPRINT + i * MF_PACK_HASH);
    }
    seal(h);
}

/* Integers of the nodes, and the column that they begin with. */
static const char *quantise(const struct mf_pack_plan *plan, struct grid *grid)
{
    const struct mf_raster *r = grid->raster;
    const int64_t circle_e9 = 360 * E9;
    int64_t west_e9 = (r->west_e9 + 180 * E9) % circle_e9;
    west_e9 += (west_e9 < 0 ? circle_e9 : 0) - 180 * E9;
    uint32_t shift = 0; /* columns from the first one at or east of -180 deg */
    if (r->wraps) {
        shift = (uint32_t)((west_e9 + 180 * E9) * r->lon_den / (E9 * r->lon_num));
        west_e9 -= E9 * shift * r->lon_num / r->lon_den;
    }
    grid->west_e9 = west_e9;
    for (size_t i = 0; i < (size_t)grid->rows * grid->columns; i++) {
        const size_t row = i / grid->columns;
        const size_t column = (i % grid->columns + grid->columns - shift) % grid->columns;
        const double value =
            floor(r->node_m[row * grid->columns + column] * 1e6 / plan->quantum_um + 0.5);
        if (fabs(value) > MF_PACK_VALUE_MAX) {
            return "a value is too large for this quantum";
        }
        grid->node[i] = isnan(value) ? MF_PACK_VOID : (int32_t)value;
    }
    return NULL;
}

static const char *make(const struct mf_raster *raster, const struct mf_pack_plan *plan,
                        struct grid *grid, struct buffer *out)
{
    if (raster->rows < 2 || raster->columns < 2 || raster->lat_num == 0 || raster->lat_den == 0 ||
        raster->lat_den > MF_PACK_DEN_MAX || raster->lon_num == 0 || raster->lon_den == 0 ||
        raster->lon_den > MF_PACK_DEN_MAX || plan->quantum_um == 0 ||
        raster->wraps !=
            ((uint64_t)raster->columns * raster->lon_num == UINT64_C(360) * raster->lon_den)) {
        return "its geometry makes no sense";
    }
    *grid = (struct grid){.raster = raster, .rows = raster->rows, .columns = raster->columns};
    grid->node = malloc(sizeof *grid->node * grid->rows * grid->columns);
    if (grid->node == NULL) {
        return "not enough memory";
    }
    const char *wrong = quantise(plan, grid);
    if (wrong != NULL) {
        return wrong;
    }
    more(out, MF_PACK_HEADER);
    add_tiles(grid, out);
    if (out->failed) {
        return "not enough memory, or more than 4 GB";
    }
    put_header(grid, plan, (uint32_t)out->size, out->bytes);
    struct mf_pack pack;
    if (mf_pack_open(&pack, out->bytes, out->size) != MF_E_OK) {
        return "its geometry or its names make no pack"; /* the reader's word is the last one */
    }
    put_hashes(grid, &pack, out->bytes);
    return NULL;
}

bool mf_pack_make(const struct mf_raster *raster, const struct mf_pack_plan *plan, uint8_t **bytes,
                  size_t *size, char *error, size_t error_size)
{
    struct grid grid = {.node = NULL};
    struct buffer out = {.bytes = NULL};
    const char *wrong = make(raster, plan, &grid, &out);
    free(grid.node);
    if (wrong != NULL) {
        free(out.bytes);
        snprintf(error, error_size, "%s cannot be packed: %s", raster->model, wrong);
        return false;
    }
    *bytes = out.bytes;
    *size = out.size;
    return true;
}

bool mf_pack_write(const struct mf_raster *raster, const struct mf_pack_plan *plan,
                   const char *path, char *error, size_t error_size)
{
    uint8_t *bytes;
    size_t size;
    char draft[4096];
    if (!mf_pack_make(raster, plan, &bytes, &size, error, error_size)) {
        return false;
    }
    const int length = snprintf(draft, sizeof draft, "%s.draft", path);
    FILE *file = length > 0 && (size_t)length < sizeof draft ? fopen(draft, "wb") : NULL;
    bool written = file != NULL && fwrite(bytes, 1, size, file) == size;
    if (file != NULL) {
        written = fclose(file) == 0 && written;
        written = written && rename(draft, path) == 0;
    }
    free(bytes);
    if (!written) {
        if (file != NULL) {
            remove(draft);
        }
        snprintf(error, error_size, "%s cannot be written", path);
    }
    return written;
}
