/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A grid world: drones that move by cells, tasks, controllers that hand them out, trust, chargers,
 * and an effector that disturbs. After the lightweight drone simulator (docs/papers.md).
 *
 * A tick is: things and effector; controllers by id; then drones by number, each with battery,
 * messages, sense, act, report, log. All memory comes at init; equal settings give equal bytes.
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
#define MF_GRID_TASKS_MAX       256u
#define MF_GRID_STEPS_MAX       16u /* of a task */
#define MF_GRID_EQUIPMENT_MAX   4u  /* sensors of a drone, and actuators */
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
/** What a drone decides itself; X(name, word). */
#define MF_GRID_AUTONOMY_LIST(X)                                            \
    X(MANUAL, "manual")     /* obeys an operator only */                    \
    X(GUIDED, "guided")     /* takes tasks, asks its controller for ways */ \
    X(PLANNING, "planning") /* takes tasks, plans its ways itself */
/** What the effector does; X(name, word). */
#define MF_GRID_EFFECT_LIST(X)                                                                  \
    X(BLOCK, "block")     /* cells of a box, for some ticks */                                  \
    X(EDIT, "edit")       /* attribute of a cell: new, changed */                               \
    X(DAMAGE, "damage")   /* a part of a drone */                                               \
    X(KILL, "kill")       /* a drone */                                                         \
    X(PROLONG, "prolong") /* a task, by ticks of standing still */                              \
    X(FAIL, "fail")       /* a task that is under way */                                        \
    X(WEATHER, "weather") /* in a box drones move in one tick of some only */                   \
    X(BIRD, "bird")       /* flies straight through; who meets it stands still for a tick */    \
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

/** It senses an attribute, or "blocked". NONE: all cells within its range; else those ahead, ... */
struct mf_grid_sensor {
    char name[MF_FIELD_NAME_MAX];
    int32_t direction;
    uint32_t range;
};

/** It works on an attribute of its own cell (NONE), or of the cell at its range ahead, ... */
struct mf_grid_actuator {
    char name[MF_FIELD_NAME_MAX];
    int32_t mode, direction;
    uint32_t range;
};

struct mf_grid_drone {
    uint32_t home;
    uint64_t appears; /**< tick; 0: with the first; MF_GRID_NEVER */
    struct mf_mover_cell_settings body;
    int64_t charge_below_uah; /**< then it asks for a charger */
    uint32_t controller;      /**< number in the settings */
    int32_t autonomy;
    struct mf_order_port port; /**< its body is elsewhere and obeys orders; ops NULL: an agent */
    uint32_t sensors, actuators;
    struct mf_grid_sensor sensor[MF_GRID_EQUIPMENT_MAX];
    struct mf_grid_actuator actuator[MF_GRID_EQUIPMENT_MAX];
};

/** Instructions. Only ways and WAIT take time. */
enum mf_grid_step_kind {
    MF_GRID_STEP_GOTO,   /**< to cell */
    MF_GRID_STEP_FETCH,  /**< to where the attribute is that has name and value */
    MF_GRID_STEP_HOME,   /**< to where the drone began */
    MF_GRID_STEP_WAIT,   /**< ticks */
    MF_GRID_STEP_GRAB,   /**< name: attribute of the cell */
    MF_GRID_STEP_DROP,   /**< name: what it has grabbed */
    MF_GRID_STEP_ASSIGN, /**< name, value: a new attribute */
    MF_GRID_STEP_CHANGE, /**< name, value: of an attribute that is there */
};

struct mf_grid_step {
    enum mf_grid_step_kind kind;
    uint32_t cell, ticks;
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value;
};

struct mf_grid_task {
    uint32_t controller;
    int32_t priority;
    uint32_t deadline; /**< ticks from the assignment; 0: none */
    bool tracked;      /**< its controller looks after it */
    uint32_t drone;    /**< number from 1 of the only one; 0: any */
    uint32_t grams;    /**< of what it carries */
    uint32_t steps;
    struct mf_grid_step step[MF_GRID_STEPS_MAX];
    char needs[MF_FIELD_NAME_MAX]; /**< attribute that a sensor must have; "": none */
};

/** A drone that is free and fit for a task. */
struct mf_grid_candidate {
    uint32_t drone;        /**< number from 1 */
    uint32_t ticks;        /**< that it would take */
    double trust, battery; /**< battery: part that is left */
};

/** A scheduler and a formula of trust from outside; each NULL: as built in. */
struct mf_grid_own {
    void *ctx;
    /** @return place in @p c of who gets the task; @p n: it waits */
    uint32_t (*choose)(void *ctx, uint64_t tick, uint32_t number, const struct mf_grid_task *task,
                       const struct mf_grid_candidate *c, uint32_t n);
    /** @param done  otherwise it failed, or was revoked  @return trust from now on, 0 .. 1 */
    double (*trust)(void *ctx, const struct mf_grid_candidate *before, uint32_t estimated,
                    uint32_t actual, bool done);
};

