/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/elevation/raster.h"

#include <stdlib.h>
#include <string.h>

#define NODE_BYTES 4u

bool elevation_raster_open(struct elevation_raster *raster, const struct elevation_part *part)
{
    const struct geoid_grid *grid = &part->crop.grid;
    const size_t rows = grid->rows < MF_PACK_CELLS ? grid->rows : MF_PACK_CELLS;
    memset(raster, 0, sizeof *raster);
    raster->part = *part;
    raster->band = malloc(rows * grid->columns * NODE_BYTES);
    return raster->band != NULL;
}

void elevation_raster_close(struct elevation_raster *raster)
{
    free(raster->band);
    raster->band = NULL;
}

static void put_node(uint8_t *at, int32_t node)
{
    const uint32_t bits = (uint32_t)node;
    for (unsigned i = 0; i < NODE_BYTES; i++) {
        at[i] = (uint8_t)(bits >> (8 * i));
    }
}

/* The nodes first .. first + n of each row that is held, which lie in one column of tiles. */
static bool read_columns(struct elevation_raster *r, uint32_t first, uint32_t n)
{
    const struct elevation_part *p = &r->part;
    const uint32_t column = (p->crop.column + first) % p->pack->columns;
    for (uint32_t row = 0; row < r->rows; row++) {
        uint8_t *at = r->band + ((size_t)row * p->crop.grid.columns + first) * NODE_BYTES;
        for (uint32_t i = 0; i < n; i++) {
            int32_t node = 0;
            if (mf_pack_node(p->pack, &r->cache, p->crop.row + r->row + row, column + i, &node) !=
                MF_E_OK) {
                return false;
            }
            put_node(at + (size_t)i * NODE_BYTES, node);
        }
    }
    return true;
}

/* Hold the row and those after it that lie in the same tiles: each tile is decoded once. */
static bool hold_row(struct elevation_raster *r, uint32_t row)
{
    const struct elevation_part *p = &r->part;
    const uint32_t columns = p->crop.grid.columns;
    const uint32_t in_tile = MF_PACK_CELLS - (p->crop.row + row) % MF_PACK_CELLS;
    r->row = row;
    r->rows = p->crop.grid.rows - row < in_tile ? p->crop.grid.rows - row : in_tile;
    for (uint32_t first = 0; first < columns;) {
        const uint32_t column = (p->crop.column + first) % p->pack->columns;
        const uint32_t to_tile = MF_PACK_CELLS - column % MF_PACK_CELLS;
        const uint32_t to_turn = p->pack->columns - column;
        uint32_t n = to_tile < to_turn ? to_tile : to_turn;
        n = n < columns - first ? n : columns - first;
        if (!read_columns(r, first, n)) {
            r->rows = 0;
            return false;
        }
        first += n;
    }
    return true;
}

int64_t elevation_raster_read(struct elevation_raster *raster, int64_t position, uint8_t *bytes,
                              size_t max)
{
    const struct geoid_grid *grid = &raster->part.crop.grid;
    const int64_t line = (int64_t)grid->columns * NODE_BYTES;
    if (position < 0 || position >= line * grid->rows) {
        return 0;
    }
    const uint32_t row = (uint32_t)(position / line);
    if ((row < raster->row || row - raster->row >= raster->rows) && !hold_row(raster, row)) {
        return -1;
    }
    const size_t from = (size_t)(position - line * raster->row);
    const size_t left = (size_t)line * raster->rows - from;
    const size_t n = left < max ? left : max;
    memcpy(bytes, raster->band + from, n);
    return (int64_t)n;
}
