/* SPDX-License-Identifier: Apache-2.0 */
/* Drones of a world of cells: battery, messages, sense, act, report. Called by fleet/grid in each
 * tick. */
#include "fleet/grid_state.h"

#include "mavlink/enums.h"

#include <string.h>

#define CHARGES_MAX \
    16u /* charges during one task after which the task is out of the drone's reach */

static void ask_for_way(struct mf_grid *q, struct grid_drone *d)
{
    d->state = MF_GRID_STATE_ASKING;
    d->way.planned = false;
    (void)grid_tell(q, d, MF_MESSAGE_REQ_PATH,
                    &(struct mf_message_content){.cell = d->body.cell, .task = d->task});
}

/* ---- sensors */

/* Report a change of a cell between blocked and free to the controller, once. */
static void report_blocked(struct mf_grid *q, struct grid_drone *d, uint32_t cell)
{
    struct grid_controller *c = &q->controller[d->s->controller];
    if (mf_field_is_blocked(&q->field, cell) == mf_field_is_blocked(&c->announced, cell)) {
        return;
    }
    struct mf_message_content content = {.cell = cell, .name = "blocked"};
    const bool blocked = mf_field_is_blocked(&q->field, cell);
    (void)mf_field_value(blocked ? "1" : "0", &content.value);
    if (grid_tell(q, d, MF_MESSAGE_CELL_ATTR, &content)) {
        mf_field_block(&c->announced, cell, blocked);
    }
}

/* Report an attribute to the controller, once for each value. */
static void report_attribute(struct mf_grid *q, struct grid_drone *d, uint32_t cell,
                             const char *name)
{
    struct mf_field_map *announced = &q->controller[d->s->controller].announced;
    const struct mf_attribute *a = mf_field_find(&q->field, cell, name);
    const struct mf_attribute *known = mf_field_find(announced, cell, name);
    if (a == NULL || (known != NULL && mf_field_value_is(&a->value, &known->value))) {
        return;
    }
    struct mf_message_content content = {.cell = cell, .value = a->value};
    memcpy(content.name, a->name, sizeof content.name);
    if (!grid_tell(q, d, MF_MESSAGE_CELL_ATTR, &content)) {
        return;
    }
    if (known != NULL) {
        (void)mf_field_change(announced, cell, name, &a->value);
    } else {
        (void)mf_field_put(announced, cell, name, &a->value);
    }
}

static void sense_cell(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_sensor *s,
                       uint32_t cell)
{
    if (strcmp(s->name, "blocked") == 0) {
        report_blocked(q, d, cell);
    } else {
        report_attribute(q, d, cell, s->name);
    }
}

static int32_t apart(int32_t a, int32_t b)
{
    return a > b ? a - b : b - a;
}

static void sense_around(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_sensor *s)
{
    const struct mf_cell at = mf_field_cell(&q->field, d->body.cell);
    const int32_t r = (int32_t)s->range, side = 2 * r + 1;
    for (int32_t i = 0; i < side * side * side; i++) {
        const struct mf_cell c = {at.x - r + i % side, at.y - r + i / side % side,
                                  at.z - r + i / side / side};
        if (apart(c.x, at.x) + apart(c.y, at.y) + apart(c.z, at.z) <= r &&
            mf_field_is_inside(&q->field, c)) {
            sense_cell(q, d, s, mf_field_index(&q->field, c));
        }
    }
}

static void sense(struct mf_grid *q, struct grid_drone *d)
{
    for (uint32_t i = 0; !d->no_sensors && i < d->s->sensors; i++) {
        const struct mf_grid_sensor *s = &d->s->sensor[i];
        uint32_t cell;
        if (s->direction == MF_GRID_NONE) {
            sense_around(q, d, s);
            continue;
        }
        for (uint32_t range = 1; range <= s->range; range++) {
            if (grid_cell_at(q, grid_pose(d), s->direction, range, &cell)) {
                sense_cell(q, d, s, cell);
            }
        }
    }
}

/* ---- act */

/* Report a cell ahead that turned out to be blocked, and drop the way through it. */
static void meet_wall(struct mf_grid *q, struct grid_drone *d, uint32_t cell)
{
    report_blocked(q, d, cell);
    d->way.planned = false;
    if (d->state == MF_GRID_STATE_UNDERWAY && d->s->autonomy == MF_GRID_AUTONOMY_GUIDED) {
        ask_for_way(q, d);
    }
}

/* Fly to a cell with a body that another part simulates. @return as move_to() */
static int fly_body(struct mf_grid *q, struct grid_drone *d, struct grid_goal goal)
{
    uint32_t wall;
    const int result = grid_body_go(q, d, goal, &wall);
    if (wall == UINT32_MAX) {
        return result;
    }
    meet_wall(q, d, wall);
    return MF_E_AGAIN;
}

