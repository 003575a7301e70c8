/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a world of cells, from the keys of its scenario. */
#include "boards/swarm/cells/grid.h"
#include "fleet/place.h"
#include "math/chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UAH_PER_MAH 1000.0

static int64_t uah_of_mah(double mah)
{
    return (int64_t)(mah * UAH_PER_MAH + 0.5);
}

static bool is_place_given(const double *place)
{
    return !isnan(place[0]);
}

/* ---- cells and members */

int swarm_grid_find_cell(struct swarm *w, const struct swarm_grid *g, int line, const char *what,
                         const double place[3], uint32_t *cell)
{
    for (int i = 0; i < 3; i++) {
        if (!(place[i] >= 0.0 && place[i] < (double)g->s.size[i]) || floor(place[i]) != place[i]) {
            return swarm_refuse(w, line, "%s: [%g, %g, %g] is not a cell of %u x %u x %u", what,
                                place[0], place[1], place[2], g->s.size[0], g->s.size[1],
                                g->s.size[2]);
        }
    }
    *cell = ((uint32_t)place[2] * g->s.size[1] + (uint32_t)place[1]) * g->s.size[0] +
            (uint32_t)place[0];
    return SWARM_OK;
}

/* The number of a drone by the name of its member. */
static int find_drone(struct swarm *w, const struct swarm_grid *g, int line, const char *name,
                      uint32_t *drone)
{
    uint32_t from = 0, to = 0;
    *drone = 0;
    if (name[0] == '\0') {
        return SWARM_OK;
    }
    if (mf_scenario_find(w->scenario, name, &from, &to) && to == from + 1u) {
        for (uint32_t i = 0; i < g->s.drone_count; i++) {
            if (g->member[i] == from) {
                *drone = i + 1u;
                return SWARM_OK;
            }
        }
    }
    return swarm_refuse(w, line, "'%s' is not a single drone of this world", name);
}

static int read_value(struct swarm *w, int line, const char *text, struct mf_field_value *value)
{
    return mf_field_value(text, value) ? SWARM_OK
                                       : swarm_refuse(w, line, "value '%s' is too long", text);
}

/* ---- space */

static int add_walls(struct swarm *w, struct swarm_grid *g, const char *what,
                     const struct mf_scenario_cell_list *list, uint32_t *to, uint32_t *count)
{
    int result = SWARM_OK;
    for (uint32_t i = 0; result == SWARM_OK && i < list->count; i++) {
        result = swarm_grid_find_cell(w, g, list->line, what, list->cell[i], &to[*count]);
        if (result == SWARM_OK) {
            mf_field_block(&g->checked, to[(*count)++], true);
        }
    }
    return result;
}

static bool is_wall(const struct swarm_grid *g, uint32_t cell)
{
    return mf_field_is_blocked(&g->checked, cell);
}

static int add_attribute(struct swarm *w, struct swarm_grid *g, int line, uint32_t cell,
                         const char *name, const struct mf_field_value *value)
{
    if (mf_field_put(&g->checked, cell, name, value) == MF_E_OK) {
        g->s.attribute_count++;
        return SWARM_OK;
    }
    return is_wall(g, cell)
               ? swarm_refuse(w, line, "space.attributes: %s lies in a blocked cell", name)
               : swarm_refuse(w, line, "space.attributes: a cell has '%s' twice", name);
}

static int add_listed_attributes(struct swarm *w, struct swarm_grid *g)
{
    const struct mf_scenario_grid *s = &w->scenario->grid;
    int result = SWARM_OK;
    for (uint32_t i = 0; result == SWARM_OK && i < s->attributes; i++) {
        const struct mf_scenario_attribute *from = &s->attribute[i];
        struct mf_field_value value;
        uint32_t cell = 0;
        result = swarm_grid_find_cell(w, g, from->line, "space.attributes", from->cell, &cell);
        result = result == SWARM_OK ? read_value(w, from->line, from->value, &value) : result;
        result =
            result == SWARM_OK ? add_attribute(w, g, from->line, cell, from->name, &value) : result;
    }
    return result;
}

static bool is_gap(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '\r';
}

