/* SPDX-License-Identifier: Apache-2.0 */
/* Variations and values of the command line. Called by fleet/scenario. */
#include "fleet/scenario_given.h"

#include "fleet/key_forms.h"
#include "host/base/value.h"

#include <stdio.h>
#include <string.h>

static const struct mf_node *member(const struct mf_reading *r, const struct mf_node *map,
                                    const char *name)
{
    for (size_t i = 0; map != NULL && mf_node_kind(map) == MF_NODE_MAP && i < mf_node_count(map);
         i++) {
        struct mf_yaml_error error;
        const char *key = mf_node_key(r->tree, map, i, &error);
        if (key != NULL && strcmp(key, name) == 0) {
            return mf_node_at(r->tree, map, i);
        }
    }
    return NULL;
}

/* Take the values of a variation. */
static bool take_variation(struct mf_reading *r, struct mf_scenario *s, const struct mf_node *map)
{
    if (mf_node_kind(map) != MF_NODE_MAP || mf_node_count(map) > MF_KEYS_OVERRIDES_MAX / 2u) {
        return mf_reading_refuse(r, mf_node_line(map),
                                 "variation %s must be a map of at most %u keys", s->variation,
                                 MF_KEYS_OVERRIDES_MAX / 2u);
    }
    for (size_t i = 0; i < mf_node_count(map); i++) {
        struct mf_yaml_error error;
        const char *path = mf_node_key(r->tree, map, i, &error);
        if (path == NULL) {
            return mf_reading_refuse(r, error.line, "%s", error.reason);
        }
        r->override[r->overrides++] =
            (struct mf_key_override){path, mf_node_at(r->tree, map, i), r->tree, 0, false};
    }
    return true;
}

/* List the names of variations, "plain, slow, physics", as many as fit. */
static void list_names(const struct mf_reading *r, const struct mf_node *all, size_t n,
                       char names[MF_KEYS_TEXT_MAX])
{
    size_t used = 0;
    names[0] = '\0';
    for (size_t i = 0; i < n && used < MF_KEYS_TEXT_MAX - 40u; i++) {
        struct mf_yaml_error error;
        const char *name = mf_node_key(r->tree, all, i, &error);
        used += (size_t)snprintf(names + used, MF_KEYS_TEXT_MAX - used, "%s%.31s",
                                 i > 0 ? ", " : "", name != NULL ? name : "?");
    }
    if (n > 0 && used >= MF_KEYS_TEXT_MAX - 40u) {
        (void)snprintf(names + used, MF_KEYS_TEXT_MAX - used, ", ...");
    }
}

bool mf_given_variation(struct mf_reading *r, const struct mf_node *root, const char *wanted,
                        struct mf_scenario *s)
{
    const struct mf_node *all = member(r, root, "variations");
    const size_t n = all != NULL && mf_node_kind(all) == MF_NODE_MAP ? mf_node_count(all) : 0;
    double number = -1.0;
    const char *end = mf_value_number(wanted, &number);
    for (size_t i = 0; i < n; i++) {
        struct mf_yaml_error error;
        const char *name = mf_node_key(r->tree, all, i, &error);
        const bool by_number = end != NULL && *end == '\0' && number == (double)i;
        if (name == NULL) {
            return mf_reading_refuse(r, error.line, "%s", error.reason);
        }
        if (strcmp(name, wanted) == 0 || by_number) {
            (void)snprintf(s->variation, sizeof s->variation, "%.31s", name);
            s->variation_number = (uint32_t)i;
            return take_variation(r, s, mf_node_at(r->tree, all, i));
        }
    }
    char names[MF_KEYS_TEXT_MAX];
    list_names(r, all, n, names);
    return mf_reading_refuse(r, all != NULL ? mf_node_line(all) : 1,
                             "there is no variation '%.40s' %s%s", wanted,
                             n > 0 ? "among " : "as there are none", names);
}

/* Take "dotted.key=VALUE", or a key of the top. The value is YAML, as in the file. It outranks a
 * variation's, and a later one outranks an earlier one. */
static bool take_key(struct mf_reading *r, struct mf_given_tree *own, const char *set, size_t n)
{
    struct mf_yaml_error error;
    const struct mf_node *root;
    (void)snprintf(own->path, sizeof own->path, "%.*s", (int)n, set);
    own->tree = mf_yaml_read_text(set + n + 1, strlen(set + n + 1), &root, &error);
    if (own->tree == NULL || root == NULL) {
        return own->tree == NULL ? mf_reading_refuse(r, 1, "--set %.60s: line %d, %s", set,
                                                     error.line, error.reason)
                                 : mf_reading_refuse(r, 1, "--set %.60s: lacks a value", set);
    }
    r->override[r->overrides] =
        (struct mf_key_override){own->path, root, own->tree, r->overrides + 1u, false};
    r->overrides++;
    return true;
}

static bool is_top(const char *set, size_t n)
{
    for (size_t i = 0; i < mf_scenario_keys.count; i++) {
        const char *name = mf_scenario_keys.key[i].name;
        if (strlen(name) == n && strncmp(name, set, n) == 0) {
            return true;
        }
    }
    return false;
}

/* Does the text contain "${NAME}" or "${NAME:default}"? */
static bool asks_for(const char *text, size_t size, const char *name, size_t n)
{
    char plain[MF_KEYS_PATH_MAX + 4u], with_default[sizeof plain];
    (void)snprintf(plain, sizeof plain, "${%.*s}", (int)n, name);
    (void)snprintf(with_default, sizeof with_default, "${%.*s:", (int)n, name);
    return memmem(text, size, plain, n + 3u) != NULL ||
           memmem(text, size, with_default, n + 3u) != NULL;
}

/* Take the value of a ${NAME}. Refuse a name that the file lacks, because it is probably
 * misspelt. */
static bool take_variable(struct mf_reading *r, const struct mf_scenario_given *given,
                          const struct mf_given_text *file, const char *set, size_t n)
{
    bool asked = asks_for(file->text, file->size, set, n);
    for (size_t i = 0; i < given->sets && !asked; i++) {
        asked = asks_for(given->set[i], strlen(given->set[i]), set, n);
    }
    r->variable[r->variables++] = (struct mf_key_variable){set, n, set + n + 1};
    return asked || mf_reading_refuse(r, 1, "--set %.60s: the file has no ${%.*s}, and no such key",
                                      set, (int)n, set);
}

/* Take each --set: without a dot, "NAME=VALUE" is for ${NAME}. */
bool mf_given_values(struct mf_reading *r, const struct mf_scenario_given *given,
                     const struct mf_given_text *file, struct mf_given_tree *own)
{
    for (size_t i = 0; i < given->sets; i++) {
        const char *set = given->set[i];
        const char *equals = strchr(set, '=');
        if (equals == NULL || equals == set || (size_t)(equals - set) >= MF_KEYS_PATH_MAX ||
            r->overrides == MF_KEYS_OVERRIDES_MAX || r->variables == MF_KEYS_VARIABLES_MAX) {
            return mf_reading_refuse(r, 1, "--set %.60s is not KEY=VALUE", set);
        }
        const size_t n = (size_t)(equals - set);
        if (memchr(set, '.', n) == NULL && !is_top(set, n)) {
            if (!take_variable(r, given, file, set, n)) {
                return false;
            }
        } else if (!take_key(r, &own[i], set, n)) {
            return false;
        }
    }
    return true;
}
