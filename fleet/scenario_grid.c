/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, defaults and checks of worlds of cells. Called by fleet/scenario and scenario_keys, and
 * boards/swarm/grid_operator. */
#include "fleet/scenario_grid.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL(field)    offsetof(struct mf_scenario_cell, field)
#define ACT(field)     offsetof(struct mf_scenario_actuator, field)
#define STEP(field)    offsetof(struct mf_scenario_step, field)
#define TASK(field)    offsetof(struct mf_scenario_task, field)
#define ORDER(field)   offsetof(struct mf_scenario_order, field)
#define CONTROL(field) offsetof(struct mf_scenario_controller, field)
#define EFFECT(field)  offsetof(struct mf_scenario_effect, field)
#define LAYER(field)   offsetof(struct mf_scenario_layer, field)
#define GRID(field)    offsetof(struct mf_scenario_grid, field)
#define FAR_CELLS      MF_SCENARIO_CELL_FAR
#define TICKS_MAX      1e6
#define MAH_MAX        1e6

/* ---- defaults of lists */

static void step_defaults(struct mf_scenario_step *s)
{
    s->go[0] = s->from[0] = s->to[0] = s->wait = (double)NAN;
    (void)memcpy(s->attr, "package", sizeof "package");
}

static void task_defaults(void *task)
{
    struct mf_scenario_task *t = task;
    t->priority = MF_GRID_PRIORITY_NORMAL;
    step_defaults(&t->step);
    for (uint32_t k = 0; k < MF_SCENARIO_STEPS_MAX; k++) {
        step_defaults(&t->more[k]);
    }
}

static void order_defaults(void *order)
{
    ((struct mf_scenario_order *)order)->go[0] = (double)NAN;
}

static void effect_defaults(void *effect)
{
    struct mf_scenario_effect *e = effect;
    e->at = 1;
    e->from[0] = e->to[0] = (double)NAN;
    e->amount = 2.0;
}

/* clang-format off */
#define X(name, word) word,
const char *const mf_scenario_direction_words[] = {MF_GRID_DIRECTION_LIST(X) NULL};
static const char *const k_mode[] = {MF_GRID_MODE_LIST(X) NULL};
static const char *const k_priority[] = {MF_GRID_PRIORITY_LIST(X) NULL};
static const char *const k_kind[] = {MF_GRID_KIND_LIST(X) NULL};
static const char *const k_from[] = {MF_GRID_FROM_LIST(X) NULL};
static const char *const k_return[] = {MF_GRID_RETURN_LIST(X) NULL};
static const char *const k_autonomy[] = {MF_GRID_AUTONOMY_LIST(X) NULL};
static const char *const k_effect[] = {MF_GRID_EFFECT_LIST(X) NULL};
static const char *const k_part[] = {MF_GRID_PART_LIST(X) NULL};
#undef X
#define X(name) #name,
static const char *const k_message[] = {MF_MESSAGE_LIST(X) "all", NULL};
#undef X
static const char *const k_heading[] = {"east", "west", "north", "south", NULL};
static const char *const k_compat[] = {"none", "lds", NULL};

/* ---- space */

static const struct mf_key k_cells[] = {
    TRIPLE("size", GRID(size), 1, FAR_CELLS, "[along x, along y, levels]; one level"),
    REAL("metres", GRID(metres), 0.001, 1e5, "side of a cell [m]; 10"),
};
const struct mf_keys mf_scenario_cells_keys = {k_cells, COUNT_OF(k_cells), NULL, GRID(line)};

/* ---- entities */

