/* SPDX-License-Identifier: Apache-2.0 */
/** Data of a world of cells, private to its files. Each file calls only those of the lines below
 * its own:
 *     grid.c                           initialises the world, runs a tick
 *     grid_drone.c, grid_controller.c  what a drone and a controller do in a tick
 *     grid_body.c, effector.c          drones with other bodies; effects
 *     grid_work.c                      steps at a cell, ends of tasks
 *     grid_ways.c                      messages, ways
 *     grid_reach.c                     reach of sensors and actuators
 *     grid_effects.c                   effects that last */
#ifndef MF_FLEET_GRID_STATE_H
#define MF_FLEET_GRID_STATE_H

#include "fleet/grid.h"

/** A world is idle after this many ticks without an event. */
#define MF_GRID_IDLE_TICKS 32u

struct grid_pose {
    uint32_t cell;
    enum mf_field_way heading;
};

/** Goal of a way: a cell, or a place from which an actuator reaches the cell. */
struct grid_goal {
    uint32_t cell;
    const struct mf_grid_actuator *by; /**< NULL: the drone flies to the cell itself */
};

struct grid_way {
    uint8_t *step; /**< [cells], or [cells * MF_FIELD_WAYS] with q->came, enum mf_field_way */
    uint32_t at, end;
    struct grid_goal goal;
    bool planned;
};

/** Body that another part simulates, and that obeys orders. */
struct grid_body {
    struct mf_order_view view; /**< state of the body in this tick */
    uint16_t items;            /**< items of the mission that it flies; 0: it flies none */
    bool grips;                /**< the last item of the mission is DO_GRIPPER */
    bool gripped;          /**< the mission has carried out DO_GRIPPER: its step needs no order */
    bool lands;            /**< the body has the order to land */
    uint64_t went;         /**< last tick in which the body had a goal */
    uint64_t moved;        /**< last tick in which the body moved, or began a mission */
    double mark_m[2];      /**< place in the tick of its last motion: north, east */
    const char *refused;   /**< reason of the last refusal of DO_GRIPPER */
    struct mf_grid *world; /**< world of the drone, for the port of mf_grid_port() */
};

/** Message of another drone, which no step has awaited yet. */
struct grid_mail {
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value;
};

struct grid_drone {
    const struct mf_grid_drone *s;
    struct grid_body flown;
    struct mf_mover_cell body;
    enum mf_grid_state state;
    struct grid_way way;
    uint32_t task;                       /**< number of the present task; 0: none */
    uint32_t step;                       /**< index of the task's present step */
    uint32_t waited;                     /**< ticks that the present step has waited */
    uint32_t hold;                       /**< ticks to stand still */
    uint32_t estimated, actual, charges; /* of the present task */
    bool begun;                          /**< the first way of the present task has arrived */
    bool carries;
    struct mf_attribute cargo;
    uint32_t grams;
    uint32_t charger;                        /**< index of the charger in TO_CHARGER and CHARGING */
    struct grid_mail mail[MF_GRID_MAIL_MAX]; /**< [mails], the oldest first */
    uint32_t mails;
    uint32_t period; /**< the drone moves in one tick of these */
    bool forged;     /**< OPERATED by a forged order: the drone continues its task afterwards */
    bool no_sensors, no_actuators;
    bool announced_idle;
};

enum grid_task_state { GRID_QUEUED, GRID_ASSIGNED, GRID_DONE, GRID_GIVEN_UP };

struct grid_task {
    enum grid_task_state state;
    uint32_t drone, tries;
    uint64_t order; /**< place in the queue: the smallest is assigned first */
    uint64_t assigned;
    uint32_t estimated;
    const char *reason;
};

/** State of a drone as its controller knows it from messages. */
struct grid_known_drone {
    uint64_t heard; /**< tick of the last INFO_UPDATE; 0: never */
    enum mf_grid_state state;
    uint32_t cell;
    int64_t battery_uah;
    uint32_t given; /**< task that the controller has assigned; 0: none */
    uint64_t told;  /**< tick of the last order to the drone */
    double trust;
};

