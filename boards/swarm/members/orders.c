/* SPDX-License-Identifier: Apache-2.0 */
/* Gives orders to members of all kinds; the bus, the page and leaves call it. */
#include "boards/swarm/members/orders.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/port_vehicle.h"

/* Queue of the present swarm_orders_give(), because visits of members pass no context. */
static struct mf_order_queue *given_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_ORDERS];
}

static void give_orders(struct swarm *w, uint32_t i, const struct mf_order_port *port)
{
    mf_order_queue_give(given_of(w), i, swarm_is_absent(w, i, w->now_us) ? NULL : port);
}

static void visit_vehicle_member(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                                 struct mf_inside *inside)
{
    struct swarm_port_vehicle port = {drone, inside};
    (void)shard;
    give_orders(ctx, i, &(struct mf_order_port){&swarm_port_vehicle_ops, &port});
}

void swarm_orders_to_vehicles(struct swarm *w, struct mf_order_queue *orders, uint32_t from,
                              uint32_t to, mf_us_t at_us)
{
    mf_crowd_visit(w->members.crowd, &w->workers, at_us, orders->order[from].member,
                   orders->order[to - 1u].member + 1u, visit_vehicle_member, w);
}

void swarm_orders_give(struct swarm *w, struct mf_order_queue *orders, mf_us_t at_us)
{
    w->state[SWARM_SLOT_ORDERS] = orders;
    mf_order_queue_sort(orders);
    for (uint32_t k = 0; k < w->scenario->entities && orders->count > 0; k++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[k];
        const uint32_t from = mf_order_queue_first(orders, e->first);
        const uint32_t to = mf_order_queue_first(orders, e->first + e->count);
        const struct swarm_carrier *c = w->members.carrier[e->as];
        if (from == to) {
            continue;
        }
        if (c->give_orders != NULL) {
            c->give_orders(w, orders, from, to, at_us);
        } else if (c->visit != NULL) {
            swarm_visit(w, at_us, e, give_orders);
        } else { /* things do not move by orders, and bodies obey their autopilots only */
            mf_order_queue_refuse(orders, from, to);
        }
    }
}
