/* SPDX-License-Identifier: Apache-2.0 */
/* The system of a world of cells: its settings, its ticks as steps of the run's loop
 * (time/steps.h), its files, its summary and its expectations. program/systems.c lists it. */
#include "boards/swarm/cells/grid.h"

#include "boards/swarm/cells/grid_figures.h"
#include "boards/swarm/cells/grid_fly.h"
#include "boards/swarm/cells/grid_operator.h"
#include "boards/swarm/core/junit.h"
#include "boards/swarm/time/course.h"
#include "boards/swarm/time/hold.h"
#include "boards/swarm/time/steps.h"
#include "math/chance.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ONCE_MAX    8192u /* contents that are remembered */
#define BYTES_MAX   ((size_t)1 << 30)
#define NEVER_TICKS UINT64_MAX

/* A world of cells. It lies in the arena; the files are the process's own. */
struct run {
    struct swarm_steps steps; /* first: the loop of the run knows the world by it */
    struct swarm *w;
    struct swarm_grid g;
    struct mf_grid *q;
    char *map; /* a level as text (mf_grid_map()) */
    FILE *tasks, *messages, *trace, *maps, *csv;
    struct swarm_grid_figures figures;
    uint64_t once[ONCE_MAX]; /* hashes of contents that were written, of outputs.messages.once */
    uint32_t onces;
    uint64_t *done;                        /* [tasks]: tick in which a task was done; NEVER_TICKS */
    uint64_t held[MF_SCENARIO_EXPECT_MAX]; /* tick of the first report of "found"; NEVER_TICKS */
    struct swarm_grid_operator operator;
    mf_us_t map_us, csv_us;        /* time of the next map, and of the next rows of the CSV */
    struct mf_grid_record *record; /* [records_max], for the table of the summary */
    uint32_t records, records_max;
    uint32_t flown, landed; /* vehicles and ghosts at the end */
    bool failed;            /* a tick, or the flight up to its end, has set an error */
};

static struct run *run_of(const struct swarm *w)
{
    return (struct run *)swarm_steps_of(w);
}

/* ---- names */

static void participant_name_of(const struct run *r, uint32_t address, char *name)
{
    const uint32_t number = MF_ADDRESS_NUMBER(address);
    if (!MF_ADDRESS_IS_DRONE(address)) {
        (void)snprintf(name, SWARM_NAME_MAX, "controller %u", (unsigned)address);
    } else if (number == 0 || number > r->g.s.drone_count) {
        (void)snprintf(name, SWARM_NAME_MAX, "nobody");
    } else {
        swarm_grid_drone_name(r->w, &r->g, number, name);
    }
}

/* ---- outputs while it runs */

static void trace_phase(void *ctx, uint64_t tick, enum mf_grid_phase phase, uint32_t number)
{
    const struct run *r = ctx;
    char name[SWARM_NAME_MAX];
    if (r->trace == NULL) {
        return;
    }
    if (phase == MF_GRID_PHASE_WORLD) {
        (void)fprintf(r->trace, "Tick: %" PRIu64 "\n", tick);
    } else if (phase == MF_GRID_PHASE_CONTROLLER) {
        (void)fprintf(r->trace, "Controller: %u ticking\n", (unsigned)number);
    } else if (phase == MF_GRID_PHASE_BATTERY) {
        participant_name_of(r, MF_ADDRESS_DRONE | number, name);
        (void)fprintf(r->trace, "Drone: %u (%s)\n", (unsigned)number, name);
    }
}

/* Is an equal content in the file already? */
static bool is_already_written(struct run *r, const struct mf_message *m)
{
    const struct mf_message_content *c = &m->content;
    uint64_t hash = mf_chance_u64((uint64_t)m->type << 32 ^ c->cell, c->task);
    hash = mf_chance_u64(hash, (uint64_t)(uint32_t)c->cost << 32 ^ c->ticks);
    hash = mf_chance_text(mf_chance_text(hash, c->name), c->value.text) ^ (uint64_t)c->state;
    for (uint32_t i = 0; i < r->onces; i++) {
        if (r->once[i] == hash) {
            return true;
        }
    }
    if (r->onces < ONCE_MAX) {
        r->once[r->onces++] = hash;
    }
    return false;
}

