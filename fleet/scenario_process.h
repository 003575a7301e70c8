/* SPDX-License-Identifier: Apache-2.0 */
/** Programs that a scenario starts (docs/cosim.md), and their keys. */
#ifndef MF_FLEET_SCENARIO_PROCESS_H
#define MF_FLEET_SCENARIO_PROCESS_H

#include "fleet/keys.h"
#include "fleet/scenario_network.h"
#include "fleet/scenario_search.h"

#define MF_SCENARIO_PROCESSES_MAX 16u
#define MF_SCENARIO_WORDS_MAX     24u
#define MF_SCENARIO_WORD_MAX      200u
#define MF_SCENARIO_MEMBERS_MAX   32u

/** Whose time a process has: word. */
#define MF_SCENARIO_PROCESS_CLOCK_LIST(X) X(WALL, "wall") X(VIRTUAL, "virtual")

/* clang-format off */
#define X(name, word) MF_SCENARIO_PROCESS_##name,
enum mf_scenario_process_clock { MF_SCENARIO_PROCESS_CLOCK_LIST(X) MF_SCENARIO_PROCESS_CLOCKS };
#undef X
/* clang-format on */

struct mf_scenario_process {
    int line;
    char name[32];
    char node[48];   /**< member at whose place its sockets are; "": it has none of the world */
    int32_t clock;   /**< enum mf_scenario_process_clock */
    char needs[200]; /**< a command for a shell, code 0: all is there; "": nothing */
    uint32_t words;
    char word[MF_SCENARIO_WORDS_MAX][MF_SCENARIO_WORD_MAX]; /**< the command */
    char host[32];                                          /**< leaf where it runs; "": here */
    struct mf_scenario_own env;                             /**< its params: the environment */
    char members[MF_SCENARIO_MEMBERS_MAX]; /**< once for each of this entity; "": no drones */
    double patience_s;                     /**< with a drone that is silent; 0: for ever */
    int32_t silent;                        /**< enum mf_scenario_silent */
};

/** @brief What no key says. */
void mf_scenario_process_defaults(struct mf_scenario_process process[MF_SCENARIO_PROCESSES_MAX]);

extern const struct mf_keys mf_scenario_process_keys; /**< of struct mf_scenario_process */

#endif
