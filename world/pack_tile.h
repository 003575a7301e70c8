/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Coding of a tile's nodes: each is predicted from those before it, and the difference is written
 * in a Rice code whose parameter follows the differences so far (docs/geoid.md). Reader and writer
 * share the prediction and the parameter.
 */
#ifndef MF_WORLD_PACK_TILE_H
#define MF_WORLD_PACK_TILE_H

#include "hal/types.h"
#include "world/pack_format.h"

/* Predictors. Each is exact for a plane; they differ for curvature and for rounded nodes. */
enum mf_pack_predictor {
    MF_PREDICT_PLANE,  /**< plane through three neighbours: for rough terrain */
    MF_PREDICT_TWIST,  /**< PLANE plus a quarter of the twist to the west and to the north */
    MF_PREDICT_LINES,  /**< half of TWIST, half of the two lines that lead to the node */
    MF_PREDICT_SMOOTH, /**< constant second differences: for smooth and finely rounded heights */
    MF_PREDICT_FITTED, /**< weights that fit a coarsely rounded EGM2008 best */
    MF_PREDICT_COUNT
};

/** @brief Predict a node from those before it, all of which are within MF_PACK_VALUE_MAX.
 * @param node  [height][width]; those before @p row, @p column are known
 * @param first  prediction of the very first node */
int32_t mf_pack_predict(enum mf_pack_predictor predictor, const int32_t *node, uint32_t width,
                        uint32_t row, uint32_t column, int32_t first);

/** Value that replaces a void in the prediction of its neighbours: that of the void's own
 * neighbour. */
int32_t mf_pack_filler(const int32_t *node, uint32_t width, uint32_t row, uint32_t column,
                       int32_t first);

/** Parameter of a Rice code, from the numbers that were written so far. */
struct mf_pack_rice {
    uint32_t sum;
    uint32_t count;
    uint32_t k; /**< smallest k with count * 2^k >= sum */
};

#define MF_PACK_RICE_START \
    {                      \
        8u, 1u, 3u         \
    }

void mf_pack_rice_add(struct mf_pack_rice *rice, uint32_t number);

/** @brief Decode a tile. @param node  out [height][width]
 * @return MF_E_OK; MF_E_IO: damaged, and the contents of @p node are undefined */
int mf_pack_tile_decode(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                        int32_t *node);

#endif
