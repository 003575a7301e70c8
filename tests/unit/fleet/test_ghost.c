/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/ghost.h: tracks, messages and packets of ghosts; values by hand. SBE-11, SBE-20, SBE-21. */
#include "fleet/ghost.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define S(seconds) ((mf_us_t)((seconds)*1e6))

static struct mf_ghost_track s_track;
static const double k_place[3] = {1.0, 2.0, 3.0};

static int begin(void **state)
{
    (void)state;
    mf_ghost_init(&s_track, &(struct mf_ghost_settings){S(0.5), S(2), 100.0}, k_place, false);
    return 0;
}

static int say(double at_s, double north_m, double vel_north_mps)
{
    const struct mf_ghost_sample s = {
        .at_us = S(at_s), .neu_m = {north_m, 2.0, 3.0}, .vel_neu_mps = {vel_north_mps, 0.0, 0.0}};
    return mf_ghost_take(&s_track, &s);
}

static int say_place(double at_s, double north_m)
{
    const struct mf_ghost_sample s = {.at_us = S(at_s),
                                      .neu_m = {north_m, 2.0, 3.0},
                                      .vel_neu_mps = {(double)NAN, (double)NAN, (double)NAN}};
    return mf_ghost_take(&s_track, &s);
}

static double north_at(double at_s)
{
    struct mf_ghost_sample at;
    mf_ghost_at(&s_track, S(at_s), &at);
    return at.neu_m[0];
}

static void near(double is, double wanted)
{
    assert_true(fabs(is - wanted) < 1e-9);
}

/* SBE-20: 4 m/s from 10 m: 11 m after a quarter of a second, 12 m after half a second and for ever.
 */
static void test_extrapolated_held_lost(void **state)
{
    struct mf_ghost_sample at;
    (void)state;
    near(north_at(0.5), 1.0);
    assert_false(mf_ghost_is_there(&s_track, S(0.5)));
    assert_int_equal(say(1.0, 10.0, 4.0), MF_E_OK);
    near(north_at(1.25), 11.0);
    near(north_at(1.5), 12.0);
    near(north_at(2.9), 12.0);
    mf_ghost_at(&s_track, S(1.4), &at);
    near(at.vel_neu_mps[0], 4.0);
    mf_ghost_at(&s_track, S(1.6), &at);
    near(at.vel_neu_mps[0], 0.0);
    assert_true(mf_ghost_is_there(&s_track, S(2.999)));
    assert_false(mf_ghost_is_there(&s_track, S(3.0)));
    assert_true(mf_ghost_lost_at(&s_track) == S(3.0));
    assert_false(mf_ghost_expire(&s_track, S(2.999)));
    assert_true(mf_ghost_expire(&s_track, S(3.5)));
    assert_false(mf_ghost_expire(&s_track, S(4.0)));
    assert_true(mf_ghost_lost_at(&s_track) == MF_NEVER);
    assert_int_equal(s_track.losses, 1);
    near(north_at(9.0), 12.0);
}

/* Far away after a loss is where it is; the same place while it is known would need 4 km/s. */
static void test_back_wherever_it_is(void **state)
{
    (void)state;
    assert_int_equal(say(1.0, 0.0, 0.0), MF_E_OK);
    assert_int_equal(say(2.0, 4000.0, 0.0), MF_E_RANGE);
    near(north_at(2.0), 0.0);
    assert_true(mf_ghost_expire(&s_track, S(3.0)));
    assert_int_equal(say(3.5, 4000.0, 0.0), MF_E_OK);
    assert_true(mf_ghost_is_there(&s_track, S(3.5)));
    assert_int_equal(s_track.samples, 2);
    assert_int_equal(s_track.refused, 1);
}

/* 1 km/s at 100 Hz: 10 m each, of which 1 m is allowed; the slack of 50 m is used up after 5. */
static void test_no_kilometre_a_second(void **state)
{
    (void)state;
    for (int k = 0; k < 200; k++) {
        (void)say(1.0 + k * 0.01, k * 10.0, 0.0);
    }
    assert_int_equal(s_track.samples, 6);
    assert_int_equal(s_track.refused, 194);
    assert_int_equal(say(3.0, 50.0, 101.0), MF_E_RANGE);
    assert_int_equal(say(3.0, 50.0, (double)INFINITY), MF_E_RANGE);
    assert_int_equal(say(3.0, (double)NAN, 0.0), MF_E_RANGE);
    assert_int_equal(say(3.0, 1.1e6, 0.0), MF_E_RANGE);
    assert_int_equal(say(3.0, 60.0, 100.0), MF_E_OK);
}

/* Samples of 20 m/s that a link has held up for 0.4 s come at one instant: all are believed. */
static void test_late_samples_are_believed(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        assert_int_equal(say(1.4, k * 2.0, 20.0), MF_E_OK);
    }
    assert_int_equal(s_track.refused, 0);
}

/* SBE-20: motion capture says places alone: 3 m/s over the last tenth of a second. */
static void test_a_velocity_follows_from_places(void **state)
{
    (void)state;
    for (int k = 0; k <= 50; k++) {
        assert_int_equal(say_place(1.0 + k * 0.01, k * 0.03), MF_E_OK);
    }
    near(s_track.last.vel_neu_mps[0], 3.0);
    near(north_at(1.6), 1.5 + 0.3);
    assert_int_equal(say_place(2.5, 9.0), MF_E_OK); /* after a pause nothing is known */
    near(s_track.last.vel_neu_mps[0], 0.0);
}

