/* SPDX-License-Identifier: Apache-2.0 */
/* The line about a refused plan: part, item, command, reason, result. */
#include "host/spec/plan_text.h"

#include "mavlink/enums.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char s_text[MF_PLAN_REFUSAL_MAX];

static void test_an_item(void **state)
{
    const struct mf_msg_mission_item_int delay = {.command = MAV_CMD_NAV_DELAY, .frame = 3};
    const struct mf_plan_verdict verdict =
        mf_plan_refused_item(MAV_MISSION_TYPE_MISSION, &delay, 3, MAV_MISSION_UNSUPPORTED_FRAME);
    (void)state;
    assert_string_equal(mf_plan_refusal_text(&verdict, delay.command, s_text),
                        "mission: item 3 (delay): frame 3, must be 2 (MAV_MISSION_RESULT 2)");
}

/* The vehicle's result is all there is to say of an item that our own rules would take. */
static void test_an_item_that_we_would_take(void **state)
{
    const struct mf_msg_mission_item_int item = {.command = 42, .frame = 6};
    struct mf_plan_verdict verdict =
        mf_plan_refused_item(MAV_MISSION_TYPE_RALLY, &item, 0, MAV_MISSION_DENIED);
    (void)state;
    assert_names(mf_plan_refusal_text(&verdict, item.command, s_text), "rally 0 42 denied 14");
    verdict.result = 200;
    assert_names(mf_plan_refusal_text(&verdict, item.command, s_text), "200");
}

static void test_a_whole_part(void **state)
{
    const struct mf_plan_verdict verdict =
        mf_plan_refused_part(MAV_MISSION_TYPE_FENCE, 300, MAV_MISSION_NO_SPACE);
    (void)state;
    assert_string_equal(mf_plan_refusal_text(&verdict, 16, s_text),
                        "geofence: no space for 300 items (MAV_MISSION_RESULT 4)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_item),
        cmocka_unit_test(test_an_item_that_we_would_take),
        cmocka_unit_test(test_a_whole_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
