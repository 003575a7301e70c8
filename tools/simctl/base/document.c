/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/document.h"

#include "host/base/value.h"
#include "tools/simctl/base/shape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct reader {
    const char *name;
    struct web_error *error;
    yaml_document_t document;
};

static json_t *refuse(struct reader *r, const yaml_node_t *node, const char *what)
{
    (void)web_refuse(r->error, 422, "document", "%.80s:%zu: %s", r->name, node->start_mark.line + 1,
                     what);
    return NULL;
}

/* ---- scalars */

/* A plain scalar that is a number as a whole. An integer that 64 bits do not hold is none. */
static json_t *number(const char *text)
{
    double real;
    char *end;
    const char *rest = mf_value_number(text, &real);
    if (rest == NULL || *rest != '\0' || strpbrk(text, " \t") != NULL) {
        return NULL;
    }
    errno = 0;
    const long long whole = strtoll(text, &end, 10);
    if (*end == '\0') {
        return errno == 0 ? json_integer(whole) : NULL;
    }
    return json_real(real);
}

static json_t *scalar(struct reader *r, const yaml_node_t *node)
{
    static const char *const k_null[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const k_true[] = {"true", "True", "TRUE", NULL};
    static const char *const k_false[] = {"false", "False", "FALSE", NULL};
    const char *text = (const char *)node->data.scalar.value;
    const size_t n = node->data.scalar.length;
    if (memchr(text, '\0', n) != NULL) {
        return refuse(r, node, "a text with a NUL");
    }
    if (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
        json_t *value = simctl_is_one_of(text, k_null)    ? json_null()
                        : simctl_is_one_of(text, k_true)  ? json_true()
                        : simctl_is_one_of(text, k_false) ? json_false()
                                                          : number(text);
        if (value != NULL) {
            return value;
        }
    }
    json_t *value = json_stringn(text, n);
    return value != NULL ? value : refuse(r, node, "a text that is not UTF-8");
}

/* ---- collections */

static json_t *convert(struct reader *r, int index, unsigned depth);

// NOLINTNEXTLINE(misc-no-recursion): as deep as SIMCTL_NESTING_MAX
static json_t *sequence(struct reader *r, const yaml_node_t *node, unsigned depth)
{
    json_t *array = json_array();
    for (const int *item = node->data.sequence.items.start; item < node->data.sequence.items.top;
         item++) {
        json_t *value = convert(r, *item, depth);
        if (value == NULL) {
            json_decref(array);
            return NULL;
        }
        (void)json_array_append_new(array, value);
    }
    return array;
}

/* @return false: the key is none, or stands there twice */
static bool check_key(struct reader *r, const json_t *object, const yaml_node_t *key)
{
    if (key->type != YAML_SCALAR_NODE || key->data.scalar.length == 0 ||
        memchr(key->data.scalar.value, '\0', key->data.scalar.length) != NULL) {
        (void)refuse(r, key, "a key must be a text");
        return false;
    }
    if (json_object_get(object, (const char *)key->data.scalar.value) != NULL) {
        (void)web_refuse(r->error, 422, "document", "%.80s:%zu: the key '%.60s' stands there twice",
                         r->name, key->start_mark.line + 1, (const char *)key->data.scalar.value);
        return false;
    }
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as SIMCTL_NESTING_MAX
static json_t *mapping(struct reader *r, const yaml_node_t *node, unsigned depth)
{
    json_t *object = json_object();
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
        json_t *value = check_key(r, object, key) ? convert(r, pair->value, depth) : NULL;
        if (value == NULL) {
            json_decref(object);
            return NULL;
        }
        if (json_object_set_new(object, (const char *)key->data.scalar.value, value) != 0) {
            json_decref(object);
            return refuse(r, key, "a key that is not UTF-8");
        }
    }
    return object;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as SIMCTL_NESTING_MAX
static json_t *convert(struct reader *r, int index, unsigned depth)
{
    const yaml_node_t *node = yaml_document_get_node(&r->document, index);
    if (depth >= SIMCTL_NESTING_MAX) {
        return refuse(r, node, "it nests too deep");
    }
    switch (node->type) {
    case YAML_SCALAR_NODE:
        return scalar(r, node);
    case YAML_SEQUENCE_NODE:
        return sequence(r, node, depth + 1);
    case YAML_MAPPING_NODE:
        return mapping(r, node, depth + 1);
    case YAML_NO_NODE:
    default:
        return json_null();
    }
}

/* libyaml resolves an alias to the node itself: a document could be small and its tree
 * without end. */
static bool has_alias(const char *text, size_t n)
{
    yaml_parser_t parser;
    yaml_event_t event;
    bool found = false, over = !yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    while (!over && !found && yaml_parser_parse(&parser, &event)) {
        found = event.type == YAML_ALIAS_EVENT;
        over = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return found;
}

json_t *simctl_document_read(const char *name, const char *text, size_t n, struct web_error *error)
{
    struct reader r = {.name = name, .error = error};
    yaml_parser_t parser;
    json_t *value = NULL;
    if (n > SIMCTL_DOCUMENT_MAX || has_alias(text, n)) {
        (void)web_refuse(error, 422, "document", "%.80s: %s", name,
                         n > SIMCTL_DOCUMENT_MAX ? "it is longer than 1 MiB"
                                                 : "aliases (*name) are not taken: write it twice");
        return NULL;
    }
    if (!yaml_parser_initialize(&parser)) {
        (void)web_refuse(error, 500, "memory", "no memory");
        return NULL;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    if (!yaml_parser_load(&parser, &r.document)) {
        (void)web_refuse(error, 422, "document", "%.80s:%zu: %.120s", name,
                         parser.problem_mark.line + 1,
                         parser.problem != NULL ? parser.problem : "no YAML");
    } else {
        if (yaml_document_get_root_node(&r.document) == NULL) {
            (void)web_refuse(error, 422, "document", "%.80s: it is empty", name);
        } else {
            value = convert(&r, 1, 0);
        }
        yaml_document_delete(&r.document);
    }
    yaml_parser_delete(&parser);
    return value;
}

json_t *simctl_document_load(const char *path, struct web_error *error)
{
    json_t *value = NULL;
    FILE *file = fopen(path, "rbe");
    char *text = malloc(SIMCTL_DOCUMENT_MAX + 1);
    if (file == NULL || text == NULL) {
        (void)web_refuse(error, 404, "document", "%.160s: %s", path, strerror(errno));
    } else {
        const size_t n = fread(text, 1, SIMCTL_DOCUMENT_MAX + 1, file);
        value = simctl_document_read(path, text, n, error);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    free(text);
    return value;
}
