/* SPDX-License-Identifier: Apache-2.0 */
/** The controller's page, tools/simctl/api/page.html, as constant data; ci/page.c makes it while
 * simctl is built. */
#ifndef MF_SIMCTL_PAGE_H
#define MF_SIMCTL_PAGE_H

#include <stddef.h>
#include <stdint.h>

/** The page's bytes; not terminated. */
extern const uint8_t simctl_page[];
extern const size_t simctl_page_size;
/** ETag of the page, with the quotes. */
extern const char simctl_page_tag[];
/** Header lines that go with it, each with CR LF: ETag and Content-Security-Policy, which allows
 *  its own script and style, by their hashes, requests to where it came from, and pictures from
 *  there. */
extern const char simctl_page_headers[];

#endif
