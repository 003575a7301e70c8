/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of an operator to a world of cells. The system of cells lists its tables. */
#include "boards/swarm/cells/grid_operator.h"

#include "host/base/value.h"
#include "mavlink/enums.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_CELLS_MAX 100000u /* of a map that fits into an answer of the control API */

static struct swarm_grid_operator *grid_operator_of(struct swarm_operator *o)
{
    return o->ctx;
}

/* ---- what is meant */

static const char *read_cell(struct swarm_grid_operator *o, const char *text, struct mf_cell *cell)
{
    const uint32_t *size = o->g->s.size;
    double at[3] = {0.0, 0.0, 0.0};
    const int n = text != NULL ? swarm_operator_place(text, at) : 0;
    *cell = (struct mf_cell){0, 0, 0};
    if (n < 2) {
        return swarm_operator_wrong(&o->all, "'%s' is not a cell: write 4,2 or 4,2,0",
                                    text != NULL ? text : "");
    }
    for (int i = 0; i < n; i++) {
        if (!(at[i] >= 0.0 && at[i] < (double)size[i]) || at[i] != (double)(uint32_t)at[i]) {
            return swarm_operator_wrong(&o->all,
                                        "%s is not a cell of this world: x is 0 to %u, y 0 to %u, "
                                        "z 0 to %u",
                                        text, (unsigned)size[0] - 1u, (unsigned)size[1] - 1u,
                                        (unsigned)size[2] - 1u);
        }
    }
    *cell = (struct mf_cell){(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
    return NULL;
}

/* Drones that were there at first have names, those that were added "added.1", ... */
static const char *read_drone_name(struct swarm_grid_operator *o, const char *text, uint32_t *drone)
{
    const uint32_t count = o->g->own_drones + o->added;
    struct mf_nearest nearest = {.word = text != NULL ? text : ""};
    char all[16][SWARM_NAME_MAX];
    *drone = swarm_operator_number(text, count);
    for (uint32_t i = 1; *drone == 0 && text != NULL && i <= count; i++) {
        char *name = all[i % 16u];
        swarm_grid_drone_name(o->all.w, o->g, i, name);
        *drone = strcmp(name, text) == 0 ? i : 0;
        if (i < 16u) {
            mf_nearest_try(&nearest, name);
        }
    }
    if (*drone != 0 && mf_grid_drone(o->q, *drone).state != MF_GRID_STATE_ABSENT) {
        return NULL;
    }
    return *drone != 0
               ? swarm_operator_wrong(&o->all, "%s is not in the world yet", text)
               : swarm_operator_wrong(&o->all, "there is no drone '%s'%s%s; show lists all",
                                      nearest.word, nearest.best != NULL ? ", did you mean " : "",
                                      nearest.best != NULL ? nearest.best : "");
}

static const char *read_task_number(struct swarm_grid_operator *o, const char *text, uint32_t *task)
{
    *task = swarm_operator_number(text, swarm_grid_count_tasks(o));
    return *task != 0 ? NULL
                      : swarm_operator_wrong(&o->all, "there is no task '%s': they are 1 to %u",
                                             text != NULL ? text : "",
                                             (unsigned)swarm_grid_count_tasks(o));
}

static const char *used_up(struct swarm_grid_operator *o, const char *what)
{
    return swarm_operator_wrong(&o->all, "a run takes at most %u more %s", SWARM_GRID_SPARES, what);
}

static uint64_t next_tick(const struct swarm_grid_operator *o)
{
    return mf_grid_ticks(o->q) + 1u;
}

/* ---- what there is */

static void show_drone(const struct swarm_grid_operator *o, uint32_t drone, FILE *to)
{
    const struct mf_grid_view v = mf_grid_drone(o->q, drone);
    const struct mf_cell at = mf_field_cell(mf_grid_field(o->q), v.cell);
    char name[SWARM_NAME_MAX];
    if (v.state == MF_GRID_STATE_ABSENT) {
        return;
    }
    swarm_grid_drone_name(o->all.w, o->g, drone, name);
    (void)fprintf(to, "%-16s %-10s at %d,%d,%d  battery %.3f mAh  trust %.3f  task %u\n", name,
                  mf_grid_state_name[v.state], (int)at.x, (int)at.y, (int)at.z,
                  (double)v.battery_uah / 1000.0, v.trust, (unsigned)v.task);
}

static void show_grid(const struct swarm_operator *all, FILE *to)
{
    const struct swarm_grid_operator *o = all->ctx;
    for (uint32_t drone = 1; drone <= o->g->own_drones + o->added; drone++) {
        show_drone(o, drone, to);
    }
    for (uint32_t task = 1; task <= swarm_grid_count_tasks(o); task++) {
        const char *reason;
        const bool done = mf_grid_is_done(o->q, task, &reason);
        (void)fprintf(to, "task %-11u %s%s%s\n", (unsigned)task, done ? "done" : "not done",
                      reason[0] != '\0' ? ": " : "", reason);
    }
    for (uint32_t level = 0; level < o->g->s.size[2]; level++) {
        mf_grid_map(o->q, level, o->map);
        (void)fputs(o->map, to);
        (void)fputc('\n', to);
    }
}

static void write_drone(const struct swarm_grid_operator *o, uint32_t drone, struct mf_json *j)
{
    const struct mf_grid_view v = mf_grid_drone(o->q, drone);
    const struct mf_cell at = mf_field_cell(mf_grid_field(o->q), v.cell);
    char name[SWARM_NAME_MAX];
    swarm_grid_drone_name(o->all.w, o->g, drone, name);
    mf_json_object(j, NULL);
    mf_json_integer(j, "id", drone);
    mf_json_text(j, "name", name);
    mf_json_text(j, "state", mf_grid_state_name[v.state]);
    mf_json_array(j, "cell");
    mf_json_integer(j, NULL, at.x);
    mf_json_integer(j, NULL, at.y);
    mf_json_integer(j, NULL, at.z);
    mf_json_end(j);
    mf_json_number(j, "battery_mah", (double)v.battery_uah / 1000.0, 3);
    mf_json_number(j, "trust", v.trust, 6);
    mf_json_integer(j, "task", v.task);
    mf_json_bool(j, "carries", v.carries);
    mf_json_end(j);
}

static void write_grid(const struct swarm_operator *all, struct mf_json *j)
{
    const struct swarm_grid_operator *o = all->ctx;
    mf_json_text(j, "kind", "cells");
    mf_json_integer(j, "tick", (int64_t)mf_grid_ticks(o->q));
    mf_json_array(j, "size");
    for (int i = 0; i < 3; i++) {
        mf_json_integer(j, NULL, o->g->s.size[i]);
    }
    mf_json_end(j);
    mf_json_array(j, "drones");
    for (uint32_t drone = 1; drone <= o->g->own_drones + o->added; drone++) {
        write_drone(o, drone, j);
    }
    mf_json_end(j);
    mf_json_array(j, "tasks");
    for (uint32_t task = 1; task <= swarm_grid_count_tasks(o); task++) {
        const char *reason;
        const bool done = mf_grid_is_done(o->q, task, &reason);
        mf_json_object(j, NULL);
        mf_json_integer(j, "id", task);
        mf_json_bool(j, "done", done);
        mf_json_text(j, "reason", reason);
        mf_json_end(j);
    }
    mf_json_end(j);
    const bool fits = mf_field_cells(mf_grid_field(o->q)) <= SHOWN_CELLS_MAX;
    mf_json_array(j, "map");
    for (uint32_t level = 0; fits && level < o->g->s.size[2]; level++) {
        mf_grid_map(o->q, level, o->map);
        mf_json_text(j, NULL, o->map);
    }
    mf_json_end(j);
}

static const struct mf_api_field k_fields[] = {
    {"time_s", "number", "time of the run [s]"},
    {"kind", "string", "kind of the world: cells"},
    {"tick", "integer", "number of ticks so far"},
    {"size", "array:integer", "number of cells along x, y and z"},
    {"drones", "array:object",
     "drones: name, state, cell, battery, trust, task (0: none), what it carries"},
    {"tasks", "array:object", "tasks: id, done, and why it still waits"},
    {"map", "array:string",
     "map as a text per level, as step mode shows it; empty from 100,000 cells on"},
    {NULL, NULL, NULL},
};

/* ---- what is changed */

static const char *add_drone(struct swarm_operator *all, const struct swarm_words *w, FILE *to)
{
    struct swarm_grid_operator *o = grid_operator_of(all);
    struct mf_cell cell;
    const char *wrong = read_cell(o, w->word[1], &cell);
    if (wrong != NULL || o->g->own_drones + o->added == o->g->s.drone_count) {
        return wrong != NULL ? wrong : used_up(o, "drones");
    }
    struct mf_grid_drone *d = &o->g->drone[o->g->own_drones + o->added++];
    *d = o->g->drone[0];
    d->port = (struct mf_order_port){0}; /* an agent, whatever the first one is */
    d->home = mf_field_index(mf_grid_field(o->q), cell);
    d->appears = next_tick(o);
    (void)fprintf(to, "added.%u\n", (unsigned)o->added);
    return NULL;
}

static struct mf_grid_effect *next_effect(struct swarm_grid_operator *o)
{
    if (o->done == SWARM_GRID_SPARES) {
        return NULL;
    }
    struct mf_grid_effect *e = &o->g->effect[o->g->own_effects + o->done++];
    e->at = next_tick(o);
    return e;
}

static const char *block_cell(struct swarm_operator *all, const struct swarm_words *w, FILE *to)
{
    struct swarm_grid_operator *o = grid_operator_of(all);
    struct mf_cell cell;
    const char *wrong = read_cell(o, w->word[1], &cell);
    struct mf_grid_effect *e = wrong == NULL ? next_effect(o) : NULL;
    (void)to;
    if (e == NULL) {
        return wrong != NULL ? wrong : used_up(o, "changes");
    }
    e->kind = MF_GRID_EFFECT_BLOCK;
    e->from = e->to = cell;
    return NULL;
}

/* The last way of a task leads elsewhere; who is under way turns around with the next tick. */
static const char *retarget_task(struct swarm_operator *all, const struct swarm_words *w, FILE *to)
{
    struct swarm_grid_operator *o = grid_operator_of(all);
    uint32_t number;
    struct mf_cell cell;
    const char *wrong = read_task_number(o, w->word[1], &number);
    wrong = wrong != NULL ? wrong : read_cell(o, w->word[2], &cell);
    (void)to;
    if (wrong != NULL) {
        return wrong;
    }
    struct mf_grid_task *t = &o->g->task[number - 1u];
    for (uint32_t i = t->steps; i > 0; i--) {
        if (t->step[i - 1u].kind == MF_GRID_STEP_GOTO) {
            t->step[i - 1u].cell = mf_field_index(mf_grid_field(o->q), cell);
            return NULL;
        }
    }
    return swarm_operator_wrong(all, "task %u has no cell where it leads to", (unsigned)number);
}

static const char *order_drone(struct swarm_grid_operator *o, uint32_t drone, bool plays,
                               struct mf_cell cell)
{
    if (o->ordered == SWARM_GRID_SPARES) {
        return used_up(o, "orders");
    }
    o->g->orders[o->g->own_orders + o->ordered++] =
        (struct mf_grid_order){.at = next_tick(o),
                               .controller = o->g->drone[drone - 1u].controller,
                               .drone = drone,
                               .play = plays,
                               .cell = mf_field_index(mf_grid_field(o->q), cell)};
    return NULL;
}

static const char *send_drone(struct swarm_operator *all, const struct swarm_words *w, FILE *to)
{
    uint32_t drone;
    struct mf_cell cell;
    const char *wrong = read_drone_name(grid_operator_of(all), w->word[1], &drone);
    wrong = wrong != NULL ? wrong : read_cell(grid_operator_of(all), w->word[2], &cell);
    (void)to;
    return wrong != NULL ? wrong : order_drone(grid_operator_of(all), drone, false, cell);
}

static const char *release_drone(struct swarm_operator *all, const struct swarm_words *w, FILE *to)
{
    uint32_t drone;
    const char *wrong = read_drone_name(grid_operator_of(all), w->word[1], &drone);
    (void)to;
    return wrong != NULL
               ? wrong
               : order_drone(grid_operator_of(all), drone, true, (struct mf_cell){0, 0, 0});
}

/* DO_GRIPPER, and what the world answers. */
static const char *use_gripper(struct swarm_operator *all, const struct swarm_words *w, FILE *to)
{
    static const char *const k_result[] = {
        "ACCEPTED", "TEMPORARILY_REJECTED", "DENIED", "UNSUPPORTED", "FAILED", "IN_PROGRESS"};
    static const char *const k_action[] = {
        [GRIPPER_ACTION_RELEASE] = "release", [GRIPPER_ACTION_GRAB] = "grab"};
    struct swarm_grid_operator *o = grid_operator_of(all);
    uint32_t drone;
    const char *wrong = read_drone_name(o, w->word[1], &drone);
    for (size_t i = 0; wrong == NULL && i < sizeof k_action / sizeof k_action[0]; i++) {
        if (w->word[2] == NULL || strcmp(w->word[2], k_action[i]) != 0) {
            continue;
        }
        const struct mf_order_port port = mf_grid_port(o->q, drone);
        const uint8_t result = mf_order_grip(&port, i == GRIPPER_ACTION_GRAB);
        (void)fprintf(to, "%s\n",
                      result < sizeof k_result / sizeof k_result[0] ? k_result[result]
                                                                    : "no answer");
        return NULL;
    }
    return wrong != NULL
               ? wrong
               : swarm_operator_wrong(all, "gripper DRONE grab, or gripper DRONE release");
}

/* Let a drone send a message. */
static const char *send_data(struct swarm_operator *all, const struct swarm_words *w, FILE *to)
{
    struct swarm_grid_operator *o = grid_operator_of(all);
    const char *name = w->word[3], *value = w->word[4] != NULL ? w->word[4] : "";
    struct mf_field_value read;
    uint32_t sender, receiver = 0;
    const char *wrong = read_drone_name(o, w->word[1], &sender);
    if (wrong == NULL && w->word[2] != NULL && strcmp(w->word[2], "all") != 0) {
        wrong = read_drone_name(o, w->word[2], &receiver);
    }
    if (wrong != NULL) {
        return wrong;
    }
    if (w->count > 5 || name == NULL || strlen(name) >= MF_FIELD_NAME_MAX ||
        !mf_field_value(value, &read)) {
        return swarm_operator_wrong(all,
                                    "send DRONE DRONE|all NAME [VALUE], each of at most %u "
                                    "characters",
                                    MF_FIELD_NAME_MAX - 1u);
    }
    (void)fprintf(to, "%u\n", (unsigned)mf_grid_send(o->q, sender, receiver, name, &read));
    return NULL;
}

/* ---- set ENTITY.KEY VALUE */

/* Set the charge that is left, by damage to the battery. */
static const char *set_battery(struct swarm_grid_operator *o, uint32_t drone, int64_t uah)
{
    struct mf_grid_effect *e = next_effect(o);
    const int64_t most = o->g->drone[drone - 1u].body.capacity_uah;
    if (e == NULL) {
        return used_up(o, "changes");
    }
    e->kind = MF_GRID_EFFECT_DAMAGE;
    e->part = MF_GRID_PART_BATTERY;
    e->drone = drone;
    e->amount = mf_grid_drone(o->q, drone).battery_uah - (uah < most ? uah : most);
    return NULL;
}

static const char *set_drone_value(struct swarm_grid_operator *o, uint32_t drone, const char *key,
                                   double value)
{
    struct mf_mover_cell_settings *body = &o->g->drone[drone - 1u].body;
    const struct {
        const char *key;
        int64_t *uah;
    } all[] = {{"move", &body->move_uah},
               {"tick", &body->tick_uah},
               {"per_kg", &body->per_kg_uah},
               {"charge_below", &o->g->drone[drone - 1u].charge_below_uah}};
    const int64_t uah = (int64_t)(value * 1000.0 + 0.5);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(key, all[i].key) == 0) {
            *all[i].uah = uah;
            return NULL;
        }
    }
    if (strcmp(key, "battery") == 0) {
        return set_battery(o, drone, uah);
    }
    if (strcmp(key, "speed") == 0 && value >= 1.0 && value <= 100.0) {
        body->speed = (uint32_t)value;
        return NULL;
    }
    return "a drone has battery, charge_below, move, tick, per_kg [mAh] and speed (1 to 100 cells "
           "a tick)";
}

