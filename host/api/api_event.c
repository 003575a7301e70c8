/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: events of a vehicle as server-sent events, and as lines of the log. */
#include "firmware/flight/mode.h"
#include "firmware/report/snapshot.h"
#include "firmware/state/journal.h"
#include "host/api/api_route.h"
#include "host/base/log.h"
#include "host/spec/faultspec.h"
#include "mavlink/enums.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Maximum size of an event's data; the rest of the event is its name, id and frame [bytes]. */
#define DATA_MAX (MF_API_EVENT_MAX - 64u)

_Static_assert(MF_API_EVENT_MAX <= MF_HTTP_PIECE_MAX, "an event is a piece of a stream");
_Static_assert(MF_FAULT_COUNT <= 64, "active faults are bits of an uint64_t");

static const char *const k_event[MF_API_EVENT_COUNT] = {
#define X(name, spelling, tells) [MF_API_EVENT_##name] = (spelling),
    MF_API_EVENT_LIST(X)
#undef X
};

static struct mf_json begin(mf_us_t t_us, char *data, size_t cap)
{
    struct mf_json j = mf_json_writer(data, cap);
    mf_json_object(&j, NULL);
    mf_json_number(&j, "vehicle_time_s", (double)t_us / 1e6, 6);
    return j;
}

/* Write a log line with the members after the time. The line of a text has the severity of the
 * text. */
static void log_fields(struct mf_api *api, mf_us_t t_us, enum mf_api_event event,
                       enum mf_severity severity, const struct mf_json *j)
{
    const char *comma = j->full ? NULL : memchr(j->at, ',', j->len);
    const struct mf_log_event line = {
        .t_us = t_us,
        .severity = severity,
        .topic = k_event[event],
        .text = api->saying,
        .fields = comma != NULL ? comma + 1 : "",
        .fields_len = comma != NULL ? j->len - (size_t)(comma + 1 - j->at) : 0,
    };
    if (api->json != NULL) {
        mf_log_write(api->json, &line);
    }
}

static void end(struct mf_api *api, mf_us_t t_us, enum mf_api_event event, struct mf_json *j)
{
    const size_t i = api->piece_count++ % MF_API_EVENTS_KEPT;
    while (j->depth > 0) {
        mf_json_end(j);
    }
    api->piece[i].id = api->next_event++;
    api->piece[i].t_us = t_us;
    api->piece[i].event = k_event[event];
    const int object = j->full ? 2 : (int)j->len;
    const int n = snprintf(api->piece[i].text, sizeof api->piece[i].text,
                           "id: %" PRIu64 "\nevent: %s\ndata: %.*s\n\n", api->piece[i].id,
                           k_event[event], object, j->full ? "{}" : j->at);
    MF_ASSERT(n > 0 && (size_t)n < sizeof api->piece[i].text);
    api->piece[i].len = (uint16_t)n;
    api->piece[i].data = (uint16_t)(n - 2 - object);
}

/* Find a stream's next piece. A cursor counts pieces. If a client reads so slowly that its next
 * piece is dropped, it continues with the oldest kept one; the ids show the gap. */
size_t mf_api_next_piece(void *source, uint64_t *cursor, const char **piece)
{
    const struct mf_api *api = source;
    const uint64_t oldest = mf_api_oldest_piece(api);
    *cursor = *cursor < oldest ? oldest : *cursor;
    if (*cursor >= api->piece_count) {
        return 0;
    }
    const size_t i = *cursor % MF_API_EVENTS_KEPT;
    *piece = api->piece[i].text;
    (*cursor)++;
    return api->piece[i].len;
}

/* Read an id, such as "123". @return false: the text is not a number */
static bool read_id(const struct mf_http_text *text, uint64_t *id)
{
    *id = 0;
    for (size_t i = 0; i < text->len; i++) {
        if (text->at[i] < '0' || text->at[i] > '9' || i >= 18) {
            return false;
        }
        *id = *id * 10u + (uint64_t)(text->at[i] - '0');
    }
    return text->len > 0;
}

const struct mf_api_field mf_api_events_query[] = {
    {"after", "integer:0..999999999999999",
     "id of an event; the stream begins with the kept events after it"},
    {NULL, NULL, NULL},
};

void mf_api_get_events(struct mf_api_call *call)
{
    const struct mf_api *api = call->api;
    struct mf_http_text text = call->request->last_id;
    uint64_t after;
    const bool asked = mf_api_query(call, "after", &text);
    const bool given = asked || text.len > 0;
    if (given && !read_id(&text, &after)) {
        mf_api_refuse(call, 422, "%s: '%.*s' is not an id of an event, which is a number",
                      asked ? "after" : "Last-Event-ID", (int)(text.len < 40 ? text.len : 40),
                      text.at);
        return;
    }
    uint64_t cursor = api->piece_count;
    if (given) {
        while (cursor > mf_api_oldest_piece(api) &&
               api->piece[(cursor - 1) % MF_API_EVENTS_KEPT].id > after) {
            cursor--;
        }
    }
    call->answer->stream = true;
    call->answer->source = call->api;
    call->answer->cursor = cursor;
}

