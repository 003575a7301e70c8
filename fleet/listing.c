/* SPDX-License-Identifier: Apache-2.0 */
/* Converter of a published grid simulator's JSON files to a scenario: reads and checks what they
 * say. Called by boards/swarm/program/convert. */
#include "fleet/listing.h"

#include "fleet/key_forms.h"
#include "fleet/listing_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAR_CELLS 1e5
#define NOTES_MAX 2048u /* of all files [characters] */

/* ---- values that a file need not give */

static void equipment_defaults(void *equipment)
{
    *(struct listing_equipment *)equipment =
        (struct listing_equipment){.mode = -1, .drone = LISTING_NOBODY};
}

static void drone_defaults(void *drone)
{
    *(struct listing_drone *)drone = (struct listing_drone){.id = LISTING_NOBODY,
                                                            .speed = LISTING_NOBODY,
                                                            .battery = (double)NAN,
                                                            .move = (double)NAN,
                                                            .place = {(double)NAN, 0.0, 0.0}};
}

static void instruction_defaults(void *instruction)
{
    *(struct listing_instruction *)instruction =
        (struct listing_instruction){.kind = -1,
                                     .priority = -1,
                                     .drone = LISTING_NOBODY,
                                     .id = LISTING_NOBODY,
                                     .controller = LISTING_NOBODY,
                                     .ticks = (double)NAN,
                                     .to = {(double)NAN, 0.0, 0.0},
                                     .from = {(double)NAN, 0.0, 0.0}};
}

static void cell_defaults(void *cell)
{
    *(struct listing_cell *)cell = (struct listing_cell){.place = {(double)NAN, 0.0, 0.0}};
}

/* ---- keys: several words for one thing, as lower case with underscores */

/* Read a cell: two or three whole numbers. */
static bool read_cell(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                      void *at)
{
    double *cell = at;
    if (!mf_reading_numbers(r, node, 2, 3, key->low, key->high, cell)) {
        return false;
    }
    return (floor(cell[0]) == cell[0] && floor(cell[1]) == cell[1] && floor(cell[2]) == cell[2]) ||
           mf_reading_refuse(r, mf_node_line(node), "[%g, %g, %g] has parts of a cell", cell[0],
                             cell[1], cell[2]);
}

/* clang-format off */
#define X(name, word) word,
static const char *const k_do[] = {MF_LISTING_DO_LIST(X) NULL};
static const char *const k_mode[] = {MF_GRID_MODE_LIST(X) NULL};
#undef X
static const char *const k_priority[] = {"LOW", "MEDIUM", "HIGH", NULL};

#define EQUIP(field) offsetof(struct listing_equipment, field)
#define DRONE(field) offsetof(struct listing_drone, field)
#define STEP(field)  offsetof(struct listing_instruction, field)
#define CONTROL(field) offsetof(struct listing_controller, field)
#define CELL(field)  offsetof(struct listing_cell, field)
#define TOP(field)   offsetof(struct listing, field)

#define AT(key, at, least, text) \
    {.name = (key), .type = MF_KEY_OTHER, .read = read_cell, .offset = (at), .low = (least), .high = FAR_CELLS, .help = (text)}
/* Some, in a list, or one alone. */
#define SOME(key, of, field, count, table, fresh, text) \
    {.name = (key), .type = MF_KEY_LIST, .offset = offsetof(of, field), .size = sizeof *((of *)0)->field, \
     .count_at = offsetof(of, count), .defaults = (fresh), .keys = &(table), .one = true, .help = (text)}

static const struct mf_key k_equipment[] = {
    NAME("attr", EQUIP(attr), MF_FIELD_NAME_MAX, "attribute of cells"),
    NAME("attribute", EQUIP(attr), MF_FIELD_NAME_MAX, "the same"),
    WORD("direction", EQUIP(direction), mf_scenario_direction_words, "NONE, FORWARD, ..."),
    WORD("mode", EQUIP(mode), k_mode, "of an actuator"),
    WHOLE("range", EQUIP(range), 0, 32, "cells"),
    WHOLE("drone", EQUIP(drone), 0, 1e6, "id of whose it is; all"),
};
static const struct mf_keys k_equipment_keys = {k_equipment, COUNT_OF(k_equipment), NULL, EQUIP(line)};