static const char *set_value(struct swarm_operator *all, const struct swarm_words *w, FILE *to)
{
    static const char k_use[] = "set ENTITY.KEY VALUE: drone.1.battery 500, task.2.deadline 40";
    char entity[SWARM_LINE_MAX];
    double value;
    uint32_t number;
    const char *end = w->count == 3 ? mf_value_number(w->word[2], &value) : NULL;
    const char *dot = w->count == 3 ? strrchr(w->word[1], '.') : NULL;
    (void)to;
    if (end == NULL || *end != '\0' || dot == NULL || !(value >= 0.0 && value <= 1e9)) {
        return k_use;
    }
    (void)snprintf(entity, sizeof entity, "%.*s", (int)(dot - w->word[1]), w->word[1]);
    if (strncmp(entity, "task.", 5) == 0) {
        const char *wrong = read_task_number(grid_operator_of(all), entity + 5, &number);
        if (wrong != NULL || strcmp(dot, ".deadline") != 0) {
            return wrong != NULL ? wrong : "a task has deadline [ticks]";
        }
        grid_operator_of(all)->g->task[number - 1u].deadline = (uint32_t)value;
        return NULL;
    }
    const char *wrong = read_drone_name(grid_operator_of(all), entity, &number);
    return wrong != NULL ? wrong : set_drone_value(grid_operator_of(all), number, dot + 1, value);
}

