/* SPDX-License-Identifier: Apache-2.0 */
/* Serves events and tracks of members. Both need much memory, so a member has them from the first
 * request for them on. api.c has the routes in its table; links.c calls the hooks. */
#include "boards/swarm/api/api_internal.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"

#include <string.h>

/* Time after a request for a track in which its member is watched closely: with points between the
 * ends of legs, too [us, wall]. */
#define ASKED_US (5 * MF_SECOND_US)

static void stop_watching(struct swarm_api *a, struct swarm_watched *place)
{
    const struct mf_hal nothing = mf_hal_null();
    if (place->api.vehicle != NULL) {
        mf_vehicle_watch(place->api.vehicle, NULL, nothing.log, nothing.log_ctx);
    }
    a->l->clock[place->vehicle].watched = 0;
    place->used = false;
    a->watching--;
}

/* Find a free place, or stop watching the member whose last request is the oldest.
 * @return NULL: all have an open stream of events */
static struct swarm_watched *find_watch_place(struct swarm_api *a)
{
    struct swarm_watched *oldest = NULL;
    for (uint32_t k = 0; k < SWARM_WATCHED; k++) {
        struct swarm_watched *place = &a->watched[k];
        if (!place->used) {
            return place;
        }
        if (!mf_http_feeds(&a->http, &place->api) &&
            (oldest == NULL || place->asked_us < oldest->asked_us)) {
            oldest = place;
        }
    }
    if (oldest != NULL) {
        stop_watching(a, oldest);
    }
    return oldest;
}

/* Add the present position to the track of a member without firmware; such a member never reports
 * events. */
static void add_point(const struct swarm *w, struct swarm_watched *place)
{
    if (!swarm_is_away(w, place->vehicle, w->now_us)) {
        const struct mf_pose p = swarm_pose(w, place->vehicle, w->now_us);
        const struct mf_track_place at = {p.lat_deg, p.lon_deg, p.alt_amsl_m};
        mf_track_add(&place->api.track,
                     &(struct mf_track_point){w->now_us, at, at, true, (float)p.ground_amsl_m});
    }
}

static void start_watching(struct swarm_api *a, struct swarm_watched *place)
{
    struct mf_api *api = &place->api;
    place->used = true;
    a->watching++;
    place->vehicle = a->vehicle;
    place->seen_us = a->l->w->now_us;
    memset(&place->journal, 0, sizeof place->journal);
    memset(api, 0, sizeof *api);
    api->server = &a->server;
    api->ops = a->one.ops;
    api->ops_ctx = a;
    a->l->clock[a->vehicle].watched = (uint8_t)(place - a->watched + 1);
    if (!swarm_is_vehicle(a->l->w, a->vehicle)) {
        add_point(a->l->w, place);
        return;
    }
    api->drone = a->one.drone;
    api->vehicle = a->one.vehicle;
    api->instance = a->one.instance;
    api->log = mf_hal_null().log;
    mf_vehicle_watch(api->vehicle, &place->journal, &mf_api_log_ops, api);
    mf_api_join(api);
}

/* Watch the member of a request. @return false: the request was refused */
static bool watch_requested(struct mf_api_call *call)
{
    struct swarm_api *a = swarm_api_of(call);
    const uint8_t number = a->l->clock[a->vehicle].watched;
    struct swarm_watched *place = number != 0 ? &a->watched[number - 1u] : find_watch_place(a);
    if (place == NULL) {
        mf_api_refuse(call, 503, "streams of events are open for %u vehicles: end one of them",
                      SWARM_WATCHED);
        return false;
    }
    if (number == 0) {
        start_watching(a, place);
    }
    place->asked_us = a->l->wall_us;
    call->api = &place->api;
    return true;
}

void swarm_api_get_vehicle(struct mf_api_call *call)
{
    const struct swarm_api *a = swarm_api_of(call);
    const uint8_t number = a->l->clock[a->vehicle].watched;
    call->api = number != 0 ? &swarm_api_of(call)->watched[number - 1u].api : call->api;
    mf_api_get_vehicle(call);
}

uint32_t swarm_api_track_total(const struct swarm_api *a)
{
    const uint8_t number = a->l->clock[a->vehicle].watched;
    return number != 0 ? a->watched[number - 1u].api.track.total : 0;
}

void swarm_api_get_events(struct mf_api_call *call)
{
    if (watch_requested(call)) {
        mf_api_get_events(call);
    }
}

void swarm_api_get_track(struct mf_api_call *call)
{
    if (watch_requested(call)) {
        mf_api_get_track(call);
    }
}

void swarm_watch_step(struct swarm_links *l, uint8_t place)
{
    struct swarm_api *a = l->service_state;
    MF_ASSERT(place >= 1 && place <= SWARM_WATCHED);
    mf_api_watch(&a->watched[place - 1u].api);
}

void swarm_watch_extend_tracks(struct swarm_api *a)
{
    const struct swarm *w = a->l->w;
    for (uint32_t k = 0; a->watching > 0 && k < SWARM_WATCHED; k++) {
        struct swarm_watched *place = &a->watched[k];
        if (place->used && place->seen_us < w->now_us) {
            place->seen_us = w->now_us;
            if (place->api.vehicle == NULL) {
                add_point(w, place);
                continue;
            }
            (void)mf_crowd_touch(w->members.crowd, place->vehicle,
                                 swarm_present_us(w, place->vehicle), NULL, NULL);
        }
    }
}

bool swarm_watch_listens(const struct swarm_links *l)
{
    const struct swarm_api *a = l->service_state;
    for (uint32_t k = 0; a->watching > 0 && k < SWARM_WATCHED; k++) {
        const struct swarm_watched *place = &a->watched[k];
        if (place->used &&
            (l->wall_us - place->asked_us < ASKED_US || mf_http_feeds(&a->http, &place->api))) {
            return true;
        }
    }
    return false;
}

void swarm_watch_stop_all(struct swarm_api *a)
{
    for (uint32_t k = 0; k < SWARM_WATCHED; k++) {
        if (a->watched[k].used) {
            stop_watching(a, &a->watched[k]);
        }
    }
}
