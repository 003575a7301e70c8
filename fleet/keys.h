/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Keys of a file as a table: what each is called, what it holds, where it goes, what it means. One
 * reader serves every table, and every error names the file, the line, and what would be right.
 *
 * A text may hold ${NAME} or ${NAME:default}. Values from elsewhere, such as a variation, take the
 * place of those of the file by their dotted key, "entities.0.count".
 */
#ifndef MF_FLEET_KEYS_H
#define MF_FLEET_KEYS_H

#include "hal/types.h"
#include "host/base/yaml_tree.h"

/** Longest dotted key, longest text, longest error, each with its NUL [characters]. */
#define MF_KEYS_PATH_MAX  192u
#define MF_KEYS_TEXT_MAX  256u
#define MF_KEYS_ERROR_MAX 640u
/** Values that take the place of others. */
#define MF_KEYS_OVERRIDES_MAX 256u
/** Values of ${NAME} that are given. */
#define MF_KEYS_VARIABLES_MAX 64u

enum mf_key_type {
    MF_KEY_REAL,   /**< double */
    MF_KEY_WHOLE,  /**< uint32_t */
    MF_KEY_LONG,   /**< uint64_t, up to 2^53 */
    MF_KEY_BOOL,   /**< bool */
    MF_KEY_TEXT,   /**< char [size] */
    MF_KEY_WORD,   /**< int32_t: place in the list of words */
    MF_KEY_TRIPLE, /**< double [3]; the last may be left out */
    MF_KEY_PAIR,   /**< double [2] */
    MF_KEY_MAP,    /**< a struct with keys of its own */
    MF_KEY_LIST,   /**< of such structs: array [most], and a uint32_t with their count */
    MF_KEY_OTHER,  /**< read() knows */
};

struct mf_reading;
struct mf_key;

/** The reader of a key of type OTHER. @param at  the field  @return false: mf_reading_refuse() has
 * said why */
typedef bool mf_key_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                         void *at);

/** A table of keys. */
struct mf_keys {
    const struct mf_key *key;
    size_t count;
    const char *alone; /**< key that a text means which stands instead of the map; NULL: none */
    size_t line_at;    /**< offset of an int that gets the line; SIZE_MAX: none */
};

struct mf_key {
    const char *name;
    enum mf_key_type type;
    size_t offset;              /**< of the field */
    double low, high;           /**< REAL, WHOLE, LONG, PAIR, TRIPLE */
    size_t size;                /**< TEXT: room; LIST: of one struct */
    uint32_t most;              /**< LIST */
    size_t count_at;            /**< LIST: offset of the count */
    const char *const *words;   /**< WORD; NULL at its end */
    const struct mf_keys *keys; /**< MAP, LIST */
    bool one; /**< LIST: a map may stand instead, as a list of one without a number in its paths */
    mf_key_read *read; /**< OTHER */
    bool open; /**< OTHER: a map of any names, whose values may be given by their dotted keys, too.
                  read() is called for these alone with a node that is NULL */
    const char *help;
};

struct mf_key_override {
    const char *path;
    const struct mf_node *node;
    const struct mf_yaml *tree; /**< of the node */
    bool used;
};

struct mf_key_variable {
    const char *name;
    size_t name_len;
    const char *value;
};

/** A file that is being read. The caller fills in file, tree, overrides and variables. */
struct mf_reading {
    const char *file;
    const struct mf_yaml *tree;
    struct mf_key_override override[MF_KEYS_OVERRIDES_MAX];
    uint32_t overrides;
    struct mf_key_variable variable[MF_KEYS_VARIABLES_MAX];
    uint32_t variables;
    bool foreign; /**< others wrote it: ${NAME} is not looked for in the environment */
    char path[MF_KEYS_PATH_MAX]; /**< of what is being read */
    int line;
    char error[MF_KEYS_ERROR_MAX];
};

/** @brief Read a map into a struct. @param node  NULL: nothing stands there
 *  @return false: @p r has the error */
bool mf_keys_read(struct mf_reading *r, const struct mf_keys *keys, const struct mf_node *node,
                  void *at);

/** @brief Was every override used? @return false: the error names the one that was not */
bool mf_keys_all_used(struct mf_reading *r);

/** @brief The error "FILE:LINE: PATH: ...". @return false */
__attribute__((format(printf, 3, 4))) bool mf_reading_refuse(struct mf_reading *r, int line,
                                                             const char *format, ...);

/** @brief A text with its ${NAME} replaced. @param text  out [MF_KEYS_TEXT_MAX] */
bool mf_reading_text(struct mf_reading *r, const struct mf_node *node, char *text);

/** @brief A number within a range. */
bool mf_reading_number(struct mf_reading *r, const struct mf_node *node, double low, double high,
                       double *value);

/** @brief A pair of an open map. @return false: mf_reading_refuse() has said why */
typedef bool mf_key_pair(struct mf_reading *r, const char *name, int line,
                         const struct mf_node *value, void *ctx);

/** @brief All pairs of an open map, also those that are only given by their dotted key.
 *  @param node  NULL: nothing stands there  @return false: it is no map, or a pair was refused */
bool mf_reading_pairs(struct mf_reading *r, const struct mf_node *node, mf_key_pair *pair,
                      void *ctx);

/** @brief Numbers of a list. @param least, most  how many there must be; values of others stay */
bool mf_reading_numbers(struct mf_reading *r, const struct mf_node *node, size_t least, size_t most,
                        double low, double high, double *value);

#endif
