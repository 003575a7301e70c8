/* SPDX-License-Identifier: Apache-2.0 */
/* world/space_slide.h: SBE-14: contacts on a parabola and what is left of a velocity, by hand. */
#include "world/space_slide.h"

#include "math/chance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double s_bytes[4096];
static struct mf_space s_space;
static uint32_t s_with[64], s_count;
static double s_at[64];

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.12g, want %.12g", got, want);
    }
}

static void note(void *ctx, uint32_t with, double after_s, bool meets)
{
    (void)ctx;
    if (!meets) {
        return;
    }
    if (s_count < 64) {
        s_with[s_count] = with;
        s_at[s_count] = after_s;
    }
    s_count++;
}

static void begin(void)
{
    s_count = 0;
    mf_space_init(&s_space, 64, s_bytes);
}

/* Its foot is at (north, east, up). */
static void box(uint32_t id, const double at[3], const double size[3], double turned_rad)
{
    struct mf_solid s = {.kind = MF_SOLID_BOX, .heading = {cos(turned_rad), sin(turned_rad)}};
    memcpy(s.at_neu_m, at, sizeof s.at_neu_m);
    memcpy(s.size_m, size, sizeof s.size_m);
    assert_int_equal(mf_space_add_solid(&s_space, id, &s), MF_E_OK);
}

/* A wall of 1 mm across the north. */
static void wall(uint32_t id, double north_m)
{
    box(id, (double[]){north_m + 0.0005, 0.0, -50.0}, (double[]){0.001, 100.0, 100.0}, 0.0);
}

static bool fly(struct mf_slider *ball, double for_s)
{
    return mf_space_slide(&s_space, ball, for_s, note, NULL);
}

