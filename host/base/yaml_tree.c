/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of YAML texts, composed from libyaml's events within limits, for the readers of
 * configurations, scenarios, tasks and templates. */
#include "host/base/yaml_tree.h"

#include "hal/types.h"
#include "host/base/value.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* The analyzer cannot follow arrays that grow in a structure behind a pointer; mf_yaml_free() frees
 * them. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

/* Limits of the sum of the levels of all nodes, since libyaml visits all levels around a token: a
 * constant plus a number per byte of the text. At level 12 this allows one node per two bytes. */
#define LEVELS_MAX      50000u
#define LEVELS_PER_BYTE 6u

/* Maximum number of lines that may begin with "%TAG": libyaml compares each with all before it. */
#define TAGS_MAX 8u

/* Memory that a tree allocates at once for texts [bytes]. */
#define TEXTS_BYTES 65536u

/* Small, since a list of a million rows has five million nodes. */
struct mf_node {
    uint8_t kind; /* enum mf_node_kind */
    bool plain;
    uint16_t height; /* levels of lists and maps from the node down, including its own */
    int line;
    union {
        struct {              /* TEXT */
            const char *text; /* in mf_yaml.texts; NULL: the text contains a NUL */
            int twin_line;    /* of a key: line of an equal, earlier key of the map; 0: none */
        };
        struct {                 /* LIST, MAP */
            uint32_t from, size; /* first member in mf_yaml.member, and their number; keys and
                                    values count separately */
            uint32_t weight;     /* nodes of the subtree */
        };
    };
};
_Static_assert(sizeof(struct mf_node) <= 24u, "memory of a node");

/* Memory of many texts. */
struct texts {
    struct texts *next;
    size_t used, room;
    char bytes[];
};

struct mf_yaml {
    struct mf_node *node;
    uint32_t *member;    /* indices in node[] */
    struct texts *texts; /* the newest first */
    uint32_t nodes, members, node_room, member_room;
    bool dashes;
};

static void fail(struct mf_yaml_error *error, int line, const char *reason)
{
    error->line = line;
    (void)snprintf(error->reason, sizeof error->reason, "%s", reason);
}

/* ---- composing */

/* Anchor of the text, "&name". */
struct anchor {
    yaml_char_t *name; /* owned */
    uint32_t node;
};

/* A list or map that is not complete. */
struct level {
    uint32_t node;
    uint32_t begin; /* index of its first member in composer.open */
};

struct composer {
    yaml_parser_t parser;
    struct mf_yaml *tree;
    struct mf_yaml_error *error;
    struct level level[MF_NESTING_MAX];
    unsigned depth;
    uint32_t *open; /* members of all levels, outermost level first */
    uint32_t opens, open_room;
    struct anchor anchor[MF_YAML_ANCHORS_MAX];
    unsigned anchors;
    uint32_t repeats;
    size_t levels, levels_max; /* sum over all nodes */
};

static bool refuse_at(struct composer *c, yaml_mark_t at, const char *what)
{
    c->error->line = (int)at.line + 1;
    (void)snprintf(c->error->reason, sizeof c->error->reason, "column %zu: %.130s", at.column + 1,
                   what);
    return false;
}

static bool no_memory(struct composer *c)
{
    fail(c->error, 1, "no memory to read it");
    return false;
}

/* Make room for a number of elements. @return the array; NULL: no memory, and the old array stays
 * valid */
static void *grow(void *array, uint32_t count, uint32_t *room, size_t size)
{
    if (count <= *room) {
        return array;
    }
    const uint32_t twice = *room > 0 ? 2u * *room : 64u, more = count > twice ? count : twice;
    void *larger = realloc(array, more * size);
    *room = larger != NULL ? more : *room;
    return larger;
}

/* Append a node to the innermost list or map. */
static bool append(struct composer *c, uint32_t node)
{
    if (c->depth == 0) {
        return true;
    }
    uint32_t *larger = grow(c->open, c->opens + 1u, &c->open_room, sizeof *c->open);
    if (larger == NULL) {
        return no_memory(c);
    }
    c->open = larger;
    c->open[c->opens++] = node;
    return true;
}

/* Store the anchor of node @p node, if there is one. @param name  the function takes it over */
static bool take_anchor(struct composer *c, yaml_char_t **name, uint32_t node, yaml_mark_t at)
{
    if (*name == NULL) {
        return true;
    }
    if (c->anchors == MF_YAML_ANCHORS_MAX) {
        return refuse_at(c, at, "more than 64 anchors (&name): write the values themselves");
    }
    c->anchor[c->anchors++] = (struct anchor){*name, node};
    *name = NULL;
    return true;
}