static void write_message(const struct run *r, FILE *to, const struct mf_message *m)
{
    const struct mf_message_fields *f = &mf_message_fields[m->type];
    const struct mf_message_content *c = &m->content;
    char sender[SWARM_NAME_MAX], receiver[SWARM_NAME_MAX];
    participant_name_of(r, m->sender, sender);
    participant_name_of(r, m->receiver, receiver);
    (void)fprintf(to, "%" PRIu64 ",%" PRIu64 ",%s,%s,%s,", m->tick, m->number, f->type, sender,
                  receiver);
    if (f->cell) {
        const struct mf_cell at = mf_field_cell(mf_grid_field(r->q), c->cell);
        (void)fprintf(to, "%d,%d,%d,", (int)at.x, (int)at.y, (int)at.z);
    } else {
        (void)fputs(",,,", to);
    }
    (void)fprintf(to, f->task ? "%u," : ",", (unsigned)c->task);
    (void)fprintf(to, f->cost ? "%d," : ",", (int)c->cost);
    (void)fprintf(to, f->ticks ? "%u," : ",", (unsigned)c->ticks);
    (void)fprintf(to, f->battery ? "%.3f," : ",", (double)c->battery_uah / 1000.0);
    (void)fprintf(to, "%s,%s,%s\n", f->name ? c->name : "", f->value ? c->value.text : "",
                  f->state ? mf_grid_state_name[c->state] : "");
}

static void trace_cell(const struct run *r, uint32_t cell)
{
    const struct mf_cell at = mf_field_cell(mf_grid_field(r->q), cell);
    (void)fprintf(r->trace, " (%d, %d, %d)", (int)at.x, (int)at.y, (int)at.z);
}

/* Write the task's number and the instructions that it has. */
static void trace_task(const struct run *r, uint32_t number)
{
    const struct mf_grid_task *t = &r->g.task[number - 1u];
    (void)fprintf(r->trace, ", task %u", (unsigned)number);
    for (uint32_t i = 0; i < t->steps; i++) {
        (void)fprintf(r->trace, "%s %s", i == 0 ? ":" : "", mf_grid_step_name[t->step[i].kind]);
        if (t->step[i].kind == MF_GRID_STEP_GOTO) {
            trace_cell(r, t->step[i].cell);
        }
    }
}

static void trace_message(const struct run *r, const struct mf_message *m)
{
    const struct mf_message_fields *f = &mf_message_fields[m->type];
    const struct mf_message_content *c = &m->content;
    char sender[SWARM_NAME_MAX], receiver[SWARM_NAME_MAX];
    participant_name_of(r, m->sender, sender);
    participant_name_of(r, m->receiver, receiver);
    (void)fprintf(r->trace, "  %s: %s to %s", f->type, sender, receiver);
    if (f->cell) {
        (void)fputc(',', r->trace);
        trace_cell(r, c->cell);
    }
    if (f->state) {
        (void)fprintf(r->trace, " %s", mf_grid_state_name[c->state]);
    }
    if (f->name) {
        (void)fprintf(r->trace, " %s %s", c->name, f->value ? c->value.text : "");
    }
    if (f->task && c->task != 0) {
        trace_task(r, c->task);
    }
    (void)fputc('\n', r->trace);
}

static void write_sent_message(void *ctx, const struct mf_message *m)
{
    struct run *r = ctx;
    const struct mf_scenario *s = r->w->scenario;
    const int32_t type = s->grid.messages.type;
    for (uint32_t i = 0; m->type == MF_MESSAGE_CELL_ATTR && i < s->expects; i++) {
        if (strcmp(s->expect[i].found, m->content.name) == 0 && r->held[i] == NEVER_TICKS) {
            r->held[i] = m->tick;
        }
    }
    if (r->trace != NULL) {
        trace_message(r, m);
    }
    if (r->messages != NULL && (type == MF_MESSAGE_TYPES || type == (int32_t)m->type) &&
        !(s->grid.messages.once && is_already_written(r, m))) {
        write_message(r, r->messages, m);
    }
}

