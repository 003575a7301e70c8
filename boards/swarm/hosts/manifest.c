/* SPDX-License-Identifier: Apache-2.0 */
/* Print a sweep as a Job of Kubernetes. program/sweep.c calls it. */
#include "boards/swarm/hosts/manifest.h"

#include "host/base/json.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX     (MF_SCENARIO_ENTITIES_MAX + 2u)
#define NAME_MAX_HERE 50
/* A ConfigMap has at most 1 MiB; escapes may take twice as much. */
#define CONFIG_BYTES_MAX ((size_t)1 << 20)
#define TEXT_BYTES_MAX   (CONFIG_BYTES_MAX * 2u + 65536u)
#define USER             65532 /* user of the tools' image */
#define TRIES            3     /* attempts for a run whose pod was lost */

struct manifest {
    char name[NAME_MAX_HERE + 8]; /* name of all objects */
    uint32_t files;
    char *path[FILES_MAX]; /* absolute paths; the first is that of the scenario */
    char *text[FILES_MAX];
    size_t common; /* length of the folder that all paths begin with, with its slash */
};

/* ---- the scenario and its plans */

static bool add_file(struct swarm *w, struct manifest *m, const char *name)
{
    size_t n = 0, all = 0;
    char *path = realpath(name, NULL);
    for (uint32_t i = 0; path != NULL && i < m->files; i++) {
        if (strcmp(m->path[i], path) == 0) {
            free(path);
            return true;
        }
    }
    char *text = path != NULL ? swarm_read_file(w, path, &n) : NULL;
    if (text == NULL || strlen(text) != n) {
        (void)swarm_refuse(w, 1, "%s: %s", name, text == NULL ? strerror(errno) : "is no text");
        free(text);
        free(path);
        return false;
    }
    m->path[m->files] = path;
    m->text[m->files++] = text;
    for (uint32_t i = 0; i < m->files; i++) {
        all += strlen(m->text[i]);
    }
    if (all > CONFIG_BYTES_MAX) {
        (void)swarm_refuse(w, 1, "the scenario and its plans are larger than a ConfigMap: 1 MiB");
    }
    return all <= CONFIG_BYTES_MAX;
}

/* Find the folder that has all files, so that paths relative to the scenario stay valid. */
static void find_common(struct manifest *m)
{
    const char *slash = strrchr(m->path[0], '/');
    MF_ASSERT(slash != NULL); /* realpath() returns an absolute path */
    m->common = (size_t)(slash - m->path[0]) + 1u;
    for (uint32_t i = 1; i < m->files; i++) {
        while (strncmp(m->path[0], m->path[i], m->common) != 0) {
            do {
                m->common--;
            } while (m->path[0][m->common - 1u] != '/');
        }
    }
}

/* Add the file that a search reads; refuse plug-ins. */
static bool gather_search(struct swarm *w, struct manifest *m)
{
    char path[3 * MF_SCENARIO_FILE_MAX];
    const char *table = w->scenario->search.detection.file;
    if (w->scenario->plugins > 0) {
        (void)swarm_refuse(w, w->scenario->plugin[0].line,
                           "--kubernetes: a ConfigMap holds no shared objects: put %s into the "
                           "image, and run its jobs with --variation",
                           w->scenario->plugin[0].file);
        return false;
    }
    if (table[0] == '/') {
        (void)swarm_refuse(w, w->scenario->search.detection.line,
                           "--kubernetes: %s is not beside the scenario", table);
        return false;
    }
    swarm_plan_path(w, table, path, sizeof path);
    return table[0] == '\0' || add_file(w, m, path);
}

static bool add_plan(struct swarm *w, struct manifest *m, const char *plan, int line)
{
    char path[3 * MF_SCENARIO_FILE_MAX];
    if (plan[0] == '/') {
        (void)swarm_refuse(w, line, "--kubernetes: %s is not beside the scenario", plan);
        return false;
    }
    swarm_plan_path(w, plan, path, sizeof path);
    return plan[0] == '\0' || add_file(w, m, path);
}

