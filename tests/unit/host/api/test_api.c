/* SPDX-License-Identifier: Apache-2.0 */
/* The control API without a network: who may, what is posted and recorded. */
#include "host/api/api.h"
#include "host/spec/plan.h"

#include "drone/drone.h"
#include "firmware/flight/mission.h"
#include "host/api/api_route.h"
#include "host/api/metrics.h"
#include "mavlink/enums.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock s_mock;
static struct mf_drone s_drone;
static struct mf_wiring s_wiring;
static uint8_t s_parts[MF_WIRING_MISBEHAVE_BYTES(0)];
static struct mf_memory s_memory;
static struct mf_link s_links[MF_MOCK_PORTS];
static struct mf_time_control s_time;
static struct mf_http s_http;
static struct mf_api_server s_server;
static struct mf_api s_apis[2];
static const char *s_clock;
static const char *s_known;
static struct mf_http_answer s_answer;
static const char *s_host;
static const struct mf_quality_link *s_about; /* what the board says of each link */
static struct mf_api_figures s_figures;

static void figures(void *ctx, struct mf_api_figures *f)
{
    (void)ctx;
    *f = s_figures;
    f->clock = s_clock;
}

static void about_link(void *ctx, uint16_t link, struct mf_api_link *about)
{
    (void)ctx;
    *about = (struct mf_api_link){.transport = "tcp", .queued = link, .quality = s_about};
}

static int set_clock(void *ctx, const char *word, double rate)
{
    (void)ctx, (void)rate;
    s_clock = strcmp(word, "fast") == 0 ? "fast" : s_clock;
    return strcmp(word, "fast") == 0 ? MF_E_OK : MF_E_RANGE;
}

static struct mf_link_quality s_quality[3];

static int about_port(void *ctx, uint16_t port, struct mf_api_port *about)
{
    static const char *const k_kind[] = {"tcp", "udp_out", "udp_out"};
    (void)ctx;
    if (port > 3) {
        return MF_E_NOENT;
    }
    *about = (struct mf_api_port){.kind = k_kind[port < 3 ? port : 0],
                                  .quality = &s_quality[port < 3 ? port : 0],
                                  .address = "127.0.0.1:1"};
    return port < 3 ? MF_E_OK : MF_E_NOSUPP;
}

static void set_quality(void *ctx, uint16_t port, const struct mf_link_quality *quality)
{
    (void)ctx;
    s_quality[port] = *quality;
}

static struct mf_msg_command_int s_command;
static int s_command_result;
static uint16_t s_uploaded[3];
static uint8_t s_upload_result, s_param_error;
static struct mf_api_plan s_plan;

static int command(void *ctx, struct mf_msg_command_int *m, struct mf_msg_command_ack *ack)
{
    (void)ctx;
    s_command = *m;
    *ack = (struct mf_msg_command_ack){.command = m->command, .result = 5, .progress = 40};
    return s_command_result;
}

static int upload(void *ctx, uint8_t type, struct mf_msg_mission_item_int *items, uint16_t count,
                  uint8_t *result)
{
    (void)ctx;
    assert_true(items != NULL || count == 0);
    s_uploaded[type] = count;
    *result = s_upload_result;
    return s_command_result;
}

static int set_param(void *ctx, struct mf_msg_param_set *m, uint8_t *error,
                     struct mf_msg_param_value *now)
{
    (void)ctx;
    *error = s_param_error;
    *now = (struct mf_msg_param_value){.param_value = m->param_value};
    return s_command_result;
}

static int setup(void **state)
{
    static const struct mf_api_ops k_ops = {figures,     about_link, set_clock, about_port,
                                            set_quality, command,    upload,    set_param};
    (void)state;
    mf_mock_init(&s_mock);
    struct mf_hal hal = mf_mock_hal(&s_mock);
    s_clock = "real";
    s_figures = (struct mf_api_figures){
        .version = "1", .rate = 1.0, .achieved_rate = -1.0, .behind = false};
    s_known = "";
    s_host = "localhost";
    s_about = NULL;
    s_apis[0] = (struct mf_api){.server = &s_server,
                                .drone = &s_drone,
                                .vehicle = &s_drone.vehicle,
                                .time = &s_time,
                                .ops = &k_ops,
                                .log = hal.log,
                                .log_ctx = hal.log_ctx};
    s_server = (struct mf_api_server){.http = &s_http,
                                      .vehicles = s_apis,
                                      .count = 1,
                                      .config = "a: 1\n",
                                      .config_len = 5,
                                      .plan = &s_plan};
    hal.log = &mf_api_log_ops;
    hal.log_ctx = &s_apis[0];
    s_memory = (struct mf_memory){.bytes = s_parts, .size = sizeof s_parts};
    mf_wiring_init(&s_wiring, &(struct mf_wiring_setup){.memory = &s_memory});
    static struct mf_journal journal;
    const struct mf_drone_setup drone = {.wiring = &s_wiring,
                                         .vehicle = {.journal = &journal,
                                                     .hal = hal,
                                                     .links = s_links,
                                                     .link_count = MF_MOCK_PORTS,
                                                     .sysid = 1,
                                                     .compid = 1}};
    assert_int_equal(mf_drone_init(&s_drone, &drone), MF_E_OK);
    mf_time_control_init(&s_time, false, "real", 1);
    s_http.answer = s_http.answers[0];
    s_http.answer_max = MF_HTTP_ANSWER_MAX;
    mf_api_boot(&s_apis[0]);
    return 0;
}