static bool add(struct composer *c, enum mf_node_kind kind, yaml_char_t **anchor, yaml_mark_t at)
{
    struct mf_yaml *t = c->tree;
    c->levels += c->depth;
    if (c->levels > c->levels_max) {
        return refuse_at(c, at, "too many values at deep levels: write them flatter");
    }
    struct mf_node *larger = grow(t->node, t->nodes + 1u, &t->node_room, sizeof *t->node);
    if (larger == NULL) {
        return no_memory(c);
    }
    t->node = larger;
    t->node[t->nodes] = (struct mf_node){.kind = (uint8_t)kind, .line = (int)at.line + 1};
    return append(c, t->nodes) && take_anchor(c, anchor, t->nodes++, at);
}

/* Copy a text into the tree's memory. @return NULL: no memory */
static const char *keep_text(struct mf_yaml *t, const yaml_char_t *text, size_t n)
{
    struct texts *at = t->texts;
    if (at == NULL || at->room - at->used <= n) {
        const size_t room = n < TEXTS_BYTES ? TEXTS_BYTES : n + 1u;
        struct texts *more = malloc(sizeof *more + room);
        if (more == NULL) {
            return NULL;
        }
        *more = (struct texts){.next = at, .room = room};
        t->texts = at = more;
    }
    char *kept = at->bytes + at->used;
    memcpy(kept, text, n);
    kept[n] = '\0';
    at->used += n + 1u;
    return kept;
}

static bool add_text(struct composer *c, yaml_event_t *e)
{
    const size_t length = e->data.scalar.length;
    if (!add(c, MF_NODE_TEXT, &e->data.scalar.anchor, e->start_mark)) {
        return false;
    }
    struct mf_node *n = &c->tree->node[c->tree->nodes - 1];
    n->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (memchr(e->data.scalar.value, '\0', length) == NULL) {
        n->text = keep_text(c->tree, e->data.scalar.value, length);
        return n->text != NULL || no_memory(c);
    }
    return true;
}

static bool begin(struct composer *c, enum mf_node_kind kind, yaml_char_t **anchor, yaml_mark_t at)
{
    if (c->depth == MF_NESTING_MAX) {
        return refuse_at(c, at, MF_NESTING_TEXT);
    }
    if (!add(c, kind, anchor, at)) {
        return false;
    }
    c->tree->node[c->tree->nodes - 1].weight = 1;
    c->level[c->depth++] = (struct level){c->tree->nodes - 1, c->opens};
    return true;
}

/* Number of nodes of a subtree. */
static uint32_t weight_of(const struct mf_node *n)
{
    return n->kind == MF_NODE_TEXT ? 1u : n->weight;
}

/* Append the node of an alias. The tree repeats it, so the number of its nodes is limited. */
static bool add_alias(struct composer *c, const yaml_event_t *e)
{
    for (unsigned i = c->anchors; i-- > 0;) { /* the last anchor of a name counts */
        const struct mf_node *n = &c->tree->node[c->anchor[i].node];
        if (strcmp((const char *)c->anchor[i].name, (const char *)e->data.alias.anchor) != 0) {
            continue;
        }
        if (n->kind != MF_NODE_TEXT && n->height == 0) {
            return refuse_at(c, e->start_mark, "an alias (*name) is within its own value");
        }
        c->repeats += weight_of(n);
        if (c->repeats > MF_YAML_REPEATS_MAX) {
            return refuse_at(c, e->start_mark, "aliases (*name) repeat more than 4096 values");
        }
        return c->depth + n->height > MF_NESTING_MAX ? refuse_at(c, e->start_mark, MF_NESTING_TEXT)
                                                     : append(c, c->anchor[i].node);
    }
    return refuse_at(c, e->start_mark, "no value before this alias (*name) has its anchor (&name)");
}

/* ---- the end of a list or map */

struct sorted_key {
    const char *text;
    struct mf_node *node;
    uint32_t place;
    bool dashes;
};

static int compare_text(const struct sorted_key *a, const struct sorted_key *b)
{
    const char *p = a->text, *q = b->text;
    if (!a->dashes) {
        return strcmp(p, q);
    }
    for (; *p != '\0' && *q != '\0'; p++, q++) {
        const int difference = (*p == '-' ? '_' : *p) - (*q == '-' ? '_' : *q);
        if (difference != 0) {
            return difference;
        }
    }
    return *p - *q;
}

