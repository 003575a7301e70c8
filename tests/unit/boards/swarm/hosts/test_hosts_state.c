/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/hosts/hosts_state.h: states of vehicles in records of fleet/hosts.h. GZ-06. */
#include "boards/swarm/hosts/hosts_state.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint8_t s_bytes[1024];
static struct mf_hosts_writer s_writer;

static int begin(void **state)
{
    (void)state;
    s_writer = (struct mf_hosts_writer){.bytes = s_bytes, .size = sizeof s_bytes};
    mf_hosts_begin(&s_writer, MF_HOSTS_REPLY, 1);
    mf_hosts_put(&s_writer, MF_HOSTS_LOOKED_, 3);
    return 0;
}

/* Read back the record that the test has written. */
static struct mf_hosts_record record(void)
{
    struct mf_hosts_record r;
    size_t at = 0;
    bool bad = false;
    mf_hosts_finish(&s_writer);
    assert_true(
        mf_hosts_next(s_bytes + MF_HOSTS_HEADER, s_writer.n - MF_HOSTS_HEADER, &at, &r, &bad));
    assert_int_equal(r.key, 3);
    return r;
}

static const uint8_t *body(void)
{
    return s_bytes + MF_HOSTS_HEADER + MF_HOSTS_RECORD;
}

static size_t length(void)
{
    return s_writer.n - MF_HOSTS_HEADER - MF_HOSTS_RECORD;
}

static const struct mf_crowd_state k_state = {.at_us = 0x010203,
                                              .mode = 4,
                                              .landed = 2,
                                              .armed = true,
                                              .breach = true,
                                              .finished = true,
                                              .reached = -1};

static void test_a_state_is_15_bytes(void **state)
{
    static const uint8_t k_bytes[] = {3, 2, 1,  0,    0,    0,    0,   0,
                                      4, 2, 21, 0xFF, 0xFF, 0xFF, 0xFF}; /* 1 + 4 + 16 */
    (void)state;
    swarm_put_state(&s_writer, &k_state);
    assert_int_equal(length(), sizeof k_bytes);
    assert_memory_equal(body(), k_bytes, sizeof k_bytes);
}

static void test_a_state_comes_back(void **state)
{
    (void)state;
    swarm_put_state(&s_writer, &k_state);
    struct mf_hosts_record r = record();
    const struct mf_crowd_state got = swarm_read_state(&r);
    assert_false(r.lacks);
    assert_int_equal(r.n, 0);
    assert_int_equal(got.at_us, 0x010203);
    assert_int_equal(got.mode, 4);
    assert_int_equal(got.landed, 2);
    assert_true(got.armed && got.breach && got.finished);
    assert_false(got.failsafe || got.falling || got.frozen);
    assert_int_equal(got.reached, -1);
}

static void test_each_flag_of_a_state_has_its_bit(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 6; bit++) {
        struct mf_crowd_state one = {.armed = bit == 0,
                                     .failsafe = bit == 1,
                                     .breach = bit == 2,
                                     .falling = bit == 3,
                                     .finished = bit == 4,
                                     .frozen = bit == 5};
        (void)begin(NULL);
        swarm_put_state(&s_writer, &one);
        assert_int_equal(body()[10], 1u << bit);
        struct mf_hosts_record r = record();
        one = swarm_read_state(&r);
        assert_int_equal(one.armed, bit == 0);
        assert_int_equal(one.failsafe, bit == 1);
        assert_int_equal(one.breach, bit == 2);
        assert_int_equal(one.falling, bit == 3);
        assert_int_equal(one.finished, bit == 4);
        assert_int_equal(one.frozen, bit == 5);
    }
}

static void test_a_mode_and_a_landed_state_that_do_not_exist(void **state)
{
    (void)state;
    swarm_put_state(&s_writer, &(struct mf_crowd_state){.mode = 255, .landed = 255});
    struct mf_hosts_record r = record();
    const struct mf_crowd_state got = swarm_read_state(&r);
    assert_int_equal(got.mode, 0);
    assert_int_equal(got.landed, 1); /* MAV_LANDED_STATE_ON_GROUND */
}

static void test_a_state_is_of_a_time(void **state)
{
    (void)state;
    swarm_put_state(&s_writer, &(struct mf_crowd_state){.at_us = MF_NEVER});
    struct mf_hosts_record r = record();
    (void)swarm_read_state(&r);
    assert_true(r.lacks);
}

static void test_a_state_that_is_cut_off(void **state)
{
    (void)state;
    swarm_put_state(&s_writer, &k_state);
    s_writer.n--;
    struct mf_hosts_record r = record();
    (void)swarm_read_state(&r);
    assert_true(r.lacks);
}

static struct mf_pose pose(void)
{
    return (struct mf_pose){.lat_deg = 47.5,
                            .lon_deg = -180.0,
                            .alt_amsl_m = 488.25,
                            .ground_amsl_m = 480.0,
                            .vel_ned_mps = {1.5f, -2.5f, 0.125f},
                            .acc_ned_mps2 = {0.5f, 0.25f, -9.0f},
                            .yaw_rad = -3.0f,
                            .yawspeed_rps = 0.75f,
                            .gusts_mps = 2.0f,
                            .on_ground = true};
}

static void test_a_pose_comes_back_bit_for_bit(void **state)
{
    (void)state;
    const struct mf_pose sent = pose();
    swarm_put_pose(&s_writer, &sent);
    struct mf_hosts_record r = record();
    const struct mf_pose got = swarm_read_pose(&r);
    assert_false(r.lacks);
    assert_int_equal(r.n, 0);
    assert_memory_equal(&got, &sent, offsetof(struct mf_pose, on_ground));
    assert_true(got.on_ground);
}

