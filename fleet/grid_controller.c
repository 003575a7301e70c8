/* SPDX-License-Identifier: Apache-2.0 */
/* Controllers of a world of cells: messages, new ways, drones that are late or silent, assignment
 * of tasks, chargers, ways home. Called by fleet/grid in each tick. */
#include "fleet/grid_state.h"

#include <string.h>

static uint32_t number_of(const struct mf_grid *q, const struct grid_controller *c)
{
    return (uint32_t)(c - q->controller);
}

static bool is_own(const struct mf_grid *q, const struct grid_controller *c, uint32_t drone)
{
    return q->s.drones[drone - 1u].controller == number_of(q, c);
}

static struct grid_known_drone *known(const struct grid_controller *c, uint32_t drone)
{
    MF_ASSERT(drone > 0);
    return &c->drone[drone - 1u];
}

static bool send_to_drone(struct mf_grid *q, struct grid_controller *c, uint32_t drone,
                          enum mf_message_type type, const struct mf_message_content *content)
{
    known(c, drone)->told = q->tick;
    return grid_send(q, type, c->s->id, MF_ADDRESS_DRONE | drone, content);
}

/* ---- ends of tasks */

static double battery_part(const struct mf_grid *q, const struct grid_controller *c, uint32_t drone)
{
    const int64_t capacity = q->s.drones[drone - 1u].body.capacity_uah;
    return capacity == 0 ? 1.0 : (double)known(c, drone)->battery_uah / (double)capacity;
}

static void record(struct mf_grid *q, struct grid_controller *c, uint32_t task, uint32_t drone,
                   uint32_t actual, enum mf_grid_outcome outcome, const char *reason)
{
    const struct mf_trust_settings *trust = &c->s->trust;
    struct grid_known_drone *k = known(c, drone);
    const uint32_t estimated = q->task[task - 1u].estimated;
    const double ratio =
        outcome == MF_GRID_OUTCOME_DONE ? mf_trust_ratio(trust, estimated, actual) : trust->failed;
    const struct mf_grid_candidate before = {drone, actual, k->trust, battery_part(q, c, drone)};
    k->trust = c->s->own != NULL && c->s->own->trust != NULL
                   ? c->s->own->trust(c->s->own->ctx, &before, estimated, actual,
                                      outcome == MF_GRID_OUTCOME_DONE)
                   : mf_trust_after(trust, k->trust, ratio, before.battery);
    k->given = 0;
    q->active = q->tick;
    const struct mf_grid_record r = {q->tick, task,  drone,    c->s->id, estimated,
                                     actual,  ratio, k->trust, outcome,  reason};
    grid_mix(q, (uint64_t)task << 32 ^ (uint64_t)drone << 16 ^ (uint64_t)outcome);
    grid_mix(q, (uint64_t)estimated << 32 ^ actual);
    if (q->watch.task != NULL) {
        q->watch.task(q->watch.ctx, &r);
    }
}

/* Put a failed task back into the queue, or give it up after its last attempt. */
static void take_back(struct mf_grid *q, struct grid_controller *c, uint32_t task, uint32_t drone,
                      enum mf_grid_outcome outcome, const char *reason)
{
    struct grid_task *t = &q->task[task - 1u];
    const bool again = grid_task(q, task)->tracked && t->tries < c->s->tries;
    t->state = again ? GRID_QUEUED : GRID_GIVEN_UP;
    t->order = q->order++;
    t->reason = reason;
    record(q, c, task, drone, (uint32_t)(q->tick - t->assigned), outcome, reason);
}

static void revoke(struct mf_grid *q, struct grid_controller *c, uint32_t task, const char *reason)
{
    const uint32_t drone = q->task[task - 1u].drone;
    struct mf_message_content content = {.task = task};
    strncpy(content.name, reason, sizeof content.name - 1u);
    (void)send_to_drone(q, c, drone, MF_MESSAGE_REVOKE, &content);
    take_back(q, c, task, drone, MF_GRID_OUTCOME_REVOKED, reason);
}

/* Find the static text of a reason, because the message that names it is freed. */
static const char *lasting(const char *reason)
{
    static const char *const k_reasons[] = {
        "nothing to grab",  "no room to drop", "attribute exists", "no attribute", "no actuator",
        "nothing to fetch", "no way",          "effector",         "battery",      "gripper"};
    for (size_t i = 0; i < sizeof k_reasons / sizeof k_reasons[0]; i++) {
        if (strcmp(k_reasons[i], reason) == 0) {
            return k_reasons[i];
        }
    }
    return "failed";
}

/* ---- messages */

