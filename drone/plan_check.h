/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The verdict on a plan before anything of it is stored, and on the mission that would be flown
 * with it. An upload (firmware/protocol/mission_io.h) makes the same checks, in the same order.
 */
#ifndef MF_DRONE_PLAN_CHECK_H
#define MF_DRONE_PLAN_CHECK_H

#include "firmware/state/fence.h"
#include "firmware/state/items.h"
#include "firmware/state/text.h"
#include "hal/hal.h"
#include "mavlink/message.h"

struct mf_vehicle;

/** Parts of a plan, by MAV_MISSION_TYPE: mission, fence, rally points. */
#define MF_PLAN_PARTS 3u

/** A part that a host offers. The caller's items stay. */
struct mf_plan_part {
    const struct mf_msg_mission_item_int *item; /**< [count] */
    uint16_t count;
    bool given; /**< false: the vehicle keeps its own */
};

/** The first thing that is wrong with a plan. */
struct mf_plan_verdict {
    uint8_t result;     /**< MAV_MISSION_RESULT that an upload would end with */
    uint8_t type;       /**< MAV_MISSION_TYPE of the part */
    int32_t seq;        /**< its item; -1: the part as a whole */
    struct mf_text why; /**< in words; "" where the result says all */
};

/** A vehicle at rest for which a mission is judged; it need not exist. All is the caller's. */
struct mf_plan_vehicle {
    struct mf_bounds bounds;            /**< hal: the store, and the Earth; fence: not read */
    const struct mf_estimate *estimate; /**< where it is */
    bool in_air;
    bool px4; /**< as PX4 flies missions, not as Mayfly does (options.px4_strict) */
};

/** @brief Check the items of a part, for any vehicle whose Earth is @p hal's. O(items)
 *  @param px4  as PX4 takes items, not as Mayfly does (options.px4_strict)
 *  @return whether all would be taken; else @p verdict is set */
bool mf_plan_check_part(const struct mf_hal *hal, bool px4, uint8_t type,
                        const struct mf_plan_part *part, struct mf_plan_verdict *verdict);

/** @brief Check all parts of a plan against a vehicle, which stays as it is. O(items)
 *  @param part  [MF_PLAN_PARTS]
 *  @return whether uploads of all of them would be taken now; else @p verdict is set */
bool mf_plan_check(const struct mf_vehicle *v, const struct mf_plan_part *part,
                   struct mf_plan_verdict *verdict);

/** @brief Could the mission be flown that a vehicle would have with these parts? O(items of the
 *  mission * items of the fence)
 *  @param part  [MF_PLAN_PARTS], which pass mf_plan_check(); NULL: as it is stored
 *  @param why   out: "" or the vehicle's reason, as it says it after an upload */
bool mf_plan_feasible(const struct mf_vehicle *v, const struct mf_plan_part *part,
                      struct mf_text *why);

/** @brief Judge the plan in a store, for a vehicle that need not exist. */
bool mf_plan_feasible_for(const struct mf_plan_vehicle *vehicle, struct mf_text *why);

#endif
