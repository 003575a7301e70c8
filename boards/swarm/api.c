/* SPDX-License-Identifier: Apache-2.0 */
/* The control API of a swarm: the requests of one drone under /v1/vehicles/N, a list of all with
 * filters, the window, figures. One struct mf_api serves whichever vehicle is asked. */
#include "boards/swarm/links_own.h"
#include "boards/swarm/run.h"
#include "drone/inside.h"
#include "firmware/flight/mode.h"
#include "firmware/state/version.h"
#include "hal-posix/clock.h"
#include "host/api/api_route.h"
#include "host/base/json_view.h"
#include "host/spec/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

/* Vehicles of a list without ?count=, and with it. */
#define LISTED      100u
#define LISTED_MOST 2000u

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

static struct swarm_api *api_of(const struct mf_api_call *call)
{
    return call->api->ops_ctx;
}

/* ---- one vehicle */

/* What was asked of it happens now. */
static void settle(struct swarm_api *a)
{
    if (a->asked) {
        a->asked = false;
        (void)mf_crowd_touch(a->l->w->crowd, a->vehicle, swarm_present_us(a->l->w, a->vehicle),
                             NULL, NULL);
    }
}

/* A number of a path or a query. @return false: it is none */
static bool read_number(const char *text, size_t n, uint32_t most, uint32_t *value)
{
    uint32_t number = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || number > most / 10u) {
            return false;
        }
        number = number * 10u + (uint32_t)(text[i] - '0');
    }
    *value = number;
    return n > 0 && number <= most;
}

/* By number, or by name. @return MF_CROWD_MAX: there is none */
static uint32_t vehicle_named(const struct swarm *w, const char *id, size_t n)
{
    uint32_t number, from, to;
    char name[SWARM_NAME_MAX];
    if (read_number(id, n, MF_CROWD_MAX, &number)) {
        return number >= 1 && number <= w->scenario->members ? number - 1u : MF_CROWD_MAX;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), id);
    return mf_scenario_find(w->scenario, name, &from, &to) && to == from + 1u ? from : MF_CROWD_MAX;
}

static struct mf_api *find(struct mf_api_server *server, const char *id, size_t n)
{
    struct swarm_api *a = server->vehicles[0].ops_ctx;
    struct swarm *w = a->l->w;
    const uint32_t vehicle = vehicle_named(w, id, n);
    settle(a);
    if (vehicle == MF_CROWD_MAX ||
        !mf_crowd_touch(w->crowd, vehicle, swarm_present_us(w, vehicle), NULL, NULL)) {
        return NULL;
    }
    a->vehicle = vehicle;
    a->asked = true;
    a->one.drone = mf_crowd_drone(w->crowd, vehicle);
    a->one.vehicle = mf_drone_vehicle(a->one.drone);
    a->one.instance = (int32_t)vehicle + 1;
    return &a->one;
}

/* ---- what handlers of one drone ask of the board */

static double achieved(const struct swarm *w)
{
    return w->scenario->time.clock == MF_SCENARIO_CLOCK_REAL ? w->rate : -1.0;
}

static uint64_t resident_bytes(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (uint64_t)u.ru_maxrss * 1024u;
}

static void figures(void *ctx, struct mf_api_figures *f)
{
    static const char *const k_clock[] = {
#define X(name, word) word,
        MF_SCENARIO_CLOCK_LIST(X)
#undef X
    };
    const struct swarm_api *a = ctx;
    const struct swarm *w = a->l->w;
    *f = (struct mf_api_figures){.version = MF_VERSION,
                                 .clock = k_clock[w->scenario->time.clock],
                                 .rate = w->rate,
                                 .achieved_rate = achieved(w),
                                 .late_us = (mf_us_t)(w->late_s * 1e6),
                                 .wall_us = a->l->wall_us - a->l->begun_us,
                                 .utc_us = mf_utc_us(),
                                 .resident_bytes = resident_bytes()};
}

static void link_of(void *ctx, uint16_t link, struct mf_api_link *about)
{
    (void)ctx, (void)link;
    about->port = MF_API_NO_PORT;
    about->transport = "swarm";
}

static int set_clock(void *ctx, const char *word, double rate)
{
    (void)ctx, (void)word, (void)rate;
    return MF_E_NOSUPP;
}

