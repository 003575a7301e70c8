/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the options, the subcommand and the scenario's name of mayfly-swarm. main.c calls it. */
#include "boards/swarm/program/command.h"

#include "boards/swarm/core/swarm.h"
#include "host/base/value.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIME_MAX_S 1e9

static const char k_help[] =
    "usage: mayfly-swarm SCENARIO.yaml [OPTION...]\n"
    "       mayfly-swarm FOLDER                 its scenarios, as a menu\n"
    "       mayfly-swarm sweep SCENARIO.yaml --out DIR [OPTION...]\n"
    "       mayfly-swarm convert FILE.json... >SCENARIO.yaml\n"
    "       mayfly-swarm plot DIR [PLOT...]     plots of the files of a run or a sweep, as SVG\n"
    "Thousands of drones in one process, or all the runs of a sweep (docs/swarm.md).\n"
    "  --variation NAME     values of this variation; or its number from 0\n"
    "  --set KEY=VALUE      a value by its dotted key (time.end=100, entities.0.count=5), or of "
    "${KEY}\n"
    "  --seed N             the same as --set seed=N\n"
    "  --address A.B.C.D:PORT the same as --set links.address=...\n"
    "  --threads N          number of threads, 1 to 64; 1. The outcome does not depend on it\n"
    "  --out DIR            folder of the outputs\n"
    "  --junit FILE         results of the expectations, as JUnit XML\n"
    "  --result FILE        result of the run, as a line of CSV\n"
    "  --profile FILE.csv   use of the wall's time, over time\n"
    "  --checkpoint FILE    the run ends with its state in FILE, from which --resume goes on\n"
    "  --at T               time of the checkpoint [s]; otherwise where the run ends, or at a "
    "signal\n"
    "  --resume FILE        go on from a checkpoint of the same scenario and build\n"
    "  --replay FILE        input of ghosts and the bus comes from outputs.recording\n"
    "  --time-socket PORT   or HOST:PORT: controllers of time connect there (docs/time.md)\n"
    "  --time-server HOST:PORT  or this run connects to a controller of time\n"
    "  --join HOST:PORT     carry vehicles of the swarm that listens there (docs/cosim.md); no "
    "scenario\n"
    "  --token T, --name N  with --join: the swarm's token, and the name of this process in its "
    "table\n"
    "  --listen PORT --leaves N  with --join: pass frames on to N leaves that join here\n"
    "  --jobs N             sweep: number of runs at once; 1\n"
    "  --variation N        sweep: run number N alone, from 0, without merging\n"
    "  --merge DIR          sweep: run nothing, merge the runs that are in DIR\n"
    "  --kubernetes=IMAGE   sweep: print a Job for Kubernetes, a pod for each run, and a "
    "ConfigMap\n"
    "  --progress, --quiet  a line each second on stderr, with the time left, or nothing; "
    "otherwise on a\n"
    "                       terminal only\n"
    "  --trace FILE         frames to and from programs outside, a line each, and its SHA-256\n"
    "  --step               a world of cells or a search: Enter is a step, 'help' lists commands "
    "(docs/grid.md)\n"
    "  --keys               the keys of a scenario\n"
    "  --export-plans DIR   a .plan for each member of a team that searches, without a flight\n"
    "  --check              read the scenario, its plans and each variation, run nothing\n"
    "Exit codes: 0; 1 an expectation failed or a mission was refused; 2 bad input; 3 a vehicle "
    "failed\n"
    "an assertion; 130 ended by a signal.\n";

enum {
    OPT_VARIATION = 256,
    OPT_SET,
    OPT_SEED,
    OPT_ADDRESS,
    OPT_THREADS,
    OPT_OUT,
    OPT_JUNIT,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_RESULT,
    OPT_PROFILE,
    OPT_JOBS,
    OPT_MERGE,
    OPT_KUBERNETES,
    OPT_CHECK,
    OPT_STEP,
    OPT_CHECKPOINT,
    OPT_AT,
    OPT_RESUME,
    OPT_REPLAY,
    OPT_TIME_SOCKET,
    OPT_TIME_SERVER,
    OPT_TRACE,
    OPT_JOIN,
    OPT_TOKEN,
    OPT_NAME,
    OPT_LISTEN,
    OPT_LEAVES,
    OPT_EXPORT_PLANS,
    OPT_KEYS,
    OPT_HELP
};