static const struct mf_key k_cell[] = {
    WORD("autonomy", CELL(autonomy), k_autonomy, "manual: obeys an operator only; guided: takes tasks, asks for ways; planning: plans its ways itself; guided"),
    WORD("heading", CELL(heading), k_heading, "where it looks to at first: east, west, north, south; then along its last move; east"),
    PLACE("to", CELL(to), FAR_CELLS, "mover: where it goes, and back"),
    WHOLE("every", CELL(every), 1, TICKS_MAX, "mover: ticks for a cell; 1"),
    NAME("attr", CELL(attr), MF_FIELD_NAME_MAX, "mover: attribute that it takes along"),
    NAME("value", CELL(value), MF_FIELD_TEXT_MAX, "mover: its value; 1"),
};
const struct mf_keys mf_scenario_cell_keys = {k_cell, COUNT_OF(k_cell), NULL, SIZE_MAX};

static const struct mf_key k_battery[] = {
    REAL("mah", CELL(mah), 0, MAH_MAX, "[mAh]; 0: it needs none"),
    REAL("move", CELL(move), 0, MAH_MAX, "[mAh] a move; 10"),
    REAL("tick", CELL(tick), 0, MAH_MAX, "[mAh] a tick, whatever it does; 0"),
    REAL("per_kg", CELL(per_kg), 0, MAH_MAX, "[mAh] a move, for each kilogram that it carries; 0"),
    REAL("charge_below", CELL(charge_below), 0, 1, "part at which it goes to a charger, or home to its hive; 0.2"),
    REAL("draw", CELL(draw_ma), 0, 1e6, "in the air, of a member of a hive [mA]; 5000"),
};
const struct mf_keys mf_scenario_battery_keys = {k_battery, COUNT_OF(k_battery), "mah", SIZE_MAX};

static const struct mf_key k_actuator[] = {
    NAME("attr", ACT(attr), MF_FIELD_NAME_MAX, "attribute that it works on"),
    WORD("mode", ACT(mode), k_mode, "GRAB: takes and drops it; DROP: drops it, elsewhere than GRAB; ASSIGN: makes it; CHANGE: alters it"),
    WORD("direction", ACT(direction), mf_scenario_direction_words, "NONE: cells within its range; FORWARD, ...: those ahead, behind, to the left or right, up to its range"),
    WHOLE("range", ACT(range), 0, 32, "cells; 0"),
};
const struct mf_keys mf_scenario_actuator_keys = {k_actuator, COUNT_OF(k_actuator), NULL, SIZE_MAX};

/* ---- tasks */

#define STEP_KEYS                                                                                   \
    PLACE("goto", STEP(go), FAR_CELLS, "cell to fly to"), PLACE("from", STEP(from), FAR_CELLS, "cell at which something is fetched, before to"), \
    PLACE("to", STEP(to), FAR_CELLS, "of from and carry: cell at which it is dropped"),                                              \
    NAME("carry", STEP(carry), MF_FIELD_TEXT_MAX, "value of the attribute that is fetched and dropped"), \
    NAME("attr", STEP(attr), MF_FIELD_NAME_MAX, "attribute of carry; package"),                                  \
    REAL("wait", STEP(wait), 0, TICKS_MAX, "number of ticks to wait"),                                           \
    FLAG("go_home", STEP(go_home), "true: to the cell where the drone began"),                                        \
    NAME("grab", STEP(grab), MF_FIELD_NAME_MAX, "attribute of the cell that is taken"),                              \
    NAME("drop", STEP(drop), MF_FIELD_NAME_MAX, "attribute that was grabbed and is dropped"),                                   \
    NAME("assign", STEP(assign), MF_FIELD_NAME_MAX, "attribute that gets a value for the first time"), \
    NAME("change", STEP(change), MF_FIELD_NAME_MAX, "attribute that gets another value"),              \
    NAME("send", STEP(send), MF_FIELD_NAME_MAX, "name of a message to another drone"),                \
    NAME("receiver", STEP(receiver), MF_SCENARIO_MEMBER_MAX, "drone that gets the message of send; all other drones"),    \
    NAME("await", STEP(await), MF_FIELD_NAME_MAX, "name of a message from another drone, for which the drone waits"), \
    NAME("value", STEP(value), MF_FIELD_TEXT_MAX, "value for assign, change and send, or that await waits for; any")