struct grid_controller {
    const struct mf_grid_controller *s;
    struct mf_field_map known;     /**< map that drones have reported */
    struct mf_field_map announced; /**< cells and attributes that drones have reported, so that they
                                      report each only once */
    struct grid_known_drone *drone; /**< [drones] */
    bool changed;                   /**< a drone has reported a newly blocked cell */
};

struct mf_grid {
    struct mf_grid_settings s;
    struct mf_grid_watch watch;
    struct mf_field_map field;
    struct mf_messages messages;
    struct grid_drone *drone;
    struct grid_controller *controller;
    struct grid_task *task;
    struct mf_charger *charger;
    struct mf_thing *thing;
    uint64_t *delivered; /**< one bit per cell: cargo was delivered there */
    uint32_t *bird;      /**< [effects]: cell of a bird; UINT32_MAX: absent */
    uint64_t *shut;  /**< [cells]: tick at which a cell that chance blocked opens again; 0: open;
                        NULL: no such effect */
    int32_t *cost;   /**< scratch [cells] */
    uint32_t *queue; /**< scratch [cells] */
    uint8_t *came; /**< scratch [cells * MF_FIELD_WAYS], of grid_reach_moves(); NULL: each actuator
                      works on the drone's own cell */
    uint32_t *poses;               /**< scratch, as many */
    struct mf_grid_candidate *fit; /**< scratch [drones] */
    uint64_t tick, active, order, hash;
};

static inline uint32_t grid_address(const struct mf_grid *q, const struct grid_drone *d)
{
    return MF_ADDRESS_DRONE | ((uint32_t)(d - q->drone) + 1u);
}

static inline const struct mf_grid_task *grid_task(const struct mf_grid *q, uint32_t number)
{
    MF_ASSERT(number > 0 && number <= q->s.task_count);
    return &q->s.tasks[number - 1u];
}

static inline bool grid_is_same(struct grid_goal a, struct grid_goal b)
{
    return a.cell == b.cell && a.by == b.by;
}

static inline struct grid_pose grid_pose(const struct grid_drone *d)
{
    return (struct grid_pose){d->body.cell, d->body.heading};
}

/* ---- reach: what a sensor or an actuator reaches from a pose, by direction and range. NONE: all
 * cells within the range; a direction: the cells there, from the next one up to the range */

/** @brief Find the cell at a range in a direction, which turns with the heading.
 * @param direction  MF_GRID_FORWARD etc., or MF_GRID_NONE: the drone's own cell
 * @return false: outside the field */
bool grid_cell_at(const struct mf_grid *q, struct grid_pose at, int32_t direction, uint32_t range,
                  uint32_t *cell);

/** @brief Number of moves between two cells of a field without walls. */
uint32_t grid_moves_apart(const struct mf_grid *q, uint32_t one, uint32_t other);

/** @brief Find the drone's actuator for an attribute. One that grabs also drops, unless the drone
 * has another one to drop. @return NULL: it lacks one */
const struct mf_grid_actuator *grid_actuator(const struct grid_drone *d, const char *name,
                                             enum mf_grid_mode mode);

/** @brief True if the actuator reaches other cells than the drone's own. */
bool grid_is_far(const struct mf_grid_actuator *a);

bool grid_is_at(const struct mf_grid *q, struct grid_pose at, struct grid_goal goal);

/** @brief Search the shortest way to a pose from which an actuator reaches a cell. Each move turns
 * the drone into its direction.
 * @param at  in: begin; out: end  @param way  out, as grid_way.step: the moves; NULL: not wanted
 * @return moves; -1: no way */
int32_t grid_reach_moves(struct mf_grid *q, const struct grid_controller *c, struct grid_pose *at,
                         struct grid_goal goal, uint8_t *way);

/** @brief Send a message, which the network may lose. @return true: it is under way */
bool grid_send(struct mf_grid *q, enum mf_message_type type, uint32_t sender, uint32_t receiver,
               const struct mf_message_content *content);

