/* SPDX-License-Identifier: Apache-2.0 */
/* Converter of a published grid simulator's JSON files to a scenario. Called by
 * boards/swarm/main. */
#include "fleet/listing.h"

#include "fleet/grid.h"
#include "fleet/key_forms.h"
#include "fleet/scenario_grid.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRONES_MAX       256u
#define EQUIPMENT_MAX    64u /* equipment listed apart from the drones */
#define CELLS_MAX        1024u
#define INSTRUCTIONS_MAX 6u /* instructions of a task */
#define FAR_CELLS        1e5

/* ---- contents of the files */

struct equipment {
    char attr[MF_FIELD_NAME_MAX];
    int32_t direction, mode;
    uint32_t range, drone; /* drone: id; 0: all */
};

struct drone {
    uint32_t id;
    double battery, move;
    uint32_t speed;
    double place[3];
    uint32_t sensors, actuators;
    struct equipment sensor[MF_GRID_EQUIPMENT_MAX], actuator[MF_GRID_EQUIPMENT_MAX];
};

struct instruction {
    int line;
    int32_t kind;
    double to[3], from[3];
    uint32_t ticks, deadline, drone, id, controller;
    int32_t priority;
    bool tracked;
    char attr[MF_FIELD_NAME_MAX], value[MF_FIELD_TEXT_MAX];
};

struct task {
    uint32_t controller, count;
    struct instruction one[INSTRUCTIONS_MAX];
};

struct controller {
    uint32_t id;
    uint32_t tasks;
    struct task task[MF_SCENARIO_TASKS_MAX];
};

struct cell {
    double place[3];
    bool blocked, charger;
    char attr[MF_FIELD_NAME_MAX], value[MF_FIELD_TEXT_MAX];
};

struct listing {
    double size[3];
    uint32_t drones, sensors, actuators, controllers, cells;
    struct drone drone[DRONES_MAX];
    struct equipment sensor[EQUIPMENT_MAX], actuator[EQUIPMENT_MAX];
    struct controller controller[MF_GRID_CONTROLLERS_MAX];
    struct controller own; /* tasks listed apart from controllers */
    struct cell cell[CELLS_MAX];
};

/* ---- keys: several words for one thing, as lower case with underscores */

#define INSTRUCTION_LIST(X) \
    X(GOTO, "GOTO") X(FROMTO, "FROMTO") X(WAIT, "WAIT") X(CARRY, "CARRY") X(GO_HOME, "GO HOME")

/* clang-format off */
#define X(name, word) DO_##name,
enum { INSTRUCTION_LIST(X) DO_COUNT };
#undef X
#define X(name, word) word,
static const char *const k_instruction[] = {INSTRUCTION_LIST(X) NULL};
static const char *const k_mode[] = {MF_GRID_MODE_LIST(X) NULL};
#undef X
static const char *const k_priority[] = {"LOW", "MEDIUM", "HIGH", NULL};

#define EQUIP(field) offsetof(struct equipment, field)
#define DRONE(field) offsetof(struct drone, field)
#define STEP(field)  offsetof(struct instruction, field)
#define CONTROL(field) offsetof(struct controller, field)
#define CELL(field)  offsetof(struct cell, field)
#define TOP(field)   offsetof(struct listing, field)

#define LIST(key, of, at, count, limit, table, text) \
    {.name = (key), .type = MF_KEY_ARRAY, .offset = (at), .size = sizeof(of), .most = (limit), \
     .count_at = (count), .keys = (table), .help = (text)}

static const struct mf_key k_equipment[] = {
    NAME("attr", EQUIP(attr), MF_FIELD_NAME_MAX, "attribute of cells"),
    NAME("attribute", EQUIP(attr), MF_FIELD_NAME_MAX, "the same"),
    WORD("direction", EQUIP(direction), mf_scenario_direction_words, "NONE, FORWARD, ..."),
    WORD("mode", EQUIP(mode), k_mode, "of an actuator"),
    WHOLE("range", EQUIP(range), 0, 1e6, "cells"),
    WHOLE("drone", EQUIP(drone), 0, 1e6, "id of whose it is; all"),
};
static const struct mf_keys k_equipment_keys = {k_equipment, COUNT_OF(k_equipment), NULL, SIZE_MAX};

