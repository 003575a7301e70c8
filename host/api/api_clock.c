/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: control of vehicle time. The API is a controller of time like those of the time
 * socket; requests give its lines. From its first order it is a controller, until "resume". */
#include "host/api/api_route.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Id of the API as a controller; the board counts other controllers from 0. */
#define CONTROLLER UINT16_MAX

const struct mf_api_field mf_api_order_fields[] = {
    {"action", "string/:hold|run|resume",
     "hold: stop vehicle time; run: let it pass up to for_s, until_s or the next event, then stop "
     "it; resume: let it pass freely"},
    {"for_s", "number:0..1e9", "run: stop after this much vehicle time [s]"},
    {"until_s", "number:0..1e9", "run: stop at this vehicle time [s]"},
    {"event", "boolean", "run: stop at the next event of the vehicle"},
    {"mode", "string/:real|fast|event|lockstep", "clock from now on, as --clock"},
    {"rate", "number/:0.001..10000", "clock real: vehicle seconds per second"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_clock_fields[] = {
    {"vehicle_time_s", "number", "vehicle time since the boot [s]"},
    {"wall_time_s", "number", "time of the host since the boot [s]"},
    {"mode", "string:real|fast|event|lockstep", "clock that counts, as --clock"},
    {"rate", "number", "clock real: vehicle seconds per second"},
    {"achieved_rate", "number?",
     "vehicle seconds per second that passed lately; null: not known yet"},
    {"behind", "boolean",
     "true: vehicle time waits for a late host, or for a client that does not read"},
    {"next_s", "number?", "vehicle time at which the vehicle runs next [s]; null: none"},
    {"next_event_s", "number?", "vehicle time of the next known event [s]; null: none"},
    {"events", "integer", "number of events since the boot"},
    {"action", "string:resume|hold|run", "action of this API; resume: none"},
    {"until_s", "number?", "vehicle time at which time stops [s]; null: not known, or never"},
    {"pending", "boolean", "true: an action has not taken effect yet"},
    {"standing", "boolean", "true: time has stopped where this API let it run to"},
    {"controllers", "integer", "number of controllers of vehicle time, this API among them"},
    {NULL, NULL, NULL},
};

/* ---- its serial device */

static int order_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct mf_api *api = ctx;
    const size_t n = strlen(api->order);
    if (n > cap) {
        return 0;
    }
    memcpy(bytes, api->order, n);
    api->order[0] = '\0';
    return (int)n;
}

/* Drop what would be sent to the controller: its state is read from its structure instead. */
static int order_write(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx, (void)bytes;
    return (int)n;
}

static size_t order_room(void *ctx)
{
    (void)ctx;
    return MF_TIME_TEXT_MAX;
}

static const struct mf_serial_ops k_serial = {order_write, order_read, order_room};

static struct mf_time_controller *find_controller(const struct mf_api *api)
{
    for (size_t i = 0; api->time != NULL && i < MF_TIME_CONTROLLERS_MAX; i++) {
        if (api->time->controller[i].open && api->time->controller[i].id == CONTROLLER) {
            return &api->time->controller[i];
        }
    }
    return NULL;
}

static bool is_pending(const struct mf_api *api, const struct mf_time_controller *c)
{
    return api->order[0] != '\0' || (c != NULL && c->waiting);
}

bool mf_api_clock_stands(const struct mf_api *api)
{
    const struct mf_time_controller *c = find_controller(api);
    return c != NULL && c->action == MF_TIME_HOLD && !is_pending(api, c);
}

void mf_api_clock_settle(struct mf_api *api)
{
    const struct mf_time_controller *c = find_controller(api);
    if (c != NULL && c->action == MF_TIME_LEAVE && !is_pending(api, c)) {
        mf_time_control_close(api->time, CONTROLLER);
    }
}

/* ---- requests */

static void write_time(struct mf_json *j, const char *key, mf_us_t t_us)
{
    if (t_us == MF_NEVER) {
        mf_json_null(j, key);
    } else {
        mf_json_number(j, key, (double)t_us / 1e6, 6);
    }
}

void mf_api_get_clock(struct mf_api_call *call)
{
    struct mf_api *api = call->api;
    struct mf_json *j = &call->json;
    struct mf_api_figures figures;
    const struct mf_time_controller *c = find_controller(api);
    const struct mf_time_report *r = &api->time->report;
    const bool runs = c != NULL && (c->action == MF_TIME_GO || c->action == MF_TIME_EVENT);
    const bool holds = c != NULL && c->action == MF_TIME_HOLD;
    api->ops->figures(api->ops_ctx, &figures);
    mf_json_number(j, "vehicle_time_s", (double)*mf_vehicle_clock(api->vehicle) / 1e6, 6);
    mf_json_number(j, "wall_time_s", (double)figures.wall_us / 1e6, 6);
    mf_json_text(j, "mode", figures.clock);
    mf_json_number(j, "rate", figures.rate, 6);
    if (figures.achieved_rate < 0.0) {
        mf_json_null(j, "achieved_rate");
    } else {
        mf_json_number(j, "achieved_rate", figures.achieved_rate, 3);
    }
    mf_json_bool(j, "behind", figures.behind);
    write_time(j, "next_s", r->next_us);
    write_time(j, "next_event_s", r->event_us);
    mf_json_integer(j, "events", mf_vehicle_status(api->vehicle).counters.events);
    mf_json_text(j, "action", runs ? "run" : holds ? "hold" : "resume");
    write_time(j, "until_s",
               holds || (c != NULL && c->action == MF_TIME_GO) ? c->until_us : MF_NEVER);
    mf_json_bool(j, "pending", is_pending(api, c));
    mf_json_bool(j, "standing", mf_api_clock_stands(api));
    mf_json_integer(j, "controllers", api->time->count);
}

/* Convert seconds to vehicle time, added to @p from_us. @return false: out of range */
static bool to_us(double s, mf_us_t from_us, mf_us_t *t_us)
{
    if (!(s >= 0.0 && s <= (double)(MF_TIME_MAX_US - from_us) / 1e6)) {
        return false;
    }
    *t_us = from_us + mf_us_of(s);
    return *t_us <= MF_TIME_MAX_US;
}

/* Write the line of action "run". @return false: refused */
static bool order_run(struct mf_api_call *call, char *line, size_t cap)
{
    const struct mf_json_member *for_s = mf_json_find(call->body, "for_s");
    const struct mf_json_member *until_s = mf_json_find(call->body, "until_s");
    const struct mf_json_member *event = mf_json_find(call->body, "event");
    const mf_us_t now_us = *mf_vehicle_clock(call->api->vehicle);
    const int ways = (for_s != NULL) + (until_s != NULL) + (event != NULL && event->truth);
    mf_us_t at_us = 0;
    if (ways != 1) {
        mf_api_refuse(call, 422, "run needs one of for_s, until_s and event");
        return false;
    }
    if (event != NULL && event->truth) {
        (void)snprintf(line, cap, "event\n");
        return true;
    }
    if (!(for_s != NULL ? to_us(for_s->number, now_us, &at_us)
                        : to_us(until_s->number, 0, &at_us)) ||
        at_us < now_us) {
        mf_api_refuse(call, 422, "run: that time is over, or beyond 1e9 s: now it is %.6f s",
                      (double)now_us / 1e6);
        return false;
    }
    (void)snprintf(line, cap, "go %" PRId64 "\n", at_us);
    return true;
}

/* Write the line of an action. @return false: refused */
static bool write_order(struct mf_api_call *call, const char *action, char *line, size_t cap)
{
    if (strcmp(action, "run") == 0) {
        return order_run(call, line, cap);
    }
    if (mf_json_find(call->body, "for_s") != NULL || mf_json_find(call->body, "until_s") != NULL ||
        mf_json_find(call->body, "event") != NULL) {
        mf_api_refuse(call, 422, "for_s, until_s and event are for run");
        return false;
    }
    if (strcmp(action, "hold") != 0 && strcmp(action, "resume") != 0) {
        mf_api_refuse(call, 422, "action '%.20s' is not known, allowed: hold, run, resume", action);
        return false;
    }
    (void)snprintf(line, cap, "%s\n", action[0] == 'h' ? "hold" : "leave");
    return true;
}

/* Change mode and rate of the clock as requested. @return false: refused */
static bool change_clock(struct mf_api_call *call)
{
    const struct mf_json_member *mode = mf_json_find(call->body, "mode");
    const struct mf_json_member *rate = mf_json_find(call->body, "rate");
    struct mf_api *api = call->api;
    struct mf_api_figures figures;
    if (mode == NULL && rate == NULL) {
        return true;
    }
    api->ops->figures(api->ops_ctx, &figures);
    const char *word = mode != NULL ? mode->text : figures.clock;
    const double factor = rate != NULL ? rate->number : 1.0;
    if ((rate != NULL && strcmp(word, "real") != 0) || !(factor >= 0.001 && factor <= 10000.0)) {
        mf_api_refuse(call, 422, "rate is for clock real, allowed: 0.001 .. 10000");
        return false;
    }
    const int result = api->ops->set_clock(api->ops_ctx, word, factor);
    if (result == MF_E_DENIED) {
        mf_api_refuse(call, 409, "transport vehicle: the clock stays lockstep");
        return false;
    }
    if (result != MF_E_OK) {
        mf_api_refuse(call, 422, "mode '%.20s' is not known, allowed: real, fast, event, lockstep",
                      word);
        return false;
    }
    api->server->posted = true;
    return true;
}

void mf_api_post_clock(struct mf_api_call *call)
{
    struct mf_api *api = call->api;
    const struct mf_json_member *action = mf_json_find(call->body, "action");
    const struct mf_serial serial = {.ops = &k_serial, .ctx = api};
    char line[sizeof api->order] = "";
    if (call->body->count == 0 || (action == NULL && (mf_json_find(call->body, "for_s") != NULL ||
                                                      mf_json_find(call->body, "until_s") != NULL ||
                                                      mf_json_find(call->body, "event") != NULL))) {
        mf_api_refuse(call, 422, "an action, mode or rate is missing");
        return;
    }
    if (action != NULL && !write_order(call, action->text, line, sizeof line)) {
        return;
    }
    const bool wants = line[0] != '\0' && (line[0] != 'l' || find_controller(api) != NULL);
    if (wants && find_controller(api) == NULL &&
        !mf_time_control_open(api->time, CONTROLLER, &serial)) {
        mf_api_refuse(call, 409, "there are %u controllers of time already",
                      MF_TIME_CONTROLLERS_MAX);
        return;
    }
    if (!change_clock(call)) {
        return;
    }
    if (wants) {
        find_controller(api)->lenient = true;        /* time may run on until the order is read */
        memcpy(api->order, line, sizeof api->order); /* the last order replaces earlier ones */
    }
    call->answer->status = 202;
    mf_api_get_clock(call);
}
