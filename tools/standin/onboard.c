/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/flight.h"
#include "tools/fly/report.h"
#include "tools/standin/request.h"
#include "tools/standin/standin.h"

#include <curl/curl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MAVLINK_PORT "5760"

enum { DRONE, WEATHER, CLOUD, CERTIFICATES, PLAN, TEXTS };
enum { WIND_MAX, SIDE, ALT, SPEED, TIMEOUT, NUMBERS };

/* Parameters of the job; the environment has those that the command line lacks. */
struct job {
    const char *text[TEXTS]; /* NULL: none */
    double number[NUMBERS];
    char drone[64], weather[64];
};

/* Large, and one. */
static struct mf_plan s_plan;
static struct fly_flight s_flight;
static struct fly_client s_client;

static void defaults(struct job *job)
{
    const char *port = getenv("MAYFLY_TCP_PORT"), *weather = getenv("WEATHER_PORT");
    memset(job, 0, sizeof *job);
    (void)snprintf(job->drone, sizeof job->drone, "tcp:127.0.0.1:%.5s",
                   port != NULL ? port : MAVLINK_PORT);
    (void)snprintf(job->weather, sizeof job->weather, "http://127.0.0.1:%.5s",
                   weather != NULL ? weather : "");
    job->text[DRONE] = job->drone;
    job->text[WEATHER] = weather != NULL ? job->weather : NULL;
    job->text[CLOUD] = getenv("STANDIN_CLOUD");
    job->text[CERTIFICATES] = getenv("MAYFLY_CERTIFICATES");
    job->number[WIND_MAX] = 10.0;
    job->number[SIDE] = 100.0;
    job->number[ALT] = 10.0;
}

static int read_options(int argc, char **argv, struct job *job)
{
    static const struct option k_long[] = {
        {"drone", required_argument, NULL, DRONE},
        {"weather", required_argument, NULL, WEATHER},
        {"cloud", required_argument, NULL, CLOUD},
        {"certificates", required_argument, NULL, CERTIFICATES},
        {"plan", required_argument, NULL, PLAN},
        {"wind-max", required_argument, NULL, TEXTS + WIND_MAX},
        {"side", required_argument, NULL, TEXTS + SIDE},
        {"alt", required_argument, NULL, TEXTS + ALT},
        {"speed", required_argument, NULL, TEXTS + SPEED},
        {"timeout", required_argument, NULL, TEXTS + TIMEOUT},
        {NULL, 0, NULL, 0},
    };
    char error[512], *end;
    for (int c = getopt_long(argc, argv, "", k_long, NULL); c != -1;
         c = getopt_long(argc, argv, "", k_long, NULL)) {
        if (c < 0 || c >= TEXTS + NUMBERS) {
            return STANDIN_USAGE;
        }
        if (c < TEXTS) {
            job->text[c] = optarg;
            continue;
        }
        job->number[c - TEXTS] = strtod(optarg, &end);
        if (end == optarg || *end != '\0' || !(job->number[c - TEXTS] >= 0.0)) {
            return standin_refuse("'%s' is not a number from 0 on", optarg);
        }
    }
    if (job->text[PLAN] != NULL &&
        fly_plan_load(job->text[PLAN], MF_PLAN_HOME_SEEN, &s_plan, error, sizeof error) != 0) {
        return standin_refuse("%s", error);
    }
    return job->text[CLOUD] == NULL || job->text[CERTIFICATES] != NULL
               ? STANDIN_DONE
               : standin_refuse("--cloud needs --certificates");
}

/* @return false: it must not fly, and has said why */
static bool ask_weather(const struct job *job)
{
    struct standin_service service;
    if (job->text[WEATHER] == NULL) {
        return true;
    }
    json_t *weather = standin_service_open(&service, job->text[WEATHER], NULL)
                          ? standin_service_ask(&service, "/v1/weather", NULL)
                          : NULL;
    const json_t *wind = json_object_get(weather, "wind_mps");
    const bool good = json_is_number(wind) && json_number_value(wind) <= job->number[WIND_MAX];
    if (weather == NULL) {
        (void)standin_refuse("no weather: %s", service.error);
    } else if (!good) {
        (void)standin_refuse("wind of %g m/s: it flies in %g at most", json_number_value(wind),
                             job->number[WIND_MAX]);
    }
    json_decref(weather);
    standin_service_close(&service);
    return good;
}

static void observe(void *ctx, const struct fly_message *message)
{
    struct standin_reporter *reporter = ctx;
    fly_flight_observe(&s_flight, message);
    if (reporter->service != NULL && fly_client_is_target(&s_client, message)) {
        standin_reporter_note(reporter, message);
    }
}

/* @return as fly_flight_run() */
static int fly_job(const struct job *job, struct standin_reporter *reporter)
{
    const struct fly_options options = {.endpoint = job->text[DRONE],
                                        .plan_path = job->text[PLAN],
                                        .takeoff_alt_m = job->number[ALT],
                                        .side_m = job->number[SIDE],
                                        .speed_mps = job->number[SPEED],
                                        .timeout_s = job->number[TIMEOUT],
                                        .verify = true};
    struct fly_console console;
    struct fly_endpoint endpoint;
    struct fly_port port;
    struct fly_link link;
    char error[512];
    fly_console_init(&console, stderr, true);
    s_flight.options = &options;
    s_flight.client = &s_client;
    s_flight.console = &console;
    s_flight.plan = &s_plan;
    s_flight.begin_us = fly_wall_us();
    if (fly_endpoint_parse(job->text[DRONE], &endpoint, error, sizeof error) != 0 ||
        fly_port_open(&port, &endpoint, FLY_FIND_US, &link, error, sizeof error) != 0) {
        (void)standin_refuse("%s", error);
        return FLY_EXIT_NO_VEHICLE;
    }
    fly_client_init(&s_client, link, observe, reporter);
    s_client.give_up_us =
        options.timeout_s > 0.0 ? s_flight.begin_us + (int64_t)(options.timeout_s * 1e6) : 0;
    const int result = fly_flight_run(&s_flight);
    fly_report_json(&s_flight, result, stdout);
    fly_port_close(&port);
    s_flight.options = NULL;
    return result;
}

/* Report once before the flight: an instance without a certificate does not take off. */
static bool begin_reports(const struct job *job, struct standin_service *cloud,
                          struct standin_reporter *reporter)
{
    if (job->text[CLOUD] == NULL) {
        return true;
    }
    if (!standin_service_open(cloud, job->text[CLOUD], job->text[CERTIFICATES])) {
        (void)standin_refuse("%s: no memory, or too long", job->text[CLOUD]);
        return false;
    }
    reporter->service = cloud;
    reporter->list = json_array();
    return standin_reporter_flush(reporter);
}

int standin_onboard(int argc, char **argv)
{
    struct job job;
    struct standin_service cloud = {0};
    struct standin_reporter reporter = {0};
    defaults(&job);
    const int wrong = read_options(argc, argv, &job);
    if (wrong != STANDIN_DONE) {
        return wrong;
    }
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    bool good = ask_weather(&job) && begin_reports(&job, &cloud, &reporter) &&
                fly_job(&job, &reporter) == FLY_EXIT_FLOWN;
    good = good && (reporter.service == NULL || standin_reporter_flush(&reporter));
    if (reporter.failed) {
        (void)standin_refuse("no report: %s", cloud.error);
    }
    json_decref(reporter.list);
    standin_service_close(&cloud);
    curl_global_cleanup();
    return good ? STANDIN_DONE : STANDIN_FAILED;
}
