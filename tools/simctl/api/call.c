/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters, answers and the audit of a request, for the handlers of all routes. */
#include "tools/simctl/api/routes.h"

#include <stdio.h>
#include <string.h>

const char *simctl_parameter(enum simctl_parameter parameter, const char **allowed,
                             const char **help)
{
    static const struct {
        const char *name, *allowed, *help;
    } k_parameter[] = {
#define X(NAME, name, allowed, help) {name, allowed, help},
        SIMCTL_PARAMETER_LIST(X)
#undef X
    };
    if (allowed != NULL) {
        *allowed = k_parameter[parameter].allowed;
    }
    if (help != NULL) {
        *help = k_parameter[parameter].help;
    }
    return k_parameter[parameter].name;
}

/* K=V, or K alone: whatever its value. */
static bool fits_label(const json_t *labels, const char *wanted)
{
    char name[SIMCTL_LABEL_MAX];
    const size_t n = strcspn(wanted, "=");
    (void)snprintf(name, sizeof name, "%.*s", (int)n, wanted);
    const char *value = json_string_value(json_object_get(labels, name));
    return value != NULL && (wanted[n] == '\0' || strcmp(value, wanted + n + 1) == 0);
}

bool simctl_call_fits(const struct simctl_query *query, const json_t *labels)
{
    for (unsigned n = 0; n < query->labels; n++) {
        if (!fits_label(labels, query->label[n])) {
            return false;
        }
    }
    return true;
}

bool simctl_call_find(struct simctl_call *c, struct simctl_instance *i)
{
    const struct simctl_backend *b = &c->api->backend;
    return b->ops->read(b->ctx, c->who.tenant, c->id, i, &c->error);
}

void simctl_call_text(struct simctl_call *c, const char *type, const struct simctl_text *text)
{
    c->answer->type = type;
    c->answer->text = text->bytes;
    c->answer->text_len = text->len;
}

void simctl_call_audit(const struct simctl_call *c, const char *what, const char *id,
                       const char *result)
{
    char from[WEB_PEER_TEXT];
    web_peer(c->request, from);
    const struct simctl_change change = {&c->who, from, what, id, result};
    simctl_audit(c->api->audit, &change);
}

bool simctl_call_changes(const struct simctl_call *c)
{
    return strcmp(c->request->method, "GET") != 0 && strcmp(c->request->method, "HEAD") != 0;
}