static void on_info(struct mf_grid *q, struct grid_controller *c, uint32_t drone,
                    const struct mf_message_content *content)
{
    struct grid_known_drone *k = known(c, drone);
    k->heard = q->tick;
    k->state = (enum mf_grid_state)content->state;
    k->cell = content->cell;
    k->battery_uah = content->battery_uah;
    if (content->task != 0 && content->task != k->given) {
        (void)send_to_drone(
            q, c, drone, MF_MESSAGE_REVOKE,
            &(struct mf_message_content){.task = content->task, .name = "not yours"});
    } else if (content->task == 0 && k->given != 0 && k->told + 1u < q->tick &&
               mf_messages_search(&q->messages, MF_MESSAGE_TASK, c->s->id,
                                  MF_ADDRESS_DRONE | drone) == NULL) {
        (void)send_to_drone(q, c, drone, MF_MESSAGE_TASK, /* the first message was lost */
                            &(struct mf_message_content){.task = k->given});
    }
}

static void on_cell(struct mf_grid *q, struct grid_controller *c,
                    const struct mf_message_content *content)
{
    (void)q;
    if (strcmp(content->name, "blocked") == 0) {
        mf_field_block(&c->known, content->cell, content->value.number != 0.0);
        c->changed = true;
    } else if (mf_field_find(&c->known, content->cell, content->name) != NULL) {
        (void)mf_field_change(&c->known, content->cell, content->name, &content->value);
    } else {
        (void)mf_field_put(&c->known, content->cell, content->name, &content->value);
    }
}

static void answer_way(struct mf_grid *q, struct grid_controller *c, uint32_t drone, uint32_t task)
{
    const struct grid_drone *d = &q->drone[drone - 1u];
    struct grid_task *t = &q->task[task - 1u];
    const uint32_t from = c->s->from == MF_GRID_FROM_HOME && !d->begun ? d->s->home : d->body.cell;
    const struct grid_estimate e = grid_estimate(q, c, d, task, d->step, from);
    if (e.lacks != NULL) {
        revoke(q, c, task, e.lacks);
        return;
    }
    t->estimated = d->begun ? t->estimated : e.ticks;
    (void)send_to_drone(
        q, c, drone, MF_MESSAGE_PATH,
        &(struct mf_message_content){.cell = d->body.cell, .task = task, .cost = (int32_t)e.ticks});
}

static void process_message(struct mf_grid *q, struct grid_controller *c,
                            const struct mf_message *m)
{
    const uint32_t drone = MF_ADDRESS_NUMBER(m->sender);
    const uint32_t task = m->content.task;
    const bool given = task != 0 && known(c, drone)->given == task;
    switch (m->type) {
    case MF_MESSAGE_INFO_UPDATE:
        on_info(q, c, drone, &m->content);
        break;
    case MF_MESSAGE_CELL_ATTR:
        on_cell(q, c, &m->content);
        break;
    case MF_MESSAGE_REQ_PATH:
        if (given) {
            answer_way(q, c, drone, task);
        }
        break;
    case MF_MESSAGE_TASK_DONE:
        if (given) {
            q->task[task - 1u].state = GRID_DONE;
            q->task[task - 1u].reason = "";
            q->task[task - 1u].estimated = (uint32_t)m->content.cost;
            known(c, drone)->battery_uah = m->content.battery_uah;
            record(q, c, task, drone, m->content.ticks, MF_GRID_OUTCOME_DONE, "");
        }
        break;
    case MF_MESSAGE_TASK_FAILED:
        if (given) {
            take_back(q, c, task, drone, MF_GRID_OUTCOME_FAILED, lasting(m->content.name));
        }
        break;
    case MF_MESSAGE_REQ_TASK: /* INFO_UPDATE carries the same request */
    case MF_MESSAGE_TASK:
    case MF_MESSAGE_PATH:
    case MF_MESSAGE_REVOKE:
    case MF_MESSAGE_GO_HOME:
    case MF_MESSAGE_CHARGE:
    case MF_MESSAGE_GOTO:
    case MF_MESSAGE_PLAY:
    case MF_MESSAGE_DATA:
    case MF_MESSAGE_TYPES:
    default:
        break; /* messages for drones */
    }
}

/* ---- new ways */

static bool crosses_wall(const struct mf_grid *q, const struct grid_controller *c,
                         const struct grid_drone *d)
{
    uint32_t at = d->body.cell;
    for (uint32_t i = d->way.at; d->way.planned && i < d->way.end; i++) {
        if (!mf_field_neighbour(&q->field, at, (enum mf_field_way)d->way.step[i], &at)) {
            return false;
        }
        if (mf_field_is_blocked(&c->known, at)) {
            return true;
        }
    }
    return false;
}

