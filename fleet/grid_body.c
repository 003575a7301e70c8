/* SPDX-License-Identifier: Apache-2.0 */
/* Drones of a world of cells whose body is a vehicle or a ghost: such a drone flies the way to a
 * cell as a mission, and the world moves it to the cell in which its body reports itself. Called by
 * fleet/grid_drone, and boards/swarm/grid_operator. */
#include "fleet/grid_state.h"
#include "math/geodesic.h"
#include "mavlink/enums.h"

#include <math.h>
#include <string.h>

#define ITEMS_MAX   64u /* a way with more corners is flown in several missions */
#define RADIUS_PART 0.1 /* acceptance radius of a waypoint, as a share of a cell's side */
#define STUCK_TICKS 60u /* ticks without motion after which the drone gives up its way */
#define AHEAD       1u  /* cells after those of a tick's flight that the drone checks for walls */

/* ---- places */

static struct mf_geo origin_of(const struct mf_grid *q)
{
    return (struct mf_geo){q->s.origin[0], q->s.origin[1]};
}

static void place_of(const struct mf_grid *q, const struct grid_drone *d, double ne_m[2])
{
    const struct mf_msg_global_position_int *p = &d->flown.view.position;
    mf_geo_to_local(origin_of(q), (struct mf_geo){(double)p->lat / 1e7, (double)p->lon / 1e7},
                    ne_m);
}

/* Level of the body's altitude. Bodies below or above the field are on its lowest or highest level,
 * because their altitudes are not exact. */
static int32_t level_of(const struct mf_grid *q, const struct grid_drone *d)
{
    const double up_m = (double)d->flown.view.position.alt / 1e3 - q->s.origin[2];
    const double level = floor(up_m / q->s.metres), top = (double)q->field.size[2] - 1.0;
    return (int32_t)(level < 0.0 ? 0.0 : level > top ? top : level);
}

/* Compute the cell of the body's reported place; y is north, x is east. @return false: outside the
 * field */
static bool cell_of(const struct mf_grid *q, const struct grid_drone *d, uint32_t *cell)
{
    double ne_m[2];
    place_of(q, d, ne_m);
    const struct mf_cell c = {(int32_t)floor(ne_m[1] / q->s.metres),
                              (int32_t)floor(ne_m[0] / q->s.metres), level_of(q, d)};
    if (!mf_field_is_inside(&q->field, c)) {
        return false;
    }
    *cell = mf_field_index(&q->field, c);
    return true;
}

/* Build a mission item at the middle of a cell. */
static struct mf_msg_mission_item_int item_at(const struct mf_grid *q, uint32_t cell,
                                              uint16_t command)
{
    double at_m[3];
    mf_field_place(&q->field, cell, at_m);
    const struct mf_geo at = mf_geo_from_local(origin_of(q), at_m[1], at_m[0]);
    return (struct mf_msg_mission_item_int){
        .command = command,
        .frame = MAV_FRAME_GLOBAL_INT,
        .autocontinue = 1,
        .param2 =
            command == MAV_CMD_NAV_WAYPOINT ? mf_f32_bits((float)(RADIUS_PART * q->s.metres)) : 0u,
        .param4 = mf_f32_bits(__builtin_nanf("")),
        .x = (int32_t)lround(at.lat_deg * 1e7),
        .y = (int32_t)lround(at.lon_deg * 1e7),
        .z = mf_f32_bits((float)(q->s.origin[2] + at_m[2])),
    };
}

/* ---- missions */

/* Find the step after the way. @return GRAB or DROP; NULL: another step, or the end of the task */
static const struct mf_grid_step *grip_after(const struct mf_grid *q, const struct grid_drone *d)
{
    if (d->state != MF_GRID_STATE_UNDERWAY || d->step + 1u >= grid_task(q, d->task)->steps) {
        return NULL;
    }
    const struct mf_grid_step *next = &grid_task(q, d->task)->step[d->step + 1u];
    return next->kind == MF_GRID_STEP_GRAB || next->kind == MF_GRID_STEP_DROP ? next : NULL;
}

/* Add a waypoint at each turn and at the end of the way. @return true: the items hold the whole
 * way */