/** @brief Send a message of a drone to its controller. @return true: it is under way */
bool grid_tell(struct mf_grid *q, struct grid_drone *d, enum mf_message_type type,
               const struct mf_message_content *content);

/** @brief Send a message of a drone to another one, or to all. Parameters as mf_grid_send(). */
uint32_t grid_send_data(struct mf_grid *q, const struct grid_drone *d, uint32_t receiver,
                        const char *name, const struct mf_field_value *value);

/** @brief Mix a value into the world's hash. */
void grid_mix(struct mf_grid *q, uint64_t x);

/** @brief Plan the way of a drone on its controller's map. @return moves; -1: no way */
int32_t grid_plan(struct mf_grid *q, struct grid_drone *d, struct grid_goal goal);

/** @brief Moves between two cells on a controller's map; -1: no way. */
int32_t grid_moves(struct mf_grid *q, const struct grid_controller *c, uint32_t from,
                   uint32_t goal);

/** Estimated rest of a task. */
struct grid_estimate {
    uint32_t ticks;
    int64_t energy_uah;
    const char *lacks; /**< why it cannot be done; NULL: it can be done */
};
struct grid_estimate grid_estimate(struct mf_grid *q, const struct grid_controller *c,
                                   const struct grid_drone *d, uint32_t task, uint32_t from_step,
                                   uint32_t from);

/** @brief Find where a step leads to. @return false: no cell has the attribute to fetch */
bool grid_goal(const struct mf_grid *q, const struct grid_drone *d, const struct mf_grid_step *step,
               struct grid_goal *goal);

/** @brief Free the drone of its task, and drop its cargo. */
void grid_let_go(struct mf_grid *q, struct grid_drone *d);

/** @brief End the drone's task as failed, and report it. */
void grid_fail(struct mf_grid *q, struct grid_drone *d, const char *reason);

/** @brief Carry out a step that works on an attribute. @return NULL, or why it was refused */
const char *grid_actuate(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_step *step);

/* ---- bodies that another part simulates */
static inline bool grid_is_flown(const struct grid_drone *d)
{
    return d->s->port.ops != NULL;
}
/** @brief Read the body's state, and move the drone to its cell. @return false: the state is
 * unknown */
bool grid_body_look(struct mf_grid *q, struct grid_drone *d);
/** @brief Send the body to a cell, as mf_mover_cell_move() would move a drone there.
 * @param wall  out: blocked cell ahead; UINT32_MAX: the way is free
 * @return MF_E_OK: arrived; MF_E_AGAIN: under way; MF_E_DENIED: no way leads there */
int grid_body_go(struct mf_grid *q, struct grid_drone *d, struct grid_goal goal, uint32_t *wall);
/** @brief Carry out GRAB or DROP by the last item of the mission, or by a command. @return as
 * grid_actuate() */
const char *grid_body_grip(struct mf_grid *q, struct grid_drone *d,
                           const struct mf_grid_step *step);
/** @brief End a tick: stop a drone that lost its way, land one that has nothing to do at its
 * place. */
void grid_body_settle(struct mf_grid *q, struct grid_drone *d);

void grid_drone_tick(struct mf_grid *q, struct grid_drone *d);
void grid_controller_tick(struct mf_grid *q, struct grid_controller *c);

/* ---- effects */
void grid_effector_tick(struct mf_grid *q);
/** @brief True if the cell is in the effect's box. */
bool grid_effect_covers(const struct mf_grid_effect *e, struct mf_cell c);
/** @brief True if an effect of the script begins or ends later. */
bool grid_effects_pending(const struct mf_grid *q);
/** @brief Number of ticks by which the script prolongs a task. */
uint32_t grid_effects_prolongs(const struct mf_grid *q, uint32_t task);
/** @brief True if a message between these addresses is lost now. */
bool grid_effects_silences(const struct mf_grid *q, uint32_t sender, uint32_t receiver);
/** @brief True if weather and damage let a drone move in this tick. */
bool grid_effects_lets(const struct mf_grid *q, const struct grid_drone *d);

#endif