static void plan_anew(struct mf_grid *q, struct grid_controller *c)
{
    for (uint32_t drone = 1; c->changed && drone <= q->s.drone_count; drone++) {
        const struct grid_drone *d = &q->drone[drone - 1u];
        if (is_own(q, c, drone) && known(c, drone)->given == d->task && d->task != 0 &&
            d->state == MF_GRID_STATE_UNDERWAY && crosses_wall(q, c, d)) {
            answer_way(q, c, drone, d->task);
        }
    }
    c->changed = false;
}

/* ---- late, silent and weak drones */

static bool is_silent(const struct mf_grid *q, const struct grid_controller *c, uint32_t drone)
{
    return known(c, drone)->heard + c->s->silent < q->tick;
}

static bool is_weak(struct mf_grid *q, const struct grid_controller *c, uint32_t task)
{
    const struct grid_drone *d = &q->drone[q->task[task - 1u].drone - 1u];
    if (d->s->body.capacity_uah == 0 || d->task != task ||
        d->body.battery_uah > d->s->charge_below_uah) {
        return false;
    }
    return grid_estimate(q, c, d, task, d->step, d->body.cell).energy_uah > d->body.battery_uah;
}

static void check_drones(struct mf_grid *q, struct grid_controller *c)
{
    for (uint32_t i = 0; i < q->s.task_count; i++) {
        const struct mf_grid_task *t = &q->s.tasks[i];
        const struct grid_task *now = &q->task[i];
        if (t->controller != number_of(q, c) || now->state != GRID_ASSIGNED || !t->tracked) {
            continue;
        }
        if (t->deadline > 0 && q->tick - now->assigned > t->deadline) {
            revoke(q, c, i + 1u, "deadline");
        } else if (is_silent(q, c, now->drone)) {
            revoke(q, c, i + 1u, "silent");
        } else if (is_weak(q, c, i + 1u)) {
            revoke(q, c, i + 1u, "battery");
        }
    }
}

/* ---- assignment of tasks */

static bool is_free(const struct mf_grid *q, const struct grid_controller *c, uint32_t drone)
{
    const struct grid_known_drone *k = known(c, drone);
    const bool idle = k->state == MF_GRID_STATE_IDLE ||
                      (k->state == MF_GRID_STATE_HOMING && c->s->go_home != MF_GRID_RETURN_ALWAYS);
    return is_own(q, c, drone) && k->heard == q->tick && idle && k->given == 0 &&
           k->told < q->tick && q->s.drones[drone - 1u].autonomy != MF_GRID_AUTONOMY_MANUAL;
}

static bool has_actuator(const struct mf_grid_drone *d, const struct mf_grid_step *step)
{
    const int32_t mode = (int32_t)step->kind - (int32_t)MF_GRID_STEP_GRAB;
    for (uint32_t i = 0; i < d->actuators; i++) {
        const struct mf_grid_actuator *a = &d->actuator[i];
        if (strcmp(a->name, step->name) == 0 &&
            (a->mode == mode || (a->mode == MF_GRID_GRAB && mode == MF_GRID_DROP))) {
            return true;
        }
    }
    return false;
}

static const char *lacks_equipment(const struct mf_grid_drone *d, const struct mf_grid_task *t)
{
    bool found = t->needs[0] == '\0';
    for (uint32_t i = 0; i < d->sensors; i++) {
        found = found || strcmp(d->sensor[i].name, t->needs) == 0;
    }
    if (!found) {
        return "no sensor";
    }
    for (uint32_t i = 0; i < t->steps; i++) {
        if (t->step[i].kind >= MF_GRID_STEP_GRAB && !has_actuator(d, &t->step[i])) {
            return "no actuator";
        }
    }
    return NULL;
}

static const char k_anothers[] = "another drone's", k_busy[] = "no drone is free";

/* Check whether a drone can begin the task now. @return NULL: it can; otherwise why not */
static const char *unfit(struct mf_grid *q, const struct grid_controller *c, uint32_t task,
                         uint32_t drone, struct grid_estimate *e)
{
    const struct mf_grid_task *t = grid_task(q, task);
    const struct grid_drone *d = &q->drone[drone - 1u];
    const char *lacks = lacks_equipment(d->s, t);
    if ((t->drone != 0 && t->drone != drone) || known(c, drone)->heard == 0) {
        return k_anothers;
    }
    if (lacks != NULL) {
        return lacks;
    }
    if (known(c, drone)->trust < c->s->trust.exclude_below) {
        return "trust";
    }
    if (!is_free(q, c, drone)) {
        return k_busy;
    }
    *e = grid_estimate(q, c, d, task, 0, d->body.cell);
    if (e->lacks != NULL) {
        return e->lacks;
    }
    const bool full = d->body.battery_uah == d->s->body.capacity_uah;
    return d->s->body.capacity_uah == 0 || e->energy_uah <= d->body.battery_uah ||
                   (full && q->s.charger_count > 0)
               ? NULL
               : "battery";
}

