/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and checks a scenario, before a run opens anything. main.c calls it, and hosts/ on a leaf
 * when the root has sent the scenario. */
#include "boards/swarm/program/read.h"

#include "boards/swarm/members/plans.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/program/features.h"
#include "host/base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* @param text  NULL: the file cannot be read, as errno says */
static int read_scenario(struct swarm *w, const struct swarm_command *c, const char *text, size_t n)
{
    w->scenario = text != NULL ? calloc(1, sizeof *w->scenario) : NULL;
    if (w->scenario == NULL) {
        (void)snprintf(w->error, sizeof w->error, "%s: %s", c->file, strerror(errno));
        return SWARM_INPUT;
    }
    struct mf_scenario_given given = c->given;
    given.variation = c->sweep ? NULL : given.variation; /* a sweep's --variation is the number of
                                                          * a run */
    return mf_scenario_read(c->file, text, n, &given, w->scenario, w->error) == MF_E_OK
               ? SWARM_OK
               : SWARM_INPUT;
}

int swarm_read_check(struct swarm *w, const char *text, size_t n,
                     const struct mf_scenario_given *given)
{
    struct mf_scenario *scenario = malloc(sizeof *scenario);
    if (scenario == NULL) {
        return swarm_refuse(w, 1, "no memory");
    }
    const int result = mf_scenario_read(w->command->file, text, n, given, scenario, w->error);
    mf_scenario_free(scenario);
    free(scenario);
    return result == MF_E_OK ? SWARM_OK : SWARM_INPUT;
}

/* Check each variation, so that a sweep does not find an error in one of them after an hour.
 * swarm_read() skips it with --set, because a variation may lack the keys that --set changes. */
static int check_variations(struct swarm *w, const struct swarm_command *c)
{
    size_t n;
    char number[16];
    char *text = swarm_read_file(w, c->file, &n);
    int result = text != NULL ? SWARM_OK : swarm_refuse(w, 1, "no memory");
    for (uint32_t i = 0; i < w->scenario->variations && result == SWARM_OK; i++) {
        struct mf_scenario_given given = c->given;
        (void)snprintf(number, sizeof number, "%u", (unsigned)i);
        given.variation = number;
        result = swarm_read_check(w, text, n, &given);
        if (result != SWARM_OK) {
            const size_t used = strlen(w->error);
            (void)snprintf(w->error + used, sizeof w->error - used, " (--variation %u)",
                           (unsigned)i);
        }
    }
    free(text);
    return result;
}

/* Check that a file can be written, before the run whose end writes it.
 * @param path  NULL: not wanted */
static int check_output_file(struct swarm *w, const char *option, const char *path)
{
    if (mf_output_is_input(path)) {
        return swarm_refuse(w, 1, "%s %s: is an input of this run: write elsewhere", option, path);
    }
    FILE *file = path != NULL ? fopen(path, "ae") : NULL;
    return path == NULL || (file != NULL && fclose(file) == 0)
               ? SWARM_OK
               : swarm_refuse(w, 1, "%s %s: %s%s", option, path, strerror(errno),
                              errno == ENOENT ? ": make the folder above it first" : "");
}

/* Check the files of the command line. A run replaces a result and a checkpoint by renaming, so
 * these must not be inputs; a checkpoint may replace the one that the run resumes. */
static int check_output_files(struct swarm *w, const struct swarm_command *c)
{
    int result = SWARM_OK;
    swarm_inputs_keep(w);
    if (mf_output_is_input(c->result) || mf_output_is_input(c->checkpoint)) {
        const bool first = mf_output_is_input(c->result);
        result =
            swarm_refuse(w, 1, "%s %s: is an input of this run: write elsewhere",
                         first ? "--result" : "--checkpoint", first ? c->result : c->checkpoint);
    }
    mf_output_keep(c->replay);
    mf_output_keep(c->resume);
    result = result == SWARM_OK ? check_output_file(w, "--junit", c->junit) : result;
    return result == SWARM_OK ? check_output_file(w, "--profile", c->profile) : result;
}

/* Prepare a scenario that has been read, and check it with the options of the command. */
static int prepare_scenario(struct swarm *w, const struct swarm_command *c)
{
    int result = c->check || c->sweep ? SWARM_OK : check_output_files(w, c);
    result = result == SWARM_OK ? swarm_prepare(w) : result;
    if (result == SWARM_OK && c->steps && c->sweep) {
        result = swarm_refuse(w, 1, "--step: the runs of a sweep have no console");
    }
    return result == SWARM_OK ? swarm_features_check(w, c) : result;
}

int swarm_read_text(struct swarm *w, const struct swarm_command *c, const char *text, size_t n)
{
    const int result = read_scenario(w, c, text, n);
    return result == SWARM_OK ? prepare_scenario(w, c) : result;
}

int swarm_read(struct swarm *w, const struct swarm_command *c)
{
    size_t n = 0;
    char *text = swarm_read_file(w, c->file, &n);
    int result = read_scenario(w, c, text, n);
    free(text);
    if (result == SWARM_OK && c->check && c->given.variation == NULL && c->given.sets == 0) {
        result = check_variations(w, c);
    }
    return result == SWARM_OK ? prepare_scenario(w, c) : result;
}