/* Add the attributes of a row of a layer. @param at  in, out: the text */
static int add_row(struct swarm *w, struct swarm_grid *g, const struct mf_scenario_layer *l,
                   uint32_t row, int line, const char **at)
{
    const char *p = *at;
    uint32_t x = 0;
    int result = SWARM_OK;
    while (result == SWARM_OK && *p != '\0' && *p != '\n') {
        char value[MF_FIELD_TEXT_MAX + 1u];
        size_t n = 0;
        while (*p != '\0' && *p != '\n' && !is_gap(*p)) {
            value[n] = *p++;
            n += n + 1u < sizeof value ? 1u : 0u;
        }
        value[n] = '\0';
        if (n > 0 && x++ < g->s.size[0] && strcmp(value, ".") != 0) {
            const uint32_t cell = (l->level * g->s.size[1] + row) * g->s.size[0] + x - 1u;
            struct mf_field_value read;
            result = n + 1u < sizeof value && mf_field_value(value, &read)
                         ? add_attribute(w, g, line, cell, l->name, &read)
                         : swarm_refuse(w, line, "value '%s...' is too long", value);
        }
        p += is_gap(*p) ? 1 : 0;
    }
    *at = p + (*p == '\n' ? 1 : 0);
    return result == SWARM_OK && x != g->s.size[0]
               ? swarm_refuse(w, line, "space.attributes: %s: the row has %u values, not %u",
                              l->name, (unsigned)x, (unsigned)g->s.size[0])
               : result;
}

static int add_layer(struct swarm *w, struct swarm_grid *g, const struct mf_scenario_layer *l)
{
    const char *at = l->rows;
    int line = l->line, result = SWARM_OK;
    if (l->level >= g->s.size[2]) {
        return swarm_refuse(w, line, "space.attributes: %s: there is no level %u", l->name,
                            (unsigned)l->level);
    }
    for (uint32_t row = g->s.size[1]; result == SWARM_OK && row-- > 0;) {
        result = add_row(w, g, l, row, ++line, &at);
    }
    return result == SWARM_OK && *at != '\0'
               ? swarm_refuse(w, line, "space.attributes: %s: more than %u rows", l->name,
                              (unsigned)g->s.size[1])
               : result;
}

static int fill_space_cells(struct swarm *w, struct swarm_grid *g)
{
    const struct mf_scenario_grid *s = &w->scenario->grid;
    int result = add_walls(w, g, "space.blocked", &s->blocked, g->blocked, &g->s.blocked_count);
    result = result == SWARM_OK
                 ? add_walls(w, g, "space.hidden", &s->hidden, g->hidden, &g->s.hidden_count)
                 : result;
    result = result == SWARM_OK ? add_listed_attributes(w, g) : result;
    for (uint32_t i = 0; result == SWARM_OK && i < s->layers; i++) {
        result = add_layer(w, g, &s->layer[i]);
    }
    return result;
}

/* ---- entities */

static int check_cell_entity(struct swarm *w, const struct mf_scenario_entity *e)
{
    const bool drone = e->object.thing == MF_SCENARIO_THING_NONE;
    if (drone && e->body.kind != MF_SCENARIO_BODY_CELL &&
        (e->as != MF_SCENARIO_KIND_VEHICLE || e->body.kind == MF_SCENARIO_BODY_THRUST)) {
        return swarm_refuse(
            w, e->line,
            "%s: in a world of cells every member has 'body: cell', vehicles 'constant' "
            "or 'physics', too, or is 'thing: charger' or 'thing: mover'",
            e->name);
    }
    if (drone && (e->plan[0] != '\0' || e->behaviour.kind != MF_BEHAVIOUR_NONE)) {
        return swarm_refuse(w, e->line,
                            "%s: in a world of cells a controller says where it goes, no plan and "
                            "no behaviour",
                            e->name);
    }
    if (e->object.thing == MF_SCENARIO_THING_OBJECT) {
        return swarm_refuse(w, e->line, "%s: thing object is of a search; mover is of cells",
                            e->name);
    }
    if (e->place.kind == MF_PLACE_GEO || e->place.kind == MF_PLACE_BOUNDARY ||
        e->place.kind == MF_PLACE_STATION) {
        return swarm_refuse(w, e->line, "%s: place is [x, y], [x, y, z], or {list: [...]}",
                            e->name);
    }
    if (drone && e->cell.mah > 0.0 && e->cell.move + e->cell.tick <= 0.0) {
        return swarm_refuse(w, e->line, "%s: a battery needs move or tick", e->name);
    }
    return SWARM_OK;
}

/* The controller that names the member or its entity; otherwise the first that names no drone. */
static uint32_t find_controller(const struct swarm *w, const struct swarm_grid *g, uint32_t member)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < g->s.controller_count; i++) {
        const struct mf_scenario_controller *c = &w->scenario->grid.controller[g->order[i]];
        uint32_t from, to;
        if (c->of[0] == '\0') {
            found = found == UINT32_MAX ? i : found;
        } else if (mf_scenario_find(w->scenario, c->of, &from, &to) && member >= from &&
                   member < to) {
            return i;
        }
    }
    return found;
}

