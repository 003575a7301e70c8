/* SPDX-License-Identifier: Apache-2.0 */
/** Before hosts begin: may the scenario be spread, what does a vehicle cost, who gets which. */
#ifndef MF_BOARDS_SWARM_HOSTS_SHARE_H
#define MF_BOARDS_SWARM_HOSTS_SHARE_H

#include "boards/swarm/hosts/branches.h"

struct swarm_command;

/** @brief @return SWARM_OK; SWARM_INPUT: what cannot be carried elsewhere is named */
int swarm_hosts_check(struct swarm *w, const struct swarm_command *c);

/** In the environment of a leaf that the root has started: its end of a socket, in place of a
 * connection. */
#define SWARM_HOSTS_SOCKET "SWARM_HOSTS_SOCKET"

/** @brief Leaves on this machine are started and join; they are told to end and waited for.
 *  @param pid  [MF_SCENARIO_LEAVES_MAX], 0: none  @return SWARM_OK or SWARM_INPUT with an error */
int swarm_hosts_start_leaves(struct swarm *w, struct swarm_branches *b, pid_t *pid);
void swarm_hosts_end_leaves(const pid_t *pid);

/** @brief A place without a name, or with that of another, gets one: leaf-3. */
void swarm_hosts_names(struct swarm_branches *b);

/** @brief Vehicles are handed out by what they cost in a short rehearsal, and by hosts.pin; a table
 *  on stderr. @param place  out [members]  @return SWARM_OK or SWARM_INPUT */
int swarm_hosts_share(struct swarm *w, const struct swarm_branches *b, uint16_t *place);

/** @brief Where processes of the scenario run. @param place  out
 *  [processes], UINT16_MAX: beside the root  @return SWARM_OK or SWARM_INPUT */
int swarm_hosts_place(struct swarm *w, const struct swarm_branches *b, uint16_t *place);

/** @brief What the command line adds to the scenario. */
void swarm_hosts_put_given(const struct swarm *w, struct mf_hosts_writer *out,
                           const struct swarm_command *c);

#endif
