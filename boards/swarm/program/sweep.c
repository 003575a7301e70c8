/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a sweep: a process for each run, several at a time; then merges their files. main.c calls
 * it. */
#include "boards/swarm/program/sweep.h"

#include "boards/swarm/hosts/manifest.h"
#include "boards/swarm/members/plans.h"
#include "boards/swarm/program/means.h"
#include "boards/swarm/program/read.h"
#include "fleet/sweep.h"
#include "hal-sim/image.h"
#include "host/base/output.h"
#include "host/base/value.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_PATH_MAX (3u * MF_SCENARIO_FILE_MAX)
#define ARGUMENTS_MAX (2u * SWARM_SETS_MAX + 32u)
#define LINE_MAX_HERE 512u
#define RESULT        "result.csv"
#define SUM           "sweep.sum"

/* Data that the runs of a sweep share. */
struct sweep {
    struct swarm *w;
    const struct swarm_command *c;
    uint32_t runs;
};

static void run_path_of(const struct sweep *s, uint32_t run, const char *name, char *path)
{
    (void)snprintf(path, FILE_PATH_MAX, "%s/run-%05u/%s", s->c->out, (unsigned)run, name);
}

/* ---- owner of a folder */

/* Hash of the scenario's text and of --set: sweeps with the same hash have the same runs. */
static bool sum_up(const struct sweep *s, char sum[24])
{
    size_t n;
    char *text = swarm_read_file(s->w, s->c->file, &n);
    uint64_t all = text != NULL ? mf_image_sum(0, text, n) : 0;
    for (size_t i = 0; i < s->c->given.sets; i++) {
        all = mf_image_sum(all, s->c->given.set[i], strlen(s->c->given.set[i]));
    }
    (void)snprintf(sum, 24, "%016llx\n", (unsigned long long)all);
    free(text);
    return text != NULL;
}

/* True if a folder's hash is @p sum, or its line is not complete yet: pods of a Job start at once,
 * so another one may be writing it. */
static bool has_sum(const char *path, const char *sum)
{
    char found[24] = "";
    FILE *file = fopen(path, "re");
    const bool whole =
        file != NULL && fgets(found, sizeof found, file) != NULL && strchr(found, '\n') != NULL;
    return file != NULL && fclose(file) == 0 && (!whole || strcmp(found, sum) == 0);
}

/* Mark the output folder as this sweep's, or check the mark: a sweep must not use the results of
 * another. */
static int claim_folder(const struct sweep *s)
{
    char path[FILE_PATH_MAX], sum[24];
    (void)snprintf(path, sizeof path, "%s/" SUM, s->c->out);
    if (!sum_up(s, sum)) {
        return swarm_refuse(s->w, 1, "%s: %s", s->c->file, strerror(errno));
    }
    FILE *file = fopen(path, "wxe");
    if (file == NULL && errno == EEXIST) {
        return has_sum(path, sum)
                   ? SWARM_OK
                   : swarm_refuse(s->w, 1,
                                  "--out %s: has runs of another sweep (" SUM
                                  " differs): give another folder, or remove this one",
                                  s->c->out);
    }
    const bool written = file != NULL && fputs(sum, file) >= 0;
    return file != NULL && fclose(file) == 0 && written
               ? SWARM_OK
               : swarm_refuse(s->w, 1, "--out %s: %s", path, strerror(errno));
}

/* ---- runs, each a process */

/* Arguments by which a run differs from others. */
struct words {
    char variation[16];
    char set[MF_SCENARIO_RANGES_MAX][MF_YAML_KEY_MAX + MF_SCENARIO_VALUE_MAX];
};

/* True if the sweep sets the key of a --set. */
static bool is_swept(const struct mf_scenario *scenario, const char *set)
{
    for (uint32_t i = 0; i < scenario->sweep.ranges; i++) {
        const char *key = scenario->sweep.range[i].key;
        const size_t n = strlen(key);
        if (strncmp(set, key, n) == 0 && set[n] == '=') {
            return true;
        }
    }
    return false;
}

/* Values of a run: those of the command line, then those of the sweep, since later ones outrank
 * earlier ones.
 * @param set  out [SWARM_SETS_MAX], pointers into @p words and the command line
 * @return their number */
