/* SPDX-License-Identifier: Apache-2.0 */
/* Shell of a link (NSH of PX4), for receive.c. PX4's shell is a process behind a pipe; this one is
 * a function that is called with the number of the next piece of output. So a listing of all
 * parameters needs no memory, waits while a link lacks room, and ends when its client leaves. In
 * return, a command starts again at each piece; it acts with the first one only. Input is kept
 * until its line has run, so that clients, such as scripts, may write many lines ahead. */
#include "firmware/protocol/shell.h"

#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/link/link.h"
#include "firmware/link/route.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"

#include <string.h>

/* SERIAL_CONTROL: the device, and flags. EXCLUSIVE, BLOCKING and MULTI change nothing: they speak
 * of UARTs, and QGroundControl and mavlink_shell.py set them all the same. */
#define DEVICE_SHELL 10
#define FLAG_REPLY   1u
#define FLAG_RESPOND 2u

#define PROMPT   "nsh> "
#define PAUSE_US (10 * MF_MS_US) /* from one burst to the next */

/* Ends of lines in the input: as written, or cut because the line was too long. Clients cannot
 * write the second character (take_character()). */
#define LINE_END '\n'
#define LINE_CUT '\x18'

/* Output of one burst: pieces share frames. */
struct output {
    struct mf_vehicle *v;
    struct mf_link *link;
    struct mf_shell *shell;
    struct mf_msg_serial_control m;
};

/* Find the shell of a link. @return NULL: the board has not provided shells */
static struct mf_shell *shell_of(const struct mf_vehicle *v, const struct mf_link *link)
{
    MF_ASSERT(link >= v->links && link < v->links + v->link_count);
    return v->shells == NULL ? NULL : &v->shells[link - v->links];
}

/* A frame that finds no room is lost, as on a UART; run() looks for room first. */
static void flush(struct output *o)
{
    const struct mf_shell *s = o->shell;
    MF_ASSERT(o->m.count <= sizeof o->m.data);
    if (o->m.count > 0) {
        o->m.device = DEVICE_SHELL;
        o->m.flags = FLAG_REPLY;
        o->m.target_system = s->sysid;
        o->m.target_component = s->compid;
        (void)mf_link_send(o->v, o->link, MF_MSG_SERIAL_CONTROL, &o->m);
        memset(&o->m, 0, sizeof o->m);
    }
}

/* Append to the output; while the shell closes, its client is gone, and the text is dropped. */
static void put_text(struct output *o, const char *text)
{
    for (; *text != '\0' && !o->shell->closing; text++) {
        MF_ASSERT(o->m.count < sizeof o->m.data);
        o->m.data[o->m.count++] = (uint8_t)*text;
        if (o->m.count == sizeof o->m.data) {
            flush(o);
        }
    }
}

/* ---- input ---- */

/* @return number of bytes of the first line with its end; 0: it is not complete */
static uint8_t first_line(const struct mf_shell *s)
{
    for (uint8_t i = 0; i < s->written; i++) {
        if (s->input[i] == LINE_END || s->input[i] == LINE_CUT) {
            return (uint8_t)(i + 1u);
        }
    }
    return 0;
}

/* A line that does not fit is cut, and does nothing: the rest of "param set X 10" must not run as
 * "param set X 1". Control characters do not count; CR comes from terminals. */
static void take_character(struct mf_shell *s, char c)
{
    MF_ASSERT(s->written <= sizeof s->input);
    const size_t left = sizeof s->input - s->written;
    if (c == '\n' && left > 0) {
        s->input[s->written++] = s->cut ? LINE_CUT : LINE_END;
        s->cut = false;
    } else if (c == '\n' || (c >= ' ' && c <= '~')) {
        if (s->cut || left < 2) {
            s->cut = true;
        } else {
            s->input[s->written++] = c;
        }
    }
}

/* ---- output ---- */

/* The line, without its end, which stays where it is until it has run. */
static void copy_line(const struct mf_shell *s, uint8_t line, char text[MF_SHELL_INPUT_MAX])
{
    MF_ASSERT(line > 0 && line <= s->written);
    memcpy(text, s->input, line);
    text[line - 1] = '\0';
}

/* The echo shows clients what runs now: with many lines written ahead that is not what was typed
 * last. */
static void begin_line(struct output *o, uint8_t line)
{
    struct mf_shell *s = o->shell;
    char text[MF_SHELL_INPUT_MAX];
    copy_line(s, line, text);
    put_text(o, text); /* clients show the echo instead of what was typed */
    put_text(o, "\n");
    s->line = line;
    s->piece = 0;
}

/* Remove a line, and move the input after it to the front; the prompt shows that the next line may
 * be typed. */
