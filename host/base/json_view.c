/* SPDX-License-Identifier: Apache-2.0 */
/* Views of JSON texts of any nesting: a check of the whole text, then values in place, without
 * memory. */
#include "host/base/json_view.h"

#include "hal/assert.h"
#include "host/base/value.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens. The text ends with a NUL, which belongs to no token. */

static const char *skip_space(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
        at++;
    }
    return at;
}

static const char *skip_digits(const char *at)
{
    while (*at >= '0' && *at <= '9') {
        at++;
    }
    return at;
}

/* Skip a number. @return the place after it, or NULL: the text is not a number */
static const char *skip_number(const char *at)
{
    const char *begin = at + (*at == '-');
    at = skip_digits(begin);
    if (at == begin || (*begin == '0' && at > begin + 1)) {
        return NULL;
    }
    if (*at == '.') {
        begin = at + 1;
        at = skip_digits(begin);
        if (at == begin) {
            return NULL;
        }
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        begin = at + (*at == '+' || *at == '-');
        at = skip_digits(begin);
        return at == begin ? NULL : at;
    }
    return at;
}

/* Skip a text whose first quote was read. @return the place after it, or NULL: it does not end, or
 * contains an invalid escape */
static const char *skip_text(const char *at)
{
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20u) {
            return NULL;
        }
        if (*at == '\\') {
            at++;
            if (*at == '\0' || strchr("\"\\/bfnrtu", *at) == NULL) {
                return NULL;
            }
            if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4) {
                return NULL;
            }
        }
    }
    return at + 1;
}

static const char *skip_word(const char *at)
{
    static const char *const k_word[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof k_word / sizeof k_word[0]; i++) {
        const size_t n = strlen(k_word[i]);
        if (strncmp(at, k_word[i], n) == 0) {
            return at + n;
        }
    }
    return NULL;
}

static const char *skip_scalar(const char *at)
{
    return *at == '"'                                 ? skip_text(at + 1)
           : *at == '-' || (*at >= '0' && *at <= '9') ? skip_number(at)
                                                      : skip_word(at);
}

/* Skip a value of a checked text. @return the place after it */
static const char *skip_value(const char *at)
{
    unsigned depth = 0;
    do {
        at = skip_space(at);
        if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth--;
            at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else {
            at = skip_scalar(at);
            MF_ASSERT(at != NULL);
        }
    } while (depth > 0);
    return at;
}

/* ---- the whole text */

struct check {
    const char *at;
    const char *what; /* first fault; NULL: none so far */
    unsigned depth;
    char end[MF_NESTING_MAX]; /* closing characters of the open objects and arrays */
};

static void report_fault(struct check *c, const char *what)
{
    c->what = what;
}

/* Check the key of a member and its colon. */
static void check_key(struct check *c)
{
    c->at = skip_space(c->at);
    const char *behind = *c->at == '"' ? skip_text(c->at + 1) : NULL;
    if (behind == NULL) {
        report_fault(c, "the name of a member is missing, or has no end");
        return;
    }
    c->at = skip_space(behind);
    if (*c->at != ':') {
        report_fault(c, "':' is missing");
        return;
    }
    c->at++;
}

/* Check a scalar, or the beginning of an object or array. @return true: the value is complete */
static bool check_value(struct check *c)
{
    c->at = skip_space(c->at);
    if (*c->at == '{' || *c->at == '[') {
        const char end = *c->at == '{' ? '}' : ']';
        if (c->depth == MF_NESTING_MAX) {
            report_fault(c, MF_NESTING_TEXT);
            return false;
        }
        const char *inner = skip_space(c->at + 1);
        if (*inner == end) {
            c->at = inner + 1;
            return true;
        }
        c->at++;
        c->end[c->depth++] = end;
        if (end == '}') {
            check_key(c);
        }
        return false;
    }
    const char *behind = skip_scalar(c->at);
    if (behind == NULL) {
        report_fault(c, *c->at == '\0' ? "the text ends too early"
                        : *c->at == '"'
                            ? "a text without end, or with a character that it may not have"
                            : "this is not a value of JSON");
        return false;
    }
    c->at = behind;
    return true;
}

/* Check the text after a value: the open object or array continues, or ends. @return true: another
 * value follows */
static bool check_behind(struct check *c)
{
    while (c->depth > 0 && c->what == NULL) {
        const char end = c->end[c->depth - 1];
        c->at = skip_space(c->at);
        if (*c->at == ',') {
            c->at++;
            if (end == '}') {
                check_key(c);
            }
            return true;
        }
        if (*c->at != end) {
            report_fault(c, *c->at == '\0' ? "the text ends too early"
                            : end == '}'   ? "',' or '}' is missing"
                                           : "',' or ']' is missing");
            return false;
        }
        c->at++;
        c->depth--;
    }
    return false;
}

static struct mf_json_mistake mistake_at(const char *begin, const char *at, const char *what)
{
    struct mf_json_mistake m = {1, 1, what};
    for (const char *p = begin; p < at; p++) {
        m.line += *p == '\n';
        m.column = *p == '\n' ? 1 : m.column + 1;
    }
    return m;
}

