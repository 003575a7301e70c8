/* SPDX-License-Identifier: Apache-2.0 */
/** Requests of an operator to a search. */
#ifndef MF_BOARDS_SWARM_SEARCH_OPERATOR_H
#define MF_BOARDS_SWARM_SEARCH_OPERATOR_H

#include "boards/swarm/search/team.h"
#include "boards/swarm/time/operator.h"

/** @brief Give the run its operator. */
void swarm_search_operate(struct swarm_operator *o, struct swarm *w, struct team *t);

/** Routes of the control API for a search. */
extern const struct mf_api_route swarm_search_routes[];

/** Commands of step mode for a search. */
extern const struct swarm_operator_command swarm_search_commands[];

#endif