static bool gather_files(struct swarm *w, struct manifest *m)
{
    if (!add_file(w, m, w->file) || !gather_search(w, m)) {
        return false;
    }
    for (uint32_t i = 0; i < w->scenario->entities; i++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[i];
        if (!add_plan(w, m, e->plan, e->plan_line)) {
            return false;
        }
        for (uint32_t k = 0; k < e->arrivals.plans; k++) {
            if (!add_plan(w, m, e->arrivals.plan[k], e->arrivals.line)) {
                return false;
            }
        }
    }
    find_common(m);
    return true;
}

/* A name for objects of Kubernetes, by the scenario's file. */
static void set_name(struct manifest *m)
{
    const char *from = m->path[0] + strlen(m->path[0]);
    while (from[-1] != '/') {
        from--;
    }
    const size_t n = strcspn(from, ".");
    size_t at = (size_t)snprintf(m->name, sizeof m->name, "mayfly-");
    for (size_t i = 0; i < n && at < NAME_MAX_HERE; i++) {
        const char c = (char)tolower((unsigned char)from[i]);
        m->name[at++] = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
    }
    while (m->name[at - 1u] == '-') {
        at--;
    }
    m->name[at] = '\0';
}

/* ---- objects */

static void begin_object(struct mf_json *j, const struct manifest *m, const char *version,
                         const char *kind)
{
    mf_json_object(j, NULL);
    mf_json_text(j, "apiVersion", version);
    mf_json_text(j, "kind", kind);
    mf_json_object(j, "metadata");
    mf_json_text(j, "name", m->name);
    mf_json_end(j);
}

static void write_key(uint32_t file, char *key, size_t size)
{
    (void)snprintf(key, size, "file%u", (unsigned)file);
}

static void write_files(struct mf_json *j, const struct manifest *m)
{
    char key[16];
    begin_object(j, m, "v1", "ConfigMap");
    mf_json_object(j, "data");
    for (uint32_t i = 0; i < m->files; i++) {
        write_key(i, key, sizeof key);
        mf_json_text(j, key, m->text[i]);
    }
    mf_json_end(j);
    mf_json_end(j);
}

static void write_words(struct mf_json *j, const struct manifest *m, const struct swarm_command *c)
{
    char path[PATH_MAX], number[16];
    (void)snprintf(path, sizeof path, "/scenario/%s", m->path[0] + m->common);
    (void)snprintf(number, sizeof number, "%u", (unsigned)c->threads);
    const char *const words[] = {"sweep",     path,   "--out",       "/runs",
                                 "--threads", number, "--variation", "$(JOB_COMPLETION_INDEX)"};
    mf_json_array(j, "args");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        mf_json_text(j, NULL, words[i]);
    }
    for (size_t i = 0; i < c->given.sets; i++) {
        mf_json_text(j, NULL, "--set");
        mf_json_text(j, NULL, c->given.set[i]);
    }
    mf_json_end(j);
}

static void write_mount(struct mf_json *j, const char *name, const char *path, bool read_only)
{
    mf_json_object(j, NULL);
    mf_json_text(j, "name", name);
    mf_json_text(j, "mountPath", path);
    mf_json_bool(j, "readOnly", read_only);
    mf_json_end(j);
}

static void write_container(struct mf_json *j, const struct manifest *m,
                            const struct swarm_command *c)
{
    mf_json_array(j, "containers");
    mf_json_object(j, NULL);
    mf_json_text(j, "name", "run");
    mf_json_text(j, "image", c->kubernetes);
    /* a node may have the image without a registry */
    mf_json_text(j, "imagePullPolicy", "IfNotPresent");
    mf_json_array(j, "command");
    mf_json_text(j, NULL, "mayfly-swarm");
    mf_json_end(j);
    write_words(j, m, c);
    mf_json_object(j, "securityContext");
    mf_json_bool(j, "allowPrivilegeEscalation", false);
    mf_json_bool(j, "readOnlyRootFilesystem", true);
    mf_json_object(j, "capabilities");
    mf_json_array(j, "drop");
    mf_json_text(j, NULL, "ALL");
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_array(j, "volumeMounts");
    write_mount(j, "scenario", "/scenario", true);
    write_mount(j, "runs", "/runs", false);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
}