/* Move towards a cell. @return MF_E_OK: arrived; MF_E_AGAIN: moved, or will move; MF_E_DENIED: no
 * way */
static int move_to(struct mf_grid *q, struct grid_drone *d, struct grid_goal goal, uint32_t *moves)
{
    struct grid_way *w = &d->way;
    if (grid_is_flown(d)) {
        return fly_body(q, d, goal);
    }
    while (!grid_is_at(q, grid_pose(d), goal)) {
        uint32_t next;
        if (*moves == 0) {
            return MF_E_AGAIN;
        }
        if ((!w->planned || !grid_is_same(w->goal, goal) || w->at == w->end) &&
            grid_plan(q, d, goal) < 0) {
            return MF_E_DENIED;
        }
        const enum mf_field_way way = (enum mf_field_way)w->step[w->at];
        const int result = mf_mover_cell_move(&d->s->body, &d->body, &q->field, way, d->grams);
        if (result == MF_E_DENIED) {
            if (mf_field_neighbour(&q->field, d->body.cell, way, &next)) {
                meet_wall(q, d, next);
            }
            *moves = 0;
            return MF_E_AGAIN;
        }
        if (result != MF_E_OK) {
            return MF_E_AGAIN; /* the battery is empty: the drone stands still */
        }
        w->at++;
        --*moves;
        q->active = q->tick;
    }
    return MF_E_OK;
}

static void finish(struct mf_grid *q, struct grid_drone *d)
{
    const struct mf_message_content content = {.task = d->task,
                                               .cost = (int32_t)d->estimated,
                                               .ticks = d->actual,
                                               .battery_uah = d->body.battery_uah};
    grid_let_go(q, d);
    (void)grid_tell(q, d, MF_MESSAGE_TASK_DONE, &content);
}

/* ---- messages of other drones */

/* Keep a message of another drone, instead of the oldest one if the room is full. */
static void keep_mail(struct grid_drone *d, const struct mf_message_content *content)
{
    if (d->mails == MF_GRID_MAIL_MAX) {
        memmove(&d->mail[0], &d->mail[1], (MF_GRID_MAIL_MAX - 1u) * sizeof d->mail[0]);
        d->mails--;
    }
    struct grid_mail *m = &d->mail[d->mails++];
    memcpy(m->name, content->name, sizeof m->name);
    m->value = content->value;
}

/* Take the oldest message that a step awaits. @return false: none has arrived */
static bool take_mail(struct grid_drone *d, const struct mf_grid_step *step)
{
    for (uint32_t i = 0; i < d->mails; i++) {
        const struct grid_mail *m = &d->mail[i];
        if (strcmp(m->name, step->name) == 0 &&
            (step->value.text[0] == '\0' || mf_field_value_is(&m->value, &step->value))) {
            d->mails--;
            memmove(&d->mail[i], &d->mail[i + 1u], (d->mails - i) * sizeof d->mail[0]);
            return true;
        }
    }
    return false;
}

/* Wait for a message. A tick that passes with nothing but waiting is not part of the task's actual
 * time, since another drone decides how long it takes. @return true: the message has arrived */
static bool await_mail(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_step *step,
                       uint32_t moves)
{
    const bool arrived = take_mail(d, step);
    const bool ends = d->step + 1u == grid_task(q, d->task)->steps;
    q->task[d->task - 1u].reason = arrived ? "" : "awaits a message";
    q->active = arrived ? q->tick : q->active;
    d->actual -= moves == d->s->body.speed && (!arrived || ends) ? 1u : 0u;
    return arrived;
}

/* ---- steps of a task */

/* Carry out one step of the task. @return true: it is complete, so the next one may follow */
static bool act_step(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_step *step,
                     uint32_t *moves)
{
    const char *refused;
    struct grid_goal goal;
    switch (step->kind) {
    case MF_GRID_STEP_GOTO:
    case MF_GRID_STEP_FETCH:
    case MF_GRID_STEP_HOME:
        if (!grid_goal(q, d, step, &goal)) {
            grid_fail(q, d, "nothing to fetch");
            return false;
        }
        switch (move_to(q, d, goal, moves)) {
        case MF_E_OK:
            return true;
        case MF_E_DENIED:
            grid_fail(q, d, "no way");
            return false;
        default:
            return false;
        }
    case MF_GRID_STEP_WAIT:
        if (*moves < d->s->body.speed) {
            return false; /* waiting begins in the first tick without a move */
        }
        *moves = 0;
        q->active = q->tick;
        return ++d->waited >= step->ticks;
    case MF_GRID_STEP_SEND:
        (void)grid_send_data(q, d, step->drone, step->name, &step->value);
        return true;
    case MF_GRID_STEP_AWAIT:
        return await_mail(q, d, step, *moves);
    case MF_GRID_STEP_GRAB:
    case MF_GRID_STEP_DROP:
    case MF_GRID_STEP_ASSIGN:
    case MF_GRID_STEP_CHANGE:
    case MF_GRID_STEPS:
    default:
        refused = grid_is_flown(d) ? grid_body_grip(q, d, step) : grid_actuate(q, d, step);
        if (refused != NULL) {
            grid_fail(q, d, refused);
        }
        return refused == NULL;
    }
}