static int add_drone(struct swarm *w, struct swarm_grid *g, const struct mf_scenario_entity *e,
                     uint32_t member, uint32_t home)
{
    struct mf_grid_drone *d = &g->drone[g->s.drone_count];
    g->member[g->s.drone_count++] = member;
    *d = (struct mf_grid_drone){
        .home = home,
        .appears = (uint64_t)ceil(e->start_s / w->scenario->grid.tick_s),
        .body = {.speed = e->body.cell_speed,
                 .heading = (enum mf_field_way)e->cell.heading,
                 .capacity_uah = uah_of_mah(e->cell.mah),
                 .move_uah = uah_of_mah(e->cell.move),
                 .tick_uah = uah_of_mah(e->cell.tick),
                 .per_kg_uah = uah_of_mah(e->cell.per_kg)},
        .charge_below_uah = uah_of_mah(e->cell.mah * e->cell.charge_below),
        .controller = find_controller(w, g, member),
        .autonomy = e->cell.autonomy,
        .sensors = e->sensors,
        .actuators = e->cell.actuators,
    };
    for (uint32_t i = 0; i < e->sensors; i++) {
        memcpy(d->sensor[i].name, e->sensor[i].attr, sizeof d->sensor[i].name);
        d->sensor[i].direction = e->sensor[i].direction;
        d->sensor[i].range = e->sensor[i].range;
    }
    for (uint32_t i = 0; i < e->cell.actuators; i++) {
        const struct mf_scenario_actuator *a = &e->cell.actuator[i];
        memcpy(d->actuator[i].name, a->attr, sizeof d->actuator[i].name);
        d->actuator[i].mode = a->mode;
        d->actuator[i].direction = a->direction;
        d->actuator[i].range = a->range;
    }
    return d->controller != UINT32_MAX
               ? SWARM_OK
               : swarm_refuse(w, e->line, "%s: no controller has it; leave one without 'of'",
                              e->name);
}

static int add_thing(struct swarm *w, struct swarm_grid *g, const struct mf_scenario_entity *e,
                     uint32_t at)
{
    struct mf_thing *t = &g->thing[g->s.thing_count++];
    *t = (struct mf_thing){.cell = at, .from = at, .to = at};
    if (e->cell.attr[0] == '\0') {
        return swarm_refuse(w, e->line, "%s: a mover needs cell.attr, which it takes along",
                            e->name);
    }
    memcpy(t->name, e->cell.attr, sizeof t->name);
    int result = read_value(w, e->line, e->cell.value, &t->value);
    if (result == SWARM_OK && is_place_given(e->cell.to)) {
        t->every = e->cell.every;
        result = swarm_grid_find_cell(w, g, e->line, e->name, e->cell.to, &t->to);
    }
    return result;
}

static int add_member(struct swarm *w, struct swarm_grid *g, const struct mf_scenario_entity *e,
                      uint32_t member)
{
    double place[3] = {0.0, 0.0, 0.0};
    uint32_t cell = 0;
    mf_place_local(w->scenario, member, place);
    const int result = swarm_grid_find_cell(w, g, e->line, e->name, place, &cell);
    if (result != SWARM_OK) {
        return result;
    }
    if (is_wall(g, cell)) {
        return swarm_refuse(w, e->line, "%s: its cell is blocked", e->name);
    }
    if (e->object.thing == MF_SCENARIO_THING_CHARGER) {
        g->charger[g->s.charger_count++] =
            (struct mf_charger){.cell = cell, .rate_uah = uah_of_mah(e->cell.rate)};
        return SWARM_OK;
    }
    if (e->object.thing == MF_SCENARIO_THING_MOVER) {
        return add_thing(w, g, e, cell);
    }
    if (g->s.drone_count == MF_GRID_DRONES_MAX) {
        return swarm_refuse(w, e->line, "%s: a world of cells has at most %u drones", e->name,
                            MF_GRID_DRONES_MAX);
    }
    return add_drone(w, g, e, member, cell);
}

static int add_entities(struct swarm *w, struct swarm_grid *g)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    for (uint32_t i = 0; result == SWARM_OK && i < s->entities; i++) {
        result = check_cell_entity(w, &s->entity[i]);
        for (uint32_t k = 0; result == SWARM_OK && k < s->entity[i].count; k++) {
            result = add_member(w, g, &s->entity[i], s->entity[i].first + k);
        }
    }
    if (result == SWARM_OK && g->s.drone_count == 0) {
        return swarm_refuse(w, s->grid.line, "space.cells: there is no drone");
    }
    return result;
}