static const struct mf_key k_drone[] = {
    WHOLE("id", DRONE(id), 0, 1e6, "its number"),
    REAL("battery_max", DRONE(battery), 0, 1e6, "capacity"),
    REAL("battery_move_cost", DRONE(move), 0, 1e6, "of a move"),
    WHOLE("speed", DRONE(speed), 1, 1000, "cells per tick"),
    AT("init_pos", DRONE(place), 0, "where it begins"),
    AT("position", DRONE(place), 0, "the same"),
    SOME("sensors", struct listing_drone, sensor, sensors, k_equipment_keys, equipment_defaults, "of this one"),
    SOME("actuators", struct listing_drone, actuator, actuators, k_equipment_keys, equipment_defaults, "of this one"),
};
static const struct mf_keys k_drone_keys = {k_drone, COUNT_OF(k_drone), NULL, DRONE(line)};

static const struct mf_key k_step[] = {
    WORD("itype", STEP(kind), k_do, "what to do"),
    WORD("type", STEP(kind), k_do, "the same"),
    WORD("instruction", STEP(kind), k_do, "the same"),
    AT("position", STEP(to), 0, "where to"),
    AT("to", STEP(to), 0, "the same"),
    AT("from", STEP(from), 0, "of FROMTO: first there"),
    REAL("time", STEP(ticks), 0, 1e6, "of WAIT [ticks]"),
    WHOLE("execution_time", STEP(deadline), 0, 1e6, "ticks after which it is late"),
    WORD("priority", STEP(priority), k_priority, "LOW, MEDIUM, HIGH"),
    FLAG("tracked", STEP(tracked), "its controller looks after it"),
    WHOLE("drone", STEP(drone), 0, 1e6, "id of who does it"),
    WHOLE("controller", STEP(controller), 0, MF_CONTROLLER_ID_MAX, "id of whose it is"),
    WHOLE("id", STEP(id), 1, 1e6, "number of its task"),
    NAME("attr", STEP(attr), MF_FIELD_NAME_MAX, "of CARRY, GRAB, DROP, ASSIGN, CHANGE: what"),
    NAME("attribute", STEP(attr), MF_FIELD_NAME_MAX, "the same"),
    NAME("value", STEP(value), MF_FIELD_TEXT_MAX, "of CARRY: which one; of ASSIGN, CHANGE: the new one"),
};
static const struct mf_keys k_steps = {k_step, COUNT_OF(k_step), "itype", STEP(line)};
/* clang-format on */

/* ---- tasks */

#define NEEDS_TO    1u
#define NEEDS_FROM  2u
#define NEEDS_TIME  4u
#define NEEDS_ATTR  8u
#define NEEDS_VALUE 16u

/* Refuse an instruction that lacks what its kind needs. */
static bool check_instruction(struct mf_reading *r, const struct listing_instruction *one)
{
    static const unsigned k_needs[LISTING_DOS] = {
        [LISTING_DO_GOTO] = NEEDS_TO,
        [LISTING_DO_FROMTO] = NEEDS_FROM | NEEDS_TO,
        [LISTING_DO_WAIT] = NEEDS_TIME,
        [LISTING_DO_CARRY] = NEEDS_VALUE | NEEDS_TO,
        [LISTING_DO_GRAB] = NEEDS_ATTR,
        [LISTING_DO_DROP] = NEEDS_ATTR,
        [LISTING_DO_ASSIGN] = NEEDS_ATTR | NEEDS_VALUE,
        [LISTING_DO_CHANGE] = NEEDS_ATTR | NEEDS_VALUE,
    };
    const struct {
        unsigned need;
        bool given;
        const char *key;
    } needs[] = {{NEEDS_TO, mf_listing_has(one->to), "position (to)"},
                 {NEEDS_FROM, mf_listing_has(one->from), "from"},
                 {NEEDS_TIME, !isnan(one->ticks), "time"},
                 {NEEDS_ATTR, one->attr[0] != '\0', "attr"},
                 {NEEDS_VALUE, one->value[0] != '\0', "value"}};
    if (one->kind < 0) {
        return mf_reading_refuse(r, one->line, "an instruction lacks IType (type)");
    }
    for (size_t i = 0; i < COUNT_OF(needs); i++) {
        if ((k_needs[one->kind] & needs[i].need) != 0 && !needs[i].given) {
            return mf_reading_refuse(r, one->line, "%s lacks %s", k_do[one->kind], needs[i].key);
        }
    }
    return true;
}

