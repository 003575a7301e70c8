/* SPDX-License-Identifier: Apache-2.0 */
/* Scenario of what the files of a published grid simulator say. Called by fleet/listing. */
#include "fleet/listing_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAYER_CELLS_MIN 256.0 /* least cells of a level whose attribute is written as rows */

bool mf_listing_has(const double place[3])
{
    return !isnan(place[0]);
}

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

/* ---- cells */

/* Attribute of the cells of a level, for all files. */
struct layer {
    const struct listing_cell *of; /* a cell that has it */
    const char **value;            /* [x * y], NULL: none */
    uint32_t cells;
};

/* Can this value stand between blanks, and is it not the sign for none? */
static bool is_word(const char *value)
{
    return value[0] != '\0' && strcmp(value, ".") != 0 && strpbrk(value, " ,\t\r\n") == NULL;
}

static bool is_of(const struct layer *layer, const struct listing_cell *c)
{
    return c->place[2] == layer->of->place[2] && strcmp(c->attr, layer->of->attr) == 0;
}

/* Collect the cells of a layer. @return whether it is to be written as rows: each value is a word,
 * no cell has two, and most cells of the level have one */
static bool fill_layer(struct layer *layer, const struct listing *l, size_t count,
                       const double size[3])
{
    bool good = true;
    for (size_t f = 0; f < count; f++) {
        for (uint32_t i = 0; good && i < l[f].cells; i++) {
            const struct listing_cell *c = &l[f].cell[i];
            if (!is_of(layer, c)) {
                continue;
            }
            const char **at = &layer->value[(size_t)(c->place[1] * size[0] + c->place[0])];
            good = *at == NULL && is_word(c->value);
            *at = c->value;
            layer->cells++;
        }
    }
    return good && 2.0 * layer->cells >= size[0] * size[1];
}

static void put_layer(const struct layer *layer, const double size[3], FILE *to)
{
    (void)fputs("    - attr: ", to);
    put_text(to, layer->of->attr);
    (void)fprintf(to, "\n      level: %.0f\n      rows: |\n", layer->of->place[2]);
    for (size_t y = (size_t)size[1]; y-- > 0;) {
        (void)fputs("       ", to);
        for (size_t x = 0; x < (size_t)size[0]; x++) {
            const char *value = layer->value[y * (size_t)size[0] + x];
            (void)fputc(' ', to);
            (void)fputs(value != NULL ? value : ".", to);
        }
        (void)fputc('\n', to);
    }
}

/* Write as rows the attributes that most cells of a level have. @param rows  out [most]: those */
static uint32_t put_layers(const struct listing *l, size_t count, const double size[3],
                           struct layer *rows, uint32_t most, FILE *to)
{
    uint32_t n = 0, tried = 0;
    const size_t bytes = (size_t)(size[0] * size[1]) * sizeof(char *);
    const char **value =
        size[0] * size[1] >= LAYER_CELLS_MIN && size[0] * size[1] <= MF_FIELD_CELLS_MAX
            ? malloc(bytes)
            : NULL;
    for (size_t f = 0; value != NULL && f < count; f++) {
        for (uint32_t i = 0; i < l[f].cells && n + tried < most; i++) {
            struct layer one = {.of = &l[f].cell[i], .value = value};
            bool known = one.of->attr[0] == '\0';
            for (uint32_t k = 0; !known && k < n + tried; k++) {
                known = is_of(&rows[k], one.of);
            }
            if (known) {
                continue;
            }
            memset(value, 0, bytes);
            if (fill_layer(&one, l, count, size)) {
                put_layer(&one, size, to);
                rows[n + tried] = rows[n]; /* those that are written stand first */
                rows[n++] = one;
            } else {
                rows[n + tried++] = one;
            }
        }
    }
    free(value);
    return n;
}

static void put_attributes(const struct listing *l, size_t count, const double size[3], FILE *to)
{
    struct layer rows[16] = {{0}};
    const char *gap = "  attributes:\n";
    char *layers = NULL;
    size_t n = 0;
    FILE *part = open_memstream(&layers, &n);
    const uint32_t written =
        part != NULL ? put_layers(l, count, size, rows, sizeof rows / sizeof rows[0], part) : 0;
    if (part != NULL && fclose(part) == 0 && n > 0) {
        (void)fputs(gap, to);
        (void)fwrite(layers, 1, n, to);
        gap = "";
    }
    free(layers);
    for (size_t f = 0; f < count; f++) {
        for (uint32_t i = 0; i < l[f].cells; i++) {
            const struct listing_cell *c = &l[f].cell[i];
            bool known = c->attr[0] == '\0';
            for (uint32_t k = 0; !known && k < written; k++) {
                known = is_of(&rows[k], c);
            }
            if (!known) {
                (void)fprintf(to, "%s    - [%.0f, %.0f, %.0f, ", gap, c->place[0], c->place[1],
                              c->place[2]);
                put_text(to, c->attr);
                (void)fputs(", ", to);
                put_text(to, c->value);
                (void)fputs("]\n", to);
                gap = "";
            }
        }
    }
}

static bool is_listed(const struct listing_cell *c, bool chargers)
{
    return chargers ? c->charger : c->blocked;
}

