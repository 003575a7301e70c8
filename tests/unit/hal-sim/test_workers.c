/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-sim/workers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TASKS 100u

static atomic_uint s_done[TASKS];

static void count(void *ctx, uint32_t task)
{
    assert_ptr_equal(ctx, s_done);
    atomic_fetch_add(&s_done[task], 1u);
}

/* Each task runs once in a round, and all have when the round returns. */
static void test_every_task_runs_once(void **state)
{
    static const uint32_t k_threads[] = {1, 2, 5};
    struct mf_workers workers;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        memset(s_done, 0, sizeof s_done);
        assert_int_equal(mf_workers_start(&workers, k_threads[i]), MF_E_OK);
        for (unsigned round = 1; round <= 200; round++) {
            mf_workers_run(&workers, TASKS, count, s_done);
            for (size_t task = 0; task < TASKS; task++) {
                assert_int_equal(atomic_load(&s_done[task]), round);
            }
        }
        mf_workers_run(&workers, 0, count, s_done);
        mf_workers_stop(&workers);
        assert_int_equal(atomic_load(&s_done[0]), 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_task_runs_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
