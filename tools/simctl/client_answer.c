/* SPDX-License-Identifier: Apache-2.0 */
/* Reads bodies of a controller's answers, for client.c, which gets them. */
#include "tools/simctl/client_answer.h"

json_t *simctl_answer_read(const char *url, const char *text, struct web_error *error)
{
    json_t *o = text != NULL ? json_loads(text, 0, NULL) : NULL;
    if (o == NULL) {
        (void)web_refuse(error, 502, "controller", "%.160s answers no JSON: is it a controller?",
                         url);
    }
    return o;
}

void simctl_answer_refuse(long status, const char *text, struct web_error *error)
{
    json_t *o = text != NULL ? json_loads(text, 0, NULL) : NULL;
    const char *said = json_string_value(json_object_get(o, "error"));
    (void)web_refuse(error, (unsigned)status, "controller", "%s",
                     said != NULL ? said : "the controller gave no reason");
    json_decref(o);
}