static void act_task(struct mf_grid *q, struct grid_drone *d)
{
    uint32_t moves = d->s->body.speed;
    d->actual++;
    if (d->hold > 0) {
        d->hold--;
        q->active = q->tick;
        return;
    }
    if (!grid_effects_lets(q, d)) {
        q->active = q->tick;
        return;
    }
    while (d->state == MF_GRID_STATE_UNDERWAY) {
        const struct mf_grid_task *t = grid_task(q, d->task);
        if (d->step == t->steps) {
            finish(q, d);
        } else if (!act_step(q, d, &t->step[d->step], &moves)) {
            return;
        } else {
            d->step++;
            d->waited = 0;
        }
    }
}

/* Go on with the task that an operator or a charge had interrupted. */
static void resume_task(struct mf_grid *q, struct grid_drone *d)
{
    d->announced_idle = false;
    d->state = MF_GRID_STATE_IDLE;
    if (d->task != 0 && d->s->autonomy == MF_GRID_AUTONOMY_PLANNING) {
        d->state = MF_GRID_STATE_UNDERWAY;
    } else if (d->task != 0) {
        ask_for_way(q, d);
    }
}

/* Fly home, to a charger or to an operator's cell. */
static void act_way(struct mf_grid *q, struct grid_drone *d)
{
    uint32_t moves = d->s->body.speed;
    if (!grid_effects_lets(q, d)) {
        q->active = q->tick;
        return;
    }
    const struct grid_goal goal = {d->state == MF_GRID_STATE_HOMING ? d->s->home
                                   : d->state == MF_GRID_STATE_TO_CHARGER
                                       ? q->charger[d->charger].cell
                                       : d->way.goal.cell,
                                   NULL};
    const int result = move_to(q, d, goal, &moves);
    d->way.goal = goal;
    if (result == MF_E_AGAIN || (result == MF_E_DENIED && !d->forged)) {
        return;
    }
    if (d->state == MF_GRID_STATE_TO_CHARGER) {
        d->state = MF_GRID_STATE_CHARGING;
    } else if (d->state == MF_GRID_STATE_HOMING || d->forged) {
        d->forged = false;
        resume_task(q, d);
    }
}

static void act(struct mf_grid *q, struct grid_drone *d)
{
    if (d->begun && (d->state == MF_GRID_STATE_ASKING || d->forged)) {
        d->actual++;
    }
    if (d->state == MF_GRID_STATE_UNDERWAY) {
        act_task(q, d);
    } else if (d->state == MF_GRID_STATE_HOMING || d->state == MF_GRID_STATE_TO_CHARGER ||
               d->state == MF_GRID_STATE_OPERATED) {
        act_way(q, d);
    }
}

/* ---- battery and messages */

static void charge(struct mf_grid *q, struct grid_drone *d)
{
    struct mf_charger *c = &q->charger[d->charger];
    if (grid_is_flown(d) && d->flown.view.landed != MAV_LANDED_STATE_ON_GROUND) {
        return;
    }
    if (!mf_charger_is_first(c, grid_address(q, d))) {
        return;
    }
    q->active = q->tick;
    if (mf_mover_cell_charge(&d->s->body, &d->body, c->rate_uah)) {
        mf_charger_leave(c, grid_address(q, d));
        if (d->task != 0 && ++d->charges > CHARGES_MAX) {
            d->state = MF_GRID_STATE_IDLE;
            d->announced_idle = false;
            grid_fail(q, d, "battery");
            return;
        }
        resume_task(q, d);
    }
}

static void take_task(struct mf_grid *q, struct grid_drone *d, uint32_t task)
{
    if (d->task != 0) {
        return;
    }
    d->task = task;
    d->step = d->waited = d->actual = d->estimated = d->charges = 0;
    d->hold = grid_effects_prolongs(q, task);
    if (d->state == MF_GRID_STATE_OPERATED) {
        return; /* the drone continues when the operator lets it */
    }
    if (d->s->autonomy == MF_GRID_AUTONOMY_PLANNING) {
        d->estimated =
            grid_estimate(q, &q->controller[d->s->controller], d, task, 0, d->body.cell).ticks;
        d->begun = true;
        d->state = MF_GRID_STATE_UNDERWAY;
        d->way.planned = false;
    } else {
        ask_for_way(q, d);
    }
}

