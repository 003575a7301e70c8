/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/time/console.h"

#include "boards/swarm/time/hold.h"
#include "boards/swarm/time/pace.h"

#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* It waits this long while time stands [ms]: the control API has its turn, too. */
#define WAIT_MS 10

/* @return true: a line is in @p line */
static bool next_line(struct swarm_console *c, char *line, bool waits)
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
        if (poll(&said, c->ended ? 0 : 1, waits ? WAIT_MS : 0) < 1) {
            return false;
        }
        const ssize_t got = read(STDIN_FILENO, c->input + c->length, sizeof c->input - c->length);
        c->ended = got <= 0;
        c->length += got > 0 ? (size_t)got : 0;
    }
}

bool swarm_console_turn(void *ctx, bool stands)
{
    struct swarm_console *c = ctx;
    struct swarm *w = c->o->w;
    char line[SWARM_LINE_MAX];
    if (!stands && w->hold_us != MF_NEVER) {
        return false; /* so many steps were asked for, and pass */
    }
    if (stands && !c->asked && !c->ended) {
        (void)printf("%s %" PRIu64 "> ", c->o->world->step, swarm_steps_at(w, w->now_us));
        (void)fflush(stdout);
        c->asked = true;
    }
    if (next_line(c, line, stands)) {
        const char *wrong = swarm_operator_obey(c->o, line, true, stdout);
        c->asked = false;
        if (wrong != NULL) {
            (void)puts(wrong);
        }
        return true;
    }
    if (stands && c->ended && !swarm_has(w, SWARM_SLOT_LINKS)) {
        swarm_hold_pause(w, false); /* nobody else lets it go on */
        return true;
    }
    return false;
}
