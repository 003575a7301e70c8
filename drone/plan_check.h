/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Judgement of a plan before it is stored, and of the mission that would be flown with it. An
 * upload (firmware/protocol/mission_io.h) makes the same checks, in the same order.
 */
#ifndef MF_DRONE_PLAN_CHECK_H
#define MF_DRONE_PLAN_CHECK_H

#include "firmware/state/fence.h"
#include "firmware/state/items.h"
#include "firmware/state/text.h"
#include "hal/hal.h"
#include "mavlink/message.h"

struct mf_vehicle;

/** Number of parts of a plan, by MAV_MISSION_TYPE: mission, fence, rally points. */
#define MF_PLAN_PARTS 3u

/** Part of a plan that a host offers. The caller keeps the items. */
struct mf_plan_part {
    const struct mf_msg_mission_item_int *item; /**< [count] */
    uint16_t count;
    bool given; /**< false: the vehicle keeps its own */
};

/** First error of a plan. */
struct mf_plan_verdict {
    uint8_t result;     /**< MAV_MISSION_RESULT with which an upload would end */
    uint8_t type;       /**< MAV_MISSION_TYPE of the part */
    int32_t seq;        /**< item of the part; -1: the part as a whole */
    struct mf_text why; /**< reason as text; "" if the result says all */
};

/** Vehicle at rest for which a mission is judged; it need not exist. The caller owns all data. */
struct mf_plan_vehicle {
    struct mf_bounds bounds;            /**< hal: the store, and the Earth; fence: unused */
    const struct mf_estimate *estimate; /**< place of the vehicle */
    bool in_air;
    bool px4; /**< as PX4 flies missions, not as Mayfly does (options.px4_strict) */
};

/** @brief Check the items of a part, for any vehicle whose Earth is @p hal's. O(items)
 * @param px4  as PX4 accepts items, not as Mayfly does (options.px4_strict)
 * @return true: all are right; false: @p verdict is set */
bool mf_plan_check_part(const struct mf_hal *hal, bool px4, uint8_t type,
                        const struct mf_plan_part *part, struct mf_plan_verdict *verdict);

/** @brief Check all parts of a plan for a vehicle, without changing it. O(items)
 * @param part  [MF_PLAN_PARTS]
 * @return true: uploads of all parts would succeed now; false: @p verdict is set */
bool mf_plan_check(const struct mf_vehicle *v, const struct mf_plan_part *part,
                   struct mf_plan_verdict *verdict);

/** @brief True if the mission could be flown that a vehicle would have with these parts. O(items of
 * the mission * items of the fence)
 * @param part  [MF_PLAN_PARTS], which pass mf_plan_check(); NULL: the stored plan
 * @param why  out: "" or the reason, as the vehicle would report it after an upload */
bool mf_plan_feasible(const struct mf_vehicle *v, const struct mf_plan_part *part,
                      struct mf_text *why);

/** @brief True if the plan in a store could be flown, by a vehicle that need not exist. */
bool mf_plan_feasible_for(const struct mf_plan_vehicle *vehicle, struct mf_text *why);

#endif
