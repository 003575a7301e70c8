/* SPDX-License-Identifier: Apache-2.0 */
/* The controller of this machine, in a process of its own, and its client: instances from start to
 * end, lists, requests, refusals, the drone behind the controller, and `simctl run`. The drone is
 * this program, too: it greets as mayfly does, and answers each HTTP request. */
#include "tools/simctl/command.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct {
    char folder[64], self[512], url[128];
    pid_t pid;
    struct simctl_options o;
} s;

/* ---- the drone */

static int be_drone(void)
{
    static const char k_answer[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                   "Content-Length: 11\r\nConnection: close\r\n\r\n{\"alt\": 42}";
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (const struct sockaddr *)(const void *)&at, sizeof at) != 0 ||
        listen(fd, 16) != 0 || getsockname(fd, (struct sockaddr *)(void *)&at, &size) != 0) {
        return EXIT_FAILURE;
    }
    (void)printf("{\"text\":\"tcp 127.0.0.1:7001: MAVLink\"}\n"
                 "{\"text\":\"udp 127.0.0.1:7002: MAVLink\"}\n"
                 "{\"text\":\"api http://127.0.0.1:%u/\"}\n",
                 (unsigned)ntohs(at.sin_port));
    (void)fflush(stdout);
    for (;;) {
        char request[4096];
        const int peer = accept(fd, NULL, NULL);
        (void)!read(peer, request, sizeof request);
        (void)!write(peer, k_answer, sizeof k_answer - 1);
        (void)close(peer);
    }
}

/* ---- the controller, and requests to it */

static int begin(void **state)
{
    (void)state;
    int ends[2];
    char line[300] = "";
    memset(&s, 0, sizeof s);
    (void)signal(SIGINT,
                 SIG_DFL); /* a shell that starts tests may ignore it, and commands inherit that */
    (void)strcpy(s.folder, "/tmp/simctl-XXXXXX");
    assert_non_null(mkdtemp(s.folder));
    assert_true(readlink("/proc/self/exe", s.self, sizeof s.self - 1) > 0);
    assert_int_equal(pipe(ends), 0);
    (void)fflush(NULL);
    s.pid = fork();
    if (s.pid == 0) {
        const struct simctl_serving serving = {
            .listen = "127.0.0.1:0", .folder = s.folder, .mayfly = s.self, .backend = "local"};
        (void)snprintf(line, sizeof line, "%s.log", s.folder);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(open(line, O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
        exit(simctl_serve(&serving));
    }
    (void)close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    assert_non_null(fgets(line, sizeof line, said));
    assert_int_equal(sscanf(line, "simctl: %127[^ ]", s.url), 1);
    s.url[strlen(s.url) - 1] = '\0'; /* a colon */
    (void)fclose(said);
    s.o = (struct simctl_options){
        .client = {.url = s.url}, .template = "drone", .n = 1, .wait = true, .timeout = "50s"};
    return 0;
}

static int end(void **state)
{
    int status = -1;
    char command[200];
    (void)state;
    (void)kill(s.pid, SIGTERM);
    assert_int_equal(waitpid(s.pid, &status, 0), s.pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    (void)snprintf(command, sizeof command, "rm -r %s %s.log", s.folder, s.folder);
    return system(command);
}

static json_t *ask(const char *method, const char *path, const char *body)
{
    struct web_error error = {0};
    json_t *answer = simctl_request(&s.o.client, method, path,
                                    body != NULL ? json_loads(body, 0, NULL) : NULL, &error);
    if (answer == NULL) {
        fail_msg("%s %s: %u %s", method, path, error.status, error.message);
    }
    return answer;
}

/* A request whose answer is a refusal, without the client, which keeps only its words. */
static void refuses(const char *method, const char *path, const char *body, int status,
                    const char *code)
{
    char text[8192] = "", want[80];
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int got = 0;
    size_t n = 0;
    at.sin_port = htons((uint16_t)strtol(strrchr(s.url, ':') + 1, NULL, 10));
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)(const void *)&at, sizeof at), 0);
    (void)dprintf(fd,
                  "%s %s HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                  "Content-Length: %zu\r\n\r\n%s",
                  method, path, strlen(body), body);
    for (ssize_t more = 1; more > 0;) {
        more = read(fd, text + n, sizeof text - 1 - n);
        n += more > 0 ? (size_t)more : 0;
    }
    (void)close(fd);
    got = n > 9 ? (int)strtol(text + 9, NULL, 10) : 0; /* behind "HTTP/1.1 " */
    (void)snprintf(want, sizeof want, "\"code\":\"%s\"", code);
    if (got != status || (strstr(text, want) == NULL)) {
        fail_msg("%s %s %s: %s", method, path, body, text);
    }
}

