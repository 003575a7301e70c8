/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of what a user adds to a run: plug-ins, components, programs on the bus. */
#ifndef MF_FLEET_SCENARIO_OPEN_H
#define MF_FLEET_SCENARIO_OPEN_H

#include "fleet/scenario_chosen.h"
#include "fleet/scenario_own.h"

#define MF_SCENARIO_PLUGINS_MAX 8u

/** Shared object of a plug-in (fleet/plugin.h). */
struct mf_scenario_plugin {
    int line;
    char file[MF_SCENARIO_FILE_MAX];
    double limit_s; /**< longest wall time of one call of a function */
};

#define MF_SCENARIO_COMPONENTS_MAX 4u

/** Component: a program of the user's, or an entry of a plug-in, that runs next to the swarm
 * (docs/swarm-manual.md#components). */
struct mf_scenario_component {
    int line;
    char run[MF_SCENARIO_FILE_MAX]; /**< command for a shell; "": the component is an entry of a
                                       plug-in */
    struct mf_scenario_own own;
    double every_s;
    uint32_t queue; /**< maximum number of lines that wait for the component */
    struct mf_scenario_chosen of;
};

/** Bus (docs/bus.md), to which participants connect. */
struct mf_scenario_bus {
    int line;
    char listen[MF_SCENARIO_LINK_MAX + 48u]; /**< "[HOST:]PORT" or "unix:PATH"; "": no bus */
    char token[MF_SCENARIO_TOKEN_MAX];
    double tick_s;        /**< interval of STATE frames to controllers and observers */
    uint32_t controllers; /**< number of controllers that time 0 waits for */
    double patience_s;    /**< wall time to wait for a silent controller; 0: without limit */
    int32_t silent;       /**< enum mf_scenario_silent: what to do after patience_s */
    struct mf_scenario_chosen heard,
        sensed; /**< members whose receptions and measurements participants get */
};

extern const struct mf_keys mf_scenario_bus_keys; /**< keys of struct mf_scenario_bus */
/** Check that the members exist whose packets and measurements go to the bus. */
mf_scenario_check mf_scenario_bus_check;
extern const struct mf_keys mf_scenario_plugin_keys; /**< keys of struct mf_scenario_plugin */

/** @brief Set the values that the file need not give. @param plugin  out: struct
 * mf_scenario_plugin */
void mf_scenario_plugin_defaults(void *plugin);

extern const struct mf_keys mf_component_keys; /**< keys of struct mf_scenario_component */
/** Check that each component is a command or an entry of a plug-in, and that its members exist. */
mf_scenario_check mf_component_check;

/** @brief Set the values that the file need not give. @param component  out: struct
 * mf_scenario_component */
void mf_component_defaults(void *component);

#endif
