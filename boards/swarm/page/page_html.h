/* SPDX-License-Identifier: Apache-2.0 */
/** The page, which ci/page.c makes of page.html. */
#ifndef MF_BOARDS_SWARM_PAGE_HTML_H
#define MF_BOARDS_SWARM_PAGE_HTML_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t swarm_page[];
extern const size_t swarm_page_size;
extern const char swarm_page_tag[];     /**< its ETag, with quotes */
extern const char swarm_page_headers[]; /**< header lines: ETag, Content-Security-Policy */

#endif
