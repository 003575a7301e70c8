/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Store whose mission, fence and rally points many vehicles share: a plan is in memory once, and
 * each vehicle has a shift that the store applies when it reads an item. After a client's upload a
 * vehicle has its own records, of that area alone, without a shift.
 *
 * The store does not keep parameters and keys: their areas are empty.
 */
#ifndef MF_HAL_SIM_STORE_SHARED_H
#define MF_HAL_SIM_STORE_SHARED_H

#include "drone/store_memory.h"
#include "firmware/state/items.h"
#include "hal/memory.h"

/** Records of one area that many vehicles share; they must outlive the stores. */
struct mf_shared_items {
    const struct mf_item *item; /**< [count] */
    uint16_t count;
    uint32_t tag; /**< opaque id, as of a commit */
};

/** Plan that many vehicles share. */
struct mf_shared_plan {
    struct mf_shared_items mission, fence, rally;
    double lat_deg, lon_deg,
        alt_amsl_m; /**< place for which the plan was made: shifts begin here */
};

/** Shift from the plan's place to a vehicle's place. */
struct mf_plan_shift {
    double lon_scale; /**< ratio of degrees of longitude per metre, which grows towards the poles */
    int32_t lat_e7, lon_e7; /**< shift of the plan's place [1e-7 deg] */
    float up_m;             /**< shift of altitudes above mean sea level */
};

/** The caller allocates it; its fields are private. Small, because a swarm has one for each
 * vehicle. */
struct mf_store_shared {
    const struct mf_shared_plan *plan; /**< NULL: the vehicle shares no plan */
    union {
        struct mf_memory *memory;    /**< memory for uploads; NULL: the vehicle refuses them */
        struct mf_store_memory *own; /**< store for uploads, after the first one */
    };
    double lon_scale; /**< lon_scale to up_m: the shift */
    int32_t lat_e7, lon_e7;
    float up_m;
    uint16_t own_items; /**< capacity of each own area [records]; 0: none */
    uint8_t owned;      /**< one bit per area: the vehicle has its own records */
    bool made;          /**< the union holds own, not memory */
};

/** Memory of one vehicle's uploads [bytes]. */
#define MF_STORE_SHARED_BYTES(items)                   \
    (MF_MEMORY_BYTES(sizeof(struct mf_store_memory)) + \
     MF_MEMORY_BYTES(3u * 2u * (size_t)(items) * sizeof(struct mf_item)))

/** @brief Compute the shift from @p plan's place to another one. Both in degrees, not at a pole. */
struct mf_plan_shift mf_plan_shift(const struct mf_shared_plan *plan, double lat_deg,
                                   double lon_deg, double up_m);

/** @brief Begin a store that shares a plan. @param plan  NULL: none  @param memory  may be NULL
 * @param own_items  capacity of each area after an upload [records] */
void mf_store_shared_init(struct mf_store_shared *store, const struct mf_shared_plan *plan,
                          const struct mf_plan_shift *shift, struct mf_memory *memory,
                          uint16_t own_items);

/** Operations; their context is the store. */
extern const struct mf_store_ops mf_store_shared_ops;

#endif
