/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the summary and the result of a run. program/fly.c calls it at the end. */
#include "boards/swarm/program/summary.h"

#include "boards/swarm/core/trace.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/time/course.h"
#include "host/base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

double swarm_cpu_s(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Count missions and finished ones. @param all, finished  out */
static void count_missions(const struct swarm *w, uint32_t *all, uint32_t *finished)
{
    *all = *finished = 0;
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
        const bool flies =
            e->plan[0] != '\0' || (mf_scenario_arrives(e) && swarm_arrived_us(w, i) <= w->now_us);
        *all += flies ? 1u : 0u;
        *finished += swarm_state(w, i).finished ? 1u : 0u;
    }
}

int swarm_result_write(struct swarm *w, int code)
{
    const char *path = w->command->result;
    const struct mf_scenario *s = w->scenario;
    char part[4 * MF_SCENARIO_FILE_MAX];
    uint32_t all, finished;
    mf_output_draft(path, part, sizeof part);
    FILE *file = fopen(part, "we");
    count_missions(w, &all, &finished);
    if (file != NULL) {
        (void)fprintf(file, "%s,%" PRIu64 ",%d,%u,%u,%u,%u,%.6f,%016" PRIx64 "\n", s->variation,
                      s->seed, code, s->members, finished, swarm_count_refused(w),
                      swarm_count_frozen(w), (double)w->now_us / 1e6, swarm_digest(w));
    }
    if (file == NULL || !swarm_close(w, file) || !mf_output_place(part, path)) {
        return swarm_refuse(w, 1, "--result %s: %s", path, strerror(errno));
    }
    return code;
}

/* Number of members that are not things. */
static uint32_t count_flyers(const struct mf_scenario *s)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->entities; k++) {
        count += s->entity[k].as != MF_SCENARIO_KIND_THING ? s->entity[k].count : 0;
    }
    return count;
}

static void print_members(const struct swarm *w, const struct swarm_took *took)
{
    const struct swarm_course *c = swarm_course_of(w);
    const struct mf_scenario *s = w->scenario;
    const double now_s = (double)w->now_us / 1e6;
    const double simulated_s = now_s - (double)c->resumed_us / 1e6;
    const uint64_t steps = swarm_count_steps(w);
    uint32_t with_plan, finished;
    count_missions(w, &with_plan, &finished);
    (void)printf("vehicles  %u, %u of %u missions finished, %u refused, %u frozen\n",
                 count_flyers(s), finished, with_plan, swarm_count_refused(w),
                 swarm_count_frozen(w));
    (void)printf(
        "time      %.6f s simulated in %.3f s: x%.1f; %.3f s of processors, booted in %.3f s\n",
        now_s, took->wall_s, simulated_s / fmax(took->wall_s, 1e-6), took->cpu_s, took->boot_s);
    if (s->time.clock == MF_SCENARIO_CLOCK_REAL) {
        (void)printf("lateness  %.3f s at most; %.3f %% of %" PRIu64 " instants within 20 ms\n",
                     c->late_s, 100.0 * (double)c->punctual / fmax((double)c->instants, 1.0),
                     c->instants);
    }
    (void)printf("steps     %" PRIu64 ", %.0f a second\n", steps,
                 (double)steps / fmax(took->wall_s, 1e-6));
    swarm_systems_print_summary(w);
    (void)printf("memory    %.1f MB\n", swarm_resident_mb());
}

void swarm_summary_print(const struct swarm *w, const struct swarm_took *took)
{
    const struct mf_scenario *s = w->scenario;
    (void)printf("scenario  %s%s%s, seed %" PRIu64 "%s\n", w->file,
                 s->variation[0] != '\0' ? ", variation " : "", s->variation, s->seed,
                 swarm_course_of(w)->interrupted ? ", ended by a signal" : "");
    if (!swarm_systems_print_world_summary(w, took)) {
        print_members(w, took);
    }
    const uint64_t hash = swarm_digest(w);
    (void)printf("hash      %016" PRIx64 "\n", hash);
    swarm_trace(swarm_trace_of(w), (uint64_t)w->now_us * 1000u, "the run came to hash %016" PRIx64,
                hash);
}