/* ---- tasks */

/* Why the scenario's reader refused it, without the name of its file. */
static const char *take_error(struct swarm_operator *all)
{
    const char *text = all->w->error;
    const char *behind = strstr(text, ": ");
    (void)swarm_operator_wrong(all, "%s", behind != NULL ? behind + 2 : text);
    all->w->error[0] = '\0';
    return all->why;
}

/* Add a task for the controller of its drone, or for the first controller. */
static const char *add_task(struct swarm_operator *all, const char *text, size_t n,
                            uint32_t *number)
{
    struct swarm_grid_operator *o = grid_operator_of(all);
    struct mf_scenario_task from;
    struct mf_grid_task t;
    if (o->tasked == SWARM_GRID_SPARES) {
        return used_up(o, "tasks");
    }
    if (!mf_scenario_task_read(text, n, &from, all->why)) {
        return all->why;
    }
    if (swarm_grid_read_task(all->w, o->g, 0, &from, &t) != SWARM_OK) {
        return take_error(all);
    }
    t.controller = t.drone != 0 ? o->g->drone[t.drone - 1u].controller : 0u;
    o->g->task[o->g->own_tasks + o->tasked++] = t;
    *number = swarm_grid_count_tasks(o);
    all->changed = true;
    return NULL;
}

/* ---- the table */

