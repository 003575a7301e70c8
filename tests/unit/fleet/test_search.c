/* SPDX-License-Identifier: Apache-2.0 */
/* UAV-01 .. UAV-08, UAV-12: figures as published by UavSim (Tables III to VI), and the same model
 * corrected. */
#include "fleet/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define TEAM 3u

static const struct mf_en k_square[] = {{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}};
static const struct mf_search_objects k_objects[] = {
    {0, 5, 1.0, 1.0, 0.4}, {1, 3, 1.0, 1.0, 0.1}, {2, 8, 0.0, 1.0, 0.1}};

static struct mf_search_member s_member[TEAM];
static uint8_t s_bytes[4 << 20];
static struct mf_memory s_memory;

static struct mf_search_settings settings(enum mf_search_plan plan, bool compat)
{
    for (size_t i = 0; i < TEAM; i++) {
        s_member[i] = (struct mf_search_member){
            .body = {2.0f, 0.1, 40.0f, 0.0f, 40.0f, 40.0f, 5.0f, 40.0f, compat},
            .fps = 30.0,
            .lateral_rad = 0.785,
            .horizontal_rad = 0.785};
    }
    return (struct mf_search_settings){.step_s = 0.01,
                                       .corners = k_square,
                                       .corner_count = 4,
                                       .plan = plan,
                                       .altitude_m = 30.0,
                                       .speed_mps = 20.0,
                                       .low_m = 15.0,
                                       .base = 2,
                                       .compat = compat,
                                       .balance_m = 30.0,
                                       .report_m = 20.0,
                                       .seed = 1,
                                       .members = s_member,
                                       .member_count = TEAM,
                                       .objects = k_objects,
                                       .object_kinds = 3};
}

static struct mf_search *begin(const struct mf_search_settings *s)
{
    assert_true(mf_search_bytes(s) <= sizeof s_bytes);
    s_memory = (struct mf_memory){s_bytes, mf_search_bytes(s), 0};
    struct mf_search *q = mf_search_init(s, &s_memory);
    assert_non_null(q);
    return q;
}

static struct mf_search *flown(const struct mf_search_settings *s)
{
    struct mf_search *q = begin(s);
    while (mf_search_step(q)) {
        assert_true(mf_search_steps(q) < 200000u);
    }
    return q;
}

/* Table III: energies 11001, 12722, 12906 N s, covered .325 .345 .348 .949; Table VI: 358.07 s. */
static void test_bcd_as_published(void **state)
{
    static const struct {
        double energy_ns, covered;
        uint32_t frames;
    } k[] = {
        {11001, 0.325, 7626}, {12722, 0.345, 8730}, {12906, 0.348, 8951}, {36629, 0.949, 25307}};
    (void)state;
    struct mf_search_settings s = settings(MF_SEARCH_BCD, true);
    s.cell_m = 0.5;
    struct mf_search *q = begin(&s);
    assert_int_equal(mf_search_points_left(q, 0), 87);
    assert_int_equal(mf_search_points_left(q, 1), 87);
    assert_int_equal(mf_search_points_left(q, 2), 85);
    while (mf_search_step(q)) {
    }
    assert_int_equal(mf_search_steps(q), 35807);
    for (size_t i = 0; i <= TEAM; i++) {
        const struct mf_search_statistics t = mf_search_statistics(q, i);
        assert_true(fabs(t.energy_ns - k[i].energy_ns) < 1.0);
        assert_true(fabs(t.covered - k[i].covered) < 0.0005);
        assert_int_equal(t.frames, k[i].frames);
    }
}

/* Tables IV to VI: what dives needs more than what only looks, and what visits the most. */
static void test_dives_and_visits_cost_energy_and_time(void **state)
{
    (void)state;
    double energy_ns[MF_SEARCH_PLANS], seconds[MF_SEARCH_PLANS];
    for (int plan = 0; plan < MF_SEARCH_OWN; plan++) {
        const struct mf_search_settings s = settings((enum mf_search_plan)plan, true);
        const struct mf_search *q = flown(&s);
        energy_ns[plan] = mf_search_statistics(q, TEAM).energy_ns;
        seconds[plan] = 0.01 * (double)mf_search_steps(q);
    }
    assert_true(energy_ns[0] < energy_ns[1] && energy_ns[1] < energy_ns[2]);
    assert_true(seconds[0] < seconds[1] && seconds[1] < seconds[2]);
    assert_true(fabs(seconds[2] - 470.0) < 50.0); /* as printed; chance moves it */
}

/* 17 x 17 squares: nothing of the area is left out, however the team dives or visits. */
static void test_corrected_plans_cover_the_area(void **state)
{
    (void)state;
    for (int plan = 0; plan < MF_SEARCH_OWN; plan++) {
        struct mf_search_settings s = settings((enum mf_search_plan)plan, false);
        s.cell_m = 2.0;
        const struct mf_search *q = flown(&s);
        assert_true(mf_search_statistics(q, TEAM).covered > 0.995);
    }
}

/* The member who visits has seen what the others reported: it flies low over it. */
static void test_the_visitor_goes_where_it_is_sent(void **state)
{
    (void)state;
    const struct mf_search_settings s = settings(MF_SEARCH_BDBCD, false);
    struct mf_search *q = begin(&s);
    size_t most = 0;
    bool low = false;
    assert_int_equal(mf_search_points_left(q, 2), 0);
    while (mf_search_step(q)) {
        const size_t left = mf_search_points_left(q, 2);
        most = left > most ? left : most;
        const struct mf_mover_thrust m = mf_search_member(q, 2);
        low =
            low || (fabs((double)m.pos_m.u - 15.0) < 1.0 && (double)mf_enu_length(m.pos_m) > 100.0);
    }
    assert_true(most >= 2 && low);
}

