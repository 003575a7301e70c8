/* SPDX-License-Identifier: Apache-2.0 */
/** Inside the control API of a swarm: for boards/swarm/api*.c. */
#ifndef MF_BOARDS_SWARM_API_OWN_H
#define MF_BOARDS_SWARM_API_OWN_H

#include "boards/swarm/links_own.h"
#include "firmware/state/journal.h"
#include "fleet/query.h"
#include "host/api/api_route.h"
#include "host/base/json_view.h"
#include "host/spec/plan.h"

/** Vehicles that are watched, or have had rules of misbehaviour, at once. */
#define SWARM_WATCHED 48u
#define SWARM_RULED   64u

/** Room for the text that a command of step mode shows [bytes]. */
#define SWARM_SHOWN_MAX 131072u

/** Routes of a run. */
#define SWARM_ROUTES_MAX 64u

/** A place for the events and the track of a vehicle, given to the first who asks for them. */
struct swarm_watched {
    bool used;
    uint32_t vehicle;
    mf_us_t asked_us; /**< wall */
    mf_us_t seen_us;  /**< vehicle time up to which its track goes */
    struct mf_api api;
    struct mf_journal journal;
};

/** Memory for the rules of one vehicle. */
struct swarm_ruled {
    struct mf_memory memory;
    _Alignas(
        MF_MEMORY_ALIGN) uint8_t parts[MF_WIRING_MISBEHAVE_BYTES(SWARM_LINK_FIRST + SWARM_CLIENTS)];
};

struct swarm_api {
    struct mf_http http;
    struct mf_api_server server;
    struct mf_api one; /* of the vehicle that is asked */
    struct swarm_links *l;
    uint32_t vehicle;
    bool asked; /* it has been brought to the present, and may have been changed since */
    struct mf_plan plan;
    size_t route_count;
    struct mf_api_route route[SWARM_ROUTES_MAX]; /**< those that this run has */
    uint32_t watching;                           /**< places that are used */
    struct swarm_watched watched[SWARM_WATCHED]; /**< of an unused one no byte is touched */
    uint32_t ruled_count;
    struct swarm_ruled ruled[SWARM_RULED]; /**< as of those */
    char large[MF_HTTP_LARGE_MAX + 1u];
    char shown[SWARM_SHOWN_MAX];
};

static inline struct swarm_api *swarm_api_of(const struct mf_api_call *call)
{
    return call->api->ops_ctx;
}

/** @brief The body of a route that reads it itself. @return false: it is no JSON, and refused */
bool swarm_api_body(struct mf_api_call *call, struct mf_json_view *root);

/** @brief A number of a path or a query. @return false: it is none */
bool swarm_api_number(const char *text, size_t n, uint32_t most, uint32_t *value);

/** @brief What a member is, as a word: an enum mf_scenario_kind. */
const char *swarm_api_kind(const struct swarm *w, uint32_t i);

/** @brief What the board knows of itself. @param ctx  the struct swarm_api */
void swarm_api_figures(void *ctx, struct mf_api_figures *f);

/** @brief Do a client or this API hold the world? */
bool swarm_api_held(const struct swarm *w);

/** @brief Tracks go on to the present. */
void swarm_watch_turn(struct swarm_api *a);

/* ---- routes */

/** @brief Those of a world that goes by steps (api_operator.c). */
const struct mf_api_route *swarm_api_world(const struct swarm *w, size_t *count);

/** A task: its handler reads the body. */
extern const struct mf_api_field swarm_api_task[];

extern const struct mf_api_field swarm_api_list[], swarm_api_list_query[];

void swarm_api_get_events(struct mf_api_call *call);
void swarm_api_get_track(struct mf_api_call *call);
void swarm_api_post_rule(struct mf_api_call *call);
void swarm_api_get_list(struct mf_api_call *call);
void swarm_api_get_metrics(struct mf_api_call *call);

#endif