static int port_of(void *ctx, uint16_t port, struct mf_api_port *about)
{
    (void)ctx, (void)port, (void)about;
    return MF_E_NOENT;
}

static void set_quality(void *ctx, uint16_t port, const struct mf_link_quality *quality)
{
    (void)ctx, (void)port, (void)quality;
}

/* A visit to the vehicle that is asked. */
struct asking {
    struct mf_msg_command_int *command;
    struct mf_msg_command_ack *ack;
    struct mf_msg_mission_item_int *items;
    uint8_t type;
    uint16_t count;
    uint8_t *outcome;
    struct mf_msg_param_set *set;
    struct mf_msg_param_value *now;
    int result;
};

static void ask(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                struct mf_inside *inside)
{
    struct asking *q = ctx;
    (void)shard, (void)i;
    if (q->command != NULL) {
        q->result = mf_inside_command(inside, drone, q->command, q->ack);
    } else if (q->set != NULL) {
        q->result = mf_inside_set_param(inside, drone, q->set, q->outcome, q->now);
    } else {
        q->result = mf_inside_upload(inside, drone, q->type, q->items, q->count, q->outcome);
    }
}

static int visit(void *ctx, struct asking *q)
{
    const struct swarm_api *a = ctx;
    struct swarm *w = a->l->w;
    q->result = MF_E_AGAIN;
    mf_crowd_visit(w->crowd, NULL, swarm_present_us(w, a->vehicle), a->vehicle, a->vehicle + 1u,
                   ask, q);
    return q->result;
}

static int command(void *ctx, struct mf_msg_command_int *m, struct mf_msg_command_ack *ack)
{
    return visit(ctx, &(struct asking){.command = m, .ack = ack});
}

static int upload(void *ctx, uint8_t type, struct mf_msg_mission_item_int *items, uint16_t count,
                  uint8_t *result)
{
    return visit(ctx,
                 &(struct asking){.items = items, .type = type, .count = count, .outcome = result});
}

static int set_param(void *ctx, struct mf_msg_param_set *m, uint8_t *error,
                     struct mf_msg_param_value *now)
{
    return visit(ctx, &(struct asking){.set = m, .outcome = error, .now = now});
}

static const struct mf_api_ops k_ops = {figures,     link_of, set_clock, port_of,
                                        set_quality, command, upload,    set_param};

/* ---- all vehicles */

static const char *const k_landed[] = {"undefined", "on_ground", "in_air", "takeoff", "landing"};

/* What a vehicle must be to be listed. */
struct filter {
    struct mf_http_text mode, landed, entity;
    int armed, finished, failsafe, frozen, observed; /* -1: does not matter */
    uint32_t from, count;
};

static bool read_truth(struct mf_api_call *call, const char *name, int *value)
{
    struct mf_http_text text;
    *value = -1;
    if (!mf_api_query(call, name, &text)) {
        return true;
    }
    if (!mf_api_is(&text, "true") && !mf_api_is(&text, "false")) {
        mf_api_refuse(call, 422, "%s must be true or false", name);
        return false;
    }
    *value = mf_api_is(&text, "true");
    return true;
}

static bool read_count(struct mf_api_call *call, const char *name, uint32_t most, uint32_t *value)
{
    struct mf_http_text text;
    if (mf_api_query(call, name, &text) && !read_number(text.at, text.len, most, value)) {
        mf_api_refuse(call, 422, "%s must be 1 .. %u", name, (unsigned)most);
        return false;
    }
    return true;
}

static bool read_filter(struct mf_api_call *call, struct filter *f)
{
    *f = (struct filter){.from = 1, .count = LISTED};
    (void)mf_api_query(call, "mode", &f->mode);
    (void)mf_api_query(call, "landed_state", &f->landed);
    (void)mf_api_query(call, "entity", &f->entity);
    return read_truth(call, "armed", &f->armed) && read_truth(call, "finished", &f->finished) &&
           read_truth(call, "failsafe", &f->failsafe) && read_truth(call, "frozen", &f->frozen) &&
           read_truth(call, "observed", &f->observed) &&
           read_count(call, "from", MF_CROWD_MAX, &f->from) &&
           read_count(call, "count", LISTED_MOST, &f->count);
}

static bool is(int wanted, bool truth)
{
    return wanted < 0 || (wanted == 1) == truth;
}

