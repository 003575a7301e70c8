/* SPDX-License-Identifier: Apache-2.0 */
/* Controllers of time, for boards/posix, boards/swarm and the control API: their orders, and the
 * answers to them. */
#include "host/time/time_control.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void send_line(struct mf_time_controller *c, const char *text, size_t n)
{
    if (!c->broken && mf_serial_write(&c->serial, (const uint8_t *)text, n) != (int)n) {
        c->broken = true;
        c->action = MF_TIME_LEAVE;
    }
}

static void complain(struct mf_time_controller *c, const char *reason)
{
    char text[MF_TIME_TEXT_MAX];
    const int n = snprintf(text, sizeof text, "error %s\n", reason);
    MF_ASSERT(n > 0 && (size_t)n < sizeof text);
    send_line(c, text, (size_t)n);
}

static void greet(const struct mf_time_control *t, struct mf_time_controller *c)
{
    char text[MF_TIME_TEXT_MAX];
    const int n = snprintf(text, sizeof text, "mayfly %d sysid %u clock %s\n", MF_TIME_VERSION,
                           t->sysid, t->clock);
    MF_ASSERT(n > 0 && (size_t)n < sizeof text);
    send_line(c, text, (size_t)n);
    c->asked = true;
}

void mf_time_control_init(struct mf_time_control *t, bool lockstep, const char *clock,
                          uint8_t sysid)
{
    MF_ASSERT(clock != NULL && strlen(clock) < 32);
    memset(t, 0, sizeof *t);
    t->lockstep = lockstep;
    t->clock = clock;
    t->sysid = sysid;
}

bool mf_time_control_open(struct mf_time_control *t, uint16_t id, const struct mf_serial *serial)
{
    for (size_t i = 0; i < MF_TIME_CONTROLLERS_MAX; i++) {
        struct mf_time_controller *c = &t->controller[i];
        if (!c->open) {
            *c = (struct mf_time_controller){
                .open = true, .id = id, .action = MF_TIME_LEAVE, .serial = *serial};
            t->count++;
            greet(t, c);
            return true;
        }
    }
    return false;
}

void mf_time_control_close(struct mf_time_control *t, uint16_t id)
{
    for (size_t i = 0; i < MF_TIME_CONTROLLERS_MAX; i++) {
        if (t->controller[i].open && t->controller[i].id == id) {
            t->controller[i].open = false;
            t->count--;
        }
    }
}

void mf_time_control_boot(struct mf_time_control *t)
{
    t->reported = false;
    for (size_t i = 0; i < MF_TIME_CONTROLLERS_MAX; i++) {
        struct mf_time_controller *c = &t->controller[i];
        if (!c->open) {
            continue;
        }
        if (c->action != MF_TIME_LEAVE) {
            c->action = MF_TIME_HOLD;
            c->until_us = 0;
            c->answered = false;
        }
        greet(t, c);
    }
}

/* ---- orders */

static void begin_order(struct mf_time_controller *c, const struct mf_time_report *r)
{
    const enum mf_time_word word = c->command.word;
    c->waiting = false;
    if (word == MF_TIME_GO && c->command.at_us < r->now_us && !c->lenient) {
        char reason[MF_TIME_TEXT_MAX / 2];
        (void)snprintf(reason, sizeof reason,
                       "go %" PRId64 ": it is over, allowed: %" PRId64 " .. %" PRId64 " us",
                       c->command.at_us, r->now_us, MF_TIME_MAX_US);
        complain(c, reason);
        return;
    }
    if (word == MF_TIME_NOW || word == MF_TIME_LEAVE || word == MF_TIME_WATCH) {
        c->asked = true;
    }
    if (word != MF_TIME_NOW && word != MF_TIME_WATCH) {
        c->action = (uint8_t)word;
        c->answered = false;
        c->events = r->events;
        c->until_us = word == MF_TIME_GO ? c->command.at_us : r->now_us;
    }
}

static void end_order(struct mf_time_controller *c, const struct mf_time_report *r)
{
    if ((c->action == MF_TIME_GO && (r->now_us >= c->until_us || r->stops)) ||
        (c->action == MF_TIME_EVENT && r->events != c->events)) {
        c->action = MF_TIME_HOLD;
        c->until_us = r->now_us;
    }
}

static mf_us_t limit_of(const struct mf_time_controller *c, const struct mf_time_report *r)
{
    if (c->action == MF_TIME_LEAVE) {
        return MF_NEVER;
    }
    return c->action == MF_TIME_EVENT ? r->event_us : c->until_us;
}

