/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of expectations. */
#ifndef MF_FLEET_SCENARIO_EXPECT_H
#define MF_FLEET_SCENARIO_EXPECT_H

#include "fleet/scenario_chosen.h"
#include "world/field.h"

/** Maximum number of expectations: each has a timer. */
#define MF_SCENARIO_EXPECT_MAX 256u

/** Events of a vehicle: name and word. */
#define MF_SCENARIO_EVENT_LIST(X) \
    X(ARMED, "armed")             \
    X(DISARMED, "disarmed")       \
    X(IN_AIR, "in_air")           \
    X(LANDED, "landed")           \
    X(ITEM, "item")               \
    X(FINISHED, "finished")       \
    X(MODE, "mode")               \
    X(FAILSAFE, "failsafe")       \
    X(BREACH, "breach")           \
    X(CRASHED, "crashed")         \
    X(FROZEN, "frozen")           \
    X(VISITED, "visited")         \
    X(LOST, "lost")               \
    X(FOUND, "found")             \
    X(ARRIVED, "arrived")         \
    X(RETIRED, "retired")

/* clang-format off */
#define X(name, word) MF_SCENARIO_EVENT_##name,
enum mf_scenario_event { MF_SCENARIO_EVENT_LIST(X) MF_SCENARIO_EVENTS };
#undef X
/* clang-format on */

/** Words of events, with NULL at their end. */
extern const char *const mf_scenario_event_words[];

struct mf_scenario_expect {
    int line;
    struct mf_scenario_chosen of;
    int32_t event; /**< enum mf_scenario_event that must happen; -1: not set */
    int32_t never; /**< enum mf_scenario_event that must not happen; -1: not set */
    char mode[MF_SCENARIO_NAME_MAX];
    uint32_t item;       /**< ITEM: number of the mission item */
    bool any_item;       /**< ITEM: any item, since the file does not say which */
    double by_s;         /**< latest time; NAN: not set */
    double between_s[2]; /**< earliest and latest time; NAN: not set */
    double at_s;         /**< time of mode or position; NAN: the end of the run */
    double position[3];  /**< north, east, up of the origin; NAN: not set */
    double within_m;
    uint32_t task;                 /**< world of cells: task that must be done; 0: not set */
    char found[MF_FIELD_NAME_MAX]; /**< world of cells: attribute that drones must report; "": not
                                      set */
};

extern const struct mf_keys mf_scenario_expect_keys; /**< keys of struct mf_scenario_expect */

/** Check that each expectation expects one thing, of members that exist. */
mf_scenario_check mf_scenario_expect_check;

/** @brief Set the values that the file need not give. @param expect  out: struct mf_scenario_expect
 */
void mf_scenario_expect_defaults(void *expect);

#endif
