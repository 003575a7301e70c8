/* SPDX-License-Identifier: Apache-2.0 */
/* World of cells: memory, start, the order of a tick, queries. Called by boards/swarm/grid,
 * grid_build and grid_operator. */
#include "fleet/grid.h"

#include "fleet/grid_state.h"

#include <string.h>

/* ---- memory */

#define SPARE_ATTRIBUTES 64u

static uint32_t attributes_of(const struct mf_grid_settings *s)
{
    return s->attribute_count + s->thing_count + s->drone_count + s->task_count + s->effect_count +
           SPARE_ATTRIBUTES;
}

static uint32_t messages_of(const struct mf_grid_settings *s)
{
    return s->drone_count * 48u + 64u;
}

static size_t cells_of(const struct mf_grid_settings *s)
{
    return (size_t)s->size[0] * s->size[1] * s->size[2];
}

/* Number of cells that an effect with a chance may block. */
static size_t shut_of(const struct mf_grid_settings *s)
{
    for (uint32_t i = 0; i < s->effect_count; i++) {
        if (s->effects[i].kind == MF_GRID_EFFECT_BLOCK && s->effects[i].chance > 0.0) {
            return cells_of(s);
        }
    }
    return 0;
}

/* Number of poses that a search may visit; 0: each actuator works on the drone's own cell. */
static size_t poses_of(const struct mf_grid_settings *s)
{
    for (uint32_t i = 0; i < s->drone_count; i++) {
        for (uint32_t k = 0; k < s->drones[i].actuators; k++) {
            if (grid_is_far(&s->drones[i].actuator[k])) {
                return cells_of(s) * MF_FIELD_WAYS;
            }
        }
    }
    return 0;
}

/* Longest way: a drone comes to a cell once, or once with each heading. */
static size_t steps_of(const struct mf_grid_settings *s)
{
    return poses_of(s) > 0 ? poses_of(s) : cells_of(s);
}

size_t mf_grid_bytes(const struct mf_grid_settings *s)
{
    const size_t cells = cells_of(s), drones = s->drone_count;
    const size_t field = mf_field_bytes(s->size, attributes_of(s));
    return MF_MEMORY_BYTES(sizeof(struct mf_grid)) + mf_messages_bytes(messages_of(s)) + field +
           MF_MEMORY_BYTES(drones * sizeof(struct grid_drone)) +
           drones * MF_MEMORY_BYTES(steps_of(s)) +
           MF_MEMORY_BYTES(s->controller_count * sizeof(struct grid_controller)) +
           s->controller_count *
               (2u * field + MF_MEMORY_BYTES(drones * sizeof(struct grid_known_drone))) +
           MF_MEMORY_BYTES((s->task_count + 1u) * sizeof(struct grid_task)) +
           MF_MEMORY_BYTES((s->charger_count + 1u) * sizeof(struct mf_charger)) +
           MF_MEMORY_BYTES((s->thing_count + 1u) * sizeof(struct mf_thing)) +
           MF_MEMORY_BYTES((cells / 64u + 1u) * sizeof(uint64_t)) +
           MF_MEMORY_BYTES((s->effect_count + 1u) * sizeof(uint32_t)) +
           2u * MF_MEMORY_BYTES(cells * sizeof(uint32_t)) +
           MF_MEMORY_BYTES(shut_of(s) * sizeof(uint64_t)) + MF_MEMORY_BYTES(poses_of(s)) +
           MF_MEMORY_BYTES(poses_of(s) * sizeof(uint32_t)) +
           MF_MEMORY_BYTES(drones * sizeof(struct mf_grid_candidate));
}

/* Allocate cleared memory. @return NULL: not enough memory */
static void *part(struct mf_memory *memory, size_t n)
{
    void *p = mf_memory_part(memory, NULL, n);
    return p == NULL ? NULL : memset(p, 0, n);
}