/* ---- tasks */

/* Refuse a step that has not exactly one instruction, or lacks a key of it. */
static int check_step(struct swarm *w, const struct mf_scenario_step *s)
{
    const int kinds = is_place_given(s->go) +
                      (is_place_given(s->from) || (is_place_given(s->to) && !s->carry[0])) +
                      (s->carry[0] != '\0') + !isnan(s->wait) + s->go_home + (s->grab[0] != '\0') +
                      (s->drop[0] != '\0') + (s->assign[0] != '\0') + (s->change[0] != '\0') +
                      (s->send[0] != '\0') + (s->await[0] != '\0');
    if (kinds != 1) {
        return swarm_refuse(w, s->line,
                            "a task has one of: goto, from, carry, wait, go_home, grab, drop, "
                            "assign, change, send, await, or a list of these as 'do'");
    }
    if ((is_place_given(s->from) || s->carry[0] != '\0') && !is_place_given(s->to)) {
        return swarm_refuse(w, s->line, "from and carry need 'to: [x, y]'");
    }
    if (is_place_given(s->to) && s->carry[0] == '\0' && !is_place_given(s->from)) {
        return swarm_refuse(w, s->line, "'to' belongs to from or carry; alone it is 'goto'");
    }
    if ((s->assign[0] != '\0' || s->change[0] != '\0') && s->value[0] == '\0') {
        return swarm_refuse(w, s->line, "assign and change need a value");
    }
    if (s->receiver[0] != '\0' && s->send[0] == '\0') {
        return swarm_refuse(w, s->line, "'receiver' belongs to send");
    }
    return SWARM_OK;
}

static struct mf_grid_step *next_task_step(struct mf_grid_task *t, enum mf_grid_step_kind kind,
                                           const char *name)
{
    struct mf_grid_step *s = &t->step[t->steps++];
    *s = (struct mf_grid_step){.kind = kind};
    (void)snprintf(s->name, sizeof s->name, "%.23s", name);
    return s;
}

static int add_way_step(struct swarm *w, const struct swarm_grid *g, struct mf_grid_task *t,
                        int line, const double *to)
{
    return swarm_grid_find_cell(w, g, line, "tasks", to,
                                &next_task_step(t, MF_GRID_STEP_GOTO, "")->cell);
}

static int add_carry(struct swarm *w, const struct swarm_grid *g, struct mf_grid_task *t,
                     const struct mf_scenario_step *s)
{
    int result =
        read_value(w, s->line, s->carry, &next_task_step(t, MF_GRID_STEP_FETCH, s->attr)->value);
    (void)next_task_step(t, MF_GRID_STEP_GRAB, s->attr);
    struct mf_grid_step *way = next_task_step(t, MF_GRID_STEP_GOTO, s->attr);
    way->reach = true;
    result = result == SWARM_OK ? swarm_grid_find_cell(w, g, s->line, "tasks", s->to, &way->cell)
                                : result;
    (void)next_task_step(t, MF_GRID_STEP_DROP, s->attr);
    return result;
}

static int add_step(struct swarm *w, const struct swarm_grid *g, struct mf_grid_task *t,
                    const struct mf_scenario_step *s)
{
    const struct {
        const char *name;
        enum mf_grid_step_kind kind;
    } works[] = {{s->grab, MF_GRID_STEP_GRAB},     {s->drop, MF_GRID_STEP_DROP},
                 {s->assign, MF_GRID_STEP_ASSIGN}, {s->change, MF_GRID_STEP_CHANGE},
                 {s->send, MF_GRID_STEP_SEND},     {s->await, MF_GRID_STEP_AWAIT}};
    int result = check_step(w, s);
    if (result == SWARM_OK && t->steps + 4u > MF_GRID_STEPS_MAX) {
        return swarm_refuse(w, s->line, "a task has at most %u instructions", MF_GRID_STEPS_MAX);
    }
    if (result != SWARM_OK) {
        return result;
    }
    if (s->carry[0] != '\0') {
        return add_carry(w, g, t, s);
    }
    if (is_place_given(s->go)) {
        return add_way_step(w, g, t, s->line, s->go);
    }
    if (is_place_given(s->from)) {
        result = add_way_step(w, g, t, s->line, s->from);
        return result == SWARM_OK ? add_way_step(w, g, t, s->line, s->to) : result;
    }
    if (s->go_home || !isnan(s->wait)) {
        next_task_step(t, s->go_home ? MF_GRID_STEP_HOME : MF_GRID_STEP_WAIT, "")->ticks =
            s->go_home ? 0u : (uint32_t)s->wait;
        return SWARM_OK;
    }
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        if (works[i].name[0] != '\0') {
            struct mf_grid_step *step = next_task_step(t, works[i].kind, works[i].name);
            result = find_drone(w, g, s->line, s->receiver, &step->drone);
            return result == SWARM_OK ? read_value(w, s->line, s->value, &step->value) : result;
        }
    }
    return result;
}

