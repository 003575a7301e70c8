/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_PATH_MAX (3u * MF_SCENARIO_FILE_MAX)
#define ARGUMENTS_MAX (2u * SWARM_SETS_MAX + 32u)
#define LINE_MAX_HERE 512u
#define RESULT        "result.csv"

/* What the runs of a sweep have in common. */
struct sweep {
    struct swarm *w;
    const struct swarm_command *c;
    uint32_t runs, seeds;
};

static void path_of(const struct sweep *s, uint32_t run, const char *name, char *path)
{
    (void)snprintf(path, FILE_PATH_MAX, "%s/run-%05u/%s", s->c->out, (unsigned)run, name);
}

static uint64_t seed_of(const struct sweep *s, uint32_t run)
{
    const struct mf_scenario *scenario = s->w->scenario;
    return scenario->sweep.seed[1] < 0.0 ? scenario->seed
                                         : (uint64_t)scenario->sweep.seed[0] + run % s->seeds;
}

/* ---- a run is a process */

/* Its command line. @param text  out [2]: seed, variation  @return how many words */
static void arguments(const struct sweep *s, uint32_t run, char text[2][32], const char **argument,
                      size_t n)
{
    (void)snprintf(text[0], sizeof text[0], "%" PRIu64, seed_of(s, run));
    argument[n++] = "--seed";
    argument[n++] = text[0];
    if (s->w->scenario->sweep.over != 0) {
        (void)snprintf(text[1], sizeof text[1], "%u", (unsigned)(run / s->seeds));
        argument[n++] = "--variation";
        argument[n++] = text[1];
    }
    for (size_t i = 0; i < s->c->given.sets; i++) {
        if (strncmp(s->c->given.set[i], "seed=", 5) != 0) {
            argument[n++] = "--set";
            argument[n++] = s->c->given.set[i];
        }
    }
    argument[n] = NULL;
}

_Noreturn static void become(const struct sweep *s, uint32_t run)
{
    char folder[FILE_PATH_MAX], result[FILE_PATH_MAX], log[FILE_PATH_MAX], text[2][32], threads[16];
    const char *argument[ARGUMENTS_MAX] = {"mayfly-swarm", s->c->file,  "--out",
                                           folder,         "--result",  result,
                                           "--quiet",      "--threads", threads};
    path_of(s, run, "", folder);
    path_of(s, run, RESULT, result);
    path_of(s, run, "output.txt", log);
    (void)snprintf(threads, sizeof threads, "%u", (unsigned)s->c->threads);
    arguments(s, run, text, argument, 9);
    (void)mkdir(folder, 0777);
    const int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0) {
        (void)execv("/proc/self/exe", (char *const *)argument);
    }
    (void)fprintf(stderr, "mayfly-swarm: %s: %s\n", log, strerror(errno));
    _exit(SWARM_INPUT);
}

static bool is_done(const struct sweep *s, uint32_t run)
{
    char path[FILE_PATH_MAX];
    path_of(s, run, RESULT, path);
    return access(path, R_OK) == 0;
}

/* One run ends. @return false: it could not run */
static bool reap(void)
{
    int status = 0;
    return wait(&status) >= 0 && WIFEXITED(status) && WEXITSTATUS(status) != SWARM_INPUT;
}

/* All that have no result, so many at once. */
static int run_all(const struct sweep *s, const volatile int *stop)
{
    uint32_t busy = 0;
    bool good = true;
    for (uint32_t run = 0; run < s->runs && good && !*stop; run++) {
        if (is_done(s, run)) {
            continue;
        }
        if (busy == s->c->jobs) {
            good = reap();
            busy--;
        }
        const pid_t child = good ? fork() : -1;
        if (child == 0) {
            become(s, run);
        }
        good = good && child > 0;
        busy += good ? 1u : 0u;
    }
    for (; busy > 0; busy--) {
        good = reap() && good;
    }
    if (*stop) {
        return SWARM_SIGNAL;
    }
    return good ? SWARM_OK : swarm_refuse(s->w, 1, "sweep: a run failed; what is complete is kept");
}