struct mf_grid_controller {
    uint32_t id;
    int32_t kind;    /**< enum mf_grid_kind */
    int32_t from;    /**< where estimates begin: enum mf_grid_from */
    int32_t go_home; /**< enum mf_grid_return */
    uint32_t silent; /**< ticks without INFO_UPDATE after which a drone is silent */
    uint32_t tries;  /**< of a tracked task */
    struct mf_trust_settings trust;
    const struct mf_grid_own *own; /**< NULL: all is built in; stays the caller's */
};

/** What an operator does. */
struct mf_grid_order {
    uint64_t at;                /**< tick; MF_GRID_NEVER */
    uint32_t controller, drone; /**< drone: number from 1 */
    bool play;                  /**< go on; otherwise: go to cell */
    uint32_t cell;
};

struct mf_grid_effect {
    int32_t kind; /**< enum mf_grid_effect_kind */
    uint64_t at;
    uint32_t ticks;
    struct mf_cell from, to; /**< a box; BIRD: its way; CYBERATTACK: from */
    uint32_t drone, task;    /**< numbers from 1; 0: none, or all */
    int32_t part;            /**< enum mf_grid_part */
    int64_t amount;          /**< WEATHER, SPEED: one tick of these; BATTERY: uAh */
    char name[MF_FIELD_NAME_MAX];
    struct mf_field_value value;
    double chance; /**< 0: it happens at "at"; else with this chance in each tick from there on, to
                      a cell (of the box), a drone or a task under way that is drawn, unless named:
                      BLOCK, EDIT, DAMAGE, KILL, PROLONG, FAIL */
    uint64_t key;  /**< of its chance (math/chance.h) */
    bool box;      /**< its chance draws from the box, not from all cells */
};

struct mf_grid_settings {
    uint32_t size[3];
    double metres;
    double
        origin[3]; /**< of bodies elsewhere: latitude, longitude, AMSL [m] of the field's corner */
    double tick_s; /**< of these: how long a tick is */
    const struct mf_attribute *attributes; /**< [attribute_count] */
    uint32_t attribute_count;
    const uint32_t *blocked, *hidden; /**< cells; hidden: no controller knows them at first */
    uint32_t blocked_count, hidden_count;
    const struct mf_grid_drone *drones;
    uint32_t drone_count;
    const struct mf_grid_controller *controllers;
    uint32_t controller_count;
    const struct mf_grid_task *tasks;
    uint32_t task_count;
    const struct mf_grid_order *orders;
    uint32_t order_count;
    const struct mf_charger *chargers; /**< their cells and rates */
    uint32_t charger_count;
    const struct mf_thing *things;
    uint32_t thing_count;
    const struct mf_grid_effect *effects;
    uint32_t effect_count; /**< 0: the effector is off */
};

/** What became of a task: a line of tasks.csv. */
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
    const char *reason; /**< "" of a task that is done */
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

/** Who watches; functions may be NULL. */
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

/** Their words. */
extern const char *const mf_grid_state_name[];

/** A drone as it is. */
struct mf_grid_view {
    enum mf_grid_state state;
    uint32_t cell;
    int64_t battery_uah;
    uint32_t task; /**< 0: none */
    double trust;
    bool carries;
};

struct mf_grid;

size_t mf_grid_bytes(const struct mf_grid_settings *s);

/** @brief A grid world at tick 0. @param s  and what it points to stay the caller's, who may change
 *  drones, tasks, orders and effects between two ticks
 *  @return in @p memory; NULL: no room there, or the settings name cells outside */
struct mf_grid *mf_grid_init(const struct mf_grid_settings *s, const struct mf_grid_watch *watch,
                             struct mf_memory *memory);

/** @brief One tick. @return false: nothing will happen any more */
bool mf_grid_tick(struct mf_grid *q);

/** @brief Ticks so far; the last one in which anything happened. */
uint64_t mf_grid_ticks(const struct mf_grid *q);
uint64_t mf_grid_last_active(const struct mf_grid *q);

struct mf_grid_view mf_grid_drone(const struct mf_grid *q, uint32_t drone);
const struct mf_field_map *mf_grid_field(const struct mf_grid *q);

/**
 * @brief Orders to a drone. They reach its body, if that is elsewhere; an agent obeys DO_GRIPPER
 * alone. The world answers DO_GRIPPER by what it did: ACCEPTED; FAILED: there is nothing to grab,
 * or nothing can be dropped; UNSUPPORTED: the drone has no actuator for it; DENIED: no such action.
 *
 * It grabs and drops what its task says, else what its first actuator takes.
 */
struct mf_order_port mf_grid_port(struct mf_grid *q, uint32_t drone);

/** @brief Is a task done? @param reason  out: why it still waits, or ""; may be NULL */
bool mf_grid_is_done(const struct mf_grid *q, uint32_t task, const char **reason);

/** @brief Messages sent so far, and a number of everything that happened. */
uint64_t mf_grid_messages(const struct mf_grid *q);
uint64_t mf_grid_hash(const struct mf_grid *q);

/** @brief A level as text: a row per line, the northern one first; '.' empty, X blocked, A
 * delivered, C charger, the first letter of an attribute, the last digit of a drone.
 *  @param text  out [(size[0] + 1) * size[1] + 1] */
void mf_grid_map(const struct mf_grid *q, uint32_t level, char *text);

#endif
