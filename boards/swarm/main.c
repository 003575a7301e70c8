/* SPDX-License-Identifier: Apache-2.0 */
/* mayfly-swarm: a scenario file, thousands of drones in one process (docs/swarm.md). */
#include "boards/swarm/api/api.h"
#include "boards/swarm/cells/grid.h"
#include "boards/swarm/core/kept.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/hosts/hosts.h"
#include "boards/swarm/hosts/leaf.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/links/listener.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/body_own.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/plans.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/minds/heard.h"
#include "boards/swarm/minds/hive.h"
#include "boards/swarm/minds/mind_own.h"
#include "boards/swarm/output/expect.h"
#include "boards/swarm/output/outputs.h"
#include "boards/swarm/output/pictures.h"
#include "boards/swarm/output/taps.h"
#include "boards/swarm/outside/bus.h"
#include "boards/swarm/outside/bus_world.h"
#include "boards/swarm/outside/components.h"
#include "boards/swarm/outside/foreigns.h"
#include "boards/swarm/outside/gzuav.h"
#include "boards/swarm/outside/participants.h"
#include "boards/swarm/outside/processes.h"
#include "boards/swarm/page/page.h"
#include "boards/swarm/program/command.h"
#include "boards/swarm/program/compare.h"
#include "boards/swarm/program/menu.h"
#include "boards/swarm/program/sweep.h"
#include "boards/swarm/radio/flows.h"
#include "boards/swarm/radio/network_outside.h"
#include "boards/swarm/radio/radio.h"
#include "boards/swarm/radio/radio_own.h"
#include "boards/swarm/radio/sockets.h"
#include "boards/swarm/search/search.h"
#include "boards/swarm/space/contacts.h"
#include "boards/swarm/space/sense_links.h"
#include "boards/swarm/space/sense_own.h"
#include "boards/swarm/space/world_own.h"
#include "boards/swarm/time/checkpoint.h"
#include "boards/swarm/time/control.h"
#include "boards/swarm/time/run.h"
#include "fleet/listing.h"
#include "host/base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

static volatile int s_stop;

static void on_signal(int number)
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

/* ---- errors and files */

/* ---- the summary */

static double cpu_s(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* How many missions there are, and how many are complete. */
static void count_missions(const struct swarm *w, uint32_t *all, uint32_t *finished)
{
    *all = *finished = 0;
    if (swarm_searches(w) || swarm_has_cells(w)) {
        return;
    }
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
        const bool flies =
            e->plan[0] != '\0' || (mf_scenario_arrives(e) && swarm_arrived_us(w, i) <= w->now_us);
        *all += flies ? 1u : 0u;
        *finished += swarm_state(w, i).finished ? 1u : 0u;
    }
}

/* Under its name only when it is complete: a sweep goes by that. */
static int write_result(struct swarm *w, const char *path, int code)
{
    const struct mf_scenario *s = w->scenario;
    char part[4 * MF_SCENARIO_FILE_MAX];
    uint32_t all, finished;
    mf_output_draft(path, part, sizeof part);
    FILE *file = fopen(part, "we");
    count_missions(w, &all, &finished);
    if (file != NULL) {
        (void)fprintf(file, "%s,%" PRIu64 ",%d,%u,%u,%u,%u,%.6f,%016" PRIx64 "\n", s->variation,
                      s->seed, code, s->members, finished, w->refused,
                      w->crowd != NULL ? swarm_frozen(w) : 0u, (double)w->now_us / 1e6,
                      swarm_searches(w) || swarm_has_cells(w) ? w->hash : swarm_digest(w));
    }
    if (file == NULL || !swarm_close(file) || !mf_output_place(part, path)) {
        return swarm_refuse(w, 1, "--result %s: %s", path, strerror(errno));
    }
    return code;
}

/* Members that can fly. */
static uint32_t count_flyers(const struct mf_scenario *s)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->entities; k++) {
        count += s->entity[k].as != MF_SCENARIO_KIND_THING ? s->entity[k].count : 0;
    }
    return count;
}