/* ---- merging */

/* The line of a run: variation, seed, code, ...  @return its exit code; < 0: it has none */
static int read_result(const struct sweep *s, uint32_t run, char *line)
{
    char path[FILE_PATH_MAX];
    path_of(s, run, RESULT, path);
    FILE *file = fopen(path, "re");
    const bool good = file != NULL && fgets(line, LINE_MAX_HERE, file) != NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    const char *code = good ? strchr(line, ',') : NULL;
    code = code != NULL ? strchr(code + 1, ',') : NULL;
    return code != NULL ? (int)strtol(code + 1, NULL, 10) : -1;
}

/* Lines of one run's file, with its number before each; the head of the first one is that of all.
 */
static bool append(const struct sweep *s, uint32_t run, const char *name, FILE *to)
{
    char path[FILE_PATH_MAX], *line = NULL;
    size_t room = 0;
    path_of(s, run, name, path);
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
        good = append(s, run, o->file, to);
    }
    good = fclose(to) == 0 && good;
    return good ? SWARM_OK : swarm_refuse(s->w, o->line, "sweep: %s is not complete", o->file);
}

/* The table of runs. @return the worst exit code of them; < 0: an error is set */
static int write_runs(const struct sweep *s, const char *path)
{
    char line[LINE_MAX_HERE];
    int worst = SWARM_OK;
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        (void)swarm_refuse(s->w, 1, "sweep: %s: %s", path, strerror(errno));
        return -1;
    }
    (void)fputs("run,variation,seed,code,members,finished,refused,frozen,simulated_s,hash\n", file);
    for (uint32_t run = 0; run < s->runs && worst >= 0; run++) {
        const int code = read_result(s, run, line);
        worst = code < 0 ? -1 : code > worst ? code : worst;
        if (code >= 0) {
            (void)fprintf(file, "%u,%s", (unsigned)run, line);
        }
    }
    if (fclose(file) != 0 || worst < 0) {
        (void)swarm_refuse(s->w, 1, "sweep: %s: a run has no result", path);
        return -1;
    }
    return worst;
}

static int merge(const struct sweep *s)
{
    char path[FILE_PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/runs.csv", s->c->out);
    const struct mf_scenario *scenario = s->w->scenario;
    const int worst = write_runs(s, path);
    if (worst < 0 || merge_file(s, &scenario->outputs.csv) != SWARM_OK ||
        merge_file(s, &scenario->outputs.events) != SWARM_OK) {
        return SWARM_INPUT;
    }
    (void)printf("sweep     %u runs, results in %s\n", (unsigned)s->runs, path);
    return worst;
}

int swarm_sweep(struct swarm *w, const struct swarm_command *c, const volatile int *stop)
{
    const struct mf_scenario *scenario = w->scenario;
    struct sweep s = {.w = w, .c = c, .seeds = 1};
    const uint32_t variations = scenario->sweep.over != 0 ? scenario->variations : 1u;
    if (c->given.variation != NULL || c->junit != NULL || c->result != NULL) {
        return swarm_refuse(w, 1, "sweep takes no --variation, --junit or --result");
    }
    if (variations == 0) {
        return swarm_refuse(w, 1, "sweep: over variations, but there are none");
    }
    if (scenario->sweep.seed[1] >= 0.0) {
        const double seeds = scenario->sweep.seed[1] - scenario->sweep.seed[0] + 1.0;
        if (!(seeds * variations <= SWARM_SWEEP_MAX)) {
            return swarm_refuse(w, 1, "sweep: more than %u runs", SWARM_SWEEP_MAX);
        }
        s.seeds = (uint32_t)seeds;
    }
    s.runs = variations * s.seeds;
    if (mkdir(c->out, 0777) != 0 && errno != EEXIST) {
        return swarm_refuse(w, 1, "--out %s: %s", c->out, strerror(errno));
    }
    const int result = run_all(&s, stop);
    return result == SWARM_OK ? merge(&s) : result;
}
