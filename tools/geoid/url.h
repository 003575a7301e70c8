/* SPDX-License-Identifier: Apache-2.0 */
/** Addresses made of templates, so that another service's paths fit. Pure functions. */
#ifndef MF_GEOID_URL_H
#define MF_GEOID_URL_H

#include <stdbool.h>
#include <stddef.h>

#define GEOID_URL_MAX 2048u

/** Variable of a template. A value that is NULL is absent: it expands to nothing. */
struct geoid_url_variable {
    const char *name;
    const char *value;
};

/**
 * @brief Expand a template: "{name}" to the value of name, "{?name}" to "?name=value", "{&name}" to
 *        "&name=value" (both to nothing without a value), as RFC 6570 has it. Values are
 *        percent-encoded, except for unreserved characters and commas.
 * @param base       "http://host:port/prefix"; put before what does not begin with http:// or
 *                   https://
 * @param variables  the last has no name
 * @param url        out [GEOID_URL_MAX]
 * @return false, and why in @p error: an unknown name, an open brace, too long, a base that is not
 * http or https
 */
bool geoid_url_expand(const char *base, const char *pattern,
                      const struct geoid_url_variable *variables, char *url, char *error,
                      size_t error_size);

#endif