const struct swarm_operator_command swarm_grid_commands[] = {
    {"add", "X,Y[,Z]", "a drone like the first one", true, add_drone},
    {"block", "X,Y[,Z]", "a wall, which drones have to find", true, block_cell},
    {"target", "TASK X,Y[,Z]", "the task leads to another cell", true, retarget_task},
    {"goto", "DRONE X,Y[,Z]", "an operator sends a drone there", true, send_drone},
    {"release", "DRONE", "it goes on with its task", true, release_drone},
    {"gripper", "DRONE grab|release", "DO_GRIPPER, and what the world answers", true, use_gripper},
    {"send", "DRONE DRONE|all NAME [VALUE]", "it sends a message to another one, or to all", true,
     send_data},
    {"set", "ENTITY.KEY VALUE", "drone.1.battery 500, task.2.deadline 40", true, set_value},
    {0},
};

const struct mf_api_route swarm_grid_routes[] = {
    SWARM_OPERATOR_ROUTES(k_fields),
    {"POST", "/v1/tasks", MF_API_RAW, MF_API_JSON, swarm_operator_post_task,
     "A task of an operator, to the controller of its drone or the first one", swarm_operator_task,
     swarm_operator_tasked, NULL},
    {0},
};

static const struct swarm_operator_world k_world = {
    .step = "tick",
    .show = show_grid,
    .write = write_grid,
    .task = add_task,
};

void swarm_grid_operate(struct swarm_grid_operator *o, struct swarm *w, struct swarm_grid *g,
                        struct mf_grid *q)
{
    o->all = (struct swarm_operator){.w = w, .world = &k_world, .ctx = o};
    o->g = g;
    o->q = q;
    w->state[SWARM_SLOT_OPERATOR] = &o->all;
}
