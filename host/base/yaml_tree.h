/* SPDX-License-Identifier: Apache-2.0 */
/**
 * YAML as a tree whose nodes know their line: texts, lists, and maps of keys to nodes. Whoever
 * reads a file by it says what the keys mean.
 */
#ifndef MF_HOST_BASE_YAML_TREE_H
#define MF_HOST_BASE_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Longest key of a map, with its NUL [characters]. */
#define MF_YAML_KEY_MAX 48u
/** Longest reason why a text is no tree, with its NUL [characters]. */
#define MF_YAML_REASON_MAX 160u

enum mf_node_kind {
    MF_NODE_TEXT,
    MF_NODE_LIST,
    MF_NODE_MAP,
};

struct mf_yaml;

/** A node; its tree owns it. */
struct mf_node;

/** Why a file could not be read, or a map's keys are wrong. */
struct mf_yaml_error {
    int line;
    char reason[MF_YAML_REASON_MAX];
};

/** @brief Read all of a file. @param root  out: NULL: the file is empty
 *  @return NULL with @p error set: it is not YAML, or there is no memory */
struct mf_yaml *mf_yaml_read(FILE *file, const struct mf_node **root, struct mf_yaml_error *error);

/** @brief The same of a text. @param text  [n] */
struct mf_yaml *mf_yaml_read_text(const char *text, size_t n, const struct mf_node **root,
                                  struct mf_yaml_error *error);

/** @brief All nodes are gone. @param tree  may be NULL */
void mf_yaml_free(struct mf_yaml *tree);

enum mf_node_kind mf_node_kind(const struct mf_node *node);

/** @brief Line of the file, from 1. */
int mf_node_line(const struct mf_node *node);

/** @brief Its text. @return NULL: it is a list or map, or has a NUL within */
const char *mf_node_text(const struct mf_node *node);

/** @brief Members of a list, pairs of a map; 0 of a text. */
size_t mf_node_count(const struct mf_node *node);

/** @brief A member of a list, or the value of a pair. @param i  below mf_node_count() */
const struct mf_node *mf_node_at(const struct mf_yaml *tree, const struct mf_node *node, size_t i);

/** @brief The key of a pair, which must be a short text that no pair before has.
 *  @param same  do two keys mean the same?  @return NULL with @p error set */
const char *mf_node_key(const struct mf_yaml *tree, const struct mf_node *map, size_t i,
                        bool (*same)(const char *a, const char *b), struct mf_yaml_error *error);

/** @brief Line of that key. */
int mf_node_key_line(const struct mf_yaml *tree, const struct mf_node *map, size_t i);

#endif
