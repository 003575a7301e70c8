/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of tables of keys, with overrides and variables. Called by the files of fleet/ that hold
 * such tables. */
#include "fleet/keys.h"

#include "host/base/filekind.h"
#include "host/base/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool mf_reading_refuse(struct mf_reading *r, int line, const char *format, ...)
{
    char what[MF_KEYS_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    (void)snprintf(r->error, sizeof r->error, "%.120s:%d: %s%s%s", r->file, line, r->path,
                   r->path[0] != '\0' ? ": " : "", what);
    for (char *at = r->error; *at != '\0'; at++) { /* a value may have line feeds */
        *at = (unsigned char)*at < ' ' || *at == 0x7F ? '?' : *at;
    }
    return false;
}

/* ---- memory */

void *mf_reading_array(struct mf_reading *r, int line, size_t count, size_t size)
{
    MF_ASSERT(size > 0);
    struct mf_keys_block *block = NULL;
    if (count > (MF_KEYS_BYTES_MAX - r->bytes) / size) {
        (void)mf_reading_refuse(r, line, "the values of a file take more than %u MB of memory",
                                MF_KEYS_BYTES_MAX >> 20);
        return NULL;
    }
    block = calloc(1, sizeof *block + count * size);
    if (block == NULL) {
        (void)mf_reading_refuse(r, line, "no memory for %zu values", count);
        return NULL;
    }
    block->next = r->blocks;
    r->blocks = block;
    r->bytes += count * size;
    return block->bytes;
}

void mf_keys_free(struct mf_keys_block *blocks)
{
    while (blocks != NULL) {
        struct mf_keys_block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

/* ---- path of the present key */

/* Append a key to the path. @return length of the path before, for leave_key() */
static size_t enter_key(struct mf_reading *r, const char *name)
{
    const size_t n = strlen(r->path);
    (void)snprintf(r->path + n, sizeof r->path - n, "%s%s", n > 0 ? "." : "", name);
    r->path_summed = false;
    return n;
}

static size_t enter_index(struct mf_reading *r, size_t i)
{
    char name[16];
    (void)snprintf(name, sizeof name, "%u", (unsigned)i);
    return enter_key(r, name);
}

static void leave_key(struct mf_reading *r, size_t n)
{
    r->path[n] = '\0';
    r->path_summed = false;
}

/* ---- sum of all values */

/* Continue a sum by a text, eight bytes at once; else as FNV-1a. */
static uint64_t sum_of(uint64_t sum, const char *text)
{
    const size_t n = strlen(text) + 1u;
    for (size_t i = 0; i < n; i += 8u) {
        uint64_t eight = 0;
        memcpy(&eight, text + i, n - i < 8u ? n - i : 8u);
        sum = (sum ^ eight) * UINT64_C(0x100000001B3);
        sum ^= sum >> 32; /* a product carries no bit downwards */
    }
    return sum;
}

static void add_to_sum(struct mf_reading *r, const char *text)
{
    if (!r->path_summed) {
        r->path_sum = sum_of(0, r->path);
        r->path_summed = true;
    }
    r->sum = sum_of(r->sum ^ r->path_sum, text);
}

static void add_count_to_sum(struct mf_reading *r, size_t count)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%u", (unsigned)count);
    add_to_sum(r, text);
}

/* ---- texts */

static const char *variable(const struct mf_reading *r, const char *name, size_t n)
{
    char text[64];
    for (uint32_t i = 0; i < r->variables; i++) {
        if (r->variable[i].name_len == n && strncmp(r->variable[i].name, name, n) == 0) {
            return r->variable[i].value;
        }
    }
    if (n >= sizeof text || r->foreign) {
        return NULL;
    }
    (void)snprintf(text, sizeof text, "%.*s", (int)n, name);
    return getenv(text);
}

/* Replace one "${NAME:default}". @return the text after it; NULL: the error is set */
static const char *replace(struct mf_reading *r, int line, const char *from, char *text, size_t *n)
{
    const char *end = strchr(from, '}');
    if (end == NULL) {
        (void)mf_reading_refuse(r, line, "'%.40s' lacks a '}'", from);
        return NULL;
    }
    const char *name = from + 2;
    const char *colon = memchr(name, ':', (size_t)(end - name));
    const size_t name_len = (size_t)((colon != NULL ? colon : end) - name);
    const char *value = variable(r, name, name_len);
    size_t len = value != NULL ? strlen(value) : 0;
    if (value == NULL && colon != NULL) {
        value = colon + 1;
        len = (size_t)(end - value);
    }
    if (value == NULL) {
        (void)mf_reading_refuse(r, line,
                                "%.*s has no value: give --set %.*s=VALUE, or ${%.*s:VALUE}",
                                (int)name_len, name, (int)name_len, name, (int)name_len, name);
        return NULL;
    }
    if (*n + len >= MF_KEYS_TEXT_MAX) {
        (void)mf_reading_refuse(r, line, "must have less than %u characters", MF_KEYS_TEXT_MAX);
        return NULL;
    }
    for (size_t i = 0; i < len; i++) {
        text[(*n)++] = value[i]; /* expand() ends the text */
    }
    return end + 1;
}

static bool expand(struct mf_reading *r, int line, const char *from, char *text)
{
    size_t n = 0;
    while (*from != '\0') {
        if (from[0] == '$' && from[1] == '{') {
            from = replace(r, line, from, text, &n);
            if (from == NULL) {
                return false;
            }
            continue;
        }
        const size_t plain = 1u + strcspn(from + 1, "$");
        if (n + plain >= MF_KEYS_TEXT_MAX) {
            return mf_reading_refuse(r, line, "must have less than %u characters",
                                     MF_KEYS_TEXT_MAX);
        }
        memcpy(text + n, from, plain);
        n += plain;
        from += plain;
    }
    text[n] = '\0';
    return true;
}

bool mf_reading_text(struct mf_reading *r, const struct mf_node *node, char *text)
{
    const char *from = mf_node_text(node);
    if (from == NULL) {
        return mf_reading_refuse(r, mf_node_line(node), "must be a single value");
    }
    if (!expand(r, mf_node_line(node), from, text)) {
        return false;
    }
    add_to_sum(r, text);
    return true;
}

const char *mf_reading_block(struct mf_reading *r, const struct mf_node *node)
{
    const char *from = mf_node_text(node);
    if (from == NULL) {
        (void)mf_reading_refuse(r, mf_node_line(node), "must be a text");
        return NULL;
    }
    const size_t n = strlen(from) + 1u;
    char *text = mf_reading_array(r, mf_node_line(node), n, 1);
    if (text != NULL) {
        memcpy(text, from, n);
        add_to_sum(r, text);
    }
    return text;
}

/* ---- numbers */

static bool number(struct mf_reading *r, int line, const char *text, double low, double high,
                   double *value)
{
    const char *end = mf_value_number(text, value);
    if (end == NULL || *end != '\0' || !(*value >= low && *value <= high)) {
        return mf_reading_refuse(r, line, "'%.40s' is not a number from %.15g to %.15g", text, low,
                                 high);
    }
    return true;
}

bool mf_reading_number(struct mf_reading *r, const struct mf_node *node, double low, double high,
                       double *value)
{
    char text[MF_KEYS_TEXT_MAX];
    return mf_reading_text(r, node, text) && number(r, mf_node_line(node), text, low, high, value);
}

bool mf_reading_numbers(struct mf_reading *r, const struct mf_node *node, size_t least, size_t most,
                        double low, double high, double *value)
{
    const size_t n = mf_node_count(node);
    if (mf_node_kind(node) != MF_NODE_LIST || n < least || n > most) {
        return least == most
                   ? mf_reading_refuse(r, mf_node_line(node), "must be a list of %u numbers",
                                       (unsigned)least)
                   : mf_reading_refuse(r, mf_node_line(node), "must be a list of %u to %u numbers",
                                       (unsigned)least, (unsigned)most);
    }
    add_count_to_sum(r, n);
    for (size_t i = 0; i < n; i++) {
        if (!mf_reading_number(r, mf_node_at(r->tree, node, i), low, high, &value[i])) {
            return false;
        }
    }
    return true;
}

/* ---- rows */

/* @return cleared rows; NULL: the count of rows is outside its limits, the value has another kind,
 * or memory is exhausted */
static void *new_rows(struct mf_reading *r, const struct mf_node *node, bool good,
                      const struct mf_reading_rows *rows, size_t bytes)
{
    const size_t n = mf_node_kind(node) == MF_NODE_TEXT ? 1 : mf_node_count(node);
    const size_t most = rows->most > 0 ? rows->most : SIZE_MAX;
    if (good && n >= rows->fewest && n <= most) {
        return mf_reading_array(r, mf_node_line(node), n, rows->size * bytes);
    }
    (void)(rows->most == 0
               ? mf_reading_refuse(r, mf_node_line(node), "must be a list of %u or more",
                                   (unsigned)rows->fewest)
               : mf_reading_refuse(r, mf_node_line(node), "must be a list of %u to %u",
                                   (unsigned)rows->fewest, (unsigned)rows->most));
    return NULL;
}

void *mf_reading_number_rows(struct mf_reading *r, const struct mf_key *key,
                             const struct mf_node *node, const struct mf_reading_rows *rows,
                             uint32_t *count)
{
    const size_t n = mf_node_count(node);
    double *row = new_rows(r, node, mf_node_kind(node) == MF_NODE_LIST, rows, sizeof *row);
    for (size_t i = 0; row != NULL && i < n; i++) {
        if (!mf_reading_numbers(r, mf_node_at(r->tree, node, i), rows->least, rows->size, key->low,
                                key->high, &row[i * rows->size])) {
            return NULL;
        }
    }
    *count = (uint32_t)n;
    return row;
}

void *mf_reading_text_rows(struct mf_reading *r, const struct mf_node *node,
                           const struct mf_reading_rows *rows, uint32_t *count)
{
    const bool list = mf_node_kind(node) == MF_NODE_LIST;
    const size_t n = list ? mf_node_count(node) : 1;
    char text[MF_KEYS_TEXT_MAX];
    char *row = new_rows(r, node, mf_node_kind(node) != MF_NODE_MAP, rows, 1);
    for (size_t i = 0; row != NULL && i < n; i++) {
        const struct mf_node *one = list ? mf_node_at(r->tree, node, i) : node;
        if (!mf_reading_text(r, one, text)) {
            return NULL;
        }
        if (strlen(text) >= rows->size) {
            (void)mf_reading_refuse(r, mf_node_line(one),
                                    "'%.40s' must have less than %u characters", text,
                                    (unsigned)rows->size);
            return NULL;
        }
        memcpy(&row[i * rows->size], text, strlen(text) + 1u);
    }
    if (list) {
        add_count_to_sum(r, n);
    }
    *count = (uint32_t)n;
    return row;
}

/* ---- a value by its type */

static bool whole(struct mf_reading *r, int line, const char *text, const struct mf_key *key,
                  double *value)
{
    if (!number(r, line, text, key->low, key->high, value)) {
        return false;
    }
    return floor(*value) == *value
               ? true
               : mf_reading_refuse(r, line, "'%.40s' is not a whole number", text);
}

static bool find_word(struct mf_reading *r, int line, const char *text, const struct mf_key *key,
                      int32_t *value)
{
    char list[MF_KEYS_ERROR_MAX / 4] = "";
    for (int32_t i = 0; key->words[i] != NULL; i++) {
        if (strcmp(key->words[i], text) == 0) {
            *value = i;
            return true;
        }
        const size_t n = strlen(list);
        (void)snprintf(list + n, sizeof list - n, "%s%s", i > 0 ? ", " : "", key->words[i]);
    }
    return mf_reading_refuse(r, line, "'%.40s' is not known, allowed: %s", text, list);
}

/* Read a text into a field of a simple type. */
static bool set_text(struct mf_reading *r, const struct mf_key *key, int line, const char *text,
                     void *at)
{
    double value;
    switch (key->type) {
    case MF_KEY_REAL:
        return number(r, line, text, key->low, key->high, at);
    case MF_KEY_WHOLE:
        if (!whole(r, line, text, key, &value)) {
            return false;
        }
        *(uint32_t *)at = (uint32_t)value;
        return true;
    case MF_KEY_LONG:
        if (!whole(r, line, text, key, &value)) {
            return false;
        }
        *(uint64_t *)at = (uint64_t)value;
        return true;
    case MF_KEY_BOOL:
        return mf_value_bool(text, at) ||
               mf_reading_refuse(r, line, "'%.40s' is neither true nor false", text);
    case MF_KEY_TEXT:
        if (strlen(text) >= key->size) {
            return mf_reading_refuse(r, line, "must have less than %u characters",
                                     (unsigned)key->size);
        }
        memcpy(at, text, strlen(text) + 1);
        return true;
    case MF_KEY_WORD:
        return find_word(r, line, text, key, at);
    case MF_KEY_TRIPLE:
    case MF_KEY_PAIR:
    case MF_KEY_MAP:
    case MF_KEY_ARRAY:
    case MF_KEY_LIST:
    case MF_KEY_OTHER:
    default:
        return mf_reading_refuse(r, line, "cannot be set by one text");
    }
}

/* Recursion is as deep as the tables of keys are, whatever the file holds. */
// NOLINTBEGIN(misc-no-recursion)

/* Find the structs of a list, and set its count. @return NULL: the error is set */
static uint8_t *begin_list(struct mf_reading *r, const struct mf_key *key, int line, size_t count,
                           uint8_t *base)
{
    if ((key->type == MF_KEY_ARRAY || key->most > 0) && count > key->most) {
        (void)mf_reading_refuse(r, line, "has more than %u members", (unsigned)key->most);
        return NULL;
    }
    uint8_t *first = base + key->offset;
    if (key->type == MF_KEY_LIST) {
        first = mf_reading_array(r, line, count, key->size);
        if (first == NULL) {
            return NULL;
        }
        memcpy(base + key->offset, &first, sizeof first);
        for (size_t i = 0; i < count && key->defaults != NULL; i++) {
            key->defaults(first + i * key->size);
        }
    }
    *(uint32_t *)(void *)(base + key->count_at) = (uint32_t)count;
    add_count_to_sum(r, count);
    return first;
}

static bool read_list(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                      uint8_t *base)
{
    const int line = node != NULL ? mf_node_line(node) : r->line;
    if (key->one && (node == NULL || mf_node_kind(node) != MF_NODE_LIST)) {
        uint8_t *only = begin_list(r, key, line, 1, base);
        return only != NULL && mf_keys_read(r, key->keys, node, only);
    }
    if (mf_node_kind(node) != MF_NODE_LIST) {
        return mf_reading_refuse(r, line, "must be a list");
    }
    const size_t count = mf_node_count(node);
    uint8_t *first = begin_list(r, key, line, count, base);
    for (size_t i = 0; first != NULL && i < count; i++) {
        const size_t n = enter_index(r, i);
        if (!mf_keys_read(r, key->keys, mf_node_at(r->tree, node, i), first + i * key->size)) {
            return false;
        }
        leave_key(r, n);
    }
    return first != NULL;
}

static bool read_value(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       uint8_t *base)
{
    char text[MF_KEYS_TEXT_MAX];
    void *at = base + key->offset;
    r->line = mf_node_line(node);
    switch (key->type) {
    case MF_KEY_MAP:
        return mf_keys_read(r, key->keys, node, at);
    case MF_KEY_ARRAY:
    case MF_KEY_LIST:
        return read_list(r, key, node, base);
    case MF_KEY_OTHER:
        return key->read(r, key, node, at);
    case MF_KEY_PAIR:
        return mf_reading_numbers(r, node, 2, 2, key->low, key->high, at);
    case MF_KEY_TRIPLE:
        return mf_reading_numbers(r, node, 2, 3, key->low, key->high, at);
    case MF_KEY_REAL:
    case MF_KEY_WHOLE:
    case MF_KEY_LONG:
    case MF_KEY_BOOL:
    case MF_KEY_TEXT:
    case MF_KEY_WORD:
    default:
        return mf_reading_text(r, node, text) && set_text(r, key, mf_node_line(node), text, at);
    }
}

/* ---- maps */

static const struct mf_key *find(const struct mf_keys *keys, const char *name)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (strcmp(keys->key[i].name, name) == 0) {
            return &keys->key[i];
        }
    }
    return NULL;
}

