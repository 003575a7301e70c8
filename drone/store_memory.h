/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Store in memory: two banks per area, the active records and the staged ones. A commit exchanges
 * the two. The caller supplies the memory, and so chooses the capacity of each area; an area
 * without memory is always empty.
 *
 *     static uint8_t s_params[2][64 * MF_STORE_PARAM_BYTES];
 *     const struct mf_store_banks banks[MF_STORE_AREA_COUNT] = {
 *         [MF_STORE_PARAM] = {{s_params[0], s_params[1]}, 64}};
 *     mf_store_memory_init(&store, banks);
 *
 * The records live as long as the memory. A store with a medium puts its own commit before this one
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

/** Memory of one area; the caller owns it, and the store does not touch it before use. */
struct mf_store_banks {
    uint8_t *bank[2];  /**< [capacity * bytes of a record] each */
    uint16_t capacity; /**< records; 0: the area needs no memory */
};

struct mf_store_memory {
    struct mf_store_area_memory {
        uint8_t *active;           /**< [info.capacity * bytes of a record] */
        uint8_t *staged;           /**< [info.capacity * bytes of a record] */
        struct mf_store_info info; /**< info of the active records */
    } area[MF_STORE_AREA_COUNT];
};

/** @brief Begin with empty areas. @param banks  [MF_STORE_AREA_COUNT], copied */
void mf_store_memory_init(struct mf_store_memory *store, const struct mf_store_banks *banks);

/** @return bytes of one record of an area */
size_t mf_store_record_bytes(enum mf_store_area area);

/** Operations; their context is the store. */
extern const struct mf_store_ops mf_store_memory_ops;

#endif
