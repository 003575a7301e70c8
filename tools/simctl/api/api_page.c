/* SPDX-License-Identifier: Apache-2.0 */
#include "host/api/page.h"
#include "tools/simctl/api/page.h"
#include "tools/simctl/api/routes.h"

#include <stdlib.h>
#include <string.h>

/* GCC 12 reports a leak of memory that a structure keeps and another function frees. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

/* Lines of "Name: value", CR LF behind each. @param name  static */
static void put_header(struct web_answer *answer, const char *headers, const char *name)
{
    const char *line = strstr(headers, name);
    line += strlen(name) + 2;
    web_answer_header(answer, name, "%.*s", (int)strcspn(line, "\r"), line);
}

/* A page of the program. */
struct page {
    const uint8_t *bytes;
    size_t size;
    const char *tag, *headers;
};

static void serve(struct simctl_call *c, const struct page *page)
{
    const char *known = web_header(c->request, "If-None-Match");
    put_header(c->answer, page->headers, "ETag");
    put_header(c->answer, page->headers, "Content-Security-Policy");
    /* kept, but asked for again: the tag tells whether it is another one */
    web_answer_header(c->answer, "Cache-Control", "no-cache");
    if (known != NULL && strstr(known, page->tag) != NULL) {
        c->answer->status = 304;
        return;
    }
    c->answer->text = malloc(page->size);
    if (c->answer->text == NULL) {
        (void)web_refuse(&c->error, 503, "memory", "no memory");
        return;
    }
    memcpy(c->answer->text, page->bytes, page->size);
    c->answer->type = "text/html; charset=utf-8";
    c->answer->text_len = page->size;
}

void simctl_api_page(struct simctl_call *c)
{
    serve(c, &(struct page){simctl_page, simctl_page_size, simctl_page_tag, simctl_page_headers});
}

void simctl_api_docs(struct simctl_call *c)
{
    serve(c,
          &(struct page){mf_docs_page, mf_docs_page_size, mf_docs_page_tag, mf_docs_page_headers});
}
