/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file. Keys nest as their dots say ("battery.voltage"), lists may be one value or a sequence,
 * a link may be a mapping with its own profile, forwarding, quality and streams:
 *
 *     battery: {voltage: 15.1, remaining: 80}
 *     udp_out:
 *       - 127.0.0.1:14550
 *       - {address: 127.0.0.1:14540, profile: px4, streams: {ATTITUDE: 50}}
 *     params: {MPC_XY_CRUISE: 12}
 */
#include "host/base/value.h"
#include "host/config/config_item.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <yaml.h>

/* Longest key with its groups. */
#define KEY_MAX 96u

struct reader {
    struct mf_config *config;
    yaml_document_t document;
};

static yaml_node_t *node_at(struct reader *r, int index)
{
    return yaml_document_get_node(&r->document, index);
}

static int line_of(const yaml_node_t *node)
{
    return (int)node->start_mark.line + 1;
}

/* The text of a scalar without NUL inside, else NULL. */
static const char *text_of(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE ||
        memchr(node->data.scalar.value, '\0', node->data.scalar.length) != NULL) {
        return NULL;
    }
    return (const char *)node->data.scalar.value;
}

__attribute__((format(printf, 3, 4))) static int refuse(struct reader *r, int line,
                                                        const char *format, ...)
{
    char what[MF_CONFIG_ERROR_MAX / 2];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    (void)snprintf(r->config->error, sizeof r->config->error, "%.200s:%d: %s", r->config->config,
                   line, what);
    return MF_E_RANGE;
}

static struct mf_config_origin origin_of(const yaml_node_t *node, enum mf_config_item_id item)
{
    return (struct mf_config_origin){.layer = MF_LAYER_FILE, .item = item, .line = line_of(node)};
}

/* Keys of a mapping must be texts, and each only once. @return the key, NULL with an error set */
static const char *key_of(struct reader *r, const yaml_node_t *mapping,
                          const yaml_node_pair_t *pair)
{
    const yaml_node_t *node = node_at(r, pair->key);
    const char *key = text_of(node);
    if (key == NULL || strlen(key) >= KEY_MAX / 2) {
        (void)refuse(r, line_of(node), "a key must be a short text");
        return NULL;
    }
    for (const yaml_node_pair_t *other = mapping->data.mapping.pairs.start; other < pair; other++) {
        const yaml_node_t *earlier = node_at(r, other->key);
        const char *text = text_of(earlier);
        if (text != NULL && mf_config_same_key(text, key)) {
            (void)refuse(r, line_of(node), "key '%s' stands in line %d too", key, line_of(earlier));
            return NULL;
        }
    }
    return key;
}

/* ---- values */

static int set_scalar(struct reader *r, const yaml_node_t *node, enum mf_config_item_id item)
{
    const struct mf_config_origin origin = origin_of(node, item);
    const char *text = text_of(node);
    if (text == NULL) {
        return mf_config_complain(r->config, &origin, "must be a single value%s%s",
                                  mf_config_items[item].unit[0] != '\0' ? ", allowed: " : "",
                                  mf_config_items[item].unit);
    }
    return mf_config_set(r->config, &origin, text);
}