static bool says(const struct mf_http_text *wanted, const char *word)
{
    return wanted->len == 0 ||
           (wanted->len == strlen(word) && strncasecmp(wanted->at, word, wanted->len) == 0);
}

static bool passes(const struct swarm_links *l, const struct filter *f, uint32_t i,
                   const struct mf_crowd_state *now)
{
    return i + 1u >= f->from && is(f->armed, now->armed) && is(f->finished, now->finished) &&
           is(f->failsafe, now->failsafe) && is(f->frozen, now->frozen) &&
           is(f->observed, l->clock[i].counts) &&
           says(&f->mode, mf_mode_info((enum mf_mode)now->mode)->text) &&
           says(&f->landed, k_landed[now->landed]) &&
           says(&f->entity, mf_scenario_entity_of(l->w->scenario, i)->name);
}

static void write_address(const struct swarm_links *l, struct mf_json *j, uint32_t i)
{
    if (l->address == 0) {
        mf_json_null(j, "address");
        return;
    }
    char text[MF_ADDR_TEXT_MAX];
    struct mf_addr addr = {.len = sizeof addr.in};
    addr.in.sin_family = AF_INET;
    addr.in.sin_port = htons(l->address_port);
    addr.in.sin_addr.s_addr = htonl(l->address + i + 1u);
    mf_addr_text(&addr, text);
    mf_json_text(j, "address", text);
}

static void write_listed(const struct swarm_links *l, struct mf_json *j, uint32_t i,
                         const struct mf_crowd_state *now)
{
    char name[SWARM_NAME_MAX], path[40];
    mf_scenario_member_name(l->w->scenario, i, name);
    (void)snprintf(path, sizeof path, MF_API_VEHICLES_PATH "%u", (unsigned)i + 1u);
    mf_json_object(j, NULL);
    mf_json_integer(j, "id", (int64_t)i + 1);
    mf_json_text(j, "name", name);
    mf_json_integer(j, "system_id", 1 + (int64_t)(i % SWARM_GROUP));
    mf_json_text(j, "path", path);
    write_address(l, j, i);
    mf_json_text(j, "mode", mf_mode_info((enum mf_mode)now->mode)->text);
    mf_json_text(j, "landed_state", k_landed[now->landed]);
    mf_json_bool(j, "armed", now->armed);
    mf_json_bool(j, "finished", now->finished);
    mf_json_bool(j, "failsafe", now->failsafe);
    mf_json_bool(j, "frozen", now->frozen);
    mf_json_bool(j, "observed", l->clock[i].counts);
    mf_json_integer(j, "reached", now->reached);
    if (now->frozen) {
        mf_json_null(j, "lat_deg");
        mf_json_null(j, "lon_deg");
        mf_json_null(j, "alt_amsl_m");
    } else {
        const struct mf_pose pose = mf_crowd_pose(l->w->crowd, i, l->w->now_us);
        mf_json_number(j, "lat_deg", pose.lat_deg, 7);
        mf_json_number(j, "lon_deg", pose.lon_deg, 7);
        mf_json_number(j, "alt_amsl_m", pose.alt_amsl_m, 3);
    }
    mf_json_end(j);
}

static void get_vehicles(struct mf_api_call *call)
{
    const struct swarm_links *l = api_of(call)->l;
    struct filter f;
    uint32_t found = 0, next = 0;
    if (!read_filter(call, &f)) {
        return;
    }
    mf_json_number(&call->json, "time_s", (double)l->w->now_us / 1e6, 6);
    mf_json_array(&call->json, "vehicles");
    for (uint32_t i = 0; i < l->w->scenario->members; i++) {
        const struct mf_crowd_state now = mf_crowd_state(l->w->crowd, i);
        if (!passes(l, &f, i, &now)) {
            continue;
        }
        if (found < f.count) {
            write_listed(l, &call->json, i, &now);
        } else if (found == f.count) {
            next = i + 1u;
        }
        found++;
    }
    mf_json_end(&call->json);
    mf_json_integer(&call->json, "count", found);
    if (next == 0) {
        mf_json_null(&call->json, "next");
    } else {
        mf_json_integer(&call->json, "next", next);
    }
}

/* ---- the window */

static void get_window(struct mf_api_call *call)
{
    const struct swarm_links *l = api_of(call)->l;
    mf_json_integer(&call->json, "port", l->w->scenario->links.window.port);
    mf_json_array(&call->json, "vehicles");
    for (uint32_t k = 0; k < l->window_count; k++) {
        mf_json_integer(&call->json, NULL, (int64_t)l->window[k] + 1);
    }
    mf_json_end(&call->json);
}

