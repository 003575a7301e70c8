/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A world of cells: drones that move by cells, tasks, controllers that assign them, trust,
 * chargers, and an effector that disturbs. After the lightweight drone simulator (docs/papers.md).
 *
 * Order of a tick: things and effector; controllers by id; then drones by number, each with
 * battery, messages, sense, act, report, log. All memory is reserved by mf_grid_init(); equal
 * settings give equal bytes.
 */
#ifndef MF_FLEET_GRID_H
#define MF_FLEET_GRID_H

#include "fleet/messages.h"
#include "fleet/order.h"
#include "fleet/trust.h"
#include "world/mover_cell.h"
#include "world/things.h"

#define MF_GRID_DRONES_MAX      1000u
#define MF_GRID_CONTROLLERS_MAX 4u
#define MF_GRID_TASKS_MAX       1000000u
#define MF_GRID_STEPS_MAX       16u /* steps of a task */
#define MF_GRID_EQUIPMENT_MAX   4u  /* sensors of a drone, and as many actuators */
#define MF_GRID_MAIL_MAX        8u  /* messages of other drones that a drone keeps */
#define MF_GRID_NEVER           UINT64_MAX

/* Words of scenarios, in the order of their enums. */
/* clang-format off */
#define MF_GRID_DIRECTION_LIST(X)                                 \
    X(NONE, "NONE") X(FORWARD, "FORWARD") X(BACKWARD, "BACKWARD") \
    X(LEFT, "LEFT") X(RIGHT, "RIGHT")
#define MF_GRID_MODE_LIST(X)     X(GRAB, "GRAB") X(DROP, "DROP") X(ASSIGN, "ASSIGN") X(CHANGE, "CHANGE")
#define MF_GRID_PRIORITY_LIST(X) X(LOW, "low") X(NORMAL, "normal") X(HIGH, "high")
#define MF_GRID_KIND_LIST(X)     X(QUEUE, "queue") X(TRUST, "trust") X(OWN, "own")
#define MF_GRID_FROM_LIST(X)     X(HERE, "here") X(HOME, "home")
#define MF_GRID_RETURN_LIST(X)   X(NEVER, "never") X(WHEN_IDLE, "when_idle") X(ALWAYS, "always")
/** Decisions that a drone takes alone; X(name, word). */
#define MF_GRID_AUTONOMY_LIST(X)                                            \
    X(MANUAL, "manual")     /* obeys an operator only */                    \
    X(GUIDED, "guided")     /* takes tasks, asks its controller for ways */ \
    X(PLANNING, "planning") /* takes tasks, plans its ways itself */
/** Kinds of effects; X(name, word). */
#define MF_GRID_EFFECT_LIST(X)                                                                  \
    X(BLOCK, "block")     /* cells of a box, for some ticks */                                  \
    X(EDIT, "edit")       /* attribute of a cell: new, changed */                               \
    X(DAMAGE, "damage")   /* a part of a drone */                                               \
    X(KILL, "kill")       /* a drone */                                                         \
    X(PROLONG, "prolong") /* a task, by ticks of standing still */                              \
    X(FAIL, "fail")       /* a task that is under way */                                        \
    X(WEATHER, "weather") /* in a box drones move in one tick of some only */                   \
    X(BIRD, "bird")       /* flies straight; drones that it meets stand still for a tick */         \
    X(CYBERATTACK, "cyberattack") /* a forged order sends a drone elsewhere, then it goes on */ \
    X(NETWORK, "network") /* messages from and to a drone, or to all, are lost for some ticks */
#define MF_GRID_PART_LIST(X) \
    X(SENSORS, "sensors") X(ACTUATORS, "actuators") X(BATTERY, "battery") X(SPEED, "speed")

#define X(name, word) MF_GRID_##name,
enum mf_grid_direction { MF_GRID_DIRECTION_LIST(X) MF_GRID_DIRECTIONS };
enum mf_grid_mode { MF_GRID_MODE_LIST(X) MF_GRID_MODES };
#undef X
#define X(name, word) MF_GRID_PRIORITY_##name,
enum mf_grid_priority { MF_GRID_PRIORITY_LIST(X) MF_GRID_PRIORITIES };
#undef X
#define X(name, word) MF_GRID_BY_##name,
enum mf_grid_kind { MF_GRID_KIND_LIST(X) MF_GRID_KINDS };
#undef X
#define X(name, word) MF_GRID_FROM_##name,
enum mf_grid_from { MF_GRID_FROM_LIST(X) MF_GRID_FROMS };
#undef X
#define X(name, word) MF_GRID_RETURN_##name,
enum mf_grid_return { MF_GRID_RETURN_LIST(X) MF_GRID_RETURNS };
#undef X
#define X(name, word) MF_GRID_AUTONOMY_##name,
enum mf_grid_autonomy { MF_GRID_AUTONOMY_LIST(X) MF_GRID_AUTONOMIES };
#undef X
#define X(name, word) MF_GRID_EFFECT_##name,
enum mf_grid_effect_kind { MF_GRID_EFFECT_LIST(X) MF_GRID_EFFECTS };
#undef X
#define X(name, word) MF_GRID_PART_##name,
enum mf_grid_part { MF_GRID_PART_LIST(X) MF_GRID_PARTS };
#undef X
/* clang-format on */