/* Read one instruction, or a list of them. */
static bool read_task(struct mf_reading *r, const struct mf_node *node, struct listing_task *t)
{
    const bool list = mf_node_kind(node) == MF_NODE_LIST;
    const size_t n = list ? mf_node_count(node) : 1;
    if (n == 0 || n > MF_SCENARIO_STEPS_MAX) {
        return mf_reading_refuse(r, mf_node_line(node), "a task has 1 to %u instructions",
                                 MF_SCENARIO_STEPS_MAX);
    }
    t->one = mf_reading_array(r, mf_node_line(node), n, sizeof *t->one);
    bool good = t->one != NULL;
    for (size_t i = 0; good && i < n; i++) {
        struct listing_instruction *one = &t->one[t->count++];
        instruction_defaults(one);
        good = mf_keys_read(r, &k_steps, list ? mf_node_at(r->tree, node, i) : node, one) &&
               check_instruction(r, one);
    }
    return good;
}

/* Read a list of tasks. */
static bool read_tasks(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    struct listing_controller *c = at;
    const size_t n = mf_node_count(node);
    (void)key;
    if (mf_node_kind(node) != MF_NODE_LIST) {
        return mf_reading_refuse(r, mf_node_line(node), "must be a list of tasks");
    }
    c->task = mf_reading_array(r, mf_node_line(node), n, sizeof *c->task);
    bool good = c->task != NULL;
    for (size_t i = 0; good && i < n; i++) {
        good = read_task(r, mf_node_at(r->tree, node, i), &c->task[c->tasks++]);
    }
    return good;
}

/* clang-format off */
static const struct mf_key k_controller[] = {
    WHOLE("id", CONTROL(id), 0, MF_CONTROLLER_ID_MAX, "0"),
    OTHER("tasks", 0, read_tasks, "lists of instructions"),
};
static const struct mf_keys k_controllers = {k_controller, COUNT_OF(k_controller), NULL, SIZE_MAX};

static const struct mf_key k_cell[] = {
    AT("position", CELL(place), 0, "which cell"),
    AT("pos", CELL(place), 0, "the same"),
    FLAG("blocked", CELL(blocked), "nobody can be there"),
    FLAG("charger", CELL(charger), "there is a charger"),
    NAME("attr", CELL(attr), MF_FIELD_NAME_MAX, "name of an attribute"),
    NAME("attribute", CELL(attr), MF_FIELD_NAME_MAX, "the same"),
    NAME("value", CELL(value), MF_FIELD_TEXT_MAX, "its value"),
};
static const struct mf_keys k_cells = {k_cell, COUNT_OF(k_cell), NULL, CELL(line)};

static const struct mf_key k_top[] = {
    AT("size", TOP(size), 1, "of the environment [cells]"),
    SOME("cells", struct listing, cell, cells, k_cells, cell_defaults, "of the environment"),
    SOME("drones", struct listing, drone, drones, k_drone_keys, drone_defaults, "who flies"),
    SOME("sensors", struct listing, sensor, sensors, k_equipment_keys, equipment_defaults, "of drones"),
    SOME("actuators", struct listing, actuator, actuators, k_equipment_keys, equipment_defaults, "of drones"),
    SOME("controllers", struct listing, controller, controllers, k_controllers, NULL, "who hands out tasks"),
    OTHER("tasks", TOP(own), read_tasks, "of controller 0"),
};
/* clang-format on */
static const struct mf_keys k_keys = {k_top, COUNT_OF(k_top), NULL, SIZE_MAX};