static size_t sets_of(const struct sweep *s, uint32_t run, struct words *words, const char **set)
{
    const struct mf_scenario *scenario = s->w->scenario;
    char value[MF_SCENARIO_VALUE_MAX];
    size_t n = 0;
    for (size_t i = 0; i < s->c->given.sets && n + scenario->sweep.ranges < SWARM_SETS_MAX; i++) {
        if (!is_swept(scenario, s->c->given.set[i])) {
            set[n++] = s->c->given.set[i];
        }
    }
    for (uint32_t i = 0; i < scenario->sweep.ranges; i++) {
        mf_sweep_value(scenario, run, i, value);
        (void)snprintf(words->set[i], sizeof words->set[i], "%s=%s", scenario->sweep.range[i].key,
                       value);
        set[n++] = words->set[i];
    }
    (void)snprintf(words->variation, sizeof words->variation, "%u",
                   (unsigned)mf_sweep_variation(scenario, run));
    return n;
}

static void fill_arguments(const struct sweep *s, uint32_t run, struct words *words,
                           const char **argument, size_t n)
{
    const char *set[SWARM_SETS_MAX];
    const size_t sets = sets_of(s, run, words, set);
    for (size_t i = 0; i < sets; i++) {
        argument[n++] = "--set";
        argument[n++] = set[i];
    }
    if (s->w->scenario->sweep.over != 0) {
        argument[n++] = "--variation";
        argument[n++] = words->variation;
    }
    argument[n] = NULL;
}

/* Read the scenario with the values of a run, so that a key that does not exist is one error of
 * the sweep, not an error of each run. */
static int check_run(const struct sweep *s, uint32_t run)
{
    struct words words;
    const char *set[SWARM_SETS_MAX];
    size_t n;
    char *text = swarm_read_file(s->w, s->c->file, &n);
    if (text == NULL) {
        return swarm_refuse(s->w, 1, "%s", strerror(errno));
    }
    const struct mf_scenario_given given = {
        .set = set,
        .sets = sets_of(s, run, &words, set),
        .variation = s->w->scenario->sweep.over != 0 ? words.variation : NULL};
    const int result = swarm_read_check(s->w, text, n, &given);
    free(text);
    return result;
}

_Noreturn static void become(const struct sweep *s, uint32_t run)
{
    char folder[FILE_PATH_MAX], result[FILE_PATH_MAX], log[FILE_PATH_MAX], threads[16];
    struct words words;
    const char *argument[ARGUMENTS_MAX] = {"mayfly-swarm", s->c->file,  "--out",
                                           folder,         "--result",  result,
                                           "--quiet",      "--threads", threads};
    run_path_of(s, run, "", folder);
    run_path_of(s, run, RESULT, result);
    run_path_of(s, run, "output.txt", log);
    (void)snprintf(threads, sizeof threads, "%u", (unsigned)s->c->threads);
    fill_arguments(s, run, &words, argument, 9);
    (void)mkdir(folder, 0777);
    const int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0) {
        (void)execv("/proc/self/exe", (char *const *)argument);
    }
    (void)fprintf(stderr, "mayfly-swarm: %s: %s\n", log, strerror(errno));
    _exit(SWARM_INPUT);
}

static bool is_run_done(const struct sweep *s, uint32_t run)
{
    char path[FILE_PATH_MAX];
    run_path_of(s, run, RESULT, path);
    return access(path, R_OK) == 0;
}

/* Runs of a range, while they run. */
struct range {
    uint32_t busy;        /* runs that processes run now */
    uint32_t ended, left; /* runs that have ended here, and those that have not */
    double from_s;        /* time of the wall at the beginning [s] */
    double line_s;        /* time of the wall at the last line of progress [s] */
};

/* Print a line of progress on stderr, once a second. */
static void write_progress(const struct sweep *s, struct range *r)
{
    const double now_s = swarm_wall_s();
    if (s->c->progress && now_s - r->line_s >= 1.0) {
        r->line_s = now_s;
        (void)fprintf(stderr, "%10u of %u runs", r->ended, r->ended + r->left);
        swarm_wall_end_progress((now_s - r->from_s) / (double)r->ended * (double)r->left);
    }
}

/* Wait for the end of a run. @return false: it could not run */
static bool reap_run(const struct sweep *s, struct range *r)
{
    int status = 0;
    const bool ran = wait(&status) >= 0 && WIFEXITED(status) && WEXITSTATUS(status) != SWARM_INPUT;
    r->busy--;
    r->ended++;
    r->left--;
    write_progress(s, r);
    return ran;
}

/* Number of runs of a range that lack a result. */
static uint32_t count_missing(const struct sweep *s, uint32_t from, uint32_t to)
{
    uint32_t count = 0;
    for (uint32_t run = from; run < to; run++) {
        count += is_run_done(s, run) ? 0u : 1u;
    }
    return count;
}