static void end_line(struct mf_shell *s)
{
    MF_ASSERT(s->line > 0 && s->line <= s->written);
    s->written = (uint8_t)(s->written - s->line);
    memmove(s->input, &s->input[s->line], s->written);
    s->line = 0;
    s->prompt_due = true;
}

/* The next piece of the line that runs, or its end. */
static void step_line(struct output *o)
{
    struct mf_shell *s = o->shell;
    MF_ASSERT(s->line > 0 && s->line <= s->written);
    const struct mf_peer from = {o->link, s->sysid, s->compid};
    const bool cut = s->input[s->line - 1] == LINE_CUT;
    char line[MF_SHELL_INPUT_MAX];
    struct mf_text text = mf_text("");
    copy_line(s, s->line, line);
    if (cut) {
        mf_text_add(&text, "nsh: line too long\n");
    }
    const bool more = !cut && mf_shell_piece(o->v, from, line, s->piece, &text);
    put_text(o, text.s);
    s->piece++;
    if (!more || s->closing) {
        end_line(s);
    }
}

/* @return false when there is nothing to do */
static bool step(struct output *o)
{
    struct mf_shell *s = o->shell;
    MF_ASSERT(s->written <= MF_SHELL_INPUT_MAX && s->line <= s->written);
    if (s->prompt_due) {
        put_text(o, PROMPT);
        s->prompt_due = false;
        return true;
    }
    if (s->line == 0) {
        const uint8_t line = first_line(s);
        if (line == 0) {
            return false;
        }
        begin_line(o, line);
    }
    step_line(o);
    return true;
}

/* A line that runs ends here: the piece it would say next is never asked for. */
void mf_shell_close(struct mf_vehicle *v, const struct mf_link *link)
{
    struct mf_shell *s = shell_of(v, link);
    if (s != NULL) {
        *s = (struct mf_shell){0};
    }
}

bool mf_shell_busy(const struct mf_vehicle *v, const struct mf_link *link)
{
    const struct mf_shell *s = shell_of(v, link);
    return s != NULL && s->open && (s->prompt_due || s->line > 0 || first_line(s) > 0);
}

/* Run a burst of output. A closing shell does not wait for room, since its output is dropped.
 * @return true: more is to come */
static bool run(struct mf_vehicle *v, struct mf_link *link)
{
    MF_ASSERT(link->open);
    struct output o = {.v = v, .link = link, .shell = shell_of(v, link)};
    if (o.shell == NULL) {
        return false;
    }
    for (unsigned n = 0; n < MF_SHELL_BURST && o.shell->open; n++) {
        if (mf_serial_room(&link->serial) < MF_SHELL_ROOM_MIN && !o.shell->closing) {
            break;
        }
        if (!step(&o)) {
            break;
        }
    }
    flush(&o);
    const bool more = mf_shell_busy(v, link);
    MF_ASSERT(o.m.count == 0);
    if (o.shell->closing && !more) {
        mf_shell_close(v, link);
    }
    return more;
}

/* The first line that comes while nothing runs is run within this call, not by the task: `commander
 * arm` so arms at the instant at which COMMAND_LONG would. */
void mf_on_serial_control(struct mf_vehicle *v, struct mf_peer from,
                          const struct mf_msg_serial_control *m, mf_us_t now_us)
{
    struct mf_shell *s = shell_of(v, from.link);
    (void)now_us;
    if (!mf_means_us(v, from, m->target_system, m->target_component)) {
        return;
    }
    const bool reply = (m->flags & FLAG_REPLY) != 0;
    if (s == NULL || m->device != DEVICE_SHELL || reply) {
        from.link->stats.rx_unhandled++;
        return;
    }
    if (m->count > sizeof m->data) {
        mf_count_refused(from.link);
        return;
    }
    const bool waits = mf_shell_busy(v, from.link); /* then the task runs what comes, in its turn */
    if (!s->open) {
        *s = (struct mf_shell){.open = true, .prompt_due = true};
    }
    s->sysid = from.sysid;
    s->compid = from.compid;
    for (size_t i = 0; i < m->count; i++) {
        take_character(s, (char)m->data[i]);
    }
    MF_ASSERT(s->open && s->written <= sizeof s->input);
    s->closing = (m->flags & FLAG_RESPOND) == 0;
    if (!waits && run(v, from.link)) { /* at once: what it causes happens at this very instant */
        mf_wake_at(v, MF_TASK_SHELL, v->now.transport_us + PAUSE_US);
    }
}

mf_us_t mf_shell_run(struct mf_vehicle *v, mf_us_t due_us)
{
    MF_ASSERT(due_us <= v->now.transport_us);
    return mf_links_run_each(v, run) ? v->now.transport_us + PAUSE_US : MF_NEVER;
}
