/* SPDX-License-Identifier: Apache-2.0 */
/* simctl: the Simulation Controller and its client (docs/controller.md). Usage text below. */
#include "tools/simctl/client.h"
#include "tools/simctl/local_run.h"
#include "tools/simctl/serve.h"
#include "tools/simctl/shape.h"
#include "tools/simctl/tenant.h"

#include <getopt.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_BAD_INPUT 2
#define EXIT_NOT_RUN   125
#define EXIT_SIGNAL    128
#define ADDRESS        "127.0.0.1:5790"
#define LIST_MAX       32
#define PATH_BYTES     512u

static const char k_usage[] =
    "usage: simctl COMMAND [options]\n"
    "\n"
    "Simulation instances, started and ended through one API (docs/controller.md).\n"
    "\n"
    "  serve              run the controller; instances are processes of this machine\n"
    "  up                 start instances, and print how to connect\n"
    "  run -- COMMAND     start instances, run COMMAND with how to connect in its environment, end "
    "them\n"
    "  ls                 list instances\n"
    "  show ID            one instance, as JSON\n"
    "  wait ID            until it is ready; fails if it ends before\n"
    "  logs ID            what a container of it has written\n"
    "  extend ID          move the end of its lifetime\n"
    "  rm ID ...          end instances; with --label: all that have it\n"
    "  templates          what can be started, and which values it takes\n"
    "  token              a new token, and its hash for --config\n"
    "\n"
    "options of up and run\n"
    "  --template T       (drone)\n"
    "  --n N              how many (1)\n"
    "  --lifetime TIME    10m, 90s; also of extend: in all\n"
    "  --set NAME=VALUE   a value of the template's; several times\n"
    "  --label NAME=TEXT  several times; also of ls and rm\n"
    "  --request ID       the same request again starts nothing anew\n"
    "  --no-wait          do not wait until they are ready\n"
    "\n"
    "other options\n"
    "  --controller URL   where it is (MAYFLY_CONTROLLER, else " SIMCTL_URL ")\n"
    "  --token TOKEN      what it asks of its clients, or a file with it "
    "(MAYFLY_CONTROLLER_TOKEN)\n"
    "  --ca FILE          who has signed its certificate (MAYFLY_CONTROLLER_CA)\n"
    "  --container NAME   of logs: whose (the drone's)\n"
    "  --json             of up, ls and templates: as the API answers\n"
    "  --listen HOST:PORT of serve (" ADDRESS "); port 0: a free one\n"
    "  --templates DIR    of serve: NAME.yaml each\n"
    "  --state DIR        of serve: keep instances here, and take them up again\n"
    "  --mayfly PROGRAM   of serve: the emulator (beside simctl, else of PATH)\n"
    "  --backend NAME     of serve: local, or kubernetes (in a pod, or with --kubeconfig)\n"
    "  --kubeconfig FILE  of serve: the cluster, where this is not one of its pods\n"
    "  --namespace NAME   of serve: where instances live\n"
    "  --config FILE      of serve: who may, and which namespace is whose; without it this "
    "machine\n"
    "  --drone-key FILE   of serve: key of the drones' tokens; made if it is not there\n"
    "  --certificate FILE, --key FILE\n"
    "                     of serve: TLS, both in PEM\n"
    "  --help\n"
    "\n"
    "exit codes: 0 done, 1 an instance ended before it was ready, or was refused, 2 wrong usage; "
    "of run\n"
    "COMMAND's own\n";

struct options {
    struct simctl_client client;
    struct simctl_serving serving;
    const char *template, *lifetime, *request, *container;
    const char *set[LIST_MAX], *label[LIST_MAX];
    int sets, labels, n;
    bool wait, json;
    char **words; /* after the command */
    int count;
};

static int refuse(const char *what)
{
    (void)fprintf(stderr, "simctl: %s\n", what);
    return EXIT_BAD_INPUT;
}

static int failed(const struct web_error *error)
{
    (void)fprintf(stderr, "simctl: %s\n", error->message);
    return EXIT_FAILURE;
}

/* ---- what is asked for */

/* A value as it was typed: a number, true or false, a list in brackets, else a text. */
static json_t *typed(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (value == NULL || json_is_object(value)) {
        json_decref(value);
        return json_string(text);
    }
    return value;
}

/* NAME=VALUE each, as an object. @return NULL: one is of another form */
static json_t *pairs(const char *const *list, int n, bool texts)
{
    json_t *o = json_object();
    for (int i = 0; i < n; i++) {
        char name[128];
        const size_t len = strcspn(list[i], "=");
        (void)snprintf(name, sizeof name, "%.*s", (int)len, list[i]);
        if (list[i][len] == '\0' || len == 0) {
            json_decref(o);
            return NULL;
        }
        (void)json_object_set_new(
            o, name, texts ? json_string(list[i] + len + 1) : typed(list[i] + len + 1));
    }
    return o;
}

