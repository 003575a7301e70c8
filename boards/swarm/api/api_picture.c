/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the picture of one member: the page of a drone (host/api), which requests beneath
 * /vehicles/N/ the routes that a drone serves at its root. For a vehicle they become routes of
 * /v1/vehicles/N; for other members they show the little that exists. The clock is that of the
 * swarm. api.c calls it. */
#include "boards/swarm/api/api_internal.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/time/hold.h"
#include "firmware/flight/mode.h"

#include <stdio.h>
#include <string.h>

/* ---- the clock, in the words of a drone */

static bool runs_free(const struct swarm *w)
{
    return w->hold.at_us == MF_NEVER;
}

static void get_clock(struct mf_api_call *call)
{
    const struct swarm *w = swarm_api_of(call)->l->w;
    const bool stands = swarm_api_is_held(w), ours = !runs_free(w);
    struct mf_json *j = &call->json;
    struct mf_api_figures f;
    swarm_api_fill_figures(swarm_api_of(call), &f);
    mf_json_number(j, "vehicle_time_s", (double)w->now_us / 1e6, 6);
    mf_json_number(j, "wall_time_s", (double)f.wall_us / 1e6, 6);
    mf_json_text(j, "mode", f.clock);
    mf_json_number(j, "rate", f.rate, 6);
    mf_json_null(j, "achieved_rate");
    mf_json_bool(j, "behind", false);
    mf_json_null(j, "next_s");
    mf_json_null(j, "next_event_s");
    mf_json_integer(j, "events", 0);
    mf_json_text(j, "action", !ours ? "resume" : stands ? "hold" : "run");
    if (ours) {
        mf_json_number(j, "until_s", (double)w->hold.at_us / 1e6, 6);
    } else {
        mf_json_null(j, "until_s");
    }
    mf_json_bool(j, "pending", false);
    mf_json_bool(j, "standing", stands);
    mf_json_integer(j, "controllers", ours ? 1 : 0);
}

/* Hold time after the seconds in the body. @return false: the request was refused */
static bool run_for(struct mf_api_call *call)
{
    struct swarm *w = swarm_api_of(call)->l->w;
    const struct mf_json_member *for_s = mf_json_find(call->body, "for_s");
    const struct mf_json_member *until_s = mf_json_find(call->body, "until_s");
    const double now_s = (double)w->now_us / 1e6;
    const double by_s = for_s != NULL     ? for_s->number
                        : until_s != NULL ? until_s->number - now_s
                                          : -1.0;
    if (!(by_s >= 0.0 && by_s <= 1e7) || (for_s != NULL && until_s != NULL)) {
        mf_api_refuse(call, 422,
                      "run needs for_s, or until_s from %.6f on, of 1e7 s at most: events of "
                      "members do not hold a swarm",
                      now_s);
        return false;
    }
    swarm_hold_step(w, mf_us_of(by_s));
    return true;
}

static void post_clock(struct mf_api_call *call)
{
    struct swarm *w = swarm_api_of(call)->l->w;
    const struct mf_json_member *action = mf_json_find(call->body, "action");
    const char *word = action != NULL ? action->text : "";
    const bool runs = strcmp(word, "run") == 0, holds = strcmp(word, "hold") == 0;
    if (action != NULL && !runs && !holds && strcmp(word, "resume") != 0) {
        mf_api_refuse(call, 422, "action '%.20s' is not known, allowed: hold, run, resume", word);
        return;
    }
    if (!swarm_api_change_clock(call, mf_json_find(call->body, "mode"),
                                mf_json_find(call->body, "rate")) ||
        (runs && !run_for(call))) {
        return;
    }
    if (action != NULL && !runs) {
        swarm_hold_pause(w, holds);
    }
    get_clock(call);
}

/* ---- a member that is not a vehicle */

static void write_member_place(struct mf_json *j, const struct swarm *w, uint32_t i)
{
    if (swarm_is_away(w, i, w->now_us)) {
        mf_json_null(j, "position");
        mf_json_null(j, "truth");
        return;
    }
    const struct mf_pose p = swarm_pose(w, i, w->now_us);
    mf_json_object(j, "position");
    mf_api_write_motion(j, &p);
    mf_json_number(j, "alt_relative_m", p.alt_amsl_m - w->scenario->origin[2], 4);
    mf_json_null(j, "alt_ellipsoid_m");
    mf_json_end(j);
    mf_json_object(j, "truth");
    mf_api_write_motion(j, &p);
    mf_json_number(j, "ground_amsl_m", p.ground_amsl_m, 4);
    mf_json_end(j);
}