static void test_equal_seeds_give_equal_figures(void **state)
{
    (void)state;
    struct mf_search_settings s = settings(MF_SEARCH_AVBCD, true);
    const struct mf_search_statistics a = mf_search_statistics(flown(&s), TEAM);
    const struct mf_search_statistics b = mf_search_statistics(flown(&s), TEAM);
    s.variation = 1;
    const struct mf_search_statistics other = mf_search_statistics(flown(&s), TEAM);
    assert_true(a.energy_ns == b.energy_ns && a.recall == b.recall && a.frames == b.frames);
    assert_true(a.energy_ns != other.energy_ns);
}

/* Precision, recall and F1 agree with each other; what is undefined says so. */
static void test_statistics(void **state)
{
    (void)state;
    struct mf_search_settings s = settings(MF_SEARCH_BCD, true);
    const struct mf_search_statistics t = mf_search_statistics(flown(&s), TEAM);
    assert_true(t.covered == -1.0); /* no raster was kept */
    assert_true(fabs(t.f1 - 2.0 * t.precision * t.recall / (t.precision + t.recall)) < 1e-12);
    assert_true(t.spotted == 0.8); /* with this seed */
    s.object_kinds = 0;
    const struct mf_search_statistics none = mf_search_statistics(flown(&s), TEAM);
    assert_true(none.precision == -1.0 && none.recall == -1.0 && none.f1 == -1.0);
    assert_true(none.spotted == -1.0);
}

static void test_too_little_memory(void **state)
{
    (void)state;
    struct mf_search_settings s = settings(MF_SEARCH_BCD, true);
    s.cell_m = 10.0;
    for (size_t n = 0; n + 512u < mf_search_bytes(&s); n += 997u) {
        s_memory = (struct mf_memory){s_bytes, n, 0};
        assert_null(mf_search_init(&s, &s_memory));
    }
}

static struct mf_mover_goal at(float e, float n)
{
    return (struct mf_mover_goal){{e, n, 30.0f}, 20.0f};
}

/* UAV-17: goals of an own plan within the area, on its edge, or at the station; nowhere else. */
static void test_uav17_goals_stay_in_the_area(void **state)
{
    (void)state;
    static const struct {
        float e, n;
        int result;
    } k[] = {{500.0f, 500.0f, MF_E_OK},     {1000.0f, 1000.0f, MF_E_OK}, {0.0f, 0.0f, MF_E_OK},
             {0.0f, 700.0f, MF_E_OK},       {-0.5f, 0.0f, MF_E_OK}, /* the station is there */
             {1000.5f, 500.0f, MF_E_RANGE}, {500.0f, -1.0f, MF_E_RANGE}};
    const struct mf_search_settings s = settings(MF_SEARCH_OWN, false);
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        struct mf_search *q = begin(&s);
        const struct mf_mover_goal g = at(k[i].e, k[i].n);
        assert_int_equal(mf_search_go(q, 0, MF_SEARCH_LAST, &g, 1), k[i].result);
        assert_int_equal(mf_search_error(q) != NULL, k[i].result != MF_E_OK);
        assert_int_equal(mf_search_step(q), k[i].result == MF_E_OK);
    }
}

static void test_goals_instead_first_and_last(void **state)
{
    (void)state;
    const struct mf_search_settings s = settings(MF_SEARCH_OWN, false);
    static struct mf_mover_goal s_many[MF_SEARCH_GOALS_MAX * 2u];
    const struct mf_mover_goal two[] = {at(100.0f, 100.0f), at(200.0f, 100.0f)};
    struct mf_search *q = begin(&s);
    assert_int_equal(mf_search_go(q, 1, MF_SEARCH_LAST, two, 2), MF_E_OK);
    assert_int_equal(mf_search_go(q, 1, MF_SEARCH_FIRST, two, 2), MF_E_OK);
    assert_int_equal(mf_search_points_left(q, 1), 4);
    assert_int_equal(mf_search_go(q, 1, MF_SEARCH_INSTEAD, two, 1), MF_E_OK);
    assert_int_equal(mf_search_points_left(q, 1), 1);
    for (size_t i = 0; i < sizeof s_many / sizeof s_many[0]; i++) {
        s_many[i] = two[0];
    }
    assert_int_equal(mf_search_go(q, 1, MF_SEARCH_LAST, s_many, 2u * MF_SEARCH_GOALS_MAX),
                     MF_E_FULL);
    q = begin(&s);
    assert_int_equal(mf_search_go(q, 3, MF_SEARCH_LAST, two, 2), MF_E_RANGE);
    q = begin(&s);
    s_many[0].speed_mps = 0.0f;
    assert_int_equal(mf_search_go(q, 0, MF_SEARCH_LAST, s_many, 1), MF_E_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bcd_as_published),
        cmocka_unit_test(test_dives_and_visits_cost_energy_and_time),
        cmocka_unit_test(test_corrected_plans_cover_the_area),
        cmocka_unit_test(test_the_visitor_goes_where_it_is_sent),
        cmocka_unit_test(test_equal_seeds_give_equal_figures),
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_uav17_goals_stay_in_the_area),
        cmocka_unit_test(test_goals_instead_first_and_last),
        cmocka_unit_test(test_too_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