static const char *text_of(const json_t *o, const char *name)
{
    const char *text = json_string_value(json_object_get(o, name));
    return text != NULL ? text : "(none)";
}

static json_int_t number_of(const json_t *o, const char *name)
{
    return json_is_integer(json_object_get(o, name)) ? json_integer_value(json_object_get(o, name))
                                                     : -1;
}

/* A text from the controller. @param text  out [8192] */
static void ask_text(const char *path, char *text)
{
    struct web_error error = {0};
    FILE *file = tmpfile();
    assert_true(simctl_request_text(&s.o.client, path, file, &error));
    rewind(file);
    text[fread(text, 1, 8191, file)] = '\0';
    (void)fclose(file);
}

/* Start instances as s.o says. @return the answer */
static json_t *start(void)
{
    struct web_error error = {0};
    json_t *answer = simctl_command_start(&s.o, NULL, &error);
    if (answer == NULL) {
        fail_msg("%u %s", error.status, error.message);
    }
    return answer;
}

static const json_t *nth(const json_t *answer, size_t i)
{
    return json_array_get(json_object_get(answer, "instances"), i);
}

static size_t count_of(const char *path)
{
    json_t *list = ask("GET", path, NULL);
    const size_t n = json_array_size(json_object_get(list, "instances"));
    json_decref(list);
    return n;
}

static void expect_ended(const char *path)
{
    for (int i = 0; i < 3000; i++) {
        json_t *one = ask("GET", path, NULL);
        const bool ended = strcmp(text_of(one, "state"), "ended") == 0;
        if (ended) {
            assert_string_equal(text_of(one, "outcome"), "ended");
            assert_string_equal(text_of(one, "reason"), "ended by a caller");
        }
        json_decref(one);
        if (ended) {
            return;
        }
        (void)usleep(10000);
    }
    fail_msg("%s has not ended", path);
}

/* The controller has noted a change, and what came of it. */
static void expect_audit(const char *what, const char *id, const char *result)
{
    char path[100], text[8192], want[200];
    (void)snprintf(path, sizeof path, "%s.log", s.folder);
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    (void)snprintf(want, sizeof want, "%s instance=%s result=%s\n", what, id, result);
    if (strstr(text, want) == NULL) {
        fail_msg("%s is missing in %s", want, text);
    }
}

/* ---- tests */

