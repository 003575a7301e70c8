/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/ghosts/ghost_internal.h: lines of the time socket of a drone that the scenario
 * starts. The drone is this test, which has said all of them before. */
#include "boards/swarm/ghosts/ghost_internal.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <sys/socket.h>

static struct ghost s_ghost;
static struct swarm_ghosts s_ghosts;

/* @return true: the greeting of a drone that says @p report at time 0 is accepted */
static bool hear(const char *report)
{
    struct swarm *w = swarm_of("time: {end: 1}\nentities: [{name: a}]\n"
                               "processes: [{name: p, run: [none], clock: virtual}]\n");
    char text[512];
    int pair[2];
    const int n = snprintf(text, sizeof text, "now 0\nat 0%s\n", report);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(send(pair[1], text, (size_t)n, MSG_NOSIGNAL), n);
    assert_int_equal(shutdown(pair[1], SHUT_WR), 0);
    s_ghosts = (struct swarm_ghosts){.w = w, .count = 1, .ghost = &s_ghost};
    s_ghost = (struct ghost){.of = &s_ghosts,
                             .e = w->scenario->entity,
                             .process = w->scenario->process,
                             .link = -1,
                             .time_fd = pair[0],
                             .granted_us = -1};
    const bool good = ghost_time_greet(&s_ghosts, &s_ghost);
    (void)close(pair[0]);
    (void)close(pair[1]);
    return good;
}

static void test_a_report_has_the_pose(void **state)
{
    (void)state;
    assert_true(hear(" next n armed 1 landed 0 in 5 out 6 lat 47.4 lon -8.5 alt 488 vn 1 ve 2 vd 3 "
                     "yaw 0.5"));
    assert_true(s_ghost.truth.lat_deg == 47.4 && s_ghost.truth.lon_deg == -8.5);
    assert_true(s_ghost.truth.alt_amsl_m == 488.0 && s_ghost.truth.yaw_rad == 0.5f);
    assert_true(s_ghost.truth.vel_ned_mps[2] == 3.0f && !s_ghost.truth.on_ground);
    assert_true(s_ghost.port.view.armed && s_ghost.next_us == MF_NEVER);
    assert_true(s_ghost.in == 5 && s_ghost.out == 6);
}

/* The time socket ends, and the pose stays, after a value that is missing, or outside the Earth. */
static void test_a_malformed_pose_is_refused(void **state)
{
    static const char *const k_report[] = {
        " lat nan lon 8.5 alt 488 vn 0 ve 0 vd 0 yaw 0",
        " lat 47.4 lon 8.5 alt inf vn 0 ve 0 vd 0 yaw 0",
        " lat 90.1 lon 8.5 alt 488 vn 0 ve 0 vd 0 yaw 0",
        " lat 47.4 lon 8.5 alt 488 vn 1e300 ve 0 vd 0 yaw 0",
        " lat 47.4 lon 8.5 alt 488 vn 0 ve 0 vd 0",
        " lat x lon 8.5 alt 488 vn 0 ve 0 vd 0 yaw 0",
    };
    (void)state;
    for (size_t k = 0; k < sizeof k_report / sizeof k_report[0]; k++) {
        assert_false(hear(k_report[k]));
        assert_true(s_ghost.truth.lat_deg == 0.0 && s_ghost.truth.alt_amsl_m == 0.0);
    }
    assert_true(hear("")); /* a drone that does not report */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_report_has_the_pose),
        cmocka_unit_test(test_a_malformed_pose_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
