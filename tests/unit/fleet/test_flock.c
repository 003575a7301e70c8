/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/flock.h: the grid beside a search of all pairs; rules by hand. */
#include "fleet/flock.h"

#include "math/chance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct mf_flock s_flock;
static void *s_bytes;

static void make(uint32_t count, double cell_m)
{
    free(s_bytes);
    s_bytes = malloc(mf_flock_bytes(count));
    mf_flock_init(&s_flock, count, cell_m, s_bytes);
}

static int end(void **state)
{
    (void)state;
    free(s_bytes);
    s_bytes = NULL;
    return 0;
}

static void put(uint32_t i, double north_m, double east_m, float vn, float ve)
{
    s_flock.member[i] = (struct mf_flock_member){{north_m, east_m, 0}, {vn, ve}, true};
}

static struct mf_behaviour rules(double separate, double align, double cohere)
{
    return (struct mf_behaviour){.rate_hz = 10,
                                 .speed_max_mps = 5,
                                 .radius_m = 20,
                                 .separation_m = 8,
                                 .separate = separate,
                                 .align = align,
                                 .cohere = cohere};
}

static void steer(uint32_t i, const struct mf_behaviour *b, float heading, float speed, float *vel)
{
    struct mf_mind mind = {.heading_rad = heading, .speed_mps = speed};
    mf_flock_steer(&s_flock, i, b, &mind, vel);
    assert_true(vel[2] == 0.0f);
}

static void assert_vel(const float *vel, double north, double east)
{
    if (!(fabs((double)vel[0] - north) < 1e-5 && fabs((double)vel[1] - east) < 1e-5)) {
        fail_msg("%.6f %.6f", (double)vel[0], (double)vel[1]);
    }
}

/* By hand, in a tenth of a second, from 2 m/s to the north. */
static void test_each_rule_alone(void **state)
{
    float vel[3];
    (void)state;
    make(3, 20);
    put(0, 0, 0, 2, 0);
    put(1, 0, 6, 0, 3);    /* 6 m east: too near by 2 m */
    put(2, -100, 0, 9, 9); /* out of sight */
    mf_flock_sort(&s_flock);
    struct mf_behaviour b = rules(0, 0, 0);
    steer(0, &b, 0.0f, 2.0f, vel);
    assert_vel(vel, 2, 0);
    b = rules(1, 0, 0); /* pushed west with 2 m/s2 */
    steer(0, &b, 0.0f, 2.0f, vel);
    assert_vel(vel, 2, -0.2);
    b = rules(0, 0.5, 0); /* half of (0, 3) - (2, 0) per second */
    steer(0, &b, 0.0f, 2.0f, vel);
    assert_vel(vel, 2 - 0.1, 0.15);
    b = rules(0, 0, 0.1); /* a tenth of 6 m per second squared */
    steer(0, &b, 0.0f, 2.0f, vel);
    assert_vel(vel, 2, 0.06);
    b.cohere = 100; /* 60 m/s east in a turn: held at 5 m/s in that direction */
    steer(0, &b, 0.0f, 2.0f, vel);
    assert_vel(vel, 5 * 2 / hypot(2, 60), 5 * 60 / hypot(2, 60));
    b = rules(1, 1, 1); /* nobody near: straight on */
    steer(2, &b, 0.0f, 2.0f, vel);
    assert_vel(vel, 2, 0);
}

static void test_who_does_not_fly_is_not_seen(void **state)
{
    float vel[3];
    const struct mf_behaviour b = rules(1, 1, 1);
    (void)state;
    make(2, 20);
    put(0, 0, 0, 2, 0);
    put(1, 0, 6, 0, 3);
    s_flock.member[1].flies = false;
    mf_flock_sort(&s_flock);
    steer(0, &b, 0.0f, 2.0f, vel);
    assert_vel(vel, 2, 0);
}

/* All pairs, as an oracle: the middle of those within sight. */
static void test_the_grid_finds_all_neighbours(void **state)
{
    enum { N = 400 };
    const struct mf_behaviour b = rules(0, 0, 0.1);
    (void)state;
    make(N, 20);
    for (uint32_t i = 0; i < N; i++) {
        put(i, 300 * mf_chance_unit(5, 2 * i) - 150, 300 * mf_chance_unit(5, 2 * i + 1) - 150, 0,
            0);
    }
    mf_flock_sort(&s_flock);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < N; i++) {
        double middle[2] = {0, 0};
        uint32_t count = 0;
        float vel[3];
        for (uint32_t k = 0; k < N; k++) {
            const double d[2] = {s_flock.member[k].neu_m[0] - s_flock.member[i].neu_m[0],
                                 s_flock.member[k].neu_m[1] - s_flock.member[i].neu_m[1]};
            if (k != i && hypot(d[0], d[1]) <= 20) {
                middle[0] += d[0];
                middle[1] += d[1];
                count++;
            }
        }
        seen += count;
        const double part = count > 0 ? 0.01 / count : 0;
        steer(i, &b, 0.0f, 0.0f, vel);
        assert_vel(vel, middle[0] * part, middle[1] * part);
    }
    assert_true(seen > 2 * N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_each_rule_alone, end),
        cmocka_unit_test_teardown(test_who_does_not_fly_is_not_seen, end),
        cmocka_unit_test_teardown(test_the_grid_finds_all_neighbours, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