/* ---- what is missing in a file */

static bool check_equipment(struct mf_reading *r, const struct listing_equipment *e, uint32_t count,
                            bool actuators)
{
    for (uint32_t i = 0; i < count; i++) {
        if (e[i].attr[0] == '\0' || (actuators && e[i].mode < 0)) {
            return mf_reading_refuse(r, e[i].line, "%s lacks %s",
                                     actuators ? "an actuator" : "a sensor",
                                     e[i].attr[0] == '\0' ? "attr" : "mode");
        }
    }
    return true;
}

static bool check_drone(struct mf_reading *r, const struct listing_drone *d)
{
    const struct {
        bool given;
        const char *key;
    } needs[] = {{d->id != LISTING_NOBODY, "id"},
                 {!isnan(d->battery), "battery_max"},
                 {!isnan(d->move), "battery_move_cost"},
                 {d->speed != LISTING_NOBODY, "speed"},
                 {mf_listing_has(d->place), "init_pos"}};
    char lacks[80] = "";
    for (size_t i = 0; i < COUNT_OF(needs); i++) {
        const size_t n = strlen(lacks);
        if (!needs[i].given) {
            (void)snprintf(lacks + n, sizeof lacks - n, "%s%s", n > 0 ? ", " : "", needs[i].key);
        }
    }
    return (lacks[0] == '\0' || mf_reading_refuse(r, d->line, "a drone lacks %s", lacks)) &&
           check_equipment(r, d->sensor, d->sensors, false) &&
           check_equipment(r, d->actuator, d->actuators, true);
}

static bool check_cell(struct mf_reading *r, const struct listing_cell *c)
{
    if (!mf_listing_has(c->place)) {
        return mf_reading_refuse(r, c->line, "a cell lacks position");
    }
    return (c->attr[0] == '\0') == (c->value[0] == '\0') ||
           mf_reading_refuse(r, c->line, "a cell's attribute lacks %s",
                             c->attr[0] == '\0' ? "attr" : "value");
}

static bool check_contents(struct mf_reading *r, const struct listing *l)
{
    bool good = check_equipment(r, l->sensor, l->sensors, false) &&
                check_equipment(r, l->actuator, l->actuators, true);
    for (uint32_t i = 0; good && i < l->drones; i++) {
        good = check_drone(r, &l->drone[i]);
    }
    for (uint32_t i = 0; good && i < l->cells; i++) {
        good = check_cell(r, &l->cell[i]);
    }
    return good;
}

static bool read_file(struct mf_reading *r, const struct mf_listing_file *file, struct listing *l,
                      char *note, size_t room)
{
    const struct mf_node *root;
    struct mf_yaml_error wrong = {0};
    struct listing_text plain = mf_listing_plain(file->text, file->n);
    r->file = file->name;
    r->path[0] = '\0';
    l->size[0] = (double)NAN;
    if (plain.text == NULL) {
        return mf_reading_refuse(r, 1, "no memory to read it");
    }
    struct mf_yaml *tree = mf_yaml_read_text(plain.text, plain.n, &root, &wrong);
    bool good = false;
    if (tree == NULL) {
        (void)mf_reading_refuse(r, wrong.line, "%s", wrong.reason);
    } else if (root == NULL || mf_node_kind(root) != MF_NODE_MAP) {
        (void)mf_reading_refuse(r, 1, "must be an object with drones, controllers or cells");
    } else {
        r->tree = tree;
        good = mf_keys_read(r, &k_keys, root, l);
        r->path[0] = good ? '\0' : r->path[0];
        good = good && check_contents(r, l);
    }
    if (plain.note[0] != '\0') {
        (void)snprintf(note, room, "# %.120s:%s\n", file->name, plain.note);
    }
    mf_yaml_free(tree);
    free(plain.text);
    return good;
}

/* ---- what all files say together */