/* Write empty values for the fields that only vehicles have. */
static void write_nothing(struct mf_json *j)
{
    static const char *const k_list[] = {"mission", "fence", "rally"};
    mf_json_object(j, "gnss");
    mf_json_integer(j, "fix_type", 0);
    mf_json_integer(j, "satellites", 0);
    mf_json_end(j);
    mf_json_null(j, "battery");
    mf_json_null(j, "home");
    for (size_t i = 0; i < sizeof k_list / sizeof k_list[0]; i++) {
        mf_json_object(j, k_list[i]);
        mf_json_integer(j, "count", 0);
        mf_json_integer(j, "tag", 0);
        if (i == 0) {
            mf_json_integer(j, "current", 0);
            mf_json_null(j, "reached");
            mf_json_integer(j, "state", 0);
        } else if (i == 1) {
            mf_json_array(j, "breach");
            mf_json_end(j);
        }
        mf_json_end(j);
    }
    mf_json_array(j, "health");
    mf_json_end(j);
}

static void get_member(struct mf_api_call *call)
{
    static const char *const k_landed[] = {"undefined", "on_ground", "in_air", "takeoff",
                                           "landing"};
    struct swarm_api *a = swarm_api_of(call);
    const struct swarm *w = a->l->w;
    const struct mf_crowd_state now = swarm_state(w, a->vehicle);
    struct mf_json *j = &call->json;
    struct mf_api_figures f;
    swarm_api_fill_figures(a, &f);
    mf_json_integer(j, "system_id", (int64_t)a->vehicle + 1);
    mf_json_number(j, "vehicle_time_s", (double)w->now_us / 1e6, 6);
    mf_json_number(j, "wall_time_s", (double)f.wall_us / 1e6, 6);
    mf_json_null(j, "gnss_utc");
    mf_json_number(j, "host_utc", (double)f.utc_us / 1e6, 6);
    mf_json_text(j, "mode", mf_mode_info((enum mf_mode)now.mode)->text);
    mf_json_integer(j, "custom_mode", mf_mode_custom((enum mf_mode)now.mode));
    mf_json_bool(j, "armed", now.armed);
    mf_json_text(j, "landed_state", k_landed[now.landed]);
    mf_json_bool(j, "failsafe", now.failsafe);
    mf_json_bool(j, "armable", false);
    mf_json_text(j, "denial", swarm_api_kind_word(w, a->vehicle));
    write_member_place(j, w, a->vehicle);
    write_nothing(j);
    mf_json_integer(j, "track", swarm_api_track_total(a));
}

static void get_no_items(struct mf_api_call *call)
{
    mf_json_integer(&call->json, "count", 0);
    mf_json_integer(&call->json, "tag", 0);
    mf_json_array(&call->json, "items");
    mf_json_end(&call->json);
}

static void get_no_faults(struct mf_api_call *call)
{
    mf_json_array(&call->json, "faults");
    mf_json_end(&call->json);
}

static void get_no_rules(struct mf_api_call *call)
{
    mf_json_array(&call->json, "rules");
    mf_json_end(&call->json);
    mf_json_array(&call->json, "known");
    mf_json_end(&call->json);
}

static void refuse_order_to_kind(struct mf_api_call *call)
{
    const struct swarm_api *a = swarm_api_of(call);
    mf_api_refuse(call, 409,
                  "this member is of the kind %s, without firmware: give it orders on the "
                  "page of the swarm",
                  swarm_api_kind_word(a->l->w, a->vehicle));
}

static void write_where(struct mf_api_call *call)
{
    mf_api_refuse(call, 404, "the picture of a member is at /vehicles/N/, with the / at its end");
}

/* ---- table: first the routes of all members */

#define GET(path, serve, gives, query)                                          \
    {                                                                           \
        "GET", path, MF_API_PROCESS, MF_API_JSON, serve, "", NULL, gives, query \
    }

