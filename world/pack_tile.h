/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How the nodes of a tile become bits: each is predicted from those before it, and the difference
 * is written in a Rice code whose parameter follows the differences so far (docs/geoid.md). Who
 * reads and who writes share the prediction and the parameter.
 */
#ifndef MF_WORLD_PACK_TILE_H
#define MF_WORLD_PACK_TILE_H

#include "hal/types.h"
#include "world/pack_format.h"

/* Each is exact for a plane; they differ in what they make of curvature and of rounded nodes. */
enum mf_pack_predictor {
    MF_PREDICT_PLANE,  /**< through three neighbours: rough terrain */
    MF_PREDICT_TWIST,  /**< and a quarter of the twist seen to the west and to the north */
    MF_PREDICT_LINES,  /**< half of it, half of the two lines that lead here */
    MF_PREDICT_SMOOTH, /**< no second difference changes: smooth and finely rounded */
    MF_PREDICT_FITTED, /**< weights that fit a coarsely rounded EGM2008 best */
    MF_PREDICT_COUNT
};

/** @brief What a node should be, from those before it, all of which are within MF_PACK_VALUE_MAX.
 *  @param node  [height][width], of which all before @p row, @p column are known
 *  @param first  what the very first node should be */
int32_t mf_pack_predict(enum mf_pack_predictor predictor, const int32_t *node, uint32_t width,
                        uint32_t row, uint32_t column, int32_t first);

/** The value that stands for a void when its neighbours are predicted: its neighbour's. */
int32_t mf_pack_filler(const int32_t *node, uint32_t width, uint32_t row, uint32_t column,
                       int32_t first);

/** The parameter of a Rice code, from the numbers that were written so far. */
struct mf_pack_rice {
    uint32_t sum;
    uint32_t count;
    uint32_t k; /**< least one with count * 2^k >= sum */
};

#define MF_PACK_RICE_START \
    {                      \
        8u, 1u, 3u         \
    }

void mf_pack_rice_add(struct mf_pack_rice *rice, uint32_t number);

/** @brief Decode a tile. @param node  out [height][width]
 *  @return MF_E_OK; MF_E_IO: these are no such nodes, and @p node holds anything */
int mf_pack_tile_decode(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                        int32_t *node);

#endif