static const struct mf_key k_step[] = {STEP_KEYS};
static const struct mf_keys k_steps = {k_step, COUNT_OF(k_step), NULL, STEP(line)};

static const struct mf_key k_task[] = {
    STEP_KEYS,
    {.name = "do", .type = MF_KEY_ARRAY, .offset = TASK(more), .size = sizeof(struct mf_scenario_step),
     .most = MF_SCENARIO_STEPS_MAX, .count_at = TASK(steps), .keys = &k_steps, .help = "several tasks, in order"},
    WORD("priority", TASK(priority), k_priority, "high before normal before low; normal"),
    WHOLE("deadline", TASK(deadline), 1, TICKS_MAX, "number of ticks from the assignment to the deadline"),
    FLAG("tracked", TASK(tracked), "its controller revokes it and queues it again if its drone is late, silent, too weak, or fails; false"),
    REAL("kg", TASK(kg), 0, 1000, "mass that is carried [kg]; 0"),
    NAME("drone", TASK(drone), MF_SCENARIO_MEMBER_MAX, "name of the drone that gets the task; any"),
    NAME("needs", TASK(needs), MF_FIELD_NAME_MAX, "attribute that a sensor of the drone must have"),
};
static const struct mf_keys k_tasks = {k_task, COUNT_OF(k_task), NULL, STEP(line)};
_Static_assert(TASK(step) == 0, "keys of a step are read into the task");

/* ---- controllers */

static const struct mf_key k_scheduler[] = {
    WORD("kind", CONTROL(kind), k_kind, "queue: free drones in their order; trust: those that are trusted most, for low priority the nearest; own: a plug-in's; queue"),
    WORD("from", CONTROL(from), k_from, "where estimates begin: here, home; here"),
    WORD("go_home", CONTROL(go_home), k_return, "never; when_idle: without another task; always: after each task; when_idle"),
    WHOLE("silent", CONTROL(silent), 1, TICKS_MAX, "ticks without a message after which a drone counts as silent; 5"),
    WHOLE("tries", CONTROL(tries), 1, 1000, "maximum number of times that a tracked task is given; 3"),
    MF_SCENARIO_OWN_KEYS(CONTROL(own_scheduler)),
};
static const struct mf_keys k_scheduler_keys = {k_scheduler, COUNT_OF(k_scheduler), "kind", SIZE_MAX};

static const struct mf_key k_trust[] = {
    REAL("alpha", CONTROL(trust.alpha), 0, 1, "weight of time; 1"),
    REAL("beta", CONTROL(trust.beta), 0, 1, "weight of the battery, 1 - alpha; 0"),
    REAL("failed", CONTROL(trust.failed), 0, 1, "score of a task that failed or was revoked; 0.5"),
    REAL("exclude_below", CONTROL(trust.exclude_below), 0, 1, "a drone with less trust gets no task; 0"),
    WORD("compat", CONTROL(trust.compat), k_compat, "lds: as published, without a cap; none"),
    MF_SCENARIO_OWN_KEYS(CONTROL(own_trust)),
};
static const struct mf_keys k_trust_keys = {k_trust, COUNT_OF(k_trust), NULL, SIZE_MAX};

static const struct mf_key k_order[] = {
    WHOLE("at", ORDER(at), 1, TICKS_MAX, "tick"),
    NAME("drone", ORDER(drone), MF_SCENARIO_MEMBER_MAX, "member"),
    PLACE("goto", ORDER(go), FAR_CELLS, "it leaves its task, goes there and stays"),
    FLAG("play", ORDER(play), "it goes on with its task"),
};
static const struct mf_keys k_orders = {k_order, COUNT_OF(k_order), NULL, ORDER(line)};