static int compare(const void *a, const void *b)
{
    const struct sorted_key *p = a, *q = b;
    const int order = compare_text(p, q);
    return order != 0 ? order : p->place < q->place ? -1 : 1;
}

/* Store in each key of a map the line of an equal, earlier key. */
static bool find_twins(struct composer *c, const struct mf_node *map)
{
    struct mf_yaml *t = c->tree;
    struct sorted_key *key = malloc((map->size / 2u + 1u) * sizeof *key);
    size_t n = 0;
    if (key == NULL) {
        return no_memory(c);
    }
    for (uint32_t i = 0; i < map->size; i += 2u) {
        struct mf_node *node = &t->node[t->member[map->from + i]];
        if (mf_node_text(node) != NULL) {
            key[n++] = (struct sorted_key){node->text, node, i, t->dashes};
        }
    }
    qsort(key, n, sizeof *key, compare);
    for (size_t i = 1; i < n; i++) {
        if (compare_text(&key[i - 1], &key[i]) == 0) {
            key[i].node->twin_line = key[i - 1].node->line;
        }
    }
    free(key);
    return true;
}

static bool end(struct composer *c)
{
    const struct level l = c->level[--c->depth];
    struct mf_yaml *t = c->tree;
    struct mf_node *n = &t->node[l.node];
    n->from = t->members;
    n->size = c->opens - l.begin;
    n->height = 1;
    uint32_t *larger = grow(t->member, t->members + n->size, &t->member_room, sizeof *t->member);
    if (larger == NULL && n->size > 0) {
        return no_memory(c);
    }
    t->member = larger;
    for (uint32_t i = l.begin; i < c->opens; i++) {
        const struct mf_node *member = &t->node[c->open[i]];
        t->member[t->members++] = c->open[i];
        n->weight += weight_of(member);
        n->height = member->height >= n->height ? (uint16_t)(member->height + 1u) : n->height;
    }
    c->opens = l.begin;
    return n->kind != MF_NODE_MAP || find_twins(c, n);
}

/* ---- a text */

/* Add the node of an event. @return false: refused, with an error */
static bool take_event(struct composer *c, yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return add_text(c, e);
    case YAML_ALIAS_EVENT:
        return add_alias(c, e);
    case YAML_SEQUENCE_START_EVENT:
        return begin(c, MF_NODE_LIST, &e->data.sequence_start.anchor, e->start_mark);
    case YAML_MAPPING_START_EVENT:
        return begin(c, MF_NODE_MAP, &e->data.mapping_start.anchor, e->start_mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return end(c);
    case YAML_DOCUMENT_START_EVENT:
        return c->tree->nodes == 0 ||
               refuse_at(c, e->start_mark, "a second document begins, a text may have one");
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
    default:
        return true;
    }
}

static bool compose(struct composer *c)
{
    bool good = true, over = false;
    while (good && !over) {
        yaml_event_t e;
        if (!yaml_parser_parse(&c->parser, &e)) {
            char what[130];
            (void)snprintf(what, sizeof what, "is not YAML: %.110s",
                           c->parser.problem != NULL ? c->parser.problem : "unreadable");
            return refuse_at(c, c->parser.problem_mark, what);
        }
        over = e.type == YAML_STREAM_END_EVENT;
        good = take_event(c, &e);
        yaml_event_delete(&e);
    }
    return good;
}

/* Count lines with directives "%TAG". @return line of the first one beyond TAGS_MAX, from 1; 0:
 * none */
static int line_of_tags(const char *text, size_t n)
{
    unsigned tags = 0;
    int line = 1;
    for (const char *at = text, *end = text + n; at != NULL && at < end; line++) {
        tags += end - at > 4 && memcmp(at, "%TAG", 4) == 0;
        if (tags > TAGS_MAX) {
            return line;
        }
        at = memchr(at, '\n', (size_t)(end - at));
        at = at != NULL ? at + 1 : NULL;
    }
    return 0;
}

