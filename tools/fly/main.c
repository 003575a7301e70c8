/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fly: flies a QGroundControl plan, or a square, on any MAVLink vehicle. Options and exit codes:
 * usage text below.
 */
#include "firmware/state/version.h"
#include "host/base/output.h"
#include "tools/fly/report.h"

#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char k_usage[] =
    "usage: fly [options] ENDPOINT [FILE]\n"
    "\n"
    "Flies a plan (QGroundControl's .plan, or waypoints in text: QGC WPL) on a MAVLink vehicle "
    "(PX4 or alike), shows progress, prints a summary.\n"
    "Without a file: take off, a square, return, land.\n"
    "\n"
    "endpoints\n"
    "  tcp:HOST:PORT         connect, e.g. tcp:127.0.0.1:5760; tcp://HOST:PORT is the same\n"
    "  udp:HOST:PORT         send first\n"
    "  udpin:[HOST:]PORT     listen, e.g. udpin:14550\n"
    "  serial:DEVICE:BAUD    e.g. serial:/dev/ttyACM0:57600\n"
    "\n"
    "options\n"
    "  --takeoff-alt M   height of the square above home (10)\n"
    "  --side M          side of the square (100)\n"
    "  --speed M/S       speed over ground (the vehicle's own)\n"
    "  --timeout S       give up after this much wall time (no limit)\n"
    "  --land            end by landing where the mission ends, not by returning home\n"
    "  --stay            end in the air where the mission ends\n"
    "  --home first|none  whether the first line of a QGC WPL file is home (if it looks like it)\n"
    "  --upload          only store the mission on the vehicle\n"
    "  --no-verify       do not read the mission back after upload\n"
    "  --quiet           only the verdict\n"
    "  --json            summary as JSON on standard output, progress on standard error\n"
    "  --help, --version\n"
    "\n"
    "exit codes: 0 flown (or uploaded), 1 flight failed, 2 wrong usage or file, 3 no vehicle\n";

static volatile int s_stop;

static void on_signal(int number)
{
    (void)number;
    s_stop = 1;
}

__attribute__((format(printf, 1, 2))) static int usage_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("fly: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
    return FLY_EXIT_USAGE;
}

/* ---- options */

enum option_id {
    OPT_ALT = 1,
    OPT_SIDE,
    OPT_SPEED,
    OPT_TIMEOUT,
    OPT_LAND,
    OPT_STAY,
    OPT_HOME,
    OPT_UPLOAD,
    OPT_NO_VERIFY,
    OPT_QUIET,
    OPT_JSON,
    OPT_HELP,
    OPT_VERSION
};

static const struct option k_option[] = {
    {"takeoff-alt", required_argument, NULL, OPT_ALT},
    {"side", required_argument, NULL, OPT_SIDE},
    {"speed", required_argument, NULL, OPT_SPEED},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"land", no_argument, NULL, OPT_LAND},
    {"stay", no_argument, NULL, OPT_STAY},
    {"home", required_argument, NULL, OPT_HOME},
    {"upload", no_argument, NULL, OPT_UPLOAD},
    {"no-verify", no_argument, NULL, OPT_NO_VERIFY},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

/* A number of an option: where it goes, and what it may be. */
static int read_number(const char *name, double min, double max, double *value)
{
    char *end;
    const double v = strtod(optarg, &end);
    if (end == optarg || *end != '\0' || !(v >= min && v <= max)) {
        return usage_error("--%s must be a number from %g to %g, not '%s'", name, min, max, optarg);
    }
    *value = v;
    return 0;
}

