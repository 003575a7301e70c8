/* SPDX-License-Identifier: Apache-2.0 */
/* world/engine.h, against a plain list that is searched for its smallest entry. */
#include "world/engine.h"

#include "math/chance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TIMERS 200u

struct ran {
    uint32_t id;
    mf_us_t at_us;
};

static struct {
    struct mf_engine engine;
    struct mf_engine_slot heap[TIMERS + 1u];
    struct mf_timer timer[TIMERS];
    struct mf_group group[2];
    uint32_t ids[2][TIMERS];
    struct ran ran[4096];
    size_t count;
    mf_engine_run *also; /* what a run does beside being noted */
} s;

static int begin(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    mf_engine_init(&s.engine, s.heap, TIMERS);
    return 0;
}

static void note(void *ctx, uint32_t id, mf_us_t at_us)
{
    (void)ctx;
    assert_true(s.count < sizeof s.ran / sizeof s.ran[0]);
    s.ran[s.count++] = (struct ran){id, at_us};
    if (s.also != NULL) {
        s.also(ctx, id, at_us);
    }
}

static void run_until(mf_us_t end_us)
{
    struct mf_order order;
    while (mf_engine_next(&s.engine, &order) && order.at_us <= end_us) {
        mf_engine_step(&s.engine);
    }
}

static void must_have_run(const struct ran *expected, size_t n)
{
    assert_int_equal(s.count, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(s.ran[i].id, expected[i].id);
        assert_int_equal(s.ran[i].at_us, expected[i].at_us);
    }
}
#define MUST_HAVE_RUN(...)                                                   \
    do {                                                                     \
        static const struct ran k_expected[] = {__VA_ARGS__};                \
        must_have_run(k_expected, sizeof k_expected / sizeof k_expected[0]); \
    } while (0)

static struct mf_timer *set(uint32_t n, enum mf_phase phase, uint32_t id, mf_us_t at_us)
{
    mf_timer_init(&s.timer[n], phase, id, note, NULL);
    assert_int_equal(mf_timer_set(&s.engine, &s.timer[n], at_us, 0), MF_E_OK);
    return &s.timer[n];
}

/* SBE-01: time, then phase, then id, then what was set first. */
static void test_order_is_time_phase_id_sequence(void **state)
{
    (void)state;
    set(0, MF_PHASE_OBSERVE, 1, 10);
    set(1, MF_PHASE_ENTITY, 9, 10);
    set(2, MF_PHASE_ENTITY, 3, 10);
    set(3, MF_PHASE_WORLD, 7, 10);
    set(4, MF_PHASE_OBSERVE, 6, 9);
    mf_timer_init(&s.timer[5], MF_PHASE_ENTITY, 3, note, NULL);
    assert_int_equal(mf_timer_set(&s.engine, &s.timer[5], 10, 0), MF_E_OK);
    struct mf_order order;
    assert_true(mf_engine_next(&s.engine, &order));
    assert_true(order.at_us == 9 && order.phase == MF_PHASE_OBSERVE && order.id == 6);
    run_until(10);
    MUST_HAVE_RUN({6, 9}, {7, 10}, {3, 10}, {3, 10}, {9, 10}, {1, 10});
    assert_false(mf_engine_next(&s.engine, &order));
}

/* SBE-03: a timer that is set anew moves, in both directions; a cancelled one does not run. */
static void test_set_anew_and_cancel(void **state)
{
    (void)state;
    struct mf_timer *early = set(0, MF_PHASE_ENTITY, 1, 10);
    struct mf_timer *late = set(1, MF_PHASE_ENTITY, 2, 20);
    struct mf_timer *never = set(2, MF_PHASE_ENTITY, 3, 15);
    assert_int_equal(mf_timer_set(&s.engine, early, 30, 0), MF_E_OK);
    assert_int_equal(mf_timer_set(&s.engine, late, 5, 0), MF_E_OK);
    mf_timer_cancel(&s.engine, never);
    mf_timer_cancel(&s.engine, never);
    assert_false(mf_timer_is_set(never));
    run_until(100);
    MUST_HAVE_RUN({2, 5}, {1, 30});
    assert_false(mf_timer_is_set(early) || mf_timer_is_set(late));
}

