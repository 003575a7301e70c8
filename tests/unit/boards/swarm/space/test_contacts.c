/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/space/contacts.h: rows of the file of contacts, whose instants follow by hand from
 * straight ways of balls. A ball of radius r whose way to the face of a box is s long touches it
 * after (s - r) / speed. A look is each 0.1 s. */
#include "boards/swarm/space/contacts.h"

#include "boards/swarm/members/carrier.h"
#include "boards/swarm/space/touching.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#define HEAD "t_s,member,with\n"

static struct mf_engine_slot s_heap[SWARM_TIMERS + 1u];
static struct captured s_out;
static char s_path[] = "/tmp/test_contacts_XXXXXX";
static double s_begin_m[4][3], s_speed_mps[4]; /* of members: north, east, up; to the north */
static const char *s_of;                       /* key of the output */
static mf_us_t s_lost_us;                      /* from then on the first member is lost */

static void place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    (void)w;
    memcpy(neu_m, s_begin_m[i], sizeof s_begin_m[i]);
    neu_m[0] += s_speed_mps[i] * (double)at_us * 1e-6;
}

static bool is_lost(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)w;
    return i == 0 && at_us >= s_lost_us;
}

static const struct swarm_carrier k_members = {.place = place, .is_lost = is_lost};

static int begin(void **state)
{
    (void)state;
    memset(s_begin_m, 0, sizeof s_begin_m);
    memset(s_speed_mps, 0, sizeof s_speed_mps);
    s_lost_us = MF_NEVER;
    s_of = "";
    const int fd = mkstemp(s_path);
    return fd >= 0 ? close(fd) : -1;
}

static int end(void **state)
{
    (void)state;
    mf_workers_stop(&s_swarm.workers);
    (void)remove(s_path);
    memset(s_path + sizeof s_path - 7u, 'X', 6);
    return 0;
}

/* @param more  keys of the scenario, other than space and outputs */
static int prepare(const char *obstacles, const char *more)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "space: {obstacles: [%s]}\noutputs: {contacts: {file: %s, every: 0.1%s}}\n%s",
                   obstacles, s_path, s_of, more);
    struct swarm *w = swarm_of(text);
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        w->members.carrier[k] = &k_members;
    }
    mf_engine_init(&w->engine, s_heap, SWARM_TIMERS);
    assert_int_equal(mf_workers_start(&w->workers, 1), MF_E_OK);
    return swarm_contacts_system.on[SWARM_PREPARE](w);
}

/* Let the members fly. @return the file of contacts; the summary is in s_out */
static const char *fly(const char *obstacles, const char *more, mf_us_t end_us)
{
    static char s_text[2048];
    struct mf_order order;
    struct swarm *w = &s_swarm;
    if (prepare(obstacles, more) != SWARM_OK ||
        swarm_contacts_system.on[SWARM_OPEN](w) != SWARM_OK ||
        swarm_contacts_system.on[SWARM_BEGIN](w) != SWARM_OK) {
        fail_msg("%s", w->error);
    }
    assert_int_equal(swarm_contacts_system.count_watches(w), 1);
    while (mf_engine_next(&w->engine, &order) && order.at_us <= end_us) {
        mf_engine_step(&w->engine);
    }
    capture(&s_out, stdout);
    swarm_contacts_system.print_summary(w);
    (void)captured(&s_out);
    assert_true(swarm_contacts_system.complete(w));
    FILE *file = fopen(s_path, "r");
    assert_non_null(file);
    s_text[fread(s_text, 1, sizeof s_text - 1u, file)] = '\0';
    (void)fclose(file);
    return s_text;
}

#define AGENT(name) "{name: " name ", as: agent, body: {radius: 0.5}}"

/* 20.05 m to the face, (20.05 - 0.5) / 5 = 3.91 s; it flies on, and touches no other face from
 * within. */
static void test_a_ball_meets_the_face_of_a_box(void **state)
{
    (void)state;
    s_begin_m[0][2] = 20.0;
    s_speed_mps[0] = 5.0;
    assert_string_equal(fly("{kind: box, at: [20.05, -5, 0], size: [0.001, 10, 40]}",
                            "entities: [" AGENT("a") "]\n", 6000000),
                        HEAD "3.910000,a,obstacle.1\n");
    assert_names(s_out.text, "1 obstacles 0 members");
}

/* A sphere of 1 m, 10 m ahead, 0.9 m to the east: centres 1.5 m apart when the way left is
 * sqrt(2.25 - 0.81) = 1.2 m, after (10 - 1.2) / 5 = 1.76 s. A cylinder of 2 m,
 * 20.25 m ahead: (20.25 - 2 - 0.5) / 5 = 3.55 s. */
static void test_obstacles_have_the_numbers_of_the_scenario(void **state)
{
    (void)state;
    s_begin_m[0][2] = 20.0;
    s_speed_mps[0] = 5.0;
    assert_string_equal(fly("{kind: cylinder, at: [20.25, 0, 0], radius: 2, height: 40}, {kind: "
                            "sphere, at: [10, 0.9, 20], radius: 1}",
                            "entities: [" AGENT("a") "]\n", 4000000),
                        HEAD "1.760000,a,obstacle.2\n3.550000,a,obstacle.1\n");
    assert_names(s_out.text, "2 obstacles 0 members");
}

/* A ball of half a metre is 20 m up, and passes above a box of 19.4 m. */
static void test_a_ball_passes_above_a_box(void **state)
{
    (void)state;
    s_begin_m[0][2] = 20.0;
    s_speed_mps[0] = 5.0;
    assert_string_equal(fly("{kind: box, at: [10, -5, 0], size: [5, 10, 19.4]}",
                            "entities: [" AGENT("a") "]\n", 6000000),
                        HEAD);
    assert_names(s_out.text, "0 obstacles 0 members");
}

