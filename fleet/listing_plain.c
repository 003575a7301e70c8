/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as it is printed on a page, to JSON. Called by fleet/listing. */
#include "fleet/listing_parts.h"

#include "host/base/value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A text that is being completed. */
struct plain {
    const char *from;
    size_t n;
    struct listing_text to;
    char open[MF_NESTING_MAX]; /* brackets that are open, the outermost first */
    unsigned depth;
    bool lost; /* deeper than open[] holds: the reader refuses it */
    int line, said_line;
    const char *said; /* latest note, of said_line */
};

static void put_character(struct plain *p, char c)
{
    p->to.text[p->to.n++] = c;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Skip blanks. @return place of the next character; n: only blanks follow */
static size_t next_of(const struct plain *p, size_t at)
{
    while (at < p->n && is_blank(p->from[at])) {
        at++;
    }
    return at;
}

/* ---- keys */

static bool is_gap(char c)
{
    return is_blank(c) || c == '_' || c == '-';
}

/* Rewrite a key as "\n Init pos" to "init_pos", after its line feeds, so that lines keep their
 * numbers. */
static void put_key(struct plain *p, size_t from, size_t to)
{
    bool gap = false;
    for (size_t i = from; i < to; i++) {
        if (p->from[i] == '\n') {
            put_character(p, '\n');
        }
    }
    put_character(p, '"');
    const size_t begin = p->to.n;
    for (size_t i = from; i < to; i++) {
        if (is_gap(p->from[i])) {
            gap = p->to.n > begin;
            continue;
        }
        if (gap) {
            put_character(p, '_');
        }
        gap = false;
        put_character(p, (char)tolower((unsigned char)p->from[i]));
    }
    put_character(p, '"');
}

/* Find the end of a string, after its quote. @return n: the string does not end */
static size_t end_of(const struct plain *p, size_t from)
{
    size_t i = from + 1u;
    while (i < p->n && p->from[i] != '"') {
        i += p->from[i] == '\\' ? 2u : 1u;
    }
    return i < p->n ? i + 1u : p->n;
}

static size_t take_string(struct plain *p, size_t at)
{
    const size_t end = end_of(p, at), after = next_of(p, end);
    if (end < p->n && after < p->n && p->from[after] == ':') {
        put_key(p, at + 1u, end - 1u);
    } else {
        memcpy(p->to.text + p->to.n, p->from + at, end - at);
        p->to.n += end - at;
    }
    for (size_t i = at; i < end; i++) {
        p->line += p->from[i] == '\n' ? 1 : 0;
    }
    return end;
}

/* ---- brackets */

static const char k_lacks[] = "lacks", k_too_many[] = "has one too many:";

static char other_half(char c)
{
    return c == '{' ? '}' : ']';
}

/* Add to the note that a bracket is missing, or is one too many. */
static void note_bracket(struct plain *p, const char *what, char bracket)
{
    char *text = p->to.note;
    const size_t n = strlen(text), room = sizeof p->to.note - n;
    if (p->said == what && p->said_line == p->line) {
        (void)snprintf(text + n, room, " %c", bracket);
    } else {
        (void)snprintf(text + n, room, "%s%d: %s %c", n == 0 ? "" : ", ", p->line, what, bracket);
    }
    p->said = what;
    p->said_line = p->line;
}

static void open_bracket(struct plain *p, char c)
{
    p->lost = p->lost || p->depth == MF_NESTING_MAX;
    if (!p->lost) {
        p->open[p->depth++] = c;
    }
    put_character(p, c);
}

static void close_innermost(struct plain *p, bool given)
{
    const char c = other_half(p->open[--p->depth]);
    if (!given) {
        note_bracket(p, k_lacks, c);
    }
    put_character(p, c);
}

/* Close a list or an object, and before it those in it that the text leaves open. */
static void close_bracket(struct plain *p, char c)
{
    unsigned at = p->depth;
    while (at > 0 && other_half(p->open[at - 1u]) != c) {
        at--;
    }
    if (p->lost) {
        put_character(p, c);
    } else if (at == 0) {
        note_bracket(p, k_too_many, c);
    } else {
        while (p->depth > at) {
            close_innermost(p, false);
        }
        close_innermost(p, true);
    }
}

/* Take a character outside strings. @return where to go on */
static size_t take_other(struct plain *p, size_t at)
{
    const char c = p->from[at];
    const size_t after = next_of(p, at + 1u);
    if (c == '{' && after < p->n && p->from[after] == '}' && p->depth > 0) {
        put_character(p, '[');
        for (size_t i = at + 1u; i < after; i++) {
            p->line += p->from[i] == '\n' ? 1 : 0;
            put_character(p, p->from[i]);
        }
        put_character(p, ']');
        return after + 1u;
    }
    if (c == '{' || c == '[') {
        open_bracket(p, c);
    } else if (c == '}' || c == ']') {
        close_bracket(p, c);
    } else {
        p->line += c == '\n' ? 1 : 0;
        put_character(p, c == '\t' || c == '\r' ? ' ' : c);
        if (c == ':' && after == at + 1u) {
            put_character(p, ' '); /* the reader of values wants a blank behind a colon */
        }
    }
    return at + 1u;
}

struct listing_text mf_listing_plain(const char *text, size_t n)
{
    struct plain p = {.from = text, .n = n, .line = 1};
    p.to.text = malloc(3u * n + 2u * MF_NESTING_MAX + 8u);
    if (p.to.text == NULL) {
        return p.to;
    }
    while (p.n > 0 && is_blank(text[p.n - 1u])) {
        p.n--; /* what is missing is missing on the last line that has anything */
    }
    const size_t first = next_of(&p, 0);
    const bool bare =
        first < p.n && text[first] == '"'; /* a part of an object, without its braces */
    if (bare) {
        put_character(&p, '{');
        p.open[p.depth++] = '{';
    }
    for (size_t i = 0; i < p.n;) {
        i = text[i] == '"' ? take_string(&p, i) : take_other(&p, i);
    }
    while (p.depth > 0) {
        close_innermost(&p, bare && p.depth == 1u);
    }
    return p.to;
}
