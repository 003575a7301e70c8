/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/bus_world.h"

#include "boards/swarm/agents.h"
#include "boards/swarm/bus.h"
#include "boards/swarm/ghosts.h"
#include "boards/swarm/members.h"
#include "boards/swarm/port_vehicle.h"
#include "firmware/flight/mode.h"
#include "math/geodesic.h"
#include "mavlink/enums.h"

#include <math.h>
#include <stdlib.h>

#define ORDERS_MAX 65536u /* of one turn */

/* An order, and what became of it. */
struct order {
    uint32_t member, participant, sequence;
    uint32_t msgid;
    int error; /* of the order port */
    uint8_t result;
    union mf_msg msg;
};

/* Of the one swarm of the process. */
static struct {
    struct mf_timer timer;
    struct order *order; /* [ORDERS_MAX], of a turn */
    uint32_t orders;
    mf_us_t at_us;
    bool failed;
} s_world;

/* ---- what is told */

static void put_state(struct swarm *w, void *ctx, struct mf_bus_writer *f, uint32_t i)
{
    (void)ctx;
    const double *origin = w->scenario->origin;
    const struct mf_crowd_state now = swarm_state(w, i);
    const struct mf_pose pose = swarm_pose(w, i, s_world.at_us);
    double ne_m[2];
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]},
                    (struct mf_geo){pose.lat_deg, pose.lon_deg}, ne_m);
    mf_bus_put_f64(f, ne_m[0]);
    mf_bus_put_f64(f, ne_m[1]);
    mf_bus_put_f64(f, pose.alt_amsl_m - origin[2]);
    mf_bus_put_f32(f, pose.vel_ned_mps[0]);
    mf_bus_put_f32(f, pose.vel_ned_mps[1]);
    mf_bus_put_f32(f, -pose.vel_ned_mps[2]);
    mf_bus_put_f32(f, pose.yaw_rad);
    mf_bus_put_u(f, mf_mode_custom((enum mf_mode)now.mode), 4);
    mf_bus_put_u(f, 1u | (now.armed ? 2u : 0u), 1);
    mf_bus_put_u(f, now.landed, 1);
    mf_bus_put_u(f, 0, 2);
}

/* What became of the orders of the last turn, to whoever gave them. */
static void tell_acks(struct swarm *w)
{
    for (uint32_t p = 0; p < SWARM_BUS_PARTICIPANTS && s_world.orders > 0; p++) {
        struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_ACKS);
        for (uint32_t i = 0; i < s_world.orders; i++) {
            const struct order *o = &s_world.order[i];
            if (o->participant == p && mf_bus_fits(f, MF_BUS_ACK_BYTES)) {
                mf_bus_put_u(f, o->member, 4);
                mf_bus_put_u(f, o->msgid, 4);
                mf_bus_put_u(f, (uint64_t)o->error, 2);
                mf_bus_put_u(f, o->result, 1);
                mf_bus_put_u(f, 0, 1);
            }
        }
        if (f->n > MF_BUS_HEADER) {
            swarm_bus_send_to(w, p);
        }
    }
    s_world.orders = 0;
}

static void tell(struct swarm *w, void *ctx)
{
    (void)ctx;
    tell_acks(w);
    swarm_bus_tell_states(w, w->scenario->members, put_state, NULL);
}

/* ---- what is heard */

static const char *add(struct swarm *w, uint32_t participant, const struct mf_bus_order *o)
{
    const struct mf_msg_info *info = mf_msg_find(o->msgid);
    if (o->member >= w->scenario->members) {
        return "gives an order to a member that is not there";
    }
    if (s_world.orders == ORDERS_MAX) {
        return "gives more than 65536 orders in a turn";
    }
    struct order *to = &s_world.order[s_world.orders];
    *to = (struct order){.member = o->member,
                         .participant = participant,
                         .sequence = s_world.orders++,
                         .msgid = o->msgid,
                         .error = MF_E_NOSUPP,
                         .result = MAV_RESULT_UNSUPPORTED};
    const bool known = o->msgid == MF_MSG_COMMAND_INT || o->msgid == MF_MSG_MISSION_ITEM_INT ||
                       o->msgid == MF_MSG_SET_POSITION_TARGET_LOCAL_NED ||
                       o->msgid == MF_MSG_SET_POSITION_TARGET_GLOBAL_INT;
    if (!known || info == NULL) {
        return NULL; /* its answer says so */
    }
    if (o->n > info->len_max) {
        return "gives an order whose payload is longer than the message";
    }
    mf_msg_unpack(info, o->payload, o->n, &to->msg);
    to->error = MF_E_AGAIN;
    return NULL;
}

