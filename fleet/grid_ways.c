/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and ways of a world of cells: send, plan, estimate. Called by fleet/grid_drone,
 * grid_controller, grid_body and effector. */
#include "fleet/grid_state.h"
#include "math/chance.h"

#include <string.h>

/* ---- messages */

void grid_mix(struct mf_grid *q, uint64_t x)
{
    q->hash = mf_chance_u64(q->hash ^ x, 0);
}

static uint64_t text_bits(const char *text)
{
    uint64_t bits = 14695981039346656037u;
    for (; *text != '\0'; text++) {
        bits = (bits ^ (uint8_t)*text) * 1099511628211u;
    }
    return bits;
}

bool grid_send(struct mf_grid *q, enum mf_message_type type, uint32_t sender, uint32_t receiver,
               const struct mf_message_content *content)
{
    const uint32_t number = MF_ADDRESS_NUMBER(receiver);
    const bool dead = MF_ADDRESS_IS_DRONE(receiver) && number > 0 &&
                      q->drone[number - 1u].state == MF_GRID_STATE_DEAD;
    if (dead || grid_effects_silences(q, sender, receiver)) {
        return false;
    }
    const struct mf_message *m =
        mf_messages_add(&q->messages, q->tick, type, sender, receiver, content);
    if (m == NULL) {
        return false;
    }
    if (type != MF_MESSAGE_INFO_UPDATE) {
        q->active = q->tick;
    }
    grid_mix(q, m->number ^ (uint64_t)type << 40 ^ (uint64_t)sender << 20 ^ receiver);
    grid_mix(q, (uint64_t)content->cell << 32 ^ content->task ^ (uint64_t)content->battery_uah);
    grid_mix(q, text_bits(content->name) ^ text_bits(content->value.text) ^
                    (uint64_t)(uint32_t)content->cost << 16 ^ content->ticks);
    if (q->watch.message != NULL) {
        q->watch.message(q->watch.ctx, m);
    }
    return true;
}

static uint32_t controller_of(const struct mf_grid *q, const struct grid_drone *d)
{
    return q->controller[d->s->controller].s->id;
}

bool grid_tell(struct mf_grid *q, struct grid_drone *d, enum mf_message_type type,
               const struct mf_message_content *content)
{
    return grid_send(q, type, grid_address(q, d), controller_of(q, d), content);
}

uint32_t grid_send_data(struct mf_grid *q, const struct grid_drone *d, uint32_t receiver,
                        const char *name, const struct mf_field_value *value)
{
    struct mf_message_content content = {.cell = d->body.cell, .value = *value};
    uint32_t sent = 0;
    (void)strncpy(content.name, name, sizeof content.name - 1u);
    for (uint32_t i = 0; i < q->s.drone_count; i++) {
        const struct grid_drone *to = &q->drone[i];
        if (to != d && (receiver == 0 || receiver == i + 1u) && to->state != MF_GRID_STATE_ABSENT &&
            grid_send(q, MF_MESSAGE_DATA, grid_address(q, d), grid_address(q, to), &content)) {
            sent++;
        }
    }
    return sent;
}

/* ---- ways */

static int32_t least_of_neighbours(const struct mf_grid *q, uint32_t cell)
{
    int32_t least = -1;
    for (uint32_t way = 0; way < MF_FIELD_WAYS; way++) {
        uint32_t next;
        if (mf_field_neighbour(&q->field, cell, (enum mf_field_way)way, &next) &&
            q->cost[next] >= 0 && (least < 0 || q->cost[next] < least)) {
            least = q->cost[next];
        }
    }
    return least;
}

int32_t grid_moves(struct mf_grid *q, const struct grid_controller *c, uint32_t from, uint32_t goal)
{
    mf_field_costs(&c->known, c->known.blocked, goal, from, q->cost, q->queue);
    if (q->cost[from] >= 0) {
        return q->cost[from];
    }
    const int32_t near =
        least_of_neighbours(q, from); /* the drone stands in a cell that was blocked */
    return near < 0 ? -1 : near + 1;
}

/* Follow the falling costs of q->cost from a pose. @param at  in: begin, out: end  @param step out:
 * the moves; NULL: not wanted */
static void descend(const struct mf_grid *q, struct grid_pose *at, int32_t moves, uint8_t *step)
{
    for (int32_t left = moves - 1; left >= 0; left--) {
        uint32_t next = at->cell, way = 0;
        while (way < MF_FIELD_WAYS &&
               (!mf_field_neighbour(&q->field, at->cell, (enum mf_field_way)way, &next) ||
                q->cost[next] != left)) {
            way++;
        }
        MF_ASSERT(way < MF_FIELD_WAYS);
        *at = (struct grid_pose){next, (enum mf_field_way)way};
        if (step != NULL) {
            *step++ = (uint8_t)way;
        }
    }
}