/* ---- changes */

static void tell_mode(struct mf_api *api, mf_us_t t_us)
{
    const struct mf_status now = mf_vehicle_status(api->vehicle);
    char data[DATA_MAX];
    if (now.mode == api->seen.mode) {
        return;
    }
    api->seen.mode = now.mode;
    struct mf_json j = begin(t_us, data, sizeof data);
    mf_json_text(&j, "mode", mf_mode_info((enum mf_mode)now.mode)->text);
    mf_json_integer(&j, "custom_mode", mf_mode_custom((enum mf_mode)now.mode));
    mf_json_bool(&j, "failsafe", now.failsafe);
    log_fields(api, t_us, MF_API_EVENT_MODE, MF_INFO, &j);
    end(api, t_us, MF_API_EVENT_MODE, &j);
}

static void tell_armed(struct mf_api *api, mf_us_t t_us)
{
    const bool armed = mf_vehicle_status(api->vehicle).armed;
    char data[DATA_MAX];
    if (armed != api->seen.armed) {
        api->seen.armed = armed;
        struct mf_json j = begin(t_us, data, sizeof data);
        mf_json_bool(&j, "armed", armed);
        log_fields(api, t_us, MF_API_EVENT_ARMED, MF_INFO, &j);
        end(api, t_us, MF_API_EVENT_ARMED, &j);
    }
}

static void tell_landed(struct mf_api *api, mf_us_t t_us)
{
    static const char *const k_landed[] = {"undefined", "on_ground", "in_air", "takeoff",
                                           "landing"};
    const uint8_t landed = mf_vehicle_status(api->vehicle).landed;
    char data[DATA_MAX];
    if (landed != api->seen.landed) {
        api->seen.landed = landed;
        struct mf_json j = begin(t_us, data, sizeof data);
        mf_json_text(&j, "landed_state", k_landed[landed]);
        log_fields(api, t_us, MF_API_EVENT_LANDED, MF_INFO, &j);
        end(api, t_us, MF_API_EVENT_LANDED, &j);
    }
}

static void tell_state(struct mf_api *api, mf_us_t t_us)
{
    tell_armed(api, t_us);
    tell_landed(api, t_us);
}

/* Find the oldest arrival that has not been reported. @return NULL: all have been */
static const struct mf_arrival *next_arrival(struct mf_api *api)
{
    const struct mf_arrivals *a = &mf_vehicle_journal(api->vehicle)->arrivals;
    if (a->count - api->seen.arrivals > MF_ARRIVALS_KEPT) {
        api->seen.arrivals = a->count - MF_ARRIVALS_KEPT;
    }
    return api->seen.arrivals != a->count ? &a->last[api->seen.arrivals % MF_ARRIVALS_KEPT] : NULL;
}

static const struct mf_answer *next_answer(struct mf_api *api)
{
    const struct mf_answers *a = &mf_vehicle_journal(api->vehicle)->answers;
    if (a->count - api->seen.answers > MF_ANSWERS_KEPT) {
        api->seen.answers = a->count - MF_ANSWERS_KEPT;
    }
    return api->seen.answers != a->count ? &a->last[api->seen.answers % MF_ANSWERS_KEPT] : NULL;
}

static void tell_arrival(struct mf_api *api, const struct mf_arrival *arrival)
{
    char data[DATA_MAX];
    api->seen.arrivals++;
    struct mf_json j = begin(arrival->t_us, data, sizeof data);
    mf_json_integer(&j, "item", arrival->seq);
    log_fields(api, arrival->t_us, MF_API_EVENT_WAYPOINT, MF_INFO, &j);
    end(api, arrival->t_us, MF_API_EVENT_WAYPOINT, &j);
}

static void tell_answer(struct mf_api *api, const struct mf_answer *answer)
{
    const bool refused =
        answer->result != MAV_RESULT_ACCEPTED && answer->result != MAV_RESULT_IN_PROGRESS;
    char data[DATA_MAX];
    api->seen.answers++;
    struct mf_json j = begin(answer->t_us, data, sizeof data);
    mf_json_integer(&j, "command", answer->command);
    mf_json_integer(&j, "result", answer->result);
    mf_json_integer(&j, "system", answer->sysid);
    mf_json_integer(&j, "component", answer->compid);
    log_fields(api, answer->t_us, MF_API_EVENT_COMMAND, refused ? MF_NOTICE : MF_DEBUG, &j);
    end(api, answer->t_us, MF_API_EVENT_COMMAND, &j);
}

/* Report the answers and arrivals since the last call in order, each at its own instant, even if
 * the pass is late. */
static void tell_done(struct mf_api *api)
{
    for (;;) {
        const struct mf_answer *answer = next_answer(api);
        const struct mf_arrival *arrival = next_arrival(api);
        if (answer != NULL && (arrival == NULL || answer->t_us <= arrival->t_us)) {
            tell_answer(api, answer);
        } else if (arrival != NULL) {
            tell_arrival(api, arrival);
        } else {
            return;
        }
    }
}