static void test_nobody_waits_for_it(void **state)
{
    (void)state;
    mf_ghost_init(&s_track, &(struct mf_ghost_settings){0, S(1), 10.0}, k_place, true);
    assert_true(mf_ghost_lost_at(&s_track) == MF_NEVER);
    assert_false(mf_ghost_expire(&s_track, S(100)));
    assert_int_equal(s_track.losses, 0);
    assert_int_equal(say(100.0, 5.0, 1.0), MF_E_OK);
    near(north_at(100.5), 5.0); /* it is held at once */
}

static void test_messages(void **state)
{
    struct mf_ghost_sample s;
    const double origin[3] = {47.0, 8.0, 400.0};
    (void)state;
    const struct mf_msg_global_position_int m = {.lat = 470000000,
                                                 .lon = 80000000,
                                                 .alt = 412500,
                                                 .vx = 100,
                                                 .vy = -200,
                                                 .vz = 50,
                                                 .hdg = 9000};
    mf_ghost_from_position(&m, origin, 7, &s);
    near(s.neu_m[0], 0.0);
    near(s.neu_m[2], 12.5);
    near(s.vel_neu_mps[1], -2.0);
    near(s.vel_neu_mps[2], -0.5);
    near(s.yaw_rad, 1.5707963267948966);
    const struct mf_msg_global_position_int wrong = {.lat = INT32_MAX, .lon = INT32_MIN};
    mf_ghost_from_position(&wrong, origin, 7, &s);
    assert_int_equal(mf_ghost_take(&s_track, &s), MF_E_RANGE);
    const struct mf_msg_att_pos_mocap at = {
        .q = {0.70710678f, 0.0f, 0.0f, 0.70710678f}, .x = 1.0f, .y = 2.0f, .z = -3.0f};
    mf_ghost_from_mocap(&at, 9, &s);
    assert_true(s.neu_m[0] == 1.0 && s.neu_m[1] == 2.0 && s.neu_m[2] == 3.0 && s.at_us == 9);
    assert_true(fabs(s.yaw_rad - 1.5707963) < 1e-6);
    struct mf_msg_att_pos_mocap bad = at;
    bad.q[0] = (float)NAN;
    mf_ghost_from_mocap(&bad, 9, &s);
    assert_int_equal(mf_ghost_take(&s_track, &s), MF_E_RANGE);
}

/* SBE-21: bytes of a TUNNEL by hand. */
static void test_a_tunnel(void **state)
{
    struct mf_msg_tunnel m;
    struct mf_ghost_packet p;
    static const uint8_t k_bytes[15] = {1, 1, 0x6B, 0xEA, 7, 0, 0, 0, 0, 1, 0, 0, 'a', 'b', 'c'};
    (void)state;
    const struct mf_ghost_packet sent = {true, -55.25, 7, 256, (const uint8_t *)"abc", 3};
    assert_int_equal(mf_ghost_tunnel_write(&sent, &m), MF_E_OK);
    assert_int_equal(m.payload_type, 40021);
    assert_int_equal(m.payload_length, 15);
    assert_memory_equal(m.payload, k_bytes, sizeof k_bytes);
    assert_null(mf_ghost_tunnel_read(&m, &p));
    assert_true(p.heard && p.strength_dbm == -55.25 && p.origin == 7 && p.number == 256 &&
                p.n == 3);
    m.payload[0] = 2;
    assert_non_null(strstr(mf_ghost_tunnel_read(&m, &p), "format 1"));
    m.payload_type = 5;
    assert_string_equal(mf_ghost_tunnel_read(&m, &p), "");
    m = (struct mf_msg_tunnel){.payload_type = 40021, .payload_length = 200, .payload = {1, 0}};
    assert_non_null(mf_ghost_tunnel_read(&m, &p));
    const struct mf_ghost_packet wide = {.n = 117, .bytes = k_bytes};
    assert_int_equal(mf_ghost_tunnel_write(&wide, &m), MF_E_RANGE);
}

static void test_a_packet_is_new_once(void **state)
{
    static struct mf_ghost_known s_known;
    (void)state;
    assert_true(mf_ghost_is_new(&s_known, 0, 0));
    assert_false(mf_ghost_is_new(&s_known, 0, 0));
    assert_true(mf_ghost_is_new(&s_known, 1, 0));
    assert_true(mf_ghost_is_new(&s_known, 0, 1));
    assert_int_equal(s_known.doubles, 1);
    for (uint32_t k = 2; k < 2 + MF_GHOST_KNOWN_MAX; k++) {
        assert_true(mf_ghost_is_new(&s_known, 9, k));
    }
    assert_true(mf_ghost_is_new(&s_known, 0, 0)); /* it was long ago */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_extrapolated_held_lost, begin),
        cmocka_unit_test_setup(test_back_wherever_it_is, begin),
        cmocka_unit_test_setup(test_no_kilometre_a_second, begin),
        cmocka_unit_test_setup(test_late_samples_are_believed, begin),
        cmocka_unit_test_setup(test_a_velocity_follows_from_places, begin),
        cmocka_unit_test_setup(test_nobody_waits_for_it, begin),
        cmocka_unit_test_setup(test_messages, begin),
        cmocka_unit_test(test_a_tunnel),
        cmocka_unit_test(test_a_packet_is_new_once),
    };
    return cmocka_run_group_tests_name("ghost", tests, NULL, NULL);
}
