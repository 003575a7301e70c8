/* SPDX-License-Identifier: Apache-2.0 */
/**
 * JSON (RFC 8259) of any size, to MF_NESTING_MAX levels, read in place: a text is checked once,
 * then values are places in it. Allocates and copies nothing; a step within an object or array
 * costs the length of the skipped text.
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

/** Value in a text that mf_json_view_check() has accepted; the text must stay. */
struct mf_json_view {
    const char *at; /**< its first character; NULL: missing */
};

/** Place of the first fault of a text, from 1. */
struct mf_json_mistake {
    unsigned line, column;
    const char *what; /**< static */
};

/** @brief Check that a text for another JSON parser has at most MF_NESTING_MAX levels. That parser
 * finds all other faults. @param text  [n], any bytes  @return false with @p mistake set */
bool mf_json_nesting(const char *text, size_t n, struct mf_json_mistake *mistake);

/** @brief Check that a text is one value, with nothing after it. @param text  [n] and a NUL
 * @param root  out: the value  @return false with @p mistake set */
bool mf_json_view_check(const char *text, size_t n, struct mf_json_view *root,
                        struct mf_json_mistake *mistake);

enum mf_json_view_kind mf_json_view_kind(struct mf_json_view v);

/** @brief Word for messages: "an object", "missing". */
const char *mf_json_view_word(struct mf_json_view v);

/** @brief Find a member; the first one, if the name is repeated. @return missing: no such member,
 * or not an object */
struct mf_json_view mf_json_view_get(struct mf_json_view object, const char *key);

/** @brief Find the member after another one. @param value  value of that member; missing: find the
 * first one
 * @param name  out [cap]: its name, with escapes unchanged, cut off
 * @return its value; missing: the last one was before, or not an object */
struct mf_json_view mf_json_view_member(struct mf_json_view object, struct mf_json_view value,
                                        char *name, size_t cap);

/** @brief First item of an array. @return missing: empty, or not an array */
struct mf_json_view mf_json_view_first(struct mf_json_view array);

/** @brief Item after another one. @return missing: that was the last one */
struct mf_json_view mf_json_view_next(struct mf_json_view item);

/** @brief Number of items of an array; 0 for other values. */
size_t mf_json_view_count(struct mf_json_view array);

/** @brief Number of a value; NaN: not a number. */
double mf_json_view_number(struct mf_json_view v);

/** @brief Copy a text without its quotes, with escapes unchanged, cut off at the end of the room;
 * "" for other values.
 * @param text  out [cap] */
void mf_json_view_text(struct mf_json_view v, char *text, size_t cap);

#endif