static const char *hear(struct swarm *w, void *ctx, uint32_t participant,
                        const struct mf_bus_frame *frame)
{
    struct mf_bus_order order;
    const char *why = NULL;
    size_t at = 0;
    (void)ctx;
    if (frame->type != MF_BUS_ORDERS) {
        return "sends a PATH, but there is no plan of kind bus; members obey ORDERS";
    }
    while (why == NULL && mf_bus_order(frame, &at, &order, &why)) {
        why = add(w, participant, &order);
    }
    return why;
}

/* ---- orders are given */

static int by_member(const void *a, const void *b)
{
    const struct order *p = a, *q = b;
    if (p->member != q->member) {
        return p->member < q->member ? -1 : 1;
    }
    return p->sequence < q->sequence ? -1 : 1;
}

/* The first order of a member, or of one behind it. */
static uint32_t first_of(uint32_t member)
{
    uint32_t low = 0, high = s_world.orders;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2u;
        if (s_world.order[middle].member < member) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

static void give(struct swarm *w, uint32_t i, const struct mf_order_port *port)
{
    (void)w;
    for (uint32_t k = first_of(i); k < s_world.orders && s_world.order[k].member == i; k++) {
        struct order *o = &s_world.order[k];
        if (o->error == MF_E_AGAIN) {
            o->error = port->ops->give(port->ctx, o->msgid, &o->msg, &o->result);
        }
    }
}

static void visit(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                  struct mf_inside *inside)
{
    struct swarm_port_vehicle port = {drone, inside};
    (void)shard;
    if (first_of(i) < s_world.orders && s_world.order[first_of(i)].member == i) {
        give(ctx, i, &(struct mf_order_port){&swarm_port_vehicle_ops, &port});
    }
}

static void give_all(struct swarm *w)
{
    if (s_world.orders == 0) {
        return;
    }
    qsort(s_world.order, s_world.orders, sizeof s_world.order[0], by_member);
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[k];
        const uint32_t from = first_of(e->first), to = first_of(e->first + e->count);
        if (from == to) {
            continue;
        }
        if (e->as == MF_SCENARIO_KIND_VEHICLE) {
            mf_crowd_visit(w->crowd, &w->workers, s_world.at_us, s_world.order[from].member,
                           s_world.order[to - 1u].member + 1u, visit, w);
        } else if (e->as == MF_SCENARIO_KIND_AGENT) {
            swarm_agents_visit(w, s_world.at_us, e, give);
        } else {
            swarm_ghosts_visit(w, s_world.at_us, e, give);
        }
    }
}

/* ---- ticks */

static void tick(void *ctx, uint32_t id, mf_us_t at_us)
{
    static const struct swarm_bus_ops k_ops = {tell, hear};
    struct swarm *w = ctx;
    (void)id;
    if (!swarm_bus_due(w, at_us, false)) {
        return;
    }
    s_world.at_us = at_us;
    if (swarm_bus_turn(w, at_us, false, &k_ops, NULL) != SWARM_OK) {
        s_world.failed = true;
        return;
    }
    give_all(w);
    if (swarm_bus_controllers(w) == 0 && isinf(w->scenario->time.end_s)) {
        mf_timer_cancel(&w->engine, &s_world.timer); /* it ends when nothing happens any more */
    }
}

int swarm_bus_world_begin(struct swarm *w)
{
    const mf_us_t period_us = (mf_us_t)(w->scenario->bus.tick_s * 1e6 + 0.5);
    if (w->bus == NULL) {
        return SWARM_OK;
    }
    s_world.order = malloc(ORDERS_MAX * sizeof s_world.order[0]);
    if (s_world.order == NULL) {
        return swarm_refuse(w, w->scenario->bus.line, "bus: no memory");
    }
    mf_timer_init(&s_world.timer, MF_PHASE_CONTROL, UINT32_MAX, tick, w);
    const int result = mf_timer_set(&w->engine, &s_world.timer, 0, period_us);
    MF_ASSERT(result == MF_E_OK); /* the heap has room */
    return swarm_bus_gather(w, NULL, NULL);
}

bool swarm_bus_world_failed(const struct swarm *w)
{
    (void)w;
    return s_world.failed;
}
