/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of an entry of a plug-in (fleet/plugin.h). */
#ifndef MF_FLEET_SCENARIO_OWN_H
#define MF_FLEET_SCENARIO_OWN_H

#include "fleet/keys.h"

/** Maximum number of an entry's values. */
#define MF_SCENARIO_OWN_MAX 16u

/** Value of an entry of a plug-in. */
struct mf_scenario_own_value {
    char name[32];
    char value[64];
    int line;
};

/** Entry of a plug-in (fleet/plugin.h), and its values as the file has them. */
struct mf_scenario_own {
    int line;
    char name[32]; /**< "": not set */
    uint32_t params;
    struct mf_scenario_own_value *param; /**< [params] */
};

extern const struct mf_keys mf_scenario_own_keys; /**< keys of struct mf_scenario_own */

/** Keys of an entry of a plug-in, for a table whose struct has a mf_scenario_own at @p base. */
#define MF_SCENARIO_OWN_KEYS(base)                                \
    NAME("name", (base) + offsetof(struct mf_scenario_own, name), \
         sizeof((struct mf_scenario_own *)0)->name,               \
         "own: which entry of a plug-in (docs/plugins.md)"),      \
        OPEN("params", base, mf_scenario_read_own,                \
             "own: its parameters, {name: value}; bus: what clients are told")

/** @brief Read the values of an entry, {name: value}. */
bool mf_scenario_read_own(struct mf_reading *r, const struct mf_key *key,
                          const struct mf_node *node, void *at);

#endif