static void take_way(struct grid_drone *d, const struct mf_message_content *content)
{
    if (d->task == 0 || content->task != d->task) {
        return;
    }
    d->way.planned = false; /* plan again, on the present map */
    if (d->state != MF_GRID_STATE_ASKING) {
        return;
    }
    d->estimated = d->begun ? d->estimated : (uint32_t)content->cost;
    d->begun = true;
    d->state = MF_GRID_STATE_UNDERWAY;
}

static void process_message(struct mf_grid *q, struct grid_drone *d, const struct mf_message *m)
{
    const struct mf_message_content *content = &m->content;
    switch (m->type) {
    case MF_MESSAGE_TASK:
        take_task(q, d, content->task);
        break;
    case MF_MESSAGE_PATH:
        take_way(d, content);
        break;
    case MF_MESSAGE_REVOKE:
        if (d->task == content->task && d->task != 0) {
            grid_let_go(q, d);
        }
        break;
    case MF_MESSAGE_GO_HOME:
        if (d->task == 0 && d->state == MF_GRID_STATE_IDLE) {
            d->state = MF_GRID_STATE_HOMING;
        }
        break;
    case MF_MESSAGE_CHARGE:
        d->charger = (uint32_t)content->cost;
        d->state = MF_GRID_STATE_TO_CHARGER;
        d->way.planned = false;
        break;
    case MF_MESSAGE_GOTO:
        d->state = MF_GRID_STATE_OPERATED;
        d->way.goal = (struct grid_goal){content->cell, NULL};
        d->way.planned = false;
        d->forged = m->sender == MF_ADDRESS_DRONE; /* no drone has this address */
        break;
    case MF_MESSAGE_PLAY:
        if (d->state == MF_GRID_STATE_OPERATED) {
            resume_task(q, d);
        }
        break;
    case MF_MESSAGE_DATA:
        keep_mail(d, content);
        break;
    case MF_MESSAGE_INFO_UPDATE:
    case MF_MESSAGE_REQ_TASK:
    case MF_MESSAGE_REQ_PATH:
    case MF_MESSAGE_CELL_ATTR:
    case MF_MESSAGE_TASK_DONE:
    case MF_MESSAGE_TASK_FAILED:
    case MF_MESSAGE_TYPES:
    default:
        break; /* for controllers */
    }
}

/* ---- report */

static void report(struct mf_grid *q, struct grid_drone *d)
{
    (void)grid_tell(q, d, MF_MESSAGE_INFO_UPDATE,
                    &(struct mf_message_content){.cell = d->body.cell,
                                                 .task = d->task,
                                                 .state = (int32_t)d->state,
                                                 .battery_uah = d->body.battery_uah});
    if (d->state != MF_GRID_STATE_IDLE || d->announced_idle ||
        d->s->autonomy == MF_GRID_AUTONOMY_MANUAL) {
        return;
    }
    d->announced_idle =
        grid_tell(q, d, MF_MESSAGE_REQ_TASK, &(struct mf_message_content){.cell = d->body.cell});
}

void grid_drone_tick(struct mf_grid *q, struct grid_drone *d)
{
    const uint32_t number = MF_ADDRESS_NUMBER(grid_address(q, d));
    struct mf_message m;
    const struct {
        enum mf_grid_phase phase;
        void (*run)(struct mf_grid *, struct grid_drone *);
    } phases[] = {
        {MF_GRID_PHASE_SENSE, sense}, {MF_GRID_PHASE_ACT, act}, {MF_GRID_PHASE_REPORT, report}};
    if (grid_is_flown(d) && !grid_body_look(q, d)) {
        return; /* the body's place is unknown, so the drone misses this tick */
    }
    if (q->watch.phase != NULL) {
        q->watch.phase(q->watch.ctx, q->tick, MF_GRID_PHASE_BATTERY, number);
    }
    if (d->s->body.capacity_uah > 0) {
        mf_mover_cell_tick(&d->s->body, &d->body);
    }
    if (d->state == MF_GRID_STATE_CHARGING) {
        charge(q, d);
    }
    if (q->watch.phase != NULL) {
        q->watch.phase(q->watch.ctx, q->tick, MF_GRID_PHASE_MESSAGES, number);
    }
    while (mf_messages_take(&q->messages, grid_address(q, d), &m)) {
        process_message(q, d, &m);
    }
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        if (q->watch.phase != NULL) {
            q->watch.phase(q->watch.ctx, q->tick, phases[i].phase, number);
        }
        phases[i].run(q, d);
    }
    if (grid_is_flown(d)) {
        grid_body_settle(q, d);
    }
    if (q->watch.phase != NULL) {
        q->watch.phase(q->watch.ctx, q->tick, MF_GRID_PHASE_LOG, number);
    }
}
