/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Configuration files. Keys nest according to their dots ("battery.voltage"), a list may be one
 * value or a sequence, a link may be a mapping with its own profile, forwarding, quality and
 * streams:
 *
 *     battery: {voltage: 15.1, remaining: 80}
 *     udp_out:
 *       - 127.0.0.1:14550
 *       - {address: 127.0.0.1:14540, profile: px4, streams: {ATTITUDE: 50}}
 *     params: {MPC_XY_CRUISE: 12}
 */
#include "host/base/filekind.h"
#include "host/base/value.h"
#include "host/base/yaml_tree.h"
#include "host/config/config_item.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* Maximum length of a key with its groups. */
#define KEY_MAX (2u * MF_YAML_KEY_MAX)

struct reader {
    struct mf_config *config;
    const struct mf_yaml *tree;
};

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

static struct mf_config_origin origin_of(const struct mf_node *node, enum mf_config_item_id item)
{
    return (struct mf_config_origin){
        .layer = MF_LAYER_FILE, .item = item, .line = mf_node_line(node)};
}

/* Read the key of a pair. @return NULL: refused, with an error */
static const char *key_of(struct reader *r, const struct mf_node *mapping, size_t i)
{
    struct mf_yaml_error error;
    const char *key = mf_node_key(r->tree, mapping, i, &error);
    if (key == NULL) {
        (void)refuse(r, error.line, "%s", error.reason);
    }
    return key;
}

/* ---- values */

static int set_scalar(struct reader *r, const struct mf_node *node, enum mf_config_item_id item)
{
    const struct mf_config_origin origin = origin_of(node, item);
    const char *text = mf_node_text(node);
    if (text == NULL) {
        return mf_config_complain(r->config, &origin, "must be a single value%s%s",
                                  mf_config_items[item].unit[0] != '\0' ? ", allowed: " : "",
                                  mf_config_items[item].unit);
    }
    return mf_config_set(r->config, &origin, text);
}