/* SBE-03: a periodic timer. */
static void test_a_period_goes_on_until_it_is_cancelled(void **state)
{
    (void)state;
    mf_timer_init(&s.timer[0], MF_PHASE_WORLD, 4, note, NULL);
    assert_int_equal(mf_timer_set(&s.engine, &s.timer[0], 3, 10), MF_E_OK);
    run_until(25);
    mf_timer_cancel(&s.engine, &s.timer[0]);
    run_until(1000);
    MUST_HAVE_RUN({4, 3}, {4, 13}, {4, 23});
}

static void test_the_past_and_a_full_heap_are_refused(void **state)
{
    (void)state;
    set(0, MF_PHASE_ENTITY, 5, 10);
    run_until(10);
    mf_timer_init(&s.timer[1], MF_PHASE_ENTITY, 4, note, NULL);
    assert_int_equal(mf_timer_set(&s.engine, &s.timer[1], 9, 0), MF_E_RANGE);
    assert_int_equal(mf_timer_set(&s.engine, &s.timer[1], 10, 0), MF_E_RANGE);
    assert_false(mf_timer_is_set(&s.timer[1]));
    for (uint32_t i = 1; i <= TIMERS - 1u; i++) {
        set(i, MF_PHASE_ENTITY, 5, 10); /* the same place: a later sequence */
    }
    set(0, MF_PHASE_OBSERVE, 0, 10);
    struct mf_timer more;
    mf_timer_init(&more, MF_PHASE_OBSERVE, 0, note, NULL);
    assert_int_equal(mf_timer_set(&s.engine, &more, 11, 0), MF_E_FULL);
    /* set anew it takes its own place */
    assert_int_equal(mf_timer_set(&s.engine, &s.timer[0], 12, 0), MF_E_OK);
}

/* Members and timers of one instant come in one order of ids. */
static void test_groups_and_timers_share_the_order(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        mf_group_init(&s.group[i], MF_PHASE_ENTITY, note, NULL, s.ids[i], TIMERS);
    }
    assert_int_equal(mf_group_join(&s.engine, &s.group[0], 10, 10), MF_E_OK);
    assert_int_equal(mf_group_join(&s.engine, &s.group[1], 10, 15), MF_E_OK);
    static const uint32_t k_first[] = {30, 10, 20}, k_second[] = {15, 20};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(mf_group_add(&s.engine, &s.group[0], k_first[i]), MF_E_OK);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(mf_group_add(&s.engine, &s.group[1], k_second[i]), MF_E_OK);
    }
    assert_int_equal(mf_group_add(&s.engine, &s.group[0], 20), MF_E_RANGE);
    set(0, MF_PHASE_ENTITY, 20, 10);
    set(1, MF_PHASE_ENTITY, 25, 20);
    set(2, MF_PHASE_CONTROL, 99, 20);
    run_until(25);
    MUST_HAVE_RUN({10, 10}, {15, 10}, {20, 10}, {20, 10}, {20, 10}, {30, 10}, {99, 20}, {10, 20},
                  {20, 20}, {25, 20}, {30, 20}, {15, 25}, {20, 25});
}

/* Member 20 adds one before and one behind itself, and takes the last one away. */
static void change_members(void *ctx, uint32_t id, mf_us_t at_us)
{
    (void)ctx;
    if (id == 20 && at_us == 10) {
        assert_int_equal(mf_group_add(&s.engine, &s.group[0], 15), MF_E_OK);
        assert_int_equal(mf_group_add(&s.engine, &s.group[0], 25), MF_E_OK);
        assert_int_equal(mf_group_remove(&s.group[0], 30), MF_E_OK);
        assert_int_equal(mf_group_remove(&s.group[0], 30), MF_E_NOENT);
    }
    if (id == 25 && at_us == 10) {
        assert_int_equal(mf_group_add(&s.engine, &s.group[0], 26), MF_E_OK);
    }
    if (id == 10 && at_us == 20) {
        assert_int_equal(mf_group_remove(&s.group[0], 10), MF_E_OK);
    }
}

