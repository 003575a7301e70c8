/* SPDX-License-Identifier: Apache-2.0 */
/* Decoder of tiles. Called by world/pack; tools/geoid uses its prediction to write packs. */
#include "world/pack_tile.h"

/* Bit stream of a tile, the highest bit of a byte first. After its end it returns zeros, and counts
 * them. */
struct bits {
    const uint8_t *bytes;
    size_t at;       /* index of the next byte */
    size_t size;     /* number of bytes */
    uint64_t window; /* the highest bits are next */
    uint32_t held;   /* number of bits in the window */
    uint32_t beyond; /* bytes of the window after the end of the tile */
};

/* Fill the window with at least 56 bits. */
static void fill_window(struct bits *b)
{
    if (b->at + 8 <= b->size) {
        uint64_t eight = 0;
        for (size_t i = 0; i < 8; i++) {
            eight = eight << 8 | b->bytes[b->at + i];
        }
        b->window |= eight >> b->held;
        b->at += (63u - b->held) >> 3;
        b->held |= 56u;
        return;
    }
    while (b->held <= 56) {
        uint64_t byte = 0;
        if (b->at < b->size) {
            byte = b->bytes[b->at++];
        } else {
            b->beyond++;
        }
        b->window |= byte << (56 - b->held);
        b->held += 8;
    }
}

/* Take the next n bits, 0 .. 32. */
static uint32_t take_bits(struct bits *b, uint32_t n)
{
    if (b->held < n) {
        fill_window(b);
    }
    const uint32_t value = (uint32_t)(b->window >> 32 >> (32 - n));
    b->window <<= n;
    b->held -= n;
    return value;
}

/* Take ones, and the zero after them; at most `most` ones, then without a zero. @return number of
 * ones */
static uint32_t take_ones(struct bits *b, uint32_t most)
{
    if (b->held <= most) {
        fill_window(b);
    }
    const uint64_t turned = ~b->window | 1u;
    const uint32_t ones = (uint32_t)__builtin_clzll(turned);
    const uint32_t n = ones < most ? ones : most;
    take_bits(b, n + (ones < most ? 1u : 0u));
    return n;
}

/* Take the length of a run: as many ones as bits follow a zero, then these bits of the length plus
 * one, whose highest bit is omitted. */
static uint32_t take_length(struct bits *b)
{
    const uint32_t more = take_ones(b, 16);
    return (1u << more | take_bits(b, more)) - 1u;
}

static int32_t take_difference(struct bits *b, struct mf_pack_rice *rice)
{
    const uint32_t high = take_ones(b, MF_PACK_ESCAPE);
    const uint32_t number =
        high == MF_PACK_ESCAPE ? take_bits(b, 32) : (high << rice->k | take_bits(b, rice->k));
    mf_pack_rice_add(rice, number);
    return (int32_t)(number >> 1 ^ (0u - (number & 1u)));
}

static bool is_value(int64_t value)
{
    return value >= -MF_PACK_VALUE_MAX && value <= MF_PACK_VALUE_MAX;
}

/* Were all bytes used, and is the rest of the last one zero? */
static bool is_at_end(const struct bits *b)
{
    return b->at == b->size && b->held >= b->beyond * 8u && b->held - b->beyond * 8u < 8u &&
           b->window == 0;
}

/* Each addend is at most 2^23, so the sum is at most count * 2^23, and this limit never takes
 * effect. */
#define RICE_K_MAX 23u

void mf_pack_rice_add(struct mf_pack_rice *rice, uint32_t number)
{
    const uint32_t most = 1u << 24;
    rice->sum += (number < most ? number + 1u : most) >> 1;
    if (++rice->count == 64u) {
        rice->count = 32u;
        rice->sum >>= 1;
    }
    while (rice->k < RICE_K_MAX && rice->count << rice->k < rice->sum) {
        rice->k++;
    }
    while (rice->k > 0 && rice->count << (rice->k - 1u) >= rice->sum) {
        rice->k--;
    }
}

/* Names are directions: w is the node to the west, ww the one west of w, ne the one to the
 * north-east. Nodes are at most 2^24, so the sums here fit into 31 bits. */
static int32_t predict_inside(enum mf_pack_predictor predictor, const int32_t *at, uint32_t width)
{
    const int32_t *up = at - width;
    const int32_t *top = up - width;
    const int32_t w = at[-1];
    const int32_t ww = at[-2];
    const int32_t n = up[0];
    const int32_t nw = up[-1];
    const int32_t plane = w + n - nw;
    const int32_t twist_n = n - nw - top[0] + top[-1];
    const int32_t twist_w = w - ww - nw + up[-2];
    switch (predictor) {
    case MF_PREDICT_TWIST:
        return plane + (twist_n + twist_w) / 4;
    case MF_PREDICT_LINES:
        return (2 * plane + 2 * w - ww + 2 * n - top[0]) / 4;
    case MF_PREDICT_SMOOTH:
        return 2 * w - ww + 2 * n - top[0] - 4 * nw + 2 * up[-2] + 2 * top[-1] - top[-2];
    case MF_PREDICT_FITTED: {
        const int32_t ne = up[1];
        const int32_t bend = 2 * (ne - 2 * n + nw) + (up[2] - 2 * ne + n) -
                             6 * (n - 2 * nw + up[-2]) + 3 * (top[1] - 2 * top[0] + top[-1]);
        const int32_t twist_e = ne - n - top[1] + top[0];
        return plane + (bend + 2 * twist_n + 7 * twist_e + 3 * twist_w) / 16;
    }
    case MF_PREDICT_PLANE:
    case MF_PREDICT_COUNT:
    default:
        return plane;
    }
}

