/* SPDX-License-Identifier: Apache-2.0 */
/** Layout of a grid world, for its own files. Each calls only files of the lines below its own:
 *     grid.c                                              begins it, and runs a tick
 *     grid_drone.c, grid_controller.c
 *     grid_body.c, effector.c
 *     grid_work.c                                         steps at a cell, ends of tasks
 *     grid_ways.c                                         messages, ways
 *     grid_effects.c                                      effects that last */
#ifndef MF_FLEET_GRID_STATE_H
#define MF_FLEET_GRID_STATE_H

#include "fleet/grid.h"

/** After so many ticks without anything a world is idle. */
#define MF_GRID_IDLE_TICKS 32u

struct grid_way {
    uint8_t *step; /**< [cells], enum mf_field_way */
    uint32_t at, end, goal;
    bool planned;
};

/** A body elsewhere, which obeys orders. */
struct grid_body {
    struct mf_order_view view; /**< in this tick */
    uint16_t items;            /**< of the mission that it flies; 0: none */
    bool grips;                /**< its last item is DO_GRIPPER */
    bool gripped;          /**< ... and is reached: the step that it stands for needs no order */
    bool lands;            /**< it was told to */
    uint64_t went;         /**< last tick in which it was to go somewhere */
    uint64_t moved;        /**< ... in which it moved, or began a mission */
    double mark_m[2];      /**< where it was seen in that tick: north, east */
    const char *refused;   /**< why DO_GRIPPER was refused last */
    struct mf_grid *world; /**< for mf_grid_port() */
};

struct grid_drone {
    const struct mf_grid_drone *s;
    struct grid_body flown;
    struct mf_mover_cell body;
    enum mf_grid_state state;
    struct grid_way way;
    uint32_t task;                       /**< 0: none */
    uint32_t step;                       /**< of the task */
    uint32_t waited;                     /**< of the step */
    uint32_t hold;                       /**< ticks to stand still */
    uint32_t estimated, actual, charges; /* of its task */
    bool begun;                          /**< the first way of its task has come */
    bool carries;
    struct mf_attribute cargo;
    uint32_t grams;
    uint32_t charger; /**< while TO_CHARGER, CHARGING */
    uint32_t period;  /**< it moves in one tick of these */
    bool forged;      /**< OPERATED by an attacker: it goes on by itself */
    bool no_sensors, no_actuators;
    bool announced_idle;
};

enum grid_task_state { GRID_QUEUED, GRID_ASSIGNED, GRID_DONE, GRID_GIVEN_UP };

struct grid_task {
    enum grid_task_state state;
    uint32_t drone, tries;
    uint64_t order; /**< in the queue */
    uint64_t assigned;
    uint32_t estimated;
    const char *reason;
};

/** What a controller knows of a drone. */
struct grid_known_drone {
    uint64_t heard; /**< tick of its last INFO_UPDATE; 0: never */
    enum mf_grid_state state;
    uint32_t cell;
    int64_t battery_uah;
    uint32_t given; /**< task that was assigned; 0: none */
    uint64_t told;  /**< tick of the last order to it */
    double trust;
};

