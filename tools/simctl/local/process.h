/* SPDX-License-Identifier: Apache-2.0 */
/** Processes of this machine. */
#ifndef MF_SIMCTL_PROCESS_H
#define MF_SIMCTL_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/** @brief Start a program in a session of its own, with a log that it adds to.
 *  @param argv         ends with NULL; argv[0] is looked up in PATH
 *  @param environment  ends with NULL  @return its id; -1 with errno */
pid_t simctl_spawn(char *const *argv, char *const *environment, const char *log, bool own_session);

/** @brief Processes that have a variable in their environment: each is told with its value. */
void simctl_find_processes(const char *variable,
                           void (*found)(void *ctx, pid_t pid, const char *value), void *ctx);

/** @brief Does a process run that is not a child of ours? One that nobody has waited for yet
 * does not. */
bool simctl_process_runs(pid_t pid);

/** @brief A port of loopback that nothing listens on. @return 0: there is none */
unsigned simctl_free_port(void);

/** @brief Does a server of loopback take connections there? */
bool simctl_port_answers(unsigned port);

/** @brief Does GET of a path there give 200? */
bool simctl_http_ok(unsigned port, const char *path);

#endif