int32_t mf_pack_predict(enum mf_pack_predictor predictor, const int32_t *node, uint32_t width,
                        uint32_t row, uint32_t column, int32_t first)
{
    const int32_t *at = node + row * width + column;
    if (row >= 2 && column >= 2 && column + 2 < width) {
        return predict_inside(predictor, at, width);
    }
    const int32_t *up = at - (row > 0 ? width : 0u);
    if (row > 0 && column > 0) {
        return at[-1] + up[0] - up[-1];
    }
    if (row > 0) {
        return row == 1 ? up[0] : 2 * up[0] - up[-(int32_t)width];
    }
    return column == 0 ? first : column == 1 ? at[-1] : 2 * at[-1] - at[-2];
}

int32_t mf_pack_filler(const int32_t *node, uint32_t width, uint32_t row, uint32_t column,
                       int32_t first)
{
    const int32_t *at = node + row * width + column;
    return column > 0 ? at[-1] : row > 0 ? at[-(int32_t)width] : first;
}

/* Take the lengths of runs. @param node  NULL, or out: nodes of every second run become voids */
static bool take_runs(struct bits *b, uint32_t count, int32_t *node)
{
    uint32_t done = 0;
    for (bool is_void = false; done < count; is_void = !is_void) {
        const uint32_t length = take_length(b);
        if (length > count - done || (length == 0 && (is_void || done > 0))) {
            return false;
        }
        for (uint32_t i = done; node != NULL && is_void && i < done + length; i++) {
            node[i] = MF_PACK_VOID;
        }
        done += length;
    }
    return true;
}

/* Decoder of a tile: its bits, and the lengths of runs, which precede them. */
struct decoder {
    struct bits in, runs;
    struct mf_pack_rice rice;
    enum mf_pack_predictor predictor;
    uint32_t left; /* nodes left of the current run */
    bool is_void;  /* the current run is one of voids */
    int32_t first;
};

static bool decode_node(struct decoder *d, uint32_t width, uint32_t row, uint32_t column,
                        int32_t *node)
{
    int32_t *at = node + row * width + column;
    if (d->left == 0) {
        d->is_void = !d->is_void;
        d->left = take_length(&d->runs);
    }
    d->left--;
    if (d->is_void) {
        *at = mf_pack_filler(node, width, row, column, d->first);
        return true;
    }
    const int64_t value =
        (int64_t)mf_pack_predict(d->predictor, node, width, row, column, d->first) +
        take_difference(&d->in, &d->rice);
    if (!is_value(value)) {
        return false;
    }
    *at = (int32_t)value;
    return true;
}

int mf_pack_tile_decode(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                        int32_t *node)
{
    MF_ASSERT(width >= 4 && width <= MF_PACK_SIDE && height >= 4 && height <= MF_PACK_SIDE);
    const uint32_t count = width * height;
    if (size < MF_PACK_TILE_HEAD || (bytes[0] & MF_PACK_TILE_PREDICTOR) >= MF_PREDICT_COUNT ||
        bytes[0] > (MF_PACK_TILE_PREDICTOR | MF_PACK_TILE_VOIDS)) {
        return MF_E_IO;
    }
    const struct bits begin = {.bytes = bytes, .at = MF_PACK_TILE_HEAD, .size = size};
    struct decoder d = {begin, begin, MF_PACK_RICE_START, MF_PREDICT_PLANE, count, false, 0};
    d.predictor = (enum mf_pack_predictor)(bytes[0] & MF_PACK_TILE_PREDICTOR);
    d.first = (int32_t)mf_pack_u32(bytes + 1);
    const bool has_voids = (bytes[0] & MF_PACK_TILE_VOIDS) != 0;
    if (!is_value(d.first) || (has_voids && !take_runs(&d.in, count, NULL))) {
        return MF_E_IO;
    }
    d.left = has_voids ? take_length(&d.runs) : count;
    for (uint32_t row = 0; row < height; row++) {
        for (uint32_t column = 0; column < width; column++) {
            if (!decode_node(&d, width, row, column, node)) {
                return MF_E_IO;
            }
        }
    }
    struct bits marks = begin;
    return is_at_end(&d.in) && (!has_voids || take_runs(&marks, count, node)) ? MF_E_OK : MF_E_IO;
}