/* Numbers, or names of members and entities. @return false: it was refused */
static bool add_named(struct mf_api_call *call, struct mf_json_view item, uint32_t *vehicle,
                      uint32_t *count)
{
    const struct mf_scenario *s = api_of(call)->l->w->scenario;
    const double number = mf_json_view_number(item);
    char name[SWARM_NAME_MAX];
    uint32_t from = 0, to = 0;
    mf_json_view_text(item, name, sizeof name);
    if (number >= 1.0 && number <= (double)s->members && floor(number) == number) {
        from = (uint32_t)number - 1u;
        to = from + 1u;
    } else if (name[0] == '\0' || !mf_scenario_find(s, name, &from, &to)) {
        mf_api_refuse(call, 422, "vehicles: there is no %.40s; numbers are 1 .. %u",
                      name[0] != '\0' ? name : "such number", (unsigned)s->members);
        return false;
    }
    for (uint32_t i = from; i < to; i++) {
        bool twice = false;
        for (uint32_t k = 0; k < *count; k++) {
            twice = twice || vehicle[k] == i;
        }
        if (!twice && *count == SWARM_GROUP) {
            mf_api_refuse(call, 422, "vehicles: a window has 250 at most");
            return false;
        }
        if (!twice) {
            vehicle[(*count)++] = i;
        }
    }
    return true;
}

static void put_window(struct mf_api_call *call)
{
    struct swarm_links *l = api_of(call)->l;
    const struct mf_http_text *body = &call->request->body;
    struct mf_json_mistake mistake;
    struct mf_json_view root;
    uint32_t vehicle[SWARM_GROUP], count = 0;
    if (!mf_json_view_check(body->at, body->len, &root, &mistake)) {
        mf_api_refuse(call, 400, "the body: %u:%u: %s", mistake.line, mistake.column, mistake.what);
        return;
    }
    const struct mf_json_view list = mf_json_view_get(root, "vehicles");
    if (mf_json_view_kind(list) != MF_JSON_VIEW_ARRAY) {
        mf_api_refuse(call, 422, "write {\"vehicles\": [1, 7312, \"walker.5\"]}");
        return;
    }
    if (l->w->scenario->links.window.port == 0) {
        mf_api_refuse(call, 409, "the scenario has no links.window");
        return;
    }
    for (struct mf_json_view item = mf_json_view_first(list);
         mf_json_view_kind(item) != MF_JSON_VIEW_MISSING; item = mf_json_view_next(item)) {
        if (!add_named(call, item, vehicle, &count)) {
            return;
        }
    }
    settle(api_of(call));
    swarm_window_set(l, vehicle, count);
    get_window(call);
}

/* ---- small routes */

static void get_health(struct mf_api_call *call)
{
    mf_json_text(&call->json, "status", "ok");
}

/* By a client, or by this API. */
static bool is_held(const struct swarm *w)
{
    return mf_earlier(swarm_links_limit(w), w->hold_us) <= w->now_us;
}

static void get_swarm_clock(struct mf_api_call *call)
{
    const struct swarm *w = api_of(call)->l->w;
    struct mf_api_figures f;
    figures(api_of(call), &f);
    mf_json_number(&call->json, "time_s", (double)w->now_us / 1e6, 6);
    mf_json_number(&call->json, "wall_s", (double)f.wall_us / 1e6, 6);
    mf_json_text(&call->json, "clock", f.clock);
    mf_json_number(&call->json, "rate", f.rate, 6);
    mf_json_number(&call->json, "late_s", w->late_s, 6);
    mf_json_bool(&call->json, "held", is_held(w));
}