static const struct option k_options[] = {
    {"variation", required_argument, NULL, OPT_VARIATION},
    {"set", required_argument, NULL, OPT_SET},
    {"seed", required_argument, NULL, OPT_SEED},
    {"address", required_argument, NULL, OPT_ADDRESS},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"out", required_argument, NULL, OPT_OUT},
    {"junit", required_argument, NULL, OPT_JUNIT},
    {"progress", no_argument, NULL, OPT_PROGRESS},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"result", required_argument, NULL, OPT_RESULT},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"merge", required_argument, NULL, OPT_MERGE},
    {"kubernetes", optional_argument, NULL, OPT_KUBERNETES},
    {"check", no_argument, NULL, OPT_CHECK},
    {"step", no_argument, NULL, OPT_STEP},
    {"checkpoint", required_argument, NULL, OPT_CHECKPOINT},
    {"at", required_argument, NULL, OPT_AT},
    {"resume", required_argument, NULL, OPT_RESUME},
    {"replay", required_argument, NULL, OPT_REPLAY},
    {"time-socket", required_argument, NULL, OPT_TIME_SOCKET},
    {"time-server", required_argument, NULL, OPT_TIME_SERVER},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"join", required_argument, NULL, OPT_JOIN},
    {"token", required_argument, NULL, OPT_TOKEN},
    {"name", required_argument, NULL, OPT_NAME},
    {"listen", required_argument, NULL, OPT_LISTEN},
    {"leaves", required_argument, NULL, OPT_LEAVES},
    {"export-plans", required_argument, NULL, OPT_EXPORT_PLANS},
    {"keys", no_argument, NULL, OPT_KEYS},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

/* Print all keys of a scenario; the keys of a map are indented below it. */
static void print_keys(void)
{
    struct {
        const struct mf_keys *keys;
        size_t next;
    } at[8] = {{&mf_scenario_keys, 0}};
    int depth = 0;
    while (depth >= 0) {
        if (at[depth].next == at[depth].keys->count) {
            depth--;
            continue;
        }
        const struct mf_key *key = &at[depth].keys->key[at[depth].next++];
        (void)printf("%*s%-*s %s\n", 2 * depth, "", 14 - 2 * depth, key->name, key->help);
        if (key->keys != NULL && depth + 1 < (int)(sizeof at / sizeof at[0])) {
            depth++;
            at[depth].keys = key->keys;
            at[depth].next = 0;
        }
    }
}

static int print_usage_error(const char *what, const char *value)
{
    (void)fprintf(stderr, "mayfly-swarm: %s%s\n", what, value);
    return SWARM_INPUT;
}

static int add_set(struct swarm_command *c, const char *set)
{
    if (c->given.sets == SWARM_SETS_MAX) {
        return print_usage_error("too many --set before ", set);
    }
    c->set[c->given.sets++] = set;
    return SWARM_OK;
}

/* Add an option that is short for a --set. */
static int add_as(struct swarm_command *c, char *set, size_t size, const char *key)
{
    (void)snprintf(set, size, "%s=%s", key, optarg);
    return add_set(c, set);
}

static int set_thread_count(uint32_t *number, const char *option, const char *text)
{
    char *end;
    const unsigned long n = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || n < 1 || n > MF_WORKERS_MAX) {
        (void)fprintf(stderr, "mayfly-swarm: %s must be 1 to %u, not %s\n", option, MF_WORKERS_MAX,
                      text);
        return SWARM_INPUT;
    }
    *number = (uint32_t)n;
    return SWARM_OK;
}

static int set_at_time(double *at_s, const char *text)
{
    const char *end = mf_value_number(text, at_s);
    return end != NULL && *end == '\0' && *at_s >= 0.0 && *at_s <= TIME_MAX_S
               ? SWARM_OK
               : print_usage_error("--at must be a time in seconds, not ", text);
}

/* Keep the text of an option. @return false: the option needs more than that */
static bool read_text_option(struct swarm_command *c, int option)
{
    const struct {
        int option;
        const char **to;
    } text[] = {
        {OPT_CHECKPOINT, &c->checkpoint},
        {OPT_RESUME, &c->resume},
        {OPT_TIME_SOCKET, &c->time_socket},
        {OPT_TIME_SERVER, &c->time_server},
        {OPT_TRACE, &c->trace},
        {OPT_JOIN, &c->join},
        {OPT_TOKEN, &c->token},
        {OPT_NAME, &c->name},
        {OPT_LISTEN, &c->listen},
        {OPT_REPLAY, &c->replay},
        {OPT_VARIATION, &c->given.variation},
        {OPT_PROFILE, &c->profile},
        {OPT_RESULT, &c->result},
        {OPT_OUT, &c->out},
        {OPT_JUNIT, &c->junit},
        {OPT_EXPORT_PLANS, &c->export_plans},
    };
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        if (text[i].option == option) {
            *text[i].to = optarg;
            return true;
        }
    }
    return false;
}

