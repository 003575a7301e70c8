/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Small packs for tests, written byte by byte as docs/geoid.md says and without help of what is
 * tested: every difference from the plane is escaped, so no Rice parameter is needed.
 */
#ifndef MF_TESTS_PACK_FIXTURE_H
#define MF_TESTS_PACK_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define VOID_NODE INT32_MIN

/* A grid; step and origin in whole numbers. */
struct sheet {
    const char *model;
    uint32_t rows, columns;
    int64_t north_deg, west_deg;
    uint32_t num, den;
    bool wraps;
    uint8_t kind, interpolation;
    uint32_t quantum_um;
    const int32_t *node;
};

struct made {
    uint8_t bytes[65536];
    size_t size;
    uint32_t tiles;
    uint32_t bit; /* of the last byte, that is next */
};

static inline void store(uint8_t *at, uint64_t value, int n)
{
    for (int i = 0; i < n; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

/* Bit by bit: 0xEDB88320, from all ones to their inverse. */
static inline uint32_t zlib_crc(uint32_t crc, const uint8_t *bytes, size_t n)
{
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
        }
    }
    return ~crc;
}

static inline void add_bits(struct made *m, uint32_t value, int n)
{
    while (n-- > 0) {
        if (m->bit == 0) {
            m->bytes[m->size++] = 0;
        }
        m->bytes[m->size - 1] |= (uint8_t)((value >> n & 1u) << (7 - m->bit));
        m->bit = (m->bit + 1) % 8;
    }
}

static inline int32_t sheet_at(const struct sheet *s, int64_t row, int64_t column)
{
    if (row < 0 || row >= s->rows) {
        const bool pole =
            row < 0 ? s->north_deg == 90
                    : s->north_deg * s->den + 90 * s->den == (int64_t)(s->rows - 1) * s->num;
        if (!s->wraps || !pole) {
            return VOID_NODE;
        }
        row = row < 0 ? -row : 2 * (int64_t)(s->rows - 1) - row;
        column += s->columns / 2;
    }
    if (s->wraps) {
        column = (column + s->columns) % s->columns;
    }
    return column < 0 || column >= s->columns ? VOID_NODE : s->node[row * s->columns + column];
}

static inline void add_run(struct made *m, uint32_t length)
{
    int bits = 0;
    while ((length + 1) >> (bits + 1) != 0) {
        add_bits(m, 1, 1);
        bits++;
    }
    add_bits(m, 0, 1);
    add_bits(m, length + 1, bits);
}

static inline void add_nodes(struct made *m, int32_t (*node)[63], uint32_t width, uint32_t height,
                             bool voids)
{
    m->bytes[m->size++] = voids ? 8 : 0;
    store(m->bytes + m->size, 0, 4);
    m->size += 4;
    m->bit = 0;
    uint32_t run = 0;
    bool in_void = false;
    for (uint32_t i = 0; voids && i <= width * height; i++) {
        const bool end = i == width * height;
        if (end || (node[i / width][i % width] == VOID_NODE) != in_void) {
            add_run(m, run);
            run = 0;
            in_void = !in_void;
        }
        run++;
    }
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            int32_t *n = &node[y][x];
            if (*n == VOID_NODE) { /* marked above: from here on its neighbour stands for it */
                *n = x > 0 ? n[-1] : y > 0 ? node[y - 1][x] : 0;
                continue;
            }
            int32_t plane = 0;
            if (y > 0 && x > 0) {
                plane = n[-1] + node[y - 1][x] - node[y - 1][x - 1];
            } else if (y > 0) {
                plane = y > 1 ? 2 * node[y - 1][0] - node[y - 2][0] : node[0][0];
            } else if (x > 0) {
                plane = x > 1 ? 2 * n[-1] - n[-2] : n[-1];
            }
            const int32_t difference = *n - plane;
            add_bits(m, 0xFFFFFF, 24);
            add_bits(m,
                     difference >= 0 ? 2u * (uint32_t)difference : 2u * (uint32_t)-difference - 1u,
                     32);
        }
    }
}

static inline void add_sheet_tile(struct made *m, const struct sheet *s, uint32_t across,
                                  uint32_t number)
{
    static int32_t node[63][63];
    const uint32_t row = number / across * 60;
    const uint32_t column = number % across * 60;
    const uint32_t cells = s->wraps ? s->columns : s->columns - 1;
    const uint32_t width = (cells - column < 60 ? cells - column : 60) + 3;
    const uint32_t height = (s->rows - 1 - row < 60 ? s->rows - 1 - row : 60) + 3;
    uint32_t voids = 0;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            node[y][x] = sheet_at(s, (int64_t)row + y - 1, (int64_t)column + x - 1);
            voids += node[y][x] == VOID_NODE;
        }
    }
    const size_t from = m->size;
    if (voids < width * height) {
        add_nodes(m, node, width, height, voids > 0);
    }
    uint8_t who[12];
    store(who, number, 4);
    store(who + 4, from, 4);
    store(who + 8, m->size, 4);
    uint8_t *entry = m->bytes + 260 + (size_t)8 * number;
    store(entry, from, 4);
    store(entry + 4, zlib_crc(zlib_crc(0, who, 12), m->bytes + from, m->size - from), 4);
    store(entry + 8, m->size, 4); /* the last one stays */
}

static inline void seal_header(struct made *m)
{
    store(m->bytes + 256, zlib_crc(0, m->bytes, 256), 4);
}

static inline void make_sheet(struct made *m, const struct sheet *s)
{
    memset(m, 0, sizeof *m);
    uint8_t *h = m->bytes;
    store(h, 0x4B50464D, 4); /* MFPK */
    store(h + 4, 1, 2);
    store(h + 6, 260, 2);
    h[12] = s->kind;
    h[13] = s->interpolation;
    h[14] = s->wraps;
    h[15] = 60;
    store(h + 16, s->rows, 4);
    store(h + 20, s->columns, 4);
    store(h + 24, (uint64_t)(s->north_deg * 1000000000), 8);
    store(h + 32, (uint64_t)(s->west_deg * 1000000000), 8);
    store(h + 40, s->num, 4);
    store(h + 44, s->den, 4);
    store(h + 48, s->num, 4);
    store(h + 52, s->den, 4);
    store(h + 56, s->quantum_um, 4);
    strncpy((char *)h + 64, s->model, 31);
    strncpy((char *)h + 96, "none", 15);
    strncpy((char *)h + 112, "2020.0", 15);
    for (int i = 0; i < 4; i++) { /* four hashes that can be told apart */
        memset(h + 128 + 32 * i, 0xA0 + i, 32);
    }
    const uint32_t cells = s->wraps ? s->columns : s->columns - 1;
    const uint32_t across = (cells + 59) / 60;
    m->tiles = across * ((s->rows - 1 + 59) / 60);
    m->size = 260 + (size_t)8 * (m->tiles + 1);
    for (uint32_t i = 0; i < m->tiles; i++) {
        add_sheet_tile(m, s, across, i);
    }
    store(h + 8, m->size, 4);
    seal_header(m);
}

#endif