static void post_clock(struct mf_api_call *call)
{
    struct swarm *w = api_of(call)->l->w;
    const struct mf_json_member *action = mf_json_find(call->body, "action");
    const struct mf_json_member *seconds = mf_json_find(call->body, "seconds");
    const struct mf_json_member *rate = mf_json_find(call->body, "rate");
    const bool runs = action != NULL && strcmp(action->text, "run") == 0;
    const bool holds = action != NULL && strcmp(action->text, "hold") == 0;
    if (action != NULL && !runs && !holds && strcmp(action->text, "resume") != 0) {
        mf_api_refuse(call, 422, "action must be hold, run or resume, not '%.40s'", action->text);
        return;
    }
    if (runs != (seconds != NULL) ||
        (runs && !(seconds->number >= 0.0 && seconds->number <= 1e7))) {
        mf_api_refuse(call, 422, "run, and run alone, needs seconds: 0 .. 1e7");
        return;
    }
    const int result = rate != NULL ? swarm_run_rate(w, rate->number) : MF_E_OK;
    if (result != MF_E_OK) {
        mf_api_refuse(call, result == MF_E_RANGE ? 422 : 409, "rate: %s",
                      result == MF_E_RANGE ? "0.01 .. 10000" : "this clock has none");
        return;
    }
    if (runs) {
        swarm_run_step(w, (mf_us_t)(seconds->number * 1e6));
    } else if (action != NULL) {
        swarm_run_pause(w, holds);
    }
    get_swarm_clock(call);
}

/* ---- figures for Prometheus: name, type, help, value */

struct counts {
    uint64_t armed, in_air, finished, failsafe, breach;
};

static struct counts count(const struct swarm *w)
{
    struct counts c = {0};
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const struct mf_crowd_state now = mf_crowd_state(w->crowd, i);
        c.armed += now.armed;
        c.in_air += now.landed == MF_LANDED_IN_AIR;
        c.finished += now.finished;
        c.failsafe += now.failsafe;
        c.breach += now.breach;
    }
    return c;
}

/* clang-format off */
#define METRIC_LIST(X) \
    X("mayfly_swarm_vehicles", "gauge", "Vehicles of the scenario.", w->scenario->members) \
    X("mayfly_swarm_armed", "gauge", "Vehicles that are armed.", c.armed) \
    X("mayfly_swarm_in_air", "gauge", "Vehicles in the air.", c.in_air) \
    X("mayfly_swarm_missions_finished", "gauge", "Vehicles whose mission is complete.", c.finished) \
    X("mayfly_swarm_missions_refused_total", "counter", "Missions that did not begin.", w->refused) \
    X("mayfly_swarm_failsafe", "gauge", "Vehicles whose mode a failsafe chose.", c.failsafe) \
    X("mayfly_swarm_breach", "gauge", "Vehicles outside their fence.", c.breach) \
    X("mayfly_swarm_frozen", "gauge", "Vehicles that an assertion has ended.", mf_crowd_frozen(w->crowd)) \
    X("mayfly_swarm_steps_total", "counter", "Passes of all vehicles.", mf_crowd_steps(w->crowd)) \
    X("mayfly_swarm_time_seconds", "counter", "Vehicle time.", (double)w->now_us / 1e6) \
    X("mayfly_swarm_wall_seconds", "counter", "Time of the wall since the boot.", (double)f.wall_us / 1e6) \
    X("mayfly_swarm_late_seconds", "gauge", "Worst lateness of a clock that counts with the wall.", w->late_s) \
    X("mayfly_swarm_held", "gauge", "Somebody holds time, or a client does not read.", is_held(w)) \
    X("mayfly_swarm_links", "gauge", "Links of vehicles.", l->open) \
    X("mayfly_swarm_observed", "gauge", "Vehicles that have had a client.", l->observed_count) \
    X("mayfly_peers_opened_total", "counter", "Clients that came.", n->opened) \
    X("mayfly_peers_closed_total", "counter", "Clients that went.", n->closed) \
    X("mayfly_peers_turned_away_total", "counter", "Clients for which there was no room.", n->turned_away) \
    X("mayfly_peers_dropped_total", "counter", "Clients that did not take what was sent.", n->dropped_slow) \
    X("mayfly_frames_refused_total", "counter", "Frames for which a client's queue had no room.", n->tx_refused) \
    X("mayfly_received_bytes_total", "counter", "Bytes from clients.", n->rx_bytes) \
    X("mayfly_sent_bytes_total", "counter", "Bytes to clients.", n->tx_bytes) \
    X("mayfly_http_requests_total", "counter", "Requests that were answered.", a->http.stats.requests) \
    X("mayfly_http_refused_total", "counter", "Requests that were malformed, too long or too slow.", a->http.stats.refused) \
    X("process_resident_memory_bytes", "gauge", "Most memory that the process has had.", f.resident_bytes)
/* clang-format on */