static bool add_way(const struct mf_grid *q, const struct grid_drone *d,
                    struct mf_msg_mission_item_int *items, uint16_t *n)
{
    const struct grid_way *w = &d->way;
    uint32_t at = d->body.cell;
    for (uint32_t i = 0; i < w->end; i++) {
        const bool inside = mf_field_neighbour(&q->field, at, (enum mf_field_way)w->step[i], &at);
        MF_ASSERT(inside);
        if (i + 1u < w->end && w->step[i] == w->step[i + 1u]) {
            continue;
        }
        if (*n == ITEMS_MAX - 1u) {
            return false;
        }
        items[(*n)++] = item_at(q, at, MAV_CMD_NAV_WAYPOINT);
    }
    return true;
}

/* Send the way as a mission. @return true: the body has accepted it */
static bool begin_mission(const struct mf_grid *q, struct grid_drone *d)
{
    struct mf_msg_mission_item_int items[ITEMS_MAX];
    const double speed_mps = d->s->body.speed * q->s.metres / q->s.tick_s;
    const struct mf_grid_step *grip = grip_after(q, d);
    uint16_t n = 0;
    if (d->flown.view.landed == MAV_LANDED_STATE_ON_GROUND) {
        items[n++] = item_at(q, d->body.cell, MAV_CMD_NAV_TAKEOFF);
    }
    items[n++] = (struct mf_msg_mission_item_int){.command = MAV_CMD_DO_CHANGE_SPEED,
                                                  .frame = MAV_FRAME_MISSION,
                                                  .autocontinue = 1,
                                                  .param1 = mf_f32_bits(SPEED_TYPE_GROUNDSPEED),
                                                  .param2 = mf_f32_bits((float)speed_mps),
                                                  .param3 = mf_f32_bits(-1.0f)};
    const bool whole = add_way(q, d, items, &n);
    d->flown.grips = whole && grip != NULL;
    if (d->flown.grips) {
        items[n++] = (struct mf_msg_mission_item_int){
            .command = MAV_CMD_DO_GRIPPER,
            .frame = MAV_FRAME_MISSION,
            .autocontinue = 1,
            .param1 = mf_f32_bits(1.0f),
            .param2 = mf_f32_bits(grip->kind == MF_GRID_STEP_GRAB ? (float)GRIPPER_ACTION_GRAB
                                                                  : (float)GRIPPER_ACTION_RELEASE)};
    }
    if (!mf_order_mission(&d->s->port, items, n)) {
        return false;
    }
    d->flown.items = n;
    d->flown.lands = false;
    return true;
}

static void stop(struct grid_drone *d)
{
    if (d->flown.items > 0) {
        (void)mf_order_stop(&d->s->port);
    }
    d->flown.items = 0;
    d->flown.grips = false;
    d->way.planned = false;
}

/* ---- motion */

static uint32_t next_on_way(const struct mf_grid *q, const struct grid_drone *d, uint32_t at,
                            uint32_t step)
{
    uint32_t next = at;
    (void)mf_field_neighbour(&q->field, at, (enum mf_field_way)d->way.step[step], &next);
    return next;
}

/* Number of the way's steps up to the body's cell; 0, too, if that cell is not on the way. */
static uint32_t steps_to(const struct mf_grid *q, const struct grid_drone *d, uint32_t cell)
{
    uint32_t at = d->body.cell;
    for (uint32_t i = d->way.at; i < d->way.end && at != cell; i++) {
        at = next_on_way(q, d, at, i);
        if (at == cell) {
            return i + 1u - d->way.at;
        }
    }
    return 0;
}

/* Record the tick of the last motion, in metres, so that it works with cells of any size. */
static void note_motion(const struct mf_grid *q, struct grid_drone *d)
{
    struct grid_body *b = &d->flown;
    double ne_m[2];
    place_of(q, d, ne_m);
    if (fabs(ne_m[0] - b->mark_m[0]) + fabs(ne_m[1] - b->mark_m[1]) > RADIUS_PART * q->s.metres) {
        memcpy(b->mark_m, ne_m, sizeof b->mark_m);
        b->moved = q->tick;
    }
}

/* Move the drone to its body's cell, and let its battery pay for the moves.
 * @return false: the battery was empty */