static void test_members_come_and_go_within_a_round(void **state)
{
    (void)state;
    mf_group_init(&s.group[0], MF_PHASE_ENTITY, note, NULL, s.ids[0], TIMERS);
    assert_int_equal(mf_group_join(&s.engine, &s.group[0], 0, 10), MF_E_OK);
    set(0, MF_PHASE_ENTITY, 0, 5);
    run_until(5);
    s.count = 0;
    for (uint32_t id = 10; id <= 30; id += 10) {
        assert_int_equal(mf_group_add(&s.engine, &s.group[0], id), MF_E_OK);
    }
    s.also = change_members;
    run_until(30);
    MUST_HAVE_RUN({10, 10}, {20, 10}, {25, 10}, {26, 10}, {10, 20}, {15, 20}, {20, 20}, {25, 20},
                  {26, 20}, {15, 30}, {20, 30}, {25, 30}, {26, 30});
    /* behind the last member, whose turn has passed, and of a group that was empty for a while */
    s.also = NULL;
    s.count = 0;
    assert_int_equal(mf_group_add(&s.engine, &s.group[0], 3), MF_E_OK);
    static const uint32_t k_all[] = {3, 15, 20, 25, 26};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(mf_group_remove(&s.group[0], k_all[i]), MF_E_OK);
    }
    set(0, MF_PHASE_OBSERVE, 0, 50);
    run_until(50);
    assert_int_equal(mf_group_add(&s.engine, &s.group[0], 7), MF_E_OK);
    run_until(60);
    MUST_HAVE_RUN({0, 50}, {7, 60});
}

/* Random timers are set, moved and cancelled; a list that is searched knows the order. */
static void test_random_timers_run_as_a_sorted_list_says(void **state)
{
    struct {
        mf_us_t at_us;
        uint64_t place, sequence;
        bool set;
    } list[TIMERS] = {0};
    uint64_t n = 0, sequence = 0;
    (void)state;
    for (int step = 0; step < 20000; step++) {
        const uint32_t i = (uint32_t)(mf_chance_u64(18, n++) % TIMERS);
        struct mf_order order;
        switch (mf_chance_u64(18, n++) % 4) {
        case 0:
        case 1: {
            const enum mf_phase phase = (enum mf_phase)(mf_chance_u64(18, n++) % MF_PHASE_COUNT);
            const mf_us_t at_us = s.engine.last.at_us + 1 + (mf_us_t)(mf_chance_u64(18, n++) % 50);
            mf_timer_cancel(&s.engine, &s.timer[i]);
            mf_timer_init(&s.timer[i], phase, i % 7u, note, NULL);
            assert_int_equal(mf_timer_set(&s.engine, &s.timer[i], at_us, 0), MF_E_OK);
            list[i].at_us = at_us;
            list[i].place = (uint64_t)phase * 1000u + i % 7u;
            list[i].sequence = sequence++;
            list[i].set = true;
            break;
        }
        case 2:
            mf_timer_cancel(&s.engine, &s.timer[i]);
            list[i].set = false;
            break;
        default: {
            uint32_t first = TIMERS;
            for (uint32_t k = 0; k < TIMERS; k++) {
                if (list[k].set && (first == TIMERS || list[k].at_us < list[first].at_us ||
                                    (list[k].at_us == list[first].at_us &&
                                     (list[k].place < list[first].place ||
                                      (list[k].place == list[first].place &&
                                       list[k].sequence < list[first].sequence))))) {
                    first = k;
                }
            }
            assert_int_equal(mf_engine_next(&s.engine, &order), first < TIMERS);
            if (first < TIMERS) {
                s.count = 0;
                mf_engine_step(&s.engine);
                assert_false(mf_timer_is_set(&s.timer[first]));
                assert_true(s.ran[0].at_us == list[first].at_us && s.ran[0].id == first % 7u);
                list[first].set = false;
            }
            break;
        }
        }
    }
    assert_true(sequence > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_order_is_time_phase_id_sequence, begin),
        cmocka_unit_test_setup(test_set_anew_and_cancel, begin),
        cmocka_unit_test_setup(test_a_period_goes_on_until_it_is_cancelled, begin),
        cmocka_unit_test_setup(test_the_past_and_a_full_heap_are_refused, begin),
        cmocka_unit_test_setup(test_groups_and_timers_share_the_order, begin),
        cmocka_unit_test_setup(test_members_come_and_go_within_a_round, begin),
        cmocka_unit_test_setup(test_random_timers_run_as_a_sorted_list_says, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
