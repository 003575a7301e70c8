/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/recording.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/local/local_instance.h"
#include "tools/simctl/local/local_run.h"
#include "tools/simctl/local/process.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_MAX   512u
#define LINES_BYTES 65536u

/* Texts for execve(): a list of pointers that ends with NULL, and what they point to. */
struct lines {
    char *line[LINES_MAX + 1u];
    size_t n, used;
    bool full;
    char text[LINES_BYTES];
};

/* The drone's command line, and its environment. */
struct launch {
    struct lines arguments, environment;
};

__attribute__((format(printf, 2, 3))) static void add(struct lines *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(l->text + l->used, LINES_BYTES - l->used, format, args);
    va_end(args);
    l->full = l->full || n < 0 || (size_t)n >= LINES_BYTES - l->used || l->n == LINES_MAX;
    if (!l->full) {
        l->line[l->n++] = l->text + l->used;
        l->used += (size_t)n + 1;
    }
}

/* Add the controller's variables without those of another drone or instance, then those of the
 * container. */
static bool add_environment(struct lines *l, const struct simctl_local_site *site, const char *id,
                            const json_t *container, struct web_error *error)
{
    size_t i;
    const json_t *entry;
    for (char **line = environ; *line != NULL; line++) {
        if (strncmp(*line, "MAYFLY_", 7) != 0 && strncmp(*line, "PX4_", 4) != 0 &&
            strncmp(*line, "SIMCTL_", 7) != 0) {
            add(l, "%s", *line);
        }
    }
    json_array_foreach(json_object_get(container, "env"), i, entry)
    {
        const char *name = simctl_shape_text(entry, "name", "");
        if (json_object_get(entry, "valueFrom") != NULL) {
            return web_refuse(error, 422, "value_from",
                              "%.60s comes from the cluster (valueFrom); here it needs a value",
                              name);
        }
        add(l, "%s=%s", name, simctl_shape_text(entry, "value", ""));
    }
    add(l, SIMCTL_VARIABLE "=%s", id);
    add(l, SIMCTL_FOLDER_VARIABLE "=%s/%s", site->folder, id);
    return !l->full || web_refuse(error, 422, "environment",
                                  "the environment is more than %u variables or %u bytes",
                                  LINES_MAX, LINES_BYTES);
}

/* Adds the command of one container other than the drone's. */
static bool add_command(const struct simctl_template *t, const json_t *pod, const json_t *container,
                        json_t *list, struct web_error *error)
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
    (void)json_object_set_new(command, "sidecar", json_boolean(simctl_is_sidecar(pod, name)));
    json_array_foreach(json_object_get(container, "args"), i, entry)
    {
        (void)json_array_append(json_object_get(command, "command"), (json_t *)entry);
    }
    (void)json_array_append_new(list, command);
    return true;
}

/* List the commands that run with the drone, the onboard software last. @return a new list; NULL:
 * refused */
