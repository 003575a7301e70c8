/* SPDX-License-Identifier: Apache-2.0 */
/** Requests of an operator to a search. */
#ifndef MF_BOARDS_SWARM_SEARCH_OPERATOR_H
#define MF_BOARDS_SWARM_SEARCH_OPERATOR_H

#include "boards/swarm/search/team.h"
#include "boards/swarm/time/operator.h"
#include "host/api/api_route.h"

/** @brief Give the run its operator. */
void swarm_search_operate(struct swarm_operator *o, struct swarm *w, struct team *t);

/** Fields of the answer to GET /v1/world. */
extern const struct mf_api_field swarm_search_fields[];

#endif
