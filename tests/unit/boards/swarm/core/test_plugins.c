/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/plugins.h: calls of plug-ins, from as many threads as a process has had. */
#include "boards/swarm/core/plugins.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <pthread.h>

static void *call(void *of)
{
    swarm_plugin_enter(of);
    swarm_plugin_leave();
    swarm_plugin_enter(of);
    swarm_plugin_leave();
    return NULL;
}

/* Runs of a process have threads one after the other: more in all than one run may have, 64. */
static void test_each_thread_of_a_process_may_call(void **state)
{
    static const struct mf_scenario_plugin k_of = {.limit_s = 100.0};
    static const struct swarm_plugin k_plugin = {.of = &k_of};
    (void)state;
    for (uint32_t k = 0; k < 300; k++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, call, (void *)&k_plugin), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_thread_of_a_process_may_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
