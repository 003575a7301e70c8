/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the routes of all systems. The control API calls it. */
#include "boards/swarm/core/routes.h"

bool swarm_read_body(struct mf_api_call *call, struct mf_json_view *root)
{
    const struct mf_http_text *body = &call->request->body;
    struct mf_json_mistake mistake;
    if (!mf_json_view_check(body->len > 0 ? body->at : "", body->len, root, &mistake)) {
        mf_api_refuse(call, 400, "the body: %u:%u: %s", mistake.line, mistake.column, mistake.what);
        return false;
    }
    return true;
}

size_t swarm_routes_collect(const struct swarm *w, struct mf_api_route *route, size_t max)
{
    size_t count = 0;
    for (const struct swarm_system *const *s = w->systems; *s != NULL; s++) {
        for (const struct mf_api_route *r = (*s)->routes; r != NULL && r->path != NULL; r++) {
            MF_ASSERT(count < max);
            route[count++] = *r;
        }
    }
    return count;
}
