/* SPDX-License-Identifier: Apache-2.0 */
/**
 * YAML as a tree whose nodes know their line: texts, lists, and maps of keys to nodes. Callers know
 * the meaning of keys.
 *
 * The tree is made from libyaml's events. Any text is refused or read in a time that grows only
 * with its length: nesting, aliases and %TAG directives are bounded, and the keys of a map are
 * sorted once to find repeated ones.
 */
#ifndef MF_HOST_BASE_YAML_TREE_H
#define MF_HOST_BASE_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Longest key of a map, with its NUL [characters]. */
#define MF_YAML_KEY_MAX 48u
/** Longest reason why a text is not a tree, with its NUL [characters]. */
#define MF_YAML_REASON_MAX 160u
/** Longest file that mf_yaml_read() reads [bytes]. */
#define MF_YAML_FILE_MAX (1u << 20)
/** Maximum number of anchors of a text, and of values that all its aliases repeat. */
#define MF_YAML_ANCHORS_MAX 64u
#define MF_YAML_REPEATS_MAX 4096u

enum mf_node_kind {
    MF_NODE_TEXT,
    MF_NODE_LIST,
    MF_NODE_MAP,
};

struct mf_yaml;

/** A node; its tree owns it. */
struct mf_node;

/** Reason why a file could not be read, or why a map's keys are wrong. */
struct mf_yaml_error {
    int line;
    char reason[MF_YAML_REASON_MAX];
};

/** @brief Read all of a file. @param dashes  '-' and '_' are equal in keys
 * @param root  out: NULL: the file is empty
 * @return NULL with @p error set: the file is not one document of YAML, exceeds a limit, or memory
 * is exhausted */
struct mf_yaml *mf_yaml_read(FILE *file, bool dashes, const struct mf_node **root,
                             struct mf_yaml_error *error);

/** @brief Read a text, as mf_yaml_read() does; keys are equal if all their characters are.
 *  @param text  [n]; not used after the call */
struct mf_yaml *mf_yaml_read_text(const char *text, size_t n, const struct mf_node **root,
                                  struct mf_yaml_error *error);

/** @brief Free all nodes. @param tree  may be NULL */
void mf_yaml_free(struct mf_yaml *tree);

enum mf_node_kind mf_node_kind(const struct mf_node *node);

/** @brief Line of the file, from 1. */
int mf_node_line(const struct mf_node *node);

/** @brief Text of a node. @return NULL: a list or map, or a text that contains a NUL */
const char *mf_node_text(const struct mf_node *node);

/** @brief True for a text without quotes that is not a block. */
bool mf_node_plain(const struct mf_node *node);

/** @brief Number of a list's members, or of a map's pairs; 0 for a text. */
size_t mf_node_count(const struct mf_node *node);

/** @brief A member of a list, or the value of a pair. @param i  below mf_node_count() */
const struct mf_node *mf_node_at(const struct mf_yaml *tree, const struct mf_node *node, size_t i);

/** @brief The node of a pair's key, of any kind. @param i  below mf_node_count() */
const struct mf_node *mf_node_key_at(const struct mf_yaml *tree, const struct mf_node *map,
                                     size_t i);

/** @brief Key of a pair, which must be a short text that differs from all keys before.
 * @return NULL with @p error set */
const char *mf_node_key(const struct mf_yaml *tree, const struct mf_node *map, size_t i,
                        struct mf_yaml_error *error);

/** @brief Line of a pair's key. */
int mf_node_key_line(const struct mf_yaml *tree, const struct mf_node *map, size_t i);

#endif
