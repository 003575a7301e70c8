/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/program/fly.h: systems close after an error in any stage, and after a check. */
#include "boards/swarm/program/fly.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static enum swarm_stage s_fails; /* stage that fails; SWARM_STAGES: none */
static char s_calls[100];

static int do_stage(struct swarm *w, enum swarm_stage stage, const char *name)
{
    (void)strncat(s_calls, name, sizeof s_calls - strlen(s_calls) - 1u);
    return stage == s_fails ? swarm_refuse(w, 1, "as the test wants") : SWARM_OK;
}

static int find(struct swarm *w)
{
    return do_stage(w, SWARM_FIND, "find ");
}

static int check(struct swarm *w)
{
    return do_stage(w, SWARM_CHECK, "check ");
}

static int prepare(struct swarm *w)
{
    return do_stage(w, SWARM_PREPARE, "prepare ");
}

static void close_system(struct swarm *w, int code)
{
    (void)w;
    (void)strncat(s_calls, code == SWARM_INPUT ? "close(2)" : "close",
                  sizeof s_calls - strlen(s_calls) - 1u);
}

static struct swarm *begin(enum swarm_stage fails)
{
    static const struct swarm_system k_system = {
        .name = "fake",
        .on = {[SWARM_FIND] = find, [SWARM_CHECK] = check, [SWARM_PREPARE] = prepare},
        .close = close_system};
    static const struct swarm_system *const k_systems[] = {&k_system, NULL};
    struct swarm *w = swarm_of("time: {end: 1}\nentities: [{name: a, as: agent}]\n");
    s_command = (struct swarm_command){.threads = 1, .out = ""};
    w->command = &s_command;
    w->systems = k_systems;
    s_fails = fails;
    s_calls[0] = '\0';
    return w;
}

static void test_a_check_closes_what_it_has_opened(void **state)
{
    (void)state;
    assert_int_equal(swarm_check(begin(SWARM_FIND)), SWARM_INPUT);
    assert_string_equal(s_calls, "find close(2)");
    assert_int_equal(swarm_check(begin(SWARM_CHECK)), SWARM_INPUT);
    assert_string_equal(s_calls, "find check close(2)");
    assert_int_equal(swarm_check(begin(SWARM_PREPARE)), SWARM_INPUT);
    assert_string_equal(s_calls, "find check prepare close(2)");
}

static void test_a_run_closes_what_it_has_opened(void **state)
{
    (void)state;
    assert_int_equal(swarm_fly(begin(SWARM_FIND)), SWARM_INPUT);
    assert_string_equal(s_calls, "find close(2)");
    assert_int_equal(swarm_fly(begin(SWARM_PREPARE)), SWARM_INPUT);
    assert_string_equal(s_calls, "find prepare close(2)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_check_closes_what_it_has_opened),
        cmocka_unit_test(test_a_run_closes_what_it_has_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