/* Is a drone better than the best so far? Of equal ones the first stays. */
static bool is_better(const struct grid_controller *c, const struct mf_grid_task *t, uint32_t drone,
                      uint32_t ticks, uint32_t best, uint32_t best_ticks)
{
    if (best == 0) {
        return true;
    }
    const double mine = known(c, drone)->trust, its = known(c, best)->trust;
    if (t->priority != MF_GRID_PRIORITY_LOW && mine != its) {
        return mine > its;
    }
    return ticks < best_ticks;
}

/* Let the plug-in's scheduler choose among the drones that are free and fit. @return false: leave
 * the task in the queue */
static bool choose_own(const struct mf_grid *q, const struct grid_controller *c, uint32_t task,
                       const struct mf_grid_candidate *fit, uint32_t n, uint32_t *best,
                       uint32_t *best_ticks)
{
    const struct mf_grid_own *own = c->s->own;
    const uint32_t at =
        n > 0 ? own->choose(own->ctx, q->tick, task, grid_task(q, task), fit, n) : n;
    *best = at < n ? fit[at].drone : 0;
    *best_ticks = at < n ? fit[at].ticks : 0;
    return at < n;
}

static void assign(struct mf_grid *q, struct grid_controller *c, uint32_t task)
{
    struct grid_task *now = &q->task[task - 1u];
    uint32_t best = 0, best_ticks = 0, n = 0;
    const bool own = c->s->own != NULL && c->s->own->choose != NULL;
    const char *reason = NULL;
    for (uint32_t drone = 1; drone <= q->s.drone_count; drone++) {
        struct grid_estimate e = {0};
        if (!is_own(q, c, drone)) {
            continue;
        }
        if (best != 0 && c->s->kind == MF_GRID_BY_QUEUE) {
            break; /* a queue takes the first drone that fits */
        }
        const char *lacks = unfit(q, c, task, drone, &e);
        if (lacks == NULL && own) {
            q->fit[n++] = (struct mf_grid_candidate){drone, e.ticks, known(c, drone)->trust,
                                                     battery_part(q, c, drone)};
        } else if (lacks == NULL &&
                   is_better(c, grid_task(q, task), drone, e.ticks, best, best_ticks)) {
            best = drone;
            best_ticks = e.ticks;
        }
        /* prefer the reason of a busy drone, which may do the task later, to what another one
         * lacks */
        if (lacks != NULL &&
            (reason == NULL || strcmp(reason, k_anothers) == 0 || strcmp(lacks, k_busy) == 0)) {
            reason = lacks;
        }
    }
    if (own && !choose_own(q, c, task, q->fit, n, &best, &best_ticks) && n > 0) {
        reason = "scheduler";
    }
    if (best == 0) {
        now->reason = reason != NULL ? reason : "no drone";
        return;
    }
    *now = (struct grid_task){.state = GRID_ASSIGNED,
                              .drone = best,
                              .tries = now->tries + 1u,
                              .order = now->order,
                              .assigned = q->tick,
                              .estimated = best_ticks,
                              .reason = ""};
    known(c, best)->given = task;
    (void)send_to_drone(q, c, best, MF_MESSAGE_TASK, &(struct mf_message_content){.task = task});
}

/* Find the next task of the queue, from an order on. @return 0: the queue has ended */
static uint32_t next_in_queue(const struct mf_grid *q, const struct grid_controller *c,
                              int32_t priority, uint64_t from)
{
    uint32_t first = 0;
    for (uint32_t task = 1; task <= q->s.task_count; task++) {
        const struct grid_task *now = &q->task[task - 1u];
        if (grid_task(q, task)->controller == number_of(q, c) &&
            grid_task(q, task)->priority == priority && now->state == GRID_QUEUED &&
            now->order >= from && (first == 0 || now->order < q->task[first - 1u].order)) {
            first = task;
        }
    }
    return first;
}

static void schedule(struct mf_grid *q, struct grid_controller *c)
{
    for (int32_t priority = MF_GRID_PRIORITIES - 1; priority >= 0; priority--) {
        uint64_t from = 0;
        for (uint32_t task; (task = next_in_queue(q, c, priority, from)) != 0;) {
            from = q->task[task - 1u].order + 1u;
            assign(q, c, task);
        }
    }
}