static json_t *start(const struct options *o, struct web_error *error)
{
    json_t *values = pairs(o->set, o->sets, false), *labels = pairs(o->label, o->labels, true);
    if (values == NULL || labels == NULL) {
        json_decref(values);
        json_decref(labels);
        (void)web_refuse(error, 422, "usage", "--set and --label take NAME=VALUE");
        return NULL;
    }
    json_t *body = json_pack("{s:s, s:o, s:o, s:i}", "template", o->template, "values", values,
                             "labels", labels, "count", o->n);
    if (o->lifetime != NULL) {
        (void)json_object_set_new(body, "lifetime", typed(o->lifetime));
    }
    if (o->request != NULL) {
        (void)json_object_set_new(body, "request", json_string(o->request));
    }
    return simctl_request(&o->client, "POST",
                          o->wait ? "/v1/instances?wait=ready" : "/v1/instances", body, error);
}

/* ---- what is shown */

static void print_json(const json_t *o)
{
    (void)json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    (void)putchar('\n');
}

/* @return whether all are as they should be */
static bool print_started(const json_t *instances)
{
    size_t i;
    const json_t *one;
    bool good = true;
    json_array_foreach(instances, i, one)
    {
        const json_t *connect = json_object_get(one, "connect");
        const char *state = simctl_shape_text(one, "state", "");
        const bool ended = strcmp(state, "ended") == 0;
        good = good && !ended;
        (void)printf("%s %s %s %s\n", simctl_shape_text(one, "id", ""), state,
                     simctl_shape_text(connect, "mavsdk", "-"),
                     simctl_shape_text(connect, "api", "-"));
        if (ended) {
            (void)fprintf(stderr, "simctl: %s: %s: %s\n", simctl_shape_text(one, "id", ""),
                          simctl_shape_text(one, "outcome", ""),
                          simctl_shape_text(one, "reason", ""));
        }
    }
    return good;
}

static int do_up(const struct options *o)
{
    struct web_error error = {0};
    json_t *answer = start(o, &error);
    if (answer == NULL) {
        return failed(&error);
    }
    bool good = true;
    if (o->json) {
        print_json(answer);
    } else {
        good = print_started(json_object_get(answer, "instances"));
    }
    json_decref(answer);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void add_query(char *path, size_t size, const struct options *o)
{
    size_t n = strlen(path);
    for (int i = 0; i < o->labels && n < size; i++) {
        n += (size_t)snprintf(path + n, size - n, "%clabel=%s", i == 0 ? '?' : '&', o->label[i]);
    }
}

static int do_ls(const struct options *o)
{
    struct web_error error = {0};
    char path[PATH_BYTES] = "/v1/instances";
    size_t i;
    const json_t *one;
    add_query(path, sizeof path, o);
    json_t *answer = simctl_request(&o->client, "GET", path, NULL, &error);
    if (answer == NULL) {
        return failed(&error);
    }
    if (o->json) {
        print_json(answer);
    } else {
        (void)printf("%-18s %-16s %-9s %-16s %-25s %s\n", "ID", "TEMPLATE", "STATE", "OUTCOME",
                     "ENDS", "CONNECT");
        json_array_foreach(json_object_get(answer, "instances"), i, one)
        {
            (void)printf("%-18s %-16s %-9s %-16s %-25s %s\n", simctl_shape_text(one, "id", ""),
                         simctl_shape_text(one, "template", ""),
                         simctl_shape_text(one, "state", ""),
                         simctl_shape_text(one, "outcome", "-"),
                         simctl_shape_text(json_object_get(one, "times"), "ends", "-"),
                         simctl_shape_text(json_object_get(one, "connect"), "mavsdk", "-"));
        }
    }
    json_decref(answer);
    return EXIT_SUCCESS;
}

/* ---- one instance */

static int show(const struct options *o, const char *method, const char *after, json_t *body)
{
    struct web_error error = {0};
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "/v1/instances/%s%s", o->words[0], after);
    json_t *answer = simctl_request(&o->client, method, path, body, &error);
    if (answer == NULL) {
        return failed(&error);
    }
    const bool ended = strcmp(simctl_shape_text(answer, "state", ""), "ended") == 0;
    print_json(answer);
    json_decref(answer);
    return ended && o->wait && method[0] == 'G' && after[0] == '?' ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int do_show(const struct options *o)
{
    return show(o, "GET", "", NULL);
}

static int do_wait(const struct options *o)
{
    return show(o, "GET", "?wait=ready", NULL);
}

static int do_extend(const struct options *o)
{
    if (o->lifetime == NULL) {
        return refuse("extend needs --lifetime, in all");
    }
    return show(o, "POST", "/extend", json_pack("{s:o}", "lifetime", typed(o->lifetime)));
}

static int do_logs(const struct options *o)
{
    struct web_error error = {0};
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "/v1/instances/%s/logs%s%s", o->words[0],
                   o->container != NULL ? "?container=" : "",
                   o->container != NULL ? o->container : "");
    return simctl_request_text(&o->client, path, stdout, &error) ? EXIT_SUCCESS : failed(&error);
}

