/* SPDX-License-Identifier: Apache-2.0 */
/** Paths of requests as tables of routes have them. Pure functions. */
#ifndef MF_WEB_PATH_H
#define MF_WEB_PATH_H

#include <stdbool.h>
#include <stddef.h>

/** @brief Does a path fit a pattern? Without a variable they are equal; "{name}", one at most, is
 * any text without a slash.
 *  @param part    out: what stands for the variable, within @p path; untouched without one
 *  @param part_n  out: its length, at least 1 */
bool web_path_fits(const char *pattern, const char *path, const char **part, size_t *part_n);

/** @brief Percent-decoding in place. %00 stays as it is written: a text that it ended would be
 * another one. @return the length of the result */
size_t web_unescape(char *text);

#endif