/** Sensor of an attribute, or of "blocked". NONE: senses all cells within its range; a direction:
 * those ahead, behind, to the left or to the right. */
struct mf_grid_sensor {
    char name[MF_FIELD_NAME_MAX];
    int32_t direction;
    uint32_t range;
};

/** Actuator of an attribute, with the reach of a sensor. NONE: works on a cell within its range; a
 * direction: on one of those ahead, behind, to the left or to the right. */
struct mf_grid_actuator {
    char name[MF_FIELD_NAME_MAX];
    int32_t mode, direction;
    uint32_t range;
};

struct mf_grid_drone {
    uint32_t home;
    uint64_t appears; /**< tick at which the drone appears; 0: at the start; MF_GRID_NEVER */
    struct mf_mover_cell_settings body;
    int64_t charge_below_uah; /**< the drone asks for a charger below this charge */
    uint32_t controller;      /**< index of its controller in the settings */
    int32_t autonomy;
    struct mf_order_port port; /**< orders to a body that another part simulates; ops NULL: the
                                  world moves the drone */
    uint32_t sensors, actuators;
    struct mf_grid_sensor sensor[MF_GRID_EQUIPMENT_MAX];
    struct mf_grid_actuator actuator[MF_GRID_EQUIPMENT_MAX];
};

/** Kinds of steps. Only ways, WAIT and AWAIT take time; X(name, word). */
#define MF_GRID_STEP_LIST(X)                                                                       \
    X(GOTO, "GOTO")    /* fly to cell, or to where an actuator reaches it */                       \
    X(FETCH, "FETCH")  /* fly to where an actuator reaches the attribute of this name and value */ \
    X(HOME, "GO HOME") /* fly to the drone's first cell */                                         \
    X(WAIT, "WAIT")    /* stand still for ticks */                                                 \
    X(SEND, "SEND")    /* send name and value to drone, or to all others */                        \
    X(AWAIT, "AWAIT")  /* stand still until a message of this name has arrived, and take it */     \
    X(GRAB, "GRAB")    /* take the attribute that has this name from a cell */                     \
    X(DROP, "DROP")    /* put down the cargo that has this name */                                 \
    X(ASSIGN, "ASSIGN") /* add an attribute with name and value */                                 \
    X(CHANGE, "CHANGE") /* give an existing attribute, by its name, a new value */
/* clang-format off */
#define X(name, word) MF_GRID_STEP_##name,
enum mf_grid_step_kind { MF_GRID_STEP_LIST(X) MF_GRID_STEPS };
#undef X
/* clang-format on */

struct mf_grid_step {
    enum mf_grid_step_kind kind;
    uint32_t cell, ticks;
    bool reach;     /**< GOTO: the next step, DROP, puts the cargo that has this name into cell */
    uint32_t drone; /**< SEND: number of the receiver, from 1; 0: all other drones */
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value; /**< AWAIT: an empty text stands for any value */
};

struct mf_grid_task {
    uint32_t controller;
    int32_t priority;
    uint32_t deadline; /**< ticks from the assignment; 0: no deadline */
    bool tracked;      /**< its controller assigns the task again after a failure */
    uint32_t drone;    /**< number, from 1, of the only drone that may do it; 0: any */
    uint32_t grams;    /**< weight of the cargo */
    uint32_t steps;
    struct mf_grid_step step[MF_GRID_STEPS_MAX];
    char needs[MF_FIELD_NAME_MAX]; /**< attribute that the drone must be able to sense; "": any
                                      drone will do */
};

/** Drone that is free and fit for a task. */
struct mf_grid_candidate {
    uint32_t drone;        /**< estimated duration of the task */
    uint32_t ticks;        /**< that it would take */
    double trust, battery; /**< battery: share of the capacity that is left */
};