/* Find the way from a pose to a goal. @param at  in: begin, out: end  @return as grid_moves() */
static int32_t find_way(struct mf_grid *q, const struct grid_controller *c, struct grid_pose *at,
                        struct grid_goal goal, uint8_t *step)
{
    if (goal.by != NULL) {
        return grid_reach_moves(q, c, at, goal, step);
    }
    const int32_t moves = grid_moves(q, c, at->cell, goal.cell);
    if (step != NULL || q->came != NULL) {
        descend(q, at, moves, step);
    }
    at->cell = goal.cell;
    return moves;
}

int32_t grid_plan(struct mf_grid *q, struct grid_drone *d, struct grid_goal goal)
{
    struct grid_way *w = &d->way;
    struct grid_pose at = grid_pose(d);
    const int32_t moves = find_way(q, &q->controller[d->s->controller], &at, goal, w->step);
    *w = (struct grid_way){.step = w->step,
                           .end = moves > 0 ? (uint32_t)moves : 0u,
                           .goal = goal,
                           .planned = moves >= 0};
    return moves;
}

/* Find the actuator that reaches the goal of a step from elsewhere. @return NULL: the drone flies
 * to the goal itself */
static const struct mf_grid_actuator *reach_of(const struct grid_drone *d,
                                               const struct mf_grid_step *step)
{
    const bool grabs = step->kind == MF_GRID_STEP_FETCH;
    const struct mf_grid_actuator *a =
        grabs || step->reach ? grid_actuator(d, step->name, grabs ? MF_GRID_GRAB : MF_GRID_DROP)
                             : NULL;
    return a != NULL && grid_is_far(a) ? a : NULL;
}

bool grid_goal(const struct mf_grid *q, const struct grid_drone *d, const struct mf_grid_step *step,
               struct grid_goal *goal)
{
    if (step->kind == MF_GRID_STEP_FETCH) {
        const struct mf_attribute *a = mf_field_search(&q->field, step->name, &step->value);
        const bool own = d->carries && strcmp(d->cargo.name, step->name) == 0 &&
                         mf_field_value_is(&d->cargo.value, &step->value);
        *goal = a != NULL ? (struct grid_goal){a->cell, reach_of(d, step)}
                          : (struct grid_goal){d->body.cell, NULL};
        return a != NULL || own;
    }
    *goal = step->kind == MF_GRID_STEP_HOME ? (struct grid_goal){d->s->home, NULL}
                                            : (struct grid_goal){step->cell, reach_of(d, step)};
    return true;
}

static bool is_way(const struct mf_grid_step *step)
{
    return step->kind == MF_GRID_STEP_GOTO || step->kind == MF_GRID_STEP_FETCH ||
           step->kind == MF_GRID_STEP_HOME;
}

struct grid_estimate grid_estimate(struct mf_grid *q, const struct grid_controller *c,
                                   const struct grid_drone *d, uint32_t task, uint32_t from_step,
                                   uint32_t from)
{
    const struct mf_grid_task *t = grid_task(q, task);
    struct grid_estimate e = {0};
    struct grid_pose at = {from, d->body.heading};
    uint32_t moves = 0, grams = d->carries ? t->grams : 0u;
    for (uint32_t i = from_step; i < t->steps; i++) {
        const struct mf_grid_step *step = &t->step[i];
        struct grid_goal goal;
        if (step->kind == MF_GRID_STEP_GRAB || step->kind == MF_GRID_STEP_DROP) {
            grams = step->kind == MF_GRID_STEP_GRAB ? t->grams : 0u;
        } else if (step->kind == MF_GRID_STEP_WAIT) {
            e.ticks += step->ticks;
        } else if (is_way(step)) {
            if (!grid_goal(q, d, step, &goal)) {
                e.lacks = "nothing to fetch";
                return e;
            }
            const int32_t leg = find_way(q, c, &at, goal, NULL);
            if (leg < 0) {
                e.lacks = "no way";
                return e;
            }
            moves += (uint32_t)leg;
            e.energy_uah += leg * mf_mover_cell_cost_uah(&d->s->body, grams);
        }
    }
    e.ticks += (moves + d->s->body.speed - 1u) / d->s->body.speed;
    e.energy_uah += e.ticks * d->s->body.tick_uah;
    return e;
}
