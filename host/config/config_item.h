/* SPDX-License-Identifier: Apache-2.0 */
/** Internal header of the configuration: the table as data, and functions that set one value. */
#ifndef MF_HOST_CONFIG_CONFIG_ITEM_H
#define MF_HOST_CONFIG_CONFIG_ITEM_H

#include "host/config/config.h"

enum mf_config_type {
    MF_TYPE_INT,
    MF_TYPE_REAL,
    MF_TYPE_BOOL,
    MF_TYPE_TEXT,
    MF_TYPE_WORD,
    MF_TYPE_UTC,
    MF_TYPE_CLOCK,
    MF_TYPE_QUALITY,
    MF_TYPE_HOME,
    MF_TYPE_LINK,
    MF_TYPE_FAULT,
    MF_TYPE_RULE,
    MF_TYPE_GEOID,
    MF_TYPE_PARAM,
    MF_TYPE_RATE,
    MF_TYPE_DO
};

enum mf_config_group {
#define X(name, title) MF_GROUP_##name,
    MF_CONFIG_GROUP_LIST(X)
#undef X
        MF_GROUP_COUNT
};

struct mf_config_item {
    enum mf_config_group group;
    enum mf_config_type type;
    size_t offset; /**< offset of the field in struct mf_config */
    const char *key, *env, *flag, *value;
    double low, high;
    const char *unit, *help;
};

extern const struct mf_config_item mf_config_items[MF_CONFIG_ITEM_COUNT];

/** @brief Set a setting to the text of a user. Lists take one element or several with commas.
 * @return MF_E_OK, or MF_E_RANGE with config->error set */
int mf_config_set(struct mf_config *config, const struct mf_config_origin *origin,
                  const char *text);

/** @brief Add an element of a map: a parameter, or a message's rate on all links or one. */
int mf_config_set_pair(struct mf_config *config, const struct mf_config_origin *origin, int link_id,
                       const char *name, const char *text);

/** @brief Set the quality of all links, or one. */
int mf_config_set_quality(struct mf_config *config, const struct mf_config_origin *origin,
                          const char *text, struct mf_link_quality *quality);

/** @brief Add a link. @return its place in the list, -1: "none", or MF_E_RANGE */
int mf_config_add_link(struct mf_config *config, const struct mf_config_origin *origin,
                       const char *address);

/**
 * @brief True if a text stays unchanged when read as a list's element, which excludes commas and
 * blanks at the ends. Other addresses are written {address: ...}.
 */
bool mf_config_is_element(const char *text);

/** @brief Find the index of a word in an item's list, or MF_E_RANGE. */
int mf_config_word(struct mf_config *config, const struct mf_config_origin *origin,
                   enum mf_config_item_id item, const char *text);

/** @brief Find the n-th word. @param word  out [MF_CONFIG_NAME_MAX] @return false: the list is
 * shorter */
bool mf_config_nth_word(const struct mf_config_item *item, int n, char *word);

/** @brief Read the file for mf_config_read(). */
int mf_config_read_file(struct mf_config *config, const char *path);

/**
 * @brief Move home to this instance's place on the grid of home_spread, which is 0 afterwards: so a
 * configuration that is printed and read again gives the same place.
 *
 * The grid has its axes north and east in the azimuthal equidistant projection around home. Its
 * points are numbered by rings, each clockwise from the north:
 *
 *     23 24  9 10 11
 *     22  8  1  2 12
 *     21  7  0  3 13
 *     20  6  5  4 14
 *     19 18 17 16 15
 */
void mf_config_spread_home(struct mf_config *config);

/** @brief True if two keys are equal; '-' and '_' count as equal. */
bool mf_config_same_key(const char *a, const char *b);

#endif
