/* SPDX-License-Identifier: Apache-2.0 */
/* mayfly-swarm: a scenario file, thousands of drones in one process (docs/swarm.md). */
#include "boards/swarm/core/kept.h"
#include "boards/swarm/core/swarm.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/hosts/leaf.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/minds/mind_plugin.h"
#include "boards/swarm/page/page.h"
#include "boards/swarm/program/command.h"
#include "boards/swarm/program/convert.h"
#include "boards/swarm/program/fly.h"
#include "boards/swarm/program/menu.h"
#include "boards/swarm/program/plot.h"
#include "boards/swarm/program/read.h"
#include "boards/swarm/program/sweep.h"
#include "boards/swarm/program/systems.h"
#include "boards/swarm/search/search.h"
#include "boards/swarm/time/checkpoint.h"
#include "host/base/output.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

static volatile int s_stop;

static void on_stop_signal(int number)
{
    (void)number;
    s_stop = 1;
}

/* The write that met the limit fails, as on a full disk. A handler ends with exec, so that programs
 * which the swarm starts have the system's own. */
static void on_file_limit(int number)
{
    (void)number;
}

/* @return false: a person was asked which scenario of a folder, and none was chosen */
static bool find_scenario_file(struct swarm *w, struct swarm_command *c)
{
    struct stat is;
    (void)snprintf(w->file, sizeof w->file, "%s", c->file);
    if (stat(c->file, &is) != 0 || !S_ISDIR(is.st_mode)) {
        return true;
    }
    const char *folder = c->file;
    c->file = w->file;
    return swarm_menu(folder, w->file) == SWARM_OK;
}

static int join_root(struct swarm *w, struct swarm_command *c)
{
    w->systems = swarm_leaf_systems;
    const int result = swarm_leaf(w, c, &s_stop, swarm_read);
    if (result != SWARM_OK && w->error[0] != '\0') {
        (void)fprintf(stderr, "mayfly-swarm: %s\n", w->error);
    }
    return result;
}

/* --export-plans: the paths of a team, without a run. */
static int export_plans(struct swarm *w)
{
    int result = swarm_systems_do(w, SWARM_FIND);
    result = result == SWARM_OK ? swarm_systems_do(w, SWARM_PREPARE) : result;
    result = result == SWARM_OK ? swarm_search_export(w, w->command->export_plans) : result;
    swarm_systems_close(w, result);
    return result;
}

/* @param yaml  out: scenario of converted files, which the caller frees; NULL: a run */
static int read_any(struct swarm *w, struct swarm_command *c, char **yaml)
{
    if (c->json != NULL) {
        return swarm_convert(w, c, yaml);
    }
    return swarm_is_listing(c->file) ? swarm_read_listing(w, c) : swarm_read(w, c);
}

static int run_command_line(struct swarm *w, struct swarm_command *c, int argc, char **argv)
{
    w->command = c;
    w->hold.stop = &s_stop;
    if (swarm_command_read(c, argc, argv) != SWARM_OK) {
        return SWARM_INPUT;
    }
    (void)signal(SIGINT, on_stop_signal);
    (void)signal(SIGTERM, on_stop_signal);
    (void)signal(SIGXFSZ, on_file_limit);
    if (c->join != NULL) {
        return join_root(w, c);
    }
    if (c->json == NULL && !find_scenario_file(w, c)) {
        return SWARM_INPUT;
    }
    char *yaml = NULL;
    int result = read_any(w, c, &yaml);
    if (result == SWARM_OK) {
        w->systems = swarm_systems_of(w);
    }
    if (c->replay != NULL && w->scenario != NULL) {
        w->scenario->time.clock = MF_SCENARIO_CLOCK_FAST;
    }
    if (result == SWARM_OK && (c->checkpoint != NULL || c->resume != NULL)) {
        swarm_checkpoint_set_key(w);
    }
    if (result == SWARM_OK && c->sweep) {
        result = swarm_sweep(w, c, &s_stop);
    } else if (result == SWARM_OK && c->export_plans != NULL) {
        result = export_plans(w);
    } else if (result == SWARM_OK && !c->check) {
        result = swarm_fly(w);
    } else if (result == SWARM_OK) {
        result = swarm_check(w);
    }
    if (w->error[0] != '\0') {
        (void)fprintf(stderr, "mayfly-swarm: %s\n", w->error);
    }
    if (result == SWARM_OK && yaml != NULL) {
        swarm_convert_tell(yaml);
    }
    free(yaml);
    swarm_ghosts_free(w);
    swarm_mind_plugin_free(w);
    free(w->members.kind);
    if (w->scenario != NULL) {
        mf_scenario_free(w->scenario);
        free(w->scenario);
    }
    swarm_memory_free(w);
    return result;
}

int main(int argc, char **argv)
{
    static struct swarm s_swarm; /* a checkpoint holds its address, which is that of each process */
    struct swarm_command command;
    if (swarm_plot(argc, argv) != SWARM_OK) {
        return SWARM_INPUT;
    }
    mf_output_judge_stdout("mayfly-swarm");
    swarm_kept_begin(argc, argv);
    if (swarm_states_make(&s_swarm) == NULL) { /* for threads, too, that only exit() ends */
        (void)fprintf(stderr, "mayfly-swarm: no memory\n");
        return SWARM_INPUT;
    }
    return run_command_line(&s_swarm, &command, argc, argv);
}