/* a and b close at 8 m/s from 10.56 m, and touch 1 m apart: 9.56 / 8 = 1.195 s. c is 0.6 m off
 * the way of a, 20 m ahead: sqrt(1 - 0.36) = 0.8 m, (20 - 0.8) / 5 = 3.84 s; b has gone the other
 * way. */
static void test_members_meet_as_balls(void **state)
{
    (void)state;
    s_speed_mps[0] = 5.0;
    s_begin_m[1][0] = 10.56;
    s_speed_mps[1] = -3.0;
    s_begin_m[2][0] = 20.0;
    s_begin_m[2][1] = 0.6;
    assert_string_equal(
        fly("", "entities: [" AGENT("a") ", " AGENT("b") ", " AGENT("c") "]\n", 6000000),
        HEAD "1.195000,a,b\n3.840000,a,c\n");
    assert_names(s_out.text, "0 obstacles 2 members");
}

/* Contacts of one look stand in the order of time: b at the wall after (3.75 - 0.5) / 10 = 0.325 s,
 * a after (3.85 - 0.5) / 10 = 0.335 s, c after (3.65 - 0.5) / 10 = 0.315 s; all within the look
 * from 0.3 to 0.4 s. */
static void test_contacts_of_a_look_are_in_the_order_of_time(void **state)
{
    static const double k_north_m[] = {0.15, 0.25, 0.35};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        s_begin_m[i][0] = k_north_m[i];
        s_begin_m[i][1] = 5.0 * i;
        s_begin_m[i][2] = 5.0;
        s_speed_mps[i] = 10.0;
    }
    assert_string_equal(fly("{kind: box, at: [4, -5, 0], size: [9, 40, 40]}",
                            "entities: [" AGENT("a") ", " AGENT("b") ", " AGENT("c") "]\n", 400000),
                        HEAD
                        "0.315000,c,obstacle.1\n0.325000,b,obstacle.1\n0.335000,a,obstacle.1\n");
}

/* Both touch after (4 - 0.5) / 10 = 0.35 s, and the output is of b. */
static void test_only_chosen_members_have_rows(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        s_begin_m[i][1] = 5.0 * i;
        s_begin_m[i][2] = 5.0;
        s_speed_mps[i] = 10.0;
    }
    s_of = ", of: b";
    assert_string_equal(fly("{kind: box, at: [4, -5, 0], size: [9, 40, 40]}",
                            "entities: [" AGENT("a") ", " AGENT("b") "]\n", 400000),
                        HEAD "0.350000,b,obstacle.1\n");
    assert_names(s_out.text, "1 obstacles 0 members");
}

/* A member is lost from 0.2 s on, before its contact after (4.05 - 1) / 10 = 0.305 s. */
static void test_who_is_lost_touches_nothing(void **state)
{
    (void)state;
    s_lost_us = 200000;
    s_speed_mps[0] = 10.0;
    s_begin_m[1][0] = 4.05;
    assert_string_equal(fly("", "entities: [" AGENT("a") ", " AGENT("b") "]\n", 1000000), HEAD);
    s_lost_us = MF_NEVER;
    mf_workers_stop(&s_swarm.workers);
    assert_string_equal(fly("", "entities: [" AGENT("a") ", " AGENT("b") "]\n", 1000000),
                        HEAD "0.305000,a,b\n");
}

static void test_obstacles_without_a_file_are_no_timer(void **state)
{
    (void)state;
    struct swarm *w = swarm_of("space: {obstacles: [{kind: box, at: [4, -5, 0], size: [9, 40, "
                               "40]}]}\nentities: [" AGENT("a") "]\n");
    mf_engine_init(&w->engine, s_heap, SWARM_TIMERS);
    assert_int_equal(swarm_contacts_system.on[SWARM_PREPARE](w), SWARM_OK);
    assert_int_equal(swarm_contacts_system.on[SWARM_OPEN](w), SWARM_OK);
    assert_int_equal(swarm_contacts_system.on[SWARM_BEGIN](w), SWARM_OK);
    assert_int_equal(swarm_contacts_system.count_watches(w), 0);
    assert_non_null(w->members.space);
    w = swarm_of("entities: [" AGENT("a") "]\n");
    assert_int_equal(swarm_contacts_system.on[SWARM_PREPARE](w), SWARM_OK);
    assert_null(w->members.space);
}

static void test_obstacles_that_are_refused(void **state)
{
    static const struct {
        const char *obstacle, *data;
    } k[] = {
        {"{kind: hull}", "test.yaml:2 4 24"},
        {"{kind: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}", "test.yaml:2 4 24"},
        {"{kind: mesh, file: /nowhere/at.stl}", "test.yaml:2 obstacles /nowhere/at.stl"}};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_int_equal(prepare(k[i].obstacle, "entities: [" AGENT("a") "]\n"), SWARM_INPUT);
        assert_names(s_swarm.error, k[i].data);
        mf_workers_stop(&s_swarm.workers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_ball_meets_the_face_of_a_box, begin, end),
        cmocka_unit_test_setup_teardown(test_obstacles_have_the_numbers_of_the_scenario, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_a_ball_passes_above_a_box, begin, end),
        cmocka_unit_test_setup_teardown(test_members_meet_as_balls, begin, end),
        cmocka_unit_test_setup_teardown(test_contacts_of_a_look_are_in_the_order_of_time, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_only_chosen_members_have_rows, begin, end),
        cmocka_unit_test_setup_teardown(test_who_is_lost_touches_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_obstacles_without_a_file_are_no_timer, begin, end),
        cmocka_unit_test_setup_teardown(test_obstacles_that_are_refused, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
