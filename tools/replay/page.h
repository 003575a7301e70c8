/* SPDX-License-Identifier: Apache-2.0 */
/** The page of a flight, tools/replay/flight.html, as constant data; ci/page.c makes it while
 * replay is built. */
#ifndef MF_TOOLS_REPLAY_PAGE_H
#define MF_TOOLS_REPLAY_PAGE_H

#include <stddef.h>
#include <stdint.h>

/** The page's bytes; not terminated. */
extern const uint8_t replay_page[];
extern const size_t replay_page_size;
/** ETag of the page, which servers need; a page in a file does not. */
extern const char replay_page_tag[];
extern const char replay_page_headers[];

#endif