static bool reserve(struct mf_grid *q, struct mf_memory *memory)
{
    const struct mf_grid_settings *s = &q->s;
    const size_t cells = cells_of(s);
    q->drone = part(memory, s->drone_count * sizeof *q->drone);
    q->controller = part(memory, s->controller_count * sizeof *q->controller);
    q->task = part(memory, (s->task_count + 1u) * sizeof *q->task);
    q->charger = part(memory, (s->charger_count + 1u) * sizeof *q->charger);
    q->thing = part(memory, (s->thing_count + 1u) * sizeof *q->thing);
    q->delivered = part(memory, (cells / 64u + 1u) * sizeof *q->delivered);
    q->bird = part(memory, (s->effect_count + 1u) * sizeof *q->bird);
    q->shut = shut_of(s) > 0 ? part(memory, shut_of(s) * sizeof *q->shut) : NULL;
    q->cost = part(memory, cells * sizeof *q->cost);
    q->queue = part(memory, cells * sizeof *q->queue);
    q->fit = part(memory, s->drone_count * sizeof *q->fit);
    if (poses_of(s) > 0) {
        q->came = part(memory, poses_of(s));
        q->poses = part(memory, poses_of(s) * sizeof *q->poses);
        if (q->came == NULL || q->poses == NULL) {
            return false;
        }
    }
    return q->drone != NULL && q->controller != NULL && q->task != NULL && q->charger != NULL &&
           q->thing != NULL && q->delivered != NULL && q->bird != NULL &&
           (q->shut != NULL || shut_of(s) == 0) && q->cost != NULL && q->queue != NULL &&
           q->fit != NULL && mf_messages_init(&q->messages, messages_of(s), memory) == MF_E_OK &&
           mf_field_init(&q->field, s->size, s->metres, attributes_of(s), memory) == MF_E_OK;
}

/* ---- the beginning */

static bool fill_field(struct mf_grid *q)
{
    const struct mf_grid_settings *s = &q->s;
    const uint32_t cells = mf_field_cells(&q->field);
    for (uint32_t i = 0; i < s->blocked_count + s->hidden_count; i++) {
        const uint32_t cell =
            i < s->blocked_count ? s->blocked[i] : s->hidden[i - s->blocked_count];
        if (cell >= cells) {
            return false;
        }
        mf_field_block(&q->field, cell, true);
    }
    for (uint32_t i = 0; i < s->attribute_count; i++) {
        const struct mf_attribute *a = &s->attributes[i];
        if (a->cell >= cells || mf_field_put(&q->field, a->cell, a->name, &a->value) != MF_E_OK) {
            return false;
        }
    }
    for (uint32_t i = 0; i < s->thing_count; i++) {
        q->thing[i] = s->things[i];
        if (q->thing[i].cell >= cells || q->thing[i].to >= cells ||
            mf_thing_place(&q->thing[i], &q->field) != MF_E_OK) {
            return false;
        }
    }
    for (uint32_t i = 0; i < s->charger_count; i++) {
        q->charger[i] = s->chargers[i];
    }
    return true;
}

static bool begin_controllers(struct mf_grid *q, struct mf_memory *memory)
{
    const struct mf_grid_settings *s = &q->s;
    for (uint32_t i = 0; i < s->controller_count; i++) {
        struct grid_controller *c = &q->controller[i];
        c->s = &s->controllers[i];
        c->drone = part(memory, s->drone_count * sizeof *c->drone);
        if (c->drone == NULL ||
            mf_field_init(&c->known, s->size, s->metres, attributes_of(s), memory) != MF_E_OK ||
            mf_field_init(&c->announced, s->size, s->metres, attributes_of(s), memory) != MF_E_OK) {
            return false;
        }
        for (uint32_t k = 0; k < s->blocked_count; k++) {
            mf_field_block(&c->known, s->blocked[k], true);
            mf_field_block(&c->announced, s->blocked[k], true);
        }
        for (uint32_t k = 0; k < s->drone_count; k++) {
            c->drone[k].trust = 1.0;
        }
    }
    return true;
}

