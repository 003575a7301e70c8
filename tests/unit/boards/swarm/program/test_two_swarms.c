/* SPDX-License-Identifier: Apache-2.0 */
/* Two swarms in one process: one after the other, and one within a piece of the other's time, each
 * has the hash that it has alone in a process. */
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/minds/mind_plugin.h"
#include "boards/swarm/program/systems.h"
#include "boards/swarm/time/run.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SYSTEMS_MAX 64u

/* Vehicles and agents with behaviours, sensors, radios and obstacles: states of most systems. */
static const char *const k_text[] = {
    "{swarm: 1, seed: 7, time: {end: 20}, medium: {kind: free_space, range: 60}, "
    "space: {obstacles: [{kind: box, at: [12, 4, 0], size: [2, 9, 30]}]}, entities: [{name: v, "
    "count: 3, "
    "place: {grid: [3, 1], spacing: 20}, sensors: [{kind: compass, rate: 1, sigma: 0.01}], "
    "behaviour: {kind: walk, rate: 10, speed_max: 2, height: [5, 9]}}, {name: a, count: 20, as: "
    "agent, place: {cube: [0, 20]}, start: 0, radio: {kind: cc2420}, send: {every: 1, bytes: [1]}, "
    "behaviour: {kind: walk, rate: 10, speed_max: 2, height: 3}}]}",
    "{swarm: 1, seed: 8, time: {end: 15}, medium: {kind: free_space, range: 40}, entities: "
    "[{name: a, count: 30, as: agent, place: {cube: [0, 30]}, start: 0, radio: {kind: cc2420}, "
    "send: {every: 2, bytes: [3]}, behaviour: {kind: walk, rate: 5, speed_max: 3, height: 4}}]}",
};

struct run {
    struct swarm w;
    struct swarm_command command;
    const struct swarm_system *systems[SYSTEMS_MAX];
    void *states;
    volatile int stop;
    uint64_t digest;
};

static struct run *s_other; /* flies within the first piece of time of another run; NULL: none */

static void begin(struct run *r, const char *text)
{
    const struct mf_scenario_given none = {0};
    struct swarm *w = &r->w;
    memset(r, 0, sizeof *r);
    r->command = (struct swarm_command){.threads = 1, .out = "", .at_s = (double)INFINITY};
    w->command = &r->command;
    w->hold.stop = &r->stop;
    (void)snprintf(w->file, sizeof w->file, "test.yaml");
    r->states = swarm_states_make(w);
    w->scenario = calloc(1, sizeof *w->scenario);
    assert_true(r->states != NULL && w->scenario != NULL);
    if (mf_scenario_read("test.yaml", text, strlen(text), &none, w->scenario, w->error) !=
            MF_E_OK ||
        swarm_prepare(w) != SWARM_OK) {
        fail_msg("%s", w->error);
    }
    for (size_t k = 0; swarm_systems_of(w)[k] != NULL; k++) {
        assert_true(k + 2u < SYSTEMS_MAX);
        r->systems[k] = swarm_systems_of(w)[k];
    }
    w->systems = r->systems;
    assert_int_equal(mf_workers_start(&w->workers, 1), MF_E_OK);
}

/* All stages of a run (program/fly.c), and its hash. */
static void fly(struct run *r)
{
    static const enum swarm_stage k_stage[] = {SWARM_FIND, SWARM_CONNECT, SWARM_PREPARE, SWARM_OPEN,
                                               SWARM_BOOT};
    struct swarm *w = &r->w;
    for (size_t k = 0; k < sizeof k_stage / sizeof k_stage[0]; k++) {
        if (swarm_systems_do(w, k_stage[k]) != SWARM_OK) {
            fail_msg("%s", w->error);
        }
    }
    assert_int_equal(swarm_run(w, false), SWARM_OK);
    assert_int_equal(w->now_us, (mf_us_t)(w->scenario->time.end_s * 1e6));
    swarm_systems_finish(w, false);
    r->digest = swarm_digest(w);
    assert_int_equal(swarm_systems_judge(w, false), 0);
    assert_true(swarm_systems_complete(w));
    swarm_systems_close(w, SWARM_OK);
}

static void end(struct run *r)
{
    mf_workers_stop(&r->w.workers);
    swarm_mind_plugin_free(&r->w);
    swarm_memory_free(&r->w);
    free(r->w.members.kind);
    mf_scenario_free(r->w.scenario);
    free(r->w.scenario);
    free(r->states);
}

/* The hash of a scenario that has a process for itself. */
static uint64_t alone(uint32_t k)
{
    static struct run s_run;
    uint64_t digest = 0;
    int pair[2], status = -1;
    assert_int_equal(pipe(pair), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        begin(&s_run, k_text[k]);
        fly(&s_run);
        _exit(write(pair[1], &s_run.digest, sizeof digest) == (ssize_t)sizeof digest ? 0 : 1);
    }
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
    assert_int_equal(read(pair[0], &digest, sizeof digest), sizeof digest);
    (void)close(pair[0]);
    (void)close(pair[1]);
    assert_true(digest != 0);
    return digest;
}

static void test_one_after_the_other(void **state)
{
    static struct run s_run[2];
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        begin(&s_run[k], k_text[k]);
    }
    for (uint32_t k = 0; k < 2; k++) {
        fly(&s_run[k]);
        assert_true(s_run[k].digest == alone(k));
    }
    assert_true(s_run[0].digest != s_run[1].digest);
    assert_ptr_not_equal(s_run[0].w.arena.bytes, s_run[1].w.arena.bytes);
    for (uint32_t k = 0; k < 2; k++) {
        end(&s_run[k]);
    }
}

static bool fly_other(struct swarm *w)
{
    struct run *other = s_other;
    if (other != NULL && w->now_us > 0) {
        s_other = NULL;
        fly(other);
    }
    return false;
}

static void test_one_within_the_other(void **state)
{
    static const struct swarm_system k_flies_other = {.name = "other", .serve = fly_other};
    static struct run s_run[2];
    (void)state;
    for (uint32_t outer = 0; outer < 2; outer++) {
        struct run *r = &s_run[outer];
        s_other = &s_run[1u - outer];
        begin(&s_run[0], k_text[0]);
        begin(&s_run[1], k_text[1]);
        size_t n = 0;
        while (r->systems[n] != NULL) {
            n++;
        }
        r->systems[n] = &k_flies_other;
        fly(r);
        assert_null(s_other);
        for (uint32_t k = 0; k < 2; k++) {
            assert_true(s_run[k].digest == alone(k));
            end(&s_run[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_one_within_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
