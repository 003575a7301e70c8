/* SPDX-License-Identifier: Apache-2.0 */
/** Costs of a run in wall time and events: the summary has their sums, the file of --profile their
 * course. */
#ifndef MF_BOARDS_SWARM_CORE_COSTS_H
#define MF_BOARDS_SWARM_CORE_COSTS_H

#include "boards/swarm/core/system.h"
#include "hal/types.h"

#include <stdbool.h>
#include <stdint.h>

struct swarm;

/* X(name, word of the cost in the file, word of its events) */
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

/** @brief End the lap without charging its time to a cost: the run was waiting. */
void swarm_costs_skip(struct swarm *w);

/** @brief End the lap and charge it to @p cost. @param events  number of events in this lap */
void swarm_costs_lap(struct swarm *w, enum swarm_cost cost, uint64_t events);

/** @brief Count events of the present lap. */
void swarm_costs_count(struct swarm *w, enum swarm_cost cost, uint64_t events);

/** @brief Write a line to the file, if a tenth of a second has passed. */
void swarm_costs_record(struct swarm *w);

/** System that counts costs, prints their sums and writes the file of --profile. */
extern const struct swarm_system swarm_costs_system;

#endif
