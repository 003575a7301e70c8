/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Contract: records that outlive a transfer, and where a medium is given, a restart: parameters,
 * mission, fence, rally, the key of signatures.
 *
 * An area holds records of one size, twice: the active ones, and those being staged. A commit makes
 * the staged ones active at once and for good: after a power loss either the old area or the new
 * one is there, never a mixture.
 */
#ifndef MF_HAL_STORE_H
#define MF_HAL_STORE_H

#include "hal/types.h"

/** Area, size of one record [bytes]. */
#define MF_STORE_AREA_LIST(X) \
    X(PARAM, 24u)             \
    X(MISSION, 32u)           \
    X(FENCE, 32u)             \
    X(RALLY, 32u)             \
    X(SIGNING, 32u)

/* clang-format off */
enum mf_store_area {
#define X(name, size) MF_STORE_##name,
    MF_STORE_AREA_LIST(X)
#undef X
    MF_STORE_AREA_COUNT
};
/* clang-format on */

struct mf_store_info {
    uint32_t tag;      /**< given at the commit: the checksum (opaque id) of the records */
    uint16_t count;    /**< active records */
    uint16_t capacity; /**< records that fit */
};

struct mf_store_ops {
    /** @return MF_E_OK; a store that was never written has count 0, tag 0. */
    int (*info)(void *ctx, enum mf_store_area area, struct mf_store_info *info);
    /** Read active record @p index. @return MF_E_OK, MF_E_RANGE, MF_E_IO. */
    int (*get)(void *ctx, enum mf_store_area area, uint16_t index, void *record);
    /** Stage record @p index. The active ones stay as they are. @return MF_E_OK, MF_E_FULL,
     * MF_E_IO. */
    int (*put)(void *ctx, enum mf_store_area area, uint16_t index, const void *record);
    /** The first @p count staged records become the active ones. @return MF_E_OK; MF_E_IO: nothing
     * changed. */
    int (*commit)(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag);
};

#endif
