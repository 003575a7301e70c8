/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/routes.h: routes of systems in memory, and bodies that their handlers read. */
#include "boards/swarm/core/routes.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static struct swarm *s_called;

static void serve(struct mf_api_call *call)
{
    s_called = swarm_of_call(call);
}

#define ROUTE(PATH)                                                           \
    {                                                                         \
        "GET", PATH, MF_API_PROCESS, MF_API_JSON, serve, "", NULL, NULL, NULL \
    }

static const struct mf_api_route k_first[] = {ROUTE("/a"), ROUTE("/b"), {0}},
                                 k_second[] = {ROUTE("/c"), {0}};
static const struct swarm_system k_a = {.name = "a", .routes = k_first}, k_none = {.name = "none"},
                                 k_b = {.name = "b", .routes = k_second};
static const struct swarm_system *const k_all[] = {&k_a, &k_none, &k_b, NULL};

static void test_routes_stand_in_the_order_of_systems(void **state)
{
    struct mf_api_route route[3];
    (void)state;
    s_swarm.systems = k_all;
    assert_int_equal(swarm_routes_collect(&s_swarm, route, 3), 3);
    assert_string_equal(route[0].path, "/a");
    assert_string_equal(route[1].path, "/b");
    assert_string_equal(route[2].path, "/c");
}

static void test_a_handler_finds_its_swarm(void **state)
{
    struct swarm_served served = {&s_swarm};
    struct mf_api api = {.ops_ctx = &served};
    struct mf_api_call call = {.api = &api};
    (void)state;
    k_first[0].serve(&call);
    assert_ptr_equal(s_called, &s_swarm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes_stand_in_the_order_of_systems),
        cmocka_unit_test(test_a_handler_finds_its_swarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
