/* SPDX-License-Identifier: Apache-2.0 */
/** What a scenario says of an entry of a plug-in (fleet/plugin.h), and its keys. */
#ifndef MF_FLEET_SCENARIO_OWN_H
#define MF_FLEET_SCENARIO_OWN_H

#include "fleet/keys.h"

/** Values that a scenario gives to an entry of a plug-in. */
#define MF_SCENARIO_OWN_MAX 16u

/** An entry of a plug-in (fleet/plugin.h), and its values as they stand. */
struct mf_scenario_own {
    int line;
    char name[32]; /**< "": none */
    uint32_t params;
    struct {
        char name[32];
        char value[64];
        int line;
    } param[MF_SCENARIO_OWN_MAX];
};

extern const struct mf_keys mf_scenario_own_keys; /**< of struct mf_scenario_own */

/** Keys of an entry of a plug-in, within a table whose struct has a mf_scenario_own at @p base. */
#define MF_SCENARIO_OWN_KEYS(base)                                                              \
    {.name = "name",                                                                            \
     .type = MF_KEY_TEXT,                                                                       \
     .offset = (base) + offsetof(struct mf_scenario_own, name),                                 \
     .size = sizeof((struct mf_scenario_own *)0)->name,                                         \
     .help = "own: which entry of a plug-in (docs/plugins.md)"},                                \
    {                                                                                           \
        .name = "params", .type = MF_KEY_OTHER, .offset = (base), .read = mf_scenario_read_own, \
        .open = true, .help = "own: its parameters, {name: value}; bus: what clients are told"  \
    }

/** @brief Reader of the values of an entry, {name: value}. */
bool mf_scenario_read_own(struct mf_reading *r, const struct mf_key *key,
                          const struct mf_node *node, void *at);

#endif
