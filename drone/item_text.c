/* SPDX-License-Identifier: Apache-2.0 */
/* Explanation of refused mission items, by trying with mf_item_check() which other values would
 * pass, so that the table of items exists once. Called by drone/plan_check and
 * host/spec/plan_text. */
#include "drone/item_text.h"

#include "firmware/core/text.h"
#include "firmware/flight/items.h"
#include "mavlink/enums.h"
#include "mavlink/message.h"

#define DEG 1e-7

/* Would the item's frame be right if it were another one? */
static bool takes_frame(bool px4, uint8_t type, const struct mf_item *item, uint8_t frame)
{
    struct mf_item other = *item;
    other.frame = frame;
    const uint8_t result = mf_item_check(type, &other, px4);
    return result != MAV_MISSION_UNSUPPORTED_FRAME && result != MAV_MISSION_UNSUPPORTED;
}

static void explain_frame(bool px4, uint8_t type, const struct mf_item *item, struct mf_text *why)
{
    static const uint8_t k_frame[] = {MAV_FRAME_GLOBAL,
                                      MAV_FRAME_MISSION,
                                      MAV_FRAME_GLOBAL_RELATIVE_ALT,
                                      MAV_FRAME_GLOBAL_INT,
                                      MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                      MAV_FRAME_GLOBAL_TERRAIN_ALT,
                                      MAV_FRAME_GLOBAL_TERRAIN_ALT_INT};
    const char *before = ", must be ";
    if (takes_frame(px4, type, item, item->frame)) {
        return;
    }
    struct mf_text text = mf_text("frame ");
    mf_text_add_int(&text, item->frame);
    const size_t none = text.len;
    for (size_t i = 0; i < sizeof k_frame; i++) {
        if (takes_frame(px4, type, item, k_frame[i])) {
            mf_text_add(&text, before);
            mf_text_add_int(&text, k_frame[i]);
            before = ", ";
        }
    }
    mf_text_add(why, text.len > none ? text.s : "the vehicle does not support the command");
}

/* Explain a command that belongs to another type of plan, or a polygon with too few corners. */
static void explain_error(bool px4, uint8_t type, const struct mf_item *item, struct mf_text *why)
{
    static const char *const k_plan[] = {"a mission", "a geofence", "rally points"};
    for (size_t other = 0; other < sizeof k_plan / sizeof k_plan[0]; other++) {
        if (other != type && mf_item_check((uint8_t)other, item, px4) == MAV_MISSION_ACCEPTED) {
            mf_text_add(why, "the command belongs to ");
            mf_text_add(why, k_plan[other]);
            return;
        }
    }
    if (type == MAV_MISSION_TYPE_FENCE) {
        mf_text_add(why, "param1, the number of corners, is ");
        mf_text_add_float(why, (double)mf_f32_from_bits(item->param[0]), 0);
    }
}

void mf_item_explain(bool px4, uint8_t type, const struct mf_item *item, uint8_t result,
                     struct mf_text *why)
{
    MF_ASSERT(type <= MAV_MISSION_TYPE_RALLY && result != MAV_MISSION_ACCEPTED);
    switch (result) {
    case MAV_MISSION_UNSUPPORTED_FRAME:
    case MAV_MISSION_UNSUPPORTED:
        explain_frame(px4, type, item, why);
        break;
    case MAV_MISSION_ERROR:
        explain_error(px4, type, item, why);
        break;
    case MAV_MISSION_INVALID_PARAM1:
    case MAV_MISSION_INVALID_PARAM2:
    case MAV_MISSION_INVALID_PARAM3:
    case MAV_MISSION_INVALID_PARAM4:
        mf_text_add(why, "param");
        mf_text_add_int(why, result - MAV_MISSION_INVALID_PARAM1 + 1);
        mf_text_add(why, " cannot be ");
        mf_text_add_float(
            why, (double)mf_f32_from_bits(item->param[result - MAV_MISSION_INVALID_PARAM1]), 2);
        break;
    case MAV_MISSION_INVALID_PARAM5_X:
        mf_text_add(why, "latitude ");
        mf_text_add_float(why, item->x * DEG, 6);
        mf_text_add(why, ", must be -90 to 90");
        break;
    case MAV_MISSION_INVALID_PARAM6_Y:
        mf_text_add(why, "longitude ");
        mf_text_add_float(why, item->y * DEG, 6);
        mf_text_add(why, ", must be -180 to 180");
        break;
    case MAV_MISSION_INVALID_PARAM7:
        mf_text_add(why, "altitude cannot be ");
        mf_text_add_float(why, (double)mf_f32_from_bits(item->z), 2);
        mf_text_add(why, " m");
        break;
    default:
        break;
    }
}
