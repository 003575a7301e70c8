/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what simctl reads of its own machine and as a client, by the first byte: 'O' the order of
 * an instance, 'L' the log of its drone, 'S' the state of its commands, 'C' the list of these
 * commands, 'R' the log that carries a recording, 'K' a kubeconfig, 'T' a file of tenants, 'P' the
 * answer of a drone to a probe, otherwise an answer of a controller, whose second byte is its
 * status.
 */
#include "tests/fuzz/fuzz_file.h"
#include "tools/simctl/base/recording.h"
#include "tools/simctl/base/tenant.h"
#include "tools/simctl/client_answer.h"
#include "tools/simctl/command.h"
#include "tools/simctl/kube/kube_client.h"
#include "tools/simctl/local/local_instance.h"
#include "tools/simctl/local/local_run.h"
#include "tools/simctl/local/run_list.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MAX 16384u
#define ID       "abc-0"

static struct simctl_local_site s_site;
static char s_folder[SIMCTL_PATH_BYTES]; /* of the instance */

static void clean_up(void)
{
    simctl_local_remove(&s_site, ID);
    (void)rmdir(s_site.folder);
}

static void make_folder(void)
{
    fuzz_folder(s_site.folder);
    check(atexit(clean_up) == 0);
    simctl_local_path(&s_site, ID, "", s_folder);
    check(mkdir(s_folder, 0700) == 0);
}

/* @return the path of a file of the instance with this text */
static const char *put_file(const char *name, const char *text, size_t n)
{
    static char s_path[SIMCTL_PATH_BYTES];
    simctl_local_path(&s_site, ID, name, s_path);
    fuzz_write(s_path, text, n);
    return s_path;
}

static void fuzz_order(const char *text, size_t n)
{
    struct simctl_local_instance x, again;
    (void)put_file(SIMCTL_ORDER_FILE, text, n);
    if (simctl_local_load(&s_site, ID, &x)) {
        check(x.i.state < SIMCTL_STATES && x.i.outcome < SIMCTL_OUTCOMES);
        json_t *shown = simctl_instance_json(&x.i);
        check(shown != NULL);
        json_decref(shown);
        check(simctl_local_save(&s_site, &x) && simctl_local_load(&s_site, ID, &again));
        check(again.i.ends_us == x.i.ends_us && again.i.state == x.i.state);
        check(strcmp(again.tenant, x.tenant) == 0 && strcmp(again.i.reason, x.i.reason) == 0);
        simctl_instance_free(&again.i);
    }
    simctl_instance_free(&x.i);
}

static void fuzz_log(const char *text, size_t n)
{
    struct simctl_local_instance x = {.used = true, .child = n % 2 == 0, .onboard = n % 3 == 0};
    (void)snprintf(x.i.id, sizeof x.i.id, ID);
    (void)put_file(SIMCTL_EMULATOR_LOG, text, n);
    simctl_local_read_addresses(&s_site, &x);
    check(strlen(x.i.within.tcp) < SIMCTL_ADDRESS_MAX && strchr(x.i.within.api, '/') == NULL);
    x.i.ends_us = INT64_MAX;
    simctl_local_judge(&s_site, &x, n % 5 == 0 ? 0 : (int)(n % 2 + 1) << 8);
    check(x.i.outcome > SIMCTL_OUTCOME_OPEN && x.i.outcome < SIMCTL_OUTCOMES);
    check(strchr(x.i.reason, '\n') == NULL && strlen(x.i.reason) < sizeof x.i.reason);
}

static void fuzz_state(const char *text, size_t n)
{
    char reason[SIMCTL_REASON_MAX];
    (void)put_file("run.state", text, n);
    const enum simctl_run_state state = simctl_run_state_read(s_folder, reason);
    check(state < SIMCTL_RUN_STATES && strlen(reason) < sizeof reason);
}

static void fuzz_commands(const char *text, size_t n)
{
    size_t i;
    const json_t *one;
    json_t *list = json_loadb(text, n, 0, NULL);
    if (list != NULL && simctl_run_list_check(list) == NULL) {
        check(json_array_size(list) > 0 && json_array_size(list) <= SIMCTL_RUN_COMMANDS);
        json_array_foreach(list, i, one)
        {
            const json_t *command = json_object_get(one, "command");
            check(json_string_value(json_array_get(command, 0)) != NULL);
            check(json_array_size(command) <= SIMCTL_RUN_ARGUMENTS);
        }
    }
    json_decref(list);
}

static void fuzz_kubeconfig(const char *text, size_t n)
{
    struct simctl_kube_settings settings;
    struct web_error error = {0};
    if (simctl_kube_settings_load(&settings, put_file("config", text, n), &error)) {
        check(settings.server != NULL && settings.name_space != NULL);
        simctl_kube_settings_free(&settings);
    } else {
        check(error.status != 0 && error.message[0] != '\0');
    }
}

static void fuzz_tenants(const char *text, size_t n)
{
    struct web_error error = {0};
    struct simctl_tenants *t = simctl_tenants_load(put_file("tenants", text, n), &error);
    check((t != NULL) == (error.status == 0));
    if (t != NULL) {
        simctl_tenants_free(t);
    }
}

static void fuzz_probe(const char *text, size_t n)
{
    int fd[2];
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fd) == 0);
    struct simctl_probe probe = {.open = true, .fd = fd[0], .asked = true, .until_us = INT64_MAX};
    bool good = false;
    size_t at = 0;
    while (probe.open && !good && at < n) {
        const size_t piece = 1 + (unsigned char)text[at] % 7u;
        const ssize_t sent = write(fd[1], text + at, piece < n - at ? piece : n - at);
        check(sent > 0);
        at += (size_t)sent;
        good = simctl_probe_ok(&probe, 1, "/readyz");
    }
    check(!good ||
          (n >= 12 && memcmp(text, "HTTP/1.", 7) == 0 && memcmp(text + 8, " 200", 4) == 0));
    simctl_probe_close(&probe);
    (void)close(fd[1]);
}

static void fuzz_answer(const char *text, long status)
{
    static const struct simctl_options k_options = {.wait = true};
    struct web_error error = {0};
    simctl_answer_refuse(status, text, &error);
    check(error.code != NULL && strlen(error.message) < sizeof error.message);
    error = (struct web_error){0};
    json_t *o = simctl_answer_read("http://127.0.0.1", text, &error);
    check((o == NULL) == (error.status != 0));
    FILE *to = fopen("/dev/null", "we");
    check(to != NULL);
    (void)simctl_command_show(&k_options, json_object_get(o, "instances"), to);
    (void)fclose(to);
    json_decref(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char s_text[TEXT_MAX];
    if (size < 3 || size > TEXT_MAX) {
        return 0;
    }
    const size_t n = size - 1;
    memcpy(s_text, data + 1, n);
    s_text[n] = '\0';
    if (s_folder[0] == '\0') {
        make_folder();
    }
    switch (data[0]) {
    case 'O':
        fuzz_order(s_text, n);
        break;
    case 'L':
        fuzz_log(s_text, n);
        break;
    case 'S':
        fuzz_state(s_text, n);
        break;
    case 'C':
        fuzz_commands(s_text, n);
        break;
    case 'R':
        check(simctl_recording_decode(s_text, n) <= n);
        break;
    case 'K':
        fuzz_kubeconfig(s_text, n);
        break;
    case 'T':
        fuzz_tenants(s_text, n);
        break;
    case 'P':
        fuzz_probe(s_text, n);
        break;
    default:
        fuzz_answer(s_text + 1, 2L * data[1]);
    }
    return 0;
}
