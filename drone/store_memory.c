/* SPDX-License-Identifier: Apache-2.0 */
/* Store in memory. Called by hal-posix/store_file, hal-sim/store_shared and boards, through the
 * HAL. */
#include "drone/store_memory.h"

#include <string.h>

size_t mf_store_record_bytes(enum mf_store_area area)
{
    static const uint8_t k_bytes[MF_STORE_AREA_COUNT] = {
#define X(name, size) [MF_STORE_##name] = (size),
        MF_STORE_AREA_LIST(X)
#undef X
    };
    MF_ASSERT(area < MF_STORE_AREA_COUNT);
    return k_bytes[area];
}

void mf_store_memory_init(struct mf_store_memory *store, const struct mf_store_banks *banks)
{
    MF_ASSERT(store != NULL && banks != NULL);
    memset(store, 0, sizeof *store);
    for (size_t i = 0; i < MF_STORE_AREA_COUNT; i++) {
        struct mf_store_area_memory *area = &store->area[i];
        MF_ASSERT(banks[i].capacity == 0 || (banks[i].bank[0] != NULL && banks[i].bank[1] != NULL));
        area->active = banks[i].bank[0];
        area->staged = banks[i].bank[1];
        area->info.capacity = banks[i].capacity;
    }
}

static struct mf_store_area_memory *area_of(void *ctx, enum mf_store_area area)
{
    struct mf_store_memory *store = ctx;
    MF_ASSERT(store != NULL && area < MF_STORE_AREA_COUNT);
    return &store->area[area];
}

static int store_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    *info = area_of(ctx, area)->info;
    return MF_E_OK;
}

static int store_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    const struct mf_store_area_memory *a = area_of(ctx, area);
    const size_t n = mf_store_record_bytes(area);
    if (index >= a->info.count) {
        return MF_E_RANGE;
    }
    memcpy(record, a->active + index * n, n);
    return MF_E_OK;
}

static int store_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    struct mf_store_area_memory *a = area_of(ctx, area);
    const size_t n = mf_store_record_bytes(area);
    if (index >= a->info.capacity) {
        return MF_E_FULL;
    }
    memcpy(a->staged + index * n, record, n);
    return MF_E_OK;
}

static int store_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    struct mf_store_area_memory *a = area_of(ctx, area);
    uint8_t *const before = a->active;
    if (count > a->info.capacity) {
        return MF_E_IO;
    }
    a->active = a->staged;
    a->staged = before;
    a->info.count = count;
    a->info.tag = tag;
    return MF_E_OK;
}

const struct mf_store_ops mf_store_memory_ops = {store_info, store_get, store_put, store_commit};
