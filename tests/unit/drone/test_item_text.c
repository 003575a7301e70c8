/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons of refusals: the offending value and what would pass, for each MAV_MISSION_RESULT. */
#include "drone/item_text.h"

#include "firmware/core/text.h"
#include "firmware/flight/items.h"
#include "mavlink/enums.h"
#include "mavlink/message.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define NAN_BITS 0x7FC00000u
#define INF_BITS 0x7F800000u

/* The reason for which an item is not taken. */
static const char *why(uint8_t type, const struct mf_item *item)
{
    static struct mf_text s_text;
    const uint8_t result = mf_item_check(type, item, false);
    assert_int_not_equal(result, MAV_MISSION_ACCEPTED);
    s_text = mf_text("");
    mf_item_explain(false, type, item, result, &s_text);
    return s_text.s;
}

static void test_frames_that_would_pass(void **state)
{
    const struct mf_item delay = {.command = MAV_CMD_NAV_DELAY, .frame = 3};
    const struct mf_item waypoint = {.command = MAV_CMD_NAV_WAYPOINT, .frame = 2};
    const struct mf_item unknown = {.command = 9999, .frame = 3};
    (void)state;
    assert_string_equal(why(MAV_MISSION_TYPE_MISSION, &delay), "frame 3, must be 2");
    assert_string_equal(why(MAV_MISSION_TYPE_MISSION, &waypoint),
                        "frame 2, must be 0, 3, 5, 6, 10, 11");
    assert_null(strstr(why(MAV_MISSION_TYPE_MISSION, &unknown), "frame"));
}

static void test_values_that_are_out_of_range(void **state)
{
    struct mf_item item = {.command = MAV_CMD_NAV_WAYPOINT, .frame = 6, .x = 912500000, .y = 0};
    (void)state;
    assert_names(why(MAV_MISSION_TYPE_MISSION, &item), "latitude 91.250000 -90 90");
    item.x = 0;
    item.y = -1900000000;
    assert_names(why(MAV_MISSION_TYPE_MISSION, &item), "longitude -190.000000 -180 180");
    item.y = 0;
    item.z = mf_f32_bits(2000000.0f);
    assert_names(why(MAV_MISSION_TYPE_MISSION, &item), "altitude 2000000.00");
    item.z = 0;
    item.param[2] = INF_BITS;
    assert_names(why(MAV_MISSION_TYPE_MISSION, &item), "param3");
    item = (struct mf_item){
        .command = MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, .frame = 3, .param = {mf_f32_bits(-2.5f)}};
    assert_names(why(MAV_MISSION_TYPE_FENCE, &item), "param1 -2.50");
}

static void test_commands_of_another_plan(void **state)
{
    const struct mf_item rally = {.command = MAV_CMD_NAV_RALLY_POINT, .frame = 3};
    const struct mf_item corner = {.command = MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION,
                                   .frame = 3,
                                   .param = {mf_f32_bits(2.0f)}};
    (void)state;
    assert_names(why(MAV_MISSION_TYPE_MISSION, &rally), "rally points");
    assert_names(why(MAV_MISSION_TYPE_FENCE, &corner), "param1 2");
}

/* A result of another vehicle, about an item that this one would take, is not explained. */
static void test_results_of_others(void **state)
{
    const struct mf_item item = {.command = MAV_CMD_NAV_WAYPOINT, .frame = 6};
    struct mf_text text = mf_text("");
    (void)state;
    for (int result = 1; result <= MAV_MISSION_OPERATION_CANCELLED; result++) {
        const bool about_a_value =
            result >= MAV_MISSION_INVALID_PARAM1 && result <= MAV_MISSION_INVALID_PARAM7;
        text = mf_text("");
        mf_item_explain(false, MAV_MISSION_TYPE_MISSION, &item, (uint8_t)result, &text);
        assert_int_equal(text.len > 0, about_a_value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_that_would_pass),
        cmocka_unit_test(test_values_that_are_out_of_range),
        cmocka_unit_test(test_commands_of_another_plan),
        cmocka_unit_test(test_results_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