static void write_task_record(void *ctx, const struct mf_grid_record *record)
{
    static const char *const k_outcome[] = {
#define X(name, word) word,
        MF_GRID_OUTCOME_LIST(X)
#undef X
    };
    struct run *r = ctx;
    char drone[SWARM_NAME_MAX];
    if (record->outcome == MF_GRID_OUTCOME_DONE) {
        r->done[record->task - 1u] = record->tick;
    }
    if (r->records < r->records_max) {
        r->record[r->records++] = *record;
    }
    if (r->tasks == NULL) {
        return;
    }
    participant_name_of(r, MF_ADDRESS_DRONE | record->drone, drone);
    (void)fprintf(r->tasks, "%" PRIu64 ",%u,%u,%s,%u,%u,%.6f,%.6f,%s,%s\n", record->tick,
                  (unsigned)record->task, (unsigned)record->controller, drone,
                  (unsigned)record->estimated, (unsigned)record->actual, record->ratio,
                  record->trust, k_outcome[record->outcome], record->reason);
}

static void write_map(struct run *r)
{
    (void)fprintf(r->maps, "tick %" PRIu64 "\n", mf_grid_ticks(r->q));
    for (uint32_t level = 0; level < r->g.s.size[2]; level++) {
        mf_grid_map(r->q, level, r->map);
        (void)fputs(r->map, r->maps);
        (void)fputc('\n', r->maps);
    }
}

/* A line per drone. */
static void write_drones(const struct run *r)
{
    for (uint32_t drone = 1; drone <= r->g.s.drone_count; drone++) {
        const struct mf_grid_view v = mf_grid_drone(r->q, drone);
        if (drone > r->g.own_drones && v.state == MF_GRID_STATE_ABSENT) {
            break; /* a spare one */
        }
        const struct mf_cell c = mf_field_cell(mf_grid_field(r->q), v.cell);
        char name[SWARM_NAME_MAX];
        double at_m[3];
        mf_field_place(mf_grid_field(r->q), v.cell, at_m);
        swarm_grid_read_place(r->w, &r->g, drone, at_m);
        participant_name_of(r, MF_ADDRESS_DRONE | drone, name);
        (void)fprintf(r->csv, "%.6f,%s,%d,%d,%d,%.3f,%.3f,%.3f,%s,%.3f,%u,%.6f\n",
                      (double)mf_grid_ticks(r->q) * r->w->scenario->grid.tick_s, name, (int)c.x,
                      (int)c.y, (int)c.z, at_m[1], at_m[0], at_m[2], mf_grid_state_name[v.state],
                      (double)v.battery_uah / 1000.0, (unsigned)v.task, v.trust);
    }
}

/* ---- files */

/* @param file  out: NULL: without; stdout: the output is for the terminal */
static int open_output_or_terminal(struct swarm *w, const struct mf_scenario_output *o,
                                   bool terminal, FILE **file)
{
    *file = NULL;
    if (o->file[0] != '\0') {
        *file = swarm_open(w, o, 0);
        return *file != NULL ? SWARM_OK : SWARM_INPUT;
    }
    *file = terminal ? stdout : NULL;
    return SWARM_OK;
}

static int open_grid_files(struct run *r)
{
    const struct mf_scenario *s = r->w->scenario;
    struct mf_scenario_output messages = {.line = s->grid.line};
    (void)snprintf(messages.file, sizeof messages.file, "%s", s->grid.messages.file);
    const bool terminal = s->grid.messages.type != MF_MESSAGE_TYPES || s->grid.messages.once;
    int result = open_output_or_terminal(r->w, &s->outputs.tasks, false, &r->tasks);
    result = result == SWARM_OK ? open_output_or_terminal(r->w, &messages, terminal, &r->messages)
                                : result;
    result = result == SWARM_OK ? open_output_or_terminal(r->w, &s->outputs.trace, false, &r->trace)
                                : result;
    result = result == SWARM_OK
                 ? open_output_or_terminal(r->w, &s->outputs.map, s->outputs.map.line > 0, &r->maps)
                 : result;
    result = result == SWARM_OK ? open_output_or_terminal(r->w, &s->outputs.csv, false, &r->csv)
                                : result;
    result = result == SWARM_OK ? swarm_grid_figures_open(r->w, &r->figures, &r->g) : result;
    if (r->csv != NULL) {
        (void)fputs("time_s,drone,x,y,z,north_m,east_m,up_m,state,battery_mah,task,trust\n",
                    r->csv);
    }
    if (r->tasks != NULL) {
        (void)fputs("tick,task,controller,drone,estimated,actual,score,trust,outcome,reason\n",
                    r->tasks);
    }
    if (r->messages != NULL) {
        (void)fputs("tick,number,type,sender,receiver,x,y,z,task,cost,ticks,battery_mah,name,"
                    "value,state\n",
                    r->messages);
    }
    return result;
}

