/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/wall.h: the end of a line of progress. */
#include "boards/swarm/core/wall.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <math.h>

/* The line of progress must end so. */
static void must_end(double left_s, const char *end)
{
    static struct captured s_said;
    capture(&s_said, stderr);
    swarm_wall_end_progress(left_s);
    assert_string_equal(captured(&s_said), end);
}

static void test_the_time_left_is_in_seconds_then_in_minutes(void **state)
{
    (void)state;
    must_end(0.4, ", 0 s left\n");
    must_end(119.4, ", 119 s left\n");
    must_end(120.0, ", 2 min left\n");
    must_end(5400.0, ", 90 min left\n");
}

static void test_without_an_end_the_time_left_is_left_out(void **state)
{
    (void)state;
    must_end(-1.0, "\n");
    must_end((double)NAN, "\n");
    must_end((double)INFINITY, "\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_time_left_is_in_seconds_then_in_minutes),
        cmocka_unit_test(test_without_an_end_the_time_left_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