static void get_metrics(struct mf_api_call *call)
{
    const struct swarm_api *a = api_of(call);
    const struct swarm_links *l = a->l;
    const struct swarm *w = l->w;
    const struct mf_net_stats *n = &l->net.stats;
    const struct counts c = count(w);
    struct mf_api_figures f;
    figures(api_of(call), &f);
    const struct {
        const char *name, *type, *help;
        double value;
    } metric[] = {
#define X(name, type, help, value) {name, type, help, (double)(value)},
        METRIC_LIST(X)
#undef X
    };
    char *text = a->http.answer;
    size_t at = 0;
    for (size_t i = 0; i < sizeof metric / sizeof metric[0]; i++) {
        at += (size_t)snprintf(text + at, MF_HTTP_ANSWER_MAX - at,
                               "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n", metric[i].name,
                               metric[i].help, metric[i].name, metric[i].type, metric[i].name,
                               metric[i].value);
    }
    call->answer->body = text;
    call->answer->len = at;
}

static void get_document(struct mf_api_call *call)
{
    const struct mf_api_server *server = call->api->server;
    call->answer->len = mf_api_write_document(server->routes, server->route_count,
                                              server->http->answer, MF_HTTP_ANSWER_MAX);
    call->answer->body = server->http->answer;
}

/* ---- the table */

