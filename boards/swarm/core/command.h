/* SPDX-License-Identifier: Apache-2.0 */
/** Command line of mayfly-swarm; program/command.c reads it. */
#ifndef MF_BOARDS_SWARM_CORE_COMMAND_H
#define MF_BOARDS_SWARM_CORE_COMMAND_H

#include "fleet/scenario.h"

#define SWARM_SETS_MAX (MF_KEYS_VARIABLES_MAX + 16u)

/** Options and arguments of the command line. */
struct swarm_command {
    const char *file;
    const char *junit, *result;            /**< files of --junit and --result; NULL: none */
    const char *out;                       /**< folder of the outputs; "": the present one */
    const char *checkpoint, *resume;       /**< files of --checkpoint, --resume; NULL: none */
    const char *time_socket, *time_server; /**< endpoints for control of time; NULL: none */
    const char *trace;                     /**< file of swarm_trace(); NULL: none */
    const char *join;                      /**< "HOST:PORT" of the root; NULL: this is the root */
    const char *token, *name, *listen;     /**< leaf; listen NULL: none join below it */
    uint32_t leaves;                       /**< number of leaves that join below this one */
    double at_s; /**< vehicle time of the checkpoint [s]; INFINITY: the end of the run */
    struct mf_scenario_given given;
    const char *set[SWARM_SETS_MAX];
    char seed[32];
    char address[MF_SCENARIO_ADDRESS_MAX + 16u];
    uint32_t threads, jobs;
    const char *replay;     /**< recording from which ghosts and the bus are replayed; NULL: none */
    const char *profile;    /**< file for the costs of the run over time; NULL: none */
    const char *kubernetes; /**< sweep: image of a Job whose manifest is printed; NULL: none */
    const char *export_plans; /**< folder for the paths of a team; NULL: none */
    bool progress, check, sweep;
    bool steps;        /**< cells and searches: commands on stdin advance time */
    char *const *json; /**< [jsons], files to convert; NULL: none */
    size_t jsons;
    bool merge; /**< sweep: merge the results in the folder, run nothing */
};

#endif
