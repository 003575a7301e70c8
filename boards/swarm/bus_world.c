/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/bus_world.h"

#include "boards/swarm/bus.h"
#include "boards/swarm/frames.h"
#include "boards/swarm/orders.h"

#include <math.h>

/* Of the one swarm of the process. */
static struct {
    struct mf_timer timer;
    struct swarm_orders orders; /* of a turn */
    mf_us_t at_us;
    bool failed;
} s_world;

/* ---- what is told */

static void put_state(struct swarm *w, void *ctx, struct mf_bus_writer *f, uint32_t i)
{
    (void)ctx;
    swarm_frame_state(w, f, i, s_world.at_us);
}

/* What became of the orders of the last turn, to whoever gave them. */
static void tell_acks(struct swarm *w)
{
    for (uint32_t p = 0; p < SWARM_BUS_PARTICIPANTS && s_world.orders.count > 0; p++) {
        struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_ACKS);
        for (uint32_t i = 0; i < s_world.orders.count; i++) {
            const struct swarm_order *o = &s_world.orders.order[i];
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
    s_world.orders.count = 0;
}

static void tell(struct swarm *w, void *ctx)
{
    (void)ctx;
    tell_acks(w);
    swarm_bus_tell_states(w, w->scenario->members, put_state, NULL);
}

/* ---- what is heard */

static const char *hear(struct swarm *w, void *ctx, uint32_t participant,
                        const struct mf_bus_frame *frame)
{
    (void)ctx;
    return frame->type == MF_BUS_ORDERS
               ? swarm_orders_take(w, &s_world.orders, participant, frame)
               : "sends a PATH, but there is no plan of kind bus; members obey ORDERS";
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
    swarm_orders_give(w, &s_world.orders, at_us);
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
    if (!swarm_orders_init(&s_world.orders)) {
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