static void tell_summary(const struct swarm *w, double boot_s, double wall_s, double used_s)
{
    const struct mf_scenario *s = w->scenario;
    const double now_s = (double)w->now_us / 1e6;
    const double simulated_s = now_s - (w->resumed_us > 0 ? (double)w->resumed_us / 1e6 : 0.0);
    const uint64_t steps = swarm_steps(w);
    uint32_t with_plan, finished;
    count_missions(w, &with_plan, &finished);
    (void)printf("scenario  %s%s%s, seed %" PRIu64 "%s\n", w->file,
                 s->variation[0] != '\0' ? ", variation " : "", s->variation, s->seed,
                 w->interrupted ? ", ended by a signal" : "");
    (void)printf("vehicles  %u, %u of %u missions finished, %u refused, %u frozen\n",
                 count_flyers(s), finished, with_plan, w->refused, swarm_frozen(w));
    (void)printf(
        "time      %.6f s simulated in %.3f s: x%.1f; %.3f s of processors, booted in %.3f s\n",
        now_s, wall_s, simulated_s / fmax(wall_s, 1e-6), used_s, boot_s);
    if (s->time.clock == MF_SCENARIO_CLOCK_REAL) {
        (void)printf("lateness  %.3f s at most; %.3f %% of %" PRIu64 " instants within 20 ms\n",
                     w->late_s, 100.0 * (double)w->punctual / fmax((double)w->instants, 1.0),
                     w->instants);
    }
    (void)printf("steps     %" PRIu64 ", %.0f a second\n", steps,
                 (double)steps / fmax(wall_s, 1e-6));
    swarm_arrivals_tell(w);
    swarm_radio_tell(w);
    swarm_network_tell(w);
    swarm_contacts_tell(w);
    swarm_sense_links_sum(w);
    swarm_hive_tell(w);
    swarm_heard_tell(w);
    swarm_ghosts_tell(w);
    swarm_foreigns_tell(w);
    swarm_components_tell(w);
    swarm_hosts_tell(w);
    swarm_costs_print_summary(&w->costs);
    (void)printf("memory    %.1f MB\n", swarm_resident_mb());
    (void)printf("hash      %016" PRIx64 "\n", swarm_digest(w));
}

/* ---- the run */

static int close_outputs(struct swarm *w)
{
    static bool (*const k_close[])(struct swarm *) = {
        swarm_taps_close,     swarm_outputs_close, swarm_radio_close,
        swarm_contacts_close, swarm_hive_close,    swarm_senses_close,
        swarm_costs_close,    swarm_trace_close,   swarm_ghosts_close};
    bool written = true;
    for (size_t k = 0; k < sizeof k_close / sizeof k_close[0]; k++) {
        written = k_close[k](w) && written;
    }
    if (!written) {
        return swarm_refuse(w, 1, "outputs: a file took not all of it");
    }
    if (swarm_frozen(w) > 0) {
        return SWARM_FROZEN;
    }
    return w->interrupted ? SWARM_SIGNAL : SWARM_OK;
}

/* Another process goes on; whoever comes to the end judges. */
static int leave(struct swarm *w, const struct swarm_command *c)
{
    const int result = swarm_checkpoint_write(w, c->checkpoint);
    const int closed = close_outputs(w);
    return result == SWARM_OK ? closed : result;
}

static int judge(struct swarm *w, const struct swarm_command *c, int result)
{
    const int failed = swarm_expect_tell(w, c->junit);
    const int closed = close_outputs(w);
    if (failed < 0 || closed != SWARM_OK) {
        return failed < 0 ? SWARM_INPUT : closed;
    }
    return result != SWARM_OK || failed > 0 || w->refused > 0 || swarm_ghosts_lost(w) > 0 ||
                   swarm_hosts_losses(w) > 0
               ? SWARM_FAILED
               : SWARM_OK;
}