static bool close_grid_files(struct run *r)
{
    FILE **const all[] = {&r->tasks, &r->messages, &r->trace, &r->maps, &r->csv};
    bool good = swarm_grid_figures_close(r->w, &r->figures);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        good = (*all[i] == stdout || swarm_close(r->w, *all[i])) && good;
        *all[i] = NULL;
    }
    return good;
}

/* ---- ticks */

static void write_due_samples(struct run *r)
{
    const struct mf_scenario *s = r->w->scenario;
    if (r->maps != NULL && r->w->now_us >= r->map_us) {
        write_map(r);
        r->map_us += mf_us_of(s->outputs.map.every_s);
    }
    if (r->csv != NULL && r->w->now_us >= r->csv_us) {
        write_drones(r);
        r->csv_us += mf_us_of(s->outputs.csv.every_s);
    }
}

/* Let drones that are vehicles or ghosts fly up to a time. */
static void move_vehicles(struct run *r, mf_us_t at_us)
{
    if (r->g.port != NULL) {
        swarm_grid_move(r->w, &r->g, at_us);
    }
    r->w->now_us = at_us;
    r->failed = r->w->error[0] != '\0';
}

/* A tick orders where drones are at its begin; then they fly until its end. */
static bool run_tick(struct swarm_steps *s, mf_us_t end_us)
{
    struct run *r = (struct run *)s;
    swarm_grid_figures_note(r->w, &r->figures, &r->g, r->q);
    const bool busy = mf_grid_tick(r->q);
    move_vehicles(r, end_us);
    write_due_samples(r);
    return busy && !r->failed;
}

static uint64_t count_ticks(const struct swarm_steps *s)
{
    return mf_grid_ticks(((const struct run *)s)->q);
}

static uint64_t grid_digest_of(const struct swarm_steps *s)
{
    return mf_grid_hash(((const struct run *)s)->q);
}

static const struct swarm_steps_ops k_ops = {count_ticks, run_tick, grid_digest_of};

/* ---- before the run */

static int check_expects(struct swarm *w, const struct swarm_grid *g)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t i = 0; i < s->expects; i++) {
        const struct mf_scenario_expect *e = &s->expect[i];
        if (e->task == 0 && e->found[0] == '\0') {
            return swarm_refuse(w, e->line,
                                "expect: a world of cells knows 'task' and 'found', with 'by'");
        }
        if (e->task > g->own_tasks) {
            return swarm_refuse(w, e->line, "expect: there is no task %u", (unsigned)e->task);
        }
    }
    return SWARM_OK;
}

static int make_grid(struct run *r)
{
    const struct mf_grid_watch watch = {trace_phase, write_sent_message, write_task_record, r};
    struct swarm *w = r->w;
    const int line = w->scenario->grid.line;
    struct mf_memory memory = {.size = mf_grid_bytes(&r->g.s)};
    r->records_max = r->g.s.task_count * 16u + 1u;
    if (memory.size > BYTES_MAX) {
        return swarm_refuse(w, line, "space.cells: so many cells and drones take more than %zu MB",
                            BYTES_MAX >> 20);
    }
    memory.bytes = swarm_memory(w, line, memory.size);
    r->map = swarm_memory(w, line, (size_t)(r->g.s.size[0] + 1u) * r->g.s.size[1] + 1u);
    r->record = swarm_memory(w, line, r->records_max * sizeof *r->record);
    r->done = swarm_memory(w, line, (r->g.s.task_count + 1u) * sizeof *r->done);
    for (size_t i = 0; r->done != NULL && i <= r->g.s.task_count; i++) {
        r->done[i] = NEVER_TICKS;
    }
    for (size_t i = 0; i < MF_SCENARIO_EXPECT_MAX; i++) {
        r->held[i] = NEVER_TICKS;
    }
    if (memory.bytes == NULL || r->map == NULL || r->record == NULL || r->done == NULL) {
        return SWARM_INPUT;
    }
    r->q = mf_grid_init(&r->g.s, &watch, &memory);
    return r->q != NULL
               ? SWARM_OK
               : swarm_refuse(w, line, "space.cells: a mover's attribute is where another one is");
}

