/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api/audit.h"

#include "tools/simctl/base/instance.h"

#include <string.h>

#define VALUE_MAX 160u /* characters of a text, after which it is cut */

struct line {
    char text[SIMCTL_AUDIT_MAX];
    size_t n;
};

static void add(struct line *l, const char *bytes, size_t n)
{
    const size_t room = SIMCTL_AUDIT_MAX - 1 - l->n;
    n = n < room ? n : room;
    memcpy(l->text + l->n, bytes, n);
    l->n += n;
    l->text[l->n] = '\0';
}

static bool is_plain(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c <= ' ' || *c >= '\x7f' || *c == '"' || *c == '\\' || *c == '=') {
            return false;
        }
    }
    return text[0] != '\0';
}

static void add_escaped(struct line *l, const char *text, size_t max)
{
    for (size_t i = 0; text[i] != '\0'; i++) {
        char piece[8];
        const unsigned char c = (unsigned char)text[i];
        const bool shown = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
        const int n = shown ? snprintf(piece, sizeof piece, "%c", c)
                            : snprintf(piece, sizeof piece, "\\x%02x", (unsigned)c);
        if (max < (size_t)n) {
            add(l, "...", 3);
            return;
        }
        add(l, piece, (size_t)n);
        max -= (size_t)n;
    }
}

static void add_field(struct line *l, const char *name, const char *value)
{
    const char *text = value[0] != '\0' ? value : "-";
    const char *quote = is_plain(text) ? "" : "\"";
    add(l, " ", 1);
    add(l, name, strlen(name));
    add(l, "=", 1);
    add(l, quote, strlen(quote));
    add_escaped(l, text, VALUE_MAX);
    add(l, quote, strlen(quote));
}

_Static_assert(6 * (VALUE_MAX + 16) < SIMCTL_AUDIT_MAX - 64, "six texts, each with its name");

void simctl_audit_line(const struct simctl_change *change, const char *time, char *line)
{
    struct line l = {0};
    add(&l, time, strlen(time));
    add(&l, " audit", 6);
    add_field(&l, "tenant", change->who->tenant);
    add_field(&l, "caller", change->who->caller);
    add_field(&l, "from", change->from);
    add_field(&l, "what", change->what);
    add_field(&l, "instance", change->id);
    add_field(&l, "result", change->result);
    memcpy(line, l.text, l.n + 1);
}

void simctl_audit(FILE *out, const struct simctl_change *change)
{
    char now[32], line[SIMCTL_AUDIT_MAX];
    if (out != NULL) {
        simctl_utc_text(simctl_utc_us(), now);
        simctl_audit_line(change, now, line);
        (void)fprintf(out, "%s\n", line);
        (void)fflush(out);
    }
}