static void test_sim002_an_instance_from_start_to_end(void **state)
{
    char path[200], text[8192];
    (void)state;
    s.o.set[0] = "sysid=7";
    s.o.sets = 1;
    s.o.label[0] = "team=a";
    s.o.labels = 1;
    s.o.lifetime = "60s";
    json_t *answer = start();
    const json_t *one = nth(answer, 0), *connect = json_object_get(one, "connect");
    assert_string_equal(text_of(one, "state"), "ready");
    assert_string_equal(text_of(one, "template"), "drone");
    assert_true(json_is_null(json_object_get(one, "outcome")));
    assert_string_equal(text_of(json_object_get(one, "labels"), "team"), "a");
    assert_int_equal(json_object_size(json_object_get(one, "labels")), 1);
    assert_string_equal(text_of(connect, "tcp"), "127.0.0.1:7001");
    assert_string_equal(text_of(connect, "mavsdk"), "tcpout://127.0.0.1:7001");
    assert_string_equal(text_of(connect, "pymavlink"), "tcp:127.0.0.1:7001");
    assert_int_equal(strlen(text_of(one, "id")), 14);
    (void)snprintf(path, sizeof path, "/v1/instances/%s/drone/v1/vehicle", text_of(one, "id"));
    json_t *vehicle = ask("GET", path, NULL);
    assert_int_equal(number_of(vehicle, "alt"), 42);
    json_decref(vehicle);
    (void)snprintf(path, sizeof path, "/v1/instances/%s/logs", text_of(one, "id"));
    ask_text(path, text);
    assert_non_null(strstr(text, "udp 127.0.0.1:7002"));
    (void)snprintf(path, sizeof path, "/v1/instances/%s/recording", text_of(one, "id"));
    refuses("GET", path, "", 404, "no_recording");
    (void)snprintf(path, sizeof path, "/v1/instances/%s/extend", text_of(one, "id"));
    refuses("POST", path, "{\"lifetime\": \"25s\"}", 403, "extend");
    (void)snprintf(path, sizeof path, "/v1/instances/%s", text_of(one, "id"));
    json_t *told = ask("DELETE", path, NULL);
    assert_memory_equal(text_of(told, "state"), "end", 3);
    expect_ended(path);
    json_decref(told);
    told = ask("DELETE", path, NULL); /* once more: nothing */
    assert_string_equal(text_of(told, "state"), "ended");
    const json_t *times = json_object_get(told, "times");
    static const char *const k_time[] = {"asked", "scheduled", "started", "ready", "ended"};
    for (size_t i = 1; i < sizeof k_time / sizeof k_time[0]; i++) {
        assert_true(strcmp(text_of(times, k_time[i - 1]), text_of(times, k_time[i])) <= 0);
    }
    assert_true(strcmp(text_of(times, "ended"), text_of(times, "ends")) < 0);
    expect_audit("what=create", text_of(one, "id"), "done");
    expect_audit("what=end", text_of(one, "id"), "done");
    json_decref(told);
    json_decref(answer);
}

static void test_sim002_lists_are_chosen_and_paged(void **state)
{
    char path[200];
    (void)state;
    s.o.label[0] = "part=a";
    s.o.labels = 1;
    s.o.n = 3;
    json_decref(start());
    s.o.label[0] = "part=b";
    s.o.n = 2;
    json_decref(start());
    assert_int_equal(count_of("/v1/instances"), 5);
    assert_int_equal(count_of("/v1/instances?label=part=b"), 2);
    assert_int_equal(count_of("/v1/instances?state=ready"), 5);
    assert_int_equal(count_of("/v1/instances?state=ended"), 0);
    json_t *page = ask("GET", "/v1/instances?label=part=a&limit=2", NULL);
    assert_int_equal(json_array_size(json_object_get(page, "instances")), 2);
    assert_int_equal(number_of(page, "left"), 1);
    (void)snprintf(path, sizeof path, "/v1/instances?label=part=a&after=%s", text_of(page, "next"));
    json_t *rest = ask("GET", path, NULL);
    assert_int_equal(json_array_size(json_object_get(rest, "instances")), 1);
    assert_int_equal(number_of(rest, "left"), 0);
    assert_true(json_is_null(json_object_get(rest, "next")));
    json_decref(rest);
    json_decref(page);
    json_t *capacity = ask("GET", "/v1/capacity", NULL);
    assert_int_equal(number_of(json_object_get(capacity, "instances"), "ready"), 5);
    json_decref(capacity);
    json_t *ended = ask("DELETE", "/v1/instances?label=part=b", NULL);
    assert_int_equal(number_of(ended, "ended"), 2);
    assert_int_equal(number_of(ended, "left"), 0);
    json_decref(ended);
    assert_int_equal(count_of("/v1/instances?label=part=a&state=ready"), 3);
}

static void test_the_same_request_again_is_the_same_instances(void **state)
{
    (void)state;
    s.o.request = "build 7";
    s.o.n = 2;
    json_t *first = start(), *again = start();
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(text_of(nth(first, i), "id"), text_of(nth(again, i), "id"));
    }
    json_decref(first);
    json_decref(again);
    assert_int_equal(count_of("/v1/instances"), 2);
    refuses("POST", "/v1/instances",
            "{\"request\": \"build 7\", \"count\": 2, \"lifetime\": \"5s\"}", 409, "conflict");
}

