/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Keys of a file as a table: name, type, place in a struct and meaning of each. One reader serves
 * every table, and every error names the file, the line, and the allowed values.
 *
 * A text may hold ${NAME} or ${NAME:default}. Values from elsewhere, such as a variation, replace
 * those of the file by their dotted key, "entities.0.count".
 */
#ifndef MF_FLEET_KEYS_H
#define MF_FLEET_KEYS_H

#include "hal/types.h"
#include "host/base/yaml_tree.h"

#include <stddef.h>

/** Longest dotted key, longest text, longest error, each with its NUL [characters]. */
#define MF_KEYS_PATH_MAX  192u
#define MF_KEYS_TEXT_MAX  256u
#define MF_KEYS_ERROR_MAX 640u
/** Maximum number of values that replace those of the file. */
#define MF_KEYS_OVERRIDES_MAX 256u
/** Maximum size of all arrays of what one file holds [bytes]. */
#define MF_KEYS_BYTES_MAX (256u << 20)
/** Maximum number of given values of ${NAME}. */
#define MF_KEYS_VARIABLES_MAX 64u

enum mf_key_type {
    MF_KEY_REAL,   /**< double */
    MF_KEY_WHOLE,  /**< uint32_t */
    MF_KEY_LONG,   /**< uint64_t, up to 2^53 */
    MF_KEY_BOOL,   /**< bool */
    MF_KEY_TEXT,   /**< char [size] */
    MF_KEY_WORD,   /**< int32_t: index in the list of words */
    MF_KEY_TRIPLE, /**< double [3]; the file may leave out the last number */
    MF_KEY_PAIR,   /**< double [2] */
    MF_KEY_MAP,    /**< struct with its own keys */
    MF_KEY_ARRAY,  /**< array [most] of structs with their own keys, and a uint32_t with their count
                    */
    MF_KEY_LIST,  /**< as ARRAY, but a pointer to mf_reading_array() with all that the file lists */
    MF_KEY_OTHER, /**< any type that the key's read() knows */
};

struct mf_reading;
struct mf_key;

/** Reader of a key of type OTHER. @param at  the field  @return false: mf_reading_refuse() has set
 * the error */
typedef bool mf_key_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                         void *at);

/** A table of keys. */
struct mf_keys {
    const struct mf_key *key;
    size_t count;
    const char *alone; /**< key that a text stands for in place of the map; NULL: a map only */
    size_t line_at;    /**< offset of an int that gets the line; SIZE_MAX: without one */
};

struct mf_key {
    const char *name;
    enum mf_key_type type;
    size_t offset;              /**< offset of the field in the struct */
    double low, high;           /**< REAL, WHOLE, LONG, PAIR, TRIPLE: limits */
    size_t size;                /**< TEXT: size of the field; ARRAY, LIST: size of one struct */
    uint32_t most;              /**< ARRAY, LIST: most elements; LIST: 0: as many as memory holds */
    size_t count_at;            /**< ARRAY, LIST: offset of the count */
    void (*defaults)(void *at); /**< LIST: sets the values that the file need not give, of one
                                   struct; NULL: all are 0 */
    const char *const *words;   /**< WORD: list of words, with NULL at its end */
    const struct mf_keys *keys; /**< MAP, ARRAY, LIST: table of the struct */
    bool one; /**< LIST: a map may replace it, as a list of one without a number in its paths */
    mf_key_read *read; /**< OTHER: reader */
    bool loose;        /**< leave the value out of the sum of all values */
    bool open; /**< OTHER: a map of any names, whose values the caller may also give by their dotted
                  keys. If only these exist, read() gets NULL as node */
    const char *help;
};

struct mf_key_override {
    const char *path;
    const struct mf_node *node;
    const struct mf_yaml *tree; /**< tree of the node */
    uint32_t rank; /**< of one key the highest counts, and hides lower ones of the keys below it */
    bool used;
};

struct mf_key_variable {
    const char *name;
    size_t name_len;
    const char *value;
};

/** Block of memory that holds an array of what was read from a file. */
struct mf_keys_block {
    struct mf_keys_block *next;
    _Alignas(max_align_t) uint8_t bytes[];
};

