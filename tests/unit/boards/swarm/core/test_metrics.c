/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/metrics.h: figures of systems in memory, as Prometheus reads them. */
#include "boards/swarm/core/metrics.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static char s_text[2000];

static const struct swarm_metric k_first[] = {
    {SWARM_METRIC_SERVER, "a_last", "gauge", "Last."},
    {SWARM_METRIC_KINDS, "a_first", "gauge", "First."},
    {0},
};
static const struct swarm_metric k_second[] = {
    {SWARM_METRIC_KINDS, "b_total", "counter", "Second."},
    {0},
};

static void measure_first(const struct swarm *w, double *value)
{
    assert_ptr_equal(w, &s_swarm);
    value[0] = 0.5;
    value[1] = 123456789012.0;
}

static void measure_second(const struct swarm *w, double *value)
{
    (void)w;
    value[0] = -1.0;
}

static size_t write_labelled(const struct swarm *w, char *text, size_t cap)
{
    assert_ptr_equal(w, &s_swarm);
    assert_true(cap < sizeof s_text);
    return (size_t)snprintf(text, cap, "c{x=\"1\"} 2\n");
}

static const struct swarm_metrics k_metrics[] = {{k_first, measure_first, write_labelled},
                                                 {k_second, measure_second, NULL}};
static const struct swarm_system k_a = {.name = "a", .metrics = &k_metrics[0]},
                                 k_none = {.name = "none"},
                                 k_b = {.name = "b", .metrics = &k_metrics[1]};

static const char *text_of(const struct swarm_system *const *systems)
{
    s_swarm.systems = systems;
    const size_t n = swarm_metrics_write(&s_swarm, s_text, sizeof s_text);
    assert_int_equal(n, strlen(s_text));
    return s_text;
}

/* Subject by subject, within a subject in the order of systems; each name has its own value. */
static void test_figures_stand_by_subject(void **state)
{
    static const struct swarm_system *const k_all[] = {&k_a, &k_none, &k_b, NULL};
    (void)state;
    assert_string_equal(text_of(k_all), "# HELP a_first First.\n"
                                        "# TYPE a_first gauge\n"
                                        "a_first 123456789012\n"
                                        "# HELP b_total Second.\n"
                                        "# TYPE b_total counter\n"
                                        "b_total -1\n"
                                        "# HELP a_last Last.\n"
                                        "# TYPE a_last gauge\n"
                                        "a_last 0.5\n"
                                        "c{x=\"1\"} 2\n");
}

static void test_a_system_without_figures_writes_none(void **state)
{
    static const struct swarm_system *const k_all[] = {&k_none, NULL};
    (void)state;
    s_text[0] = '\0';
    assert_string_equal(text_of(k_all), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_stand_by_subject),
        cmocka_unit_test(test_a_system_without_figures_writes_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