static int make_folder(struct swarm *w)
{
    if (w->out[0] != '\0' && mkdir(w->out, 0777) != 0 && errno != EEXIST) {
        return swarm_refuse(w, 1, "--out %s: %s%s", w->out, strerror(errno),
                            errno == ENOENT ? ": make the folder above it first" : "");
    }
    return w->out[0] == '\0' || mf_output_lock_folder(w->out, false)
               ? SWARM_OK
               : swarm_refuse(w, 1, "--out %s: another run writes there: give another folder",
                              w->out);
}

static int open_files(struct swarm *w)
{
    int result = make_folder(w);
    result = result == SWARM_OK ? swarm_outputs_open(w) : result;
    result = result == SWARM_OK ? swarm_radio_open(w) : result;
    result = result == SWARM_OK ? swarm_contacts_open(w) : result;
    result = result == SWARM_OK ? swarm_hive_open(w) : result;
    result = result == SWARM_OK ? swarm_senses_open(w) : result;
    return result == SWARM_OK ? swarm_taps_open(w) : result;
}

/* Whoever takes part from outside; nobody does in a replay. */
static int let_in(struct swarm *w, const struct swarm_command *c)
{
    const char *server = c->time_server;
    int result = swarm_processes_prepare(w, &server);
    result = result == SWARM_OK ? swarm_sockets_open(w) : result;
    result = result == SWARM_OK ? swarm_control_open(w, c->time_socket, server) : result;
    result = result == SWARM_OK ? swarm_bus_open(w, &s_stop) : result;
    result = result == SWARM_OK ? swarm_page_open(w) : result;
    result = result == SWARM_OK ? swarm_links_open(w) : result;
    result = result == SWARM_OK ? swarm_api_open(w) : result;
    result = result == SWARM_OK ? swarm_flows_open(w) : result;
    result = result == SWARM_OK ? swarm_outside_open(w, &s_stop) : result;
    result = result == SWARM_OK ? swarm_foreigns_open(w, &s_stop) : result;
    return result == SWARM_OK ? swarm_gzuav_open(w, &s_stop) : result;
}

/* Whoever is outside is in no checkpoint. @return SWARM_OK, or SWARM_INPUT with an error */
static int check_checkpoint(struct swarm *w, const struct swarm_command *c)
{
    const struct mf_scenario_entity *ghost = swarm_first_ghost(w->scenario);
    const struct mf_scenario_entity *body = swarm_first_foreign(w->scenario);
    const bool wanted = c->checkpoint != NULL || c->resume != NULL;
    if (ghost != NULL && wanted) {
        return swarm_refuse(w, ghost->line,
                            "%s: ghosts fly in other processes, which no checkpoint can hold or "
                            "take back",
                            ghost->name);
    }
    if (body != NULL && (wanted || w->replay != NULL)) {
        return swarm_refuse(w, body->line,
                            "%s: its autopilot runs in another process, which no checkpoint and "
                            "no recording of ghosts can hold",
                            body->name);
    }
    if (w->scenario->components > 0 && wanted) {
        return swarm_refuse(w, w->scenario->component[0].line,
                            "components: a checkpoint has no programs; take them out of the run");
    }
    if (w->scenario->bus.listen[0] != '\0' && wanted) {
        return swarm_refuse(w, w->scenario->bus.line,
                            "bus: a checkpoint has no connections; take the bus out of the run");
    }
    return w->scenario->flows == 0 || !wanted
               ? SWARM_OK
               : swarm_refuse(w, w->scenario->flow[0].line,
                              "flows: a checkpoint has no connections; take them out of the run");
}