/* Run all runs of a range that lack a result, at most --jobs at a time. */
static int run_range(const struct sweep *s, uint32_t from, uint32_t to, const volatile int *stop)
{
    bool good = true;
    if (claim_folder(s) != SWARM_OK) {
        return SWARM_INPUT;
    }
    struct range r = {.left = count_missing(s, from, to), .from_s = swarm_wall_s()};
    r.line_s = r.from_s;
    for (uint32_t run = from; run < to && good && !*stop; run++) {
        if (is_run_done(s, run)) {
            continue;
        }
        good = r.busy < s->c->jobs || reap_run(s, &r);
        const pid_t child = good ? fork() : -1;
        if (child == 0) {
            become(s, run);
        }
        good = good && child > 0;
        r.busy += good ? 1u : 0u;
    }
    while (r.busy > 0) {
        good = reap_run(s, &r) && good;
    }
    if (*stop) {
        return SWARM_SIGNAL;
    }
    return good ? SWARM_OK : swarm_refuse(s->w, 1, "sweep: a run failed; what is complete is kept");
}

/* ---- merging */

/* Read a run's line: variation, seed, code, ...
 * @return the exit code; < 0: the run has not written its result */
static int read_result(const struct sweep *s, uint32_t run, char *line)
{
    char path[FILE_PATH_MAX];
    run_path_of(s, run, RESULT, path);
    line[0] = '\0';
    FILE *file = fopen(path, "re");
    const bool good = file != NULL && fgets(line, LINE_MAX_HERE, file) != NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    const char *code = good ? strchr(line, ',') : NULL;
    code = code != NULL ? strchr(code + 1, ',') : NULL;
    return code != NULL ? (int)strtol(code + 1, NULL, 10) : -1;
}

/* Append the lines of a run's file, each after the run's number. The head of the first run's file
 * becomes the head of all. */
static bool append_lines(const struct sweep *s, uint32_t run, const char *name, FILE *to)
{
    char path[FILE_PATH_MAX], *line = NULL;
    size_t room = 0;
    run_path_of(s, run, name, path);
    FILE *from = fopen(path, "re");
    for (bool head = true; from != NULL && getline(&line, &room, from) > 0; head = false) {
        if (!head) {
            (void)fprintf(to, "%u,%s", (unsigned)run, line);
        } else if (run == 0) {
            (void)fprintf(to, "run,%s", line);
        }
    }
    free(line);
    return from != NULL && fclose(from) == 0;
}

static int merge_file(const struct sweep *s, const struct mf_scenario_output *o)
{
    if (o->file[0] == '\0' || o->file[0] == '/') {
        return SWARM_OK;
    }
    FILE *to = swarm_open(s->w, o, 0);
    if (to == NULL) {
        return SWARM_INPUT;
    }
    bool good = true;
    for (uint32_t run = 0; run < s->runs && good; run++) {
        good = append_lines(s, run, o->file, to);
    }
    good = swarm_close(s->w, to) && good;
    return good ? SWARM_OK : swarm_refuse(s->w, o->line, "sweep: %s is not complete", o->file);
}

/* Write the heads of columns of swept keys, except the seed, which has a column already. */
static void write_keys(const struct sweep *s, FILE *file)
{
    const struct mf_scenario_sweep *sweep = &s->w->scenario->sweep;
    for (uint32_t i = 0; i < sweep->ranges; i++) {
        if (strcmp(sweep->range[i].key, "seed") != 0) {
            (void)fprintf(file, ",%s", sweep->range[i].key);
        }
    }
    (void)fputc('\n', file);
}

static void write_values(const struct sweep *s, uint32_t run, FILE *file)
{
    const struct mf_scenario_sweep *sweep = &s->w->scenario->sweep;
    char value[MF_SCENARIO_VALUE_MAX];
    for (uint32_t i = 0; i < sweep->ranges; i++) {
        if (strcmp(sweep->range[i].key, "seed") != 0) {
            mf_sweep_value(s->w->scenario, run, i, value);
            (void)fprintf(file, ",%s", value);
        }
    }
    (void)fputc('\n', file);
}

