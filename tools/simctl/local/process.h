/* SPDX-License-Identifier: Apache-2.0 */
/** Processes of this machine. */
#ifndef MF_SIMCTL_PROCESS_H
#define MF_SIMCTL_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** @brief Start a program in a session of its own, with a log that it adds to.
 *  @param argv         ends with NULL; argv[0] is looked up in PATH
 *  @param environment  ends with NULL  @return its id; -1 with errno */
pid_t simctl_spawn(char *const *argv, char *const *environment, const char *log);

/** A process, also when another one has got its number since. */
struct simctl_process {
    pid_t pid;      /**< 0: none */
    uint64_t start; /**< in ticks since the boot of the machine */
};

/** @brief Visit the processes that have a variable in their environment. @param value  of it */
void simctl_find_processes(const char *variable,
                           void (*found)(void *ctx, const struct simctl_process *process,
                                         const char *value),
                           void *ctx);

/** @brief True if a process runs; a zombie does not. */
bool simctl_process_runs(const struct simctl_process *process);

/** @brief Send a signal to this process, never to another one that has got its number. */
void simctl_process_signal(const struct simctl_process *process, int number);

/** @brief Look for a program at its path, or in PATH.
 *  @return 0, or an errno: ENOENT, or EACCES for a file that is not a program */
int simctl_find_program(const char *program);

/** @brief Find a port of loopback that no program has, and reserve it until this process ends:
 *  neither the system nor another runner gives it away. @return 0: not found */
unsigned simctl_free_port(void);

/** @brief Does a server of loopback take connections there? */
bool simctl_port_answers(unsigned port);

/** @brief Does GET of a path there give 200? */
bool simctl_http_ok(unsigned port, const char *path);

#endif