static struct mf_http_text text(const char *s)
{
    return (struct mf_http_text){s, strlen(s)};
}

/* @return the status */
static int ask(const char *method, const char *path, const char *body, bool local,
               const char *token)
{
    struct mf_http_answer answer = {.status = 0};
    const char *query = strchr(path, '?');
    struct mf_http_text route = text(path);
    route.len = query != NULL ? (size_t)(query - path) : route.len;
    const struct mf_http_request request = {.method = method,
                                            .path = route,
                                            .query = text(query != NULL ? query + 1 : ""),
                                            .known = text(s_known),
                                            .token = text(token),
                                            .type = text(body != NULL ? "application/json" : ""),
                                            .host = text(s_host),
                                            .origin = text(""),
                                            .last_id = text(""),
                                            .body = text(body != NULL ? body : ""),
                                            .local = local};
    memset(s_http.answers[0], 0, sizeof s_http.answers[0]);
    mf_api_handle(&s_server, &request, &answer);
    assert_true(answer.len < MF_HTTP_ANSWER_MAX);
    s_answer = answer;
    return answer.status;
}

static void test_who_may(void **state)
{
    (void)state;
    assert_int_equal(ask("GET", "/v1/links", NULL, true, ""), 200);
    assert_int_equal(ask("GET", "/v1/links", NULL, false, ""), 403);
    assert_int_equal(ask("GET", "/metrics", NULL, false, ""), 200);
    (void)snprintf(s_server.token, sizeof s_server.token, "abcdefgh");
    assert_int_equal(ask("GET", "/v1/links", NULL, false, ""), 401);
    assert_int_equal(ask("GET", "/v1/links", NULL, false, "abcdefg"), 401);
    assert_int_equal(ask("GET", "/v1/links", NULL, false, "abcdefghabcdefgh"), 401);
    assert_int_equal(ask("GET", "/v1/links", NULL, false, "abcdefgh"), 200);
    assert_int_equal(ask("HEAD", "/v1/links", NULL, true, ""), 200);
    assert_int_equal(ask("PUT", "/v1/links", NULL, true, ""), 405);
    assert_int_equal(ask("DELETE", "/v1/faults/a/b", NULL, true, ""), 404);
    assert_false(mf_api_token_valid("1234567"));
    assert_true(mf_api_token_valid("12345678"));
    assert_false(mf_api_token_valid("1234 5678"));
}

static void test_methods_and_types(void **state)
{
    (void)state;
    assert_int_equal(ask("OPTIONS", "/v1/faults", NULL, false, ""), 204);
    assert_string_equal(s_answer.extra, "Allow: GET, HEAD, POST, DELETE, OPTIONS\r\n");
    assert_null(s_answer.body);
    assert_int_equal(ask("OPTIONS", "*", NULL, false, ""), 204);
    assert_string_equal(s_answer.extra, "Allow: GET, HEAD, POST, PUT, DELETE, OPTIONS\r\n");
    assert_int_equal(ask("POST", "/v1/faults/gps_off", "{}", true, ""), 405);
    assert_string_equal(s_answer.extra, "Allow: DELETE, OPTIONS\r\n");
    assert_int_equal(ask("OPTIONS", "/v1", NULL, true, ""), 404);
    assert_int_equal(ask("GET", "/v1/links/", NULL, true, ""), 404);
    assert_names(s_answer.body, "/v1/links");
    assert_int_equal(ask("GET", "/v1/faults//", NULL, true, ""), 404);
    assert_names(s_answer.body, "/v1/faults");
    s_host = "example.com"; /* a foreign page is told nothing at all */
    assert_int_equal(ask("OPTIONS", "/v1/faults", NULL, true, ""), 403);
}