static const struct mf_key k_controller[] = {
    WHOLE("id", CONTROL(id), 0, MF_CONTROLLER_ID_MAX, "its address; 0"),
    NAME("of", CONTROL(of), MF_SCENARIO_MEMBER_MAX, "entity or member that it controls; all that no other controller has"),
    {.name = "scheduler", .type = MF_KEY_MAP, .keys = &k_scheduler_keys, .help = "rule by which tasks are given to drones"},
    {.name = "trust", .type = MF_KEY_MAP, .keys = &k_trust_keys, .help = "in drones: after each task it is multiplied by alpha * score + beta * battery"},
    LIST_OF("tasks", struct mf_scenario_controller, task, tasks, 0, k_tasks, task_defaults, "tasks that must be done"),
    LIST_OF("operator", struct mf_scenario_controller, order, orders, 0, k_orders, order_defaults, "orders of a person, by a script"),
};
const struct mf_keys mf_scenario_controller_keys = {k_controller, COUNT_OF(k_controller), NULL, CONTROL(line)};

/* ---- effector */

static const struct mf_key k_script[] = {
    WORD("kind", EFFECT(kind), k_effect, "block a box; edit an attribute; damage a part of a drone; kill a drone; prolong, fail a task; weather in a box; a bird; cyberattack on a drone; network"),
    WHOLE("at", EFFECT(at), 1, TICKS_MAX, "tick; 1"),
    REAL("chance", EFFECT(chance), 0, 1, "in each tick from at on, instead of once; cell, drone or task, unless given, are drawn: of block, edit, damage, kill, prolong, fail; 0: none"),
    WHOLE("ticks", EFFECT(ticks), 1, TICKS_MAX, "how long; for ever"),
    PLACE("from", EFFECT(from), FAR_CELLS, "cell; a box's corner; where a bird comes from"),
    PLACE("to", EFFECT(to), FAR_CELLS, "a box's other corner; where a bird goes; where a cyberattack sends the drone"),
    NAME("drone", EFFECT(drone), MF_SCENARIO_MEMBER_MAX, "member; network: all without it"),
    WHOLE("task", EFFECT(task), 1, MF_GRID_TASKS_MAX, "prolong, fail: the first one is 1"),
    WORD("part", EFFECT(part), k_part, "damage"),
    REAL("amount", EFFECT(amount), 0, MAH_MAX, "weather, speed: it moves in one tick of these; battery: [mAh] lost; 2"),
    NAME("attr", EFFECT(attr), MF_FIELD_NAME_MAX, "edit"),
    NAME("value", EFFECT(value), MF_FIELD_TEXT_MAX, "edit"),
};
static const struct mf_keys k_scripts = {k_script, COUNT_OF(k_script), NULL, EFFECT(line)};
/* clang-format on */

static bool read_prolong(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                         void *at)
{
    struct mf_scenario_grid *g = at;
    g->prolongs = (uint32_t)mf_node_count(node);
    g->prolong = mf_reading_array(r, mf_node_line(node), g->prolongs, sizeof *g->prolong);
    return g->prolong != NULL &&
           mf_reading_numbers(r, node, 1, SIZE_MAX, key->low, key->high, g->prolong);
}

static const struct mf_key k_effector[] = {
    FLAG("on", GRID(effector), "false: nothing of this happens; false"),
    {.name = "prolong",
     .type = MF_KEY_OTHER,
     .read = read_prolong,
     .low = 0,
     .high = TICKS_MAX,
     .help = "[ticks, ...]: how much longer each task takes, in order"},
    LIST_OF("script", struct mf_scenario_grid, effect, effects, 0, k_scripts, effect_defaults,
            "events, with their ticks"),
};
const struct mf_keys mf_scenario_effector_keys = {k_effector, COUNT_OF(k_effector), NULL, SIZE_MAX};