static bool unknown(struct mf_reading *r, const struct mf_keys *keys, int line, const char *name)
{
    struct mf_nearest nearest = {.word = name};
    const char *kind = mf_filekind_of_key(name);
    if (kind != NULL) {
        return mf_reading_refuse(r, line, "unknown key '%s', of %s: docs/scenarios.md has all keys",
                                 name, kind);
    }
    for (size_t i = 0; i < keys->count; i++) {
        mf_nearest_try(&nearest, keys->key[i].name);
    }
    return mf_reading_refuse(
        r, line, "unknown key '%s'%s%s%s", name, nearest.best != NULL ? ", did you mean '" : "",
        nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
}

/* Find the override of a key that counts. Those that it replaces are used, too: the caller has
 * meant them. @return NULL: the file's value counts */
static struct mf_key_override *find_override(struct mf_reading *r, const char *path)
{
    struct mf_key_override *best = NULL;
    for (uint32_t i = 0; i < r->overrides; i++) {
        struct mf_key_override *o = &r->override[i];
        if (strcmp(o->path, path) == 0) {
            o->used = true;
            best = o->rank >= r->rank && (best == NULL || o->rank > best->rank) ? o : best;
        }
    }
    return best;
}

static bool is_below(const struct mf_reading *r, const char *path)
{
    const size_t n = strlen(r->path);
    return strncmp(path, r->path, n) == 0 && path[n] == '.';
}

/* Does an override that counts exist for a key below r->path? */
static bool overrides_below(const struct mf_reading *r)
{
    for (uint32_t i = 0; i < r->overrides; i++) {
        if (r->override[i].rank >= r->rank && is_below(r, r->override[i].path)) {
            return true;
        }
    }
    return false;
}

/* Read the value of an override of r->path. A variation's keys below it lose to a whole map of the
 * command line. */
static bool read_override(struct mf_reading *r, const struct mf_key *key,
                          const struct mf_key_override *instead, uint8_t *base)
{
    const struct mf_yaml *tree = r->tree;
    const uint32_t rank = r->rank;
    r->tree = instead->tree;
    r->rank = instead->rank;
    for (uint32_t i = 0; i < r->overrides; i++) {
        struct mf_key_override *o = &r->override[i];
        o->used = o->used || (o->rank < r->rank && is_below(r, o->path));
    }
    const bool good = read_value(r, key, instead->node, base);
    r->tree = tree;
    r->rank = rank;
    return good;
}

/* Read one key. @param node  value in the file; NULL: the file lacks the key */
static bool read_key(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                     uint8_t *base)
{
    const size_t n = enter_key(r, key->name);
    const struct mf_key_override *instead = find_override(r, r->path);
    const uint64_t sum = r->sum;
    bool good = true;
    if (instead != NULL) {
        good = read_override(r, key, instead, base);
    } else if (node != NULL) {
        good = read_value(r, key, node, base);
    } else if (key->type == MF_KEY_MAP && overrides_below(r)) {
        good = mf_keys_read(r, key->keys, NULL, base + key->offset);
    } else if (key->one && overrides_below(r)) {
        good = read_list(r, key, NULL, base);
    } else if (key->open && overrides_below(r)) {
        good = key->read(r, key, NULL, base + key->offset);
    }
    r->sum = key->loose ? sum : r->sum;
    if (good) {
        leave_key(r, n); /* after an error the path still names the key */
    }
    return good;
}

/* Read the keys that the map has, then those that only overrides give. */
static bool read_pairs(struct mf_reading *r, const struct mf_keys *keys, const struct mf_node *node,
                       uint8_t *base)
{
    for (size_t i = 0; i < mf_node_count(node); i++) {
        struct mf_yaml_error error;
        const char *name = mf_node_key(r->tree, node, i, &error);
        if (name == NULL) {
            return mf_reading_refuse(r, error.line, "%s", error.reason);
        }
        const struct mf_key *key = find(keys, name);
        if (key == NULL) {
            return unknown(r, keys, mf_node_key_line(r->tree, node, i), name);
        }
        if (!read_key(r, key, mf_node_at(r->tree, node, i), base)) {
            return false;
        }
    }
    return true;
}

static bool has(const struct mf_reading *r, const struct mf_node *node, const char *name)
{
    for (size_t i = 0; node != NULL && i < mf_node_count(node); i++) {
        struct mf_yaml_error error;
        const char *key = mf_node_key(r->tree, node, i, &error);
        if (key != NULL && strcmp(key, name) == 0) {
            return true;
        }
    }
    return false;
}

bool mf_keys_read(struct mf_reading *r, const struct mf_keys *keys, const struct mf_node *node,
                  void *at)
{
    MF_ASSERT(r != NULL && keys != NULL && at != NULL);
    uint8_t *base = at;
    if (node != NULL && keys->line_at != SIZE_MAX) {
        *(int *)(void *)(base + keys->line_at) = mf_node_line(node);
    }
    if (node != NULL && mf_node_kind(node) == MF_NODE_TEXT && keys->alone != NULL) {
        return read_value(r, find(keys, keys->alone), node, base);
    }
    if (node != NULL && mf_node_kind(node) != MF_NODE_MAP) {
        return mf_reading_refuse(r, mf_node_line(node), "must be a map of keys to values");
    }
    if (node != NULL && !read_pairs(r, keys, node, base)) {
        return false;
    }
    for (size_t i = 0; r->overrides > 0 && i < keys->count; i++) {
        if (!has(r, node, keys->key[i].name) && !read_key(r, &keys->key[i], NULL, base)) {
            return false;
        }
    }
    return true;
}

// NOLINTEND(misc-no-recursion)

/* ---- maps of any names */

/* Read an override as a pair of an open map. */
static bool take_override(struct mf_reading *r, const struct mf_key_override *o, const char *name,
                          mf_key_pair *pair, void *ctx)
{
    MF_ASSERT(o != NULL);
    const struct mf_yaml *tree = r->tree;
    r->tree = o->tree;
    add_to_sum(r, name);
    const bool good = pair(r, name, mf_node_line(o->node), o->node, ctx);
    r->tree = tree;
    return good;
}

static bool take_pair(struct mf_reading *r, const struct mf_node *map, size_t i, mf_key_pair *pair,
                      void *ctx)
{
    struct mf_yaml_error error;
    const char *name = mf_node_key(r->tree, map, i, &error);
    if (name == NULL) {
        return mf_reading_refuse(r, error.line, "%s", error.reason);
    }
    const size_t n = enter_key(r, name);
    const struct mf_key_override *instead = find_override(r, r->path);
    leave_key(r, n);
    if (instead != NULL) {
        return take_override(r, instead, name, pair, ctx);
    }
    add_to_sum(r, name);
    return pair(r, name, mf_node_key_line(r->tree, map, i), mf_node_at(r->tree, map, i), ctx);
}

void *mf_reading_pair_array(struct mf_reading *r, const struct mf_node *node, size_t size)
{
    size_t count = node != NULL ? mf_node_count(node) : 0;
    for (uint32_t i = 0; i < r->overrides; i++) {
        count += is_below(r, r->override[i].path) ? 1u : 0u;
    }
    return mf_reading_array(r, node != NULL ? mf_node_line(node) : r->line, count, size);
}

bool mf_reading_pairs(struct mf_reading *r, const struct mf_node *node, mf_key_pair *pair,
                      void *ctx)
{
    const size_t n = strlen(r->path);
    if (node != NULL && mf_node_kind(node) != MF_NODE_MAP) {
        return mf_reading_refuse(r, mf_node_line(node), "must be a map of names to values");
    }
    for (size_t i = 0; node != NULL && i < mf_node_count(node); i++) {
        if (!take_pair(r, node, i, pair, ctx)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < r->overrides; i++) {
        const struct mf_key_override *o = &r->override[i];
        const bool fresh = is_below(r, o->path) && !o->used && !has(r, node, o->path + n + 1);
        if (fresh && !take_override(r, find_override(r, o->path), o->path + n + 1, pair, ctx)) {
            return false;
        }
    }
    return true;
}

bool mf_keys_all_used(struct mf_reading *r)
{
    for (uint32_t i = 0; i < r->overrides; i++) {
        const struct mf_key_override *o = &r->override[i];
        if (!o->used) {
            r->path[0] = '\0';
            return mf_reading_refuse(r, mf_node_line(o->node), "no value is called '%.100s'",
                                     o->path);
        }
    }
    return true;
}
