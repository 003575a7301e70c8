/* SPDX-License-Identifier: Apache-2.0 */
/** Programs that a scenario starts: beside the swarm, or on its clock (docs/cosim.md). */
#ifndef MF_BOARDS_SWARM_PROCESSES_H
#define MF_BOARDS_SWARM_PROCESSES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

#include <sys/types.h>

/** How long one has after SIGTERM; then it is killed. */
#define SWARM_PROCESS_END_S 5.0

/** @brief Is there such a program, at its path or on the way that execvp() looks along? */
bool swarm_has_program(const char *program);

/** @brief The address at which a run in virtual time gets its time; NULL: no program is in virtual
 * time. */
const char *swarm_processes_server(const struct swarm *w);

/** @brief Is the @p k th there, and what it needs, on this machine?
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_process_check(struct swarm *w, uint32_t k);

/** @brief Programs that are drones begin, all at once, each with one end of a socket, by which its
 *  time is granted (docs/time.md).  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_process_drones(struct swarm *w);

/** @brief The other end of that of member @p i; whoever has asked closes it. */
int swarm_process_socket(const struct swarm *w, uint32_t i);

/** @brief Member @p i says nothing: why. @return SWARM_INPUT with an error */
int swarm_process_refuse(struct swarm *w, uint32_t i);

/** @brief Start processes of other hosts by this function. @return as swarm_process_start() */
void swarm_process_delegate(struct swarm *w, int (*start)(struct swarm *w, uint32_t k));

/** @brief The @p k th runs on this machine. @return as swarm_processes_start() */
int swarm_process_start(struct swarm *w, uint32_t k);

/** @brief Are there programs in virtual time, which are answered as soon as anything has come for
 * them? */
bool swarm_processes_virtual(const struct swarm *w);

/** @brief While time 0 waits: has one ended by itself with another code than 0?
 *  @return true: nobody may come any more; the run ends, and an error is set */
bool swarm_processes_broken(struct swarm *w);

/** How a process has ended. */
struct swarm_process_exit {
    int code; /**< 128 and more: a signal */
    bool by_itself;
    double wall_s;
};
typedef void swarm_process_exit_fn(struct swarm *w, uint32_t k,
                                   const struct swarm_process_exit *how);

/** @brief Those of a leaf are told to end, and have. */
void swarm_processes_stop(struct swarm *w, swarm_process_exit_fn *exited);

/** @brief Of the root: the @p k th, on a leaf, has ended; or is lost with its leaf. */
void swarm_process_exited(struct swarm *w, uint32_t k, const struct swarm_process_exit *how);
void swarm_process_lose(struct swarm *w, uint32_t k, mf_us_t at_us);

/** Programs that the scenario starts. */
extern const struct swarm_system swarm_processes_system;

#endif
