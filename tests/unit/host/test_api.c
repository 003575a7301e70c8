/* SPDX-License-Identifier: Apache-2.0 */
/* The control API without a network: who may, what is posted and recorded, the document. */
#include "host/api.h"

#include "firmware/mission.h"
#include "host/metrics.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock s_mock;
static struct mf_vehicle s_vehicle;
static struct mf_link s_links[MF_MOCK_PORTS];
static struct mf_recorder s_recorder;
static struct mf_time_control s_time;
static struct mf_http s_http;
static struct mf_api s_api;
static const char *s_clock;

static void figures(void *ctx, struct mf_api_figures *f)
{
    (void)ctx;
    *f = (struct mf_api_figures){.version = "1", .clock = s_clock, .rate = 1.0};
}

static void about_link(void *ctx, uint16_t link, struct mf_api_link *about)
{
    (void)ctx;
    *about = (struct mf_api_link){.transport = "tcp", .queued = link};
}

static int set_clock(void *ctx, const char *word, double rate)
{
    (void)ctx, (void)rate;
    s_clock = strcmp(word, "fast") == 0 ? "fast" : s_clock;
    return strcmp(word, "fast") == 0 ? MF_E_OK : MF_E_RANGE;
}

static int setup(void **state)
{
    static const struct mf_api_ops k_ops = {figures, about_link, set_clock};
    (void)state;
    mf_mock_init(&s_mock);
    struct mf_hal hal = mf_mock_hal(&s_mock);
    s_clock = "real";
    s_api = (struct mf_api){.vehicle = &s_vehicle,
                            .recorder = &s_recorder,
                            .time = &s_time,
                            .http = &s_http,
                            .ops = &k_ops,
                            .log = hal.log,
                            .log_ctx = hal.log_ctx,
                            .config = "a: 1\n",
                            .config_len = 5};
    hal.log = &mf_api_log_ops;
    hal.log_ctx = &s_api;
    const struct mf_setup vehicle = {
        .hal = hal, .links = s_links, .link_count = MF_MOCK_PORTS, .sysid = 1, .compid = 1};
    assert_int_equal(mf_vehicle_init(&s_vehicle, &vehicle), MF_E_OK);
    mf_time_control_init(&s_time, false, "real", 1);
    s_http.answer = s_http.answers[0];
    mf_api_boot(&s_api);
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
    const struct mf_http_request request = {.method = method,
                                            .path = text(path),
                                            .query = text(""),
                                            .token = text(token),
                                            .type = text(body != NULL ? "application/json" : ""),
                                            .host = text("localhost"),
                                            .origin = text(""),
                                            .last_id = text(""),
                                            .body = text(body != NULL ? body : ""),
                                            .local = local};
    memset(s_http.answers[0], 0, sizeof s_http.answers[0]);
    mf_api_handle(&s_api, &request, &answer);
    assert_true(answer.len < MF_HTTP_ANSWER_MAX);
    return answer.status;
}

static void test_who_may(void **state)
{
    (void)state;
    assert_int_equal(ask("GET", "/v1/links", NULL, true, ""), 200);
    assert_int_equal(ask("GET", "/v1/links", NULL, false, ""), 403);
    assert_int_equal(ask("GET", "/metrics", NULL, false, ""), 200);
    (void)snprintf(s_api.token, sizeof s_api.token, "abcdefgh");
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

static void test_the_clock_is_ordered(void **state)
{
    (void)state;
    const struct mf_time_report report = {.now_us = 0, .next_us = MF_NEVER, .event_us = MF_NEVER};
    assert_int_equal(ask("POST", "/v1/clock", "{\"action\":\"run\",\"for_s\":1.5}", true, ""), 202);
    assert_string_equal(s_api.order, "go 1500000\n");
    assert_true(mf_time_control_read(&s_time));
    assert_true(mf_time_control_pass(&s_time, &report) == 1500000);
    assert_int_equal(
        ask("POST", "/v1/clock", "{\"action\":\"resume\",\"mode\":\"fast\"}", true, ""), 202);
    assert_string_equal(s_clock, "fast");
    (void)mf_time_control_read(&s_time);
    assert_true(mf_time_control_pass(&s_time, &report) == MF_NEVER);
    mf_api_watch(&s_api);
    assert_int_equal(s_time.count, 0);
    assert_int_equal(ask("POST", "/v1/clock", "{\"mode\":\"slow\"}", true, ""), 422);
    assert_int_equal(ask("POST", "/v1/clock", "{\"action\":\"run\"}", true, ""), 422);
}

/* All that it may be asked for fits into an answer, with every link open. */
static void test_the_longest_answers_fit(void **state)
{
    (void)state;
    assert_true(mf_metrics_write(&s_api, s_http.answers[0], MF_HTTP_ANSWER_MAX) > 1000);
    assert_int_equal(mf_metrics_write(&s_api, s_http.answers[0], 1000), 0);
    assert_int_equal(mf_api_document(s_http.answers[0], 1000), 0);
    assert_int_equal(mf_api_document(s_http.answers[0], 0), 0);
}

static void test_the_document_in_docs_is_this_one(void **state)
{
    static char file[MF_HTTP_ANSWER_MAX];
    (void)state;
    FILE *f = fopen("docs/openapi.json", "rb");
    assert_non_null(f);
    const size_t n = fread(file, 1, sizeof file, f);
    (void)fclose(f);
    assert_int_equal(mf_api_document(s_http.answers[0], MF_HTTP_ANSWER_MAX), n);
    assert_memory_equal(file, s_http.answers[0], n);
}

/* The items of the events since a piece, as "4 5 5 ". */
static const char *items_told(uint64_t from)
{
    static char s_text[256];
    s_text[0] = '\0';
    for (uint64_t n = from; n < s_api.piece_count; n++) {
        const char *piece = s_api.piece[n % MF_API_EVENTS_KEPT].text;
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
    mf_api_watch(&s_api);
    uint64_t from = s_api.piece_count;
    mf_mission_reached(&s_vehicle, 4, 0); /* three at one instant, and one of them twice */
    mf_mission_reached(&s_vehicle, 5, 0);
    mf_mission_reached(&s_vehicle, 5, 0);
    mf_api_watch(&s_api);
    assert_string_equal(items_told(from), "4 5 5 ");
    mf_api_watch(&s_api);
    assert_string_equal(items_told(from), "4 5 5 ");
    from = s_api.piece_count;
    for (uint16_t seq = 0; seq < 20; seq++) { /* more than are remembered: the last ones */
        mf_mission_reached(&s_vehicle, seq, 0);
    }
    mf_api_watch(&s_api);
    assert_string_equal(items_told(from), "4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 ");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, setup)
    const struct CMUnitTest tests[] = {
        TEST(test_who_may),
        TEST(test_the_clock_is_ordered),
        TEST(test_every_item_that_is_reached_is_told),
        TEST(test_the_longest_answers_fit),
        TEST(test_the_document_in_docs_is_this_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