static const struct mf_key k_drone[] = {
    WHOLE("id", DRONE(id), 0, 1e6, "from 1"),
    REAL("battery_max", DRONE(battery), 0, 1e6, "capacity"),
    REAL("battery_move_cost", DRONE(move), 0, 1e6, "of a move"),
    WHOLE("speed", DRONE(speed), 0, 1e6, "cells per tick"),
    PLACE("init_pos", DRONE(place), FAR_CELLS, "where it begins"),
    PLACE("position", DRONE(place), FAR_CELLS, "the same"),
    LIST("sensors", struct equipment, DRONE(sensor), DRONE(sensors), MF_GRID_EQUIPMENT_MAX, &k_equipment_keys, "of this one"),
    LIST("actuators", struct equipment, DRONE(actuator), DRONE(actuators), MF_GRID_EQUIPMENT_MAX, &k_equipment_keys, "of this one"),
};
static const struct mf_keys k_drone_keys = {k_drone, COUNT_OF(k_drone), NULL, SIZE_MAX};

static const struct mf_key k_step[] = {
    WORD("type", STEP(kind), k_instruction, "what to do"),
    WORD("instruction", STEP(kind), k_instruction, "the same"),
    PLACE("position", STEP(to), FAR_CELLS, "where to"),
    PLACE("to", STEP(to), FAR_CELLS, "the same"),
    PLACE("from", STEP(from), FAR_CELLS, "of FROMTO: first there"),
    WHOLE("time", STEP(ticks), 0, 1e6, "of WAIT [ticks]"),
    WHOLE("execution_time", STEP(deadline), 0, 1e6, "ticks after which it is late"),
    WORD("priority", STEP(priority), k_priority, "LOW, MEDIUM, HIGH"),
    FLAG("tracked", STEP(tracked), "its controller looks after it"),
    WHOLE("drone", STEP(drone), 0, 1e6, "id of who does it"),
    WHOLE("controller", STEP(controller), 0, 1e6, "id of whose it is"),
    WHOLE("id", STEP(id), 0, 1e6, "its number"),
    NAME("attr", STEP(attr), MF_FIELD_NAME_MAX, "of CARRY: what"),
    NAME("value", STEP(value), MF_FIELD_TEXT_MAX, "of CARRY: which one"),
};
static const struct mf_keys k_steps = {k_step, COUNT_OF(k_step), "type", STEP(line)};
/* clang-format on */

static bool read_task(struct mf_reading *r, const struct mf_node *node, struct task *t)
{
    const bool list = mf_node_kind(node) == MF_NODE_LIST;
    const size_t n = list ? mf_node_count(node) : 1;
    if (n == 0 || n > INSTRUCTIONS_MAX) {
        return mf_reading_refuse(r, mf_node_line(node), "a task has 1 to %u instructions",
                                 INSTRUCTIONS_MAX);
    }
    t->count = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        struct instruction *one = &t->one[i];
        one->kind = -1;
        one->priority = 1;
        one->to[0] = one->from[0] = (double)NAN;
        if (!mf_keys_read(r, &k_steps, list ? mf_node_at(r->tree, node, i) : node, one)) {
            return false;
        }
        const bool way = one->kind == DO_GOTO || one->kind == DO_FROMTO || one->kind == DO_CARRY;
        if (one->kind < 0 || (way && isnan(one->to[0])) ||
            (one->kind == DO_FROMTO && isnan(one->from[0])) ||
            (one->kind == DO_CARRY && one->value[0] == '\0')) {
            return mf_reading_refuse(
                r, one->line,
                "an instruction is GOTO with a position, FROMTO with from and to, "
                "CARRY with a value and to, WAIT or GO HOME");
        }
    }
    return true;
}

