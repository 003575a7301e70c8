/* SPDX-License-Identifier: Apache-2.0 */
/** Behaviours that act on radio receptions: gradient (fleet/gradient.h) and survey_flock
 * (fleet/survey.h). */
#ifndef MF_BOARDS_SWARM_RX_MINDS_H
#define MF_BOARDS_SWARM_RX_MINDS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "boards/swarm/minds/mind_plugin.h"
#include "fleet/behaviour.h"
#include "world/medium.h"

/** @brief Prepare the data that all members of survey_flock share, in the arena.
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_rx_minds_prepare(struct swarm *w);

/** @brief Bytes of state that a member of an entity needs; 0: its behaviour is neither gradient
 *  nor survey_flock. */
size_t swarm_rx_minds_bytes(const struct swarm *w, const struct mf_scenario_entity *e);

/** @brief Initialise the state of a member. @param state  zeroed */
void swarm_rx_minds_init(const struct swarm *w, uint32_t i, void *state);

/** @brief True if the behaviour of an entity's members acts on receptions. */
bool swarm_rx_minds_listen(const struct swarm *w, const struct mf_scenario_entity *e);

/** @brief Update the state of a member by a packet that its radio has received. Any thread.
 *  @param neu_m  position of the receiver; NULL: a network has brought the packet, which only
 *  plug-ins hear */
void swarm_rx_minds_receive(struct swarm *w, const struct swarm_heard *heard, const double *neu_m);

/** @brief Report the beacons that members have reached in a round of receptions, when all of it
 *  are done. */
void swarm_rx_minds_end_round(struct swarm *w, mf_us_t at_us);

/** @brief Act for one turn of a member. Any thread. */
void swarm_rx_minds_act(struct swarm *w, uint32_t i, struct mf_mind *mind, void *state,
                        const struct mf_order_port *port);

/** System that prints how much of the area the members of survey_flock have seen. */
extern const struct swarm_system swarm_rx_minds_system;

#endif
