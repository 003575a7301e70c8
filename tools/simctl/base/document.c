/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/document.h"

#include "host/base/value.h"
#include "host/base/yaml_tree.h"
#include "tools/simctl/base/shape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *name;
    struct web_error *error;
    const struct mf_yaml *tree;
};

static json_t *refuse(struct reader *r, const struct mf_node *node, const char *what)
{
    (void)web_refuse(r->error, 422, "document", "%.80s:%d: %s", r->name, mf_node_line(node), what);
    return NULL;
}

/* ---- scalars */

/* Parse a plain scalar as a number. NULL if it is not one as a whole, or an integer beyond 64 bits.
 */
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

static json_t *scalar(struct reader *r, const struct mf_node *node)
{
    static const char *const k_null[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const k_true[] = {"true", "True", "TRUE", NULL};
    static const char *const k_false[] = {"false", "False", "FALSE", NULL};
    const char *text = mf_node_text(node);
    if (text == NULL) {
        return refuse(r, node, "a text with a NUL");
    }
    if (mf_node_plain(node)) {
        json_t *value = simctl_is_one_of(text, k_null)    ? json_null()
                        : simctl_is_one_of(text, k_true)  ? json_true()
                        : simctl_is_one_of(text, k_false) ? json_false()
                                                          : number(text);
        if (value != NULL) {
            return value;
        }
    }
    json_t *value = json_string(text);
    return value != NULL ? value : refuse(r, node, "a text that is not UTF-8");
}

/* ---- collections */

static json_t *convert(struct reader *r, const struct mf_node *node);

// NOLINTNEXTLINE(misc-no-recursion): as deep as MF_NESTING_MAX
static json_t *sequence(struct reader *r, const struct mf_node *node)
{
    json_t *array = json_array();
    for (size_t i = 0; i < mf_node_count(node); i++) {
        json_t *value = convert(r, mf_node_at(r->tree, node, i));
        if (value == NULL) {
            json_decref(array);
            return NULL;
        }
        (void)json_array_append_new(array, value);
    }
    return array;
}

/* @return NULL: the key is not a text, or stands there twice */
static const char *check_key(struct reader *r, const json_t *object, const struct mf_node *key)
{
    const char *text = mf_node_text(key);
    if (text == NULL || text[0] == '\0') {
        (void)refuse(r, key, "a key must be a text");
        return NULL;
    }
    if (json_object_get(object, text) != NULL) {
        (void)web_refuse(r->error, 422, "document", "%.80s:%d: the key '%.60s' is given twice",
                         r->name, mf_node_line(key), text);
        return NULL;
    }
    return text;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as MF_NESTING_MAX
static json_t *mapping(struct reader *r, const struct mf_node *node)
{
    json_t *object = json_object();
    for (size_t i = 0; i < mf_node_count(node); i++) {
        const struct mf_node *key = mf_node_key_at(r->tree, node, i);
        const char *name = check_key(r, object, key);
        json_t *value = name != NULL ? convert(r, mf_node_at(r->tree, node, i)) : NULL;
        if (value == NULL) {
            json_decref(object);
            return NULL;
        }
        if (json_object_set_new(object, name, value) != 0) {
            json_decref(object);
            return refuse(r, key, "a key that is not UTF-8");
        }
    }
    return object;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as MF_NESTING_MAX
static json_t *convert(struct reader *r, const struct mf_node *node)
{
    switch (mf_node_kind(node)) {
    case MF_NODE_LIST:
        return sequence(r, node);
    case MF_NODE_MAP:
        return mapping(r, node);
    case MF_NODE_TEXT:
    default:
        return scalar(r, node);
    }
}

json_t *simctl_document_read(const char *name, const char *text, size_t n, struct web_error *error)
{
    const struct mf_node *root;
    struct mf_yaml_error wrong;
    json_t *value = NULL;
    if (n > SIMCTL_DOCUMENT_MAX) {
        (void)web_refuse(error, 422, "document", "%.80s: it is longer than 1 MiB", name);
        return NULL;
    }
    struct mf_yaml *tree = mf_yaml_read_text(text, n, &root, &wrong);
    if (tree == NULL) {
        (void)web_refuse(error, 422, "document", "%.80s:%d: %s", name, wrong.line, wrong.reason);
    } else if (root == NULL) {
        (void)web_refuse(error, 422, "document", "%.80s: it is empty", name);
    } else {
        value = convert(&(struct reader){name, error, tree}, root);
    }
    mf_yaml_free(tree);
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
