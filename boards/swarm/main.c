/* SPDX-License-Identifier: Apache-2.0 */
/* mayfly-swarm: a scenario file, thousands of drones in one process (docs/swarm.md). */
#include "boards/swarm/expect.h"
#include "boards/swarm/outputs.h"
#include "boards/swarm/plans.h"
#include "boards/swarm/run.h"
#include "boards/swarm/taps.h"
#include "boards/swarm/vehicles.h"
#include "firmware/state/state.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SETS_MAX (MF_KEYS_VARIABLES_MAX + 16u)

static const char k_help[] =
    "mayfly-swarm SCENARIO.yaml [OPTION...]: thousands of drones in one process (docs/swarm.md)\n"
    "  --variation NAME     or its number from 0: the values of that variation\n"
    "  --set KEY=VALUE      a value by its dotted key (time.end=100, entities.0.count=5), or of "
    "${KEY}\n"
    "  --seed N             the same as --set seed=N\n"
    "  --threads N          1 to 64; 1. The outcome does not depend on it\n"
    "  --out DIR            folder of the outputs\n"
    "  --junit FILE         what became of the expectations, as JUnit XML\n"
    "  --progress, --quiet  a line each second on stderr, or nothing; otherwise on a terminal "
    "only\n"
    "  --keys               the keys of a scenario\n"
    "  --check              read the scenario and its plans, run nothing\n"
    "Exit codes: 0; 1 an expectation failed or a mission was refused; 2 bad input; 3 a vehicle "
    "failed\n"
    "an assertion; 130 ended by a signal.\n";

/* What the command line says. */
struct command {
    const char *file, *junit, *out;
    struct mf_scenario_given given;
    const char *set[SETS_MAX];
    char seed[32];
    uint32_t threads;
    bool progress, check;
};

static volatile int s_stop;

static void on_signal(int number)
{
    (void)number;
    s_stop = 1;
}

/* ---- errors and files */

int swarm_refuse(struct swarm *w, int line, const char *format, ...)
{
    char what[MF_KEYS_ERROR_MAX - MF_SCENARIO_FILE_MAX - 16u];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    (void)snprintf(w->error, sizeof w->error, "%s:%d: %s", w->file, line, what);
    return SWARM_INPUT;
}

FILE *swarm_open(struct swarm *w, const struct mf_scenario_output *o, uint32_t member)
{
    char path[3 * MF_SCENARIO_FILE_MAX];
    const char *mark = strstr(o->file, "%n");
    const char *folder = o->file[0] == '/' ? "" : w->out, *slash = folder[0] != '\0' ? "/" : "";
    if (mark != NULL) {
        (void)snprintf(path, sizeof path, "%s%s%.*s%u%s", folder, slash, (int)(mark - o->file),
                       o->file, (unsigned)member + 1u, mark + 2);
    } else {
        (void)snprintf(path, sizeof path, "%s%s%s", folder, slash, o->file);
    }
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        (void)swarm_refuse(w, o->line, "outputs: %s: %s", path, strerror(errno));
    }
    return file;
}

uint32_t swarm_events(const struct mf_crowd_state *before, const struct mf_crowd_state *now)
{
    const bool is[MF_SCENARIO_EVENTS] = {
        [MF_SCENARIO_EVENT_ARMED] = now->armed && !before->armed,
        [MF_SCENARIO_EVENT_DISARMED] = before->armed && !now->armed,
        [MF_SCENARIO_EVENT_IN_AIR] =
            now->landed == MF_LANDED_IN_AIR && before->landed != now->landed,
        [MF_SCENARIO_EVENT_LANDED] =
            now->landed == MF_LANDED_ON_GROUND && before->landed != now->landed,
        [MF_SCENARIO_EVENT_ITEM] = now->reached >= 0 && before->reached != now->reached,
        [MF_SCENARIO_EVENT_FINISHED] = now->finished && !before->finished,
        [MF_SCENARIO_EVENT_MODE] = now->mode != before->mode,
        [MF_SCENARIO_EVENT_FAILSAFE] = now->failsafe && !before->failsafe,
        [MF_SCENARIO_EVENT_BREACH] = now->breach && !before->breach,
    };
    uint32_t events = 0;
    for (unsigned i = 0; i < MF_SCENARIO_EVENTS; i++) {
        events |= is[i] ? 1u << i : 0u;
    }
    return events;
}

