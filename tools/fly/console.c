/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/console.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIVE_US   200000
#define CLEAR     "\r\033[K"
#define COLOR_OFF "\033[0m"

static const char *const k_color[] = {
    [FLY_PLAIN] = "", [FLY_GOOD] = "\033[32m", [FLY_WARN] = "\033[33m", [FLY_BAD] = "\033[31m"};

void fly_console_init(struct fly_console *c, FILE *out, bool quiet)
{
    const char *term = getenv("TERM");
    const char *no_color = getenv("NO_COLOR");
    memset(c, 0, sizeof *c);
    c->out = out;
    c->quiet = quiet;
    c->terminal = isatty(fileno(out)) && (term == NULL || strcmp(term, "dumb") != 0);
    c->color = c->terminal && (no_color == NULL || no_color[0] == '\0');
}

/* Texts come from the vehicle: nothing in them may move the cursor, nor U+0080 to U+009F, which are
 * C2 80 to C2 9F in UTF-8: terminals obey U+009B as they obey ESC [. */
static void put_clean(struct fly_console *c, const char *text)
{
    unsigned char before = 0;
    for (; *text != '\0'; text++) {
        const unsigned char ch = (unsigned char)*text;
        const bool control = ch < 0x20 || ch == 0x7F || (before == 0xC2 && ch < 0xA0);
        fputc(control ? ' ' : ch, c->out);
        before = ch;
    }
}

static void put_line(struct fly_console *c, enum fly_tone tone, const char *stamp,
                     const char *format, va_list args)
{
    char line[512];
    vsnprintf(line, sizeof line, format, args);
    if (c->live) {
        fputs(CLEAR, c->out);
        c->live = false;
    }
    fputs(stamp, c->out);
    fputs(c->color ? k_color[tone] : "", c->out);
    put_clean(c, line);
    fputs(c->color && tone != FLY_PLAIN ? COLOR_OFF : "", c->out);
    fputc('\n', c->out);
    fflush(c->out);
}

void fly_console_event(struct fly_console *c, enum fly_tone tone, const char *stamp,
                       const char *format, ...)
{
    va_list args;
    if (c->quiet) {
        return;
    }
    va_start(args, format);
    put_line(c, tone, stamp, format, args);
    va_end(args);
}

void fly_console_live(struct fly_console *c, int64_t now_us, const char *format, ...)
{
    va_list args;
    char line[80]; /* must not wrap: only one line can be overwritten */
    if (c->quiet || !c->terminal || now_us < c->live_due_us) {
        return;
    }
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fputs(CLEAR, c->out);
    put_clean(c, line);
    fflush(c->out);
    c->live = true;
    c->live_due_us = now_us + LIVE_US;
}

void fly_console_result(struct fly_console *c, enum fly_tone tone, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line(c, tone, "", format, args);
    va_end(args);
}