/* Read a list of lists of instructions. */
static bool read_tasks(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    struct controller *c = at;
    const size_t n = mf_node_count(node);
    (void)key;
    if (mf_node_kind(node) != MF_NODE_LIST || c->tasks + n > MF_SCENARIO_TASKS_MAX) {
        return mf_reading_refuse(r, mf_node_line(node), "must be a list of at most %u tasks",
                                 MF_SCENARIO_TASKS_MAX);
    }
    for (size_t i = 0; i < n; i++) {
        if (!read_task(r, mf_node_at(r->tree, node, i), &c->task[c->tasks++])) {
            return false;
        }
    }
    return true;
}

/* clang-format off */
static const struct mf_key k_controller[] = {
    WHOLE("id", CONTROL(id), 0, 1e6, "0"),
    {.name = "tasks", .type = MF_KEY_OTHER, .read = read_tasks, .help = "lists of instructions"},
};
static const struct mf_keys k_controllers = {k_controller, COUNT_OF(k_controller), NULL, SIZE_MAX};

static const struct mf_key k_cell[] = {
    PLACE("position", CELL(place), FAR_CELLS, "which cell"),
    PLACE("pos", CELL(place), FAR_CELLS, "the same"),
    FLAG("blocked", CELL(blocked), "nobody can be there"),
    FLAG("charger", CELL(charger), "there is a charger"),
    NAME("attr", CELL(attr), MF_FIELD_NAME_MAX, "name of an attribute"),
    NAME("attribute", CELL(attr), MF_FIELD_NAME_MAX, "the same"),
    NAME("value", CELL(value), MF_FIELD_TEXT_MAX, "its value"),
};
static const struct mf_keys k_cells = {k_cell, COUNT_OF(k_cell), NULL, SIZE_MAX};

static const struct mf_key k_top[] = {
    PLACE("size", TOP(size), FAR_CELLS, "of the environment [cells]"),
    LIST("cells", struct cell, TOP(cell), TOP(cells), CELLS_MAX, &k_cells, "of the environment"),
    LIST("drones", struct drone, TOP(drone), TOP(drones), DRONES_MAX, &k_drone_keys, "who flies"),
    LIST("sensors", struct equipment, TOP(sensor), TOP(sensors), EQUIPMENT_MAX, &k_equipment_keys, "of drones"),
    LIST("actuators", struct equipment, TOP(actuator), TOP(actuators), EQUIPMENT_MAX, &k_equipment_keys, "of drones"),
    LIST("controllers", struct controller, TOP(controller), TOP(controllers), MF_GRID_CONTROLLERS_MAX, &k_controllers, "who hands out tasks"),
    {.name = "tasks", .type = MF_KEY_OTHER, .offset = TOP(own), .read = read_tasks, .help = "of controller 0"},
};
/* clang-format on */
static const struct mf_keys k_keys = {k_top, COUNT_OF(k_top), NULL, SIZE_MAX};

/* ---- JSON as printed, to JSON that YAML reads */

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '_' || c == '-';
}

/* Rewrite a key as "\n Init pos" to "init_pos", after its line feeds, so that lines keep their
 * numbers. @return bytes written */
static size_t put_key(const char *from, size_t n, char *to)
{
    size_t out = 0;
    bool gap = false;
    for (size_t i = 0; i < n; i++) {
        if (from[i] == '\n') {
            to[out++] = '\n';
        }
    }
    const size_t begin = out;
    to[out++] = '"';
    for (size_t i = 0; i < n; i++) {
        if (is_gap(from[i])) {
            gap = out > begin + 1u;
            continue;
        }
        if (gap) {
            to[out++] = '_';
        }
        gap = false;
        to[out++] = (char)tolower((unsigned char)from[i]);
    }
    to[out++] = '"';
    return out;
}

