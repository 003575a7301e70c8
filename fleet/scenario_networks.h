/* SPDX-License-Identifier: Apache-2.0 */
/** Networks of a scenario: members of each, and the network that a flow crosses. */
#ifndef MF_FLEET_SCENARIO_NETWORKS_H
#define MF_FLEET_SCENARIO_NETWORKS_H

#include "fleet/scenario.h"

/** Number that means no network. */
#define MF_SCENARIO_NETWORK_NONE UINT32_MAX

/** Check the networks, and gather their flows, each with its network and its members. */
mf_scenario_check mf_scenario_networks_settle;

/** @brief True if a member has an interface on network @p k. */
bool mf_scenario_is_on(const struct mf_scenario *s, uint32_t k, uint32_t member);

/** @brief Find the first network that two members, or one and the same, are both on.
 * @return its number; MF_SCENARIO_NETWORK_NONE: they share no network */
uint32_t mf_scenario_network_of(const struct mf_scenario *s, uint32_t a, uint32_t b);

/** @brief Find the first network that an external simulator carries. @return NULL: all are built
 * in */
const struct mf_scenario_network *mf_scenario_network_outside(const struct mf_scenario *s);

#endif
