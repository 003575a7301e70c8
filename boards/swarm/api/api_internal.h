/* SPDX-License-Identifier: Apache-2.0 */
/** State and helpers of the control API, for the files api*.c only. */
#ifndef MF_BOARDS_SWARM_API_INTERNAL_H
#define MF_BOARDS_SWARM_API_INTERNAL_H

#include "boards/swarm/core/metrics.h"
#include "boards/swarm/core/routes.h"
#include "boards/swarm/links/links_internal.h"
#include "firmware/state/journal.h"
#include "fleet/query.h"
#include "host/spec/plan.h"

/** Maximum number of members that are watched at a time, and of vehicles that have had rules of
 * misbehaviour. */
#define SWARM_WATCHED 48u
#define SWARM_RULED   64u

/** Longest path that a request of a picture is translated into [bytes]. */
#define SWARM_PATH_MAX 256u

/** Maximum number of routes of a run. */
#define SWARM_ROUTES_MAX 64u

/** Events and track of a member, from the first request for them on. */
struct swarm_watched {
    bool used;
    uint32_t vehicle;
    mf_us_t asked_us; /**< wall time of the last request [us] */
    mf_us_t seen_us;  /**< vehicle time up to which the track has points [us] */
    struct mf_api api;
    struct mf_journal journal;
};

/** Memory for the rules of misbehaviour of one vehicle. */
struct swarm_ruled {
    struct mf_memory memory;
    _Alignas(
        MF_MEMORY_ALIGN) uint8_t parts[MF_WIRING_MISBEHAVE_BYTES(SWARM_LINK_FIRST + SWARM_CLIENTS)];
};

struct swarm_api {
    struct swarm_served served;
    struct mf_http http;
    struct mf_api_server server;
    struct mf_api_server picture; /**< server of pictures, without routes of a vehicle */
    struct mf_api one;            /* the vehicle of the present request */
    struct mf_api member;         /**< the member of a picture; its track stays untouched memory */
    char path[SWARM_PATH_MAX];    /**< path that a picture's request is translated into */
    struct swarm_links *l;
    uint32_t vehicle;
    bool asked; /* a request for @c vehicle may have changed it since its last pass */
    struct mf_api_plan plan;
    struct mf_api_route route[SWARM_ROUTES_MAX]; /**< routes of this run */
    uint32_t watching;                           /**< number of places in use */
    struct swarm_watched watched[SWARM_WATCHED]; /**< unused places stay untouched memory */
    uint32_t ruled_count;
    struct swarm_ruled ruled[SWARM_RULED]; /**< unused ones stay untouched memory */
    char large[MF_HTTP_LARGE_MAX + 1u];
};

static inline struct swarm_api *swarm_api_of(const struct mf_api_call *call)
{
    return call->api->ops_ctx;
}

/** @brief Parse a number of a path or query. @return false: not a number up to @p most */
bool swarm_api_parse_number(const char *text, size_t n, uint32_t most, uint32_t *value);

/** @brief Word for a member's kind, an enum mf_scenario_kind. */
const char *swarm_api_kind_word(const struct swarm *w, uint32_t i);

/** @brief Fill in figures of the process. @param ctx  the struct swarm_api */
void swarm_api_fill_figures(void *ctx, struct mf_api_figures *f);

/** @brief Find a member by number, from 1, or by name. @return MF_CROWD_MAX: no such member */
uint32_t swarm_api_find_member(const struct swarm *w, const char *id, size_t n);

/** @brief Run the vehicle of the last request, so that its changes take effect at the present
 *  time. */
void swarm_api_settle_vehicle(struct swarm_api *a);

/** @brief Change the clock or its rate.
 *  @param clock, rate  NULL: unchanged
 *  @return false: the request was refused */
bool swarm_api_change_clock(struct mf_api_call *call, const struct mf_json_member *clock,
                            const struct mf_json_member *rate);

/** @brief Number of points of the requested member's track; 0: it is not watched. */
uint32_t swarm_api_track_total(const struct swarm_api *a);

/** @brief Set up pictures of members (api_picture.c), after a->server. */
void swarm_api_init_pictures(struct swarm_api *a);

/** @brief Choose the server that answers a request.
 *  @param r  in, out: its path may be translated into another, which is valid until the next call
 */
struct mf_api_server *swarm_api_choose_server(struct swarm_api *a, struct mf_http_request *r);

/** @brief True if a client or this API holds time. */
bool swarm_api_is_held(const struct swarm *w);

/** @brief Extend the tracks of all watched members up to the present. */
void swarm_watch_extend_tracks(struct swarm_api *a);

/** @brief Stop watching all members. */
void swarm_watch_stop_all(struct swarm_api *a);

/** @brief Hooks of struct swarm_links_service, in api_watch.c and api_rules.c. */
bool swarm_watch_listens(const struct swarm_links *l);
void swarm_watch_step(struct swarm_links *l, uint8_t place);
mf_us_t swarm_rules_run(struct swarm_links *l, uint32_t i);

/** @brief Remove the rules of all vehicles that are not frozen. */
void swarm_rules_remove_all(struct swarm_links *l);

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
