/* SPDX-License-Identifier: Apache-2.0 */
/** Routes of systems at the control API (api/api.c): handlers find their swarm by a request. */
#ifndef MF_BOARDS_SWARM_CORE_ROUTES_H
#define MF_BOARDS_SWARM_CORE_ROUTES_H

#include "boards/swarm/core/swarm.h"
#include "host/api/api_route.h"
#include "host/base/json_view.h"

/** First field of the context of struct mf_api in a swarm. */
struct swarm_served {
    struct swarm *w;
};

/** @brief The swarm that a request is for. */
static inline struct swarm *swarm_of_call(const struct mf_api_call *call)
{
    return ((const struct swarm_served *)call->api->ops_ctx)->w;
}

/** @brief Read the body of a route with the scope MF_API_RAW.
 *  @return false: the body is not JSON, and the request is refused */
bool swarm_read_body(struct mf_api_call *call, struct mf_json_view *root);

/** @brief Copy the routes of all systems, in the order of the list. @param route  out [max]
 *  @return their number, at most @p max: an assertion fails if there are more */
size_t swarm_routes_collect(const struct swarm *w, struct mf_api_route *route, size_t max);

#endif