/* Find the end of a string, after its quote. @return n: the string does not end */
static size_t end_of(const char *text, size_t n, size_t from)
{
    size_t i = from + 1u;
    while (i < n && text[i] != '"') {
        i += text[i] == '\\' ? 2u : 1u;
    }
    return i < n ? i + 1u : n;
}

static bool is_key(const char *text, size_t n, size_t end)
{
    while (end < n && strchr(" \t\r\n", text[end]) != NULL && text[end] != '\0') {
        end++;
    }
    return end < n && text[end] == ':';
}

/* Rewrite the file's JSON. @param to  out [3 * n + 1]  @return bytes written */
static size_t plain(const char *text, size_t n, char *to)
{
    size_t out = 0;
    for (size_t i = 0; i < n;) {
        if (text[i] != '"') {
            const char c = text[i++];
            to[out++] = c;
            to[out - 1u] = c == '\t' || c == '\r' ? ' ' : c;
            if (c == ':' && (i == n || text[i] != ' ')) {
                to[out++] = ' ';
            }
            continue;
        }
        const size_t end = end_of(text, n, i);
        if (end < n && is_key(text, n, end)) {
            out += put_key(text + i + 1u, end - i - 2u, to + out);
        } else {
            memcpy(to + out, text + i, end - i);
            out += end - i;
        }
        i = end;
    }
    return out;
}

/* ---- the scenario */

static void put_place(FILE *to, const double place[3])
{
    (void)fprintf(to, "[%.0f, %.0f, %.0f]", place[0], place[1], place[2]);
}

/* Write a text as YAML, with any special characters escaped. */
static void put_text(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            (void)fputc('\\', to);
        }
        (void)(c < ' ' ? fprintf(to, "\\x%02x", (unsigned)c) : fputc(c, to));
    }
    (void)fputc('"', to);
}

static void put_space(const struct listing *l, FILE *to)
{
    const char *gap = "";
    (void)fputs("space:\n  cells: {size: ", to);
    put_place(to, l->size);
    (void)fputs("}\n  attributes: [", to);
    for (uint32_t i = 0; i < l->cells; i++) {
        const struct cell *c = &l->cell[i];
        if (c->attr[0] != '\0') {
            (void)fprintf(to, "%s\n    [%.0f, %.0f, %.0f, ", gap, c->place[0], c->place[1],
                          c->place[2]);
            put_text(to, c->attr);
            (void)fputs(", ", to);
            put_text(to, c->value);
            (void)fputc(']', to);
            gap = ",";
        }
    }
    (void)fputs("]\n  blocked: [", to);
    gap = "";
    for (uint32_t i = 0; i < l->cells; i++) {
        if (l->cell[i].blocked) {
            (void)fputs(gap, to);
            put_place(to, l->cell[i].place);
            gap = ", ";
        }
    }
    (void)fputs("]\n", to);
}

static void put_one(FILE *to, const struct equipment *e, bool actuator, const char *gap)
{
    (void)fprintf(to, "%s{attr: ", gap);
    put_text(to, e->attr);
    (void)fprintf(to, ", direction: %s, range: %u", mf_scenario_direction_words[e->direction],
                  (unsigned)e->range);
    (void)fprintf(to, actuator ? ", mode: %s}" : "}", k_mode[e->mode]);
}

static void put_equipment(FILE *to, const char *key, const struct equipment *own, uint32_t owns,
                          const struct equipment *all, uint32_t alls, uint32_t drone)
{
    const bool actuator = strcmp(key, "actuators") == 0;
    const char *gap = "";
    (void)fprintf(to, "    %s: [", key);
    for (uint32_t i = 0; i < owns + alls; i++) {
        const struct equipment *e = i < owns ? &own[i] : &all[i - owns];
        if (i < owns || e->drone == 0 || e->drone == drone) {
            put_one(to, e, actuator, gap);
            gap = ", ";
        }
    }
    (void)fputs("]\n", to);
}