struct grid_controller {
    const struct mf_grid_controller *s;
    struct mf_field_map known;      /**< the map that drones have reported */
    struct mf_field_map announced;  /**< what has been sent to it */
    struct grid_known_drone *drone; /**< [drones] */
    bool changed;                   /**< a cell is newly known as blocked */
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
    uint64_t *delivered;           /**< a bit per cell */
    uint32_t *bird;                /**< [effects]: cells; UINT32_MAX: not there */
    uint64_t *shut;                /**< [cells]: tick until which chance blocks it; NULL: never */
    int32_t *cost;                 /**< scratch [cells] */
    uint32_t *queue;               /**< scratch [cells] */
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

/** @brief Send; the network may lose it. @return true: it is under way */
bool grid_send(struct mf_grid *q, enum mf_message_type type, uint32_t sender, uint32_t receiver,
               const struct mf_message_content *content);

/** @brief Send a message of a drone to its controller. @return true: it is under way */
bool grid_tell(struct mf_grid *q, struct grid_drone *d, enum mf_message_type type,
               const struct mf_message_content *content);

/** @brief Mix something into the hash. */
void grid_mix(struct mf_grid *q, uint64_t x);

/** @brief Plan the way of a drone on its controller's map. @return moves; -1: no way */
int32_t grid_plan(struct mf_grid *q, struct grid_drone *d, uint32_t goal);

/** @brief Moves between two cells on a controller's map; -1: no way. */
int32_t grid_moves(struct mf_grid *q, const struct grid_controller *c, uint32_t from,
                   uint32_t goal);

/** What the rest of a task takes. */
struct grid_estimate {
    uint32_t ticks;
    int64_t energy_uah;
    const char *lacks; /**< why it cannot be done; NULL: it can */
};
struct grid_estimate grid_estimate(struct mf_grid *q, const struct grid_controller *c,
                                   const struct grid_drone *d, uint32_t task, uint32_t from_step,
                                   uint32_t from);

/** @brief Cell where a step leads to. @return false: what it fetches is nowhere */
bool grid_goal(const struct mf_grid *q, const struct grid_drone *d, const struct mf_grid_step *step,
               uint32_t *cell);

/** @brief The drone lets go of its task and of what it carries. */
void grid_let_go(struct mf_grid *q, struct grid_drone *d);

/** @brief The task of a drone has failed. */
void grid_fail(struct mf_grid *q, struct grid_drone *d, const char *reason);

/** @brief The cell at a range in a direction, as the drone's heading turns it.
 *  @param direction  enum of MF_GRID_FORWARD ..., or MF_GRID_NONE: its own cell
 *  @return false: outside the field */
bool grid_cell_at(const struct mf_grid *q, const struct grid_drone *d, int32_t direction,
                  uint32_t range, uint32_t *cell);

/** @brief A step that works on an attribute. @return NULL, or why it was refused */
const char *grid_actuate(struct mf_grid *q, struct grid_drone *d, const struct mf_grid_step *step);

/* Bodies elsewhere. */
static inline bool grid_is_flown(const struct grid_drone *d)
{
    return d->s->port.ops != NULL;
}
/** @brief See where it is. @return false: that is not known */
bool grid_body_look(struct mf_grid *q, struct grid_drone *d);
/** @brief It is to go to a cell, as mf_mover_cell_move() would bring an agent there.
 *  @param wall  out: a cell ahead is blocked; UINT32_MAX: none
 *  @return MF_E_OK: it is there; MF_E_AGAIN: not yet; MF_E_DENIED: there is no way */
int grid_body_go(struct mf_grid *q, struct grid_drone *d, uint32_t goal, uint32_t *wall);
/** @brief GRAB or DROP: by its mission's last item, or by a command. @return as grid_actuate() */
const char *grid_body_grip(struct mf_grid *q, struct grid_drone *d,
                           const struct mf_grid_step *step);
/** @brief The tick ends: a drone that has no way stops, one with nothing to do at its place lands.
 */
void grid_body_settle(struct mf_grid *q, struct grid_drone *d);

void grid_drone_tick(struct mf_grid *q, struct grid_drone *d);
void grid_controller_tick(struct mf_grid *q, struct grid_controller *c);

/* Effects. */
void grid_effector_tick(struct mf_grid *q);
/** @brief Is this cell in the box of an effect? */
bool grid_effect_covers(const struct mf_grid_effect *e, struct mf_cell c);
/** @brief Does an effect of the script begin or end later? */
bool grid_effects_pending(const struct mf_grid *q);
/** @brief Ticks by which the script prolongs a task. */
uint32_t grid_effects_prolongs(const struct mf_grid *q, uint32_t task);
/** @brief Is a message between these addresses lost now? */
bool grid_effects_silences(const struct mf_grid *q, uint32_t sender, uint32_t receiver);
/** @brief May a drone move now? */
bool grid_effects_lets(const struct mf_grid *q, const struct grid_drone *d);

#endif