/* Write a list of the cells that are blocked, or that have a charger. @param to  NULL: only count
 * @return their number */
static uint32_t put_cells(const struct listing *l, size_t count, bool chargers, FILE *to)
{
    uint32_t n = 0;
    for (size_t f = 0; f < count; f++) {
        for (uint32_t i = 0; i < l[f].cells; i++) {
            if (!is_listed(&l[f].cell[i], chargers)) {
                continue;
            }
            if (n++ > 0 && to != NULL) {
                (void)fputs(", ", to);
            }
            if (to != NULL) {
                put_place(to, l[f].cell[i].place);
            }
        }
    }
    return n;
}

static void put_space(const struct listing *l, size_t count, const double size[3], FILE *to)
{
    (void)fputs("space:\n  cells: {size: ", to);
    put_place(to, size);
    (void)fputs("}\n", to);
    put_attributes(l, count, size, to);
    (void)fputs("  blocked: [", to);
    (void)put_cells(l, count, false, to);
    (void)fputs("]\n", to);
}

/* ---- drones */

static const char *put_equipment(FILE *to, const struct listing_equipment *e, uint32_t count,
                                 const struct listing_drone *d, const char *gap)
{
    static const char *const k_mode[] = {
#define X(name, word) word,
        MF_GRID_MODE_LIST(X)
#undef X
    };
    for (uint32_t i = 0; i < count; i++) {
        if (e[i].drone == LISTING_NOBODY || e[i].drone == d->id) {
            (void)fprintf(to, "%s{attr: ", gap);
            put_text(to, e[i].attr);
            (void)fprintf(to, ", direction: %s, range: %u",
                          mf_scenario_direction_words[e[i].direction], (unsigned)e[i].range);
            (void)(e[i].mode >= 0 ? fprintf(to, ", mode: %s}", k_mode[e[i].mode])
                                  : fprintf(to, "}"));
            gap = ", ";
        }
    }
    return gap;
}

static void put_drone(const struct listing *l, size_t count, const struct listing_drone *d,
                      FILE *to)
{
    (void)fprintf(to,
                  "  - name: drone%u\n    as: agent\n    body: {kind: cell, speed: %u}\n"
                  "    place: ",
                  (unsigned)d->id, (unsigned)d->speed);
    put_place(to, d->place);
    (void)fprintf(to, "\n    battery: {mah: %.15g, move: %.15g}\n    sensors: [", d->battery,
                  d->move);
    const char *gap = put_equipment(to, d->sensor, d->sensors, d, "");
    for (size_t f = 0; f < count; f++) {
        gap = put_equipment(to, l[f].sensor, l[f].sensors, d, gap);
    }
    (void)fputs("]\n    actuators: [", to);
    gap = put_equipment(to, d->actuator, d->actuators, d, "");
    for (size_t f = 0; f < count; f++) {
        gap = put_equipment(to, l[f].actuator, l[f].actuators, d, gap);
    }
    (void)fputs("]\n", to);
}

static void put_entities(const struct listing *l, size_t count, FILE *to)
{
    const uint32_t chargers = put_cells(l, count, true, NULL);
    (void)fputs("entities:\n", to);
    if (chargers > 0) {
        (void)fprintf(to, "  - {name: charger, count: %u, thing: charger, place: {list: [",
                      (unsigned)chargers);
        (void)put_cells(l, count, true, to);
        (void)fputs("]}}\n", to);
    }
    for (size_t f = 0; f < count; f++) {
        for (uint32_t i = 0; i < l[f].drones; i++) {
            put_drone(l, count, &l[f].drone[i], to);
        }
    }
}

/* ---- tasks */

static void put_work(FILE *to, const char *word, const struct listing_instruction *one, bool value)
{
    (void)fprintf(to, "%s: ", word);
    put_text(to, one->attr);
    if (value) {
        (void)fputs(", value: ", to);
        put_text(to, one->value);
    }
}

static void put_instruction(FILE *to, const struct listing_instruction *one)
{
    switch ((enum listing_do)one->kind) {
    case LISTING_DO_GOTO:
        (void)fputs("goto: ", to);
        put_place(to, one->to);
        break;
    case LISTING_DO_FROMTO:
        (void)fputs("from: ", to);
        put_place(to, one->from);
        (void)fputs(", to: ", to);
        put_place(to, one->to);
        break;
    case LISTING_DO_CARRY:
        (void)fputs("carry: ", to);
        put_text(to, one->value);
        (void)fputs(", attr: ", to);
        put_text(to, one->attr[0] != '\0' ? one->attr : "package");
        (void)fputs(", to: ", to);
        put_place(to, one->to);
        break;
    case LISTING_DO_WAIT:
        (void)fprintf(to, "wait: %.0f", one->ticks);
        break;
    case LISTING_DO_GRAB:
        put_work(to, "grab", one, false);
        break;
    case LISTING_DO_DROP:
        put_work(to, "drop", one, false);
        break;
    case LISTING_DO_ASSIGN:
        put_work(to, "assign", one, true);
        break;
    case LISTING_DO_CHANGE:
        put_work(to, "change", one, true);
        break;
    case LISTING_DO_GO_HOME:
    case LISTING_DOS:
    default:
        (void)fputs("go_home: true", to);
        break;
    }
}