static bool begin_drones(struct mf_grid *q, struct mf_memory *memory)
{
    const struct mf_grid_settings *s = &q->s;
    const uint32_t cells = mf_field_cells(&q->field);
    for (uint32_t i = 0; i < s->drone_count; i++) {
        struct grid_drone *d = &q->drone[i];
        d->s = &s->drones[i];
        d->way.step = part(memory, steps_of(s));
        if (d->way.step == NULL || d->s->home >= cells || d->s->controller >= s->controller_count) {
            return false;
        }
        d->body = mf_mover_cell(&d->s->body, d->s->home);
        d->state = d->s->appears > 1u ? MF_GRID_STATE_ABSENT : MF_GRID_STATE_IDLE;
        d->period = 1;
        d->flown.world = q;
    }
    return true;
}

struct mf_grid *mf_grid_init(const struct mf_grid_settings *s, const struct mf_grid_watch *watch,
                             struct mf_memory *memory)
{
    MF_ASSERT(s->drone_count > 0 && s->drone_count <= MF_GRID_DRONES_MAX);
    MF_ASSERT(s->controller_count > 0 && s->controller_count <= MF_GRID_CONTROLLERS_MAX);
    struct mf_grid *q = part(memory, sizeof *q);
    if (q == NULL) {
        return NULL;
    }
    q->s = *s;
    q->watch = watch != NULL ? *watch : (struct mf_grid_watch){0};
    if (!reserve(q, memory) || !fill_field(q) || !begin_controllers(q, memory) ||
        !begin_drones(q, memory)) {
        return NULL;
    }
    for (uint32_t i = 0; i < s->task_count; i++) {
        q->task[i].order = q->order++;
        q->task[i].reason = "";
    }
    for (uint32_t i = 0; i < s->effect_count; i++) {
        q->bird[i] = UINT32_MAX;
    }
    return q;
}

/* ---- a tick */

static void phase(struct mf_grid *q, enum mf_grid_phase p, uint32_t number)
{
    if (q->watch.phase != NULL) {
        q->watch.phase(q->watch.ctx, q->tick, p, number);
    }
}

static bool appears_later(const struct mf_grid *q)
{
    for (uint32_t i = 0; i < q->s.drone_count; i++) {
        if (q->drone[i].state == MF_GRID_STATE_ABSENT && q->s.drones[i].appears != MF_GRID_NEVER) {
            return true;
        }
    }
    return false;
}

static bool is_pending(const struct mf_grid *q)
{
    for (uint32_t i = 0; i < q->s.order_count; i++) {
        if (q->s.orders[i].at > q->tick && q->s.orders[i].at != MF_GRID_NEVER) {
            return true;
        }
    }
    for (uint32_t i = 0; i < q->s.task_count; i++) {
        if (q->task[i].state == GRID_ASSIGNED && q->s.tasks[i].tracked &&
            q->s.tasks[i].deadline > 0) {
            return true;
        }
    }
    return appears_later(q) || grid_effects_pending(q);
}

bool mf_grid_tick(struct mf_grid *q)
{
    q->tick++;
    phase(q, MF_GRID_PHASE_WORLD, 0);
    for (uint32_t i = 0; i < q->s.thing_count; i++) {
        mf_thing_tick(&q->thing[i], &q->field, q->tick);
    }
    grid_effector_tick(q);
    for (uint32_t i = 0; i < q->s.controller_count; i++) {
        phase(q, MF_GRID_PHASE_CONTROLLER, q->controller[i].s->id);
        grid_controller_tick(q, &q->controller[i]);
    }
    for (uint32_t i = 0; i < q->s.drone_count; i++) {
        struct grid_drone *d = &q->drone[i];
        if (d->state == MF_GRID_STATE_ABSENT && d->s->appears <= q->tick) {
            d->body = mf_mover_cell(&d->s->body, d->s->home);
            d->state = MF_GRID_STATE_IDLE;
            q->active = q->tick;
        }
        if (d->state != MF_GRID_STATE_ABSENT && d->state != MF_GRID_STATE_DEAD) {
            grid_drone_tick(q, d);
        } else if (d->state == MF_GRID_STATE_DEAD && grid_is_flown(d) && grid_body_look(q, d)) {
            grid_body_settle(q, d);
        }
    }
    return q->tick < q->active + MF_GRID_IDLE_TICKS || is_pending(q);
}

/* ---- queries */

