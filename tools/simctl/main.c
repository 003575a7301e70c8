/* SPDX-License-Identifier: Apache-2.0 */
/* simctl: the Simulation Controller and its client (docs/controller.md). Usage text below. */
#include "host/base/output.h"
#include "tools/simctl/base/clock.h"
#include "tools/simctl/base/recording.h"
#include "tools/simctl/command.h"
#include "tools/simctl/local/local_run.h"

#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS "127.0.0.1:5790"

static const char k_usage[] =
    "usage: simctl COMMAND [options]\n"
    "\n"
    "Simulation instances, started and ended through one API (docs/controller.md).\n"
    "\n"
    "  serve              run the controller; instances are processes of this machine\n"
    "  up                 start instances, and print how to connect\n"
    "  run -- COMMAND     run COMMAND with instances that end with it, or with simctl\n"
    "  ls                 list instances\n"
    "  show ID            print one instance as JSON\n"
    "  wait ID            until it is ready; fails if it ends before\n"
    "  logs ID            output of one of its containers\n"
    "  recording ID [FILE]  all input and output of its drone, for replay (stdout)\n"
    "  events ID          events of the cluster: why it does not start, for example\n"
    "  extend ID          move the end of its lifetime\n"
    "  rm ID ...          end instances; with --label: all that have it\n"
    "  templates          list templates and their values\n"
    "  check DIR ...      check templates without a controller: NAME.yaml of a folder, or files\n"
    "  openapi            print the API as an OpenAPI 3 document\n"
    "  token              print a new token, and its hash for --config\n"
    "\n"
    "options of up and run\n"
    "  --template T       template of the instances (drone)\n"
    "  --n N              how many (1)\n"
    "  --lifetime TIME    10m, 90s, from the start; also of extend\n"
    "  --set NAME=VALUE   a value of the template; several times\n"
    "  --label NAME=TEXT  several times; also of ls and rm\n"
    "  --request ID       of up: a repeated request starts nothing anew\n"
    "  --no-wait          do not wait until they are ready\n"
    "  --timeout TIME     longest wait (60s); also of wait\n"
    "\n"
    "other options\n"
    "  --controller URL   its address (MAYFLY_CONTROLLER, else " SIMCTL_URL ")\n"
    "  --token TOKEN      bearer token, or a file that holds it "
    "(MAYFLY_CONTROLLER_TOKEN)\n"
    "  --ca FILE          CA of its certificate (MAYFLY_CONTROLLER_CA)\n"
    "  --container NAME   of logs: the container (the drone's)\n"
    "  --json             of up, ls and templates: as the API answers\n"
    "  --listen HOST:PORT of serve (" ADDRESS "); port 0: a free one\n"
    "  --templates DIR    of serve: NAME.yaml each\n"
    "  --state DIR        of serve: keep instances here, and continue them after a restart\n"
    "  --mayfly PROGRAM   of serve: the emulator (beside simctl, else of PATH)\n"
    "  --backend NAME     of serve: local, or kubernetes (in a pod, or with --kubeconfig)\n"
    "  --kubeconfig FILE  of serve: the cluster, outside of its pods\n"
    "  --namespace NAME   of serve: namespace of the instances\n"
    "  --config FILE      of serve: tenants, their callers and namespaces; without it only this "
    "machine\n"
    "  --drone-key FILE   of serve: key of the drones' tokens; made if it does not exist\n"
    "  --ca-certificate FILE, --ca-key FILE\n"
    "                     of serve: the CA that gives instances their certificates\n"
    "  --certificate FILE, --key FILE\n"
    "                     of serve: TLS, both in PEM\n"
    "  --help\n"
    "\n"
    "exit codes: 0 done, 1 an instance ended before it was ready, or was refused, 2 wrong usage,\n"
    "3 --timeout is over and an instance is not ready, or the controller had no place for 60 s;\n"
    "of run COMMAND's own\n";

/* Options whose text is kept as it is, and where. */
static const struct text_option {
    const char *name;
    size_t offset;
} k_text[] = {
    {"template", offsetof(struct simctl_options, template)},
    {"lifetime", offsetof(struct simctl_options, lifetime)},
    {"request", offsetof(struct simctl_options, request)},
    {"container", offsetof(struct simctl_options, container)},
    {"timeout", offsetof(struct simctl_options, timeout)},
    {"controller", offsetof(struct simctl_options, client.url)},
    {"token", offsetof(struct simctl_options, client.token)},
    {"ca", offsetof(struct simctl_options, client.ca)},
    {"listen", offsetof(struct simctl_options, serving.listen)},
    {"templates", offsetof(struct simctl_options, serving.templates)},
    {"state", offsetof(struct simctl_options, serving.folder)},
    {"mayfly", offsetof(struct simctl_options, serving.mayfly)},
    {"backend", offsetof(struct simctl_options, serving.backend)},
    {"kubeconfig", offsetof(struct simctl_options, serving.kubeconfig)},
    {"namespace", offsetof(struct simctl_options, serving.name_space)},
    {"config", offsetof(struct simctl_options, serving.config)},
    {"drone-key", offsetof(struct simctl_options, serving.drone_key)},
    {"ca-certificate", offsetof(struct simctl_options, serving.ca_certificate)},
    {"ca-key", offsetof(struct simctl_options, serving.ca_key)},
    {"certificate", offsetof(struct simctl_options, serving.certificate)},
    {"key", offsetof(struct simctl_options, serving.secret)},
};
#define TEXTS (sizeof k_text / sizeof k_text[0])