static const struct mf_api_field k_status[] = {{"status", "string", "ok"}, {NULL, NULL, NULL}};
static const struct mf_api_field k_list[] = {
    {"time_s", "number", "vehicle time"},
    {"vehicles", "array:object", "those that pass the filters"},
    {"count", "integer", "how many pass"},
    {"next", "integer?", "from= of those that are not listed; null: there are none"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_list_query[] = {
    {"mode", "string", "as in the answer: Mission, Hold"},
    {"landed_state", "string", "on_ground, in_air, takeoff, landing"},
    {"entity", "string", "its name"},
    {"armed", "boolean", "true or false"},
    {"finished", "boolean", "its mission is complete"},
    {"failsafe", "boolean", "a failsafe chose the mode"},
    {"frozen", "boolean", "an assertion has ended it"},
    {"observed", "boolean", "it has had a client"},
    {"from", "integer:1..1000000", "first number; 1"},
    {"count", "integer:1..2000", "of those that are listed; 100"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_window[] = {
    {"port", "integer", "of the scenario; 0: it has no window"},
    {"vehicles", "array:integer", "their numbers"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_window_request[] = {
    {"vehicles", "array:string", "numbers, or names of members and entities; 250 vehicles at most"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_time[] = {
    {"time_s", "number", "vehicle time of all"},
    {"wall_s", "number", "since the boot"},
    {"clock", "string", "event, fast or real"},
    {"rate", "number", "of real"},
    {"late_s", "number", "worst lateness"},
    {"held", "boolean", "a barrier or this API holds the world, or a client does not read"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_order[] = {
    {"action", "string:hold|run|resume",
     "time stands; goes on for some seconds, then stands; goes on"},
    {"seconds", "number:0..10000000", "of run"},
    {"rate", "number:0.01..10000", "of a clock that counts with the wall, from now on"},
    {NULL, NULL, NULL},
};

#define JSON    MF_API_JSON
#define FREE    MF_API_FREE
#define PROCESS MF_API_PROCESS
#define VEHICLE MF_API_VEHICLE

static const struct mf_api_route k_route[] = {
    {"GET", "/docs", FREE, "text/html; charset=utf-8", mf_api_get_docs, "This API, for a browser",
     NULL, NULL, NULL},
    {"GET", "/healthz", FREE, JSON, get_health, "The process runs", NULL, k_status, NULL},
    {"GET", "/readyz", FREE, JSON, get_health, "All vehicles have booted", NULL, k_status, NULL},
    {"GET", "/metrics", FREE, "text/plain; version=0.0.4", get_metrics, "Figures for Prometheus",
     NULL, NULL, NULL},
    {"GET", "/v1/vehicles", PROCESS, JSON, get_vehicles, "Vehicles that pass filters", NULL, k_list,
     k_list_query},
    {"GET", "/v1/window", PROCESS, JSON, get_window, "Vehicles of the window", NULL, k_window,
     NULL},
    {"PUT", "/v1/window", PROCESS, JSON, put_window, "Other vehicles from now on", k_window_request,
     k_window, NULL},
    {"GET", "/v1/clock", PROCESS, JSON, get_swarm_clock, "How time passes", NULL, k_time, NULL},
    {"POST", "/v1/clock", PROCESS, JSON, post_clock, "Hold the world, or let it run", k_order,
     k_time, NULL},
    {"GET", "/v1/vehicle", VEHICLE, JSON, mf_api_get_vehicle, "State of a vehicle", NULL,
     mf_api_vehicle_fields, NULL},
    {"GET", "/v1/mission", VEHICLE, JSON, mf_api_get_mission, "Items of its mission", NULL,
     mf_api_mission_fields, mf_api_items_query},
    {"PUT", "/v1/mission", VEHICLE, JSON, mf_api_put_mission, "Upload a plan", mf_api_plan_fields,
     mf_api_stored_fields, NULL},
    MF_API_PLAN_ROUTES,
    {"POST", "/v1/faults", VEHICLE, JSON, mf_api_post_fault, "Begin or schedule a fault",
     mf_api_fault_fields, mf_api_faults_fields, NULL},
    {"DELETE", "/v1/faults", VEHICLE, JSON, mf_api_delete_faults, "End all faults", NULL,
     mf_api_faults_fields, NULL},
    {"DELETE", "/v1/faults/{fault}", VEHICLE, JSON, mf_api_delete_fault, "End one fault", NULL,
     mf_api_faults_fields, NULL},
    {"POST", "/v1/commands", VEHICLE, JSON, mf_api_post_command,
     "An action, or a MAVLink command; answers with its result", mf_api_command_fields,
     mf_api_result_fields, NULL},
    {"GET", "/v1/parameters", VEHICLE, JSON, mf_api_get_params, "All parameters", NULL,
     mf_api_params_fields, NULL},
    {"GET", "/v1/parameters/{name}", VEHICLE, JSON, mf_api_get_param, "One parameter", NULL,
     mf_api_param_fields, NULL},
    {"PUT", "/v1/parameters/{name}", VEHICLE, JSON, mf_api_put_param, "Set a parameter",
     mf_api_param_request_fields, mf_api_param_fields, NULL},
    {"GET", "/v1/links", VEHICLE, JSON, mf_api_get_links, "Links and what they counted", NULL,
     mf_api_links_fields, NULL},
    {"GET", "/openapi.json", PROCESS, JSON, get_document, "This document", NULL, NULL, NULL},
};

/* ---- the server */

bool swarm_api_init(struct swarm_links *l)
{
    const char *token = l->w->scenario->links.token;
    struct swarm_api *a = calloc(1, sizeof *a);
    if (a == NULL) {
        return false;
    }
    l->api = a;
    a->l = l;
    mf_http_init(&a->http, mf_api_handle, mf_api_is_short, &a->server);
    a->http.takes_large = mf_api_takes_large;
    a->http.large = a->large;
    a->server = (struct mf_api_server){.http = &a->http,
                                       .vehicles = &a->one,
                                       .count = 1,
                                       .plan = &a->plan,
                                       .find = find,
                                       .routes = k_route,
                                       .route_count = sizeof k_route / sizeof k_route[0],
                                       .raw = k_window_request};
    (void)snprintf(a->server.token, sizeof a->server.token, "%.128s", token);
    a->one.server = &a->server;
    a->one.ops = &k_ops;
    a->one.ops_ctx = a;
    return true;
}

const char *swarm_api_opened(struct swarm_links *l, uint16_t peer, uint16_t port,
                             const struct mf_serial *serial)
{
    const bool local = mf_addr_is_loopback(&l->net.memory.ports[port].local);
    return mf_http_open(&l->api->http, peer, serial, local, l->wall_us) ? NULL
                                                                        : "too many connections";
}

void swarm_api_closed(struct swarm_links *l, uint16_t peer)
{
    mf_http_close(&l->api->http, peer);
}

mf_us_t swarm_api_turn(struct swarm_links *l)
{
    struct swarm_api *a = l->api;
    a->http.utc_us = mf_utc_us();
    const mf_us_t due_us = mf_api_turn(&a->server, l->wall_us);
    settle(a);
    for (int done = mf_http_done(&a->http); done >= 0; done = mf_http_done(&a->http)) {
        mf_http_close(&a->http, (uint16_t)done);
        mf_net_drop(&l->net, (uint16_t)done, NULL);
    }
    return due_us;
}
