/* SPDX-License-Identifier: Apache-2.0 */
/** The command line of mayfly-swarm, as program/command.c reads it. */
#ifndef MF_BOARDS_SWARM_CORE_COMMAND_H
#define MF_BOARDS_SWARM_CORE_COMMAND_H

#include "fleet/scenario.h"

#define SWARM_SETS_MAX (MF_KEYS_VARIABLES_MAX + 16u)

/** The command line, read. */
struct swarm_command {
    const char *file;
    const char *junit, *result;            /**< files; NULL: not written */
    const char *out;                       /**< folder; "": the present one */
    const char *checkpoint, *resume;       /**< files; NULL: none */
    const char *time_socket, *time_server; /**< endpoints; NULL: none */
    const char *trace;                     /**< file of swarm_trace(); NULL: none */
    const char *join;                      /**< "HOST:PORT" of the root; NULL: this is the root */
    const char *token, *name, *listen;     /**< of a leaf; NULL: it passes nothing on */
    uint32_t leaves;                       /**< number of leaves below this one */
    double at_s;                           /**< of the checkpoint; INFINITY: where the run ends */
    struct mf_scenario_given given;
    const char *set[SWARM_SETS_MAX];
    char seed[32];
    char address[MF_SCENARIO_ADDRESS_MAX + 16u];
    uint32_t threads, jobs;
    const char *replay;       /**< recording of what ghosts and the bus said; NULL: none */
    const char *profile;      /**< file: what time is spent on, over time; NULL: not written */
    const char *kubernetes;   /**< sweep: image of a Job whose manifest is printed; NULL: none */
    const char *export_plans; /**< folder: the paths of a team go there; NULL: nothing */
    bool progress, check, sweep;
    bool steps;        /**< a world of cells: a person on stdin lets the ticks pass */
    char *const *json; /**< [jsons]: files that are converted; NULL: none */
    size_t jsons;
    bool merge; /**< sweep: nothing runs, what is in the folder is merged */
};

#endif