/* @return 0; an exit code; -1 to end well */
static int read_option(int id, struct fly_options *o)
{
    switch (id) {
    case OPT_ALT:
        return read_number("takeoff-alt", 0.5, 10000.0, &o->takeoff_alt_m);
    case OPT_SIDE:
        return read_number("side", 1.0, 100000.0, &o->side_m);
    case OPT_SPEED:
        return read_number("speed", 0.1, 1000.0, &o->speed_mps);
    case OPT_TIMEOUT:
        return read_number("timeout", 0.1, 1e6, &o->timeout_s);
    case OPT_LAND:
        o->land = true;
        return 0;
    case OPT_STAY:
        o->stay = true;
        return 0;
    case OPT_HOME:
        return mf_plan_home_named(optarg, strlen(optarg), &o->home)
                   ? 0
                   : usage_error("--home must be first or none, not '%s'", optarg);
    case OPT_UPLOAD:
        o->upload = true;
        return 0;
    case OPT_NO_VERIFY:
        o->verify = false;
        return 0;
    case OPT_QUIET:
        o->quiet = true;
        return 0;
    case OPT_JSON:
        o->json = true;
        return 0;
    case OPT_HELP:
        fputs(k_usage, stdout);
        return -1;
    case OPT_VERSION:
        puts("fly " MF_VERSION);
        return -1;
    default:
        return usage_error("see fly --help");
    }
}

static int read_options(int argc, char **argv, struct fly_options *o)
{
    int id;
    *o = (struct fly_options){.takeoff_alt_m = 10.0, .side_m = 100.0, .verify = true};
    while ((id = getopt_long(argc, argv, "", k_option, NULL)) != -1) {
        const int result = read_option(id, o);
        if (result != 0) {
            return result;
        }
    }
    if (argc - optind < 1 || argc - optind > 2) {
        return usage_error("an ENDPOINT, and one FILE at most; see fly --help");
    }
    if (o->land && o->stay) {
        return usage_error("--land and --stay exclude each other");
    }
    o->endpoint = argv[optind];
    o->plan_path = argc - optind == 2 ? argv[optind + 1] : NULL;
    return 0;
}

/* ---- the flight */

static int fly_mission(struct fly_flight *f, const struct fly_endpoint *endpoint)
{
    const struct fly_options *o = f->options;
    char error[320];
    struct fly_port port;
    struct fly_link link;
    static struct fly_client client;
    const int64_t patience_us = o->timeout_s > 0.0 && o->timeout_s * 1e6 < FLY_FIND_US
                                    ? (int64_t)(o->timeout_s * 1e6)
                                    : FLY_FIND_US;
    int result = FLY_EXIT_NO_VEHICLE;
    f->begin_us = fly_wall_us();
    f->client = &client;
    if (fly_port_open(&port, endpoint, patience_us, &link, error, sizeof error) != 0) {
        (void)fly_flight_fail(f, "%s", error);
        client.link = link; /* the summary needs its clock */
    } else {
        fly_client_init(&client, link, fly_flight_observe, f);
        client.give_up_us = o->timeout_s > 0.0 ? f->begin_us + (int64_t)(o->timeout_s * 1e6) : 0;
        result = fly_flight_run(f);
    }
    fly_report(f, result);
    if (o->json) {
        fly_report_json(f, result, stdout);
    }
    fly_port_close(&port);
    return result;
}

int main(int argc, char **argv)
{
    static struct mf_plan plan;
    static struct fly_flight flight;
    struct fly_options options;
    struct fly_endpoint endpoint;
    struct fly_console console;
    char error[512];
    mf_output_judge_stdout("fly");
    const int wrong = read_options(argc, argv, &options);
    if (wrong != 0) {
        return wrong < 0 ? 0 : wrong;
    }
    if (fly_endpoint_parse(options.endpoint, &endpoint, error, sizeof error) != 0) {
        return usage_error("%s", error);
    }
    if (options.plan_path != NULL &&
        fly_plan_load(options.plan_path, options.home, &plan, error, sizeof error) != 0) {
        return usage_error("%s", error);
    }
    const struct sigaction stop = {.sa_handler = on_signal};
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    fly_console_init(&console, options.json ? stderr : stdout, options.quiet);
    flight.options = &options;
    flight.console = &console;
    flight.plan = &plan;
    flight.stop = &s_stop;
    return fly_mission(&flight, &endpoint);
}
