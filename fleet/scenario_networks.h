/* SPDX-License-Identifier: Apache-2.0 */
/** The networks of a scenario together: who is on which, and which one a flow crosses. */
#ifndef MF_FLEET_SCENARIO_NETWORKS_H
#define MF_FLEET_SCENARIO_NETWORKS_H

#include "fleet/scenario.h"

/** No network. */
#define MF_SCENARIO_NETWORK_NONE UINT32_MAX

/** @brief Check them, and gather all flows with their networks and members.
 *  @return false: mf_reading_refuse() has said why */
bool mf_scenario_networks_settle(struct mf_reading *r, struct mf_scenario *s);

/** @brief Has a member an interface on network @p k? */
bool mf_scenario_is_on(const struct mf_scenario *s, uint32_t k, uint32_t member);

/** @brief The first network that two members are on, which may be one and the same.
 *  @return its number; MF_SCENARIO_NETWORK_NONE: there is none */
uint32_t mf_scenario_network_of(const struct mf_scenario *s, uint32_t a, uint32_t b);

/** @brief The first network that a simulator outside has. @return NULL: there is none */
const struct mf_scenario_network *mf_scenario_network_outside(const struct mf_scenario *s);

#endif