/* Is there a drone, now or later, with an actuator for each step, and the sensor? */
static int check_equipment(struct swarm *w, const struct swarm_grid *g,
                           const struct mf_grid_task *t, int line)
{
    for (uint32_t i = 0; i < t->steps; i++) {
        const int32_t mode = (int32_t)t->step[i].kind - (int32_t)MF_GRID_STEP_GRAB;
        bool found = mode < 0;
        for (uint32_t k = 0; k < g->s.drone_count * MF_GRID_EQUIPMENT_MAX; k++) {
            const struct mf_grid_actuator *a =
                &g->drone[k / MF_GRID_EQUIPMENT_MAX].actuator[k % MF_GRID_EQUIPMENT_MAX];
            found =
                found || (strcmp(a->name, t->step[i].name) == 0 &&
                          (a->mode == mode || (mode == MF_GRID_DROP && a->mode == MF_GRID_GRAB)));
        }
        if (!found) {
            static const char *const k_can[MF_GRID_MODES] = {"grab", "drop", "assign", "change"};
            return swarm_refuse(w, line, "tasks: no drone can %s '%s': give one an actuator of it",
                                k_can[mode], t->step[i].name);
        }
    }
    bool found = t->needs[0] == '\0';
    for (uint32_t k = 0; k < g->s.drone_count * MF_GRID_EQUIPMENT_MAX; k++) {
        found = found ||
                strcmp(g->drone[k / MF_GRID_EQUIPMENT_MAX].sensor[k % MF_GRID_EQUIPMENT_MAX].name,
                       t->needs) == 0;
    }
    return found ? SWARM_OK
                 : swarm_refuse(w, line, "tasks: no drone has a sensor of '%s'", t->needs);
}

int swarm_grid_read_task(struct swarm *w, const struct swarm_grid *g, uint32_t controller,
                         const struct mf_scenario_task *from, struct mf_grid_task *t)
{
    *t = (struct mf_grid_task){.controller = controller,
                               .priority = from->priority,
                               .deadline = from->deadline,
                               .tracked = from->tracked,
                               .grams = (uint32_t)(from->kg * 1000.0 + 0.5)};
    memcpy(t->needs, from->needs, sizeof t->needs);
    int result = find_drone(w, g, from->step.line, from->drone, &t->drone);
    if (result == SWARM_OK && from->steps == 0) {
        result = add_step(w, g, t, &from->step);
    }
    for (uint32_t i = 0; result == SWARM_OK && i < from->steps; i++) {
        result = add_step(w, g, t, &from->more[i]);
    }
    return result == SWARM_OK ? check_equipment(w, g, t, from->step.line) : result;
}

/* ---- controllers */

static int check_controller(struct swarm *w, const struct swarm_grid *g, uint32_t number)
{
    const struct mf_scenario_controller *c = &w->scenario->grid.controller[number];
    const double beta = isnan(c->trust.beta) ? 1.0 - c->trust.alpha : c->trust.beta;
    uint32_t from, to;
    if (fabs(c->trust.alpha + beta - 1.0) > 1e-9) {
        return swarm_refuse(w, c->line, "trust: alpha and beta must be 1 together");
    }
    if (c->of[0] != '\0' && !mf_scenario_find(w->scenario, c->of, &from, &to)) {
        return swarm_refuse(w, c->line, "of: no entity or member is called '%s'", c->of);
    }
    for (uint32_t i = 0; i < g->s.controller_count; i++) {
        if (g->controller[i].id == c->id) {
            return swarm_refuse(w, c->line, "two controllers have the id %u", c->id);
        }
    }
    return SWARM_OK;
}