static void test_refusals(void **state)
{
    static const char *const k_order[][2] = {{"{\"template\": \"drohne\"}", "unknown_template"},
                                             {"{\"values\": {\"spped\": 1}}", "unknown_value"},
                                             {"{\"values\": {\"sysid\": 255}}", "value"},
                                             {"{\"values\": {\"sysid\": 0}}", "value"},
                                             {"{\"lifetime\": \"-5s\"}", "wrong_type"},
                                             {"{\"lifetime\": \"25h\"}", "lifetime"},
                                             {"{\"lifetime\": 0.5}", "lifetime"},
                                             {"{\"count\": 0}", "count"},
                                             {"{\"count\": 501}", "count"},
                                             {"{\"tempate\": \"drone\"}", "unknown_member"}};
    (void)state;
    for (size_t i = 0; i < sizeof k_order / sizeof k_order[0]; i++) {
        refuses("POST", "/v1/instances", k_order[i][0], 422, k_order[i][1]);
    }
    refuses("GET", "/v1/instances/nobody", "", 404, "unknown_instance");
    refuses("DELETE", "/v1/instances/nobody", "", 404, "unknown_instance");
    refuses("GET", "/v1/instances/nobody/logs", "", 404, "unknown_instance");
    refuses("GET", "/v1/instances/nobody/drone/v1/vehicle", "", 404, "unknown_instance");
    refuses("GET", "/v2", "", 404, "unknown_path");
    refuses("PUT", "/v1/instances", "{}", 405, "method");
    refuses("GET", "/v1/instances?limit=0", "", 422, "parameter");
    refuses("GET", "/v1/instances?state=flying", "", 422, "parameter");
    assert_int_equal(count_of("/v1/instances"), 0);
}

static void test_metrics_count_instances_and_requests(void **state)
{
    char text[8192];
    (void)state;
    s.o.n = 2;
    json_decref(start());
    refuses("GET", "/v2", "", 404, "unknown_path");
    ask_text("/metrics", text);
    static const char *const k_line[] = {
        "\nmayfly_instances{tenant=\"default\",template=\"drone\",state=\"ready\"} 2\n",
        "\nmayfly_instances{tenant=\"default\",template=\"drone\",state=\"ended\"} 0\n",
        "\nmayfly_controller_created_total{tenant=\"default\",template=\"drone\"} 2\n",
        "\nmayfly_controller_requests_total{status=\"2xx\"} 1\n",
        "\nmayfly_controller_requests_total{status=\"4xx\"} 1\n",
        "\nmayfly_controller_create_seconds_bucket{le=\"60\"} 1\n",
        "\nmayfly_controller_create_seconds_bucket{le=\"+Inf\"} 1\n",
        "\nmayfly_controller_create_seconds_count 1\n",
        "\nmayfly_controller_backend_up 1\n"};
    for (size_t i = 0; i < sizeof k_line / sizeof k_line[0]; i++) {
        if (strstr(text, k_line[i]) == NULL) {
            fail_msg("%s is missing in %s", k_line[i], text);
        }
    }
}

/* Commands of the program, which print to files. @return an exit code */
static int command(const char *name, char *word)
{
    const struct simctl_command *c = simctl_commands;
    while (strcmp(c->name, name) != 0) {
        c++;
    }
    s.o.words = &word;
    s.o.count = word != NULL ? 1 : 0;
    return c->run(&s.o);
}

