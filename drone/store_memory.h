/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The store in memory: two banks per area, the records that are active and those being staged. A
 * commit exchanges the two. The caller gives the memory and so decides how much each area holds; an
 * area without memory holds nothing.
 *
 *     static uint8_t s_params[2][64 * MF_STORE_PARAM_BYTES];
 *     const struct mf_store_banks banks[MF_STORE_AREA_COUNT] = {
 *         [MF_STORE_PARAM] = {{s_params[0], s_params[1]}, 64}};
 *     mf_store_memory_init(&store, banks);
 *
 * What it holds ends with the memory. A store with a medium puts its own commit before this one
 * (hal-posix/store_file.c).
 */
#ifndef MF_DRONE_STORE_MEMORY_H
#define MF_DRONE_STORE_MEMORY_H

#include "hal/store.h"

/** Bytes of one record: MF_STORE_PARAM_BYTES, ... */
/* clang-format off */
enum {
#define X(name, size) MF_STORE_##name##_BYTES = (size),
    MF_STORE_AREA_LIST(X)
#undef X
};
/* clang-format on */

/** Memory of one area; the caller's, not touched before use. */
struct mf_store_banks {
    uint8_t *bank[2];  /**< [capacity * bytes of a record] each */
    uint16_t capacity; /**< records; 0: no memory is needed */
};

struct mf_store_memory {
    struct mf_store_area_memory {
        uint8_t *active;           /**< [info.capacity * bytes of a record] */
        uint8_t *staged;           /**< the same */
        struct mf_store_info info; /**< of the active ones */
    } area[MF_STORE_AREA_COUNT];
};

/** @brief Empty areas. @param banks  [MF_STORE_AREA_COUNT], copied */
void mf_store_memory_init(struct mf_store_memory *store, const struct mf_store_banks *banks);

/** @return bytes of one record of an area */
size_t mf_store_record_bytes(enum mf_store_area area);

/** The contract; the context is the store. */
extern const struct mf_store_ops mf_store_memory_ops;

#endif
