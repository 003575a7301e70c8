/* SPDX-License-Identifier: Apache-2.0 */
/** Preparation of a run on several hosts: check that the scenario can be spread, start leaves,
 * measure the cost of vehicles, and assign vehicles to leaves. */
#ifndef MF_BOARDS_SWARM_HOSTS_SHARE_H
#define MF_BOARDS_SWARM_HOSTS_SHARE_H

#include "boards/swarm/hosts/branches.h"

struct swarm_command;

/** @brief Check that leaves can carry all vehicles of the scenario. @return SWARM_OK, or
 * SWARM_INPUT with an error set */
int swarm_hosts_check(struct swarm *w, const struct swarm_command *c);

/** Environment variable of a leaf that the root has started: descriptor of its end of a socket,
 * which replaces a connection. */
#define SWARM_HOSTS_SOCKET "SWARM_HOSTS_SOCKET"

/** @brief Start leaves on this machine and let them join; wait for their exit, and kill those that
 * do not exit in time.
 *  @param pid  [MF_SCENARIO_LEAVES_MAX], 0: not started  @return SWARM_OK, or SWARM_INPUT with an
 * error set */
int swarm_hosts_start_leaves(struct swarm *w, struct swarm_branches *b, pid_t *pid);
void swarm_hosts_end_leaves(const pid_t *pid);

/** @brief Name places that lack a name, or have that of an earlier place: "leaf-3". */
void swarm_hosts_set_names(struct swarm_branches *b);

/** @brief Assign vehicles to places by hosts.pin, and by their cost in a short rehearsal; print the
 * result on stderr.
 *  @param place  out [members]  @return SWARM_OK or SWARM_INPUT */
int swarm_hosts_share(struct swarm *w, const struct swarm_branches *b, uint16_t *place);

/** @brief Assign processes of the scenario to places. @param place  out [processes], UINT16_MAX: on
 * the root's host
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_hosts_place(struct swarm *w, const struct swarm_branches *b, uint16_t *place);

/** @brief Write records of the scenario's name, and of what the command line adds to it. */
void swarm_hosts_put_given(const struct swarm *w, struct mf_hosts_writer *out,
                           const struct swarm_command *c);

#endif