static void test_commands_have_exit_codes(void **state)
{
    char id[32], nobody[] = "nobody";
    (void)state;
    json_t *answer = start();
    (void)snprintf(id, sizeof id, "%s", text_of(nth(answer, 0), "id"));
    json_decref(answer);
    assert_int_equal(command("show", id), 0);
    assert_int_equal(command("wait", id), 0);
    assert_int_equal(command("logs", id), 0);
    assert_int_equal(command("events", id), 0);
    assert_int_equal(command("ls", NULL), 0);
    assert_int_equal(command("templates", NULL), 0);
    assert_int_equal(command("show", nobody), EXIT_FAILURE);
    assert_int_equal(command("logs", nobody), EXIT_FAILURE);
    assert_int_equal(command("extend", id), SIMCTL_EXIT_BAD_INPUT);
    assert_int_equal(command("rm", NULL), SIMCTL_EXIT_BAD_INPUT);
    assert_int_equal(command("rm", nobody), EXIT_FAILURE);
    assert_int_equal(command("rm", id), 0);
    (void)snprintf(s.url + 0, sizeof s.url, "http://127.0.0.1:1"); /* no controller */
    assert_int_equal(command("ls", NULL), EXIT_FAILURE);
}

static int run(const char *script)
{
    char sh[] = "sh", c[] = "-c", text[1000];
    char *words[] = {sh, c, text, NULL};
    (void)snprintf(text, sizeof text, "%s", script);
    s.o.words = words;
    s.o.count = 3;
    return simctl_command_run(&s.o);
}

/* A command's instances end with it; the environment has their addresses. */
static void test_sim006_run_starts_and_ends_instances(void **state)
{
    (void)state;
    s.o.n = 2;
    assert_int_equal(run("[ $MAYFLY_INSTANCES = 2 ] && [ $MAYFLY_TCP = 127.0.0.1:7001 ] && "
                         "[ $MAYFLY_TCP_1 = 127.0.0.1:7001 ] && [ -n \"$MAYFLY_INSTANCE_1\" ] && "
                         "[ -z \"$MAYFLY_INSTANCE_2\" ] && "
                         "[ $MAYFLY_MAVSDK_URL = tcpout://127.0.0.1:7001 ] && exit 7"),
                     7);
    assert_int_equal(count_of("/v1/instances?state=ready"), 0);
    assert_int_equal(count_of("/v1/instances"), 2);
    assert_int_equal(run("kill -9 $$"), 128 + 9);
    s.o.request = "again";
    assert_int_equal(run("exit 0"), SIMCTL_EXIT_BAD_INPUT);
    s.o.request = NULL;
    s.o.count = 0;
    assert_int_equal(simctl_command_run(&s.o), SIMCTL_EXIT_BAD_INPUT);
}

static void ignore(int number)
{
    (void)number;
}

/* A signal for the program goes on to its command, which decides. */
static void test_sim006_run_passes_signals_on(void **state)
{
    static const struct {
        int number;
        const char *name;
    } k_signal[] = {{SIGINT, "INT"}, {SIGTERM, "TERM"}, {SIGHUP, "HUP"}};
    (void)state;
    s.o.wait = false;
    for (size_t i = 0; i < sizeof k_signal / sizeof k_signal[0]; i++) {
        char script[200];
        (void)signal(k_signal[i].number, ignore); /* until the program listens */
        (void)snprintf(script, sizeof script,
                       "trap 'exit %zu' %s; n=0; while [ $n -lt 3000 ]; "
                       "do kill -%s $PPID; sleep 0.01; n=$((n+1)); done",
                       40 + i, k_signal[i].name, k_signal[i].name);
        assert_int_equal(run(script), 40 + (int)i);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sim002_an_instance_from_start_to_end, begin, end),
        cmocka_unit_test_setup_teardown(test_sim002_lists_are_chosen_and_paged, begin, end),
        cmocka_unit_test_setup_teardown(test_the_same_request_again_is_the_same_instances, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_refusals, begin, end),
        cmocka_unit_test_setup_teardown(test_metrics_count_instances_and_requests, begin, end),
        cmocka_unit_test_setup_teardown(test_commands_have_exit_codes, begin, end),
        cmocka_unit_test_setup_teardown(test_sim006_run_starts_and_ends_instances, begin, end),
        cmocka_unit_test_setup_teardown(test_sim006_run_passes_signals_on, begin, end),
    };
    if (argc > 1 && strcmp(argv[1], "--free-ports") == 0) {
        return be_drone();
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