static json_t *commands_of(const struct simctl_template *t, const json_t *pod,
                           struct web_error *error)
{
    size_t i;
    const json_t *container, *spec = json_object_get(pod, "spec");
    json_t *list = json_array();
    bool good = true;
    json_array_foreach(json_object_get(spec, "initContainers"), i, container)
    {
        const bool sidecar = simctl_is_sidecar(pod, simctl_shape_text(container, "name", ""));
        good = good && (!sidecar || add_command(t, pod, container, list, error));
    }
    json_array_foreach(json_object_get(spec, "containers"), i, container)
    {
        const bool last = strcmp(simctl_shape_text(container, "name", ""), t->onboard) == 0;
        good = good && (last || add_command(t, pod, container, list, error));
    }
    if (good && t->onboard[0] != '\0') {
        good = add_command(t, pod, simctl_container(pod, t->onboard), list, error);
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* An argument of the drone; a recording without a folder is made in the instance's. */
static void add_own(struct lines *l, const struct simctl_local_site *site, const char *id,
                    const char *text)
{
    static const char k_record[] = "--record=";
    const char *file = text + sizeof k_record - 1;
    if (strncmp(text, k_record, sizeof k_record - 1) == 0 && strchr(file, '/') == NULL) {
        add(l, "%s%s/%s/%s", k_record, site->folder, id, file);
    } else {
        add(l, "%s", text);
    }
}

/* Add the arguments of the drone's container, then those that this backend requires. */
static bool add_arguments(struct lines *l, const struct simctl_local_site *site,
                          const struct simctl_local_instance *x, const struct simctl_template *t,
                          const json_t *container, struct web_error *error)
{
    size_t i;
    const json_t *argument;
    const double lifetime_s =
        x->extend ? x->lifetime_max_s : (double)(x->i.ends_us - simctl_utc_us()) / 1e6;
    add(l, "%s", site->mayfly);
    add(l, "%s", x->onboard ? "exec" : "--free-ports");
    if (t->virtual_time) {
        add(l, "--virtual");
    }
    json_array_foreach(json_object_get(container, "args"), i, argument)
    {
        add_own(l, site, x->i.id, json_is_string(argument) ? json_string_value(argument) : "");
    }
    add(l, "--tcp=127.0.0.1:0");
    add(l, "--udp=127.0.0.1:0");
    add(l, "--udp-out=none");
    add(l, "--api=127.0.0.1:0");
    add(l, "--log=json");
    add(l, "--lifetime=%.3f", lifetime_s);
    if (x->extend) {
        add(l, "--lifetime-file=%s/%s/" SIMCTL_ENDS_FILE, site->folder, x->i.id);
    }
    if (t->recording_bytes > 0) {
        add(l, "--record=%s/%s/%s", site->folder, x->i.id, SIMCTL_RECORDING_FILE);
        add(l, "--record-max=%lld", (long long)t->recording_bytes);
    }
    if (t->geoid[0] != '\0') {
        add(l, "--geoid-fingerprint=%s", t->geoid);
    }
    if (x->onboard) {
        add(l, "--");
        add(l, "%s", site->self);
        add(l, "local-run");
        add(l, "%s/%s", site->folder, x->i.id);
    }
    return !l->full || web_refuse(error, 422, "arguments", "the drone has too many arguments");
}

bool simctl_local_begin(const struct simctl_local_site *site, struct simctl_local_instance *x,
                        const struct simctl_template *t, const json_t *pod, struct web_error *error)
{
    char log[SIMCTL_PATH_BYTES], run[SIMCTL_PATH_BYTES];
    const json_t *drone = simctl_container(pod, t->emulator);
    struct launch *launch = calloc(1, sizeof *launch);
    json_t *list = commands_of(t, pod, error);
    x->onboard = json_array_size(list) > 0;
    simctl_local_path(site, x->i.id, SIMCTL_EMULATOR_LOG, log);
    simctl_local_path(site, x->i.id, SIMCTL_RUN_FILE, run);
    bool good = launch != NULL && list != NULL &&
                add_environment(&launch->environment, site, x->i.id, drone, error) &&
                add_arguments(&launch->arguments, site, x, t, drone, error);
    if (good && (json_dump_file(list, run, JSON_INDENT(1)) != 0 || !simctl_local_save(site, x) ||
                 !simctl_local_save_end(site, x))) {
        good = web_refuse(error, 507, "folder", "%.160s: %s", run, strerror(errno));
    }
    if (good) {
        const pid_t pid = simctl_spawn(launch->arguments.line, launch->environment.line, log);
        x->child = pid > 0;
        x->drone.pid = x->child ? pid : 0;
        good = x->child ||
               web_refuse(error, 500, "emulator", "%.160s: %s", site->mayfly, strerror(errno));
    }
    json_decref(list);
    free(launch);
    return good || web_refuse(error, 500, "memory", "no memory");
}