/* The vehicles boot, or go on from a checkpoint. */
static int come_to_life(struct swarm *w, const struct swarm_command *c)
{
    if (check_checkpoint(w, c) != SWARM_OK) {
        return SWARM_INPUT;
    }
    int result = swarm_trace_open(w, c->trace);
    if (result == SWARM_OK) {
        result = w->replay == NULL ? let_in(w, c) : swarm_control_open(w, NULL, NULL);
    }
    result = result == SWARM_OK ? swarm_hosts_open(w, c, &s_stop) : result;
    result = result == SWARM_OK ? swarm_reserve(w) : result;
    if (result == SWARM_OK && c->resume != NULL) {
        result = swarm_checkpoint_read(w, c->resume);
        return result == SWARM_OK ? open_files(w) : result;
    }
    result = result == SWARM_OK ? open_files(w) : result;
    result = result == SWARM_OK ? swarm_components_open(w) : result;
    result = result == SWARM_OK ? swarm_boot(w) : result;
    return result == SWARM_OK ? swarm_processes_start(w) : result;
}

static int fly(struct swarm *w, const struct swarm_command *c)
{
    const double begin_s = swarm_wall_s();
    if (mf_workers_start(&w->workers, c->threads) != MF_E_OK) {
        return swarm_refuse(w, 1, "--threads %u: the system gives no more", c->threads);
    }
    int result = come_to_life(w, c);
    if (result == SWARM_OK) {
        result = swarm_costs_begin(w, c->profile);
    }
    if (result == SWARM_OK) {
        const double booted_s = swarm_wall_s(), used_s = cpu_s();
        result = swarm_run(w, &s_stop, c->progress);
        const bool goes_on =
            c->checkpoint != NULL && (w->interrupted || w->reached || isinf(c->at_s));
        if (!goes_on) {
            mf_crowd_end(w->crowd);
        } else if (w->links != NULL) {
            swarm_links_leave(w);
        }
        swarm_components_close(w);
        tell_summary(w, booted_s - begin_s, swarm_wall_s() - booted_s, cpu_s() - used_s);
        const bool good = swarm_processes_end(w);
        result = goes_on ? leave(w, c) : judge(w, c, result);
        result = result == SWARM_OK && !good ? SWARM_FAILED : result;
        result = w->silent_stop || swarm_bus_world_failed(w) || swarm_gzuav_failed(w) ||
                         swarm_outside_failed(w) || swarm_foreigns_failed(w)
                     ? SWARM_FROZEN
                     : result;
        if (c->checkpoint != NULL && !goes_on && result != SWARM_INPUT) {
            result = swarm_refuse(w, 1, "--at %g: the run ended at %.6f s", c->at_s,
                                  (double)w->now_us / 1e6);
        }
        if (c->result != NULL && result != SWARM_INPUT && result != SWARM_SIGNAL) {
            result = write_result(w, c->result, result);
        }
    }
    (void)swarm_processes_end(w);
    swarm_bus_close(w, result);
    swarm_gzuav_close(w);
    swarm_foreigns_close(w);
    swarm_page_close(w, result);
    swarm_outside_close(w, result);
    swarm_flows_close(w);
    swarm_sockets_close(w);
    swarm_participants_tell();
    swarm_network_free(w);
    swarm_links_close(w);
    swarm_hosts_close(w);
    swarm_kept_reclaim();
    mf_workers_stop(&w->workers);
    return result;
}