/* Beneath its id each vehicle has what the first one has at the short paths. */
static void test_vehicles_by_their_ids(void **state)
{
    static const char *const k_same[] = {"", "/mission", "/faults", "/links", "/misbehaviour"};
    static char s_first[4096];
    (void)state;
    s_apis[0].instance = 7;
    assert_int_equal(ask("GET", "/v1/vehicles", NULL, true, ""), 200);
    assert_string_equal(s_answer.body, "{\"vehicles\":[{\"id\":7,\"system_id\":1,"
                                       "\"path\":\"/v1/vehicles/7\"}]}\n");
    for (size_t i = 0; i < sizeof k_same / sizeof k_same[0]; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/v1%s", i == 0 ? "/vehicle" : k_same[i]);
        assert_int_equal(ask("GET", path, NULL, true, ""), 200);
        (void)snprintf(s_first, sizeof s_first, "%.*s", (int)s_answer.len, s_answer.body);
        (void)snprintf(path, sizeof path, "/v1/vehicles/7%s", k_same[i]);
        assert_int_equal(ask("GET", path, NULL, true, ""), 200);
        assert_memory_equal(s_answer.body, s_first, strlen(s_first));
    }
    assert_int_equal(
        ask("POST", "/v1/vehicles/7/misbehaviour", "{\"rule\":\"ftp_lost\"}", true, ""), 200);
    assert_int_equal(ask("DELETE", "/v1/vehicles/7/misbehaviour/ftp_lost", NULL, true, ""), 200);
    assert_int_equal(ask("DELETE", "/v1/vehicles/7/faults/nope", NULL, true, ""), 404);
    assert_int_equal(ask("OPTIONS", "/v1/vehicles/7/faults", NULL, true, ""), 204);
    assert_string_equal(s_answer.extra, "Allow: GET, HEAD, POST, DELETE, OPTIONS\r\n");
    assert_int_equal(ask("PUT", "/v1/vehicles/7", NULL, true, ""), 405);
    assert_int_equal(ask("GET", "/v1/vehicles/7/", NULL, true, ""), 404);
    assert_names(s_answer.body, "/v1/vehicles/7");
    assert_int_equal(ask("GET", "/v1/vehicles/7/clock", NULL, true, ""), 404); /* of the process */
    assert_int_equal(ask("GET", "/v1/vehicles/7/vehicle", NULL, true, ""), 404);
    assert_int_equal(ask("GET", "/v1/vehicles/7/faults", NULL, false, ""), 403);
}

/* Another vehicle of the process has what is its own: state, faults, events. */
static void test_another_vehicle(void **state)
{
    static struct mf_drone second;
    static struct mf_journal journal;
    (void)state;
    memset(&second, 0, sizeof second);
    s_apis[1] = s_apis[0];
    s_apis[1].instance = 8;
    s_apis[1].drone = &second;
    s_apis[1].vehicle = &second.vehicle;
    s_server.count = 2;
    const struct mf_drone_setup setup = {
        .vehicle = {.journal = &journal, .hal = mf_mock_hal(&s_mock), .sysid = 2, .compid = 1}};
    assert_int_equal(mf_drone_init(&second, &setup), MF_E_OK);
    assert_int_equal(ask("GET", "/v1/vehicles", NULL, true, ""), 200);
    assert_string_equal(s_answer.body,
                        "{\"vehicles\":[{\"id\":0,\"system_id\":1,\"path\":\"/v1/vehicles/0\"},"
                        "{\"id\":8,\"system_id\":2,\"path\":\"/v1/vehicles/8\"}]}\n");
    assert_int_equal(ask("GET", "/v1/vehicles/8", NULL, true, ""), 200);
    assert_non_null(strstr(s_answer.body, "\"system_id\":2,"));
    assert_int_equal(ask("GET", "/v1/vehicle", NULL, true, ""), 200);
    assert_non_null(strstr(s_answer.body, "\"system_id\":1,"));
    assert_int_equal(ask("GET", "/v1/vehicles/8/events", NULL, true, ""), 200);
    assert_true(s_answer.stream && s_answer.source == &s_apis[1]);
    assert_int_equal(ask("GET", "/v1/events", NULL, true, ""), 200);
    assert_true(s_answer.stream && s_answer.source == &s_apis[0]);
    assert_int_equal(ask("GET", "/v1/vehicles/1", NULL, true, ""), 404);
}

static void test_vehicles_that_do_not_exist(void **state)
{
    static const char *const k_unknown[] = {"1", "00", "-0", "0x", "all", "40001", "vehicle"};
    (void)state;
    for (size_t i = 0; i < sizeof k_unknown / sizeof k_unknown[0]; i++) {
        static const char *const k_rest[] = {"", "/faults", "/nothing"};
        char path[64], data[64];
        for (size_t k = 0; k < sizeof k_rest / sizeof k_rest[0]; k++) {
            (void)snprintf(path, sizeof path, "/v1/vehicles/%s%s", k_unknown[i], k_rest[k]);
            (void)snprintf(data, sizeof data, "error %s GET /v1/vehicles", k_unknown[i]);
            assert_int_equal(ask("GET", path, NULL, true, ""), 404);
            assert_names(s_answer.body, data);
        }
    }
    assert_int_equal(ask("GET", "/v1/vehicles/0", NULL, true, ""), 200);
    assert_int_equal(ask("GET", "/v1/vehicles//", NULL, true, ""), 404);
}

