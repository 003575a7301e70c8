/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSON (RFC 8259) of any size, to MF_NESTING_MAX levels, looked at where it stands: a text is
 * checked once, then values are places in it. Nothing is allocated or copied; to go on in an object
 * or array costs the length of what is passed.
 */
#ifndef MF_HOST_BASE_JSON_VIEW_H
#define MF_HOST_BASE_JSON_VIEW_H

#include <stdbool.h>
#include <stddef.h>

enum mf_json_view_kind {
    MF_JSON_VIEW_OBJECT,
    MF_JSON_VIEW_ARRAY,
    MF_JSON_VIEW_TEXT,
    MF_JSON_VIEW_NUMBER,
    MF_JSON_VIEW_TRUE,
    MF_JSON_VIEW_FALSE,
    MF_JSON_VIEW_NULL,
    MF_JSON_VIEW_MISSING
};

/** A value in a text that mf_json_view_check() took; the text stays. */
struct mf_json_view {
    const char *at; /**< its first character; NULL: missing */
};

/** Where a text breaks, from 1. */
struct mf_json_mistake {
    unsigned line, column;
    const char *what; /**< static */
};

/** @brief True if a text for another parser of JSON keeps to MF_NESTING_MAX levels. The parser
 *  finds all other mistakes. @param text  [n], any bytes  @return false with @p mistake set */
bool mf_json_nesting(const char *text, size_t n, struct mf_json_mistake *mistake);

/** @brief Is a text one value, and nothing behind it? @param text  [n] and a NUL
 *  @param root  out: the value  @return false with @p mistake set */
bool mf_json_view_check(const char *text, size_t n, struct mf_json_view *root,
                        struct mf_json_mistake *mistake);

enum mf_json_view_kind mf_json_view_kind(struct mf_json_view v);

/** @brief "an object", "missing": for messages. */
const char *mf_json_view_word(struct mf_json_view v);

/** @brief A member; the first one, if it comes twice. @return missing: there is none, or this is no
 * object */
struct mf_json_view mf_json_view_get(struct mf_json_view object, const char *key);

/** @brief The member behind one. @param value  of the one before; missing: the first one follows
 *  @param name  out [cap]: its name, escapes as they stand, cut off
 *  @return its value; missing: there is none, or this is not an object */
struct mf_json_view mf_json_view_member(struct mf_json_view object, struct mf_json_view value,
                                        char *name, size_t cap);

/** @brief The first item of an array. @return missing: there is none, or this is no array */
struct mf_json_view mf_json_view_first(struct mf_json_view array);

/** @brief The item behind one. @return missing: it was the last one */
struct mf_json_view mf_json_view_next(struct mf_json_view item);

/** @brief How many items an array has; 0 for whatever else. */
size_t mf_json_view_count(struct mf_json_view array);

/** @brief NaN if it is no number. */
double mf_json_view_number(struct mf_json_view v);

/** @brief A text without its quotes, its escapes as they stand, cut off where the room ends; "" if
 * it is none.
 *  @param text  out [cap] */
void mf_json_view_text(struct mf_json_view v, char *text, size_t cap);

#endif