/* Report the faults that began or ended since the last report. */
static void tell_faults(struct mf_api *api, mf_us_t t_us)
{
    const struct mf_vehicle *v = api->vehicle;
    char data[DATA_MAX];
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        const bool active = mf_inject_active(mf_vehicle_devices(v), t_us, (enum mf_fault)i, NULL);
        if (active == ((api->seen.faults >> i & 1u) != 0)) {
            continue;
        }
        api->seen.faults ^= UINT64_C(1) << i;
        struct mf_json j = begin(t_us, data, sizeof data);
        mf_json_text(&j, "fault", mf_fault_name((enum mf_fault)i));
        mf_json_bool(&j, "active", active);
        log_fields(api, t_us, MF_API_EVENT_FAULT, MF_NOTICE, &j);
        end(api, t_us, MF_API_EVENT_FAULT, &j);
    }
}

static void tell_clock(struct mf_api *api, mf_us_t t_us)
{
    const bool stands = mf_api_clock_stands(api);
    char data[DATA_MAX];
    if (stands != api->standing) {
        api->standing = stands;
        struct mf_json j = begin(t_us, data, sizeof data);
        mf_json_bool(&j, "standing", stands);
        log_fields(api, t_us, MF_API_EVENT_CLOCK, MF_DEBUG, &j);
        end(api, t_us, MF_API_EVENT_CLOCK, &j);
    }
}

void mf_api_watch(struct mf_api *api)
{
    struct mf_vehicle *v = api->vehicle;
    const mf_us_t t_us = *mf_vehicle_clock(v);
    if (!api->ready) {
        struct mf_snapshot s;
        mf_snapshot_take(v, &s);
        api->ready = s.denial[0] == '\0' || s.armed;
    }
    tell_mode(api, t_us);
    tell_state(api, t_us);
    tell_done(api);
    mf_api_track(api);
    mf_api_clock_settle(api);
    tell_clock(api, t_us);
}

void mf_api_boot(struct mf_api *api)
{
    const struct mf_status now = mf_vehicle_status(api->vehicle);
    char data[DATA_MAX];
    memset(&api->seen, 0, sizeof api->seen);
    memset(&api->gone, 0, sizeof api->gone);
    memset(&api->gone_bytes, 0, sizeof api->gone_bytes);
    mf_track_clear(&api->track);
    api->ready = false;
    api->standing = false; /* if the vehicle stands, this is reported again */
    api->next_event = api->next_event == 0 ? 1 : api->next_event;
    api->seen.mode = now.mode;
    api->seen.landed = now.landed;
    api->seen.arrivals = mf_vehicle_journal(api->vehicle)->arrivals.count;
    struct mf_json j = begin(0, data, sizeof data);
    api->boot_piece = api->piece_count;
    log_fields(api, 0, MF_API_EVENT_BOOT, MF_INFO, &j);
    end(api, 0, MF_API_EVENT_BOOT, &j);
    tell_faults(api, now.now.vehicle_us);
}

void mf_api_join(struct mf_api *api)
{
    mf_api_boot(api);
    mf_api_watch(api);
    api->piece_count = api->boot_piece = 0;
    api->next_event = 1;
}

/* ---- the vehicle's log: changes, each at its own instant and in order, and texts */

static void tell_text(struct mf_api *api, mf_us_t t_us, enum mf_severity severity, const char *text)
{
    char data[DATA_MAX];
    struct mf_json j = begin(t_us, data, sizeof data);
    mf_json_integer(&j, "severity", severity);
    mf_json_text(&j, "text", text);
    end(api, t_us, MF_API_EVENT_STATUSTEXT, &j);
}

/* Report the API's event of a log topic, which has more data than the log's text. @return false:
 * this topic belongs to no event */
static bool tell_topic(struct mf_api *api, mf_us_t t_us, const char *topic)
{
    if (strcmp(topic, "mode") == 0) {
        tell_mode(api, t_us);
    } else if (strcmp(topic, "armed") == 0 || strcmp(topic, "landed") == 0) {
        tell_state(api, t_us);
    } else if (strcmp(topic, "fault") == 0) {
        tell_faults(api, t_us);
    } else {
        return false;
    }
    return true;
}

static void log_event(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                      const char *text)
{
    struct mf_api *api = ctx;
    const bool is_text = strcmp(topic, "text") == 0, is_fault = strcmp(topic, "fault") == 0;
    if ((api->server->http != NULL || api->json != NULL) && api->next_event != 0) {
        tell_done(api); /* what was done before comes first */
        const uint64_t before = api->next_event;
        api->saying = is_fault ? NULL : text; /* several faults may begin at one instant */
        const bool known = tell_topic(api, t_us, topic);
        api->saying = NULL;
        if (is_text) {
            tell_text(api, t_us, severity, text);
        }
        if (api->json != NULL && known && (is_fault || before != api->next_event)) {
            return; /* the event has written this log line */
        }
    }
    api->log->event(api->log_ctx, t_us, severity,
                    is_text && api->json != NULL ? k_event[MF_API_EVENT_STATUSTEXT] : topic, text);
}

const struct mf_log_ops mf_api_log_ops = {.event = log_event};
