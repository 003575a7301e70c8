/* SPDX-License-Identifier: Apache-2.0 */
/** A swarm in the memory of a test: a scenario and the fields that every part reads. */
#ifndef MF_TESTS_SWARM_FIXTURE_H
#define MF_TESTS_SWARM_FIXTURE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/program/systems.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct mf_scenario s_scenario;
static struct swarm s_swarm;
static struct swarm_command s_command;

/** @brief The swarm is at time 0, with states of zeros and its scenario. */
static inline void swarm_begin(void)
{
    static void *s_states;
    swarm_memory_free(&s_swarm);
    free(s_states);
    memset(&s_swarm, 0, sizeof s_swarm);
    s_states = swarm_states_make(&s_swarm);
    assert_non_null(s_states);
    s_command = (struct swarm_command){.out = "", .at_s = (double)INFINITY};
    s_swarm.command = &s_command;
    s_swarm.scenario = &s_scenario;
}

/** @brief A swarm of this scenario, at time 0. @param text  "swarm: 1" is added in front */
static inline struct swarm *swarm_of(const char *text)
{
    static char s_text[8192];
    const struct mf_scenario_given none = {0};
    char error[MF_KEYS_ERROR_MAX] = "";
    const int n = snprintf(s_text, sizeof s_text, "swarm: 1\n%s", text);
    assert_true(n > 0 && n < (int)sizeof s_text);
    mf_scenario_free(&s_scenario);
    if (mf_scenario_read("test.yaml", s_text, (size_t)n, &none, &s_scenario, error) != MF_E_OK) {
        fail_msg("%s", error);
    }
    swarm_begin();
    (void)snprintf(s_swarm.file, sizeof s_swarm.file, "test.yaml");
    return &s_swarm;
}

/** Text that this process writes to a stream during a capture. */
struct captured {
    FILE *stream, *file;
    int before;
    char text[16384];
};

/** @brief Bytes of @p stream go to a file from now on. */
static inline void capture(struct captured *c, FILE *stream)
{
    c->stream = stream;
    c->file = tmpfile();
    assert_non_null(c->file);
    (void)fflush(stream);
    c->before = dup(fileno(stream));
    assert_true(c->before >= 0 && dup2(fileno(c->file), fileno(stream)) >= 0);
}

/** @brief The stream is as it was. @return what it got */
static inline const char *captured(struct captured *c)
{
    (void)fflush(c->stream);
    assert_true(dup2(c->before, fileno(c->stream)) >= 0);
    (void)close(c->before);
    rewind(c->file);
    c->text[fread(c->text, 1, sizeof c->text - 1u, c->file)] = '\0';
    (void)fclose(c->file);
    return c->text;
}

#endif