/* ---- the command line */

enum {
    OPT_VARIATION = 256,
    OPT_SET,
    OPT_SEED,
    OPT_THREADS,
    OPT_OUT,
    OPT_JUNIT,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_CHECK,
    OPT_KEYS,
    OPT_HELP
};

static const struct option k_options[] = {
    {"variation", required_argument, NULL, OPT_VARIATION},
    {"set", required_argument, NULL, OPT_SET},
    {"seed", required_argument, NULL, OPT_SEED},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"out", required_argument, NULL, OPT_OUT},
    {"junit", required_argument, NULL, OPT_JUNIT},
    {"progress", no_argument, NULL, OPT_PROGRESS},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"check", no_argument, NULL, OPT_CHECK},
    {"keys", no_argument, NULL, OPT_KEYS},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

/* All keys, those of a map below it. */
static void tell_keys(void)
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

static int complain(const char *what, const char *value)
{
    (void)fprintf(stderr, "mayfly-swarm: %s%s\n", what, value);
    return SWARM_INPUT;
}

static int add_set(struct command *c, const char *set)
{
    if (c->given.sets == SETS_MAX) {
        return complain("too many --set before ", set);
    }
    c->set[c->given.sets++] = set;
    return SWARM_OK;
}

static int set_threads(struct command *c, const char *text)
{
    char *end;
    const unsigned long n = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || n < 1 || n > MF_WORKERS_MAX) {
        return complain("--threads must be 1 to 64, not ", text);
    }
    c->threads = (uint32_t)n;
    return SWARM_OK;
}

static int take_option(struct command *c, int option)
{
    switch (option) {
    case OPT_VARIATION:
        c->given.variation = optarg;
        return SWARM_OK;
    case OPT_SET:
        return add_set(c, optarg);
    case OPT_SEED:
        (void)snprintf(c->seed, sizeof c->seed, "seed=%s", optarg);
        return add_set(c, c->seed);
    case OPT_THREADS:
        return set_threads(c, optarg);
    case OPT_OUT:
        c->out = optarg;
        return SWARM_OK;
    case OPT_JUNIT:
        c->junit = optarg;
        return SWARM_OK;
    case OPT_PROGRESS:
    case OPT_QUIET:
        c->progress = option == OPT_PROGRESS;
        return SWARM_OK;
    case OPT_CHECK:
        c->check = true;
        return SWARM_OK;
    case OPT_KEYS:
        tell_keys();
        exit(SWARM_OK);
    case OPT_HELP:
        (void)fputs(k_help, stdout);
        exit(SWARM_OK);
    default:
        return complain("mayfly-swarm --help lists the options", "");
    }
}

static int read_command(struct command *c, int argc, char **argv)
{
    *c = (struct command){.threads = 1, .out = "", .progress = isatty(STDERR_FILENO) == 1};
    c->given.set = c->set;
    for (int option = getopt_long(argc, argv, "", k_options, NULL); option >= 0;
         option = getopt_long(argc, argv, "", k_options, NULL)) {
        if (take_option(c, option) != SWARM_OK) {
            return SWARM_INPUT;
        }
    }
    if (optind + 1 != argc) {
        return complain("give one scenario: mayfly-swarm SCENARIO.yaml; --help lists the options",
                        "");
    }
    c->file = argv[optind];
    if (strlen(c->file) >= MF_SCENARIO_FILE_MAX || strlen(c->out) >= MF_SCENARIO_FILE_MAX) {
        return complain("a path has more than 199 characters: ", c->file);
    }
    return SWARM_OK;
}

/* ---- the summary */

/* The most that the process has had. */
static double resident_mb(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss * 1024.0 / 1e6;
}