/* Sort controllers by id, whatever their order in the file. */
static int add_controllers(struct swarm *w, struct swarm_grid *g)
{
    const struct mf_scenario_grid *s = &w->scenario->grid;
    for (uint32_t i = 0; i < s->controllers; i++) {
        const struct mf_scenario_controller *c = &s->controller[i];
        const struct mf_grid_own *own = NULL;
        if (check_controller(w, g, i) != SWARM_OK ||
            swarm_grid_plugin_find(w, c, &g->own[i], &own) != SWARM_OK) {
            return SWARM_INPUT;
        }
        uint32_t at = g->s.controller_count++;
        for (; at > 0 && g->controller[at - 1u].id > c->id; at--) {
            g->controller[at] = g->controller[at - 1u];
            g->order[at] = g->order[at - 1u];
        }
        g->order[at] = i;
        g->controller[at] = (struct mf_grid_controller){
            .id = c->id,
            .kind = c->kind,
            .from = c->from,
            .go_home = c->go_home,
            .silent = c->silent,
            .tries = c->tries,
            .own = own,
            .trust = {.alpha = c->trust.alpha,
                      .beta = isnan(c->trust.beta) ? 1.0 - c->trust.alpha : c->trust.beta,
                      .failed = c->trust.failed,
                      .exclude_below = c->trust.exclude_below,
                      .compat = c->trust.compat != 0}};
    }
    return s->controllers > 0
               ? SWARM_OK
               : swarm_refuse(w, s->line, "space.cells: the world needs controllers");
}

static int add_tasks(struct swarm *w, struct swarm_grid *g)
{
    int result = SWARM_OK;
    for (uint32_t i = 0; i < g->s.controller_count; i++) {
        const struct mf_scenario_controller *c = &w->scenario->grid.controller[g->order[i]];
        for (uint32_t k = 0; result == SWARM_OK && k < c->tasks; k++) {
            result = swarm_grid_read_task(w, g, i, &c->task[k], &g->task[g->s.task_count++]);
        }
        for (uint32_t k = 0; result == SWARM_OK && k < c->orders; k++) {
            const struct mf_scenario_order *from = &c->order[k];
            struct mf_grid_order *o = &g->orders[g->s.order_count++];
            *o = (struct mf_grid_order){.at = from->at, .controller = i, .play = from->play};
            result = find_drone(w, g, from->line, from->drone, &o->drone);
            if (result == SWARM_OK && (o->drone == 0 || is_place_given(from->go) == from->play)) {
                return swarm_refuse(w, from->line,
                                    "an order has a drone, and goto or 'play: true'");
            }
            result = result == SWARM_OK && !from->play
                         ? swarm_grid_find_cell(w, g, from->line, "operator", from->go, &o->cell)
                         : result;
        }
    }
    return result;
}

/* ---- effector */

#define NEEDS_DRONE 1u
#define NEEDS_TASK  2u
#define NEEDS_FROM  4u
#define NEEDS_TO    8u
#define NEEDS_ATTR  16u
#define NEEDS_TICKS 32u

static const uint8_t k_needs[MF_GRID_EFFECTS] = {
    [MF_GRID_EFFECT_BLOCK] = NEEDS_FROM,
    [MF_GRID_EFFECT_EDIT] = NEEDS_FROM | NEEDS_ATTR,
    [MF_GRID_EFFECT_DAMAGE] = NEEDS_DRONE,
    [MF_GRID_EFFECT_KILL] = NEEDS_DRONE,
    [MF_GRID_EFFECT_PROLONG] = NEEDS_TASK | NEEDS_TICKS,
    [MF_GRID_EFFECT_FAIL] = NEEDS_TASK,
    [MF_GRID_EFFECT_WEATHER] = NEEDS_FROM | NEEDS_TICKS,
    [MF_GRID_EFFECT_BIRD] = NEEDS_FROM | NEEDS_TO,
    [MF_GRID_EFFECT_CYBERATTACK] = NEEDS_DRONE | NEEDS_TO,
    [MF_GRID_EFFECT_NETWORK] = NEEDS_TICKS,
};

/* Chance draws what is not named. */
#define DRAWN (NEEDS_DRONE | NEEDS_TASK | NEEDS_FROM)

