/* SPDX-License-Identifier: Apache-2.0 */
/* Translates mission items into orders for agents. arrivals.c calls it. */
#include "boards/swarm/members/routes.h"

#include "mavlink/enums.h"
#include "mavlink/message.h"

/* Commands from this one on only do an action at once. */
#define FIRST_ACTION 176u

static bool is_flown_command(uint16_t command)
{
    switch (command) {
    case MAV_CMD_NAV_TAKEOFF:
    case MAV_CMD_NAV_WAYPOINT:
    case MAV_CMD_NAV_LOITER_TIME:
    case MAV_CMD_NAV_DELAY:
    case MAV_CMD_NAV_LAND:
    case MAV_CMD_NAV_RETURN_TO_LAUNCH:
        return true;
    default:
        return command >= FIRST_ACTION && command != MAV_CMD_DO_JUMP;
    }
}

uint16_t swarm_route_refuses(const struct mf_shared_plan *plan)
{
    bool up = false;
    uint16_t i = 0;
    for (; i < plan->mission.count; i++) {
        const uint16_t command = plan->mission.item[i].command;
        up = up || command == MAV_CMD_NAV_TAKEOFF;
        if (!is_flown_command(command) || (!up && command < FIRST_ACTION)) {
            break;
        }
    }
    return i;
}

static struct mf_item item_of(const struct swarm_route_plan *plan, uint16_t i)
{
    struct mf_store_shared store;
    struct mf_item item;
    mf_store_shared_init(&store, plan->plan, &plan->shift, NULL, 0);
    const int result = mf_store_shared_ops.get(&store, MF_STORE_MISSION, i, &item);
    MF_ASSERT(result == MF_E_OK); /* the index is below the count */
    return item;
}

static float amsl_m(const struct swarm_route_plan *plan, const struct mf_item *item)
{
    const bool amsl = item->frame == MAV_FRAME_GLOBAL || item->frame == MAV_FRAME_GLOBAL_INT;
    return mf_f32_from_bits(item->z) + (amsl ? 0.0f : (float)plan->home_amsl_m);
}

static bool go_there(const struct swarm_route_plan *plan, const struct mf_item *item,
                     const struct mf_order_port *port)
{
    return mf_order_go(port, item->x, item->y, amsl_m(plan, item), 0.0f);
}

/* Time that an agent waits at the end of an item [us]. */
static mf_us_t stay_us(const struct mf_item *item)
{
    const bool stays = item->command == MAV_CMD_NAV_WAYPOINT ||
                       item->command == MAV_CMD_NAV_LOITER_TIME ||
                       item->command == MAV_CMD_NAV_DELAY;
    const float s = mf_f32_from_bits(item->param[0]);
    return stays && s > 0.0f && s < 1e6f ? (mf_us_t)((double)s * 1e6) : 0;
}

/* Send the orders of an item. */
static void give_item(struct swarm_route *r, const struct swarm_route_plan *plan,
                      const struct mf_item *item, const struct mf_order_port *port)
{
    const struct mf_msg_command_int home = {.command = MAV_CMD_NAV_RETURN_TO_LAUNCH};
    const struct mf_msg_command_int speed = {.param1 = mf_f32_from_bits(item->param[0]),
                                             .param2 = mf_f32_from_bits(item->param[1]),
                                             .command = MAV_CMD_DO_CHANGE_SPEED};
    switch (item->command) {
    case MAV_CMD_NAV_TAKEOFF:
        (void)mf_order_arm(port);
        (void)mf_order_take_off(port, amsl_m(plan, item) - (float)plan->home_amsl_m);
        break;
    case MAV_CMD_NAV_WAYPOINT:
    case MAV_CMD_NAV_LOITER_TIME:
        (void)go_there(plan, item, port);
        break;
    case MAV_CMD_NAV_LAND: { /* fly there at the present altitude first */
        struct mf_order_view view;
        port->ops->look(port->ctx, &view);
        r->lands = mf_order_go(port, item->x, item->y, (float)view.position.alt / 1e3f, 0.0f);
        break;
    }
    case MAV_CMD_NAV_RETURN_TO_LAUNCH:
        (void)mf_order_command(port, &home);
        break;
    case MAV_CMD_DO_CHANGE_SPEED:
        (void)mf_order_command(port, &speed);
        break;
    default:
        break; /* the command does not move an agent */
    }
}

mf_us_t swarm_route_act(struct swarm_route *r, const struct swarm_route_plan *plan, mf_us_t at_us,
                        const struct mf_order_port *port, bool (*moves)(void *ctx), void *ctx)
{
    while (!r->finished && !moves(ctx)) {
        if (r->waits && at_us < r->wait_us) {
            return r->wait_us;
        }
        const struct mf_item item = item_of(plan, r->item);
        if (!r->given) {
            r->given = true;
            give_item(r, plan, &item, port);
        } else if (r->lands) {
            r->lands = false;
            (void)mf_order_land(port);
        } else if (!r->waits && stay_us(&item) > 0) {
            r->waits = true;
            r->wait_us = at_us + stay_us(&item);
        } else {
            r->given = r->waits = false;
            r->item++;
            r->finished = r->item == plan->plan->mission.count;
        }
    }
    return MF_NEVER;
}
