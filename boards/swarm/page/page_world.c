/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page's frames of vehicles, agents and ghosts, and gives them the orders of browsers.
 * page_display.c calls its table. */
#include "boards/swarm/page/page_world.h"

#include "boards/swarm/members/orders.h"
#include "boards/swarm/outside/frames.h"
#include "boards/swarm/page/page_senses.h"
#include "boards/swarm/time/hold.h"

/* Orders of browsers. */
const size_t swarm_page_orders_bytes = sizeof(struct mf_order_queue);

/* ---- frames */

void swarm_page_add_scene(struct swarm *w, uint32_t members)
{
    struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_WELCOME);
    mf_bus_put_welcome(f, w->scenario, 0, w->scenario->bus.tick_s);
    for (size_t i = 0; i < 4u; i++) {
        f->bytes[MF_BUS_HEADER + 4u + i] = (uint8_t)(members >> (8u * i));
    }
    swarm_picture_add(w);
    swarm_frame_scene(w, swarm_picture_frame(w, MF_BUS_SCENE));
    swarm_picture_add(w);
}

void swarm_page_add_time(struct swarm *w, unsigned can)
{
    struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_TIME);
    mf_bus_put_u(f, (uint64_t)w->scenario->time.clock, 1);
    mf_bus_put_u(f, w->hold.at_us != MF_NEVER && w->hold.at_us <= w->now_us ? 1 : 0, 1);
    mf_bus_put_u(f, can, 1);
    mf_bus_put_u(f, 0, 5);
    mf_bus_put_f64(f, w->hold.rate);
    swarm_picture_add(w);
}

static void add_unchanging_frames(struct swarm *w)
{
    uint32_t next = 0;
    swarm_page_add_scene(w, w->scenario->members);
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        mf_bus_put_entity(swarm_picture_frame(w, MF_BUS_ENTITY), &w->scenario->entity[k]);
        swarm_picture_add(w);
    }
    do {
        next = swarm_frame_obstacles(w, swarm_picture_frame(w, MF_BUS_OBSTACLES), next);
        swarm_picture_add(w);
    } while (next > 0);
}

/* Time just after the instant to which all have run, because a browser may have given an order at
 * that instant. */
static mf_us_t order_time_us(const struct swarm *w)
{
    return w->now_us + 1;
}

static void add_world_frames(struct swarm *w, bool first)
{
    const uint32_t count = w->scenario->members;
    if (first) {
        add_unchanging_frames(w);
    }
    for (uint32_t from = 0, to; from < count; from = to) {
        struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_STATE);
        to = mf_bus_put_states(f, from, count);
        for (uint32_t i = from; i < to; i++) {
            swarm_frame_state(w, f, i, order_time_us(w));
        }
        swarm_picture_add(w);
    }
    if (swarm_receptions_put(w, &swarm_picture_of(w)->onlooker,
                             swarm_picture_frame(w, MF_BUS_RECEPTIONS))) {
        swarm_picture_add(w);
    }
    swarm_page_add_senses(w);
    swarm_page_add_time(w, 7); /* the run obeys holds, rates and orders */
}

/* ---- orders of browsers */

const char *swarm_page_set_clock(struct swarm *w, const struct mf_bus_frame *frame)
{
    struct mf_bus_clock clock;
    const char *why = mf_bus_clock(frame, &clock);
    if (why != NULL) {
        return why;
    }
    if (clock.action == MF_BUS_CLOCK_RUN) {
        swarm_hold_step(w, mf_us_of(clock.value));
    } else if (clock.action == MF_BUS_CLOCK_RATE) {
        return swarm_hold_rate(w, clock.value) == MF_E_OK
                   ? NULL
                   : "sets a rate, but the clock is not real or the rate not 0.01 to 10000";
    } else {
        swarm_hold_pause(w, clock.action == MF_BUS_CLOCK_HOLD);
    }
    return NULL;
}

static const char *obey_browser_frame(struct swarm *w, const struct mf_bus_frame *frame)
{
    if (frame->type == MF_BUS_CLOCK) {
        return swarm_page_set_clock(w, frame);
    }
    if (frame->type == MF_BUS_TASK) {
        return "gives a TASK, but only controllers of a world of cells take one";
    }
    struct mf_order_queue *orders = w->state[SWARM_SLOT_PAGE_ORDERS];
    if (orders->order == NULL && !mf_order_queue_init(orders)) {
        return "gives orders, but there is not enough memory for them";
    }
    const char *why = mf_order_queue_add(orders, w->scenario->members, 0, frame);
    swarm_orders_give(w, orders, order_time_us(w));
    orders->count = 0;
    return why;
}

const struct swarm_page_ops swarm_page_world_ops = {add_world_frames, obey_browser_frame};
