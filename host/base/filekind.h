/* SPDX-License-Identifier: Apache-2.0 */
/** Files of other programs that users send by mistake, for refusals that name them. */
#ifndef MF_HOST_BASE_FILEKIND_H
#define MF_HOST_BASE_FILEKIND_H

#include <stddef.h>

/** @brief Name a file by its beginning. @param text  [n], any bytes
 *  @return such as "a KML file"; NULL: not known */
const char *mf_filekind(const void *text, size_t n);

/** @brief Name the files that have a key at their top. @param key  of YAML or JSON
 *  @return such as "a compose file"; NULL: not known */
const char *mf_filekind_of_key(const char *key);

#endif
