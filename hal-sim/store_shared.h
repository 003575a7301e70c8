/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A store whose mission, fence and rally points many vehicles share: a plan is kept once, and each
 * vehicle has a shift that is applied when an item is read. A vehicle whose client uploads
 * something else gets records of its own, of that area alone, without a shift.
 *
 * Parameters and keys are not kept: their areas have no room until a client's upload has made the
 * vehicle's own memory, and then neither.
 */
#ifndef MF_HAL_SIM_STORE_SHARED_H
#define MF_HAL_SIM_STORE_SHARED_H

#include "drone/store_memory.h"
#include "firmware/state/items.h"
#include "hal/memory.h"

/** Records of one area that many share; they outlive the stores. */
struct mf_shared_items {
    const struct mf_item *item; /**< [count] */
    uint16_t count;
    uint32_t tag; /**< opaque id, as a commit would have it */
};

/** A plan that many share. */
struct mf_shared_plan {
    struct mf_shared_items mission, fence, rally;
    double lat_deg, lon_deg, alt_amsl_m; /**< where it was planned for: shifts begin here */
};

/** From the place that a plan was made for to the vehicle's own. */
struct mf_plan_shift {
    double lon_scale;       /**< a metre is more degrees of longitude, the nearer the pole */
    int32_t lat_e7, lon_e7; /**< of the plan's place [1e-7 deg] */
    float up_m;             /**< of altitudes above mean sea level */
};

/** The caller allocates it; fields are the implementation's. One in ten thousand is small. */
struct mf_store_shared {
    const struct mf_shared_plan *plan; /**< NULL: nothing is shared */
    union {
        struct mf_memory *memory;    /**< of what somebody uploads; NULL: nobody can */
        struct mf_store_memory *own; /**< once something was uploaded */
    };
    double lon_scale; /**< the shift */
    int32_t lat_e7, lon_e7;
    float up_m;
    uint16_t own_items; /**< room of each area of its own [records]; 0: none */
    uint8_t owned;      /**< a bit per area: its records are the vehicle's own */
    bool made;          /**< it has memory of its own */
};

/** Memory that one vehicle's uploads take [bytes]. */
#define MF_STORE_SHARED_BYTES(items)                   \
    (MF_MEMORY_BYTES(sizeof(struct mf_store_memory)) + \
     MF_MEMORY_BYTES(3u * 2u * (size_t)(items) * sizeof(struct mf_item)))

/** @brief The shift that takes @p plan's place to another one. Both in degrees, not at a pole. */
struct mf_plan_shift mf_plan_shift(const struct mf_shared_plan *plan, double lat_deg,
                                   double lon_deg, double up_m);

/** @brief A store that shares a plan. @param plan  NULL: none  @param memory  may be NULL
 *  @param own_items  what each area can hold after an upload [records] */
void mf_store_shared_init(struct mf_store_shared *store, const struct mf_shared_plan *plan,
                          const struct mf_plan_shift *shift, struct mf_memory *memory,
                          uint16_t own_items);

/** The contract; the context is the store. */
extern const struct mf_store_ops mf_store_shared_ops;

#endif
