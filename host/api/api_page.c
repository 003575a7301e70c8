/* SPDX-License-Identifier: Apache-2.0 */
/* The control API: the live picture. */
#include "host/api/api_route.h"
#include "host/api/page.h"

#include <string.h>

void mf_api_get_page(struct mf_api_call *call)
{
    const struct mf_http_text *known = &call->request->known;
    struct mf_http_answer *a = call->answer;
    a->extra = mf_page_headers;
    a->cache = "no-cache"; /* kept, but asked for again: the tag tells whether it is another one */
    a->body = (const char *)mf_page;
    if (known->len > 0 &&
        ((known->len == 1 && known->at[0] == '*') ||
         memmem(known->at, known->len, mf_page_tag, strlen(mf_page_tag)) != NULL)) {
        a->status = 304;
        return;
    }
    a->len = mf_page_size;
}
