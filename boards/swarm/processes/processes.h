/* SPDX-License-Identifier: Apache-2.0 */
/** Programs that a scenario starts, on the wall's clock or the swarm's (docs/cosim.md). */
#ifndef MF_BOARDS_SWARM_PROCESSES_H
#define MF_BOARDS_SWARM_PROCESSES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

#include <sys/types.h>

/** Time that a program has after SIGTERM before it is killed [s, wall]. */
#define SWARM_PROCESS_END_S 5.0

/** @brief True if a program exists at its path, or where execvp() looks for it. */
bool swarm_has_program(const char *program);

/** @brief Address of the time server for a run with programs in virtual time; NULL without such
 *  programs. */
const char *swarm_processes_get_server(const struct swarm *w);

/** @brief Check that process @p k and its needs are present on this machine.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_process_check(struct swarm *w, uint32_t k);

/** @brief Check the processes of the scenario: those of this machine as swarm_process_check() does.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_processes_check(struct swarm *w);

/** @brief Start all programs that are drones. Each gets one end of a socket, over which the swarm
 *  grants its time (docs/time.md).
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_process_drones(struct swarm *w);

/** @brief Swarm's end of the socket of member @p i; the caller owns it. */
int swarm_process_get_socket(const struct swarm *w, uint32_t i);

/** @brief Set the error of member @p i, which does not answer on its socket. @return SWARM_INPUT */
int swarm_process_refuse(struct swarm *w, uint32_t i);

/** @brief Set the function that starts processes on other hosts.
 *  @param start  returns as swarm_process_start() */
void swarm_process_delegate(struct swarm *w, int (*start)(struct swarm *w, uint32_t k));

/** @brief Start process @p k on this machine. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_process_start(struct swarm *w, uint32_t k);

/** @brief True if programs run in virtual time. Their time server grants time as soon as a program
 *  has input. */
bool swarm_processes_has_virtual(const struct swarm *w);

/** @brief True if a program has ended on its own with a code other than 0, while time 0 waits for
 *  participants: the run ends, and an error is set. */
bool swarm_processes_has_failed(struct swarm *w);

/** End of a process. */
struct swarm_process_exit {
    int code; /**< exit code; 128 and more: 128 + signal */
    bool by_itself;
    double wall_s;
};
typedef void swarm_process_exit_fn(struct swarm *w, uint32_t k,
                                   const struct swarm_process_exit *how);

/** @brief Send SIGTERM to the processes of this leaf, and wait until they have ended.
 *  @param exited  called for each */
void swarm_processes_stop(struct swarm *w, swarm_process_exit_fn *exited);

/** @brief Set the end of process @p k, which ran on a leaf; or mark it lost with its leaf. The
 *  root calls both. */
void swarm_process_exited(struct swarm *w, uint32_t k, const struct swarm_process_exit *how);
void swarm_process_mark_lost(struct swarm *w, uint32_t k, mf_us_t at_us);

/** System of the programs that the scenario starts. */
extern const struct swarm_system swarm_processes_system;

#endif
