/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSON (RFC 8259): a writer into a buffer of the caller's, and a reader of small objects, strict
 * and not recursive. Allocates nothing.
 */
#ifndef MF_HOST_BASE_JSON_H
#define MF_HOST_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Maximum nesting of objects and arrays when writing. */
#define MF_JSON_DEPTH_MAX 16u

/** Writer of one value. Keys are NULL within arrays and for the outermost value. */
struct mf_json {
    char *at; /**< [cap], owned by the caller; not terminated */
    size_t cap;
    size_t len;
    bool full;   /**< a value did not fit: len is undefined */
    bool pretty; /**< one member on each line */
    uint8_t depth;
    bool comma;                   /**< the next value needs a comma */
    char ends[MF_JSON_DEPTH_MAX]; /**< closing characters of the open objects and arrays */
};

/** @brief Begin. */
struct mf_json mf_json_writer(char *at, size_t cap);

/** @brief Begin an object or an array; end the innermost open one. */
void mf_json_object(struct mf_json *j, const char *key);
void mf_json_array(struct mf_json *j, const char *key);
void mf_json_end(struct mf_json *j);

/** @brief Write a text, with escapes where needed; bytes that are not UTF-8 become U+FFFD. NULL
 * becomes null. */
void mf_json_text(struct mf_json *j, const char *key, const char *text);
void mf_json_integer(struct mf_json *j, const char *key, int64_t value);
void mf_json_bool(struct mf_json *j, const char *key, bool value);
void mf_json_null(struct mf_json *j, const char *key);

/** @brief Write members of an object that are JSON already, with commas between them. */
void mf_json_members(struct mf_json *j, const char *members, size_t n);

/** @brief Write a number with @p decimals (0 .. 9) digits; null if it is not finite or beyond
 * 1e15. */
void mf_json_number(struct mf_json *j, const char *key, double value, int decimals);

/** Maximum number of members of an object when reading. */
#define MF_JSON_MEMBERS_MAX 16u
/** Longest name and longest text, in UTF-8, with the NUL [characters]. */
#define MF_JSON_NAME_MAX 32u
#define MF_JSON_TEXT_MAX 512u
/** Maximum number of numbers in an array when reading. */
#define MF_JSON_ITEMS_MAX 8u

enum mf_json_kind {
    MF_JSON_NULL,
    MF_JSON_BOOL,
    MF_JSON_NUMBER,
    MF_JSON_TEXT,
    MF_JSON_NUMBERS /**< array of numbers */
};

struct mf_json_member {
    char name[MF_JSON_NAME_MAX];
    enum mf_json_kind kind;
    bool truth;
    double number;
    size_t count;
    double item[MF_JSON_ITEMS_MAX];
    char text[MF_JSON_TEXT_MAX]; /**< without NUL characters */
};

struct mf_json_members {
    size_t count;
    struct mf_json_member member[MF_JSON_MEMBERS_MAX];
    char error[96]; /**< after a failure: one line */
};

/** @brief Read one object of scalars and arrays of numbers, and nothing after it. Refuses repeated
 * names, texts that are not UTF-8, and everything beyond the limits.
 * @param text  [n], any bytes  @return false with members->error set */
bool mf_json_read(struct mf_json_members *members, const char *text, size_t n);

/** @brief Find the member of a name. @return NULL: missing */
const struct mf_json_member *mf_json_find(const struct mf_json_members *members, const char *name);

#endif