static int check_effect(struct swarm *w, const struct mf_scenario_effect *from)
{
    const bool random = from->chance > 0.0;
    const uint8_t need = random ? (uint8_t)(k_needs[from->kind] & ~DRAWN) : k_needs[from->kind];
    const struct {
        uint8_t need;
        bool given;
        const char *key;
    } needs[] = {{NEEDS_DRONE, from->drone[0] != '\0', "drone"},
                 {NEEDS_TASK, from->task != 0, "task"},
                 {NEEDS_FROM, is_place_given(from->from), "from"},
                 {NEEDS_TO, is_place_given(from->to), "to"},
                 {NEEDS_ATTR, from->attr[0] != '\0', "attr"},
                 {NEEDS_TICKS, from->ticks != 0, "ticks"}};
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if ((need & needs[i].need) != 0 && !needs[i].given) {
            return swarm_refuse(w, from->line, "effector: this kind needs '%s'", needs[i].key);
        }
    }
    if (random && from->kind > MF_GRID_EFFECT_FAIL) {
        return swarm_refuse(w, from->line,
                            "effector: chance is of block, edit, damage, kill, prolong and fail; "
                            "this kind has its tick 'at'");
    }
    return SWARM_OK;
}

static int find_corner(struct swarm *w, const struct swarm_grid *g, int line, const double *place,
                       struct mf_cell *cell)
{
    uint32_t index;
    const int result = swarm_grid_find_cell(w, g, line, "effector", place, &index);
    *cell = (struct mf_cell){(int32_t)place[0], (int32_t)place[1], (int32_t)place[2]};
    return result;
}

static int add_effect(struct swarm *w, struct swarm_grid *g, const struct mf_scenario_effect *from)
{
    struct mf_grid_effect *e = &g->effect[g->s.effect_count++];
    *e = (struct mf_grid_effect){
        .kind = from->kind,
        .at = from->at,
        .ticks = from->ticks,
        .task = from->task,
        .part = from->part,
        .chance = from->chance,
        .key = mf_chance_key(w->scenario->seed, w->scenario->variation_number, g->s.effect_count,
                             MF_PURPOSE_EFFECTOR),
        .box = is_place_given(from->from) || is_place_given(from->to),
        .amount = from->part == MF_GRID_PART_BATTERY ? uah_of_mah(from->amount)
                                                     : (int64_t)fmax(1.0, from->amount)};
    memcpy(e->name, from->attr, sizeof e->name);
    int result = check_effect(w, from);
    result = result == SWARM_OK ? find_drone(w, g, from->line, from->drone, &e->drone) : result;
    result = result == SWARM_OK ? read_value(w, from->line, from->value, &e->value) : result;
    if (result == SWARM_OK && from->task > g->s.task_count) {
        return swarm_refuse(w, from->line, "effector: there is no task %u", from->task);
    }
    const double *first = is_place_given(from->from) ? from->from : from->to;
    const double *last = is_place_given(from->to) ? from->to : from->from;
    if (result == SWARM_OK && is_place_given(first)) {
        result = find_corner(w, g, from->line, first, &e->from);
        result = result == SWARM_OK ? find_corner(w, g, from->line, last, &e->to) : result;
    }
    return result;
}

static int add_effects(struct swarm *w, struct swarm_grid *g)
{
    const struct mf_scenario_grid *s = &w->scenario->grid;
    int result = SWARM_OK;
    if (!s->effector) {
        return SWARM_OK;
    }
    for (uint32_t i = 0; i < s->prolongs; i++) {
        g->effect[g->s.effect_count++] = (struct mf_grid_effect){.kind = MF_GRID_EFFECT_PROLONG,
                                                                 .at = 1,
                                                                 .ticks = (uint32_t)s->prolong[i],
                                                                 .task = i + 1u,
                                                                 .amount = 1};
    }
    for (uint32_t i = 0; result == SWARM_OK && i < s->effects; i++) {
        result = add_effect(w, g, &s->effect[i]);
    }
    return result;
}

/* ---- all */

/* Number of attributes that the scenario may give to cells. */
static size_t count_attributes(const struct mf_scenario_grid *s)
{
    return s->attributes + (size_t)s->layers * (size_t)(s->size[0] * s->size[1]);
}