static const struct listing_drone *find_drone(const struct listing *l, size_t count, uint32_t id,
                                              const struct listing_drone *but)
{
    for (size_t f = 0; f < count; f++) {
        for (uint32_t i = 0; i < l[f].drones; i++) {
            if (l[f].drone[i].id == id && &l[f].drone[i] != but) {
                return &l[f].drone[i];
            }
        }
    }
    return NULL;
}

static bool check_id(struct mf_reading *r, const struct listing *l, size_t count, int line,
                     uint32_t id)
{
    return id == LISTING_NOBODY || find_drone(l, count, id, NULL) != NULL ||
           mf_reading_refuse(r, line, "no drone has the id %u", (unsigned)id);
}

static bool check_ids_of_tasks(struct mf_reading *r, const struct listing *l, size_t count,
                               const struct listing_controller *c)
{
    bool good = true;
    for (uint32_t i = 0; i < c->tasks; i++) {
        for (uint32_t k = 0; good && k < c->task[i].count; k++) {
            good = check_id(r, l, count, c->task[i].one[k].line, c->task[i].one[k].drone);
        }
    }
    return good;
}

/* Refuse ids that two drones of all files have, and those that none has. */
static bool check_ids(struct mf_reading *r, const struct mf_listing_file *files,
                      const struct listing *l, size_t count)
{
    bool good = true;
    for (size_t f = 0; good && f < count; f++) {
        r->file = files[f].name;
        for (uint32_t i = 0; good && i < l[f].drones; i++) {
            const struct listing_drone *d = &l[f].drone[i];
            good = find_drone(l, count, d->id, d) == NULL ||
                   mf_reading_refuse(r, d->line, "two drones have the id %u", (unsigned)d->id);
        }
        for (uint32_t i = 0; good && i < l[f].sensors; i++) {
            good = check_id(r, l, count, l[f].sensor[i].line, l[f].sensor[i].drone);
        }
        for (uint32_t i = 0; good && i < l[f].actuators; i++) {
            good = check_id(r, l, count, l[f].actuator[i].line, l[f].actuator[i].drone);
        }
        for (uint32_t i = 0; good && i < l[f].controllers; i++) {
            good = check_ids_of_tasks(r, l, count, &l[f].controller[i]);
        }
        good = good && check_ids_of_tasks(r, l, count, &l[f].own);
    }
    return good;
}

/* Tasks that are counted. */
struct counting {
    struct mf_reading *r;
    const struct mf_listing_file *files;
    uint32_t tasks;
};

/* Refuse a task of another controller than the one in whose list it stands, and one whose id is not
 * its number: the world numbers tasks itself. */
static bool check_task(void *ctx, size_t f, uint32_t controller, const struct listing_task *t)
{
    struct counting *c = ctx;
    c->r->file = c->files[f].name;
    c->tasks += t != NULL ? 1u : 0u;
    for (uint32_t k = 0; t != NULL && k < t->count; k++) {
        const struct listing_instruction *one = &t->one[k];
        if (one->controller != LISTING_NOBODY && one->controller != controller) {
            return mf_reading_refuse(c->r, one->line,
                                     "an instruction of controller %u is in a task of controller "
                                     "%u",
                                     (unsigned)one->controller, (unsigned)controller);
        }
        if (one->id != LISTING_NOBODY && one->id != c->tasks) {
            return mf_reading_refuse(c->r, one->line,
                                     "task %u has the id %u: tasks count from 1, by controllers, "
                                     "in their order; leave out id",
                                     (unsigned)c->tasks, (unsigned)one->id);
        }
    }
    return true;
}

static void widen(double size[3], const double place[3])
{
    for (int axis = 0; mf_listing_has(place) && axis < 3; axis++) {
        size[axis] = fmax(size[axis], place[axis] + 1.0);
    }
}

static void widen_by_tasks(double size[3], const struct listing_controller *c)
{
    for (uint32_t i = 0; i < c->tasks; i++) {
        for (uint32_t k = 0; k < c->task[i].count; k++) {
            widen(size, c->task[i].one[k].to);
            widen(size, c->task[i].one[k].from);
        }
    }
}

/* Find the size of the environment. @return false: no file has one, and it is the smallest that
 * holds all places */
