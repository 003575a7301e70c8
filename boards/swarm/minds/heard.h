/* SPDX-License-Identifier: Apache-2.0 */
/** Behaviours that live by what a radio hears: gradient (fleet/gradient.h) and survey_flock
 * (fleet/survey.h). */
#ifndef MF_BOARDS_SWARM_HEARD_H
#define MF_BOARDS_SWARM_HEARD_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/behaviour.h"
#include "world/medium.h"

/** @brief What all who survey share lies in the arena. @return SWARM_OK or SWARM_INPUT */
int swarm_heard_prepare(struct swarm *w);

/** @brief Bytes that a member of an entity keeps; 0: it has another behaviour. */
size_t swarm_heard_bytes(const struct swarm *w, const struct mf_scenario_entity *e);

/** @brief Its first state. @param state  zeroed */
void swarm_heard_init(const struct swarm *w, uint32_t i, void *state);

/** @brief Do members of an entity live by what they hear? */
bool swarm_heard_matters(const struct mf_scenario_entity *e);

/** @brief A packet has come to one who lives by that. Any thread. @param neu_m  where it is */
void swarm_heard_take(struct swarm *w, uint32_t i, const double *neu_m,
                      const struct mf_delivery *d);

/** @brief All of a round have heard: what that led to is told. */
void swarm_heard_round(struct swarm *w, mf_us_t at_us);

/** @brief A turn in the air. Any thread. */
void swarm_heard_act(struct swarm *w, uint32_t i, struct mf_mind *mind, void *state,
                     const struct mf_order_port *port);

/** Areas that members have surveyed. */
extern const struct swarm_system swarm_heard_system;

#endif
