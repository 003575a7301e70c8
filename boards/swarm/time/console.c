/* SPDX-License-Identifier: Apache-2.0 */
/* Step mode: lines of standard input are commands of the operator. time/steps.c calls it. */
#include "boards/swarm/time/console.h"

#include "boards/swarm/time/hold.h"

#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* @return true: a line is in @p line */
static bool read_line(struct swarm_console *c, char *line)
{
    for (;;) {
        char *end = memchr(c->input, '\n', c->length);
        if (end == NULL && c->length == sizeof c->input) {
            end = &c->input[sizeof c->input - 1]; /* too long: cut */
        }
        if (end != NULL) {
            const size_t n = (size_t)(end - c->input);
            memcpy(line, c->input, n);
            line[n] = '\0';
            c->length -= n + 1;
            memmove(c->input, end + 1, c->length);
            return true;
        }
        struct pollfd said = {.fd = STDIN_FILENO, .events = POLLIN};
        if (poll(&said, c->ended ? 0 : 1, 0) < 1) {
            return false;
        }
        const ssize_t got = read(STDIN_FILENO, c->input + c->length, sizeof c->input - c->length);
        c->ended = got <= 0;
        c->length += got > 0 ? (size_t)got : 0;
    }
}

bool swarm_console_poll(struct swarm_console *c, bool stands)
{
    struct swarm *w = c->o->w;
    char line[SWARM_LINE_MAX];
    if (!stands && w->hold.at_us != MF_NEVER) {
        return false; /* steps that a line ordered pass first */
    }
    const bool said = read_line(c, line);
    if (stands && !c->asked && (said || !c->ended)) {
        (void)printf("%s %" PRIu64 "> ", c->o->world->step, swarm_steps_at(w, w->now_us));
        (void)fflush(stdout);
        c->asked = true;
    }
    if (said) {
        const char *wrong = swarm_operator_obey(c->o, line, true, stdout);
        c->asked = false;
        if (wrong != NULL) {
            (void)puts(wrong);
        }
        return true;
    }
    if (stands && c->ended && !swarm_has(w, SWARM_SLOT_LINKS)) {
        swarm_hold_pause(w, false); /* no operator is left who lets time pass */
        return true;
    }
    return false;
}

bool swarm_console_wait(const struct swarm_console *c, bool idle, double wait_s)
{
    const struct swarm *w = c->o->w;
    const int wait_ms = (int)(wait_s * 1e3 + 0.5);
    const bool reads = idle || w->hold.at_us == MF_NEVER || w->hold.at_us <= w->now_us;
    struct pollfd said = {.fd = STDIN_FILENO, .events = POLLIN};
    if (c->ended || !reads || wait_ms == 0) {
        return false;
    }
    (void)poll(&said, 1, wait_ms);
    return true;
}