static void test_a_pose_beyond_the_earth(void **state)
{
    static const double k[][2] = {{90.1, 0.0},   {-90.1, 0.0},       {0.0, 180.1},
                                  {0.0, -180.1}, {(double)NAN, 0.0}, {0.0, (double)INFINITY}};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        struct mf_pose sent = pose();
        sent.lat_deg = k[i][0];
        sent.lon_deg = k[i][1];
        (void)begin(NULL);
        swarm_put_pose(&s_writer, &sent);
        struct mf_hosts_record r = record();
        (void)swarm_read_pose(&r);
        assert_true(r.lacks);
    }
}

static void test_a_pose_whose_height_or_speed_is_absurd(void **state)
{
    (void)state;
    struct mf_pose sent = pose();
    sent.alt_amsl_m = 1.1e8;
    swarm_put_pose(&s_writer, &sent);
    struct mf_hosts_record r = record();
    (void)swarm_read_pose(&r);
    assert_true(r.lacks);
    (void)begin(NULL);
    sent = pose();
    sent.vel_ned_mps[2] = FLT_MAX;
    swarm_put_pose(&s_writer, &sent);
    r = record();
    (void)swarm_read_pose(&r);
    assert_true(r.lacks);
}

static void test_a_flock_member_comes_back(void **state)
{
    (void)state;
    const struct mf_flock_member sent = {
        .neu_m = {1.0, -2.0, 30.5}, .vel_ne_mps = {0.5f, -0.25f}, .flies = true};
    swarm_put_flock_member(&s_writer, &sent);
    assert_int_equal(length(), 3 * 8 + 2 * 4 + 1);
    struct mf_hosts_record r = record();
    const struct mf_flock_member got = swarm_read_flock_member(&r);
    assert_false(r.lacks);
    assert_memory_equal(got.neu_m, sent.neu_m, sizeof got.neu_m);
    assert_memory_equal(got.vel_ne_mps, sent.vel_ne_mps, sizeof got.vel_ne_mps);
    assert_true(got.flies);
}

/* A member whose record is bad must not fly: flocking would read its place. */
static void test_a_flock_member_at_no_place_does_not_fly(void **state)
{
    (void)state;
    swarm_put_flock_member(
        &s_writer, &(struct mf_flock_member){.neu_m = {(double)NAN, 0.0, 0.0}, .flies = true});
    struct mf_hosts_record r = record();
    assert_false(swarm_read_flock_member(&r).flies);
    assert_true(r.lacks);
}

static void test_a_sum_comes_back(void **state)
{
    const struct swarm_sum sent = {.next_us = 5,
                                   .idle = true,
                                   .steps = UINT64_C(1) << 40,
                                   .refused = 1,
                                   .frozen = 2,
                                   .armed = 3,
                                   .up = 4};
    (void)state;
    swarm_put_sum(&s_writer, &sent);
    assert_int_equal(length(), 8 + 1 + 8 + 4 * 4);
    struct mf_hosts_record r = record();
    const struct swarm_sum got = swarm_read_sum(&r);
    assert_false(r.lacks);
    assert_int_equal(got.next_us, 5);
    assert_true(got.idle);
    assert_true(got.steps == UINT64_C(1) << 40);
    assert_int_equal(got.refused, 1);
    assert_int_equal(got.frozen, 2);
    assert_int_equal(got.armed, 3);
    assert_int_equal(got.up, 4);
}

static void test_sums_are_added(void **state)
{
    struct swarm_sum all = {.next_us = 9, .idle = true, .steps = 10, .refused = 1, .armed = 5};
    (void)state;
    swarm_sum_add(&all, &(struct swarm_sum){.next_us = 7,
                                            .idle = true,
                                            .steps = 5,
                                            .refused = 2,
                                            .frozen = 3,
                                            .armed = 1,
                                            .up = 6});
    assert_int_equal(all.next_us, 7);
    assert_true(all.idle);
    assert_int_equal(all.steps, 15);
    assert_int_equal(all.refused, 3);
    assert_int_equal(all.frozen, 3);
    assert_int_equal(all.armed, 6);
    assert_int_equal(all.up, 6);
    swarm_sum_add(&all, &(struct swarm_sum){.next_us = MF_NEVER, .idle = false});
    assert_int_equal(all.next_us, 7);
    assert_false(all.idle); /* a single busy leaf makes the sum busy */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_state_is_15_bytes, begin),
        cmocka_unit_test_setup(test_a_state_comes_back, begin),
        cmocka_unit_test_setup(test_each_flag_of_a_state_has_its_bit, begin),
        cmocka_unit_test_setup(test_a_mode_and_a_landed_state_that_do_not_exist, begin),
        cmocka_unit_test_setup(test_a_state_is_of_a_time, begin),
        cmocka_unit_test_setup(test_a_state_that_is_cut_off, begin),
        cmocka_unit_test_setup(test_a_pose_comes_back_bit_for_bit, begin),
        cmocka_unit_test_setup(test_a_pose_beyond_the_earth, begin),
        cmocka_unit_test_setup(test_a_pose_whose_height_or_speed_is_absurd, begin),
        cmocka_unit_test_setup(test_a_flock_member_comes_back, begin),
        cmocka_unit_test_setup(test_a_flock_member_at_no_place_does_not_fly, begin),
        cmocka_unit_test_setup(test_a_sum_comes_back, begin),
        cmocka_unit_test_setup(test_sums_are_added, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