static int read_option(struct swarm_command *c, int option)
{
    if (read_text_option(c, option)) {
        return SWARM_OK;
    }
    switch (option) {
    case OPT_AT:
        return set_at_time(&c->at_s, optarg);
    case OPT_SET:
        return add_set(c, optarg);
    case OPT_SEED:
        return add_as(c, c->seed, sizeof c->seed, "seed");
    case OPT_ADDRESS:
        return add_as(c, c->address, sizeof c->address, "links.address");
    case OPT_THREADS:
        return set_thread_count(&c->threads, "--threads", optarg);
    case OPT_LEAVES:
        return set_thread_count(&c->leaves, "--leaves", optarg);
    case OPT_JOBS:
        return set_thread_count(&c->jobs, "--jobs", optarg);
    case OPT_MERGE:
        c->merge = true;
        c->out = optarg;
        return SWARM_OK;
    case OPT_KUBERNETES:
        c->kubernetes = optarg != NULL ? optarg : "localhost/mayfly-tools";
        return SWARM_OK;
    case OPT_PROGRESS:
    case OPT_QUIET:
        c->progress = option == OPT_PROGRESS;
        return SWARM_OK;
    case OPT_CHECK:
    case OPT_STEP:
        *(option == OPT_STEP ? &c->steps : &c->check) = true;
        return SWARM_OK;
    case OPT_KEYS:
        print_keys();
        exit(SWARM_OK);
    case OPT_HELP:
        (void)fputs(k_help, stdout);
        exit(SWARM_OK);
    default:
        return print_usage_error("mayfly-swarm --help lists the options", "");
    }
}

static int check_checkpoint(const struct swarm_command *c)
{
    const char *file = c->checkpoint;
    if (c->sweep && (file != NULL || c->resume != NULL)) {
        return print_usage_error("a checkpoint is of one run, not of a sweep", "");
    }
    if (file == NULL && !isinf(c->at_s)) {
        return print_usage_error("--at says when --checkpoint FILE is written", "");
    }
    if (file != NULL && (c->junit != NULL || c->result != NULL)) {
        return print_usage_error(
            "--junit and --result tell how a run ended, not how far --checkpoint came", "");
    }
    return file != NULL && strlen(file) >= MF_SCENARIO_FILE_MAX
               ? print_usage_error("a path has more than 199 characters: ", file)
               : SWARM_OK;
}

/* Read "sweep", if present, and the scenario's name from the rest of the line. */
static int read_scenario_name(struct swarm_command *c, int argc, char **argv)
{
    if (optind < argc && strcmp(argv[optind], "sweep") == 0) {
        c->sweep = true;
        optind++;
    }
    if (c->sweep && c->out[0] == '\0' && c->kubernetes == NULL) {
        return print_usage_error("sweep needs --out DIR", "");
    }
    if (!c->sweep && (c->merge || c->kubernetes != NULL)) {
        return print_usage_error(
            "--merge and --kubernetes belong to: mayfly-swarm sweep SCENARIO.yaml", "");
    }
    if (check_checkpoint(c) != SWARM_OK) {
        return SWARM_INPUT;
    }
    if (optind + 1 != argc) {
        return print_usage_error(
            "give one scenario: mayfly-swarm SCENARIO.yaml; --help lists the options", "");
    }
    c->file = argv[optind];
    MF_ASSERT(c->file != NULL && c->out != NULL);
    if (strlen(c->file) >= MF_SCENARIO_FILE_MAX || strlen(c->out) >= MF_SCENARIO_FILE_MAX) {
        return print_usage_error("a path has more than 199 characters: ", c->file);
    }
    return SWARM_OK;
}

int swarm_command_read(struct swarm_command *c, int argc, char **argv)
{
    *c = (struct swarm_command){.threads = 1,
                                .jobs = 1,
                                .out = "",
                                .name = "",
                                .leaves = 1,
                                .at_s = (double)INFINITY,
                                .progress = isatty(STDERR_FILENO) == 1};
    c->given.set = c->set;
    for (int option = getopt_long(argc, argv, "", k_options, NULL); option >= 0;
         option = getopt_long(argc, argv, "", k_options, NULL)) {
        if (read_option(c, option) != SWARM_OK) {
            return SWARM_INPUT;
        }
    }
    if (c->join != NULL) {
        const char *given = getenv("SWARM_HOSTS_TOKEN");
        c->token = c->token != NULL ? c->token : given != NULL ? given : "";
        return optind == argc ? SWARM_OK
                              : print_usage_error("--join takes no scenario: the root sends it: ",
                                                  argv[optind]);
    }
    if (c->listen != NULL || c->token != NULL || c->name[0] != '\0') {
        return print_usage_error(
            "--listen, --token and --name belong to --join; a scenario says hosts", "");
    }
    if (optind < argc && strcmp(argv[optind], "convert") == 0) {
        c->json = argv + optind + 1;
        c->jsons = (size_t)(argc - optind - 1);
        return SWARM_OK;
    }
    return read_scenario_name(c, argc, argv);
}
