/* SPDX-License-Identifier: Apache-2.0 */
/** The live picture, host/api/page.html, and the API for a browser, host/api/docs.html, as constant
 * data; ci/page.c makes them while mayfly is built. */
#ifndef MF_HOST_API_PAGE_H
#define MF_HOST_API_PAGE_H

#include <stddef.h>
#include <stdint.h>

/** As it is; not terminated. */
extern const uint8_t mf_page[];
extern const size_t mf_page_size;
/** Its ETag, with the quotes. */
extern const char mf_page_tag[];
/** Header lines that go with it, each with CR LF: ETag and Content-Security-Policy, which allows
 *  its own script and style, by their hashes, its icon, and requests to where it came from. */
extern const char mf_page_headers[];

/** The same of host/api/docs.html. */
extern const uint8_t mf_docs_page[];
extern const size_t mf_docs_page_size;
extern const char mf_docs_page_tag[];
extern const char mf_docs_page_headers[];

#endif