static struct mf_yaml *read_text(const char *text, size_t n, bool dashes,
                                 const struct mf_node **root, struct mf_yaml_error *error)
{
    struct composer c = {.tree = calloc(1, sizeof *c.tree), .error = error};
    const int line = line_of_tags(text, n);
    *root = NULL;
    if (c.tree == NULL || line > 0 || !yaml_parser_initialize(&c.parser)) {
        fail(error, line > 0 ? line : 1,
             line > 0 ? "column 1: more than 8 lines begin with %TAG" : "no memory to read it");
        free(c.tree);
        return NULL;
    }
    c.tree->dashes = dashes;
    c.levels_max = LEVELS_MAX + LEVELS_PER_BYTE * n;
    yaml_parser_set_input_string(&c.parser, (const unsigned char *)text, n);
    const bool good = compose(&c);
    yaml_parser_delete(&c.parser);
    for (unsigned i = 0; i < c.anchors; i++) {
        free(c.anchor[i].name);
    }
    free(c.open);
    if (!good) {
        mf_yaml_free(c.tree);
        return NULL;
    }
    *root = c.tree->nodes > 0 ? &c.tree->node[0] : NULL;
    return c.tree;
}

struct mf_yaml *mf_yaml_read_text(const char *text, size_t n, const struct mf_node **root,
                                  struct mf_yaml_error *error)
{
    MF_ASSERT(text != NULL && root != NULL && error != NULL);
    return read_text(text, n, false, root, error);
}

struct mf_yaml *mf_yaml_read(FILE *file, bool dashes, const struct mf_node **root,
                             struct mf_yaml_error *error)
{
    MF_ASSERT(file != NULL && root != NULL && error != NULL);
    struct mf_yaml *tree = NULL;
    char *text = malloc(MF_YAML_FILE_MAX + 1u);
    const size_t n = text != NULL ? fread(text, 1, MF_YAML_FILE_MAX + 1u, file) : 0;
    *root = NULL;
    if (text == NULL || n > MF_YAML_FILE_MAX || ferror(file)) {
        fail(error, 1,
             text == NULL           ? "no memory to read it"
             : n > MF_YAML_FILE_MAX ? "is longer than 1 MiB"
                                    : "cannot be read");
    } else {
        tree = read_text(text, n, dashes, root, error);
    }
    free(text);
    return tree;
}

void mf_yaml_free(struct mf_yaml *tree)
{
    if (tree != NULL) {
        for (struct texts *at = tree->texts, *next; at != NULL; at = next) {
            next = at->next;
            free(at);
        }
        free(tree->node);
        free(tree->member);
        free(tree);
    }
}

/* ---- nodes */

enum mf_node_kind mf_node_kind(const struct mf_node *node)
{
    return (enum mf_node_kind)node->kind;
}

int mf_node_line(const struct mf_node *node)
{
    return node->line;
}

const char *mf_node_text(const struct mf_node *node)
{
    return node->kind == MF_NODE_TEXT ? node->text : NULL;
}

bool mf_node_plain(const struct mf_node *node)
{
    return node->plain;
}

size_t mf_node_count(const struct mf_node *node)
{
    return node->kind == MF_NODE_TEXT  ? 0
           : node->kind == MF_NODE_MAP ? node->size / 2u
                                       : node->size;
}

const struct mf_node *mf_node_at(const struct mf_yaml *tree, const struct mf_node *node, size_t i)
{
    MF_ASSERT(i < mf_node_count(node));
    const size_t at = node->kind == MF_NODE_MAP ? 2u * i + 1u : i;
    return &tree->node[tree->member[node->from + at]];
}

const struct mf_node *mf_node_key_at(const struct mf_yaml *tree, const struct mf_node *map,
                                     size_t i)
{
    MF_ASSERT(map->kind == MF_NODE_MAP && i < mf_node_count(map));
    return &tree->node[tree->member[map->from + 2u * i]];
}

const char *mf_node_key(const struct mf_yaml *tree, const struct mf_node *map, size_t i,
                        struct mf_yaml_error *error)
{
    const struct mf_node *node = mf_node_key_at(tree, map, i);
    const char *key = mf_node_text(node);
    if (key == NULL || strlen(key) >= MF_YAML_KEY_MAX) {
        fail(error, node->line, "a key must be a short text");
        return NULL;
    }
    if (node->twin_line > 0) {
        error->line = node->line;
        (void)snprintf(error->reason, sizeof error->reason, "key '%s' is given in line %d, too",
                       key, node->twin_line);
        return NULL;
    }
    return key;
}

int mf_node_key_line(const struct mf_yaml *tree, const struct mf_node *map, size_t i)
{
    return mf_node_key_at(tree, map, i)->line;
}
