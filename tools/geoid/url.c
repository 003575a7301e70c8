/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/url.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A text that grows until it is full. */
struct text {
    char *out;
    size_t n;
    bool full;
};

static void put_character(struct text *t, char c)
{
    if (t->n + 1 >= GEOID_URL_MAX) {
        t->full = true;
        return;
    }
    t->out[t->n++] = c;
    t->out[t->n] = '\0';
}

static void put_all(struct text *t, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put_character(t, s[i]);
    }
}

static void put_encoded(struct text *t, const char *s)
{
    static const char k_hex[] = "0123456789ABCDEF";
    for (; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        if (isalnum(c) || strchr("-._~,", c) != NULL) {
            put_character(t, *s);
        } else {
            put_character(t, '%');
            put_character(t, k_hex[c >> 4]);
            put_character(t, k_hex[c & 15]);
        }
    }
}

static bool is_absolute(const char *s)
{
    return strncasecmp(s, "http://", 7) == 0 || strncasecmp(s, "https://", 8) == 0;
}

static const struct geoid_url_variable *find(const struct geoid_url_variable *variables,
                                             const char *name, size_t n)
{
    for (; variables->name != NULL; variables++) {
        if (strlen(variables->name) == n && memcmp(variables->name, name, n) == 0) {
            return variables;
        }
    }
    return NULL;
}

/* Append the value of an expression in braces, @p n characters. */
static bool put_variable(struct text *t, const char *name, size_t n,
                         const struct geoid_url_variable *variables)
{
    const char prefix = n > 0 && (*name == '?' || *name == '&') ? *name : '\0';
    const size_t skip = prefix != '\0' ? 1 : 0;
    const struct geoid_url_variable *v = find(variables, name + skip, n - skip);
    if (v == NULL) {
        return false;
    }
    if (v->value != NULL) {
        if (prefix != '\0') {
            put_character(t, prefix);
            put_all(t, v->name, strlen(v->name));
            put_character(t, '=');
        }
        put_encoded(t, v->value);
    }
    return true;
}

bool geoid_url_expand(const char *base, const char *pattern,
                      const struct geoid_url_variable *variables, char *url, char *error,
                      size_t error_size)
{
    struct text t = {.out = url};
    url[0] = '\0';
    if (!is_absolute(pattern)) {
        const size_t n = strlen(base);
        put_all(&t, base, n > 0 && base[n - 1] == '/' ? n - 1 : n);
        if (*pattern != '/') {
            put_character(&t, '/');
        }
    }
    while (*pattern != '\0') {
        const size_t n = strcspn(pattern, "{");
        put_all(&t, pattern, n);
        pattern += n;
        if (*pattern == '\0') {
            break;
        }
        const size_t in = strcspn(++pattern, "}");
        if (pattern[in] == '\0' || !put_variable(&t, pattern, in, variables)) {
            (void)snprintf(error, error_size, "no such variable in the template: {%.*s}", (int)in,
                           pattern);
            return false;
        }
        pattern += in + 1;
    }
    if (t.full || !is_absolute(url)) {
        (void)snprintf(error, error_size, "%s: %.200s",
                       t.full ? "too long for an address" : "neither http:// nor https://", url);
        return false;
    }
    return true;
}