mf_us_t mf_time_control_pass(struct mf_time_control *t, const struct mf_time_report *report)
{
    mf_us_t limit_us = MF_NEVER;
    t->report = *report;
    t->reported = true;
    for (size_t i = 0; i < MF_TIME_CONTROLLERS_MAX; i++) {
        struct mf_time_controller *c = &t->controller[i];
        if (!c->open) {
            continue;
        }
        if (c->waiting) {
            begin_order(c, report);
        }
        end_order(c, report);
        limit_us = mf_earlier(limit_us, limit_of(c, report));
    }
    return t->lockstep && limit_us == MF_NEVER ? report->now_us : limit_us;
}

bool mf_time_control_watched(const struct mf_time_control *t)
{
    for (size_t i = 0; i < MF_TIME_CONTROLLERS_MAX; i++) {
        if (t->controller[i].open && t->controller[i].watches) {
            return true;
        }
    }
    return false;
}

bool mf_time_control_exists(const struct mf_time_control *t)
{
    for (size_t i = 0; i < MF_TIME_CONTROLLERS_MAX; i++) {
        if (t->controller[i].open && t->controller[i].action != MF_TIME_LEAVE) {
            return true;
        }
    }
    return false;
}

/* ---- answers */

static void send_answer(struct mf_time_controller *c, const struct mf_time_report *r,
                        const struct mf_pose *truth)
{
    char text[MF_TIME_TEXT_MAX];
    truth = c->watches ? truth : NULL;
    if (c->asked) {
        c->asked = false;
        send_line(c, text, mf_time_line_report("now", r, truth, text));
    }
    if (c->action != MF_TIME_HOLD) {
        return;
    }
    if (!c->answered) {
        c->answered = true;
        send_line(c, text, mf_time_line_report("at", r, truth, text));
    } else if (c->told_us != r->next_us) {
        send_line(c, text, mf_time_line_next(r->next_us, text));
    }
    c->told_us = r->next_us;
}

void mf_time_control_count(struct mf_time_control *t, uint64_t in, uint64_t out)
{
    t->report.in = in;
    t->report.out = out;
}

void mf_time_control_answer(struct mf_time_control *t)
{
    for (size_t i = 0; t->reported && i < MF_TIME_CONTROLLERS_MAX; i++) {
        if (t->controller[i].open) {
            send_answer(&t->controller[i], &t->report, t->truth);
        }
    }
}

/* ---- lines */

/* Remove the first @p n bytes, which were processed. */
static void drop_bytes(struct mf_time_controller *c, size_t n)
{
    c->len = (uint16_t)(c->len - n);
    memmove(c->line, c->line + n, c->len);
}

static void take_line(struct mf_time_controller *c, size_t n)
{
    char reason[MF_TIME_TEXT_MAX];
    if (c->skipping) {
        c->skipping = false; /* the end of the line that was too long */
    } else if (mf_time_line_parse(&c->command, c->line, n, reason) == MF_E_OK) {
        c->waiting = true;
        c->watches = c->watches || c->command.word == MF_TIME_WATCH;
    } else {
        complain(c, reason);
    }
    drop_bytes(c, n + 1);
}

static void take_part(struct mf_time_controller *c)
{
    if (!c->skipping) {
        char reason[MF_TIME_TEXT_MAX / 2];
        (void)snprintf(reason, sizeof reason, "the line is too long, allowed: %u characters",
                       MF_TIME_LINE_MAX);
        complain(c, reason);
        c->skipping = true;
    }
    drop_bytes(c, c->len);
}

static bool read_line(struct mf_time_controller *c)
{
    MF_ASSERT(!c->waiting); /* a pass has come in between */
    if (c->len == 0 || memchr(c->line, '\n', c->len) == NULL) {
        const int n =
            mf_serial_read(&c->serial, (uint8_t *)c->line + c->len, sizeof c->line - c->len);
        c->len = (uint16_t)(c->len + (n > 0 ? n : 0));
    }
    const char *newline = c->len > 0 ? memchr(c->line, '\n', c->len) : NULL;
    if (newline != NULL) {
        take_line(c, (size_t)(newline - c->line));
    } else if (c->len == sizeof c->line) {
        take_part(c);
    }
    return c->waiting || (c->len > 0 && memchr(c->line, '\n', c->len) != NULL);
}

bool mf_time_control_read(struct mf_time_control *t)
{
    bool more = false;
    for (size_t i = 0; i < MF_TIME_CONTROLLERS_MAX; i++) {
        struct mf_time_controller *c = &t->controller[i];
        if (c->open) {
            more = read_line(c) || more;
        }
    }
    return more;
}

int mf_time_control_broken(const struct mf_time_control *t)
{
    for (size_t i = 0; i < MF_TIME_CONTROLLERS_MAX; i++) {
        if (t->controller[i].open && t->controller[i].broken) {
            return t->controller[i].id;
        }
    }
    return MF_E_NOENT;
}