static bool follow(struct mf_grid *q, struct grid_drone *d)
{
    uint32_t cell;
    note_motion(q, d);
    if (!cell_of(q, d, &cell)) {
        return true;
    }
    for (uint32_t n = steps_to(q, d, cell); n > 0; n--) {
        const enum mf_field_way way = (enum mf_field_way)d->way.step[d->way.at];
        const int result = mf_mover_cell_move(&d->s->body, &d->body, &q->field, way, d->grams);
        if (result != MF_E_OK) {
            return result == MF_E_DENIED; /* a wall: wall_ahead() finds it later */
        }
        d->way.at++;
    }
    return true;
}

/* First blocked cell that the drone can reach by the next tick; UINT32_MAX: none is blocked. */
static uint32_t wall_ahead(const struct mf_grid *q, const struct grid_drone *d)
{
    uint32_t at = d->body.cell;
    const uint32_t last = d->way.at + d->s->body.speed + AHEAD;
    for (uint32_t i = d->way.at; i < last && i < d->way.end; i++) {
        at = next_on_way(q, d, at, i);
        if (mf_field_is_blocked(&q->field, at)) {
            return at;
        }
    }
    return UINT32_MAX;
}

static bool can_move(const struct grid_drone *d)
{
    return d->s->body.capacity_uah == 0 ||
           d->body.battery_uah >= mf_mover_cell_cost_uah(&d->s->body, d->grams);
}

bool grid_body_look(struct mf_grid *q, struct grid_drone *d)
{
    d->s->port.ops->look(d->s->port.ctx, &d->flown.view);
    const bool known = d->flown.view.known;
    if (known && (d->flown.lands || d->flown.items > 0)) {
        q->active = q->tick;
    }
    return known;
}

static int set_out(struct mf_grid *q, struct grid_drone *d, struct grid_goal goal)
{
    if (!can_move(d)) {
        stop(d);
        return MF_E_AGAIN; /* the drone stands still */
    }
    if (grid_plan(q, d, goal) < 0) {
        stop(d);
        return MF_E_DENIED;
    }
    if (begin_mission(q, d)) {
        d->flown.moved = q->active = q->tick;
    }
    return MF_E_AGAIN;
}

int grid_body_go(struct mf_grid *q, struct grid_drone *d, struct grid_goal goal, uint32_t *wall)
{
    struct grid_body *b = &d->flown;
    *wall = UINT32_MAX;
    if (b->items == 0 && grid_is_at(q, grid_pose(d), goal)) {
        return MF_E_OK;
    }
    b->went = q->tick;
    if (b->items == 0 || !d->way.planned || !grid_is_same(d->way.goal, goal)) {
        return set_out(q, d, goal);
    }
    if (!follow(q, d)) {
        stop(d);
        return MF_E_AGAIN;
    }
    if (b->view.reached == (int32_t)b->items - 1) {
        b->items = 0;
        if (!grid_is_at(q, grid_pose(d), goal)) {
            return set_out(q, d, goal); /* the mission was only a part of the way */
        }
        b->gripped = b->grips;
        return MF_E_OK;
    }
    *wall = wall_ahead(q, d);
    if (*wall == UINT32_MAX && q->tick < b->moved + STUCK_TICKS) {
        return MF_E_AGAIN;
    }
    stop(d);
    return MF_E_DENIED;
}

/* ---- the gripper */

/* Find the step to carry out: that of the drone's task, else one for its first actuator.
 * @return false: the drone lacks an actuator for it */
static bool find_step(const struct mf_grid *q, const struct grid_drone *d, bool grab,
                      struct mf_grid_step *step)
{
    const enum mf_grid_step_kind kind = grab ? MF_GRID_STEP_GRAB : MF_GRID_STEP_DROP;
    *step = (struct mf_grid_step){.kind = kind};
    if (d->task != 0 && d->step < grid_task(q, d->task)->steps &&
        grid_task(q, d->task)->step[d->step].kind == kind) {
        *step = grid_task(q, d->task)->step[d->step];
        return true;
    }
    for (uint32_t i = 0; i < d->s->actuators; i++) {
        const struct mf_grid_actuator *a = &d->s->actuator[i];
        if (a->mode == MF_GRID_GRAB || (!grab && a->mode == MF_GRID_DROP)) {
            memcpy(step->name, a->name, sizeof step->name);
            return true;
        }
    }
    return false;
}