/* A team that searches and a world of cells have no vehicles, hence no checkpoints. */
static int without_vehicles(struct swarm *w, const struct swarm_command *c)
{
    const bool cells = swarm_has_cells(w);
    if (c->checkpoint != NULL || c->resume != NULL || c->junit != NULL || c->profile != NULL) {
        return swarm_refuse(w, cells ? w->scenario->grid.line : w->scenario->search.line,
                            "%s takes no --checkpoint, --resume, --junit or --profile",
                            cells ? "space.cells: a world of cells" : "plan: a search");
    }
    const bool runs = !c->check && c->export_plans == NULL;
    const volatile int *stop = c->check ? NULL : &s_stop;
    if (stop != NULL && make_folder(w) != SWARM_OK) {
        return SWARM_INPUT;
    }
    int result = runs ? swarm_control_open(w, c->time_socket, c->time_server) : SWARM_OK;
    result = result == SWARM_OK && runs ? swarm_page_open(w) : result;
    result = result == SWARM_OK && runs ? swarm_pictures_open(w) : result;
    result = result == SWARM_OK && runs ? swarm_links_open(w) : result;
    result = result == SWARM_OK && runs ? swarm_api_open(w) : result;
    if (result == SWARM_OK) {
        result = cells ? swarm_grid(w, stop, c->steps)
                       : swarm_search(w, stop, c->export_plans, c->steps);
    }
    swarm_control_close(w);
    const bool pictures = swarm_pictures_close(w), ghosts = swarm_ghosts_close(w);
    if (!(pictures && ghosts) && result != SWARM_INPUT) {
        result = swarm_refuse(w, 1, "outputs: a file took not all of it");
    }
    swarm_page_close(w, result);
    swarm_links_close(w);
    return c->result != NULL && !c->check && c->export_plans == NULL &&
                   (result == SWARM_OK || result == SWARM_FAILED)
               ? write_result(w, c->result, result)
               : result;
}

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
    char *text = swarm_read_file(c->file, &n);
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

static int prepare_files(struct swarm *w)
{
    int result = swarm_expect_prepare(w);
    if (result == SWARM_OK) {
        result = swarm_outputs_prepare(w);
    }
    return result == SWARM_OK ? swarm_taps_prepare(w) : result;
}

/* JSON of a published simulator, as a scenario on the standard output. */
static int convert(const struct swarm_command *c)
{
    struct mf_listing_file file[MF_LISTING_FILES_MAX];
    char *text[MF_LISTING_FILES_MAX];
    char error[MF_KEYS_ERROR_MAX] = "convert takes 1 to 3 files";
    size_t read = 0;
    int result = c->jsons > 0 && c->jsons <= MF_LISTING_FILES_MAX ? MF_E_OK : MF_E_RANGE;
    while (result == MF_E_OK && read < c->jsons) {
        file[read].name = c->json[read];
        file[read].text = text[read] = swarm_read_file(c->json[read], &file[read].n);
        if (text[read] == NULL) {
            (void)snprintf(error, sizeof error, "%.120s: %s", c->json[read], strerror(errno));
            result = MF_E_RANGE;
        } else {
            read++;
        }
    }
    result = result == MF_E_OK ? mf_listing_convert(file, read, stdout, error) : result;
    for (size_t i = 0; i < read; i++) {
        free(text[i]);
    }
    if (result != MF_E_OK) {
        (void)fprintf(stderr, "mayfly-swarm: %s\n", error);
    }
    return result == MF_E_OK ? SWARM_OK : SWARM_INPUT;
}

/* @return false: a person was asked which scenario of a folder, and none was chosen */
static bool find_file(struct swarm *w, struct swarm_command *c)
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

/* Each variation by itself: an error of one is found before a sweep comes to it. What --set changes
 * may be what a variation does without, so it is checked with the variation that is named. */
static int check_variations(struct swarm *w, const struct swarm_command *c)
{
    size_t n;
    char number[16];
    char *text = swarm_read_file(c->file, &n);
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

static int prepare(struct swarm *w, const struct swarm_command *c)
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

int swarm_prepare_scenario(struct swarm *w, const struct swarm_command *c)
{
    return prepare(w, c);
}

static int join(struct swarm *w, struct swarm_command *c)
{
    const int result = swarm_leaf(w, c, &s_stop);
    if (result != SWARM_OK && w->error[0] != '\0') {
        (void)fprintf(stderr, "mayfly-swarm: %s\n", w->error);
    }
    return result;
}

static int without_scenario(struct swarm *w, struct swarm_command *c)
{
    return c->json != NULL      ? convert(c)
           : c->compare != NULL ? swarm_compare(c->compare, c->compares)
                                : join(w, c);
}

/* What a run needs of the machine: programs, ports, the network's simulator. */
static int check_outside(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const struct swarm_listener all[] = {
        {"bus.listen", s->bus.line, s->bus.listen, NULL},
        {"gzuav.listen", s->gzuav.line, s->gzuav.listen, NULL},
        {"gzuav.relay", s->gzuav.line, s->gzuav.relay, NULL},
    };
    int result = swarm_processes_check(w);
    result = result == SWARM_OK ? swarm_outside_check(w) : result;
    result = result == SWARM_OK ? swarm_foreigns_check(w) : result;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && result == SWARM_OK; i++) {
        result = swarm_listen_check(w, &all[i]);
    }
    for (uint32_t i = 0; i < s->flows && result == SWARM_OK; i++) {
        const bool stream = s->flow[i].via == MF_SCENARIO_VIA_TCP;
        result = swarm_port_check(w, s->flow[i].line, "flows.client", s->flow[i].client,
                                  stream ? SOCK_STREAM : SOCK_DGRAM);
    }
    return result;
}

