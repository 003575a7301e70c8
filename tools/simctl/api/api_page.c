/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api/page.h"
#include "tools/simctl/api/routes.h"

#include <stdlib.h>
#include <string.h>

/* Lines of "Name: value", CR LF behind each. @param name  static */
static void put_header(struct web_answer *answer, const char *name)
{
    const char *line = strstr(simctl_page_headers, name);
    line += strlen(name) + 2;
    web_answer_header(answer, name, "%.*s", (int)strcspn(line, "\r"), line);
}

void simctl_api_page(struct simctl_call *c)
{
    const char *known = web_header(c->request, "If-None-Match");
    put_header(c->answer, "ETag");
    put_header(c->answer, "Content-Security-Policy");
    /* kept, but asked for again: the tag tells whether it is another one */
    web_answer_header(c->answer, "Cache-Control", "no-cache");
    if (known != NULL && strstr(known, simctl_page_tag) != NULL) {
        c->answer->status = 304;
        return;
    }
    char *text = malloc(simctl_page_size);
    if (text == NULL) {
        (void)web_refuse(&c->error, 503, "memory", "no memory");
        return;
    }
    memcpy(text, simctl_page, simctl_page_size);
    c->answer->type = "text/html; charset=utf-8";
    c->answer->text = text;
    c->answer->text_len = simctl_page_size;
}