const char *const mf_grid_state_name[] = {
#define X(name, word) word,
    MF_GRID_STATE_LIST(X)
#undef X
};

const char *const mf_grid_step_name[] = {
#define X(name, word) word,
    MF_GRID_STEP_LIST(X)
#undef X
};

uint64_t mf_grid_ticks(const struct mf_grid *q)
{
    return q->tick;
}

uint64_t mf_grid_last_active(const struct mf_grid *q)
{
    return q->active;
}

struct mf_grid_view mf_grid_drone(const struct mf_grid *q, uint32_t drone)
{
    MF_ASSERT(drone > 0 && drone <= q->s.drone_count);
    const struct grid_drone *d = &q->drone[drone - 1u];
    return (struct mf_grid_view){.state = d->state,
                                 .cell = d->body.cell,
                                 .battery_uah = d->body.battery_uah,
                                 .task = d->task,
                                 .trust = q->controller[d->s->controller].drone[drone - 1u].trust,
                                 .carries = d->carries};
}

const struct mf_field_map *mf_grid_field(const struct mf_grid *q)
{
    return &q->field;
}

const struct mf_field_map *mf_grid_known(const struct mf_grid *q, uint32_t controller)
{
    MF_ASSERT(controller < q->s.controller_count);
    return &q->controller[controller].known;
}

const int32_t *mf_grid_costs(struct mf_grid *q, uint32_t controller, uint32_t goal)
{
    const struct mf_field_map *known = mf_grid_known(q, controller);
    mf_field_costs(known, known->blocked, goal, MF_FIELD_ALL, q->cost, q->queue);
    return q->cost;
}

uint32_t mf_grid_send(struct mf_grid *q, uint32_t sender, uint32_t receiver, const char *name,
                      const struct mf_field_value *value)
{
    MF_ASSERT(sender > 0 && sender <= q->s.drone_count && receiver <= q->s.drone_count);
    return grid_send_data(q, &q->drone[sender - 1u], receiver, name, value);
}

bool mf_grid_is_done(const struct mf_grid *q, uint32_t task, const char **reason)
{
    MF_ASSERT(task > 0 && task <= q->s.task_count);
    if (reason != NULL) {
        *reason = q->task[task - 1u].reason;
    }
    return q->task[task - 1u].state == GRID_DONE;
}

uint64_t mf_grid_messages(const struct mf_grid *q)
{
    return q->messages.sent;
}

uint64_t mf_grid_hash(const struct mf_grid *q)
{
    return q->hash;
}

char mf_grid_letter(const struct mf_grid *q, uint32_t cell)
{
    if (mf_field_is_blocked(&q->field, cell)) {
        return 'X';
    }
    for (uint32_t i = 0; i < q->s.charger_count; i++) {
        if (q->charger[i].cell == cell) {
            return 'C';
        }
    }
    if ((q->delivered[cell / 64u] >> (cell % 64u) & 1u) != 0) {
        return 'A';
    }
    const struct mf_attribute *first = mf_field_first(&q->field, cell);
    return first != NULL ? first->name[0] : '.';
}

void mf_grid_map(const struct mf_grid *q, uint32_t level, char *text)
{
    const uint32_t *size = q->field.size;
    size_t n = 0;
    MF_ASSERT(level < size[2]);
    for (uint32_t y = size[1]; y-- > 0;) {
        for (uint32_t x = 0; x < size[0]; x++) {
            text[n++] = mf_grid_letter(q, (level * size[1] + y) * size[0] + x);
        }
        text[n++] = '\n';
    }
    text[n] = '\0';
    for (uint32_t i = q->s.drone_count;
         i-- > 0;) { /* of drones in one cell the lowest number is shown */
        const struct grid_drone *d = &q->drone[i];
        const struct mf_cell c = mf_field_cell(&q->field, d->body.cell);
        if ((uint32_t)c.z == level && d->state != MF_GRID_STATE_ABSENT) {
            text[(size[1] - 1u - (uint32_t)c.y) * (size[0] + 1u) + (uint32_t)c.x] =
                (char)('0' + (int)((i + 1u) % 10u));
        }
    }
}
