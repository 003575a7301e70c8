/* SPDX-License-Identifier: Apache-2.0 */
/** Costs of a run in time and events: always counted, in the summary and over time in a file. */
#ifndef MF_BOARDS_SWARM_COSTS_H
#define MF_BOARDS_SWARM_COSTS_H

#include "boards/swarm/core/system.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct swarm;

/* Word, what its events are. Those that nothing is spent on yet stand here for what is to come. */
#define SWARM_COST_LIST(X)                \
    X(BODIES, "bodies", "steps")          \
    X(CONTACTS, "contacts", "meetings")   \
    X(RADIO, "radio", "packets")          \
    X(SENSORS, "sensors", "samples")      \
    X(BEHAVIOURS, "behaviours", "orders") \
    X(PLANS, "plans", "missions")         \
    X(OUTPUTS, "outputs", "lines")

/* clang-format off */
#define X(name, word, events) SWARM_COST_##name,
enum swarm_cost { SWARM_COST_LIST(X) SWARM_COSTS };
#undef X
/* clang-format on */

struct swarm_costs {
    double wall_s[SWARM_COSTS];
    uint64_t events[SWARM_COSTS];
    double lap_s; /**< time of the wall at which the last lap ended */
    FILE *file;   /**< NULL: not written */
    double begin_s, told_s;
    double told_wall_s[SWARM_COSTS]; /**< as they were in the last line of the file */
    uint64_t told_events[SWARM_COSTS];
};

/** @brief The time since the last lap was spent on nothing: somebody holds the time. */
void swarm_costs_skip(struct swarm *w);

/** @brief The time since the last lap was spent on this. @param events  how many more there were */
void swarm_costs_lap(struct swarm *w, enum swarm_cost cost, uint64_t events);

/** @brief Events of the lap that is not over yet. */
void swarm_costs_count(struct swarm *w, enum swarm_cost cost, uint64_t events);

/** @brief A line of the file, if it is time for one. */
void swarm_costs_note(struct swarm *w);

/** What the time of a run is spent on. */
extern const struct swarm_system swarm_costs_system;

#endif