/** State of reading a file. The caller fills in file, tree, overrides and variables. */
struct mf_reading {
    const char *file;
    const struct mf_yaml *tree;
    struct mf_key_override override[MF_KEYS_OVERRIDES_MAX];
    uint32_t overrides;
    uint32_t rank; /**< overrides of a lower rank do not change the present map */
    struct mf_key_variable variable[MF_KEYS_VARIABLES_MAX];
    uint32_t variables;
    bool foreign; /**< the file is from another author: do not look up ${NAME} in the environment */
    char path[MF_KEYS_PATH_MAX]; /**< dotted key of the present value */
    int line;
    uint64_t sum;      /**< sum of the keys and values that were read, in their order; a loose key's
                          value is not part of it */
    uint64_t path_sum; /**< sum of the path, if path_summed: a list has many values of one path */
    bool path_summed;
    struct mf_keys_block *blocks; /**< mf_keys_free() releases them */
    size_t bytes;                 /**< size of all blocks together */
    char error[MF_KEYS_ERROR_MAX];
};

/** @brief Read a map into a struct. @param node  NULL: the file lacks the map
 * @return false: @p r has the error */
bool mf_keys_read(struct mf_reading *r, const struct mf_keys *keys, const struct mf_node *node,
                  void *at);

/** @brief True if every override was used. @return false: the error names the one that was not */
bool mf_keys_all_used(struct mf_reading *r);

/** @brief Allocate an array, cleared, in r->blocks. @param count  may be 0
 * @return NULL: mf_reading_refuse() has set the error: memory is exhausted, or MF_KEYS_BYTES_MAX */
void *mf_reading_array(struct mf_reading *r, int line, size_t count, size_t size);

/** @brief Release all arrays. @param blocks  may be NULL */
void mf_keys_free(struct mf_keys_block *blocks);

/** @brief Set the error "FILE:LINE: PATH: ...". @return false */
__attribute__((format(printf, 3, 4))) bool mf_reading_refuse(struct mf_reading *r, int line,
                                                             const char *format, ...);

/** @brief Read a text, and replace its ${NAME}. @param text  out [MF_KEYS_TEXT_MAX] */
bool mf_reading_text(struct mf_reading *r, const struct mf_node *node, char *text);

/** @brief Read a text of any length; its ${NAME} stays. @return the text, in r->blocks; NULL:
 * mf_reading_refuse() has set the error */
const char *mf_reading_block(struct mf_reading *r, const struct mf_node *node);

/** @brief Read a number within a range. */
bool mf_reading_number(struct mf_reading *r, const struct mf_node *node, double low, double high,
                       double *value);

/** Reader of one pair of an open map. @return false: mf_reading_refuse() has set the error */
typedef bool mf_key_pair(struct mf_reading *r, const char *name, int line,
                         const struct mf_node *value, void *ctx);

/** @brief Read all pairs of an open map, also those that only dotted keys give.
 * @param node  NULL: the file lacks the map  @return false: not a map, or a pair was refused */
bool mf_reading_pairs(struct mf_reading *r, const struct mf_node *node, mf_key_pair *pair,
                      void *ctx);

/** @brief Allocate an array with an element for each pair that mf_reading_pairs() reads.
 * @return NULL: as mf_reading_array() */
void *mf_reading_pair_array(struct mf_reading *r, const struct mf_node *node, size_t size);

/** Rows of a list: of numbers, or of characters. */
struct mf_reading_rows {
    size_t fewest, most; /**< limits of the count of rows; most 0: as many as memory holds */
    size_t least;        /**< of numbers: count that a row in the file has at least */
    size_t size;         /**< count of a row's numbers; of its characters, with the NUL */
};

/** @brief Read a list of lists of numbers. Numbers that the file leaves out of a row are 0.
 * @param key  low, high: limits of each number  @param count  out
 * @return double [count][size]; NULL: refused */
void *mf_reading_number_rows(struct mf_reading *r, const struct mf_key *key,
                             const struct mf_node *node, const struct mf_reading_rows *rows,
                             uint32_t *count);

/** @brief Read a text, or a list of texts. @param count  out
 * @return char [count][size]; NULL: refused */
void *mf_reading_text_rows(struct mf_reading *r, const struct mf_node *node,
                           const struct mf_reading_rows *rows, uint32_t *count);

/** @brief Read the numbers of a list. @param least, most  limits of their count; a shorter list
 * leaves the other values unchanged */
bool mf_reading_numbers(struct mf_reading *r, const struct mf_node *node, size_t least, size_t most,
                        double low, double high, double *value);

#endif