/* Lay the arrays of the settings into the arena, cleared. */
static bool reserve_settings(struct swarm *w, struct swarm_grid *g)
{
    const struct mf_scenario_grid *s = &w->scenario->grid;
    const size_t members = w->scenario->members + 1u + SWARM_GRID_SPARES;
    const size_t effects = (size_t)s->effects + s->prolongs + SWARM_GRID_SPARES;
    size_t tasks = SWARM_GRID_SPARES, orders = SWARM_GRID_SPARES;
    for (uint32_t i = 0; i < s->controllers; i++) {
        tasks += s->controller[i].tasks;
        orders += s->controller[i].orders;
    }
    g->blocked = swarm_memory(w, s->line, (s->blocked.count + 1u) * sizeof *g->blocked);
    g->hidden = swarm_memory(w, s->line, (s->hidden.count + 1u) * sizeof *g->hidden);
    g->drone = swarm_memory(w, s->line, members * sizeof *g->drone);
    g->member = swarm_memory(w, s->line, members * sizeof *g->member);
    g->controller = swarm_memory(w, s->line, MF_GRID_CONTROLLERS_MAX * sizeof *g->controller);
    g->task = swarm_memory(w, s->line, tasks * sizeof *g->task);
    g->orders = swarm_memory(w, s->line, orders * sizeof *g->orders);
    g->charger = swarm_memory(w, s->line, members * sizeof *g->charger);
    g->thing = swarm_memory(w, s->line, members * sizeof *g->thing);
    g->effect = swarm_memory(w, s->line, effects * sizeof *g->effect);
    return g->blocked != NULL && g->hidden != NULL && g->drone != NULL && g->member != NULL &&
           g->controller != NULL && g->task != NULL && g->orders != NULL && g->charger != NULL &&
           g->thing != NULL && g->effect != NULL;
}

static void add_spares(struct swarm_grid *g)
{
    for (uint32_t i = 0; i < SWARM_GRID_SPARES && g->s.drone_count < MF_GRID_DRONES_MAX; i++) {
        g->drone[g->s.drone_count] = g->drone[0]; /* added ones are agents: no port */
        g->drone[g->s.drone_count++].appears = MF_GRID_NEVER;
    }
    for (uint32_t i = 0; i < SWARM_GRID_SPARES; i++) {
        g->task[g->s.task_count++].controller = SWARM_GRID_NOBODY;
        g->orders[g->s.order_count++] = (struct mf_grid_order){.at = MF_GRID_NEVER};
        g->effect[g->s.effect_count++] = (struct mf_grid_effect){.at = MF_GRID_NEVER};
    }
}

void swarm_grid_drone_name(const struct swarm *w, const struct swarm_grid *g, uint32_t drone,
                           char *name)
{
    if (drone <= g->own_drones) {
        mf_scenario_member_name(w->scenario, g->member[drone - 1u], name);
    } else {
        (void)snprintf(name, SWARM_NAME_MAX, "added.%u", (unsigned)(drone - g->own_drones));
    }
}

/* All settings, when arrays and the field of walls are there. */
static int fill_settings(struct swarm *w, struct swarm_grid *g)
{
    int result = fill_space_cells(w, g);
    result = result == SWARM_OK ? add_controllers(w, g) : result;
    result = result == SWARM_OK ? add_entities(w, g) : result;
    result = result == SWARM_OK ? add_tasks(w, g) : result;
    return result == SWARM_OK ? add_effects(w, g) : result;
}

int swarm_grid_build(struct swarm *w, struct swarm_grid *g, bool spares)
{
    const struct mf_scenario_grid *s = &w->scenario->grid;
    if (s->size[0] * s->size[1] * s->size[2] > (double)MF_FIELD_CELLS_MAX) {
        return swarm_refuse(w, s->line, "space.cells.size: more than %u cells", MF_FIELD_CELLS_MAX);
    }
    if (!reserve_settings(w, g)) {
        return SWARM_INPUT;
    }
    g->s = (struct mf_grid_settings){
        .size = {(uint32_t)s->size[0], (uint32_t)s->size[1], (uint32_t)s->size[2]},
        .metres = s->metres,
        .origin = {w->scenario->origin[0], w->scenario->origin[1], w->scenario->origin[2]},
        .tick_s = s->tick_s,
        .blocked = g->blocked,
        .hidden = g->hidden,
        .drones = g->drone,
        .controllers = g->controller,
        .tasks = g->task,
        .orders = g->orders,
        .chargers = g->charger,
        .things = g->thing,
        .effects = g->effect};
    const uint32_t attributes = (uint32_t)count_attributes(s);
    struct mf_memory memory = {.size = mf_field_bytes(g->s.size, attributes)};
    memory.bytes = swarm_memory(w, s->line, memory.size);
    if (memory.bytes == NULL) {
        return SWARM_INPUT;
    }
    int result = mf_field_init(&g->checked, g->s.size, s->metres, attributes, &memory) == MF_E_OK
                     ? fill_settings(w, g)
                     : swarm_refuse(w, s->line, "no memory for its cells");
    g->s.attributes = g->checked.attribute; /* without gaps: only mf_field_take() leaves them */
    g->own_drones = g->s.drone_count;
    g->own_tasks = g->s.task_count;
    g->own_orders = g->s.order_count;
    g->own_effects = g->s.effect_count;
    if (result == SWARM_OK && spares) {
        add_spares(g);
    }
    return result;
}
