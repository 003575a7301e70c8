/* SPDX-License-Identifier: Apache-2.0 */
/** Short forms for rows of tables of keys (fleet/keys.h), for the files that hold such tables. */
#ifndef MF_FLEET_KEY_FORMS_H
#define MF_FLEET_KEY_FORMS_H

#include "fleet/keys.h"

#include <stddef.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* clang-format off */
#define REAL(key, at, from, to, text) \
    {.name = (key), .type = MF_KEY_REAL, .offset = (at), .low = (from), .high = (to), .help = (text)}
#define WHOLE(key, at, from, to, text) \
    {.name = (key), .type = MF_KEY_WHOLE, .offset = (at), .low = (from), .high = (to), .help = (text)}
#define WORD(key, at, list, text) \
    {.name = (key), .type = MF_KEY_WORD, .offset = (at), .words = (list), .help = (text)}
#define FLAG(key, at, text) {.name = (key), .type = MF_KEY_BOOL, .offset = (at), .help = (text)}
#define NAME(key, at, room, text) \
    {.name = (key), .type = MF_KEY_TEXT, .offset = (at), .size = (room), .help = (text)}
#define MAP(key, at, table, text) \
    {.name = (key), .type = MF_KEY_MAP, .offset = (at), .keys = &(table), .help = (text)}
#define PAIR(key, at, from, to, text) \
    {.name = (key), .type = MF_KEY_PAIR, .offset = (at), .low = (from), .high = (to), .help = (text)}
#define TRIPLE(key, at, from, to, text) \
    {.name = (key), .type = MF_KEY_TRIPLE, .offset = (at), .low = (from), .high = (to), .help = (text)}
/** Field, or struct if @p at is 0, that the function @p reader reads. */
#define OTHER(key, at, reader, text) \
    {.name = (key), .type = MF_KEY_OTHER, .offset = (at), .read = (reader), .help = (text)}
/** Map of any names, of which @p reader reads each pair. */
#define OPEN(key, at, reader, text) \
    {.name = (key), .type = MF_KEY_OTHER, .offset = (at), .read = (reader), .open = true, .help = (text)}
/** List of structs: pointer @p field and @p count of the struct @p of; @p fresh sets defaults. */
#define LIST_OF(key, of, field, count, limit, table, fresh, text) \
    {.name = (key), .type = MF_KEY_LIST, .offset = offsetof(of, field), \
     .size = sizeof *((of *)0)->field, .most = (limit), .count_at = offsetof(of, count), \
     .defaults = (fresh), .keys = &(table), .help = (text)}
/** Cells; the third number is 0 if the file leaves it out. */
#define PLACE(key, at, far, text) TRIPLE(key, at, 0, far, text)
/* clang-format on */

#endif
