/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: its pages for browsers, the live picture and the documentation. */
#include "host/api/api_route.h"
#include "host/api/page.h"

#include <string.h>

static void serve_page(struct mf_api_call *call, const uint8_t *page, size_t size, const char *tag)
{
    const struct mf_http_text *known = &call->request->known;
    struct mf_http_answer *a = call->answer;
    /* browsers keep the page, but ask each time; the tag shows whether it has changed */
    a->cache = "no-cache";
    a->body = (const char *)page;
    if (known->len > 0 && ((known->len == 1 && known->at[0] == '*') ||
                           memmem(known->at, known->len, tag, strlen(tag)) != NULL)) {
        a->status = 304;
        return;
    }
    a->len = size;
}

void mf_api_get_page(struct mf_api_call *call)
{
    const struct mf_api_server *server = call->api->server;
    call->answer->extra = server->map != NULL ? server->page_headers : mf_page_headers;
    serve_page(call, mf_page, mf_page_size, mf_page_tag);
}

void mf_api_get_docs(struct mf_api_call *call)
{
    call->answer->extra = mf_docs_page_headers;
    serve_page(call, mf_docs_page, mf_docs_page_size, mf_docs_page_tag);
}
