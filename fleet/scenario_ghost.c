/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of ghosts. Called by fleet/scenario, and boards/swarm/processes and ghosts. */
#include "fleet/scenario_ghost.h"

#include <string.h>

static bool is_bus(const struct mf_scenario_entity *e, uint32_t i)
{
    return strcmp(e->link.text[i], "bus") == 0;
}

const struct mf_scenario_process *mf_scenario_process_of(const struct mf_scenario *s,
                                                         const struct mf_scenario_entity *e)
{
    for (uint32_t k = 0; k < s->processes; k++) {
        if (s->process[k].members[0] != '\0' && strcmp(s->process[k].members, e->name) == 0) {
            return &s->process[k];
        }
    }
    return NULL;
}

/* Has an entity a link or a mocap for each ghost, or one word for all? */
static bool has_all(const struct mf_scenario_entity *e)
{
    const uint32_t links = e->link.count, mocaps = e->mocap.count;
    if (e->as != MF_SCENARIO_KIND_GHOST) {
        return links + mocaps + e->time_socket.count == 0;
    }
    return links + mocaps > 0 &&
           (links == 0 || links == e->count || (links == 1 && is_bus(e, 0))) &&
           (mocaps == 0 || mocaps == e->count);
}

bool mf_scenario_ghost_check(struct mf_reading *r, struct mf_scenario *s,
                             struct mf_scenario_entity *e)
{
    const uint32_t links = e->link.count, mocaps = e->mocap.count, times = e->time_socket.count;
    const bool ghost = e->as == MF_SCENARIO_KIND_GHOST;
    uint32_t fed = 0;
    if (s->search.plan >= 0) {
        return true; /* a search checks its members later */
    }
    for (uint32_t i = 0; i < links; i++) {
        fed += is_bus(e, i) ? 1u : 0u;
    }
    if (mf_scenario_process_of(s, e) != NULL) {
        return (ghost && fed + mocaps + times == 0 && (links == 0 || links == e->count)) ||
               mf_entity_refuse(r, e,
                                "%s: members that are processes are ghosts, which have no mocap "
                                "and no time_socket, and a MAVLink link each or none");
    }
    if (!has_all(e)) {
        return mf_entity_refuse(
            r, e, "%s: each ghost needs a link or a mocap; other members must have neither");
    }
    if (times > 0 && (times != e->count || links == 0 || mocaps > 0)) {
        return mf_entity_refuse(r, e, "%s: each ghost has a time_socket with its link, or none");
    }
    if (fed > 0 && s->bus.listen[0] == '\0') {
        return mf_entity_refuse(r, e, "%s: link bus needs bus.listen");
    }
    if (ghost && e->ghost.hold_s > e->ghost.lost_s) {
        return mf_entity_refuse(r, e, "%s: hold_after must not be longer than lost_after");
    }
    const bool by_bus = fed == links && mocaps == 0;
    return !ghost || by_bus || times > 0 || s->time.clock == MF_SCENARIO_CLOCK_REAL ||
           mf_entity_refuse(r, e, "%s: ghosts without a time_socket need time.clock real");
}
