/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: a writer, and a reader of flat objects for bodies of requests. */
#include "host/base/json.h"

#include "hal/types.h"
#include "host/base/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing */

struct mf_json mf_json_writer(char *at, size_t cap)
{
    return (struct mf_json){.at = at, .cap = cap};
}

static void put_bytes(struct mf_json *j, const char *text, size_t n)
{
    if (n > j->cap - j->len) {
        j->full = true;
    }
    if (!j->full) {
        memcpy(j->at + j->len, text, n);
        j->len += n;
    }
}

static void put_line(struct mf_json *j)
{
    static const char k_indent[] = "\n                                ";
    if (j->pretty) {
        MF_ASSERT(1u + 2u * j->depth < sizeof k_indent);
        put_bytes(j, k_indent, 1u + 2u * (size_t)j->depth);
    }
}

/* Length of the valid UTF-8 character at @p s, else 0. */
static size_t utf8_length(const char *s, size_t n)
{
    static const struct {
        uint8_t first, last, low, high; /* ranges of the first byte, and of the second */
        uint8_t length;
    } k_form[] = {
        {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t i = 0; n > 0 && i < sizeof k_form / sizeof k_form[0]; i++) {
        const size_t length = k_form[i].length;
        const uint8_t byte = (uint8_t)s[0];
        if (byte < k_form[i].first || byte > k_form[i].last) {
            continue;
        }
        bool good =
            length <= n &&
            (length == 1 || ((uint8_t)s[1] >= k_form[i].low && (uint8_t)s[1] <= k_form[i].high));
        for (size_t k = 2; good && k < length; k++) {
            good = ((uint8_t)s[k] & 0xC0u) == 0x80u;
        }
        return good ? length : 0;
    }
    return 0;
}

static void put_character(struct mf_json *j, const char *s, size_t length)
{
    char escape[8];
    const uint8_t byte = (uint8_t)s[0];
    if (length == 0) {
        put_bytes(j, "\\ufffd", 6);
    } else if (byte == '"' || byte == '\\') {
        escape[0] = '\\';
        escape[1] = s[0];
        put_bytes(j, escape, 2);
    } else if (byte < 0x20u || byte == 0x7Fu) {
        (void)snprintf(escape, sizeof escape, "\\u%04x", byte);
        put_bytes(j, escape, 6);
    } else {
        put_bytes(j, s, length);
    }
}

static void put_quoted(struct mf_json *j, const char *text)
{
    size_t left = strlen(text);
    put_bytes(j, "\"", 1);
    while (left > 0) {
        const size_t length = utf8_length(text, left);
        put_character(j, text, length);
        text += length > 0 ? length : 1;
        left -= length > 0 ? length : 1;
    }
    put_bytes(j, "\"", 1);
}

static void begin_member(struct mf_json *j, const char *key)
{
    if (j->comma) {
        put_bytes(j, ",", 1);
    }
    if (j->depth > 0) {
        put_line(j);
    }
    if (key != NULL) {
        put_quoted(j, key);
        put_bytes(j, j->pretty ? ": " : ":", j->pretty ? 2 : 1);
    }
    j->comma = true;
}

static void open_with(struct mf_json *j, const char *key, const char *mark, char end)
{
    begin_member(j, key);
    put_bytes(j, mark, 1);
    MF_ASSERT(j->depth < MF_JSON_DEPTH_MAX);
    j->ends[j->depth++] = end;
    j->comma = false;
}

void mf_json_object(struct mf_json *j, const char *key)
{
    open_with(j, key, "{", '}');
}

void mf_json_array(struct mf_json *j, const char *key)
{
    open_with(j, key, "[", ']');
}

void mf_json_end(struct mf_json *j)
{
    MF_ASSERT(j->depth > 0);
    j->depth--;
    if (j->comma) {
        put_line(j);
    }
    put_bytes(j, &j->ends[j->depth], 1);
    j->comma = true;
}

void mf_json_text(struct mf_json *j, const char *key, const char *text)
{
    if (text == NULL) {
        mf_json_null(j, key);
        return;
    }
    begin_member(j, key);
    put_quoted(j, text);
}

void mf_json_integer(struct mf_json *j, const char *key, int64_t value)
{
    char text[24];
    const int n = snprintf(text, sizeof text, "%" PRId64, value);
    begin_member(j, key);
    put_bytes(j, text, (size_t)n);
}

void mf_json_bool(struct mf_json *j, const char *key, bool value)
{
    begin_member(j, key);
    put_bytes(j, value ? "true" : "false", value ? 4 : 5);
}

void mf_json_members(struct mf_json *j, const char *members, size_t n)
{
    if (n > 0) {
        begin_member(j, NULL);
        put_bytes(j, members, n);
    }
}

void mf_json_null(struct mf_json *j, const char *key)
{
    begin_member(j, key);
    put_bytes(j, "null", 4);
}

void mf_json_number(struct mf_json *j, const char *key, double value, int decimals)
{
    char text[40];
    if (!(value > -1e15 && value < 1e15)) {
        mf_json_null(j, key);
        return;
    }
    const int n = snprintf(text, sizeof text, "%.*f", decimals, value);
    MF_ASSERT(n > 0 && (size_t)n < sizeof text);
    begin_member(j, key);
    put_bytes(j, text, (size_t)n);
}

/* ---- reading */

struct reader {
    const char *at, *end;
    struct mf_json_members *members;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct reader *r, const char *format,
                                                         ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(r->members->error, sizeof r->members->error, format, args);
    va_end(args);
    return false;
}

static char peek(const struct reader *r)
{
    return r->at < r->end ? *r->at : '\0';
}

static void skip_space(struct reader *r)
{
    while (r->at < r->end &&
           (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')) {
        r->at++;
    }
}

static bool take_mark(struct reader *r, char mark)
{
    skip_space(r);
    if (r->at < r->end && *r->at == mark) {
        r->at++;
        return true;
    }
    return false;
}

static bool read_hex(struct reader *r, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        const char c = peek(r);
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) {
            return refuse(r, "\\u without four hexadecimal digits");
        }
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

static size_t encode_utf8(uint32_t code, char *out)
{
    if (code < 0x80u) {
        out[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800u ? 2 : code < 0x10000u ? 3 : 4;
    static const uint8_t k_lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80u | (code & 0x3Fu));
        code >>= 6;
    }
    out[0] = (char)(k_lead[length] | code);
    return length;
}

/* Read the digits after "\u": one character, of one or two escapes. */
static bool read_code(struct reader *r, char *out, size_t *length)
{
    uint32_t code, low;
    if (!read_hex(r, &code)) {
        return false;
    }
    if (code >= 0xD800u && code < 0xDC00u) {
        if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u') {
            return refuse(r, "half of a pair of \\u");
        }
        r->at += 2;
        if (!read_hex(r, &low)) {
            return false;
        }
        if (low < 0xDC00u || low > 0xDFFFu) {
            return refuse(r, "half of a pair of \\u");
        }
        code = 0x10000u + ((code - 0xD800u) << 10) + (low - 0xDC00u);
    } else if (code >= 0xDC00u && code < 0xE000u) {
        return refuse(r, "half of a pair of \\u");
    }
    if (code == 0) {
        return refuse(r, "a NUL character in a text");
    }
    *length = encode_utf8(code, out);
    return true;
}

static bool read_escape(struct reader *r, char *out, size_t *length)
{
    static const char k_mark[] = "\"\\/bfnrt";
    static const char k_meant[] = "\"\\/\b\f\n\r\t";
    const char c = peek(r);
    r->at++;
    if (c == 'u') {
        return read_code(r, out, length);
    }
    const char *mark = c != '\0' ? strchr(k_mark, c) : NULL;
    if (mark == NULL) {
        return refuse(r, "an escape that JSON does not have");
    }
    out[0] = k_meant[mark - k_mark];
    *length = 1;
    return true;
}

/* Read a text in quotes. @param text  out [cap] @return false: refused */
static bool read_text(struct reader *r, char *text, size_t cap)
{
    size_t len = 0;
    if (!take_mark(r, '"')) {
        return refuse(r, "a text in quotes is missing");
    }
    while (peek(r) != '"') {
        char character[4];
        size_t length = utf8_length(r->at, (size_t)(r->end - r->at));
        if (length == 0 || (uint8_t)*r->at < 0x20u) {
            return refuse(r, r->at < r->end ? "a byte that a text may not have"
                                            : "a text without end");
        }
        memcpy(character, r->at, length);
        r->at += length;
        if (character[0] == '\\' && (r->at >= r->end || !read_escape(r, character, &length))) {
            return r->at < r->end ? false : refuse(r, "a text without end");
        }
        if (length >= cap - len) {
            return refuse(r, "a text of more than %zu bytes", cap - 1);
        }
        memcpy(text + len, character, length);
        len += length;
    }
    text[len] = '\0';
    r->at++;
    return true;
}

static size_t count_digits(const struct reader *r, const char *from)
{
    size_t n = 0;
    while (from + n < r->end && from[n] >= '0' && from[n] <= '9') {
        n++;
    }
    return n;
}

/* Length of a number, -? (0
 * [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?, or 0 for other text. */
static size_t number_length(const struct reader *r)
{
    const char *at = r->at;
    at += at < r->end && *at == '-';
    size_t n = count_digits(r, at);
    if (n == 0 || (n > 1 && *at == '0')) {
        return 0;
    }
    at += n;
    if (at < r->end && *at == '.') {
        n = count_digits(r, at + 1);
        if (n == 0) {
            return 0;
        }
        at += 1 + n;
    }
    if (at < r->end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < r->end && (*at == '+' || *at == '-');
        n = count_digits(r, at);
        if (n == 0) {
            return 0;
        }
        at += n;
    }
    return (size_t)(at - r->at);
}

static bool read_number(struct reader *r, double *number)
{
    char copy[40];
    const size_t n = number_length(r);
    if (n >= sizeof copy) {
        return refuse(r, "a number of more than %zu characters", sizeof copy - 1);
    }
    memcpy(copy, r->at, n);
    copy[n] = '\0';
    *number = strtod(copy, NULL);
    r->at += n;
    return (*number > -1e300 && *number < 1e300) || refuse(r, "a number that is too large");
}

static bool read_numbers(struct reader *r, struct mf_json_member *m)
{
    m->kind = MF_JSON_NUMBERS;
    if (take_mark(r, ']')) {
        return true;
    }
    do {
        if (m->count == MF_JSON_ITEMS_MAX) {
            return refuse(r, "an array of more than %u numbers", MF_JSON_ITEMS_MAX);
        }
        skip_space(r);
        if (number_length(r) == 0) {
            return refuse(r, "'%.40s': item %zu is not a number", m->name, m->count + 1);
        }
        if (!read_number(r, &m->item[m->count])) {
            return false;
        }
        m->count++;
    } while (take_mark(r, ','));
    return take_mark(r, ']') || refuse(r, "an array without end");
}

static bool read_word(struct reader *r, struct mf_json_member *m)
{
    static const struct {
        const char *word;
        enum mf_json_kind kind;
        bool truth;
    } k_word[] = {{"null", MF_JSON_NULL, false},
                  {"true", MF_JSON_BOOL, true},
                  {"false", MF_JSON_BOOL, false}};
    for (size_t i = 0; i < sizeof k_word / sizeof k_word[0]; i++) {
        const size_t n = strlen(k_word[i].word);
        if ((size_t)(r->end - r->at) >= n && memcmp(r->at, k_word[i].word, n) == 0) {
            r->at += n;
            m->kind = k_word[i].kind;
            m->truth = k_word[i].truth;
            return true;
        }
    }
    m->kind = MF_JSON_NUMBER;
    if (number_length(r) == 0) {
        return refuse(r, "'%.40s': this is not a value of JSON", m->name);
    }
    return read_number(r, &m->number);
}

static bool read_value(struct reader *r, struct mf_json_member *m)
{
    skip_space(r);
    if (peek(r) == '"') {
        m->kind = MF_JSON_TEXT;
        return read_text(r, m->text, sizeof m->text);
    }
    if (peek(r) == '{') {
        return refuse(r, "'%.40s': an object within the object", m->name);
    }
    return take_mark(r, '[') ? read_numbers(r, m) : read_word(r, m);
}

static bool read_member(struct reader *r)
{
    struct mf_json_members *all = r->members;
    if (all->count == MF_JSON_MEMBERS_MAX) {
        return refuse(r, "more than %u members", MF_JSON_MEMBERS_MAX);
    }
    struct mf_json_member *m = &all->member[all->count];
    memset(m, 0, sizeof *m);
    if (!read_text(r, m->name, sizeof m->name)) {
        return false;
    }
    if (mf_json_find(all, m->name) != NULL) {
        return refuse(r, "'%.40s' is given twice", m->name);
    }
    if (!take_mark(r, ':')) {
        return refuse(r, "a ':' is missing after '%.40s'", m->name);
    }
    if (!read_value(r, m)) {
        return false;
    }
    all->count++;
    return true;
}

bool mf_json_read(struct mf_json_members *members, const char *text, size_t n)
{
    const char *from = n > 0 ? text : ""; /* an empty body may be NULL */
    struct reader r = {from + mf_value_bom(from, n), from + n, members};
    members->count = 0;
    members->error[0] = '\0';
    if (n == 0 || !take_mark(&r, '{')) {
        return refuse(&r, "not an object");
    }
    if (!take_mark(&r, '}')) {
        do {
            if (!read_member(&r)) {
                return false;
            }
        } while (take_mark(&r, ','));
        if (!take_mark(&r, '}')) {
            return refuse(&r, "an object without end");
        }
    }
    skip_space(&r);
    return r.at == r.end || refuse(&r, "text after the object");
}

const struct mf_json_member *mf_json_find(const struct mf_json_members *members, const char *name)
{
    for (size_t i = 0; i < members->count; i++) {
        if (strcmp(members->member[i].name, name) == 0) {
            return &members->member[i];
        }
    }
    return NULL;
}
