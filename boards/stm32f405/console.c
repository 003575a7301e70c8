/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of text on a USART. No printf: its formats would cost 20 kB of flash. */
#include "boards/stm32f405/board.h"

#include <string.h>

#define LINE_MAX_CHARS 160u

static struct mf_serial s_serial;

struct line {
    size_t n;
    char text[LINE_MAX_CHARS];
};

static void append(struct line *line, const char *text)
{
    while (*text != '\0' && line->n < LINE_MAX_CHARS - 2u) { /* the end of the line fits, too */
        line->text[line->n++] = *text++;
    }
}

static void append_number(struct line *line, uint32_t value, unsigned digits)
{
    char text[11];
    size_t at = sizeof text - 1u;
    text[at] = '\0';
    while (value > 0 || digits > 0) {
        text[--at] = (char)('0' + value % 10u);
        value /= 10u;
        digits -= digits > 0;
    }
    append(line, text + at);
}

static void send_line(struct line *line)
{
    line->text[line->n++] = '\r';
    line->text[line->n++] = '\n';
    if (s_serial.ops != NULL) {
        (void)mf_serial_write(&s_serial, (const uint8_t *)line->text, line->n);
    }
}

void board_console_start(const struct mf_serial *serial)
{
    s_serial = *serial;
}

void board_console_say(const char *first, const char *second, const char *third)
{
    struct line line = {0};
    append(&line, first);
    append(&line, second);
    append(&line, third);
    send_line(&line);
}

void board_console_say_at(const char *text, const char *file, uint32_t number)
{
    struct line line = {0};
    append(&line, text);
    append(&line, ": ");
    append(&line, file);
    append(&line, ":");
    append_number(&line, number, 1);
    send_line(&line);
}

static void log_event(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                      const char *text)
{
    struct line line = {0};
    (void)ctx, (void)severity;
    append_number(&line, (uint32_t)(t_us / MF_SECOND_US), 1);
    append(&line, ".");
    append_number(&line, (uint32_t)(t_us % MF_SECOND_US / MF_MS_US), 3);
    append(&line, " ");
    append(&line, topic);
    append(&line, ": ");
    append(&line, text);
    send_line(&line);
}

const struct mf_log_ops board_console_ops = {log_event};