/** Scheduler and formula of trust of a plug-in; NULL: the built-in one. */
struct mf_grid_own {
    void *ctx;
    /** Choose a drone for a task. @return index in @p c of the drone; @p n: leave the task in the
     * queue */
    uint32_t (*choose)(void *ctx, uint64_t tick, uint32_t number, const struct mf_grid_task *task,
                       const struct mf_grid_candidate *c, uint32_t n);
    /** Compute the drone's trust after a task. @param done  false: the task failed, or was revoked
     * @return new trust, 0 to 1 */
    double (*trust)(void *ctx, const struct mf_grid_candidate *before, uint32_t estimated,
                    uint32_t actual, bool done);
};

struct mf_grid_controller {
    uint32_t id;
    int32_t kind;    /**< enum mf_grid_kind */
    int32_t from;    /**< start of estimated ways: enum mf_grid_from */
    int32_t go_home; /**< enum mf_grid_return */
    uint32_t silent; /**< a drone is silent after this many ticks without INFO_UPDATE */
    uint32_t tries;  /**< number of attempts at a tracked task */
    struct mf_trust_settings trust;
    const struct mf_grid_own *own; /**< plug-in, owned by the caller; NULL: all is built in */
};

/** Order of the operator to a drone. */
struct mf_grid_order {
    uint64_t at;                /**< tick; MF_GRID_NEVER */
    uint32_t controller, drone; /**< drone: number from 1 */
    bool play;                  /**< true: let the drone continue; false: send it to cell */
    uint32_t cell;
};

struct mf_grid_effect {
    int32_t kind; /**< enum mf_grid_effect_kind */
    uint64_t at;
    uint32_t ticks;
    struct mf_cell from, to; /**< a box; BIRD: start and end of its way; CYBERATTACK: from is the
                                cell of the forged order */
    uint32_t drone, task;    /**< numbers from 1; 0: any, or all */
    int32_t part;            /**< enum mf_grid_part */
    int64_t amount; /**< WEATHER, SPEED: a drone moves in one tick of this many; BATTERY: uAh */
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value;
    double chance; /**< 0: the effect begins at "at". Else the chance that it begins in each tick
                      from "at" on, at a cell (of the box), a drone or a task under way, which is
                      drawn unless named: BLOCK, EDIT, DAMAGE, KILL, PROLONG, FAIL */
    uint64_t key;  /**< key of its random numbers (math/chance.h) */
    bool box;      /**< the effect's cell is drawn from the box, not from all cells */
};

struct mf_grid_settings {
    uint32_t size[3];
    double metres;
    double origin[3]; /**< corner of the field, for bodies that another part simulates: latitude,
                         longitude, AMSL [m] */
    double tick_s;    /**< duration of a tick for these bodies */
    const struct mf_attribute *attributes; /**< [attribute_count] */
    uint32_t attribute_count;
    const uint32_t *blocked,
        *hidden; /**< indices of cells; hidden: blocked cells that no controller knows at first */
    uint32_t blocked_count, hidden_count;
    const struct mf_grid_drone *drones;
    uint32_t drone_count;
    const struct mf_grid_controller *controllers;
    uint32_t controller_count;
    const struct mf_grid_task *tasks;
    uint32_t task_count;
    const struct mf_grid_order *orders;
    uint32_t order_count;
    const struct mf_charger *chargers; /**< cells and rates of the chargers */
    uint32_t charger_count;
    const struct mf_thing *things;
    uint32_t thing_count;
    const struct mf_grid_effect *effects;
    uint32_t effect_count; /**< 0: without an effector */
};

/** Results of tasks; each is a line of tasks.csv. */
#define MF_GRID_OUTCOME_LIST(X) X(DONE, "done") X(FAILED, "failed") X(REVOKED, "revoked")
/* clang-format off */
#define X(name, word) MF_GRID_OUTCOME_##name,
enum mf_grid_outcome { MF_GRID_OUTCOME_LIST(X) MF_GRID_OUTCOMES };
#undef X
/* clang-format on */
struct mf_grid_record {
    uint64_t tick;
    uint32_t task, drone, controller; /**< task, drone: numbers from 1; controller: its id */
    uint32_t estimated, actual;       /**< ticks */
    double ratio, trust;
    enum mf_grid_outcome outcome;
    const char *reason; /**< "" if the task is done */
};

/** Phases of a tick, for traces. */
/* clang-format off */
#define MF_GRID_PHASE_LIST(X)                                                     \
    X(WORLD, "world") X(CONTROLLER, "controller") X(BATTERY, "battery")           \
    X(MESSAGES, "messages") X(SENSE, "sense") X(ACT, "act") X(REPORT, "report")   \
    X(LOG, "log")
#define X(name, word) MF_GRID_PHASE_##name,
enum mf_grid_phase { MF_GRID_PHASE_LIST(X) MF_GRID_PHASES };
#undef X
/* clang-format on */