/* Carry out DO_GRIPPER in the world. @return MAV_RESULT */
static uint8_t grip(struct mf_grid *q, struct grid_drone *d, const struct mf_msg_command_int *m)
{
    struct mf_grid_step step;
    const bool grab = m->param2 == (float)GRIPPER_ACTION_GRAB;
    if (!grab && m->param2 != (float)GRIPPER_ACTION_RELEASE) {
        return MAV_RESULT_DENIED;
    }
    if (!find_step(q, d, grab, &step)) {
        return MAV_RESULT_UNSUPPORTED;
    }
    d->flown.refused = grid_actuate(q, d, &step);
    return d->flown.refused == NULL ? MAV_RESULT_ACCEPTED : MAV_RESULT_FAILED;
}

/* A drone that the world moves obeys only DO_GRIPPER. */
static int send_order(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    struct grid_drone *d = ctx;
    const struct mf_order_port *body = &d->s->port;
    const struct mf_msg_command_int *m = msg;
    *result = MAV_RESULT_UNSUPPORTED;
    const int given = grid_is_flown(d) ? body->ops->give(body->ctx, msgid, msg, result) : MF_E_OK;
    if (msgid != MF_MSG_COMMAND_INT || m->command != MAV_CMD_DO_GRIPPER || given == MF_E_IO) {
        return given;
    }
    d->flown.refused = "gripper"; /* the body may have its own gripper, which may fail */
    *result = *result == MAV_RESULT_FAILED ? *result : grip(d->flown.world, d, m);
    return MF_E_OK;
}

static void read_view(void *ctx, struct mf_order_view *view)
{
    const struct grid_drone *d = ctx;
    *view = (struct mf_order_view){.reached = -1};
    if (grid_is_flown(d)) {
        d->s->port.ops->look(d->s->port.ctx, view);
    }
}

static int upload(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count, uint8_t *result)
{
    const struct grid_drone *d = ctx;
    *result = MAV_MISSION_UNSUPPORTED;
    return grid_is_flown(d) ? d->s->port.ops->upload(d->s->port.ctx, items, count, result)
                            : MF_E_OK;
}

struct mf_order_port mf_grid_port(struct mf_grid *q, uint32_t drone)
{
    static const struct mf_order_ops k_ops = {send_order, read_view, upload};
    MF_ASSERT(drone > 0 && drone <= q->s.drone_count);
    return (struct mf_order_port){&k_ops, &q->drone[drone - 1u]};
}

const char *grid_body_grip(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_step *step)
{
    const struct mf_order_port port = mf_grid_port(q, (uint32_t)(d - q->drone) + 1u);
    const bool grips = step->kind == MF_GRID_STEP_GRAB || step->kind == MF_GRID_STEP_DROP;
    const bool by_mission = d->flown.gripped;
    d->flown.gripped = false;
    if (by_mission || !grips) {
        return grid_actuate(q, d, step);
    }
    d->flown.refused = "gripper";
    return mf_order_grip(&port, step->kind == MF_GRID_STEP_GRAB) == MAV_RESULT_ACCEPTED
               ? NULL
               : d->flown.refused;
}

/* ---- end of a tick */

/* Is the drone to land, because it has nothing to do at its place, or cannot move? */
static bool is_to_land(const struct grid_drone *d)
{
    return d->state == MF_GRID_STATE_DEAD || d->state == MF_GRID_STATE_CHARGING ||
           (d->state == MF_GRID_STATE_IDLE && d->body.cell == d->s->home) || !can_move(d);
}

void grid_body_settle(struct mf_grid *q, struct grid_drone *d)
{
    struct grid_body *b = &d->flown;
    if (b->went != q->tick) {
        stop(d);
    }
    const bool up = b->view.landed != MAV_LANDED_STATE_ON_GROUND;
    if (up && b->items == 0 && !b->lands && is_to_land(d)) {
        b->lands = mf_order_land(&d->s->port);
        q->active = q->tick;
    }
    b->lands = b->lands && up;
}