static double cpu_s(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void tell_summary(const struct swarm *w, double boot_s, double wall_s, double used_s)
{
    const struct mf_scenario *s = w->scenario;
    const double simulated_s = (double)w->now_us / 1e6;
    const uint64_t steps = mf_crowd_steps(w->crowd);
    uint32_t with_plan = 0, finished = 0;
    for (uint32_t i = 0; i < s->members; i++) {
        with_plan += mf_scenario_entity_of(s, i)->plan[0] != '\0' ? 1u : 0u;
        finished += mf_crowd_state(w->crowd, i).finished ? 1u : 0u;
    }
    (void)printf("scenario  %s%s%s, seed %" PRIu64 "%s\n", w->file,
                 s->variation[0] != '\0' ? ", variation " : "", s->variation, s->seed,
                 w->interrupted ? ", ended by a signal" : "");
    (void)printf("vehicles  %u, %u of %u missions finished, %u refused, %u frozen\n", s->members,
                 finished, with_plan, w->refused, mf_crowd_frozen(w->crowd));
    (void)printf(
        "time      %.6f s simulated in %.3f s: x%.1f; %.3f s of processors, booted in %.3f s\n",
        simulated_s, wall_s, simulated_s / fmax(wall_s, 1e-6), used_s, boot_s);
    if (s->time.clock == MF_SCENARIO_CLOCK_REAL) {
        (void)printf("lateness  %.3f s at most\n", (double)w->late_us / 1e6);
    }
    (void)printf("steps     %" PRIu64 ", %.0f a second\n", steps,
                 (double)steps / fmax(wall_s, 1e-6));
    (void)printf("memory    %.1f MB\n", resident_mb());
    (void)printf("hash      %016" PRIx64 "\n", mf_crowd_digest(w->crowd));
}

/* ---- the run */

static int judge(struct swarm *w, const struct command *c, int result)
{
    const int failed = swarm_expect_tell(w, c->junit);
    const bool written = swarm_taps_close(w) & swarm_outputs_close(w);
    if (failed < 0 || !written) {
        return failed < 0 ? SWARM_INPUT : swarm_refuse(w, 1, "outputs: a file took not all of it");
    }
    if (mf_crowd_frozen(w->crowd) > 0) {
        return SWARM_FROZEN;
    }
    if (w->interrupted) {
        return SWARM_SIGNAL;
    }
    return result != SWARM_OK || failed > 0 || w->refused > 0 ? SWARM_FAILED : SWARM_OK;
}

static int fly(struct swarm *w, const struct command *c)
{
    const double begin_s = swarm_wall_s();
    if (mf_workers_start(&w->workers, c->threads) != MF_E_OK) {
        return swarm_refuse(w, 1, "--threads %u: the system gives no more", c->threads);
    }
    int result = swarm_boot(w);
    if (result == SWARM_OK) {
        const double booted_s = swarm_wall_s(), used_s = cpu_s();
        result = swarm_run(w, &s_stop, c->progress);
        mf_crowd_end(w->crowd);
        tell_summary(w, booted_s - begin_s, swarm_wall_s() - booted_s, cpu_s() - used_s);
        result = judge(w, c, result);
    }
    mf_workers_stop(&w->workers);
    return result;
}

static int read_scenario(struct swarm *w, const struct command *c)
{
    size_t n;
    char *text = swarm_read_file(c->file, &n);
    w->scenario = malloc(sizeof *w->scenario);
    if (text == NULL || w->scenario == NULL) {
        (void)snprintf(w->error, sizeof w->error, "%s: %s", c->file, strerror(errno));
        free(text);
        return SWARM_INPUT;
    }
    const int result = mf_scenario_read(c->file, text, n, &c->given, w->scenario, w->error);
    free(text);
    return result == MF_E_OK ? SWARM_OK : SWARM_INPUT;
}

int main(int argc, char **argv)
{
    static struct swarm s_swarm;
    struct command command;
    struct swarm *w = &s_swarm;
    if (read_command(&command, argc, argv) != SWARM_OK) {
        return SWARM_INPUT;
    }
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
    (void)snprintf(w->file, sizeof w->file, "%s", command.file);
    (void)snprintf(w->out, sizeof w->out, "%s", command.out);
    int result = read_scenario(w, &command);
    if (result == SWARM_OK) {
        result = swarm_prepare(w);
    }
    if (result == SWARM_OK && !command.check) {
        result = swarm_expect_prepare(w);
    }
    if (result == SWARM_OK && !command.check) {
        result = swarm_outputs_prepare(w);
    }
    if (result == SWARM_OK && !command.check) {
        result = swarm_taps_prepare(w);
    }
    if (result == SWARM_OK && !command.check) {
        result = fly(w, &command);
    }
    if (w->error[0] != '\0') {
        (void)fprintf(stderr, "mayfly-swarm: %s\n", w->error);
    }
    swarm_expect_free(w);
    free(w->kind);
    free(w->scenario);
    return result;
}