/* Operators may add drones and tasks, which takes spare ones. */
static int prepare_grid(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const bool spares =
        w->command->steps || swarm_has(w, SWARM_SLOT_LINKS) || swarm_has(w, SWARM_SLOT_PAGE);
    struct run *r = swarm_memory(w, s->grid.line, sizeof *r);
    if (r == NULL) {
        return SWARM_INPUT;
    }
    r->w = w;
    r->map_us = mf_us_of(s->outputs.map.every_s);
    r->csv_us = mf_us_of(s->outputs.csv.every_s);
    int result = swarm_grid_build(w, &r->g, spares);
    result = result == SWARM_OK ? check_expects(w, &r->g) : result;
    result = result == SWARM_OK && swarm_grid_has_flyers(w) ? swarm_grid_prepare_ports(w, &r->g)
                                                            : result;
    result = result == SWARM_OK ? make_grid(r) : result;
    if (result == SWARM_OK) {
        swarm_steps_prepare(w, &r->steps, &k_ops);
        r->operator.map = r->map;
        swarm_grid_operate(&r->operator, w, &r->g, r->q);
    }
    return result;
}

static int open_grid(struct swarm *w)
{
    return open_grid_files(run_of(w));
}

static int begin_grid(struct swarm *w)
{
    move_vehicles(run_of(w), 0);
    return SWARM_OK;
}

/* A number of a plug-in is out of range, or a ghost is not in its cell. */
static bool has_grid_failed(const struct swarm *w)
{
    return run_of(w)->failed;
}

/* ---- the end */

/* Drones land, and the time of the run is that of the last tick in which anything happened. */
static void finish_grid(struct swarm *w, bool goes_on)
{
    struct run *r = run_of(w);
    if (goes_on || r->failed) {
        return;
    }
    if (r->g.port != NULL) {
        w->now_us = swarm_step_end(w, mf_grid_ticks(r->q));
        swarm_grid_land(w, &r->g, w->hold.stop);
        r->flown = swarm_grid_count_flown(&r->g, &r->landed);
    }
    w->now_us = (mf_us_t)((double)mf_grid_last_active(r->q) * w->scenario->grid.tick_s * 1e6);
}

/* The table of the listings: a line per task that was done, in the order of their ends. */
static void print_task_rows(const struct run *r)
{
    (void)puts("  drone                 score  estimated  actual  task");
    for (uint32_t i = 0; i < r->records; i++) {
        const struct mf_grid_record *record = &r->record[i];
        char drone[SWARM_NAME_MAX];
        participant_name_of(r, MF_ADDRESS_DRONE | record->drone, drone);
        (void)printf("  %-20s  %.3f  %9u  %6u  %4u%s%s\n", drone, record->ratio,
                     (unsigned)record->estimated, (unsigned)record->actual, (unsigned)record->task,
                     record->reason[0] != '\0' ? "  " : "", record->reason);
    }
}