static const struct mf_api_route k_route[] = {
    {"GET", "/docs", MF_API_FREE, "text/html; charset=utf-8", mf_api_get_docs, "", NULL, NULL,
     NULL},
    GET("/openapi.json", swarm_api_get_document, NULL, NULL),
    GET("/v1/map", mf_api_get_map, mf_api_map_fields, NULL),
    GET("/v1/clock", get_clock, mf_api_clock_fields, NULL),
    {"POST", "/v1/clock", MF_API_PROCESS, MF_API_JSON, post_clock, "", mf_api_order_fields,
     mf_api_clock_fields, NULL},
    {"GET", "/", MF_API_FREE, MF_API_JSON, write_where, "", NULL, NULL, NULL},
#define FOR_ALL 6u
    GET("/v1/vehicle", get_member, mf_api_vehicle_fields, NULL),
    GET("/v1/track", swarm_api_get_track, mf_api_track_fields, mf_api_track_query),
    {"GET", "/v1/events", MF_API_PROCESS, "text/event-stream", swarm_api_get_events, "", NULL, NULL,
     mf_api_events_query},
    GET("/v1/mission", get_no_items, mf_api_mission_fields, mf_api_items_query),
    GET("/v1/fence", get_no_items, mf_api_fence_fields, mf_api_items_query),
    GET("/v1/rally", get_no_items, mf_api_rally_fields, mf_api_items_query),
    GET("/v1/faults", get_no_faults, mf_api_faults_fields, NULL),
    GET("/v1/misbehaviour", get_no_rules, mf_api_rules_fields, NULL),
    {"POST", "/v1/commands", MF_API_PROCESS, MF_API_JSON, refuse_order_to_kind, "",
     mf_api_command_fields, mf_api_result_fields, NULL},
};

void swarm_api_init_pictures(struct swarm_api *a)
{
    a->picture = a->server;
    a->picture.vehicles = &a->member;
    a->picture.find = NULL;
    a->picture.routes = k_route;
    a->picture.route_count = sizeof k_route / sizeof k_route[0];
    a->member.server = &a->picture;
    a->member.ops = a->one.ops;
    a->member.ops_ctx = a;
}

/* ---- paths */

#define PICTURES "/vehicles/"

static bool is_for_all(const struct mf_http_text *path)
{
    for (size_t i = 0; i < FOR_ALL; i++) {
        if (mf_api_is(path, k_route[i].path)) {
            return true;
        }
    }
    return false;
}

/* Translate the path of a picture's request, /vehicles/N/v1/faults, into that of the API,
 * /v1/vehicles/N/faults. */
static void ask_vehicle(struct swarm_api *a, struct mf_http_request *r,
                        const struct mf_http_text *id, const struct mf_http_text *rest)
{
    static const char k_state[] = "/v1/vehicle", k_api[] = "/v1";
    const size_t api = sizeof k_api - 1;
    const bool known = rest->len > api && memcmp(rest->at, k_api, api) == 0;
    const int beneath = mf_api_is(rest, k_state) || !known ? 0 : (int)(rest->len - api);
    const int n = snprintf(a->path, sizeof a->path, MF_API_VEHICLES_PATH "%.*s%.*s", (int)id->len,
                           id->at, beneath, known ? rest->at + api : "");
    if (known && n > 0 && (size_t)n < sizeof a->path) {
        r->path = (struct mf_http_text){a->path, (size_t)n};
    }
}

struct mf_api_server *swarm_api_choose_server(struct swarm_api *a, struct mf_http_request *r)
{
    const size_t n = sizeof PICTURES - 1;
    if (swarm_is_stepped(a->l->w) || r->path.len <= n || memcmp(r->path.at, PICTURES, n) != 0) {
        return &a->server;
    }
    const char *begin = r->path.at + n, *end = memchr(begin, '/', r->path.len - n);
    const struct mf_http_text id = {begin, end != NULL ? (size_t)(end - begin) : r->path.len - n};
    const struct mf_http_text rest = {begin + id.len, r->path.len - n - id.len};
    const uint32_t i = swarm_api_find_member(a->l->w, id.at, id.len);
    if (i == MF_CROWD_MAX || rest.len == 1) { /* the page is an ordinary route */
        return &a->server;
    }
    if (rest.len > 0 && swarm_is_vehicle(a->l->w, i) && !is_for_all(&rest)) {
        ask_vehicle(a, r, &id, &rest);
        return &a->server;
    }
    swarm_api_settle_vehicle(a);
    a->vehicle = i;
    r->path = rest.len > 0 ? rest : (struct mf_http_text){"/", 1};
    return &a->picture;
}
