/* SPDX-License-Identifier: Apache-2.0 */
/** Inside the control API of a swarm: for boards/swarm/api*.c. */
#ifndef MF_BOARDS_SWARM_API_OWN_H
#define MF_BOARDS_SWARM_API_OWN_H

#include "boards/swarm/links_own.h"
#include "host/api/api_route.h"
#include "host/spec/plan.h"

struct swarm_api {
    struct mf_http http;
    struct mf_api_server server;
    struct mf_api one; /* of the vehicle that is asked */
    struct swarm_links *l;
    uint32_t vehicle;
    bool asked; /* it has been brought to the present, and may have been changed since */
    struct mf_plan plan;
    char large[MF_HTTP_LARGE_MAX + 1u];
};

static inline struct swarm_api *swarm_api_of(const struct mf_api_call *call)
{
    return call->api->ops_ctx;
}

/** @brief A number of a path or a query. @return false: it is none */
bool swarm_api_number(const char *text, size_t n, uint32_t most, uint32_t *value);

/** @brief What a member is, as a word: an enum mf_scenario_kind. */
extern const char *const swarm_api_kinds[MF_SCENARIO_KINDS];
const char *swarm_api_kind(const struct swarm *w, uint32_t i);

/** @brief What the board knows of itself. @param ctx  the struct swarm_api */
void swarm_api_figures(void *ctx, struct mf_api_figures *f);

/** @brief Do a client or this API hold the world? */
bool swarm_api_held(const struct swarm *w);

/* ---- routes */

extern const struct mf_api_field swarm_api_list[], swarm_api_list_query[];

void swarm_api_get_list(struct mf_api_call *call);
void swarm_api_get_metrics(struct mf_api_call *call);

#endif