static void test_the_quality_of_links(void **state)
{
    static const char *const k_bad[] = {
        "{}",
        "{\"quality\":5}",
        "{\"quality\":\"los=5%\"}",
        "{\"quality\":\"loss=101\"}",
        "{\"quality\":\"none,\"}",
        "{\"quality\":\"none\",\"more\":1}",
    };
    (void)state;
    memset(s_quality, 0, sizeof s_quality);
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_int_equal(ask("PUT", "/v1/links/all/quality", k_bad[i], true, ""), 422);
        assert_false(s_quality[0].shaped);
    }
    assert_int_equal(ask("PUT", "/v1/links/1/quality", "{\"quality\":\"loss=5%\"}", true, ""), 200);
    assert_string_equal(s_answer.body,
                        "{\"ports\":[{\"port\":1,\"kind\":\"udp_out\",\"address\":\"127.0.0.1:1\","
                        "\"quality\":\"in:loss=5%,out:loss=5%\"}]}\n");
    assert_false(s_quality[0].shaped || s_quality[2].shaped);
    assert_int_equal(
        ask("PUT", "/v1/links/udp_out/quality", "{\"quality\":\"in:delay=1\"}", true, ""), 200);
    assert_false(s_quality[0].shaped);
    assert_int_equal(s_quality[1].way[MF_WAY_IN].delay_us, 1000000);
    assert_int_equal(s_quality[2].way[MF_WAY_IN].delay_us, 1000000);
    assert_int_equal(ask("PUT", "/v1/links/all/quality", "{\"quality\":\"\"}", true, ""), 200);
    assert_false(s_quality[0].shaped || s_quality[1].shaped || s_quality[2].shaped);
    static const char *const k_nowhere[] = {"3", "4", "99999999999", "tcp_out", "al", "1a", "-1"};
    for (size_t i = 0; i < sizeof k_nowhere / sizeof k_nowhere[0]; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/v1/links/%s/quality", k_nowhere[i]);
        assert_int_equal(ask("GET", path, NULL, true, ""), 404);
        assert_int_equal(ask("PUT", path, "{\"quality\":\"none\"}", true, ""), 404);
    }
    assert_int_equal(ask("GET", "/v1/links//quality", NULL, true, ""), 404);
}

static void test_names_of_this_machine(void **state)
{
    static const char *const k_good[] = {"localhost", "LocalHost:5759", "127.0.0.1", "127.1.2.3:80",
                                         "[::1]",     "[::1]:5759",     "localhost:"};
    static const char *const k_bad[] = {"localhost.example.com",
                                        "127.0.0.1.example.com",
                                        "[::1]example.com",
                                        "localhost:80@example.com",
                                        "example.com:5759",
                                        "[::1]:5759.example.com",
                                        "5759",
                                        ":5759"};
    (void)state;
    for (size_t i = 0; i < sizeof k_good / sizeof k_good[0]; i++) {
        s_host = k_good[i];
        assert_int_equal(ask("GET", "/v1/links", NULL, true, ""), 200);
    }
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        s_host = k_bad[i];
        assert_int_equal(ask("GET", "/v1/links", NULL, true, ""), 403);
    }
}

static void test_schedules_that_are_refused(void **state)
{
    static const char k_two[] = "{\"spec\":\"gps_off\",\"fault\":\"wind\"}";
    (void)state;
    assert_int_equal(ask("POST", "/v1/faults", "{\"spec\":\"gps_off@30s\"}", true, ""), 409);
    assert_names(s_http.answers[0], "gps_off full DELETE");
    assert_true(s_server.posted);
    assert_int_equal(ask("POST", "/v1/faults", "{\"spec\":\"gps_off@soon\"}", true, ""), 422);
    assert_int_equal(ask("POST", "/v1/faults", "{\"spec\":\"\"}", true, ""), 422);
    assert_int_equal(ask("POST", "/v1/faults", k_two, true, ""), 422);
    assert_int_equal(ask("POST", "/v1/faults", "{\"spec\":5}", true, ""), 422);
}

static void test_the_clock_is_ordered(void **state)
{
    (void)state;
    const struct mf_time_report report = {.now_us = 0, .next_us = MF_NEVER, .event_us = MF_NEVER};
    assert_int_equal(ask("POST", "/v1/clock", "{\"action\":\"run\",\"for_s\":1.5}", true, ""), 202);
    assert_string_equal(s_apis[0].order, "go 1500000\n");
    assert_true(mf_time_control_read(&s_time));
    assert_true(mf_time_control_pass(&s_time, &report) == 1500000);
    assert_int_equal(ask("POST", "/v1/clock", "{\"action\":\"run\",\"for_s\":0}", true, ""), 202);
    assert_true(mf_time_control_read(&s_time));
    const struct mf_time_report later = {.now_us = 70, .next_us = MF_NEVER, .event_us = MF_NEVER};
    assert_true(mf_time_control_pass(&s_time, &later) <= 70); /* over by then: it stands at once */
    assert_true(mf_api_clock_stands(&s_apis[0]));
    assert_int_equal(
        ask("POST", "/v1/clock", "{\"action\":\"resume\",\"mode\":\"fast\"}", true, ""), 202);
    assert_string_equal(s_clock, "fast");
    (void)mf_time_control_read(&s_time);
    assert_true(mf_time_control_pass(&s_time, &report) == MF_NEVER);
    mf_api_watch(&s_apis[0]);
    assert_int_equal(s_time.count, 0);
    assert_int_equal(ask("POST", "/v1/clock", "{\"mode\":\"slow\"}", true, ""), 422);
    assert_int_equal(ask("POST", "/v1/clock", "{\"action\":\"run\"}", true, ""), 422);
}