/* Write a task. Values of the whole task may be in any of its instructions; the last one counts. */
static void put_task(FILE *to, const struct listing_task *t)
{
    static const char *const k_word[] = {"low", "normal", "high"};
    struct listing_instruction all = {.priority = 1, .drone = LISTING_NOBODY};
    (void)fputs("      - {do: [", to);
    for (uint32_t i = 0; i < t->count; i++) {
        const struct listing_instruction *one = &t->one[i];
        (void)fputs(i > 0 ? ", {" : "{", to);
        put_instruction(to, one);
        (void)fputc('}', to);
        all.priority = one->priority >= 0 ? one->priority : all.priority;
        all.deadline = one->deadline > 0 ? one->deadline : all.deadline;
        all.drone = one->drone != LISTING_NOBODY ? one->drone : all.drone;
        all.tracked = one->tracked || all.tracked;
    }
    (void)fprintf(to, "], priority: %s", k_word[all.priority]);
    if (all.deadline > 0) {
        (void)fprintf(to, ", deadline: %u", (unsigned)all.deadline);
    }
    if (all.drone != LISTING_NOBODY) {
        (void)fprintf(to, ", drone: drone%u", (unsigned)all.drone);
    }
    (void)fputs(all.tracked ? ", tracked: true}\n" : "}\n", to);
}

/* Controller of a task that is listed apart: the first that an instruction names. */
static uint32_t find_controller(const struct listing_task *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->one[i].controller != LISTING_NOBODY) {
            return t->one[i].controller;
        }
    }
    return 0;
}

/* A visit of tasks. */
struct visit {
    const struct listing *l; /* [count] */
    size_t count;
    mf_listing_take *take;
    void *ctx;
};

static bool visit_list(const struct visit *v, size_t f, uint32_t id,
                       const struct listing_controller *c, bool apart)
{
    bool good = true;
    for (uint32_t i = 0; good && i < c->tasks; i++) {
        good = (apart && find_controller(&c->task[i]) != id) || v->take(v->ctx, f, id, &c->task[i]);
    }
    return good;
}

/* Visit controllers with an id: those of lists, and the one of tasks listed apart, which are behind
 * the tasks of the last list. */
static bool visit_controller(const struct visit *v, uint32_t id)
{
    bool good = true, listed = false;
    for (size_t f = 0; f < v->count; f++) {
        for (uint32_t i = 0; good && i < v->l[f].controllers; i++) {
            const struct listing_controller *c = &v->l[f].controller[i];
            if (c->id == id) {
                listed = true;
                good = v->take(v->ctx, f, id, NULL) && visit_list(v, f, id, c, false);
            }
        }
    }
    good = good && (listed || v->take(v->ctx, 0, id, NULL));
    for (size_t f = 0; good && f < v->count; f++) {
        good = visit_list(v, f, id, &v->l[f].own, true);
    }
    return good;
}

/* Find the lowest id of a controller above @p after, in all files. @return -1: none */
static int64_t next_controller(const struct listing *l, size_t count, int64_t after)
{
    int64_t next = -1;
    for (size_t f = 0; f < count; f++) {
        for (uint32_t i = 0; i < l[f].controllers + l[f].own.tasks; i++) {
            const int64_t id = i < l[f].controllers
                                   ? (int64_t)l[f].controller[i].id
                                   : (int64_t)find_controller(&l[f].own.task[i - l[f].controllers]);
            next = id > after && (next < 0 || id < next) ? id : next;
        }
    }
    return next;
}

bool mf_listing_visit_tasks(const struct listing *l, size_t count, mf_listing_take *take, void *ctx)
{
    const struct visit v = {l, count, take, ctx};
    const int64_t first = next_controller(l, count, -1);
    bool good = first >= 0 || take(ctx, 0, 0, NULL);
    for (int64_t id = first; good && id >= 0; id = next_controller(l, count, id)) {
        good = visit_controller(&v, (uint32_t)id);
    }
    return good;
}

struct putting {
    FILE *to;
    bool lists; /* the present controller has a task */
};

static bool put_controller(void *ctx, size_t f, uint32_t controller, const struct listing_task *t)
{
    struct putting *p = ctx;
    (void)f;
    if (t == NULL) {
        (void)fprintf(p->to, "  - id: %u\n", (unsigned)controller);
    } else {
        (void)fputs(p->lists ? "" : "    tasks:\n", p->to);
        put_task(p->to, t);
    }
    p->lists = t != NULL;
    return true;
}

void mf_listing_write(const struct listing *l, size_t count, const double size[3], FILE *to)
{
    (void)fputs("swarm: 1\ntime: {clock: fast, tick: 1, end: idle}\n", to);
    put_space(l, count, size, to);
    put_entities(l, count, to);
    (void)fputs("controllers:\n", to);
    (void)mf_listing_visit_tasks(l, count, put_controller, &(struct putting){to, false});
    (void)fputs("outputs:\n  tasks: tasks.csv\n", to);
}