/* From rest with 1 m/s^2, its surface 0.5 m from the wall: it meets it after exactly 1 s. */
static void test_sbe14_a_parabola_meets_a_thin_wall_at_its_instant(void **state)
{
    (void)state;
    begin();
    wall(7, 10.0);
    mf_space_build(&s_space);
    struct mf_slider ball = {{9.45, 0.0, 5.0}, {0.0, 3.0, 0.0}, {1.0, 0.0, 0.0}, 0.05};
    assert_false(fly(&ball, 2.0));
    assert_int_equal(s_with[0], 7);
    assert_near(s_at[0], 1.0, 2e-9);
    assert_near(ball.neu_m[0], 9.95, 2e-9);
    assert_near(ball.neu_m[1], 6.0, 1e-12); /* along the wall it keeps its 3 m/s */
    assert_near(ball.vel_mps[0], 0.0, 1e-12);
    assert_near(ball.vel_mps[1], 3.0, 1e-9);
    /* 100 m/s */
    s_count = 0;
    ball = (struct mf_slider){{0.0, 0.0, 5.0}, {100.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.05};
    assert_false(fly(&ball, 1.0));
    assert_int_equal(s_count, 1);
    assert_near(s_at[0], 0.0995, 2e-9);
    assert_near(ball.neu_m[0], 9.95, 2e-9);
}

/* It turns around 0.4 m before the wall; 0.1 m closer it would touch. */
static void test_a_parabola_that_turns_before_a_wall_meets_nothing(void **state)
{
    (void)state;
    begin();
    wall(0, 10.0);
    mf_space_build(&s_space);
    struct mf_slider ball = {{9.05, 0.0, 0.0}, {1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, 0.05};
    assert_false(fly(&ball, 2.0)); /* 0.5 m there and back */
    assert_int_equal(s_count, 0);
    assert_near(ball.neu_m[0], 9.05, 1e-12);
    ball = (struct mf_slider){{9.45 + 1e-4, 0.0, 0.0}, {1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, 0.05};
    assert_false(fly(&ball, 2.0));
    assert_int_equal(s_with[0], 0);
    assert_near(s_at[0], 1.0 - sqrt(2e-4), 1e-6);
}

/* It lies at the wall, leaves it with 1 m/s, and 1 m/s^2 bring it back after 2 s: never inside. */
static void test_what_pulls_it_back_brings_it_back_to_the_surface(void **state)
{
    (void)state;
    begin();
    wall(3, 10.0);
    mf_space_build(&s_space);
    struct mf_slider ball = {{9.95 - 5e-10, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 0.05};
    struct mf_slider half = ball;
    assert_false(fly(&half, 1.0));
    assert_near(half.neu_m[0], 9.45, 1e-8);
    assert_false(fly(&ball, 3.0));
    assert_near(s_at[0], 2.0, 1e-8);
    assert_near(ball.neu_m[0], 9.95, 2e-9);
    assert_near(ball.vel_mps[0], 0.0, 1e-9);
}

/* Two walls that meet at 60 degrees: it goes along one, then along the edge, which leads up. */
static void test_in_a_corner_only_the_edge_is_left(void **state)
{
    (void)state;
    begin();
    wall(0, 10.0);
    const double c = cos(1.0471975511965976), s = sin(1.0471975511965976);
    box(1, (double[]){10.0 - 8.0 * c, 5.0 + 8.0 * s - 10.0, -50.0}, (double[]){30.0, 0.001, 100.0},
        -1.0471975511965976);
    mf_space_build(&s_space);
    struct mf_slider ball = {{9.0, 0.0, 0.0}, {2.0, 3.0, 0.5}, {0.0, 0.0, 0.0}, 0.05};
    for (int i = 0; i < 50; i++) {
        const double place = ball.neu_m[0];
        ball.vel_mps[0] = 2.0; /* it is told again and again */
        ball.vel_mps[1] = 3.0;
        assert_false(fly(&ball, 0.1));
        assert_true(ball.neu_m[0] <= 9.95 + 1e-8);
        assert_true(i < 40 || fabs(place - ball.neu_m[0]) < 1e-8);
        for (uint32_t k = 0; k < s_space.count; k++) {
            assert_true(mf_space_part_distance(&s_space.part[k], ball.neu_m) > 0.05 - 1e-8);
        }
    }
    assert_near(ball.neu_m[2], 2.5, 1e-6); /* 5 s at 0.5 m/s */
}

/* What rises by less than 45 degrees carries it; a box does, the side of a steep cone does not. */
static void test_a_roof_carries_it_and_a_slope_does_not(void **state)
{
    (void)state;
    begin();
    box(2, (double[]){0.0, 0.0, 0.0}, (double[]){10.0, 10.0, 4.0}, 0.3);
    struct mf_solid cone = {
        .kind = MF_SOLID_CONE, .at_neu_m = {50.0, 0.0, 0.0}, .radius_m = 2.0, .height_m = 8.0};
    assert_int_equal(mf_space_add_solid(&s_space, 5, &cone), MF_E_OK);
    mf_space_build(&s_space);
    struct mf_slider ball = {{1.0, 1.0, 6.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, -9.80665}, 0.05};
    assert_true(fly(&ball, 5.0));
    assert_near(s_at[0], sqrt(2.0 * 1.95 / 9.80665), 1e-8);
    assert_near(ball.neu_m[2], 4.05, 2e-9);
    assert_near(ball.neu_m[0], 1.0 + s_at[0], 1e-8);
    assert_true(ball.vel_mps[0] == 0.0 && ball.vel_mps[2] == 0.0 && ball.acc_mps2[2] == 0.0);
    /* Down the cone's side, whose normal is (4, 1) / sqrt(17): g sin of its slope along it. */
    s_count = 0;
    ball = (struct mf_slider){{51.0, 0.0, 8.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, -9.80665}, 0.05};
    assert_false(fly(&ball, 1.0));
    assert_int_equal(s_with[0], 5);
    const double meets_m = 4.0 + 0.05 * sqrt(17.0), hit_s = sqrt(2.0 * (8.0 - meets_m) / 9.80665);
    assert_near(s_at[0], hit_s, 1e-8);
    const double along = 9.80665 * hit_s * 4.0 / sqrt(17.0);
    const double pull = 9.80665 * 4.0 / sqrt(17.0), left_s = 1.0 - hit_s;
    const double way = along * left_s + 0.5 * pull * left_s * left_s;
    assert_near(ball.neu_m[0], 51.0 + way / sqrt(17.0), 1e-6);
    assert_near(ball.neu_m[2], meets_m - way * 4.0 / sqrt(17.0), 1e-6);
}

/* Whatever it is told, a ball that begins outside is never within a solid. */
static void test_sbe14_it_is_never_within_an_obstacle(void **state)
{
    (void)state;
    const uint64_t key = mf_chance_key(20, 0, 0, 1);
    uint64_t n = 0;
    uint32_t contacts = 0;
    begin();
    for (uint32_t i = 0; i < 30; i++) {
        struct mf_solid s = {.kind = (int32_t)(i % 4u), .heading = {0.8, 0.6}};
        for (int k = 0; k < 3; k++) {
            s.at_neu_m[k] = 10.0 * mf_chance_unit(key, n++);
            s.size_m[k] = 0.2 + 2.0 * mf_chance_unit(key, n++);
        }
        s.radius_m = 0.2 + mf_chance_unit(key, n++);
        s.height_m = 0.2 + 2.0 * mf_chance_unit(key, n++);
        assert_int_equal(mf_space_add_solid(&s_space, i, &s), MF_E_OK);
    }
    mf_space_build(&s_space);
    struct mf_slider ball = {.neu_m = {-1.0, -1.0, -1.0}, .radius_m = 0.1};
    double to[3] = {0};
    for (int i = 0; i < 20000; i++) {
        for (int k = 0; k < 3; k++) { /* from place to place, most of which are behind others */
            to[k] = i % 40 == 0 ? 12.0 * mf_chance_unit(key, n++) : to[k];
            ball.acc_mps2[k] = 2.0 * (to[k] - ball.neu_m[k]);
            ball.vel_mps[k] *= 0.95;
        }
        s_count = 0;
        (void)fly(&ball, 0.1);
        contacts += s_count;
        for (uint32_t k = 0; k < s_space.count; k++) {
            const double gap = mf_space_part_distance(&s_space.part[k], ball.neu_m) - 0.1;
            if (!(gap > -1e-6)) {
                fail_msg("flight %d: %g m within obstacle %u", i, -gap, s_space.part[k].id);
            }
        }
    }
    assert_true(contacts > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe14_a_parabola_meets_a_thin_wall_at_its_instant),
        cmocka_unit_test(test_a_parabola_that_turns_before_a_wall_meets_nothing),
        cmocka_unit_test(test_what_pulls_it_back_brings_it_back_to_the_surface),
        cmocka_unit_test(test_in_a_corner_only_the_edge_is_left),
        cmocka_unit_test(test_a_roof_carries_it_and_a_slope_does_not),
        cmocka_unit_test(test_sbe14_it_is_never_within_an_obstacle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