static void put_entities(const struct listing *l, FILE *to)
{
    (void)fputs("entities:\n", to);
    for (uint32_t i = 0, n = 0; i < l->cells; i++) {
        if (l->cell[i].charger) {
            (void)fprintf(to, "  - {name: charger%u, thing: charger, place: ", (unsigned)++n);
            put_place(to, l->cell[i].place);
            (void)fputs("}\n", to);
        }
    }
    for (uint32_t i = 0; i < l->drones; i++) {
        const struct drone *d = &l->drone[i];
        (void)fprintf(to,
                      "  - name: drone%u\n    as: agent\n    body: {kind: cell, speed: %u}\n"
                      "    place: ",
                      (unsigned)d->id, (unsigned)(d->speed > 0 ? d->speed : 1u));
        put_place(to, d->place);
        (void)fprintf(to, "\n    battery: {mah: %g, move: %g}\n", d->battery, d->move);
        put_equipment(to, "sensors", d->sensor, d->sensors, l->sensor, l->sensors, d->id);
        put_equipment(to, "actuators", d->actuator, d->actuators, l->actuator, l->actuators, d->id);
    }
}

static void put_instruction(FILE *to, const struct instruction *one)
{
    switch (one->kind) {
    case DO_GOTO:
        (void)fputs("goto: ", to);
        put_place(to, one->to);
        break;
    case DO_FROMTO:
        (void)fputs("from: ", to);
        put_place(to, one->from);
        (void)fputs(", to: ", to);
        put_place(to, one->to);
        break;
    case DO_CARRY:
        (void)fputs("carry: ", to);
        put_text(to, one->value);
        (void)fputs(", attr: ", to);
        put_text(to, one->attr[0] != '\0' ? one->attr : "package");
        (void)fputs(", to: ", to);
        put_place(to, one->to);
        break;
    case DO_WAIT:
        (void)fprintf(to, "wait: %u", (unsigned)one->ticks);
        break;
    default:
        (void)fputs("go_home: true", to);
        break;
    }
}

/* Write a task. Values of the whole task may be in any of its instructions; the last one counts. */
static void put_task(FILE *to, const struct task *t)
{
    static const char *const k_word[] = {"low", "normal", "high"};
    struct instruction all = {.priority = 1};
    (void)fputs("      - {do: [", to);
    for (uint32_t i = 0; i < t->count; i++) {
        const struct instruction *one = &t->one[i];
        (void)fputs(i > 0 ? ", {" : "{", to);
        put_instruction(to, one);
        (void)fputc('}', to);
        all.priority = one->priority != 1 ? one->priority : all.priority;
        all.deadline = one->deadline > 0 ? one->deadline : all.deadline;
        all.drone = one->drone > 0 ? one->drone : all.drone;
        all.tracked = one->tracked || all.tracked;
    }
    (void)fprintf(to, "], priority: %s", k_word[all.priority]);
    if (all.deadline > 0) {
        (void)fprintf(to, ", deadline: %u", (unsigned)all.deadline);
    }
    if (all.drone > 0) {
        (void)fprintf(to, ", drone: drone%u", (unsigned)all.drone);
    }
    (void)fputs(all.tracked ? ", tracked: true}\n" : "}\n", to);
}

static void put_controller(FILE *to, const struct controller *c)
{
    (void)fprintf(to, "  - id: %u\n    tasks:%s\n", (unsigned)c->id, c->tasks == 0 ? " []" : "");
    for (uint32_t i = 0; i < c->tasks; i++) {
        put_task(to, &c->task[i]);
    }
}

