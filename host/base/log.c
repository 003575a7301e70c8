/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/log.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Room kept for what ends a line. */
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

/* Length of a valid UTF-8 sequence, 0 if there is none: overlong forms, surrogates and halves are
 * not. */
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

/* One character that a terminal or JSON would take for something else. */
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

/* Milliseconds, cut off rather than rounded: a line never lies ahead of its event. */
static void time_text(mf_us_t t_us, char *text, size_t size)
{
    (void)snprintf(text, size, "%lld.%03d", (long long)(t_us / MF_SECOND_US),
                   (int)(t_us % MF_SECOND_US / MF_MS_US));
}

size_t mf_log_format(enum mf_log_format format, mf_us_t t_us, enum mf_severity severity,
                     const char *topic, const char *text, char *line_text)
{
    struct line line;
    char time[32];
    char head[128];
    MF_ASSERT(t_us >= 0 && severity <= MF_DEBUG);
    line.s = line_text;
    line.len = 0;
    time_text(t_us, time, sizeof time);
    if (format == MF_LOG_TEXT) {
        (void)snprintf(head, sizeof head, "%9s %-8s %s", time, topic,
                       severity <= MF_ERROR     ? "ERROR "
                       : severity == MF_WARNING ? "WARNING "
                                                : "");
        add_text(&line, head);
        add_safe(&line, format, text);
        line.s[line.len] = '\n'; /* its room was kept */
        return line.len + 1;
    }
    (void)snprintf(head, sizeof head, "{\"t\":%s,\"severity\":\"%s\",\"topic\":\"", time,
                   k_severity[severity]);
    add_text(&line, head);
    add_safe(&line, format, topic);
    add_text(&line, "\",\"text\":\"");
    add_safe(&line, format, text);
    memcpy(line.s + line.len, "\"}\n", 3);
    return line.len + 3;
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

static void log_event(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                      const char *text)
{
    struct mf_log *log = ctx;
    char line[MF_LOG_LINE_MAX];
    if (log->lost > 0) {
        char lost[64];
        const uint32_t count = log->lost;
        (void)snprintf(lost, sizeof lost, "%u lines lost: nobody read them", count);
        const size_t n = mf_log_format(log->format, t_us, MF_WARNING, "log", lost, line);
        if (write_line(log, line, n)) {
            log->lost = 0;
        }
    }
    const size_t n = mf_log_format(log->format, t_us, severity, topic, text, line);
    (void)write_line(log, line, n);
}

const struct mf_log_ops mf_log_line_ops = {.event = log_event};