/* ---- chargers and home */

static bool waits_for_battery(const struct mf_grid *q, const struct grid_controller *c)
{
    for (uint32_t i = 0; i < q->s.task_count; i++) {
        if (q->s.tasks[i].controller == number_of(q, c) && q->task[i].state == GRID_QUEUED &&
            strcmp(q->task[i].reason, "battery") == 0) {
            return true;
        }
    }
    return false;
}

static bool wants_charge(const struct mf_grid *q, const struct grid_controller *c, uint32_t drone)
{
    const struct mf_grid_drone *s = &q->s.drones[drone - 1u];
    const struct grid_known_drone *k = known(c, drone);
    if (s->body.capacity_uah == 0 || k->heard != q->tick || k->told == q->tick ||
        k->battery_uah == s->body.capacity_uah) {
        return false;
    }
    if (k->state == MF_GRID_STATE_IDLE && waits_for_battery(q, c)) {
        return true;
    }
    return k->battery_uah <= s->charge_below_uah &&
           (k->state == MF_GRID_STATE_IDLE || k->state == MF_GRID_STATE_HOMING ||
            k->state == MF_GRID_STATE_ASKING || k->state == MF_GRID_STATE_UNDERWAY);
}

static void send_to_charger(struct mf_grid *q, struct grid_controller *c, uint32_t drone)
{
    const uint32_t cell = q->drone[drone - 1u].body.cell;
    mf_field_costs(&c->known, c->known.blocked, cell, MF_FIELD_ALL, q->cost, q->queue);
    const uint32_t best = mf_charger_choose(q->charger, q->s.charger_count, q->cost);
    if (best == q->s.charger_count ||
        !mf_charger_enter(&q->charger[best], MF_ADDRESS_DRONE | drone)) {
        return;
    }
    const struct mf_message_content content = {.cell = q->charger[best].cell,
                                               .cost = (int32_t)best};
    if (!send_to_drone(q, c, drone, MF_MESSAGE_CHARGE, &content)) {
        mf_charger_leave(&q->charger[best], MF_ADDRESS_DRONE | drone);
    }
}

/* Send a drone home, unless the way would use up so much charge that it would have to charge again
 * at once, and never rest. */
static void send_home(struct mf_grid *q, struct grid_controller *c, uint32_t drone)
{
    const struct grid_known_drone *k = known(c, drone);
    const struct mf_grid_drone *s = &q->s.drones[drone - 1u];
    if (k->state != MF_GRID_STATE_IDLE || k->heard != q->tick || k->told == q->tick ||
        k->cell == s->home || k->given != 0) {
        return;
    }
    const int32_t moves = grid_moves(q, c, k->cell, s->home);
    const int64_t left_uah = k->battery_uah - moves * mf_mover_cell_cost_uah(&s->body, 0);
    const int64_t least_uah = q->s.charger_count > 0 ? s->charge_below_uah + 1 : 0;
    if (moves < 0 || (s->body.capacity_uah > 0 && left_uah < least_uah)) {
        return;
    }
    (void)send_to_drone(q, c, drone, MF_MESSAGE_GO_HOME,
                        &(struct mf_message_content){.cell = s->home});
}

static void look_after(struct mf_grid *q, struct grid_controller *c)
{
    for (uint32_t drone = 1; drone <= q->s.drone_count; drone++) {
        if (!is_own(q, c, drone)) {
            continue;
        }
        if (q->s.charger_count > 0 && wants_charge(q, c, drone)) {
            send_to_charger(q, c, drone);
        }
        if (c->s->go_home != MF_GRID_RETURN_NEVER) {
            send_home(q, c, drone);
        }
    }
}

static void operate(struct mf_grid *q, struct grid_controller *c)
{
    for (uint32_t i = 0; i < q->s.order_count; i++) {
        const struct mf_grid_order *o = &q->s.orders[i];
        if (o->at == q->tick && o->controller == number_of(q, c)) {
            (void)send_to_drone(q, c, o->drone, o->play ? MF_MESSAGE_PLAY : MF_MESSAGE_GOTO,
                                &(struct mf_message_content){.cell = o->cell});
        }
    }
}

void grid_controller_tick(struct mf_grid *q, struct grid_controller *c)
{
    struct mf_message m;
    while (mf_messages_take(&q->messages, c->s->id, &m)) {
        process_message(q, c, &m);
    }
    plan_anew(q, c);
    check_drones(q, c);
    operate(q, c);
    if (c->s->go_home == MF_GRID_RETURN_ALWAYS) {
        look_after(q, c);
        schedule(q, c);
    } else {
        schedule(q, c);
        look_after(q, c);
    }
}