/* What is gone is left out, and what comes next is the oldest that there is. */
static void test_a_slow_stream_misses_events(void **state)
{
    const char *piece = NULL;
    uint64_t cursor = 0;
    (void)state;
    for (unsigned i = 0; i < MF_API_EVENTS_KEPT + 5u; i++) { /* behind "boot", which has the id 1 */
        mf_api_log_ops.event(&s_apis[0], 0, MF_INFO, "text", "x");
    }
    assert_true(mf_api_next_piece(&s_apis[0], &cursor, &piece) > 0);
    assert_memory_equal(piece, "id: 7\n", 6);
    for (unsigned i = 1; i < MF_API_EVENTS_KEPT; i++) {
        assert_true(mf_api_next_piece(&s_apis[0], &cursor, &piece) > 0);
    }
    assert_int_equal(cursor, MF_API_EVENTS_KEPT + 6u);
    assert_int_equal(mf_api_next_piece(&s_apis[0], &cursor, &piece), 0);
}

/* All that it may be asked for fits into an answer, with as many links as a board has, each with a
 * quality, a name from IPv6 and counters of a million. */
static void test_the_longest_answers_fit(void **state)
{
    static struct mf_link links[128];
    static struct mf_quality_link wrap;
    (void)state;
    for (int way = 0; way < MF_WAY_COUNT; way++) {
        memset(&wrap.line[way].stats, 0x0f, sizeof wrap.line[way].stats);
        wrap.line[way].used = 1000000;
    }
    for (uint16_t i = 0; i < 128; i++) {
        links[i].open = true;
        memset(&links[i].stats, 0x0f, sizeof links[i].stats);
        static char s_name[128][48];
        links[i].name = s_name[i];
        (void)snprintf(s_name[i], sizeof s_name[i], "tcp [2001:db8:1234:5678:9abc:def0:1234:%04x",
                       i);
    }
    s_about = &wrap;
    s_drone.vehicle.links = links;
    s_drone.vehicle.links_top = 128;
    assert_int_equal(ask("GET", "/v1/links", NULL, true, ""), 200);
    assert_int_equal(ask("GET", "/metrics", NULL, true, ""), 200);
    assert_true(mf_metrics_write(&s_apis[0], s_http.answers[0], MF_HTTP_ANSWER_MAX) > 1000);
    assert_int_equal(mf_metrics_write(&s_apis[0], s_http.answers[0], 1000), 0);
    assert_int_equal(mf_api_document(s_http.answers[0], 1000), 0);
    assert_int_equal(mf_api_document(s_http.answers[0], 0), 0);
}

static bool says(const char *what)
{
    return memmem(s_answer.body, s_answer.len, what, strlen(what)) != NULL;
}

static void test_the_clock_shows_what_it_achieves(void **state)
{
    (void)state;
    assert_int_equal(ask("GET", "/v1/clock", NULL, true, ""), 200);
    assert_true(says("\"rate\":1.000000,\"achieved_rate\":null,\"behind\":false,"));
    assert_int_equal(ask("GET", "/metrics", NULL, true, ""), 200);
    assert_true(says("\nmayfly_clock_rate 1\n"));
    assert_false(says("\nmayfly_clock_achieved_rate "));
    assert_true(says("\nmayfly_clock_lost_seconds_total{reason=\"host\"} 0.000000\n"));
    s_figures.rate = 20.0;
    s_figures.achieved_rate = 13.25;
    s_figures.behind = true;
    s_figures.late_us = 1250000;
    s_figures.waited_us = 60000007;
    assert_int_equal(ask("GET", "/v1/clock", NULL, true, ""), 200);
    assert_true(says("\"rate\":20.000000,\"achieved_rate\":13.250,\"behind\":true,"));
    assert_int_equal(ask("GET", "/metrics", NULL, true, ""), 200);
    assert_true(says("\nmayfly_clock_rate 20\n"));
    assert_true(says("\nmayfly_clock_achieved_rate 13.25\n"));
    assert_true(says("\nmayfly_clock_lost_seconds_total{reason=\"host\"} 1.250000\n"));
    assert_true(says("\nmayfly_clock_lost_seconds_total{reason=\"client\"} 60.000007\n"));
    s_clock = "fast"; /* has no rate of its own */
    assert_int_equal(ask("GET", "/metrics", NULL, true, ""), 200);
    assert_false(says("\nmayfly_clock_rate "));
}

