/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of a world of cells (fleet/grid.h). */
#ifndef MF_FLEET_SCENARIO_GRID_H
#define MF_FLEET_SCENARIO_GRID_H

#include "fleet/grid.h"
#include "fleet/keys.h"
#include "fleet/scenario_search.h"

#define MF_SCENARIO_CELL_FAR          1e6 /* greatest number of a cell */
#define MF_SCENARIO_STEPS_MAX         6u  /* steps in a task's list "do" */
#define MF_SCENARIO_MEMBER_MAX        44u /* longest name of a member, with its NUL */
#define MF_SCENARIO_MESSAGES_FILE_MAX 200u

struct mf_scenario_actuator {
    char attr[MF_FIELD_NAME_MAX];
    int32_t mode, direction;
    uint32_t range;
};

/** Settings of an entity in a world of cells. */
struct mf_scenario_cell {
    double mah, move, tick, per_kg; /**< battery [mAh]; mah 0: without a battery */
    double charge_below;            /**< share of mah */
    double draw_ma;                 /**< hive: current in the air */
    int32_t autonomy, heading;      /**< heading: enum mf_field_way */
    double rate;                    /**< charger: mAh per tick */
    double to[3];                   /**< mover */
    uint32_t every;
    char attr[MF_FIELD_NAME_MAX], value[MF_FIELD_TEXT_MAX];
    uint32_t actuators;
    struct mf_scenario_actuator actuator[MF_GRID_EQUIPMENT_MAX];
};

/** A task, or one step of it; unset: a cell whose x is NAN, and "". */
struct mf_scenario_step {
    int line;
    double go[3], from[3], to[3];
    double wait;
    bool go_home;
    char attr[MF_FIELD_NAME_MAX], carry[MF_FIELD_TEXT_MAX], value[MF_FIELD_TEXT_MAX];
    char grab[MF_FIELD_NAME_MAX], drop[MF_FIELD_NAME_MAX];
    char send[MF_FIELD_NAME_MAX], await[MF_FIELD_NAME_MAX];
    char receiver[MF_SCENARIO_MEMBER_MAX]; /**< of send; "": all other drones */
    char assign[MF_FIELD_NAME_MAX], change[MF_FIELD_NAME_MAX];
};

struct mf_scenario_task {
    struct mf_scenario_step step; /**< first step: its keys are also the task's */
    struct mf_scenario_step more[MF_SCENARIO_STEPS_MAX];
    uint32_t steps; /**< number of steps in more */
    int32_t priority;
    uint32_t deadline;
    bool tracked;
    double kg;
    char drone[MF_SCENARIO_MEMBER_MAX], needs[MF_FIELD_NAME_MAX];
};

struct mf_scenario_order {
    int line;
    uint32_t at;
    char drone[MF_SCENARIO_MEMBER_MAX];
    double go[3];
    bool play;
};

struct mf_scenario_controller {
    int line;
    uint32_t id;
    char of[MF_SCENARIO_MEMBER_MAX]; /**< drones of this controller; "": all that no other
                                        controller has */
    int32_t kind, from, go_home;
    uint32_t silent, tries;
    struct {
        double alpha, beta, failed, exclude_below;
        int32_t compat;
    } trust;
    struct mf_scenario_own own_scheduler, own_trust; /**< entries of plug-ins */
    uint32_t tasks, orders;
    struct mf_scenario_task *task;   /**< [tasks] */
    struct mf_scenario_order *order; /**< [orders] */
};

struct mf_scenario_effect {
    int line;
    int32_t kind, part;
    uint32_t at, ticks, task;
    double from[3], to[3], amount, chance;
    char drone[MF_SCENARIO_MEMBER_MAX];
    char attr[MF_FIELD_NAME_MAX], value[MF_FIELD_TEXT_MAX];
};

struct mf_scenario_cell_list {
    uint32_t count;
    int line;
    double (*cell)[3]; /**< [count] */
};

/** Attribute of a cell. */
struct mf_scenario_attribute {
    double cell[3];
    char name[MF_FIELD_NAME_MAX], value[MF_FIELD_TEXT_MAX];
    int line;
};

/** Attribute of the cells of a level: a line of text per row, the northern row first. */
struct mf_scenario_layer {
    char name[MF_FIELD_NAME_MAX];
    uint32_t level;
    const char *rows; /**< values between blanks or commas; ".": the cell lacks the attribute */
    int line;         /**< line before the first row */
};

/** World of cells of a scenario. */
struct mf_scenario_grid {
    int line;
    double size[3]; /**< 0: the scenario lacks a world of cells */
    double metres, tick_s;
    uint32_t attributes;
    struct mf_scenario_attribute *attribute; /**< [attributes] */
    uint32_t layers;
    struct mf_scenario_layer *layer; /**< [layers] */
    struct mf_scenario_cell_list blocked, hidden;
    uint32_t controllers;
    struct mf_scenario_controller *controller; /**< [controllers] */
    bool effector;
    uint32_t prolongs, effects;
    double *prolong;                   /**< [prolongs] */
    struct mf_scenario_effect *effect; /**< [effects] */
    struct {
        char file[MF_SCENARIO_MESSAGES_FILE_MAX];
        int32_t type; /**< enum mf_message_type; MF_MESSAGE_TYPES: all */
        bool once;
    } messages;
};

/** Tables, parts of the scenario's table (scenario_keys.c). */
extern const struct mf_keys mf_scenario_cells_keys;    /**< keys of struct mf_scenario_grid */
extern const struct mf_keys mf_scenario_effector_keys; /**< keys of struct mf_scenario_grid */
extern const struct mf_keys mf_scenario_message_keys;  /**< keys of struct mf_scenario_grid */
extern const struct mf_keys
    mf_scenario_controller_keys;                       /**< keys of struct mf_scenario_controller */
extern const struct mf_keys mf_scenario_cell_keys;     /**< keys of struct mf_scenario_cell */
extern const struct mf_keys mf_scenario_battery_keys;  /**< keys of struct mf_scenario_cell */
extern const struct mf_keys mf_scenario_actuator_keys; /**< keys of struct mf_scenario_actuator */
extern const char *const mf_scenario_direction_words[];

/** @brief Readers of lists of cells (struct mf_scenario_cell_list) and of attributes. */
bool mf_scenario_read_cells(struct mf_reading *r, const struct mf_key *key,
                            const struct mf_node *node, void *at);
bool mf_scenario_read_attributes(struct mf_reading *r, const struct mf_key *key,
                                 const struct mf_node *node, void *at);

/** @brief Read the text of a single task, from an operator. @param text  [n], YAML or JSON
 * @param error  out [MF_KEYS_ERROR_MAX]  @return false: the text is wrong */
bool mf_scenario_task_read(const char *text, size_t n, struct mf_scenario_task *task, char *error);

/** @brief Set the values that the file need not give. */
void mf_scenario_grid_defaults(struct mf_scenario_grid *g);
void mf_scenario_cell_defaults(struct mf_scenario_cell *c);
void mf_scenario_controller_defaults(void *controller); /**< of struct mf_scenario_controller */

/** Check that only entities of a world of cells have its keys. */
mf_entity_check mf_scenario_cell_check;

#endif
