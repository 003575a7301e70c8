/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/shape.h"

#include "host/base/value.h"

#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 63u

bool simctl_is_name(const char *text)
{
    const size_t n = strlen(text);
    return n >= 1 && n <= NAME_MAX_BYTES && text[0] != '-' && text[n - 1] != '-' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

bool simctl_is_one_of(const char *text, const char *const *words)
{
    while (*words != NULL && strcmp(*words, text) != 0) {
        words++;
    }
    return *words != NULL;
}

static bool is_word(const char *text, const char *words)
{
    const size_t n = strlen(text);
    for (const char *at = words; n > 0;) {
        const size_t len = strcspn(at, "|");
        if (len == n && strncmp(at, text, n) == 0) {
            return true;
        }
        if (at[len] == '\0') {
            break;
        }
        at += len + 1;
    }
    return false;
}

/* ---- durations and sizes */

static bool read_seconds(const json_t *value, double *seconds)
{
    if (json_is_number(value)) {
        *seconds = json_number_value(value);
        return *seconds >= 0;
    }
    const char *text = json_string_value(value);
    *seconds = 0.0;
    const char *unit = text != NULL ? mf_value_number(text, seconds) : NULL;
    const double unit_us = unit != NULL ? mf_value_unit_us(unit) : 0.0;
    *seconds *= unit_us / 1e6;
    return unit_us > 0 && *seconds >= 0;
}

static bool read_bytes(const json_t *value, int64_t *bytes)
{
    static const struct {
        const char *unit;
        double factor;
    } k_unit[] = {{"", 1},      {"k", 1e3},      {"M", 1e6},        {"G", 1e9},
                  {"Ki", 1024}, {"Mi", 1048576}, {"Gi", 1073741824}};
    double number = json_number_value(value);
    const char *text = json_string_value(value);
    const char *unit = text != NULL ? mf_value_number(text, &number) : "";
    for (size_t i = 0; unit != NULL && i < sizeof k_unit / sizeof k_unit[0]; i++) {
        if (strcmp(unit, k_unit[i].unit) == 0 && (text != NULL || json_is_integer(value))) {
            number *= k_unit[i].factor;
            *bytes = number >= 0 && number < 1e15 ? (int64_t)number : -1;
            return *bytes >= 0;
        }
    }
    return false;
}

double simctl_shape_seconds(const json_t *object, const char *name, double otherwise)
{
    double seconds = otherwise;
    const json_t *value = json_object_get(object, name);
    return value != NULL && read_seconds(value, &seconds) ? seconds : otherwise;
}

int64_t simctl_shape_bytes(const json_t *object, const char *name, int64_t otherwise)
{
    int64_t bytes = otherwise;
    const json_t *value = json_object_get(object, name);
    return value != NULL && read_bytes(value, &bytes) ? bytes : otherwise;
}

const char *simctl_shape_text(const json_t *object, const char *name, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : otherwise;
}

json_t *simctl_shape_string(const char *text)
{
    json_t *value = json_string(text);
    char *clean = value == NULL ? malloc(3 * strlen(text) + 1) : NULL;
    if (clean == NULL) {
        return value;
    }
    size_t to = 0;
    while (*text != '\0') {
        const unsigned char c = (unsigned char)*text;
        size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        json_t *one = strnlen(text, n) == n ? json_stringn(text, n) : NULL;
        n = one != NULL ? n : 1;
        memcpy(clean + to, one != NULL ? text : "\xef\xbf\xbd", one != NULL ? n : 3);
        to += one != NULL ? n : 3;
        text += n;
        json_decref(one);
    }
    clean[to] = '\0';
    value = json_string(clean);
    free(clean);
    return value;
}

/* ---- checks */

/* Names of types in error texts. */
static const char *const k_type[] = {
    [SIMCTL_TEXT] = "a text",
    [SIMCTL_NAME] = "a name of at most 63 lower-case letters, digits and '-'",
    [SIMCTL_WORD] = "one of",
    [SIMCTL_NUMBER] = "a number",
    [SIMCTL_INTEGER] = "a whole number",
    [SIMCTL_BOOLEAN] = "true or false",
    [SIMCTL_DURATION] = "a time such as 90s, 10m or 2h, not negative",
    [SIMCTL_BYTES] = "a size such as 64M or 64Mi",
    [SIMCTL_OBJECT] = "an object",
    [SIMCTL_ARRAY] = "a list",
    [SIMCTL_ANY] = "anything",
};

static bool fits(const json_t *value, const struct simctl_field *field)
{
    double seconds;
    int64_t bytes;
    const char *text = json_string_value(value);
    switch (field->type) {
    case SIMCTL_TEXT:
        return text != NULL;
    case SIMCTL_NAME:
        return text != NULL && simctl_is_name(text);
    case SIMCTL_WORD:
        return text != NULL && is_word(text, field->words);
    case SIMCTL_NUMBER:
        return json_is_number(value);
    case SIMCTL_INTEGER:
        return json_is_integer(value);
    case SIMCTL_BOOLEAN:
        return json_is_boolean(value);
    case SIMCTL_DURATION:
        return read_seconds(value, &seconds);
    case SIMCTL_BYTES:
        return read_bytes(value, &bytes);
    case SIMCTL_OBJECT:
        return json_is_object(value);
    case SIMCTL_ARRAY:
        return json_is_array(value);
    case SIMCTL_ANY:
    default:
        return true;
    }
}

static bool refuse_unknown(const char *path, const char *dot, const char *name,
                           const struct simctl_field *fields, struct web_error *error)
{
    struct mf_nearest nearest = {.word = name};
    for (const struct simctl_field *f = fields; f->name != NULL; f++) {
        mf_nearest_try(&nearest, f->name);
    }
    return web_refuse(error, 422, "unknown_member", "%.80s%s%.60s is not known%s%s%s", path, dot,
                      name, nearest.best != NULL ? ", did you mean '" : "",
                      nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
}

bool simctl_shape_check(const json_t *object, const char *path, const struct simctl_field *fields,
                        struct web_error *error)
{
    const char *name;
    json_t *value;
    const char *dot = path[0] != '\0' ? "." : "";
    if (!json_is_object(object)) {
        return web_refuse(error, 422, "wrong_type", "%.100s must be an object",
                          path[0] != '\0' ? path : "it");
    }
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the library's own loop
    json_object_foreach((json_t *)object, name, value)
    {
        const struct simctl_field *f = fields;
        while (f->name != NULL && strcmp(f->name, name) != 0) {
            f++;
        }
        if (f->name == NULL) {
            return refuse_unknown(path, dot, name, fields, error);
        }
        if (!fits(value, f)) {
            return web_refuse(error, 422, "wrong_type", "%.80s%s%s must be %s%s%s", path, dot, name,
                              k_type[f->type], f->type == SIMCTL_WORD ? " " : "",
                              f->type == SIMCTL_WORD ? f->words : "");
        }
    }
    for (const struct simctl_field *f = fields; f->name != NULL; f++) {
        if (f->required && json_object_get(object, f->name) == NULL) {
            return web_refuse(error, 422, "missing_member", "%.80s%s%s is missing: %s", path, dot,
                              f->name, f->help);
        }
    }
    return true;
}