/** Callbacks of an observer; each may be NULL. */
struct mf_grid_watch {
    void (*phase)(void *ctx, uint64_t tick, enum mf_grid_phase phase, uint32_t number);
    void (*message)(void *ctx, const struct mf_message *m);
    void (*task)(void *ctx, const struct mf_grid_record *r);
    void *ctx;
};

/* clang-format off */
#define MF_GRID_STATE_LIST(X)                                                                \
    X(ABSENT, "absent") X(IDLE, "idle") X(ASKING, "asking") X(UNDERWAY, "underway")          \
    X(HOMING, "homing") X(TO_CHARGER, "to_charger") X(CHARGING, "charging")                  \
    X(OPERATED, "operated") X(DEAD, "dead")
#define X(name, word) MF_GRID_STATE_##name,
enum mf_grid_state { MF_GRID_STATE_LIST(X) MF_GRID_STATES };
#undef X
/* clang-format on */

/** Words of enum mf_grid_state, in its order. */
extern const char *const mf_grid_state_name[];

/** Words of enum mf_grid_step_kind, in its order. */
extern const char *const mf_grid_step_name[];

/** Present state of a drone. */
struct mf_grid_view {
    enum mf_grid_state state;
    uint32_t cell;
    int64_t battery_uah;
    uint32_t task; /**< number of its task; 0: none */
    double trust;
    bool carries;
};

struct mf_grid;

size_t mf_grid_bytes(const struct mf_grid_settings *s);

/** @brief Build a world of cells at tick 0. @param s  stays the caller's, with everything it points
 * to; the caller may change drones, tasks, orders and effects between two ticks
 * @return the world, in @p memory; NULL: not enough memory, or the settings name cells outside the
 * field */
struct mf_grid *mf_grid_init(const struct mf_grid_settings *s, const struct mf_grid_watch *watch,
                             struct mf_memory *memory);

/** @brief Run one tick. @return false: no event is left */
bool mf_grid_tick(struct mf_grid *q);

/** @brief Number of ticks run, and the last tick in which something happened. */
uint64_t mf_grid_ticks(const struct mf_grid *q);
uint64_t mf_grid_last_active(const struct mf_grid *q);

struct mf_grid_view mf_grid_drone(const struct mf_grid *q, uint32_t drone);
const struct mf_field_map *mf_grid_field(const struct mf_grid *q);

/** @brief Map that drones have reported to a controller. @param controller  index in the settings
 */
const struct mf_field_map *mf_grid_known(const struct mf_grid *q, uint32_t controller);

/** @brief Number of moves from each cell to a goal on a controller's map; -1: no way leads there.
 * @return [cells], valid until the next call of a function that changes the world */
const int32_t *mf_grid_costs(struct mf_grid *q, uint32_t controller, uint32_t goal);

/** @brief Port for orders to a drone. Orders reach the body that another part simulates; a drone
 * that the world moves obeys only DO_GRIPPER. The world answers DO_GRIPPER by its own result:
 * ACCEPTED; FAILED: the cell has nothing to grab, or nothing can be dropped; UNSUPPORTED: the drone
 * lacks the actuator; DENIED: unknown action.
 *
 * The drone grabs and drops what its task says, else what its first actuator takes. */
struct mf_order_port mf_grid_port(struct mf_grid *q, uint32_t drone);

/** @brief Let a drone send a message to another one, or to all others, between two ticks.
 * @param receiver  number from 1; 0: all other drones
 * @return number of messages that are under way; the network may lose others, and absent and dead
 * drones get none */
uint32_t mf_grid_send(struct mf_grid *q, uint32_t sender, uint32_t receiver, const char *name,
                      const struct mf_field_value *value);

/** @brief True if a task is done. @param reason  out: why the task is not assigned, or ""; may be
 * NULL */
bool mf_grid_is_done(const struct mf_grid *q, uint32_t task, const char **reason);

/** @brief Number of messages sent, and a hash of all events so far. */
uint64_t mf_grid_messages(const struct mf_grid *q);
uint64_t mf_grid_hash(const struct mf_grid *q);

/** @brief Letter of a cell on a map, without drones. */
char mf_grid_letter(const struct mf_grid *q, uint32_t cell);

/** @brief Draw a level as text: a row per line, the northern one first; '.' empty, X blocked, A
 * delivered, C charger, the first letter of an attribute, the last digit of a drone.
 * @param text  out [(size[0] + 1) * size[1] + 1] */
void mf_grid_map(const struct mf_grid *q, uint32_t level, char *text);

#endif