static bool find_size(const struct listing *l, size_t count, double size[3])
{
    size[0] = size[1] = size[2] = 1.0;
    for (size_t f = 0; f < count; f++) {
        if (mf_listing_has(l[f].size)) {
            memcpy(size, l[f].size, sizeof l[f].size);
            size[2] = fmax(size[2], 1.0);
            return true;
        }
        for (uint32_t i = 0; i < l[f].cells; i++) {
            widen(size, l[f].cell[i].place);
        }
        for (uint32_t i = 0; i < l[f].drones; i++) {
            widen(size, l[f].drone[i].place);
        }
        for (uint32_t i = 0; i < l[f].controllers; i++) {
            widen_by_tasks(size, &l[f].controller[i]);
        }
        widen_by_tasks(size, &l[f].own);
    }
    return false;
}

/* Refuse a cell outside the environment, whose size a file gives. */
static bool check_cells(struct mf_reading *r, const struct mf_listing_file *files,
                        const struct listing *l, size_t count, const double size[3])
{
    for (size_t f = 0; f < count; f++) {
        r->file = files[f].name;
        for (uint32_t i = 0; i < l[f].cells; i++) {
            const double *at = l[f].cell[i].place;
            if (at[0] >= size[0] || at[1] >= size[1] || at[2] >= size[2]) {
                return mf_reading_refuse(r, l[f].cell[i].line,
                                         "[%g, %g, %g] is not a cell of %g x %g x %g", at[0], at[1],
                                         at[2], size[0], size[1], size[2]);
            }
        }
    }
    return true;
}

/* ---- conversion */

/* Replace control characters, which a file's name or an unknown key may contain.
 * @param kept  one that stays */
static void keep_to_lines(char *text, char kept)
{
    for (; *text != '\0'; text++) {
        *text = (unsigned char)*text < ' ' && *text != kept ? '?' : *text;
    }
}

static bool read_files(struct mf_reading *r, const struct mf_listing_file *files, size_t count,
                       struct listing *l, char *notes)
{
    uint32_t drones = 0;
    for (size_t f = 0; f < count; f++) {
        const size_t n = strlen(notes);
        if (!read_file(r, &files[f], &l[f], notes + n, NOTES_MAX - n)) {
            return false;
        }
        drones += l[f].drones;
    }
    return (drones > 0 || mf_reading_refuse(r, 1, "no file has drones")) &&
           check_ids(r, files, l, count) &&
           mf_listing_visit_tasks(l, count, check_task, &(struct counting){r, files, 0});
}

static bool convert(struct mf_reading *r, const struct mf_listing_file *files, size_t count,
                    struct listing *l, FILE *to)
{
    double size[3];
    char notes[NOTES_MAX] = "";
    if (!read_files(r, files, count, l, notes)) {
        return false;
    }
    if (!find_size(l, count, size)) {
        const size_t n = strlen(notes);
        (void)snprintf(notes + n, NOTES_MAX - n,
                       "# no file has the size: %.0f x %.0f x %.0f cells hold all places\n",
                       size[0], size[1], size[2]);
    }
    if (!check_cells(r, files, l, count, size)) {
        return false;
    }
    keep_to_lines(notes, '\n');
    (void)fputs(notes, to);
    mf_listing_write(l, count, size, to);
    return true;
}

int mf_listing_convert(const struct mf_listing_file *files, size_t count, FILE *to, char *error)
{
    struct mf_reading *r = calloc(1, sizeof *r);
    struct listing *l = calloc(count + 1u, sizeof *l);
    (void)snprintf(error, MF_KEYS_ERROR_MAX, "no memory to read it");
    const bool good = r != NULL && l != NULL && convert(r, files, count, l, to);
    if (!good && r != NULL && l != NULL) {
        (void)snprintf(error, MF_KEYS_ERROR_MAX, "%s", r->error);
        keep_to_lines(error, '\0');
    }
    if (r != NULL) {
        mf_keys_free(r->blocks);
    }
    free(l);
    free(r);
    return good ? MF_E_OK : MF_E_RANGE;
}