static const struct mf_key k_messages[] = {
    NAME("file", GRID(messages.file), MF_SCENARIO_MESSAGES_FILE_MAX,
         "where to; without it to the terminal"),
    WORD("type", GRID(messages.type), k_message, "values that are shown; all"),
    FLAG("once", GRID(messages.once), "equal contents once; false"),
};
const struct mf_keys mf_scenario_message_keys = {k_messages, COUNT_OF(k_messages), "file",
                                                 SIZE_MAX};

/* ---- lists of cells and attributes */

bool mf_scenario_read_cells(struct mf_reading *r, const struct mf_key *key,
                            const struct mf_node *node, void *at)
{
    static const struct mf_reading_rows k_rows = {.least = 2, .size = 3};
    struct mf_scenario_cell_list *list = at;
    list->line = mf_node_line(node);
    list->cell = mf_reading_number_rows(r, key, node, &k_rows, &list->count);
    return list->cell != NULL;
}

static bool copy_text(struct mf_reading *r, const struct mf_node *node, char *to, size_t room)
{
    char text[MF_KEYS_TEXT_MAX];
    if (!mf_reading_text(r, node, text)) {
        return false;
    }
    if (strlen(text) >= room) {
        return mf_reading_refuse(r, mf_node_line(node), "'%.40s' must have less than %u characters",
                                 text, (unsigned)room);
    }
    memcpy(to, text, strlen(text) + 1u);
    return true;
}

static bool read_rows(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                      void *at)
{
    struct mf_scenario_layer *layer = at;
    (void)key;
    layer->line = mf_node_line(node);
    layer->rows = mf_reading_block(r, node);
    return layer->rows != NULL;
}

static const struct mf_key k_layer[] = {
    NAME("attr", LAYER(name), MF_FIELD_NAME_MAX, "name of the attribute"),
    WHOLE("level", LAYER(level), 0, FAR_CELLS, "z of the cells; 0"),
    OTHER("rows", 0, read_rows, "a line of values per row"),
};
static const struct mf_keys k_layers = {k_layer, COUNT_OF(k_layer), NULL, SIZE_MAX};

static bool read_layer(struct mf_reading *r, const struct mf_node *node,
                       struct mf_scenario_layer *layer)
{
    return mf_keys_read(r, &k_layers, node, layer) &&
           ((layer->rows != NULL && layer->name[0] != '\0') ||
            mf_reading_refuse(r, mf_node_line(node), "a layer has attr and rows"));
}

static bool read_attribute(struct mf_reading *r, const struct mf_node *node,
                           struct mf_scenario_attribute *a)
{
    const size_t of = mf_node_count(node);
    if (mf_node_kind(node) != MF_NODE_LIST || of < 4 || of > 5) {
        return mf_reading_refuse(r, mf_node_line(node),
                                 "an attribute is [x, y, name, value] or [x, y, z, name, value], "
                                 "or {attr: name, rows: ...} for all cells of a level");
    }
    a->line = mf_node_line(node);
    for (size_t k = 0; k < of - 2u; k++) {
        if (!mf_reading_number(r, mf_node_at(r->tree, node, k), 0, FAR_CELLS, &a->cell[k])) {
            return false;
        }
    }
    return copy_text(r, mf_node_at(r->tree, node, of - 2u), a->name, sizeof a->name) &&
           copy_text(r, mf_node_at(r->tree, node, of - 1u), a->value, sizeof a->value);
}