static void keep(enum mf_store_area area, const struct mf_item *items, uint16_t count)
{
    const struct mf_hal *hal = &s_drone.vehicle.hal;
    for (uint16_t i = 0; i < count; i++) {
        assert_int_equal(mf_store_put(hal, area, i, &items[i]), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(hal, area, count, 7), MF_E_OK);
}

/* 0x41F00000 is 30, 0x7FC00000 no number. */
static void test_a_mission_is_told_item_by_item(void **state)
{
    static const struct mf_item k_items[] = {
        {.command = 22, .frame = 6, .x = INT32_MIN, .z = 0x41F00000u},
        {.command = 16,
         .frame = 5,
         .x = 473977420,
         .y = -85455941,
         .z = 0x41F00000u,
         .param = {0x41F00000u, 0, 0, 0x7FC00000u}},
        {.command = 20, .frame = 2},
    };
    (void)state;
    keep(MF_STORE_MISSION, k_items, 3);
    keep(MF_STORE_RALLY, &k_items[1], 1);
    assert_int_equal(ask("GET", "/v1/mission", NULL, true, ""), 200);
    assert_true(says("\"count\":3,\"tag\":7,\"from\":0,"));
    assert_true(says("{\"seq\":0,\"command\":22,\"frame\":6,\"param\":[0.000000,0.000000,0.000000,"
                     "0.000000],\"lat_deg\":null,\"lon_deg\":null,\"alt_m\":30.0000,"));
    assert_true(says("{\"seq\":1,\"command\":16,\"frame\":5,\"param\":[30.000000,0.000000,0.000000,"
                     "null],\"lat_deg\":47.3977420,\"lon_deg\":-8.5455941,\"alt_m\":30.0000,"
                     "\"alt_amsl_m\":30.0000}"));
    assert_true(says("\"alt_m\":0.0000,\"alt_amsl_m\":null}]}"));
    assert_int_equal(ask("GET", "/v1/mission?from=1&count=1", NULL, true, ""), 200);
    assert_true(says("\"from\":1,") && says("\"seq\":1,"));
    assert_false(says("\"seq\":0,") || says("\"seq\":2,"));
    assert_int_equal(ask("GET", "/v1/mission?from=65535", NULL, true, ""), 200);
    assert_true(says("\"items\":[]"));
    assert_int_equal(ask("GET", "/v1/rally?count=0", NULL, true, ""), 200);
    assert_true(says("{\"count\":1,\"tag\":7,\"from\":0,\"items\":[]}"));
    assert_int_equal(ask("GET", "/v1/fence", NULL, true, ""), 200);
    assert_true(says("\"distance_max_m\":null,\"height_max_m\":null,\"items\":[]"));
    static const char *const k_wrong[] = {"from=",           "from=-1",         "from=65536",
                                          "from=1x",         "count=x",         "count=257",
                                          "from=1&count=1 ", "from=99999999999"};
    for (size_t i = 0; i < sizeof k_wrong / sizeof k_wrong[0]; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/v1/mission?%s", k_wrong[i]);
        assert_int_equal(ask("GET", path, NULL, true, ""), 422);
    }
}

/* As many as one answer may have, each as long as can be: -99999986991104.0 is 0xD6B5E620. */
static void test_the_longest_mission_fits(void **state)
{
    static struct mf_item items[MF_MOCK_RECORDS];
    (void)state;
    for (size_t i = 0; i < MF_MOCK_RECORDS; i++) {
        items[i] = (struct mf_item){.command = 16,
                                    .frame = 5,
                                    .x = -899999999,
                                    .y = -1799999999,
                                    .z = 0xD6B5E620u,
                                    .param = {0xD6B5E620u, 0xD6B5E620u, 0xD6B5E620u, 0xD6B5E620u}};
    }
    keep(MF_STORE_MISSION, items, MF_MOCK_RECORDS);
    assert_int_equal(ask("GET", "/v1/mission", NULL, true, ""), 200);
    assert_true(says("\"seq\":255,"));
    assert_true(s_answer.len < 256u * 300u);
}

static void test_the_page(void **state)
{
    (void)state;
    assert_int_equal(ask("GET", "/", NULL, false, ""), 200); /* free: there is nothing in it */
    assert_string_equal(s_answer.type, "text/html; charset=utf-8");
    assert_string_equal(s_answer.cache, "no-cache");
    assert_non_null(strstr(s_answer.extra, "default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(s_answer.extra, "unsafe"));
    assert_true(says("<!doctype html>") && says("</html>"));
    char tag[64];
    assert_int_equal(sscanf(s_answer.extra, "ETag: %63[^\r]", tag), 1);
    s_known = tag;
    assert_int_equal(ask("GET", "/", NULL, false, ""), 304);
    assert_int_equal(s_answer.len, 0);
    s_known = "\"another\"";
    assert_int_equal(ask("GET", "/", NULL, false, ""), 200);
    assert_int_equal(ask("POST", "/", "{}", true, ""), 405);
}

/* The items of the events since a piece, as "4 5 5 ". */
static const char *items_told(uint64_t from)
{
    static char s_text[256];
    s_text[0] = '\0';
    for (uint64_t n = from; n < s_apis[0].piece_count; n++) {
        const char *piece = s_apis[0].piece[n % MF_API_EVENTS_KEPT].text;
        const char *item = strstr(piece, "\"item\":");
        if (item != NULL && strstr(piece, "event: waypoint\n") != NULL) {
            const size_t at = strlen(s_text);
            (void)snprintf(s_text + at, sizeof s_text - at, "%.*s ",
                           (int)strspn(item + 7, "0123456789"), item + 7);
        }
    }
    return s_text;
}

static void test_every_item_that_is_reached_is_told(void **state)
{
    (void)state;
    mf_api_watch(&s_apis[0]);
    uint64_t from = s_apis[0].piece_count;
    mf_mission_reached(&s_drone.vehicle, 4, 0); /* three at one instant, and one of them twice */
    mf_mission_reached(&s_drone.vehicle, 5, 0);
    mf_mission_reached(&s_drone.vehicle, 5, 0);
    mf_api_watch(&s_apis[0]);
    assert_string_equal(items_told(from), "4 5 5 ");
    mf_api_watch(&s_apis[0]);
    assert_string_equal(items_told(from), "4 5 5 ");
    from = s_apis[0].piece_count;
    for (uint16_t seq = 0; seq < 20; seq++) { /* more than are remembered: the last ones */
        mf_mission_reached(&s_drone.vehicle, seq, 0);
    }
    mf_api_watch(&s_apis[0]);
    assert_string_equal(items_told(from), "4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 ");
}

static struct mf_item instant_item(uint16_t command)
{
    return (struct mf_item){.command = command, .frame = MAV_FRAME_MISSION, .autocontinue = 1};
}

/* Items that are done at once have no text: they are told with the instant at which the mission
 * came to them, and answers with that of the command, however late the pass that sees it. */
static void test_sim023_items_done_at_once_are_told_with_their_instant(void **state)
{
    (void)state;
    const struct mf_item items[] = {instant_item(MAV_CMD_DO_CHANGE_SPEED),
                                    instant_item(MAV_CMD_IMAGE_START_CAPTURE),
                                    instant_item(MAV_CMD_NAV_DELAY)};
    keep(MF_STORE_MISSION, items, 3);
    mf_mission_load(&s_drone.vehicle);
    s_drone.vehicle.commander.armed = true;
    s_drone.vehicle.commander.mode = MF_MODE_MISSION;
    mf_navigator_begin(&s_drone.vehicle, 11760794, MF_MODE_MISSION, NULL);
    s_mock.now.vehicle_us = 11760000;
    (void)mf_vehicle_step(&s_drone.vehicle);
    mf_api_watch(&s_apis[0]);
    const uint64_t from = s_apis[0].piece_count;
    s_mock.now.vehicle_us = 11762720;
    (void)mf_vehicle_step(&s_drone.vehicle);
    mf_api_watch(&s_apis[0]);
    size_t told = 0;
    for (uint64_t n = from; n < s_apis[0].piece_count; n++) {
        const char *piece = s_apis[0].piece[n % MF_API_EVENTS_KEPT].text;
        if (strstr(piece, "event: waypoint\n") != NULL) {
            assert_non_null(strstr(piece, "{\"vehicle_time_s\":11.760794,\"item\":"));
            told++;
        }
    }
    assert_true(told >= 2);
}

static void test_answers_and_arrivals_are_told_in_order(void **state)
{
    (void)state;
    mf_api_watch(&s_apis[0]);
    const uint64_t from = s_apis[0].piece_count;
    s_drone.vehicle.journal->arrivals.last[0] = (struct mf_arrival){1000000, 7};
    s_drone.vehicle.journal->arrivals.last[1] = (struct mf_arrival){2000000, 8};
    s_drone.vehicle.journal->arrivals.last[2] = (struct mf_arrival){3000000, 9};
    s_drone.vehicle.journal->arrivals.count = 3;
    s_drone.vehicle.journal->answers.last[0] = (struct mf_answer){2000000, 400, 0, 255, 190};
    s_drone.vehicle.journal->answers.count = 1;
    mf_api_watch(&s_apis[0]);
    static const char *const k_told[] = {"1.000000,\"item\":7}", "2.000000,\"command\":400,",
                                         "2.000000,\"item\":8}", "3.000000,\"item\":9}"};
    assert_int_equal(s_apis[0].piece_count - from, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_non_null(strstr(s_apis[0].piece[(from + i) % MF_API_EVENTS_KEPT].text, k_told[i]));
    }
}

/* At the instant at which it began, however late the pass that saw it. */
static void test_sim046_a_fault_is_told_with_its_own_instant(void **state)
{
    const uint64_t from = s_apis[0].piece_count;
    (void)state;
    s_mock.faults = UINT64_C(1) << MF_FAULT_GPS_ACCURACY;
    s_drone.vehicle.faults_us = s_drone.faults.next_us = 1234567;
    s_drone.vehicle.due_us[MF_TASK_HEALTH] = 1234567;
    s_mock.now.vehicle_us = 9000000;
    (void)mf_vehicle_step(&s_drone.vehicle);
    mf_api_watch(&s_apis[0]);
    assert_true(s_apis[0].piece_count > from);
    const char *piece = s_apis[0].piece[from % MF_API_EVENTS_KEPT].text;
    assert_non_null(strstr(piece, "event: fault\n"));
    assert_non_null(strstr(piece, "{\"vehicle_time_s\":1.234567,\"fault\":\"gps_accuracy\","));
}

/* In the units of the command: a heading of DO_REPOSITION is in radians, as in PX4. */
static void test_an_action_is_the_command_that_clients_send(void **state)
{
    (void)state;
    assert_int_equal(ask("POST", "/v1/commands",
                         "{\"action\": \"goto\", \"lat_deg\": 47.5, \"lon_deg\": -8.25, "
                         "\"heading_deg\": 90, \"speed_mps\": 7.5}",
                         true, ""),
                     200);
    assert_int_equal(s_command.command, 192);
    assert_true(s_command.param1 == 7.5f && s_command.param2 == 1.0f && s_command.z != s_command.z);
    assert_float_equal(s_command.param4, 1.5707963f, 1e-7f);
    assert_int_equal(s_command.x, 475000000);
    assert_int_equal(s_command.y, -82500000);
    assert_int_equal(s_command.frame, 6); /* above home, where nothing else is said */
}

/* What the vehicle makes of a plan and of a parameter is told. */
static void test_the_vehicle_decides(void **state)
{
    static const char k_plan[] =
        "{\"items\": [{\"command\": 20, \"frame\": 2, \"param\": [0,0,0,0]}]}";
    (void)state;
    assert_int_equal(ask("PUT", "/v1/mission", k_plan, true, ""), 200);
    assert_int_equal(s_uploaded[0], 1);
    s_upload_result = 4; /* MAV_MISSION_NO_SPACE */
    assert_int_equal(ask("PUT", "/v1/mission", k_plan, true, ""), 409);
    assert_names(s_http.answers[0], "MAV_MISSION_RESULT 4");
    assert_int_equal(ask("PUT", "/v1/mission?check=true", k_plan, true, ""), 200); /* unasked */
    assert_int_equal(ask("PUT", "/v1/mission?check=1", k_plan, true, ""), 422);
    s_upload_result = 0;
    assert_int_equal(ask("PUT", "/v1/parameters/RTL_TYPE", "{\"value\": 1}", true, ""), 200);
    s_param_error = 3; /* MAV_PARAM_ERROR_PERMISSION_DENIED */
    assert_int_equal(ask("PUT", "/v1/parameters/RTL_TYPE", "{\"value\": 1}", true, ""), 409);
    s_param_error = 0;
    s_command_result = MF_E_FULL;
    assert_int_equal(ask("DELETE", "/v1/rally", "", true, ""), 409);
    s_command_result = MF_E_OK;
}

/* COMMAND_INT has places in 1e-7 degrees, INT32_MAX where there is none, and NaN for what is not
 * given. */
static void test_a_command_is_handed_over_as_it_was_asked(void **state)
{
    (void)state;
    assert_int_equal(ask("POST", "/v1/commands",
                         "{\"command\": 192, \"param1\": -1, \"param4\": null, \"param5\": -33.5, "
                         "\"param6\": 151.1234567, \"param7\": 20.5, \"frame\": \"home\"}",
                         true, ""),
                     200);
    assert_int_equal(s_command.command, 192);
    assert_true(s_command.param1 == -1.0f && s_command.param2 != s_command.param2 &&
                s_command.param4 != s_command.param4 && s_command.z == 20.5f);
    assert_int_equal(s_command.x, -335000000);
    assert_int_equal(s_command.y, 1511234567);
    assert_int_equal(s_command.frame, 6); /* MAV_FRAME_GLOBAL_RELATIVE_ALT_INT */
    assert_non_null(strstr(
        s_http.answers[0],
        "{\"command\":192,\"result\":5,\"name\":\"in_progress\",\"progress\":40,\"reason\":null}"));
    assert_int_equal(ask("POST", "/v1/commands", "{\"command\": 22}", true, ""), 200);
    assert_int_equal(s_command.x, INT32_MAX);
    assert_int_equal(s_command.frame, 5); /* MAV_FRAME_GLOBAL_INT */
    s_command_result = MF_E_AGAIN;
    assert_int_equal(ask("POST", "/v1/commands", "{\"command\": 22}", true, ""), 409);
    s_command_result = MF_E_OK;
}

static void test_commands_that_make_no_sense(void **state)
{
    static const char *const k_bad[] = {"{}",
                                        "{\"command\": 1.5}",
                                        "{\"command\": -1}",
                                        "{\"command\": 65536}",
                                        "{\"command\": null}",
                                        "{\"command\": 22, \"param5\": 181}",
                                        "{\"command\": 22, \"param1\": 1e10}",
                                        "{\"command\": 22, \"frame\": \"sea\"}",
                                        "{\"command\": 22, \"frame\": 5}",
                                        "{\"command\": 22, \"param8\": 1}"};
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_int_equal(ask("POST", "/v1/commands", k_bad[i], true, ""), 422);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, setup)
    const struct CMUnitTest tests[] = {
        TEST(test_a_command_is_handed_over_as_it_was_asked),
        TEST(test_commands_that_make_no_sense),
        TEST(test_who_may),
        TEST(test_names_of_this_machine),
        TEST(test_methods_and_types),
        TEST(test_vehicles_by_their_ids),
        TEST(test_another_vehicle),
        TEST(test_vehicles_that_do_not_exist),
        TEST(test_the_quality_of_links),
        TEST(test_the_clock_is_ordered),
        TEST(test_the_clock_shows_what_it_achieves),
        TEST(test_schedules_that_are_refused),
        TEST(test_every_item_that_is_reached_is_told),
        TEST(test_sim023_items_done_at_once_are_told_with_their_instant),
        TEST(test_answers_and_arrivals_are_told_in_order),
        TEST(test_a_slow_stream_misses_events),
        TEST(test_sim046_a_fault_is_told_with_its_own_instant),
        TEST(test_an_action_is_the_command_that_clients_send),
        TEST(test_the_vehicle_decides),
        TEST(test_the_longest_answers_fit),
        TEST(test_a_mission_is_told_item_by_item),
        TEST(test_the_longest_mission_fits),
        TEST(test_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