/* Write the table of runs. @return the worst exit code of them; < 0: an error is set */
static int write_runs(const struct sweep *s, const char *path)
{
    char line[LINE_MAX_HERE];
    int worst = SWARM_OK;
    const char *why;
    FILE *file = mf_output_stream(path, &why);
    if (file == NULL) {
        (void)swarm_refuse(s->w, 1, "sweep: %s: %s", path, why);
        return -1;
    }
    (void)fputs("run,variation,seed,code,members,finished,refused,frozen,simulated_s,hash", file);
    write_keys(s, file);
    uint32_t run = 0;
    for (; run < s->runs && worst >= 0; run++) {
        const int code = read_result(s, run, line);
        worst = code < 0 ? -1 : code > worst ? code : worst;
        line[strcspn(line, "\n")] = '\0';
        (void)fprintf(file, "%u,%s", (unsigned)run, line);
        write_values(s, run, file);
    }
    if (!swarm_close(s->w, file) || worst < 0) {
        (void)swarm_refuse(s->w, 1, "sweep: %s: run %u has no result", path, (unsigned)run - 1u);
        return -1;
    }
    return worst;
}

static int merge_runs(const struct sweep *s)
{
    char path[FILE_PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/runs.csv", s->c->out);
    const struct mf_scenario *scenario = s->w->scenario;
    const int worst = write_runs(s, path);
    if (worst < 0 || merge_file(s, &scenario->outputs.csv) != SWARM_OK ||
        merge_file(s, &scenario->outputs.events) != SWARM_OK ||
        merge_file(s, &scenario->outputs.stats) != SWARM_OK ||
        merge_file(s, &scenario->outputs.counts) != SWARM_OK ||
        merge_file(s, &scenario->outputs.detections) != SWARM_OK ||
        merge_file(s, &scenario->outputs.tasks) != SWARM_OK ||
        swarm_means(s->w, s->c->out) != SWARM_OK) {
        return SWARM_INPUT;
    }
    (void)printf("sweep     %u runs, results in %s\n", (unsigned)s->runs, path);
    swarm_files_print_written(s->w);
    return worst;
}

/* Run one run by its number, for a pod of an Indexed Job. Its exit code is in its result. */
static int run_one(const struct sweep *s, const volatile int *stop)
{
    double number = -1.0;
    const char *end = mf_value_number(s->c->given.variation, &number);
    if (end == NULL || *end != '\0' || floor(number) != number || !(number >= 0.0) ||
        !(number < (double)s->runs)) {
        return swarm_refuse(s->w, 1, "sweep --variation %s is not a run from 0 to %u",
                            s->c->given.variation, (unsigned)s->runs - 1u);
    }
    return run_range(s, (uint32_t)number, (uint32_t)number + 1u, stop);
}

/* Check that each run starts its own leaves: an operator cannot join leaves to each run. */
static int check_hosts(struct swarm *w)
{
    const struct mf_scenario_hosts *h = &w->scenario->hosts;
    const bool joined = h->listen[0] != '\0' || h->leaves > h->start || h->start == 0;
    return mf_scenario_has_hosts(h) && joined
               ? swarm_refuse(w, h->line,
                              "hosts: each run of a sweep starts its own leaves: give start, and "
                              "leave out listen and leaves")
               : SWARM_OK;
}

/* Lock the output folder. Sweeps that run a single run may share it. */
static int lock_sweep_folder(const struct sweep *s)
{
    return mf_output_lock_folder(s->c->out, s->c->given.variation != NULL)
               ? SWARM_OK
               : swarm_refuse(s->w, 1, "--out %s: another sweep writes there: wait for its end",
                              s->c->out);
}

int swarm_sweep(struct swarm *w, const struct swarm_command *c, const volatile int *stop)
{
    const struct sweep s = {.w = w, .c = c, .runs = mf_sweep_runs(w->scenario)};
    if (c->junit != NULL || c->result != NULL) {
        return swarm_refuse(w, 1, "sweep takes no --junit or --result");
    }
    if (check_hosts(w) != SWARM_OK || check_run(&s, 0) != SWARM_OK ||
        check_run(&s, s.runs - 1u) != SWARM_OK) {
        return SWARM_INPUT;
    }
    if (c->kubernetes != NULL) {
        return swarm_manifest(w, c, s.runs);
    }
    swarm_inputs_keep(w);
    if (c->merge) {
        return lock_sweep_folder(&s) == SWARM_OK ? merge_runs(&s) : SWARM_INPUT;
    }
    if (mkdir(c->out, 0777) != 0 && errno != EEXIST) {
        return swarm_refuse(w, 1, "--out %s: %s%s", c->out, strerror(errno),
                            errno == ENOENT ? ": make the folder above it first" : "");
    }
    if (lock_sweep_folder(&s) != SWARM_OK) {
        return SWARM_INPUT;
    }
    if (c->given.variation != NULL) {
        return run_one(&s, stop);
    }
    const int result = run_range(&s, 0, s.runs, stop);
    return result == SWARM_OK ? merge_runs(&s) : result;
}
