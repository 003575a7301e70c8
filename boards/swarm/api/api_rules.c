/* SPDX-License-Identifier: Apache-2.0 */
/* Serves rules of protocol misbehaviour, and runs the links that have some. api.c has the route in
 * its table; links.c calls the hooks. */
#include "boards/swarm/api/api_internal.h"
#include "drone/calls.h"

/* Give a vehicle memory for its first rule. @return false: all of it is in use */
static bool provide_rule_memory(struct swarm_api *a, struct mf_drone *drone)
{
    if (mf_drone_rules(drone) != NULL) {
        return true;
    }
    if (a->ruled_count == SWARM_RULED) {
        return false;
    }
    struct swarm_ruled *ruled = &a->ruled[a->ruled_count++];
    ruled->memory = (struct mf_memory){.bytes = ruled->parts, .size = sizeof ruled->parts};
    mf_drone_provide(drone, &ruled->memory);
    return true;
}

void swarm_api_post_rule(struct mf_api_call *call)
{
    struct swarm_api *a = swarm_api_of(call);
    swarm_links_lend(a->l, a->vehicle);
    struct mf_drone *drone = mf_crowd_drone(a->l->w->members.crowd, a->vehicle);
    if (!provide_rule_memory(a, drone)) {
        mf_api_refuse(call, 409, "%u vehicles of this run have had rules, and no more can",
                      SWARM_RULED);
        return;
    }
    a->l->clock[a->vehicle].ruled = true;
    mf_drone_run(drone, a->l->wall_us);
    mf_api_post_rule(call);
}

mf_us_t swarm_rules_run(struct swarm_links *l, uint32_t i)
{
    struct mf_drone *drone = mf_crowd_drone(l->w->members.crowd, i);
    if (mf_crowd_state(l->w->members.crowd, i).frozen) {
        return MF_NEVER;
    }
    mf_drone_run(drone, l->wall_us);
    return mf_drone_due(drone);
}

void swarm_rules_remove_all(struct swarm_links *l)
{
    for (uint32_t k = 0; k < l->observed_count; k++) {
        const uint32_t i = l->observed[k];
        if (l->clock[i].ruled && !mf_crowd_state(l->w->members.crowd, i).frozen) {
            struct mf_drone *drone = mf_crowd_drone(l->w->members.crowd, i);
            mf_drone_forget_rules(drone);
            mf_drone_provide(drone, NULL);
            l->clock[i].ruled = false;
        }
    }
}