static int set_mapping_pairs(struct reader *r, const yaml_node_t *node, enum mf_config_item_id item,
                             int link_id)
{
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const char *key = key_of(r, node, pair);
        const yaml_node_t *value = node_at(r, pair->value);
        const struct mf_config_origin origin = origin_of(value, item);
        if (key == NULL) {
            return MF_E_RANGE;
        }
        const char *text = text_of(value);
        if (text == NULL) {
            return mf_config_complain(r->config, &origin, "%s must be a number", key);
        }
        if (mf_config_set_pair(r->config, &origin, link_id, key, text) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

static int set_link_forward(struct reader *r, struct mf_config_link *link,
                            const struct mf_config_origin *origin, const char *text)
{
    bool forward;
    if (text == NULL || !mf_value_bool(text, &forward)) {
        return mf_config_complain(r->config, origin,
                                  "forward is neither yes nor no, allowed: true, false");
    }
    link->forward = forward ? 1 : 0;
    return MF_E_OK;
}

static int set_link_detail(struct reader *r, struct mf_config_link *link, const char *key,
                           const yaml_node_t *value)
{
    const struct mf_config_origin origin = origin_of(value, link->origin.item);
    if (strcmp(key, "address") == 0) {
        return MF_E_OK;
    }
    if (strcmp(key, "profile") == 0) {
        const char *text = text_of(value);
        link->profile =
            mf_config_word(r->config, &origin, MF_CONFIG_profile, text != NULL ? text : "");
        return link->profile < 0 ? MF_E_RANGE : MF_E_OK;
    }
    if (strcmp(key, "forward") == 0) {
        return set_link_forward(r, link, &origin, text_of(value));
    }
    if (strcmp(key, "quality") == 0) {
        const struct mf_config_origin said = origin_of(value, MF_CONFIG_link_quality);
        const char *text = text_of(value);
        link->has_quality = true;
        return mf_config_set_quality(r->config, &said, text != NULL ? text : "", &link->quality);
    }
    if (strcmp(key, "streams") == 0 && value->type == YAML_MAPPING_NODE) {
        return set_mapping_pairs(r, value, MF_CONFIG_streams, link->id);
    }
    return mf_config_complain(r->config, &origin,
                              "'%.40s' is no part of a link, allowed: address, profile, "
                              "forward, quality, streams: {MESSAGE: HZ}",
                              key);
}

/* {address: ..., profile: ..., streams: {...}} */
static int set_link_mapping(struct reader *r, const yaml_node_t *node, enum mf_config_item_id item)
{
    const struct mf_config_origin origin = origin_of(node, item);
    const char *address = NULL;
    const yaml_node_pair_t *top = node->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < top; pair++) {
        const char *key = key_of(r, node, pair);
        if (key == NULL) {
            return MF_E_RANGE;
        }
        address = strcmp(key, "address") == 0 ? text_of(node_at(r, pair->value)) : address;
    }
    if (address == NULL || strcmp(address, "none") == 0) {
        return mf_config_complain(r->config, &origin, "a link needs an address: %s",
                                  mf_config_items[item].unit);
    }
    const int link = mf_config_add_link(r->config, &origin, address);
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; link >= 0 && pair < top;
         pair++) {
        const char *key = key_of(r, node, pair);
        if (key == NULL ||
            set_link_detail(r, &r->config->link[link], key, node_at(r, pair->value)) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return link < 0 ? MF_E_RANGE : MF_E_OK;
}

static int set_element(struct reader *r, const yaml_node_t *node, enum mf_config_item_id item)
{
    const bool link = mf_config_items[item].type == MF_TYPE_LINK &&
                      mf_config_items[item].low < (double)MF_LINK_TIME_SOCKET;
    if (node->type == YAML_MAPPING_NODE && link) {
        return set_link_mapping(r, node, item);
    }
    return set_scalar(r, node, item);
}

/* [47.4, 8.5, 488] is the same as "47.4, 8.5, 488" */
static int set_home_sequence(struct reader *r, const yaml_node_t *node)
{
    char joined[256] = "";
    const struct mf_config_origin origin = origin_of(node, MF_CONFIG_home);
    const yaml_node_item_t *start = node->data.sequence.items.start;
    for (const yaml_node_item_t *i = start; i < node->data.sequence.items.top; i++) {
        const char *text = text_of(node_at(r, *i));
        const size_t n = strlen(joined);
        if (text == NULL || n + strlen(text) + 2 > sizeof joined) {
            return mf_config_complain(r->config, &origin,
                                      "is no place, allowed: [LAT, LON, ALT_AMSL, HEADING]");
        }
        (void)snprintf(joined + n, sizeof joined - n, "%s%s", i == start ? "" : ",", text);
    }
    return mf_config_set(r->config, &origin, joined);
}

static int set_sequence(struct reader *r, const yaml_node_t *node, enum mf_config_item_id item)
{
    const enum mf_config_type type = mf_config_items[item].type;
    if (type == MF_TYPE_HOME) {
        return set_home_sequence(r, node);
    }
    if (type != MF_TYPE_LINK && type != MF_TYPE_FAULT && type != MF_TYPE_RULE &&
        type != MF_TYPE_GEOID) {
        const struct mf_config_origin origin = origin_of(node, item);
        return mf_config_complain(r->config, &origin, "must not be a list");
    }
    const yaml_node_item_t *start = node->data.sequence.items.start;
    if (start == node->data.sequence.items.top) { /* [] is none */
        const struct mf_config_origin origin = origin_of(node, item);
        return mf_config_set(r->config, &origin, "none");
    }
    for (const yaml_node_item_t *i = start; i < node->data.sequence.items.top; i++) {
        if (set_element(r, node_at(r, *i), item) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

static int set_value(struct reader *r, const yaml_node_t *node, enum mf_config_item_id item)
{
    const enum mf_config_type type = mf_config_items[item].type;
    if (node->type == YAML_SEQUENCE_NODE) {
        return set_sequence(r, node, item);
    }
    if (node->type == YAML_MAPPING_NODE && (type == MF_TYPE_PARAM || type == MF_TYPE_RATE)) {
        return set_mapping_pairs(r, node, item, -1);
    }
    return set_element(r, node, item);
}

/* ---- keys */

static int find_key(const char *key)
{
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        if (mf_config_items[i].key != NULL && mf_config_same_key(mf_config_items[i].key, key)) {
            return i;
        }
    }
    return MF_E_NOENT;
}

/* Is it the part before the dot of some key? */
static bool is_group(const char *key)
{
    const size_t n = strlen(key);
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const char *known = mf_config_items[i].key;
        if (known != NULL && strncmp(known, key, n) == 0 && known[n] == '.') {
            return true;
        }
    }
    return false;
}

/* The part before the dot of item @p i. @return false if there is none */
static bool group_of(int i, char *group, size_t size)
{
    const char *key = mf_config_items[i].key;
    const char *dot = key != NULL ? strchr(key, '.') : NULL;
    if (dot == NULL) {
        return false;
    }
    (void)snprintf(group, size, "%.*s", (int)(dot - key), key);
    return true;
}

static int unknown_key(struct reader *r, int line, const char *key)
{
    char groups[MF_CONFIG_ITEM_COUNT][16];
    struct mf_nearest nearest = {.word = key};
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        if (mf_config_items[i].key != NULL) {
            mf_nearest_try(&nearest, mf_config_items[i].key);
        }
        if (group_of(i, groups[i], sizeof groups[i])) {
            mf_nearest_try(&nearest, groups[i]);
        }
    }
    return refuse(r, line, "%s: unknown key, %s%s%s", key,
                  nearest.best != NULL ? "did you mean " : "--help lists them",
                  nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "?" : "");
}

static int set_key(struct reader *r, const yaml_node_t *key_node, const char *key,
                   const yaml_node_t *value)
{
    const int item = find_key(key);
    if (item < 0) {
        if (is_group(key)) {
            return refuse(r, line_of(key_node), "%s: must be a group of keys, such as %s: {...}",
                          key, key);
        }
        return unknown_key(r, line_of(key_node), key);
    }
    return set_value(r, value, (enum mf_config_item_id)item);
}

static int read_group(struct reader *r, const char *group, const yaml_node_t *mapping)
{
    const yaml_node_pair_t *top = mapping->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < top; pair++) {
        char full[KEY_MAX];
        const char *key = key_of(r, mapping, pair);
        if (key == NULL) {
            return MF_E_RANGE;
        }
        (void)snprintf(full, sizeof full, "%s.%s", group, key);
        if (set_key(r, node_at(r, pair->key), full, node_at(r, pair->value)) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

static int read_top(struct reader *r, const yaml_node_t *mapping)
{
    const yaml_node_pair_t *top = mapping->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < top; pair++) {
        const char *key = key_of(r, mapping, pair);
        const yaml_node_t *value = node_at(r, pair->value);
        if (key == NULL) {
            return MF_E_RANGE;
        }
        const bool group = value->type == YAML_MAPPING_NODE && is_group(key);
        const int result =
            group ? read_group(r, key, value) : set_key(r, node_at(r, pair->key), key, value);
        if (result != MF_E_OK) {
            return result;
        }
    }
    return MF_E_OK;
}

/* ---- the document */

static int read_document(struct reader *r)
{
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    if (root == NULL) {
        return MF_E_OK; /* empty: all defaults */
    }
    if (root->type != YAML_MAPPING_NODE) {
        return refuse(r, line_of(root), "must be keys and values");
    }
    return read_top(r, root);
}

static int parse(struct reader *r, FILE *file)
{
    yaml_parser_t parser;
    int result;
    if (!yaml_parser_initialize(&parser)) {
        return refuse(r, 1, "no memory to read it");
    }
    yaml_parser_set_input_file(&parser, file);
    if (yaml_parser_load(&parser, &r->document)) {
        result = read_document(r);
        yaml_document_delete(&r->document);
    } else {
        result = refuse(r, (int)parser.problem_mark.line + 1, "is not YAML: %s",
                        parser.problem != NULL ? parser.problem : "unreadable");
    }
    yaml_parser_delete(&parser);
    return result;
}

int mf_config_read_file(struct mf_config *config, const char *path)
{
    struct reader r = {.config = config};
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        (void)snprintf(config->error, sizeof config->error, "%.300s: %s", path, strerror(errno));
        return MF_E_RANGE;
    }
    const int result = parse(&r, file);
    (void)fclose(file);
    return result;
}