/* --check: ports, meshes and tables, plans. */
static int check(struct swarm *w)
{
    int result = check_outside(w);
    result = result == SWARM_OK ? swarm_reserve(w) : result; /* reads meshes and tables */
    return result == SWARM_OK ? swarm_plans_check(w) : result;
}

static int run_command(int argc, char **argv)
{
    static struct swarm s_swarm;
    struct swarm_command command;
    struct swarm *w = &s_swarm;
    swarm_kept_begin(argc, argv);
    if (swarm_command_read(&command, argc, argv) != SWARM_OK) {
        return SWARM_INPUT;
    }
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
    (void)signal(SIGXFSZ, on_file_limit);
    if (command.json != NULL || command.compare != NULL || command.join != NULL) {
        return without_scenario(w, &command);
    }
    if (!find_file(w, &command)) {
        return SWARM_INPUT;
    }
    (void)snprintf(w->out, sizeof w->out, "%s", command.out);
    int result = prepare(w, &command);
    w->resumed_us = -1;
    w->stop = &s_stop;
    w->replay = command.replay;
    if (w->replay != NULL && w->scenario != NULL) {
        w->scenario->time.clock = MF_SCENARIO_CLOCK_FAST;
    }
    w->checkpoint_us = isinf(command.at_s) ? MF_NEVER : (mf_us_t)(command.at_s * 1e6);
    if (result == SWARM_OK && (command.checkpoint != NULL || command.resume != NULL)) {
        swarm_checkpoint_key(w);
    }
    if (result == SWARM_OK && command.sweep) {
        result = swarm_sweep(w, &command, &s_stop);
    } else if (result == SWARM_OK &&
               (swarm_mind_own_prepare(w) != SWARM_OK || swarm_radio_own_prepare(w) != SWARM_OK ||
                swarm_world_own_prepare(w) != SWARM_OK || swarm_sense_own_prepare(w) != SWARM_OK ||
                swarm_body_own_prepare(w) != SWARM_OK || swarm_components_prepare(w) != SWARM_OK)) {
        result = SWARM_INPUT;
    } else if (result == SWARM_OK && (swarm_has_cells(w) || swarm_searches(w))) {
        result = without_vehicles(w, &command);
    } else if (result == SWARM_OK && command.export_plans != NULL) {
        result = swarm_refuse(w, 1, "--export-plans: nobody searches; it needs a plan");
    } else if (result == SWARM_OK && !command.check) {
        result = prepare_files(w);
        result = result == SWARM_OK ? fly(w, &command) : result;
    } else if (result == SWARM_OK) {
        result = check(w);
    }
    if (w->error[0] != '\0') {
        (void)fprintf(stderr, "mayfly-swarm: %s\n", w->error);
    }
    swarm_ghosts_free(w);
    swarm_mind_own_free(w);
    free(w->kind);
    free(w->scenario);
    return result;
}

int main(int argc, char **argv)
{
    mf_output_judge_stdout("mayfly-swarm");
    return run_command(argc, argv);
}