static void write_volumes(struct mf_json *j, const struct manifest *m)
{
    char key[16];
    mf_json_array(j, "volumes");
    mf_json_object(j, NULL);
    mf_json_text(j, "name", "scenario");
    mf_json_object(j, "configMap");
    mf_json_text(j, "name", m->name);
    mf_json_array(j, "items");
    for (uint32_t i = 0; i < m->files; i++) {
        write_key(i, key, sizeof key);
        mf_json_object(j, NULL);
        mf_json_text(j, "key", key);
        mf_json_text(j, "path", m->path[i] + m->common);
        mf_json_end(j);
    }
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_object(j, NULL);
    mf_json_text(j, "name", "runs");
    mf_json_object(j, "persistentVolumeClaim");
    mf_json_text(j, "claimName", m->name);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
}

/* Write the retries: a run with bad input is not repeated. */
static void write_retries(struct mf_json *j)
{
    mf_json_integer(j, "backoffLimitPerIndex", TRIES);
    mf_json_object(j, "podFailurePolicy");
    mf_json_array(j, "rules");
    mf_json_object(j, NULL);
    mf_json_text(j, "action", "FailIndex");
    mf_json_object(j, "onExitCodes");
    mf_json_text(j, "containerName", "run");
    mf_json_text(j, "operator", "In");
    mf_json_array(j, "values");
    mf_json_integer(j, NULL, SWARM_INPUT);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
}

static void write_job(struct mf_json *j, const struct manifest *m, const struct swarm_command *c,
                      uint32_t runs)
{
    begin_object(j, m, "batch/v1", "Job");
    mf_json_object(j, "spec");
    mf_json_integer(j, "completions", runs);
    mf_json_integer(j, "parallelism", c->jobs);
    mf_json_text(j, "completionMode", "Indexed");
    write_retries(j);
    mf_json_object(j, "template");
    mf_json_object(j, "spec");
    mf_json_text(j, "restartPolicy", "Never");
    mf_json_object(j, "securityContext");
    mf_json_bool(j, "runAsNonRoot", true);
    mf_json_integer(j, "runAsUser", USER);
    mf_json_integer(j, "fsGroup", USER);
    mf_json_object(j, "seccompProfile");
    mf_json_text(j, "type", "RuntimeDefault");
    mf_json_end(j);
    mf_json_end(j);
    write_container(j, m, c);
    write_volumes(j, m);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
}

static int print_manifest(struct swarm *w, const struct manifest *m, const struct swarm_command *c,
                          uint32_t runs)
{
    char *text = malloc(TEXT_BYTES_MAX);
    if (text == NULL) {
        return swarm_refuse(w, 1, "no memory");
    }
    struct mf_json j = mf_json_writer(text, TEXT_BYTES_MAX);
    j.pretty = true;
    mf_json_object(&j, NULL);
    mf_json_text(&j, "apiVersion", "v1");
    mf_json_text(&j, "kind", "List");
    mf_json_array(&j, "items");
    write_files(&j, m);
    write_job(&j, m, c, runs);
    mf_json_end(&j);
    mf_json_end(&j);
    const bool good = !j.full && fwrite(text, 1, j.len, stdout) == j.len;
    free(text);
    if (!good) {
        return swarm_refuse(w, 1, "--kubernetes: the manifest is too large, or stdout is closed");
    }
    (void)fputc('\n', stdout);
    return SWARM_OK;
}

int swarm_manifest(struct swarm *w, const struct swarm_command *c, uint32_t runs)
{
    struct manifest *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return swarm_refuse(w, 1, "no memory");
    }
    int result = SWARM_INPUT;
    if (gather_files(w, m)) {
        set_name(m);
        result = print_manifest(w, m, c, runs);
    }
    for (uint32_t i = 0; i < m->files; i++) {
        free(m->path[i]);
        free(m->text[i]);
    }
    free(m);
    return result;
}
