/* SPDX-License-Identifier: Apache-2.0 */
/** Commands of simctl: a table, and what the command line said. */
#ifndef MF_SIMCTL_COMMAND_H
#define MF_SIMCTL_COMMAND_H

#include "tools/simctl/client.h"
#include "tools/simctl/serve.h"

#include <stdbool.h>

#define SIMCTL_EXIT_BAD_INPUT 2
#define SIMCTL_EXIT_TIMEOUT   3
/** Greatest number of --set and of --label options. */
#define SIMCTL_LIST_MAX 32
/** Bytes of a request's path and query. */
#define SIMCTL_TARGET_BYTES 4096u

/** The command line; texts are those of argv. */
struct simctl_options {
    struct simctl_client client;
    struct simctl_serving serving;
    const char *template, *lifetime, *request, *container, *timeout;
    const char *set[SIMCTL_LIST_MAX], *label[SIMCTL_LIST_MAX];
    int sets, labels, n;
    bool wait, json;
    char **words; /**< [count], after the command */
    int count;
};

struct simctl_command {
    const char *name;
    int (*run)(const struct simctl_options *o); /**< @return an exit code */
    int words, more;                            /**< that it needs, and that it takes */
};

/** Commands except `run`, up to one whose name is NULL. */
extern const struct simctl_command simctl_commands[];

/** @brief Say why not. @return the exit code of wrong usage */
int simctl_command_refuse(const char *what);

/** @brief Print what failed. @return EXIT_FAILURE, or SIMCTL_EXIT_TIMEOUT of a SIMCTL_TIMEOUT */
int simctl_command_failed(const struct web_error *error);

/**
 * @brief Start the instances that --template, --n, --set and so on describe.
 * @param more  labels added to those of --label; NULL: none
 * @return the controller's answer, a new object; NULL: @p error says why
 */
json_t *simctl_command_start(const struct simctl_options *o, const json_t *more,
                             struct web_error *error);

/**
 * @brief Address at which this machine reaches an instance's drone: in a cluster that of its pod,
 * elsewhere a port of a node.
 * @param kind  "mavsdk", "api", ...  @param none  the result while the instance has no address
 */
const char *simctl_command_address(const json_t *instance, const char *kind, const char *none);

/** @brief Print a line for each instance, and on stderr the reason of each one that has ended, or
 *  is not ready although the command line asks to wait.
 *  @param to  NULL: only stderr
 *  @return an exit code: EXIT_FAILURE if an instance has ended, else SIMCTL_EXIT_TIMEOUT if one is
 *          not ready */
int simctl_command_show(const struct simctl_options *o, const json_t *instances, FILE *to);

/** @brief `simctl run`: instances that live as long as a command, or as this program. */
int simctl_command_run(const struct simctl_options *o);

#endif
