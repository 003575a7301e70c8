/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state-machine fuzzer: random inputs of every kind, in random order, in random worlds, and
 * after each of them everything must hold that states_check.c lists. In the environment:
 *
 *     MF_STATE_STEPS  inputs; else 5,000, or 50,000 with MF_LONG=1
 *     MF_STATE_SEED   of the first world; each of STEPS_OF_WORLD inputs has the next one
 *     MF_STATE_TRACE  if set, every input and every line of the vehicle's log is printed
 */
#include "tests/sim/states.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/support/cases.h"

#define STEPS          5000u
#define STEPS_LONG     50000
#define SEED           212u /* within so many inputs all of check_reach() is there */
#define STEPS_OF_WORLD 500u

static struct states g_states;

/* Sanitizers that find something end with the signal that on_abort() sees. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "abort_on_error=1";
}

const char *__ubsan_default_options(void)
{
    return "abort_on_error=1";
}

/* Written before each step: a handler of signals can only copy it. */
static char g_line[256];

const char *states_line(const struct states *s)
{
    (void)s;
    return g_line;
}

static void prepare_line(const struct states *s)
{
    (void)snprintf(g_line, sizeof g_line,
                   "reproduce: MF_STATE_SEED=%llu MF_STATE_STEPS=%u MF_STATE_TRACE=1 %s\n",
                   (unsigned long long)s->seed, (unsigned)s->step + 1, s->program);
}

static void say_line(void)
{
    if (write(STDERR_FILENO, g_line, strlen(g_line)) < 0) {
        return; /* nobody listens */
    }
}

/* An assertion of the firmware, or a sanitizer. */
static void on_abort(int number)
{
    say_line();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static uint64_t fly(struct states *s, uint64_t seed, uint64_t steps)
{
    s->seed = seed;
    s->step = 0;
    prepare_line(s);
    states_begin(s, seed);
    while (s->step < steps) {
        prepare_line(s);
        states_input(s);
    }
    return s->hash;
}

/* Inputs that are only refused prove nothing. */
static void check_reach(const struct states *s)
{
    static const enum mf_mode k_mode[] = {
        MF_MODE_MANUAL, MF_MODE_TAKEOFF, MF_MODE_HOLD,    MF_MODE_MISSION,
        MF_MODE_RTL,    MF_MODE_LAND,    MF_MODE_DESCEND, MF_MODE_TERMINATION,
    };
    for (size_t i = 0; i < sizeof k_mode / sizeof k_mode[0]; i++) {
        if (s->entered[k_mode[i]] == 0) {
            fail_msg("never armed in mode %s", mf_mode_info(k_mode[i])->text);
        }
    }
    assert_true(s->landings > 20 && s->items > 10);
}

static void test_any_inputs_in_any_order(void **state)
{
    struct states *s = *state;
    const uint64_t steps = number_of("MF_STATE_STEPS", (uint64_t)mf_cases(STEPS, STEPS_LONG));
    uint64_t seed = number_of("MF_STATE_SEED", SEED);
    for (uint64_t done = 0; done < steps; done += STEPS_OF_WORLD) {
        (void)fly(s, seed++, steps - done < STEPS_OF_WORLD ? steps - done : STEPS_OF_WORLD);
    }
    if (steps >= STEPS) {
        check_reach(s);
    }
}

static void test_one_seed_is_one_session(void **state)
{
    struct states *s = *state;
    const uint64_t seed = number_of("MF_STATE_SEED", SEED);
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t first = fly(s, seed + i, 100);
        assert_true(fly(s, seed + i, 100) == first);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_any_inputs_in_any_order, &g_states),
        cmocka_unit_test_prestate(test_one_seed_is_one_session, &g_states),
    };
    (void)argc;
    g_states.program = argv[0];
    g_states.trace = getenv("MF_STATE_TRACE") != NULL;
    (void)signal(SIGABRT, on_abort);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