bool mf_json_nesting(const char *text, size_t n, struct mf_json_mistake *mistake)
{
    unsigned depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < n; i++) {
        if (quoted && text[i] == '\\') {
            i++;
        } else if (text[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && (text[i] == '[' || text[i] == '{')) {
            if (depth++ == MF_NESTING_MAX) {
                *mistake = mistake_at(text, text + i, MF_NESTING_TEXT);
                return false;
            }
        } else if (!quoted && (text[i] == ']' || text[i] == '}')) {
            depth -= depth > 0;
        }
    }
    return true;
}

bool mf_json_view_check(const char *text, size_t n, struct mf_json_view *root,
                        struct mf_json_mistake *mistake)
{
    MF_ASSERT(text != NULL && text[n] == '\0' && root != NULL && mistake != NULL);
    const char *begin = text + mf_value_bom(text, n);
    struct check c = {.at = begin};
    bool more = true;
    while (more && c.what == NULL) {
        more = check_value(&c) ? check_behind(&c) : true;
    }
    if (c.what == NULL) {
        c.at = skip_space(c.at);
        if (c.at != text + n) {
            report_fault(&c, "something follows the value");
        }
    }
    root->at = skip_space(begin);
    if (c.what == NULL) {
        return true;
    }
    *mistake = mistake_at(begin, c.at, c.what);
    return false;
}

/* ---- values */

enum mf_json_view_kind mf_json_view_kind(struct mf_json_view v)
{
    switch (v.at == NULL ? '\0' : *v.at) {
    case '\0':
        return MF_JSON_VIEW_MISSING;
    case '{':
        return MF_JSON_VIEW_OBJECT;
    case '[':
        return MF_JSON_VIEW_ARRAY;
    case '"':
        return MF_JSON_VIEW_TEXT;
    case 't':
        return MF_JSON_VIEW_TRUE;
    case 'f':
        return MF_JSON_VIEW_FALSE;
    case 'n':
        return MF_JSON_VIEW_NULL;
    default:
        return MF_JSON_VIEW_NUMBER;
    }
}

const char *mf_json_view_word(struct mf_json_view v)
{
    static const char *const k_word[] = {"an object", "an array", "a text", "a number",
                                         "true",      "false",    "null",   "missing"};
    return k_word[mf_json_view_kind(v)];
}

struct mf_json_view mf_json_view_get(struct mf_json_view object, const char *key)
{
    const size_t n = strlen(key);
    if (mf_json_view_kind(object) == MF_JSON_VIEW_OBJECT) {
        const char *at = skip_space(object.at + 1);
        while (*at == '"') {
            const char *name = at + 1, *behind = skip_text(name);
            MF_ASSERT(behind != NULL);
            const char *value = skip_space(skip_space(behind) + 1);
            if ((size_t)(behind - name) == n + 1 && memcmp(name, key, n) == 0) {
                return (struct mf_json_view){value};
            }
            at = skip_space(skip_value(value));
            at = *at == ',' ? skip_space(at + 1) : at;
        }
    }
    return (struct mf_json_view){NULL};
}

struct mf_json_view mf_json_view_member(struct mf_json_view object, struct mf_json_view value,
                                        char *name, size_t cap)
{
    const char *at = NULL;
    if (value.at != NULL) {
        at = skip_space(skip_value(value.at));
        at = *at == ',' ? skip_space(at + 1) : NULL;
    } else if (mf_json_view_kind(object) == MF_JSON_VIEW_OBJECT) {
        at = skip_space(object.at + 1);
    }
    if (at == NULL || *at != '"') {
        return (struct mf_json_view){NULL};
    }
    mf_json_view_text((struct mf_json_view){at}, name, cap);
    const char *behind = skip_text(at + 1);
    MF_ASSERT(behind != NULL);
    return (struct mf_json_view){skip_space(skip_space(behind) + 1)};
}

struct mf_json_view mf_json_view_first(struct mf_json_view array)
{
    if (mf_json_view_kind(array) == MF_JSON_VIEW_ARRAY) {
        const char *at = skip_space(array.at + 1);
        return (struct mf_json_view){*at == ']' ? NULL : at};
    }
    return (struct mf_json_view){NULL};
}

struct mf_json_view mf_json_view_next(struct mf_json_view item)
{
    MF_ASSERT(item.at != NULL);
    const char *at = skip_space(skip_value(item.at));
    return (struct mf_json_view){*at == ',' ? skip_space(at + 1) : NULL};
}

size_t mf_json_view_count(struct mf_json_view array)
{
    size_t n = 0;
    for (struct mf_json_view v = mf_json_view_first(array); v.at != NULL;
         v = mf_json_view_next(v)) {
        n++;
    }
    return n;
}

double mf_json_view_number(struct mf_json_view v)
{
    return mf_json_view_kind(v) == MF_JSON_VIEW_NUMBER ? strtod(v.at, NULL) : (double)NAN;
}

void mf_json_view_text(struct mf_json_view v, char *text, size_t cap)
{
    size_t n = 0;
    MF_ASSERT(cap > 0);
    if (mf_json_view_kind(v) == MF_JSON_VIEW_TEXT) {
        const char *behind = skip_text(v.at + 1);
        MF_ASSERT(behind != NULL);
        n = (size_t)(behind - v.at) - 2;
        n = n < cap ? n : cap - 1;
        memcpy(text, v.at + 1, n);
    }
    text[n] = '\0';
}