static void print_grid_summary(const struct swarm *w, const struct swarm_took *took)
{
    const struct run *r = run_of(w);
    const uint32_t tasks = swarm_grid_count_tasks(&r->operator);
    uint32_t done = 0;
    for (uint32_t i = 0; i < tasks; i++) {
        done += r->done[i] != NEVER_TICKS ? 1u : 0u;
    }
    (void)printf("cells     %u drones, %u of %u tasks done, %" PRIu64 " messages\n",
                 (unsigned)(r->g.own_drones + r->operator.added), (unsigned)done, (unsigned)tasks,
                 mf_grid_messages(r->q));
    (void)printf("time      %" PRIu64 " ticks, the last one with anything to do %" PRIu64
                 ", in %.3f s, %.3f s of processors\n",
                 mf_grid_ticks(r->q), mf_grid_last_active(r->q), took->wall_s, took->cpu_s);
    if (r->g.port != NULL) {
        (void)printf("flown     %u vehicles and ghosts, %u on the ground\n", (unsigned)r->flown,
                     (unsigned)r->landed);
    }
    if (r->records > 0) {
        print_task_rows(r);
    }
    for (uint32_t i = 0; i < tasks; i++) {
        const char *reason;
        if (!mf_grid_is_done(r->q, i + 1u, &reason)) {
            (void)printf("task %-4u  not done%s%s\n", (unsigned)i + 1u,
                         reason[0] != '\0' ? ": " : "", reason);
        }
    }
    (void)printf("memory    %.1f MB\n", swarm_resident_mb());
}

/* @return does it hold? */
static bool judge_expect(const struct run *r, uint32_t number, struct swarm_case *c)
{
    const struct mf_scenario *s = r->w->scenario;
    const struct mf_scenario_expect *e = &s->expect[number];
    const uint64_t at = e->task > 0 ? r->done[e->task - 1u] : r->held[number];
    const double at_s = (double)at * s->grid.tick_s;
    const bool late = !isnan(e->by_s) && at_s > e->by_s;
    (void)snprintf(c->name, sizeof c->name, e->task > 0 ? "task %u done" : "found %.0u%s",
                   (unsigned)e->task, e->found);
    c->why[0] = '\0';
    c->wrong = c->members = 1;
    if (at == NEVER_TICKS) {
        (void)snprintf(c->why, sizeof c->why, "never");
    } else if (late) {
        (void)snprintf(c->why, sizeof c->why, "late, at %g s", at_s);
    }
    return c->why[0] == '\0';
}

static int write_grid_junit(struct swarm *w, int failed)
{
    FILE *file = swarm_junit_open(w, w->scenario->expects, (uint32_t)failed);
    struct swarm_case c;
    if (file == NULL) {
        return SWARM_INPUT;
    }
    for (uint32_t i = 0; i < w->scenario->expects; i++) {
        (void)judge_expect(run_of(w), i, &c);
        swarm_junit_case(w, file, &c);
    }
    return swarm_junit_close(w, file);
}

static int judge_expects(struct swarm *w, bool goes_on)
{
    const struct run *r = run_of(w);
    struct swarm_case c;
    int failed = 0;
    for (uint32_t i = 0; !goes_on && i < w->scenario->expects; i++) {
        if (!judge_expect(r, i, &c)) {
            (void)printf("expect    %s:%d: %s: %s\n", w->file, w->scenario->expect[i].line, c.name,
                         c.why);
            failed++;
        }
    }
    const bool writes = !goes_on && w->command->junit != NULL;
    return !writes || write_grid_junit(w, failed) == SWARM_OK ? failed : -1;
}

static bool complete_grid(struct swarm *w)
{
    struct run *r = run_of(w);
    swarm_grid_figures_write(w, &r->figures, &r->g, r->q);
    return close_grid_files(r);
}

static void close_grid(struct swarm *w, int code)
{
    struct run *r = run_of(w);
    (void)code;
    if (r != NULL) {
        (void)close_grid_files(r);
    }
    w->state[SWARM_SLOT_OPERATOR] = NULL;
    w->state[SWARM_SLOT_STEPS] = NULL;
}

const struct swarm_system swarm_grid_system = {
    .name = "cells",
    .on = {[SWARM_PREPARE] = prepare_grid, [SWARM_OPEN] = open_grid, [SWARM_BEGIN] = begin_grid},
    .routes = swarm_grid_routes,
    .commands = swarm_grid_commands,
    .has_failed = has_grid_failed,
    .refuses = true,
    .finish = finish_grid,
    .print_world_summary = print_grid_summary,
    .judge = judge_expects,
    .complete = complete_grid,
    .close = close_grid,
};
