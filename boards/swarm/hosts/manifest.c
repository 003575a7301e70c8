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
        (void)swarm_refuse(w, 1, "%s: %s", name, text == NULL ? strerror(errno) : "is not a text");
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

/* Add a file that the scenario names, such as a plan; none if @p plan is empty. */
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

/* Add the file that a search reads; refuse plug-ins. */
static bool gather_search(struct swarm *w, struct manifest *m)
{
    if (w->scenario->plugins > 0) {
        (void)swarm_refuse(w, w->scenario->plugin[0].line,
                           "--kubernetes: a ConfigMap holds no shared objects: put %s into the "
                           "image, and run its jobs with --variation",
                           w->scenario->plugin[0].file);
        return false;
    }
    return add_plan(w, m, w->scenario->search.detection.file, w->scenario->search.detection.line);
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

/* Parts of the Job that are the same for each sweep. A node may have the image without a registry;
 * the volume for runs is written to, and the tools' image has user 65532. */
static const char k_container[] =
    "\"name\": \"run\", \"imagePullPolicy\": \"IfNotPresent\", \"command\": [\"mayfly-swarm\"],\n"
    "\"securityContext\": {\"allowPrivilegeEscalation\": false, \"readOnlyRootFilesystem\": true,\n"
    "  \"capabilities\": {\"drop\": [\"ALL\"]}},\n"
    "\"volumeMounts\": [\n"
    "  {\"name\": \"scenario\", \"mountPath\": \"/scenario\", \"readOnly\": true},\n"
    "  {\"name\": \"runs\", \"mountPath\": \"/runs\", \"readOnly\": false}]";
static const char k_pod[] =
    "\"restartPolicy\": \"Never\",\n"
    "\"securityContext\": {\"runAsNonRoot\": true, \"runAsUser\": 65532, \"fsGroup\": 65532,\n"
    "  \"seccompProfile\": {\"type\": \"RuntimeDefault\"}}";
/* A run whose pod was lost gets three attempts. One with bad input is not repeated. */
static const char k_retries[] =
    "\"backoffLimitPerIndex\": 3,\n"
    "\"podFailurePolicy\": {\"rules\": [{\"action\": \"FailIndex\",\n"
    "  \"onExitCodes\": {\"containerName\": \"run\", \"operator\": \"In\", \"values\": [2]}}]}";
_Static_assert(SWARM_INPUT == 2, "the exit code of bad input in k_retries");

static void write_container(struct mf_json *j, const struct manifest *m,
                            const struct swarm_command *c)
{
    mf_json_array(j, "containers");
    mf_json_object(j, NULL);
    mf_json_members(j, k_container, strlen(k_container));
    mf_json_text(j, "image", c->kubernetes);
    write_words(j, m, c);
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

static void write_job(struct mf_json *j, const struct manifest *m, const struct swarm_command *c,
                      uint32_t runs)
{
    begin_object(j, m, "batch/v1", "Job");
    mf_json_object(j, "spec");
    mf_json_integer(j, "completions", runs);
    mf_json_integer(j, "parallelism", c->jobs);
    mf_json_text(j, "completionMode", "Indexed");
    mf_json_members(j, k_retries, strlen(k_retries));
    mf_json_object(j, "template");
    mf_json_object(j, "spec");
    mf_json_members(j, k_pod, strlen(k_pod));
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
