/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/standin/answer.h"

#include <string.h>

void standin_answer(struct web_answer *answer, unsigned status, json_t *document)
{
    answer->status = status;
    answer->type = "application/json";
    answer->text = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(12));
    answer->text_len = answer->text != NULL ? strlen(answer->text) : 0;
    json_decref(document);
}

void standin_answer_error(void *ctx, unsigned status, const char *code, const char *text,
                          struct web_answer *answer)
{
    (void)ctx;
    standin_answer(answer, status, json_pack("{s:s, s:s}", "error", text, "code", code));
}