static const struct option k_other[] = {
    {"n", required_argument, NULL, 'n'},     {"set", required_argument, NULL, 's'},
    {"label", required_argument, NULL, 'L'}, {"no-wait", no_argument, NULL, 'w'},
    {"ready", no_argument, NULL, 'R'},       {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
};
#define OTHERS     (sizeof k_other / sizeof k_other[0])
#define FIRST_TEXT 1000 /* of getopt's values: that of k_text[0] */

/* @return 0, or an exit code */
static int set_option(struct simctl_options *o, int option, const char *value)
{
    char *end = NULL;
    if (option >= FIRST_TEXT) {
        memcpy((char *)o + k_text[option - FIRST_TEXT].offset, &value, sizeof value);
        return 0;
    }
    switch (option) {
    case 'w':
        o->wait = false;
        break;
    case 'j':
        o->json = true;
        break;
    case 'R':
        break; /* what `wait` does anyway */
    case 'n':
        o->n = (int)strtol(value, &end, 10);
        return *end == '\0' && o->n >= 1
                   ? 0
                   : simctl_command_refuse("--n must be a number of instances, 1 or more");
    case 's':
    case 'L':
        if (o->sets >= SIMCTL_LIST_MAX || o->labels >= SIMCTL_LIST_MAX) {
            return simctl_command_refuse("--set and --label may be given 32 times each");
        }
        if (option == 's') {
            o->set[o->sets++] = value;
        } else {
            o->label[o->labels++] = value;
        }
        break;
    default:
        return SIMCTL_EXIT_BAD_INPUT;
    }
    return 0;
}

/* @return 0, or an exit code; -1 after --help */
static int read_options(struct simctl_options *o, int argc, char **argv)
{
    struct option option[TEXTS + OTHERS + 1] = {0};
    const char *url = getenv("MAYFLY_CONTROLLER");
    *o = (struct simctl_options){.client = {.url = url != NULL ? url : SIMCTL_URL,
                                            .token = getenv("MAYFLY_CONTROLLER_TOKEN"),
                                            .ca = getenv("MAYFLY_CONTROLLER_CA")},
                                 .serving = {.listen = ADDRESS},
                                 .template = "drone",
                                 .n = 1,
                                 .wait = true};
    for (size_t i = 0; i < TEXTS; i++) {
        option[i] = (struct option){k_text[i].name, required_argument, NULL, FIRST_TEXT + (int)i};
    }
    memcpy(option + TEXTS, k_other, sizeof k_other);
    for (int c = getopt_long(argc, argv, "", option, NULL); c != -1;
         c = getopt_long(argc, argv, "", option, NULL)) {
        if (c == 'h') {
            (void)fputs(k_usage, stdout);
            return -1;
        }
        const int wrong = set_option(o, c, optarg);
        if (wrong != 0) {
            return wrong;
        }
    }
    o->words = argv + optind + 1;
    o->count = argc - optind - 1;
    return 0;
}

/* @return NULL: unknown */
static const struct simctl_command *find_command(const char *name)
{
    static const struct simctl_command k_run = {"run", simctl_command_run, 0, 1000};
    const struct simctl_command *c = simctl_commands;
    while (c->name != NULL && strcmp(name, c->name) != 0) {
        c++;
    }
    return c->name != NULL ? c : strcmp(name, k_run.name) == 0 ? &k_run : NULL;
}

int main(int argc, char **argv)
{
    struct simctl_options o;
    mf_output_judge_stdout("simctl");
    if (argc == 3 && strcmp(argv[1], "local-run") == 0) { /* of an instance: local_run.h */
        return simctl_local_run(argv[2]);
    }
    if (argc == 3 && strcmp(argv[1], SIMCTL_RECORD) == 0) { /* in its pod: recording.h */
        return simctl_recording_copy(argv[2]);
    }
    if (argc == 3 && strcmp(argv[1], SIMCTL_CLOCK_COPY) == 0) { /* in its pod: clock.h */
        return simctl_clock_copy(argv[2]);
    }
    const int wrong = read_options(&o, argc, argv);
    if (wrong != 0) {
        return wrong < 0 ? EXIT_SUCCESS : wrong;
    }
    if (o.count < 0) {
        (void)fputs(k_usage, stderr);
        return SIMCTL_EXIT_BAD_INPUT;
    }
    const struct simctl_command *c = find_command(argv[optind]);
    if (c == NULL) {
        (void)fprintf(stderr, "simctl: '%s' is not a command; --help lists them\n", argv[optind]);
        return SIMCTL_EXIT_BAD_INPUT;
    }
    if (o.count < c->words || o.count > c->more) {
        return simctl_command_refuse(
            c->words > o.count
                ? "an argument is missing, such as an instance's id; see simctl --help"
                : "there are more arguments than the command takes; see simctl --help");
    }
    return c->run(&o);
}
