/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/local_instance.h"
#include "tools/simctl/local_run.h"
#include "tools/simctl/process.h"
#include "tools/simctl/shape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENVIRONMENT_MAX 512u

/* What stands in a container's env, as lines NAME=VALUE at the end of a list. */
static bool add_environment(const json_t *container, char **list, size_t *n,
                            struct web_error *error)
{
    size_t i;
    const json_t *entry;
    json_array_foreach(json_object_get(container, "env"), i, entry)
    {
        const char *name = simctl_shape_text(entry, "name", "");
        const char *value = simctl_shape_text(entry, "value", "");
        const size_t size = strlen(name) + strlen(value) + 2;
        if (json_object_get(entry, "valueFrom") != NULL) {
            return web_refuse(error, 422, "value_from",
                              "%.60s comes from the cluster (valueFrom); without one it needs a "
                              "value",
                              name);
        }
        if (*n + 1 >= ENVIRONMENT_MAX) {
            return web_refuse(error, 422, "environment", "more than %u variables", ENVIRONMENT_MAX);
        }
        list[*n] = malloc(size);
        if (list[*n] != NULL) {
            (void)snprintf(list[(*n)++], size, "%s=%s", name, value);
        }
    }
    return true;
}

/* Ours, without what speaks of another drone. */
static void add_own_environment(char **list, size_t *n)
{
    for (char **line = environ; *line != NULL && *n + 2 < ENVIRONMENT_MAX; line++) {
        if (strncmp(*line, "MAYFLY_", 7) != 0 && strncmp(*line, "PX4_", 4) != 0) {
            list[*n] = strdup(*line);
            *n += list[*n] != NULL;
        }
    }
}

static bool is_sidecar_list(const json_t *container)
{
    return strcmp(simctl_shape_text(container, "restartPolicy", ""), "Always") == 0;
}

/* Adds the command of one container other than the drone's. */
static bool add_command(const struct simctl_template *t, const json_t *container, json_t *list,
                        struct web_error *error)
{
    const char *name = simctl_shape_text(container, "name", "");
    const json_t *local = json_object_get(t->local, name), *entry;
    size_t i;
    if (strcmp(name, t->emulator) == 0) {
        return true;
    }
    if (local == NULL) {
        return web_refuse(error, 422, "no_local_command",
                          "without a cluster the container '%.63s' of template %.63s needs a "
                          "command: local.%.63s.command",
                          name, t->name, name);
    }
    json_t *command = json_deep_copy(local), *env = json_object();
    json_array_foreach(json_object_get(container, "env"), i, entry)
    {
        (void)json_object_set(env, simctl_shape_text(entry, "name", ""),
                              json_object_get(entry, "value"));
    }
    (void)json_object_update(env, json_object_get(local, "env"));
    (void)json_object_set_new(command, "env", env);
    (void)json_object_set_new(command, "name", json_string(name));
    json_array_foreach(json_object_get(container, "args"), i, entry)
    {
        (void)json_array_append(json_object_get(command, "command"), (json_t *)entry);
    }
    (void)json_array_append_new(list, command);
    return true;
}

/* What runs beside the drone, the onboard software last. @return a new list; NULL: refused */
static json_t *commands_of(const struct simctl_template *t, const json_t *pod,
                           struct web_error *error)
{
    size_t i;
    const json_t *container, *spec = json_object_get(pod, "spec");
    json_t *list = json_array();
    bool good = true;
    json_array_foreach(json_object_get(spec, "initContainers"), i, container)
    {
        good = good && (!is_sidecar_list(container) || add_command(t, container, list, error));
    }
    json_array_foreach(json_object_get(spec, "containers"), i, container)
    {
        const bool last = strcmp(simctl_shape_text(container, "name", ""), t->onboard) == 0;
        good = good && (last || add_command(t, container, list, error));
    }
    if (good && t->onboard[0] != '\0') {
        good = add_command(t, simctl_container(pod, t->onboard), list, error);
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

#define ARGUMENTS_MAX 128u

/* The drone's command line: its container's arguments, then what it must have here. */
static void arguments(const struct simctl_local_site *site, const struct simctl_local_instance *x,
                      const struct simctl_template *t, const json_t *pod, char **argv,
                      char *lifetime)
{
    static char s_flag[][24] = {"exec", "--free-ports", "--udp-out=none", "--api=127.0.0.1:0",
                                "--log=json"};
    static char s_tcp[] = "--tcp=127.0.0.1:0", s_udp[] = "--udp=127.0.0.1:0", s_end[] = "--",
                s_run[] = "local-run";
    size_t i, n = 0;
    const json_t *argument;
    (void)snprintf(lifetime, 48, "--lifetime=%.3f",
                   x->extend ? x->lifetime_max_s : (double)(x->i.ends_us - x->i.asked_us) / 1e6);
    argv[n++] = (char *)site->mayfly;
    argv[n++] = x->onboard ? s_flag[0] : s_flag[1];
    json_array_foreach(json_object_get(simctl_container(pod, t->emulator), "args"), i, argument)
    {
        if (n < ARGUMENTS_MAX - 12 && json_is_string(argument)) {
            argv[n++] = (char *)json_string_value(argument);
        }
    }
    argv[n++] = s_tcp;
    argv[n++] = s_udp;
    argv[n++] = s_flag[2];
    argv[n++] = s_flag[3];
    argv[n++] = s_flag[4];
    argv[n++] = lifetime;
    if (x->onboard) {
        argv[n++] = s_end;
        argv[n++] = (char *)site->self;
        argv[n++] = s_run;
    }
}

bool simctl_local_begin(const struct simctl_local_site *site, struct simctl_local_instance *x,
                        const struct simctl_template *t, const json_t *pod, struct web_error *error)
{
    char log[SIMCTL_PATH_BYTES], run[SIMCTL_PATH_BYTES], folder[SIMCTL_PATH_BYTES], lifetime[48],
        line[96];
    char *argv[ARGUMENTS_MAX] = {NULL}, *environment[ENVIRONMENT_MAX] = {NULL};
    size_t n = 0;
    json_t *list = commands_of(t, pod, error);
    bool good = list != NULL;
    x->onboard = json_array_size(list) > 0;
    simctl_local_path(site, x->i.id, SIMCTL_EMULATOR_LOG, log);
    simctl_local_path(site, x->i.id, SIMCTL_RUN_FILE, run);
    simctl_local_path(site, x->i.id, "", folder);
    arguments(site, x, t, pod, argv, lifetime);
    if (x->onboard) {
        size_t end = 0;
        while (argv[end] != NULL) {
            end++;
        }
        argv[end] = folder;
    }
    (void)snprintf(line, sizeof line, SIMCTL_VARIABLE "=%s", x->i.id);
    add_own_environment(environment, &n);
    good = good && add_environment(simctl_container(pod, t->emulator), environment, &n, error);
    environment[n] = line;
    if (good && (json_dump_file(list, run, JSON_INDENT(1)) != 0 || !simctl_local_save(site, x))) {
        good = web_refuse(error, 507, "folder", "%.160s: %s", folder, strerror(errno));
    }
    if (good) {
        x->pid = simctl_spawn(argv, environment, log, true);
        x->child = x->pid > 0;
        good = x->child ||
               web_refuse(error, 500, "emulator", "%.160s: %s", site->mayfly, strerror(errno));
    }
    environment[n] = NULL;
    for (size_t i = 0; i < n; i++) {
        free(environment[i]);
    }
    json_decref(list);
    return good;
}
