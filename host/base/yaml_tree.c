/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/yaml_tree.h"

#include "hal/types.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct mf_yaml {
    yaml_document_t document;
};

/* A node is libyaml's. */
static const yaml_node_t *inner(const struct mf_node *node)
{
    return (const yaml_node_t *)(const void *)node;
}

static const struct mf_node *outer(const struct mf_yaml *tree, int index)
{
    yaml_document_t *document = (yaml_document_t *)&tree->document; /* asked, not changed */
    return (const struct mf_node *)(const void *)yaml_document_get_node(document, index);
}

static void fail(struct mf_yaml_error *error, int line, const char *reason)
{
    error->line = line;
    (void)snprintf(error->reason, sizeof error->reason, "%s", reason);
}

static struct mf_yaml *parse(yaml_parser_t *parser, const struct mf_node **root,
                             struct mf_yaml_error *error)
{
    struct mf_yaml *tree = malloc(sizeof *tree);
    *root = NULL;
    if (tree == NULL) {
        fail(error, 1, "no memory to read it");
        return NULL;
    }
    if (!yaml_parser_load(parser, &tree->document)) {
        (void)snprintf(error->reason, sizeof error->reason, "is not YAML: %.120s",
                       parser->problem != NULL ? parser->problem : "unreadable");
        error->line = (int)parser->problem_mark.line + 1;
        free(tree);
        return NULL;
    }
    *root = (const struct mf_node *)(const void *)yaml_document_get_root_node(&tree->document);
    return tree;
}

struct mf_yaml *mf_yaml_read(FILE *file, const struct mf_node **root, struct mf_yaml_error *error)
{
    yaml_parser_t parser;
    MF_ASSERT(file != NULL && root != NULL && error != NULL);
    if (!yaml_parser_initialize(&parser)) {
        fail(error, 1, "no memory to read it");
        return NULL;
    }
    yaml_parser_set_input_file(&parser, file);
    struct mf_yaml *tree = parse(&parser, root, error);
    yaml_parser_delete(&parser);
    return tree;
}

struct mf_yaml *mf_yaml_read_text(const char *text, size_t n, const struct mf_node **root,
                                  struct mf_yaml_error *error)
{
    yaml_parser_t parser;
    MF_ASSERT(text != NULL && root != NULL && error != NULL);
    if (!yaml_parser_initialize(&parser)) {
        fail(error, 1, "no memory to read it");
        return NULL;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    struct mf_yaml *tree = parse(&parser, root, error);
    yaml_parser_delete(&parser);
    return tree;
}

void mf_yaml_free(struct mf_yaml *tree)
{
    if (tree != NULL) {
        yaml_document_delete(&tree->document);
        free(tree);
    }
}

enum mf_node_kind mf_node_kind(const struct mf_node *node)
{
    switch (inner(node)->type) {
    case YAML_SEQUENCE_NODE:
        return MF_NODE_LIST;
    case YAML_MAPPING_NODE:
        return MF_NODE_MAP;
    case YAML_NO_NODE:
    case YAML_SCALAR_NODE:
    default:
        return MF_NODE_TEXT;
    }
}

int mf_node_line(const struct mf_node *node)
{
    return (int)inner(node)->start_mark.line + 1;
}

const char *mf_node_text(const struct mf_node *node)
{
    const yaml_node_t *n = inner(node);
    if (n->type != YAML_SCALAR_NODE ||
        memchr(n->data.scalar.value, '\0', n->data.scalar.length) != NULL) {
        return NULL;
    }
    return (const char *)n->data.scalar.value;
}

size_t mf_node_count(const struct mf_node *node)
{
    const yaml_node_t *n = inner(node);
    switch (mf_node_kind(node)) {
    case MF_NODE_LIST:
        return (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
    case MF_NODE_MAP:
        return (size_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);
    case MF_NODE_TEXT:
    default:
        return 0;
    }
}

const struct mf_node *mf_node_at(const struct mf_yaml *tree, const struct mf_node *node, size_t i)
{
    const yaml_node_t *n = inner(node);
    MF_ASSERT(i < mf_node_count(node));
    return outer(tree, mf_node_kind(node) == MF_NODE_LIST ? n->data.sequence.items.start[i]
                                                          : n->data.mapping.pairs.start[i].value);
}

static const struct mf_node *key_node(const struct mf_yaml *tree, const struct mf_node *map,
                                      size_t i)
{
    MF_ASSERT(mf_node_kind(map) == MF_NODE_MAP && i < mf_node_count(map));
    return outer(tree, inner(map)->data.mapping.pairs.start[i].key);
}

const char *mf_node_key(const struct mf_yaml *tree, const struct mf_node *map, size_t i,
                        bool (*same)(const char *a, const char *b), struct mf_yaml_error *error)
{
    const struct mf_node *node = key_node(tree, map, i);
    const char *key = mf_node_text(node);
    if (key == NULL || strlen(key) >= MF_YAML_KEY_MAX) {
        fail(error, mf_node_line(node), "a key must be a short text");
        return NULL;
    }
    for (size_t k = 0; k < i; k++) {
        const struct mf_node *earlier = key_node(tree, map, k);
        const char *text = mf_node_text(earlier);
        if (text != NULL && same(text, key)) {
            error->line = mf_node_line(node);
            (void)snprintf(error->reason, sizeof error->reason, "key '%s' stands in line %d too",
                           key, mf_node_line(earlier));
            return NULL;
        }
    }
    return key;
}

int mf_node_key_line(const struct mf_yaml *tree, const struct mf_node *map, size_t i)
{
    return mf_node_line(key_node(tree, map, i));
}