static bool end_one(const struct options *o, const char *id, struct web_error *error)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "/v1/instances/%s", id);
    json_t *answer = simctl_request(&o->client, "DELETE", path, NULL, error);
    json_decref(answer);
    return answer != NULL;
}

static int do_rm(const struct options *o)
{
    struct web_error error = {0};
    char path[PATH_BYTES] = "/v1/instances";
    if (o->count == 0 && o->labels == 0) {
        return refuse("rm needs ids, or --label NAME=TEXT");
    }
    for (int i = 0; i < o->count; i++) {
        (void)end_one(o, o->words[i], &error);
    }
    if (o->labels > 0 && error.status == 0) {
        add_query(path, sizeof path, o);
        json_decref(simctl_request(&o->client, "DELETE", path, NULL, &error));
    }
    return error.status == 0 ? EXIT_SUCCESS : failed(&error);
}

static int do_templates(const struct options *o)
{
    struct web_error error = {0};
    size_t i;
    const json_t *one;
    const char *name;
    json_t *about;
    json_t *answer = simctl_request(&o->client, "GET", "/v1/templates", NULL, &error);
    if (answer == NULL) {
        return failed(&error);
    }
    if (o->json) {
        print_json(answer);
    } else {
        json_array_foreach(json_object_get(answer, "templates"), i, one)
        {
            (void)printf("%s: %s\n", simctl_shape_text(one, "name", ""),
                         simctl_shape_text(one, "description", ""));
            json_object_foreach(json_object_get(one, "values"), name, about)
            {
                (void)printf("  %-18s %s\n", name, simctl_shape_text(about, "help", ""));
            }
        }
    }
    json_decref(answer);
    return EXIT_SUCCESS;
}

/* ---- run */

static volatile sig_atomic_t s_child;

static void pass_on(int number)
{
    if (s_child > 0) {
        (void)kill((pid_t)s_child, number);
    }
}

/* How to connect: of the first instance by the names that `mayfly exec` uses, of all
 * with numbers. */
static void tell(const json_t *instances)
{
    static const char *const k_told[][2] = {{"mavsdk", "MAYFLY_MAVSDK_URL"},
                                            {"pymavlink", "MAYFLY_PYMAVLINK_URL"},
                                            {"api", "MAYFLY_API_URL"},
                                            {"tcp", "MAYFLY_TCP"}};
    size_t i;
    const json_t *one;
    char name[64];
    json_array_foreach(instances, i, one)
    {
        for (size_t k = 0; k < sizeof k_told / sizeof k_told[0]; k++) {
            const char *text = simctl_shape_text(json_object_get(one, "connect"), k_told[k][0], "");
            (void)snprintf(name, sizeof name, "%s_%zu", k_told[k][1], i);
            (void)setenv(name, text, 1);
            if (i == 0) {
                (void)setenv(k_told[k][1], text, 1);
            }
        }
        (void)snprintf(name, sizeof name, "MAYFLY_INSTANCE_%zu", i);
        (void)setenv(name, simctl_shape_text(one, "id", ""), 1);
    }
    (void)snprintf(name, sizeof name, "%zu", json_array_size(instances));
    (void)setenv("MAYFLY_INSTANCES", name, 1);
}

/* @return the exit code of the command */
static int run_command(const struct options *o)
{
    int status = 0;
    const struct sigaction action = {.sa_handler = pass_on};
    const pid_t pid = fork();
    if (pid == 0) {
        (void)execvp(o->words[0], o->words);
        perror(o->words[0]);
        _exit(EXIT_NOT_RUN);
    }
    s_child = pid;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    while (pid > 0 && waitpid(pid, &status, 0) != pid) { /* a signal came */
    }
    return pid < 0             ? EXIT_NOT_RUN
           : WIFEXITED(status) ? WEXITSTATUS(status)
                               : EXIT_SIGNAL + WTERMSIG(status);
}

