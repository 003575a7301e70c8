/* SPDX-License-Identifier: Apache-2.0 */
/** State and helpers of the control API, shared by the files api*.c. */
#ifndef MF_BOARDS_SWARM_API_INTERNAL_H
#define MF_BOARDS_SWARM_API_INTERNAL_H

#include "boards/swarm/core/metrics.h"
#include "boards/swarm/core/routes.h"
#include "boards/swarm/links/links_internal.h"
#include "firmware/state/journal.h"
#include "fleet/query.h"
#include "host/spec/plan.h"

/** Vehicles that are watched, or have had rules of misbehaviour, at once. */
#define SWARM_WATCHED 48u
#define SWARM_RULED   64u

/** A path that a picture asks for [bytes]. */
#define SWARM_PATH_MAX 256u

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
    struct swarm_served served;
    struct mf_http http;
    struct mf_api_server server;
    struct mf_api_server picture; /**< of a member's picture: what is not a vehicle's own */
    struct mf_api one;            /* of the vehicle that is asked */
    struct mf_api member;         /**< of the picture; no byte of its track is touched */
    char path[SWARM_PATH_MAX];    /**< that a picture's request means */
    struct swarm_links *l;
    uint32_t vehicle;
    bool asked; /* it has been brought to the present, and may have been changed since */
    struct mf_api_plan plan;
    struct mf_api_route route[SWARM_ROUTES_MAX]; /**< those that this run has */
    uint32_t watching;                           /**< places that are used */
    struct swarm_watched watched[SWARM_WATCHED]; /**< of an unused one no byte is touched */
    uint32_t ruled_count;
    struct swarm_ruled ruled[SWARM_RULED]; /**< as of those */
    char large[MF_HTTP_LARGE_MAX + 1u];
};

static inline struct swarm_api *swarm_api_of(const struct mf_api_call *call)
{
    return call->api->ops_ctx;
}

/** @brief A number of a path or a query. @return false: it is none */
bool swarm_api_number(const char *text, size_t n, uint32_t most, uint32_t *value);

/** @brief What a member is, as a word: an enum mf_scenario_kind. */
const char *swarm_api_kind(const struct swarm *w, uint32_t i);

/** @brief What the board knows of itself. @param ctx  the struct swarm_api */
void swarm_api_figures(void *ctx, struct mf_api_figures *f);

/** @brief A member by number, or by name. @return MF_CROWD_MAX: there is none */
uint32_t swarm_api_member(const struct swarm *w, const char *id, size_t n);

/** @brief What was asked of the last vehicle happens now. */
void swarm_api_settle(struct swarm_api *a);

/** @brief Another clock or rate. @param clock, rate  NULL: as it is  @return false: it was refused
 */
bool swarm_api_change_clock(struct mf_api_call *call, const struct mf_json_member *clock,
                            const struct mf_json_member *rate);

/** @brief Points of the track of the member that is asked; 0: nobody has asked for it. */
uint32_t swarm_api_track_total(const struct swarm_api *a);

/** @brief Pictures of members (api_picture.c), when the server is complete. */
void swarm_picture_init(struct swarm_api *a);

/** @brief Who answers a request. @param r  its path may become another, which is valid until the
 *  next call */
struct mf_api_server *swarm_picture_server(struct swarm_api *a, struct mf_http_request *r);

/** @brief Do a client or this API hold the world? */
bool swarm_api_held(const struct swarm *w);

/** @brief Add to tracks up to the present. */
void swarm_watch_turn(struct swarm_api *a);

/** @brief Forget all watched vehicles. */
void swarm_watch_leave(struct swarm_api *a);

/** @brief Hooks of struct swarm_links_service: api_watch.c, api_rules.c. */
bool swarm_watch_listens(const struct swarm_links *l);
void swarm_watch_step(struct swarm_links *l, uint8_t place);
mf_us_t swarm_rules_run(struct swarm_links *l, uint32_t i);

/** @brief Forget the rules of all vehicles that are not frozen. */
void swarm_rules_leave(struct swarm_links *l);

/** Figures of time and of the server (api_metrics.c). */
extern const struct swarm_metrics swarm_api_metrics;

/* ---- routes */

extern const struct mf_api_field swarm_api_list[], swarm_api_list_query[], swarm_api_window[],
    swarm_api_window_request[], swarm_api_time[], swarm_api_order[];

void swarm_api_get_document(struct mf_api_call *call);
void swarm_api_get_vehicle(struct mf_api_call *call);
void swarm_api_get_events(struct mf_api_call *call);
void swarm_api_get_track(struct mf_api_call *call);
void swarm_api_post_rule(struct mf_api_call *call);
void swarm_api_get_list(struct mf_api_call *call);
void swarm_api_get_metrics(struct mf_api_call *call);
void swarm_api_get_window(struct mf_api_call *call);
void swarm_api_put_window(struct mf_api_call *call);
void swarm_api_get_clock(struct mf_api_call *call);
void swarm_api_post_clock(struct mf_api_call *call);

#endif