bool mf_scenario_read_attributes(struct mf_reading *r, const struct mf_key *key,
                                 const struct mf_node *node, void *at)
{
    struct mf_scenario_grid *g = at;
    const size_t n = mf_node_count(node);
    uint32_t layers = 0;
    (void)key;
    if (mf_node_kind(node) != MF_NODE_LIST) {
        return mf_reading_refuse(r, mf_node_line(node), "must be a list of attributes");
    }
    for (size_t i = 0; i < n; i++) {
        layers += mf_node_kind(mf_node_at(r->tree, node, i)) == MF_NODE_MAP ? 1u : 0u;
    }
    g->layers = g->attributes = 0;
    g->layer = mf_reading_array(r, mf_node_line(node), layers, sizeof *g->layer);
    g->attribute = g->layer != NULL
                       ? mf_reading_array(r, mf_node_line(node), n - layers, sizeof *g->attribute)
                       : NULL;
    bool good = g->attribute != NULL;
    for (size_t i = 0; good && i < n; i++) {
        const struct mf_node *one = mf_node_at(r->tree, node, i);
        good = mf_node_kind(one) == MF_NODE_MAP
                   ? read_layer(r, one, &g->layer[g->layers++])
                   : read_attribute(r, one, &g->attribute[g->attributes++]);
    }
    return good;
}

/* ---- defaults */

void mf_scenario_grid_defaults(struct mf_scenario_grid *g)
{
    memset(g, 0, sizeof *g);
    g->metres = 10.0;
    g->tick_s = 1.0;
    g->size[2] = 1.0;
    g->messages.type = MF_MESSAGE_TYPES;
}

void mf_scenario_controller_defaults(void *controller)
{
    *(struct mf_scenario_controller *)controller = (struct mf_scenario_controller){
        .go_home = MF_GRID_RETURN_WHEN_IDLE,
        .silent = 5,
        .tries = 3,
        .trust = {.alpha = 1.0, .beta = (double)NAN, .failed = 0.5}};
}

void mf_scenario_cell_defaults(struct mf_scenario_cell *c)
{
    *c = (struct mf_scenario_cell){.move = 10.0,
                                   .charge_below = 0.2,
                                   .draw_ma = 5000.0,
                                   .autonomy = MF_GRID_AUTONOMY_GUIDED,
                                   .rate = 100.0,
                                   .every = 1,
                                   .to = {(double)NAN, 0.0, 0.0},
                                   .value = "1"};
}

/* ---- checks */

bool mf_scenario_cell_check(struct mf_reading *r, struct mf_scenario *s,
                            struct mf_scenario_entity *e)
{
    if (mf_scenario_goes_by_steps(s)) {
        return true; /* a search or a world of cells checks its members later */
    }
    if (e->body.kind == MF_SCENARIO_BODY_CELL || e->object.thing == MF_SCENARIO_THING_CHARGER ||
        e->object.thing == MF_SCENARIO_THING_MOVER || e->cell.actuators > 0) {
        return mf_entity_refuse(
            r, e, "%s: body cell, thing charger and mover, and actuators need space.cells");
    }
    return s->planner.kind >= 0 || (e->seeker.seeks[0] == '\0' && e->cell.mah <= 0.0) ||
           mf_entity_refuse(r, e, "%s: seeks and battery need a plan, a planner or space.cells");
}

/* ---- a single task */

bool mf_scenario_task_read(const char *text, size_t n, struct mf_scenario_task *task, char *error)
{
    const struct mf_node *root = NULL;
    struct mf_yaml_error wrong = {.line = 1};
    struct mf_reading *r = calloc(1, sizeof *r);
    struct mf_yaml *tree = mf_yaml_read_text(text, n, &root, &wrong);
    bool good = r != NULL && tree != NULL;
    memset(task, 0, sizeof *task);
    task_defaults(task);
    if (good) {
        r->file = "task";
        r->tree = tree;
        r->foreign = true;
        good = root != NULL && mf_node_kind(root) == MF_NODE_MAP
                   ? mf_keys_read(r, &k_tasks, root, task)
                   : mf_reading_refuse(r, 1, "a task is a map such as {goto: [3, 4]}");
        (void)memcpy(error, r->error, MF_KEYS_ERROR_MAX);
    } else {
        (void)snprintf(error, MF_KEYS_ERROR_MAX, "task:%d: %s", wrong.line, wrong.reason);
    }
    mf_yaml_free(tree);
    free(r);
    return good;
}
