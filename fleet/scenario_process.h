/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of programs that a scenario starts (docs/cosim.md). */
#ifndef MF_FLEET_SCENARIO_PROCESS_H
#define MF_FLEET_SCENARIO_PROCESS_H

#include "fleet/keys.h"
#include "fleet/scenario_network.h"
#include "fleet/scenario_search.h"

#define MF_SCENARIO_PROCESSES_MAX 16u
#define MF_SCENARIO_WORDS_MAX     24u
#define MF_SCENARIO_WORD_MAX      200u
#define MF_SCENARIO_MEMBERS_MAX   32u

/** Clock of a process: word. */
#define MF_SCENARIO_PROCESS_CLOCK_LIST(X) X(WALL, "wall") X(VIRTUAL, "virtual")

/* clang-format off */
#define X(name, word) MF_SCENARIO_PROCESS_##name,
enum mf_scenario_process_clock { MF_SCENARIO_PROCESS_CLOCK_LIST(X) MF_SCENARIO_PROCESS_CLOCKS };
#undef X
/* clang-format on */

struct mf_scenario_process {
    int line;
    char name[32];
    char node[48];   /**< member at whose place the sockets of the process are; "": it uses no
                        simulated network */
    int32_t clock;   /**< enum mf_scenario_process_clock */
    char needs[200]; /**< shell command that returns 0 if the program can run; "": not needed */
    uint32_t words;
    char (*word)[MF_SCENARIO_WORD_MAX];    /**< [words]: command, word by word */
    char host[32];                         /**< leaf on which the process runs; "": the root */
    struct mf_scenario_own env;            /**< its params: environment variables */
    char members[MF_SCENARIO_MEMBERS_MAX]; /**< entity of drones: start one process for each member;
                                              "": the process is not a drone */
    double patience_s; /**< wall time to wait for a silent drone; 0: without limit */
    int32_t silent;    /**< enum mf_scenario_silent */
};

/** @brief Set the values that the file need not give. @param process  out: struct
 * mf_scenario_process */
void mf_scenario_process_defaults(void *process);

/** @brief Name of a process: its own, or that of the program. */
const char *mf_scenario_process_name(const struct mf_scenario_process *p);

extern const struct mf_keys mf_scenario_process_keys; /**< keys of struct mf_scenario_process */

#endif
