/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a program's log, as text or JSON, for boards/posix and the control API. */
#include "host/base/log.h"

#include "host/base/value.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Bytes kept free for the end of a line. */
#define TAIL_BYTES 4u

static const char *const k_severity[] = {"emergency", "alert",  "critical", "error",
                                         "warning",   "notice", "info",     "debug"};

struct line {
    char *s;
    size_t len;
};

static void add_bytes(struct line *line, const char *bytes, size_t n)
{
    if (line->len + n + TAIL_BYTES <= MF_LOG_LINE_MAX) {
        memcpy(line->s + line->len, bytes, n);
        line->len += n;
    }
}

static void add_text(struct line *line, const char *text)
{
    add_bytes(line, text, strlen(text));
}

static bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0u) == 0x80u;
}

/* Length of a valid UTF-8 sequence, or 0: overlong forms, surrogates and incomplete sequences are
 * not valid. */
static size_t utf8_length(const uint8_t *s)
{
    if (s[0] < 0x80u) {
        return 1;
    }
    if (s[0] >= 0xC2u && s[0] <= 0xDFu) {
        return is_continuation(s[1]) ? 2 : 0;
    }
    if (s[0] >= 0xE0u && s[0] <= 0xEFu) {
        const bool wrong = (s[0] == 0xE0u && s[1] < 0xA0u) || (s[0] == 0xEDu && s[1] > 0x9Fu);
        return !wrong && is_continuation(s[1]) && is_continuation(s[2]) ? 3 : 0;
    }
    if (s[0] >= 0xF0u && s[0] <= 0xF4u) {
        const bool wrong = (s[0] == 0xF0u && s[1] < 0x90u) || (s[0] == 0xF4u && s[1] > 0x8Fu);
        return !wrong && is_continuation(s[1]) && is_continuation(s[2]) && is_continuation(s[3])
                   ? 4
                   : 0;
    }
    return 0;
}

/* Add a byte that would have a special meaning for terminals or JSON, as an escape. */
static void add_escaped(struct line *line, enum mf_log_format format, uint8_t byte)
{
    char escape[8];
    if (format == MF_LOG_TEXT) {
        (void)snprintf(escape, sizeof escape, "\\x%02x", byte);
    } else if (byte >= 0x80u) {
        (void)snprintf(escape, sizeof escape, "\\ufffd");
    } else {
        (void)snprintf(escape, sizeof escape, "\\u%04x", byte);
    }
    add_text(line, escape);
}

static void add_safe(struct line *line, enum mf_log_format format, const char *text)
{
    for (const uint8_t *s = (const uint8_t *)text; *s != '\0';) {
        const size_t n = utf8_length(s);
        if (n == 0 || *s < 0x20u || *s == 0x7Fu) {
            add_escaped(line, format, *s++);
            continue;
        }
        if (format == MF_LOG_JSON && (*s == '"' || *s == '\\')) {
            add_bytes(line, "\\", 1);
        }
        add_bytes(line, (const char *)s, n);
        s += n;
    }
}

/* Print a time in milliseconds, rounded down, so that a line is never later than its event. */
static void time_text(mf_us_t t_us, char *text, size_t size)
{
    (void)snprintf(text, size, "%lld.%03d", (long long)(t_us / MF_SECOND_US),
                   (int)(t_us % MF_SECOND_US / MF_MS_US));
}

static size_t format_text(const struct mf_log_event *event, const char *time, struct line *line)
{
    char head[128];
    (void)snprintf(head, sizeof head, "%9s %-8s %s", time, event->topic,
                   event->severity <= MF_ERROR     ? "ERROR "
                   : event->severity == MF_WARNING ? "WARNING "
                                                   : "");
    add_text(line, head);
    add_safe(line, MF_LOG_TEXT, event->text != NULL ? event->text : "");
    line->s[line->len] = '\n'; /* its byte was kept free */
    return line->len + 1;
}

static size_t format_json(const struct mf_log *log, int64_t utc_us,
                          const struct mf_log_event *event, const char *time, struct line *line)
{
    char head[160], utc[MF_VALUE_UTC_TEXT_MAX];
    mf_value_utc_text(utc_us, 3, utc);
    (void)snprintf(head, sizeof head,
                   "{\"t\":%s,\"utc\":\"%s\",\"instance\":%d,\"severity\":\"%s\",\"event\":\"",
                   time, utc, (int)log->instance, k_severity[event->severity]);
    add_text(line, head);
    add_safe(line, MF_LOG_JSON, event->topic);
    add_text(line, "\"");
    if (event->fields_len > 0 && line->len + event->fields_len < MF_LOG_LINE_MAX / 2) {
        add_text(line, ",");
        add_bytes(line, event->fields, event->fields_len);
    }
    if (event->text != NULL) {
        add_text(line, ",\"text\":\"");
        add_safe(line, MF_LOG_JSON, event->text);
        line->s[line->len++] = '"';
    }
    memcpy(line->s + line->len, "}\n", 2);
    return line->len + 2;
}

size_t mf_log_format(const struct mf_log *log, int64_t utc_us, const struct mf_log_event *event,
                     char *line_text)
{
    struct line line;
    char time[32];
    MF_ASSERT(event->t_us >= 0 && event->severity <= MF_DEBUG);
    line.s = line_text;
    line.len = 0;
    time_text(event->t_us, time, sizeof time);
    return log->format == MF_LOG_TEXT ? format_text(event, time, &line)
                                      : format_json(log, utc_us, event, time, &line);
}

static bool has_room(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    return poll(&p, 1, 0) == 1 && (p.revents & POLLOUT) != 0;
}

static bool write_line(struct mf_log *log, const char *line, size_t n)
{
    ssize_t written = -1;
    if (has_room(log->fd)) {
        do {
            written = write(log->fd, line, n);
        } while (written < 0 && errno == EINTR);
    }
    if (written != (ssize_t)n) {
        log->lost++;
        return false;
    }
    return true;
}

static int64_t utc_us(void)
{
    struct timespec t;
    const int result = clock_gettime(CLOCK_REALTIME, &t);
    MF_ASSERT(result == 0);
    return (int64_t)t.tv_sec * MF_SECOND_US + t.tv_nsec / 1000;
}

void mf_log_write(struct mf_log *log, const struct mf_log_event *event)
{
    char line[MF_LOG_LINE_MAX];
    if (event->severity > log->level || (event->text == NULL && log->format == MF_LOG_TEXT)) {
        return;
    }
    const int64_t now_us = utc_us();
    if (log->lost > 0) {
        char text[64];
        const struct mf_log_event lost = {
            .t_us = event->t_us, .severity = MF_WARNING, .topic = "log", .text = text};
        const uint32_t count = log->lost;
        (void)snprintf(text, sizeof text, "%u lines lost: the reader of stderr was too slow",
                       count);
        if (write_line(log, line, mf_log_format(log, now_us, &lost, line))) {
            log->lost = 0;
        }
    }
    (void)write_line(log, line, mf_log_format(log, now_us, event, line));
}

static void log_event(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                      const char *text)
{
    const struct mf_log_event event = {
        .t_us = t_us, .severity = severity, .topic = topic, .text = text};
    mf_log_write(ctx, &event);
}

const struct mf_log_ops mf_log_line_ops = {.event = log_event};
