/* SPDX-License-Identifier: Apache-2.0 */
/* A run: stages of its systems, time, summary, exit code. main.c calls it. */
#include "boards/swarm/program/fly.h"

#include "boards/swarm/core/file.h"
#include "boards/swarm/core/kept.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/processes/patience.h"
#include "boards/swarm/program/summary.h"
#include "boards/swarm/time/checkpoint.h"
#include "boards/swarm/time/course.h"
#include "boards/swarm/time/run.h"
#include "host/base/output.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static int make_output_folder(struct swarm *w)
{
    if (w->command->out[0] != '\0' && mkdir(w->command->out, 0777) != 0 && errno != EEXIST) {
        return swarm_refuse(w, 1, "--out %s: %s%s", w->command->out, strerror(errno),
                            errno == ENOENT ? ": make the folder above it first" : "");
    }
    return w->command->out[0] == '\0' || mf_output_lock_folder(w->command->out, false)
               ? SWARM_OK
               : swarm_refuse(w, 1, "--out %s: another run writes there: give another folder",
                              w->command->out);
}

/* Members boot, or resume from a checkpoint. */
static int start_members(struct swarm *w)
{
    const struct swarm_command *c = w->command;
    const bool kept = c->checkpoint != NULL || c->resume != NULL;
    int result = kept ? swarm_systems_do(w, SWARM_KEEP) : SWARM_OK;
    result = result == SWARM_OK ? swarm_systems_do(w, SWARM_CONNECT) : result;
    result = result == SWARM_OK ? swarm_systems_do(w, SWARM_PREPARE) : result;
    if (result == SWARM_OK && c->resume != NULL) {
        result = swarm_checkpoint_read(w, c->resume);
    }
    result = result == SWARM_OK ? make_output_folder(w) : result;
    result = result == SWARM_OK ? swarm_systems_do(w, SWARM_OPEN) : result;
    return result == SWARM_OK && c->resume == NULL ? swarm_systems_do(w, SWARM_BOOT) : result;
}

/* Output files are complete, and all vehicles still fly. */
static int complete_outputs(struct swarm *w)
{
    if (!swarm_systems_complete(w)) {
        return w->error[0] != '\0' ? SWARM_INPUT : swarm_refuse_incomplete(w, 1);
    }
    if (swarm_count_frozen(w) > 0) {
        return SWARM_FROZEN;
    }
    return swarm_course_of(w)->interrupted ? SWARM_SIGNAL : SWARM_OK;
}

/* @param result  of time */
static int decide_exit_code(struct swarm *w, bool goes_on, int result)
{
    const int failed = swarm_systems_judge(w, goes_on);
    const int saved = goes_on ? swarm_checkpoint_write(w, w->command->checkpoint) : SWARM_OK;
    const int closed = complete_outputs(w);
    if (saved != SWARM_OK || failed < 0) {
        return SWARM_INPUT;
    }
    if (swarm_silence_of(w)->stops || swarm_systems_have_failed(w)) {
        return SWARM_FROZEN;
    }
    return closed != SWARM_OK ? closed : result != SWARM_OK || failed > 0 ? SWARM_FAILED : SWARM_OK;
}

static int run_scenario(struct swarm *w, double boot_s)
{
    const struct swarm_command *c = w->command;
    const double from_s = swarm_wall_s(), used_s = swarm_cpu_s();
    int result = swarm_run(w, c->progress);
    const bool goes_on = c->checkpoint != NULL && (swarm_course_of(w)->interrupted ||
                                                   swarm_course_of(w)->reached || isinf(c->at_s));
    swarm_systems_finish(w, goes_on);
    if (swarm_systems_have_refused(w)) {
        return SWARM_INPUT;
    }
    swarm_summary_print(w, &(struct swarm_took){.boot_s = boot_s,
                                                .wall_s = swarm_wall_s() - from_s,
                                                .cpu_s = swarm_cpu_s() - used_s});
    result = decide_exit_code(w, goes_on, result);
    if (c->checkpoint != NULL && !goes_on && result != SWARM_INPUT) {
        result = swarm_refuse(w, 1, "--at %g: the run ended at %.6f s", c->at_s,
                              (double)w->now_us / 1e6);
    }
    if (result != SWARM_INPUT) {
        swarm_files_print_written(w);
    }
    return c->result != NULL && result != SWARM_INPUT && result != SWARM_SIGNAL
               ? swarm_result_write(w, result)
               : result;
}

int swarm_fly(struct swarm *w)
{
    const double from_s = swarm_wall_s();
    if (mf_workers_start(&w->workers, w->command->threads) != MF_E_OK) {
        return swarm_refuse(w, 1, "--threads %u: cannot start so many threads",
                            w->command->threads);
    }
    int result = swarm_systems_do(w, SWARM_FIND);
    result = result == SWARM_OK ? start_members(w) : result;
    result = result == SWARM_OK ? run_scenario(w, swarm_wall_s() - from_s) : result;
    swarm_systems_close(w, result);
    swarm_kept_reclaim(w);
    mf_workers_stop(&w->workers);
    return result;
}

int swarm_check(struct swarm *w)
{
    int result = swarm_systems_do(w, SWARM_FIND);
    result = result == SWARM_OK ? swarm_systems_do(w, SWARM_CHECK) : result;
    result = result == SWARM_OK ? swarm_systems_do(w, SWARM_PREPARE) : result;
    result = result == SWARM_OK ? swarm_vehicles_check(w) : result;
    swarm_systems_close(w, result);
    return result;
}
