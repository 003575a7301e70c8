/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/survey.h: an area of 70 x 2 cells of 10 m, so that a row has more than one word. */
#include "fleet/survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct mf_en k_corner[4] = {{0, 0}, {700, 0}, {700, 20}, {0, 20}};
static struct mf_survey s_survey;
static uint64_t s_area[8];
static struct mf_survey_member *s_member;

static int begin(void **state)
{
    (void)state;
    s_survey = (struct mf_survey){
        .grid = mf_coverage_grid(k_corner, 4, 10.0), .area = s_area, .silent_turns = 5};
    s_survey.words = mf_coverage_words(&s_survey.grid);
    assert_int_equal(s_survey.words, 4);
    for (size_t i = 0; i < 8; i++) {
        s_area[i] = 0;
    }
    mf_coverage_fill(s_area, &s_survey.grid, k_corner, 4);
    s_member = calloc(1, mf_survey_bytes(&s_survey));
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(s_member);
    return 0;
}

static void assert_goal(double at_e, double at_n, double e, double n)
{
    struct mf_en goal = {-1, -1};
    assert_true(mf_survey_turn(&s_survey, s_member, (struct mf_en){at_e, at_n}, &goal));
    assert_true(goal.e == e && goal.n == n);
}

static void see(double e, double n, double half_m)
{
    const struct mf_coverage_frame frame = {{e, n}, {0, 1}, half_m, half_m};
    mf_survey_see(&s_survey, s_member, &frame);
}

static void test_the_nearest_cell_that_is_not_seen(void **state)
{
    (void)state;
    assert_goal(644, 4, 645, 5);
    see(645, 5, 6);
    assert_goal(644, 4, 635, 5); /* 9.1 m away; (645, 15) is 11.0 m away */
    see(650, 10, 21);            /* columns 63 to 66 */
    assert_goal(644, 4, 625, 5); /* 19.0 m; (675, 5): 31.0 m */
}

static void test_cells_nearer_to_others_are_theirs_while_they_are_heard(void **state)
{
    (void)state;
    see(5, 10, 11); /* columns 0 and 1 */
    assert_goal(4, 5, 25, 5);
    mf_survey_hear(&s_survey, s_member, 7, (struct mf_en){24, 5}, true, 0.0);
    mf_survey_hear(&s_survey, s_member, 8, (struct mf_en){24, 15}, true, 0.0);
    /* all is nearer to one of the two: then the nearest at all */
    assert_goal(4, 5, 25, 5);
    /* one behind the member takes nothing from it */
    mf_survey_hear(&s_survey, s_member, 7, (struct mf_en){695, 5}, true, 0.0);
    mf_survey_hear(&s_survey, s_member, 8, (struct mf_en){2, 15}, true, 0.0);
    assert_goal(4, 5, 25, 5);
    mf_survey_hear(&s_survey, s_member, 8, (struct mf_en){26, 4}, true, 0.0);
    mf_survey_hear(&s_survey, s_member, 7, (struct mf_en){-40, 40}, true, 0.0);
    for (int k = 0; k < 4; k++) {
        assert_goal(4, 14, 25,
                    15); /* (25, 5) is the other's; so is (25, 15), at 11.0 m: nearest at all */
    }
}

static void test_who_is_down_or_silent_owns_nothing(void **state)
{
    (void)state;
    see(100, 10, 11); /* columns 9 and 10 */
    mf_survey_hear(&s_survey, s_member, 7, (struct mf_en){89, 5}, true, 0.0);
    assert_goal(100, 5, 115, 5); /* (85, 5) is as near, and first; but the other is nearer to it */
    mf_survey_hear(&s_survey, s_member, 7, (struct mf_en){89, 5}, false, 0.0);
    assert_goal(100, 5, 85, 5);
    mf_survey_hear(&s_survey, s_member, 7, (struct mf_en){89, 5}, true, 0.0);
    for (int k = 0; k < 4; k++) {
        assert_goal(100, 5, 115, 5);
    }
    assert_goal(100, 5, 85, 5); /* silent for five turns */
}

static void test_what_others_see_need_not_be_seen_again(void **state)
{
    struct mf_en goal;
    (void)state;
    for (uint32_t column = 0; column < 70; column++) {
        /* 15 m to each side: a square of 10.6 m about the middle, whatever the heading */
        mf_survey_hear(&s_survey, s_member, 3, (struct mf_en){10.0 * column + 5.0, 10.0}, true,
                       15.0);
        const bool more = mf_survey_turn(&s_survey, s_member, (struct mf_en){0, 0}, &goal);
        assert_int_equal(more, column < 68); /* a square shows the neighbours, too */
    }
    assert_int_equal(mf_coverage_both(s_area, mf_survey_seen(s_member), &s_survey.grid), 0);
}

static void test_who_was_heard_longest_ago_gives_way(void **state)
{
    struct mf_en goal;
    (void)state;
    for (uint32_t k = 0; k < MF_SURVEY_NEIGHBOURS + 3u; k++) {
        mf_survey_hear(&s_survey, s_member, k, (struct mf_en){0, 0}, false, 0.0);
        (void)mf_survey_turn(&s_survey, s_member, (struct mf_en){0, 0}, &goal);
    }
    assert_int_equal(s_member->neighbours, MF_SURVEY_NEIGHBOURS);
    for (uint32_t k = 0; k < MF_SURVEY_NEIGHBOURS; k++) {
        assert_true(s_member->neighbour[k].member >= 3);
    }
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        CASE(test_the_nearest_cell_that_is_not_seen),
        CASE(test_cells_nearer_to_others_are_theirs_while_they_are_heard),
        CASE(test_who_is_down_or_silent_owns_nothing),
        CASE(test_what_others_see_need_not_be_seen_again),
        CASE(test_who_was_heard_longest_ago_gives_way),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
