/* SPDX-License-Identifier: Apache-2.0 */
/* A scenario is read and checked, before anything of it opens. main.c calls it, and a leaf when its
 * root has sent the scenario. */
#include "boards/swarm/program/read.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/members/plans.h"
#include "boards/swarm/members/vehicles.h"
#include "host/base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* All of it gets defaults, which is half of a start in small pages. @return NULL without memory */
static struct mf_scenario *new_scenario(void)
{
    const size_t large = 2u << 20;
    void *s = NULL;
    if (posix_memalign(&s, large, sizeof(struct mf_scenario)) != 0) {
        return NULL;
    }
    (void)madvise(s, sizeof(struct mf_scenario) / large * large, MADV_HUGEPAGE);
    return s;
}

static int read_scenario(struct swarm *w, const struct swarm_command *c)
{
    size_t n;
    char *text = swarm_read_file(w, c->file, &n);
    w->scenario = new_scenario();
    if (text == NULL || w->scenario == NULL) {
        (void)snprintf(w->error, sizeof w->error, "%s: %s", c->file, strerror(errno));
        free(text);
        return SWARM_INPUT;
    }
    struct mf_scenario_given given = c->given;
    given.variation = c->sweep ? NULL : given.variation; /* of a sweep it is the number of a run */
    const int result = mf_scenario_read(c->file, text, n, &given, w->scenario, w->error);
    free(text);
    return result == MF_E_OK ? SWARM_OK : SWARM_INPUT;
}

/* Check each variation: a sweep must not find the error of one after an hour. What --set
 * changes may be what a variation does without, so it is checked with the variation that is named.
 */
static int check_variations(struct swarm *w, const struct swarm_command *c)
{
    size_t n;
    char number[16];
    char *text = swarm_read_file(w, c->file, &n);
    struct mf_scenario *scenario = malloc(sizeof *scenario);
    int result = text != NULL && scenario != NULL ? SWARM_OK : swarm_refuse(w, 1, "no memory");
    for (uint32_t i = 0; i < w->scenario->variations && result == SWARM_OK; i++) {
        struct mf_scenario_given given = c->given;
        (void)snprintf(number, sizeof number, "%u", (unsigned)i);
        given.variation = number;
        if (mf_scenario_read(c->file, text, n, &given, scenario, w->error) != MF_E_OK) {
            const size_t used = strlen(w->error);
            (void)snprintf(w->error + used, sizeof w->error - used, " (--variation %u)",
                           (unsigned)i);
            result = SWARM_INPUT;
        }
    }
    free(text);
    free(scenario);
    return result;
}

/* A file that is written at the end: a path that takes nothing is refused before the run. */
static int check_file(struct swarm *w, const char *option, const char *path)
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

/* A result and a checkpoint are renamed to their paths. A checkpoint may replace the one that
 * the run goes on from. */
static int check_outputs(struct swarm *w, const struct swarm_command *c)
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
    result = result == SWARM_OK ? check_file(w, "--junit", c->junit) : result;
    return result == SWARM_OK ? check_file(w, "--profile", c->profile) : result;
}

int swarm_read(struct swarm *w, const struct swarm_command *c)
{
    int result = read_scenario(w, c);
    if (result == SWARM_OK && c->check && c->given.variation == NULL && c->given.sets == 0) {
        result = check_variations(w, c);
    }
    if (result == SWARM_OK && !c->check && !c->sweep) {
        result = check_outputs(w, c);
    }
    result = result == SWARM_OK ? swarm_prepare(w) : result;
    if (result == SWARM_OK && c->replay != NULL && swarm_goes_by_steps(w) &&
        swarm_first_ghost(w->scenario) == NULL) {
        result = swarm_refuse(
            w, 1,
            "--replay %s: a search, or a world of cells without ghosts, has nothing to replay",
            c->replay);
    }
    if (result == SWARM_OK && c->steps && (c->sweep || !swarm_goes_by_steps(w))) {
        result = swarm_refuse(w, 1,
                              "--step: only a world of cells or a search goes step by step; "
                              "POST /v1/clock of links.api holds and steps every run");
    }
    if (result == SWARM_OK && mf_scenario_has_hosts(&w->scenario->hosts) &&
        swarm_goes_by_steps(w)) {
        result =
            swarm_refuse(w, w->scenario->hosts.line,
                         "hosts: cells and searches cannot be spread over several processes yet");
    }
    return result;
}
