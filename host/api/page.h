/* SPDX-License-Identifier: Apache-2.0 */
/** Live picture, host/api/page.html, and the API's documentation for a browser, host/api/docs.html,
 * as constant data; ci/page.c writes them during the build. */
#ifndef MF_HOST_API_PAGE_H
#define MF_HOST_API_PAGE_H

#include <stddef.h>
#include <stdint.h>

/** Bytes of the live picture; not terminated. */
extern const uint8_t mf_page[];
extern const size_t mf_page_size;
/** ETag of the live picture, with the quotes. */
extern const char mf_page_tag[];
/** Header lines of the live picture, each with CR LF: ETag and Content-Security-Policy, which
 * allows its own script and style, by their hashes, its icon, and requests to its own server. */
extern const char mf_page_headers[];

/** Bytes and headers of host/api/docs.html, like those of the live picture. */
extern const uint8_t mf_docs_page[];
extern const size_t mf_docs_page_size;
extern const char mf_docs_page_tag[];
extern const char mf_docs_page_headers[];

#endif