static int do_run(const struct options *o)
{
    struct web_error error = {0};
    size_t i;
    const json_t *one;
    if (o->count == 0) {
        return refuse("run needs a command: simctl run [options] -- COMMAND [ARGUMENT]...");
    }
    json_t *answer = start(o, &error);
    if (answer == NULL) {
        return failed(&error);
    }
    const json_t *instances = json_object_get(answer, "instances");
    tell(instances);
    const int code = run_command(o);
    json_array_foreach(instances, i, one)
    {
        struct web_error ignored = {0};
        (void)end_one(o, simctl_shape_text(one, "id", ""), &ignored);
    }
    json_decref(answer);
    return code;
}

/* ---- commands and options */

static int do_serve(const struct options *o)
{
    return simctl_serve(&o->serving);
}

static int do_token(const struct options *o)
{
    char token[SIMCTL_NEW_TOKEN], hash[SIMCTL_HASH_TEXT];
    (void)o;
    simctl_token_make(token);
    simctl_token_hash(token, hash);
    (void)printf("token: %s\nhash:  %s\n", token, hash);
    return EXIT_SUCCESS;
}

static const struct {
    const char *name;
    int (*run)(const struct options *o);
    int words, more; /* that it needs, and that it takes */
} k_command[] = {
    {"serve", do_serve, 0, 0}, {"up", do_up, 0, 0},
    {"run", do_run, 0, 1000},  {"ls", do_ls, 0, 0},
    {"show", do_show, 1, 1},   {"wait", do_wait, 1, 1},
    {"logs", do_logs, 1, 1},   {"extend", do_extend, 1, 1},
    {"rm", do_rm, 0, 1000},    {"templates", do_templates, 0, 0},
    {"token", do_token, 0, 0},
};

/* Options whose text is kept as it is, and where. */
static const struct text_option {
    const char *name;
    size_t offset;
} k_text[] = {
    {"template", offsetof(struct options, template)},
    {"lifetime", offsetof(struct options, lifetime)},
    {"request", offsetof(struct options, request)},
    {"container", offsetof(struct options, container)},
    {"controller", offsetof(struct options, client.url)},
    {"token", offsetof(struct options, client.token)},
    {"ca", offsetof(struct options, client.ca)},
    {"listen", offsetof(struct options, serving.listen)},
    {"templates", offsetof(struct options, serving.templates)},
    {"state", offsetof(struct options, serving.folder)},
    {"mayfly", offsetof(struct options, serving.mayfly)},
    {"backend", offsetof(struct options, serving.backend)},
    {"kubeconfig", offsetof(struct options, serving.kubeconfig)},
    {"namespace", offsetof(struct options, serving.name_space)},
    {"config", offsetof(struct options, serving.config)},
    {"drone-key", offsetof(struct options, serving.drone_key)},
    {"certificate", offsetof(struct options, serving.certificate)},
    {"key", offsetof(struct options, serving.secret)},
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
static int set_option(struct options *o, int option, const char *value)
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
        return *end == '\0' && o->n >= 1 ? 0 : refuse("--n is a number of instances, 1 or more");
    case 's':
    case 'L':
        if (o->sets >= LIST_MAX || o->labels >= LIST_MAX) {
            return refuse("at most 32 of --set and of --label");
        }
        if (option == 's') {
            o->set[o->sets++] = value;
        } else {
            o->label[o->labels++] = value;
        }
        break;
    default:
        return EXIT_BAD_INPUT;
    }
    return 0;
}

/* @return 0, or an exit code; -1 after --help */
static int read_options(struct options *o, int argc, char **argv)
{
    struct option option[TEXTS + OTHERS + 1] = {0};
    const char *url = getenv("MAYFLY_CONTROLLER");
    *o = (struct options){.client = {.url = url != NULL ? url : SIMCTL_URL,
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

int main(int argc, char **argv)
{
    struct options o;
    if (argc == 3 && strcmp(argv[1], "local-run") == 0) { /* of an instance: local_run.h */
        return simctl_local_run(argv[2]);
    }
    const int wrong = read_options(&o, argc, argv);
    if (wrong != 0) {
        return wrong < 0 ? EXIT_SUCCESS : wrong;
    }
    if (o.count < 0) {
        (void)fputs(k_usage, stderr);
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; i < sizeof k_command / sizeof k_command[0]; i++) {
        if (strcmp(argv[optind], k_command[i].name) == 0) {
            if (o.count < k_command[i].words || o.count > k_command[i].more) {
                return refuse(k_command[i].words > o.count
                                  ? "an instance's id is missing; see simctl --help"
                                  : "more words than the command takes; see simctl --help");
            }
            return k_command[i].run(&o);
        }
    }
    (void)fprintf(stderr, "simctl: '%s' is no command; see simctl --help\n", argv[optind]);
    return EXIT_BAD_INPUT;
}