static void put_scenario(const struct listing *l, FILE *to)
{
    (void)fputs("swarm: 1\ntime: {clock: fast, tick: 1, end: idle}\n", to);
    put_space(l, to);
    put_entities(l, to);
    (void)fputs("controllers:\n", to);
    for (uint32_t i = 0; i < l->controllers; i++) {
        put_controller(to, &l->controller[i]);
    }
    if (l->own.tasks > 0 || l->controllers == 0) {
        put_controller(to, &l->own);
    }
    (void)fputs("outputs:\n  tasks: tasks.csv\n", to);
}

/* ---- conversion */

static bool read_file(struct mf_reading *r, const struct mf_listing_file *file, struct listing *l)
{
    const struct mf_node *root;
    struct mf_yaml_error wrong = {0};
    char *text = file->n <= MF_LISTING_BYTES_MAX ? malloc(3u * file->n + 8u) : NULL;
    r->file = file->name;
    if (text == NULL) {
        return mf_reading_refuse(r, 1, "has more than %u bytes", MF_LISTING_BYTES_MAX);
    }
    const size_t n = plain(file->text, file->n, text);
    struct mf_yaml *tree = mf_yaml_read_text(text, n, &root, &wrong);
    bool good = false;
    if (tree == NULL) {
        (void)mf_reading_refuse(r, wrong.line, "%s", wrong.reason);
    } else if (root == NULL || mf_node_kind(root) != MF_NODE_MAP) {
        (void)mf_reading_refuse(r, 1, "must be an object with drones, controllers or cells");
    } else {
        r->tree = tree;
        good = mf_keys_read(r, &k_keys, root, l);
    }
    mf_yaml_free(tree);
    free(text);
    return good;
}

static double most_of(const struct controller *c, int axis)
{
    double most = 0.0;
    for (uint32_t i = 0; i < c->tasks; i++) {
        for (uint32_t k = 0; k < c->task[i].count; k++) {
            const struct instruction *one = &c->task[i].one[k];
            most = isnan(one->to[0]) ? most : fmax(most, one->to[axis]);
            most = isnan(one->from[0]) ? most : fmax(most, one->from[axis]);
        }
    }
    return most;
}

/* Use the smallest size that holds all cells, if no file has a size. */
static void find_size(struct listing *l)
{
    const bool given = l->size[0] > 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double most = most_of(&l->own, axis);
        for (uint32_t i = 0; i < l->cells; i++) {
            most = fmax(most, l->cell[i].place[axis]);
        }
        for (uint32_t i = 0; i < l->drones; i++) {
            most = fmax(most, l->drone[i].place[axis]);
        }
        for (uint32_t i = 0; i < l->controllers; i++) {
            most = fmax(most, most_of(&l->controller[i], axis));
        }
        l->size[axis] = given ? fmax(l->size[axis], 1.0) : most + 1.0;
    }
}

/* Replace line feeds and other control characters, which an unknown key may contain. */
static void keep_to_a_line(char *error)
{
    for (; *error != '\0'; error++) {
        *error = (unsigned char)*error < ' ' ? '?' : *error;
    }
}

int mf_listing_convert(const struct mf_listing_file *files, size_t count, FILE *to, char *error)
{
    struct mf_reading *r = calloc(1, sizeof *r);
    struct listing *l = calloc(1, sizeof *l);
    bool good = r != NULL && l != NULL;
    (void)snprintf(error, MF_KEYS_ERROR_MAX, "no memory to read it");
    for (size_t i = 0; good && i < count; i++) {
        good = read_file(r, &files[i], l);
    }
    if (good && l->drones == 0) {
        r->path[0] = '\0';
        good = mf_reading_refuse(r, 1, "no file has drones");
    }
    if (good) {
        find_size(l);
        put_scenario(l, to);
    } else if (r != NULL) {
        (void)snprintf(error, MF_KEYS_ERROR_MAX, "%s", r->error);
        keep_to_a_line(error);
    }
    free(l);
    free(r);
    return good ? MF_E_OK : MF_E_RANGE;
}
