/* SPDX-License-Identifier: Apache-2.0 */
/** Contents of the files of a published grid simulator, private to listing.c, which reads them,
 * listing_plain.c, which completes their text, and listing_write.c, which writes the scenario. */
#ifndef MF_FLEET_LISTING_PARTS_H
#define MF_FLEET_LISTING_PARTS_H

#include "fleet/listing.h"
#include "fleet/scenario_grid.h"

/** X(name, word): instructions. */
#define MF_LISTING_DO_LIST(X) \
    X(GOTO, "GOTO")           \
    X(FROMTO, "FROMTO")       \
    X(WAIT, "WAIT")           \
    X(CARRY, "CARRY")         \
    X(GO_HOME, "GO HOME") X(GRAB, "GRAB") X(DROP, "DROP") X(ASSIGN, "ASSIGN") X(CHANGE, "CHANGE")

/* clang-format off */
#define X(name, word) LISTING_DO_##name,
enum listing_do { MF_LISTING_DO_LIST(X) LISTING_DOS };
#undef X
/* clang-format on */

/** The file lacks the id. */
#define LISTING_NOBODY UINT32_MAX

/* A number that the file does not give is NAN, a word -1, a text "". */

struct listing_equipment {
    int line;
    char attr[MF_FIELD_NAME_MAX];
    int32_t direction, mode;
    uint32_t range, drone; /**< drone: id of whose it is; LISTING_NOBODY: all drones' */
};

struct listing_drone {
    int line;
    uint32_t id, speed; /**< LISTING_NOBODY: not given */
    double battery, move, place[3];
    uint32_t sensors, actuators;
    struct listing_equipment *sensor, *actuator;
};

struct listing_instruction {
    int line;
    int32_t kind; /**< enum listing_do */
    double to[3], from[3], ticks;
    uint32_t deadline, drone, id, controller;
    int32_t priority;
    bool tracked;
    char attr[MF_FIELD_NAME_MAX], value[MF_FIELD_TEXT_MAX];
};

struct listing_task {
    uint32_t count;
    struct listing_instruction *one; /**< [count] */
};

struct listing_controller {
    uint32_t id;
    uint32_t tasks;
    struct listing_task *task; /**< [tasks] */
};

struct listing_cell {
    int line;
    double place[3];
    bool blocked, charger;
    char attr[MF_FIELD_NAME_MAX], value[MF_FIELD_TEXT_MAX];
};

/** Contents of one file. */
struct listing {
    double size[3]; /**< NAN: the file gives none */
    uint32_t drones, sensors, actuators, controllers, cells;
    struct listing_drone *drone;
    struct listing_equipment *sensor, *actuator;
    struct listing_controller *controller;
    struct listing_controller own; /**< tasks listed apart from controllers */
    struct listing_cell *cell;
};

/** Text of one file, completed. */
struct listing_text {
    char *text; /**< owned by the caller, who frees it; NULL: no memory */
    size_t n;
    char note[160]; /**< what the file's text lacks: one line, with its line number; "": nothing */
};

/** @brief Complete a file's text to JSON: keys in lower case with underscores, an empty object as
 * an empty list, braces around all, brackets that are missing. Lines keep their numbers. */
struct listing_text mf_listing_plain(const char *text, size_t n);

/** @brief Write the scenario of all files. @param l  [count]
 * @param size  cells along x, y, z */
void mf_listing_write(const struct listing *l, size_t count, const double size[3], FILE *to);

/** Function for each controller, in the order in which the world numbers their tasks, and for each
 * of its tasks behind it.
 * @param f  number of the file  @param t  NULL: the controller; else its task
 * @return false: end the visit */
typedef bool mf_listing_take(void *ctx, size_t f, uint32_t controller,
                             const struct listing_task *t);

/** @brief Visit the controllers of all files, and their tasks. Tasks listed apart are those of the
 * controller that they name, or of controller 0. @param l  [count]
 * @return false: @p take has ended it */
bool mf_listing_visit_tasks(const struct listing *l, size_t count, mf_listing_take *take,
                            void *ctx);

/** @brief True if the file gives this place. */
bool mf_listing_has(const double place[3]);

#endif
