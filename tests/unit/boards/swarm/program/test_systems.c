/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/program/systems.h: what the lists of all systems promise to those who call them. */
#include "boards/swarm/program/systems.h"

#include "boards/swarm/core/metrics.h"
#include "boards/swarm/core/routes.h"
#include "boards/swarm/time/operator.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#define NAMES_MAX  100u
#define LENGTH_MAX 100u

/* Names of one kind; each may be added once. */
struct names {
    char name[NAMES_MAX][LENGTH_MAX];
    size_t count;
};

static void add(struct names *n, const char *name)
{
    assert_true(n->count < NAMES_MAX && strlen(name) > 0 && strlen(name) < LENGTH_MAX);
    for (size_t i = 0; i < n->count; i++) {
        if (strcmp(n->name[i], name) == 0) {
            fail_msg("%s twice", name);
        }
    }
    (void)snprintf(n->name[n->count++], LENGTH_MAX, "%s", name);
}

/* The list of a run with members, of a world of cells and of a search. */
static const struct swarm_system *const *list_of(unsigned world)
{
    struct swarm *w = swarm_of("time: {end: 1}\nentities: [{name: v, behaviour: walk}]\n");
    s_scenario.grid.size[0] = world == 1 ? 4.0 : 0.0;
    s_scenario.search.plan = world == 2 ? 0 : -1;
    w->systems = swarm_systems_of(w);
    return w->systems;
}

static void test_a_system_has_a_name_of_its_own(void **state)
{
    const struct swarm_system *const *const list[] = {list_of(0), list_of(1), list_of(2),
                                                      swarm_leaf_systems};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        struct names names = {.count = 0};
        for (const struct swarm_system *const *s = list[k]; *s != NULL; s++) {
            assert_non_null((*s)->name);
            add(&names, (*s)->name);
        }
        assert_true(names.count > 10);
    }
}

static void test_a_metric_has_a_name_of_its_own(void **state)
{
    struct names names = {.count = 0};
    (void)state;
    for (const struct swarm_system *const *s = list_of(0); *s != NULL; s++) {
        const struct swarm_metric *m = (*s)->metrics != NULL ? (*s)->metrics->metric : NULL;
        for (; m != NULL && m->name != NULL; m++) {
            add(&names, m->name);
            assert_true(m->subject < SWARM_METRIC_SUBJECTS);
        }
    }
    assert_int_equal(names.count, 38);
    assert_true(names.count <= SWARM_METRICS_MAX);
}

/* Prometheus wants "_total" at the end of a counter, and of nothing else. */
static void test_a_metric_is_named_as_its_type(void **state)
{
    (void)state;
    for (const struct swarm_system *const *s = list_of(0); *s != NULL; s++) {
        const struct swarm_metric *m = (*s)->metrics != NULL ? (*s)->metrics->metric : NULL;
        for (; m != NULL && m->name != NULL; m++) {
            const bool counter = strcmp(m->type, "counter") == 0;
            const bool total = strstr(m->name, "_total") != NULL;
            const bool seconds = strstr(m->name, "_seconds") != NULL;
            assert_true(counter || strcmp(m->type, "gauge") == 0);
            assert_true(total == (counter && !seconds));
            assert_int_equal(strspn(m->name, "abcdefghijklmnopqrstuvwxyz_"), strlen(m->name));
            assert_non_null(strchr(m->help, '.'));
        }
    }
}

static void test_a_column_has_a_name_of_its_own(void **state)
{
    struct names names = {.count = 0};
    (void)state;
    for (const struct swarm_system *const *s = list_of(0); *s != NULL; s++) {
        for (const struct swarm_column *c = (*s)->columns; c != NULL && c->names != NULL; c++) {
            char all[LENGTH_MAX], *rest = all;
            assert_int_equal(c->names[0], ',');
            (void)snprintf(all, sizeof all, "%s", c->names + 1);
            for (char *name = strsep(&rest, ","); name != NULL; name = strsep(&rest, ",")) {
                add(&names, name);
            }
        }
    }
    assert_int_equal(names.count, 7);
}

static void test_a_world_has_its_own_list(void **state)
{
    (void)state;
    assert_ptr_not_equal(list_of(0), list_of(1));
    assert_ptr_not_equal(list_of(0), list_of(2));
    assert_ptr_not_equal(list_of(1), list_of(2));
}

static void test_a_route_is_there_once(void **state)
{
    static struct mf_api_route s_route[NAMES_MAX];
    static const size_t k_count[] = {35, 9, 8};
    (void)state;
    for (unsigned world = 0; world < 3; world++) {
        struct names names = {.count = 0};
        (void)list_of(world);
        const size_t count = swarm_routes_collect(&s_swarm, s_route, NAMES_MAX);
        for (size_t i = 0; i < count; i++) {
            char name[LENGTH_MAX];
            (void)snprintf(name, sizeof name, "%s %s", s_route[i].method, s_route[i].path);
            add(&names, name);
            assert_non_null(s_route[i].serve);
        }
        assert_int_equal(count, k_count[world]);
    }
}

static void test_a_command_has_a_name_of_its_own(void **state)
{
    static const size_t k_count[] = {0, 8, 2};
    (void)state;
    for (unsigned world = 0; world < 3; world++) {
        struct names names = {.count = 0};
        for (const struct swarm_system *const *s = list_of(world); *s != NULL; s++) {
            const struct swarm_operator_command *c = (*s)->commands;
            for (; c != NULL && c->name != NULL; c++) {
                add(&names, c->name);
            }
        }
        assert_int_equal(names.count, k_count[world]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_system_has_a_name_of_its_own),
        cmocka_unit_test(test_a_metric_has_a_name_of_its_own),
        cmocka_unit_test(test_a_metric_is_named_as_its_type),
        cmocka_unit_test(test_a_column_has_a_name_of_its_own),
        cmocka_unit_test(test_a_world_has_its_own_list),
        cmocka_unit_test(test_a_route_is_there_once),
        cmocka_unit_test(test_a_command_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
