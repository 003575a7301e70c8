/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the state of a member's behaviour; minds.c and rx_minds.c call it. */
#include "boards/swarm/minds/minds.h"
#include "boards/swarm/minds/minds_internal.h"

void *swarm_mind_state(const struct swarm *w, uint32_t i)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    const size_t k = (size_t)(e - w->scenario->entity);
    uint8_t *all = swarm_minds_of(w)->own[k];
    return all != NULL ? all + swarm_minds_of(w)->own_bytes[k] * (i - e->first) : NULL;
}

bool swarm_mind_flies(const struct swarm *w, uint32_t i)
{
    return swarm_minds_of(w)->mind[i].mind.phase == MF_BEHAVIOUR_GO;
}
