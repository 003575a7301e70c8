/* SPDX-License-Identifier: Apache-2.0 */
/** Keys of a user's plug-ins, and of the bus. */
#ifndef MF_FLEET_SCENARIO_OPEN_H
#define MF_FLEET_SCENARIO_OPEN_H

#include "fleet/scenario.h"

extern const struct mf_keys mf_scenario_bus_keys;    /**< keys of struct mf_scenario_bus */
extern const struct mf_keys mf_scenario_plugin_keys; /**< keys of struct mf_scenario_plugin */

/** @brief Set the values that the file need not give. @param plugin  out: struct
 * mf_scenario_plugin */
void mf_scenario_plugin_defaults(void *plugin);

#endif