static int set_mapping_pairs(struct reader *r, const struct mf_node *node,
                             enum mf_config_item_id item, int link_id)
{
    for (size_t i = 0; i < mf_node_count(node); i++) {
        const char *key = key_of(r, node, i);
        const struct mf_node *value = mf_node_at(r->tree, node, i);
        const struct mf_config_origin origin = origin_of(value, item);
        if (key == NULL) {
            return MF_E_RANGE;
        }
        const char *text = mf_node_text(value);
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
                           const struct mf_node *value)
{
    const struct mf_config_origin origin = origin_of(value, link->origin.item);
    if (strcmp(key, "address") == 0) {
        return MF_E_OK;
    }
    if (strcmp(key, "profile") == 0) {
        const char *text = mf_node_text(value);
        link->profile =
            mf_config_word(r->config, &origin, MF_CONFIG_profile, text != NULL ? text : "");
        return link->profile < 0 ? MF_E_RANGE : MF_E_OK;
    }
    if (strcmp(key, "forward") == 0) {
        return set_link_forward(r, link, &origin, mf_node_text(value));
    }
    if (strcmp(key, "quality") == 0) {
        const struct mf_config_origin said = origin_of(value, MF_CONFIG_link_quality);
        const char *text = mf_node_text(value);
        link->has_quality = true;
        return mf_config_set_quality(r->config, &said, text != NULL ? text : "", &link->quality);
    }
    if (strcmp(key, "streams") == 0 && mf_node_kind(value) == MF_NODE_MAP) {
        return set_mapping_pairs(r, value, MF_CONFIG_streams, link->id);
    }
    return mf_config_complain(r->config, &origin,
                              "'%.40s' is not a part of a link, allowed: address, profile, "
                              "forward, quality, streams: {MESSAGE: HZ}",
                              key);
}

/* Read a link as a mapping: {address: ..., profile: ..., streams: {...}}. */
static int set_link_mapping(struct reader *r, const struct mf_node *node,
                            enum mf_config_item_id item)
{
    const struct mf_config_origin origin = origin_of(node, item);
    const char *address = NULL;
    for (size_t i = 0; i < mf_node_count(node); i++) {
        const char *key = key_of(r, node, i);
        if (key == NULL) {
            return MF_E_RANGE;
        }
        address =
            strcmp(key, "address") == 0 ? mf_node_text(mf_node_at(r->tree, node, i)) : address;
    }
    if (address == NULL || strcmp(address, "none") == 0) {
        return mf_config_complain(r->config, &origin, "a link needs an address: %s",
                                  mf_config_items[item].unit);
    }
    const int link = mf_config_add_link(r->config, &origin, address);
    for (size_t i = 0; link >= 0 && i < mf_node_count(node); i++) {
        const char *key = key_of(r, node, i);
        if (key == NULL || set_link_detail(r, &r->config->link[link], key,
                                           mf_node_at(r->tree, node, i)) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return link < 0 ? MF_E_RANGE : MF_E_OK;
}

static int set_element(struct reader *r, const struct mf_node *node, enum mf_config_item_id item)
{
    const bool link = mf_config_items[item].type == MF_TYPE_LINK &&
                      mf_config_items[item].low < (double)MF_LINK_TIME_SOCKET;
    if (mf_node_kind(node) == MF_NODE_MAP && link) {
        return set_link_mapping(r, node, item);
    }
    return set_scalar(r, node, item);
}

/* Read home as a sequence: [47.4, 8.5, 488] is the same as "47.4, 8.5, 488". */
static int set_home_sequence(struct reader *r, const struct mf_node *node)
{
    char joined[256] = "";
    const struct mf_config_origin origin = origin_of(node, MF_CONFIG_home);
    for (size_t i = 0; i < mf_node_count(node); i++) {
        const char *text = mf_node_text(mf_node_at(r->tree, node, i));
        const size_t n = strlen(joined);
        if (text == NULL || n + strlen(text) + 2 > sizeof joined) {
            return mf_config_complain(r->config, &origin,
                                      "is not a place, allowed: [LAT, LON, ALT_AMSL, HEADING]");
        }
        (void)snprintf(joined + n, sizeof joined - n, "%s%s", i == 0 ? "" : ",", text);
    }
    return mf_config_set(r->config, &origin, joined);
}

static int set_sequence(struct reader *r, const struct mf_node *node, enum mf_config_item_id item)
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
    if (mf_node_count(node) == 0) { /* the empty list: none */
        const struct mf_config_origin origin = origin_of(node, item);
        return mf_config_set(r->config, &origin, "none");
    }
    for (size_t i = 0; i < mf_node_count(node); i++) {
        if (set_element(r, mf_node_at(r->tree, node, i), item) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

static int set_value(struct reader *r, const struct mf_node *node, enum mf_config_item_id item)
{
    const enum mf_config_type type = mf_config_items[item].type;
    if (mf_node_kind(node) == MF_NODE_LIST) {
        return set_sequence(r, node, item);
    }
    if (mf_node_kind(node) == MF_NODE_MAP && (type == MF_TYPE_PARAM || type == MF_TYPE_RATE)) {
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

/* True if a key is the part before the dot of another key. */
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

/* Find the part before the dot of an item's key. @return false: the key does not contain a dot */
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
    const char *kind = mf_filekind_of_key(key);
    if (kind != NULL) {
        return refuse(
            r, line,
            "%s: unknown key; the file looks like %s: --print-config shows a file with all keys",
            key, kind);
    }
    return refuse(r, line, "%s: unknown key, %s%s%s", key,
                  nearest.best != NULL ? "did you mean " : "--help-all lists them",
                  nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "?" : "");
}

static int set_key(struct reader *r, int line, const char *key, const struct mf_node *value)
{
    const int item = find_key(key);
    if (item < 0) {
        if (is_group(key)) {
            return refuse(r, line, "%s: must be a group of keys, such as %s: {...}", key, key);
        }
        return unknown_key(r, line, key);
    }
    return set_value(r, value, (enum mf_config_item_id)item);
}

static int read_group(struct reader *r, const char *group, const struct mf_node *mapping)
{
    for (size_t i = 0; i < mf_node_count(mapping); i++) {
        char full[KEY_MAX];
        const char *key = key_of(r, mapping, i);
        if (key == NULL) {
            return MF_E_RANGE;
        }
        (void)snprintf(full, sizeof full, "%s.%s", group, key);
        if (set_key(r, mf_node_key_line(r->tree, mapping, i), full,
                    mf_node_at(r->tree, mapping, i)) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

static int read_top(struct reader *r, const struct mf_node *mapping)
{
    for (size_t i = 0; i < mf_node_count(mapping); i++) {
        const char *key = key_of(r, mapping, i);
        const struct mf_node *value = mf_node_at(r->tree, mapping, i);
        if (key == NULL) {
            return MF_E_RANGE;
        }
        const bool group = mf_node_kind(value) == MF_NODE_MAP && is_group(key);
        const int result = group ? read_group(r, key, value)
                                 : set_key(r, mf_node_key_line(r->tree, mapping, i), key, value);
        if (result != MF_E_OK) {
            return result;
        }
    }
    return MF_E_OK;
}

/* ---- the document */

static int read_document(struct reader *r, const struct mf_node *root)
{
    if (root == NULL) {
        return MF_E_OK; /* an empty file: all defaults */
    }
    if (mf_node_kind(root) != MF_NODE_MAP) {
        return refuse(r, mf_node_line(root),
                      "must be keys and values in YAML, as --print-config shows");
    }
    return read_top(r, root);
}

static int parse_file(struct reader *r, FILE *file)
{
    const struct mf_node *root;
    struct mf_yaml_error error;
    struct mf_yaml *tree = mf_yaml_read(file, true, &root, &error);
    if (tree == NULL) {
        return refuse(r, error.line, "%s", error.reason);
    }
    r->tree = tree;
    const int result = read_document(r, root);
    mf_yaml_free(tree);
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
    const int result = parse_file(&r, file);
    (void)fclose(file);
    return result;
}
