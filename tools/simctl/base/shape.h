/* SPDX-License-Identifier: Apache-2.0 */
/** Shapes of JSON objects as tables, by which one function checks templates and requests. */
#ifndef MF_SIMCTL_SHAPE_H
#define MF_SIMCTL_SHAPE_H

#include "tools/web/error.h"

#include <jansson.h>

enum simctl_type {
    SIMCTL_TEXT, /**< a string */
    SIMCTL_NAME, /**< a string: a DNS label, as Kubernetes' names are */
    SIMCTL_WORD, /**< a string: one of low's words, "cluster|node" */
    SIMCTL_NUMBER,
    SIMCTL_INTEGER,
    SIMCTL_BOOLEAN,
    SIMCTL_DURATION, /**< a string "10m", not "1h30m"; or a number of seconds */
    SIMCTL_BYTES,    /**< a string "64M", "64Mi"; or a number of bytes */
    SIMCTL_OBJECT,
    SIMCTL_ARRAY,
    SIMCTL_ANY,
};

/** A member of an object. */
struct simctl_field {
    const char *name;
    enum simctl_type type;
    bool required;
    const char *words; /**< of SIMCTL_WORD */
    const char *help;
};

/** @brief Does an object hold what it may, and all it must?
 *  @param path    where it stands, for errors: "values.home"; "" at the top
 *  @param fields  ends with a NULL name
 *  @return false: @p error names the member, what it must be, and the nearest name */
bool simctl_shape_check(const json_t *object, const char *path, const struct simctl_field *fields,
                        struct web_error *error);

/** @brief A duration that was checked [s]; @p otherwise if it is absent. */
double simctl_shape_seconds(const json_t *object, const char *name, double otherwise);

/** @brief A size that was checked [bytes]; @p otherwise if it is absent. */
int64_t simctl_shape_bytes(const json_t *object, const char *name, int64_t otherwise);

/** @brief A string that was checked; @p otherwise if it is absent. */
const char *simctl_shape_text(const json_t *object, const char *name, const char *otherwise);

/**
 * @brief Make a JSON string of a text. Bytes that are not UTF-8 become U+FFFD, as a cut last
 * character does.
 * @return a new string
 */
json_t *simctl_shape_string(const char *text);

/** @brief Is a text one of these words? @param words  ends with NULL */
bool simctl_is_one_of(const char *text, const char *const *words);

/** @brief A DNS label: 1 to 63 lower-case letters, digits and '-', which neither begins nor
 * ends it. */
bool simctl_is_name(const char *text);

#endif
