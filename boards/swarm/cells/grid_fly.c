/* SPDX-License-Identifier: Apache-2.0 */
/* Drones of a world of cells that are vehicles or ghosts: their order ports, their flight from tick
 * to tick, their landing. grid.c calls it. */
#include "boards/swarm/cells/grid_fly.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/members/port_vehicle.h"
#include "mavlink/enums.h"

#include <math.h>
#include <time.h>

#define LAND_STEP_US 500000
#define LANDING_US   (600 * MF_SECOND_US)

struct vehicle {
    struct swarm *w;
    uint32_t i;
};

/* Order port of a drone that flies: its vehicle, or its ghost. */
struct swarm_grid_port {
    struct vehicle vehicle;
    struct swarm_ghost_port ghost;
    bool seen; /* the ghost was, and is where it must be */
};

static bool is_flown_entity(const struct mf_scenario_entity *e)
{
    return (e->as == MF_SCENARIO_KIND_VEHICLE || e->as == MF_SCENARIO_KIND_GHOST) &&
           e->object.thing == MF_SCENARIO_THING_NONE;
}

bool swarm_grid_has_flyers(const struct swarm *w)
{
    for (uint32_t i = 0; i < w->scenario->entities; i++) {
        if (is_flown_entity(&w->scenario->entity[i])) {
            return true;
        }
    }
    return false;
}

static struct mf_placed cell_place(const struct swarm *w, uint32_t i)
{
    const double *origin = w->scenario->origin, metres = w->scenario->grid.metres;
    double cell[3];
    mf_place_local(w->scenario, i, cell);
    return (struct mf_placed){mf_geo_from_local((struct mf_geo){origin[0], origin[1]},
                                                (cell[1] + 0.5) * metres, (cell[0] + 0.5) * metres),
                              origin[2] + cell[2] * metres};
}

/* ---- the port of a vehicle, which is visited for each order */

struct visit {
    uint32_t msgid; /* MISSION_ITEM_INT: an upload */
    const void *msg;
    struct mf_msg_mission_item_int *items;
    uint16_t count;
    struct mf_order_view *view; /* not NULL: it is only looked at */
    uint8_t *result;
    int given;
};

static void visit_with_port(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                            struct mf_inside *inside)
{
    struct visit *v = ctx;
    struct swarm_port_vehicle port = {drone, inside};
    (void)shard;
    (void)i;
    if (v->view != NULL) {
        swarm_port_vehicle_ops.look(&port, v->view);
    } else if (v->items != NULL) {
        v->given = swarm_port_vehicle_ops.upload(&port, v->items, v->count, v->result);
    } else {
        v->given = swarm_port_vehicle_ops.give(&port, v->msgid, v->msg, v->result);
    }
}

/* An assertion within it leaves it unanswered. */
static int visit_one_vehicle(const struct vehicle *port, struct visit *v)
{
    struct swarm *w = port->w;
    v->given = MF_E_IO;
    mf_crowd_visit(w->members.crowd, &w->workers, w->now_us, port->i, port->i + 1u, visit_with_port,
                   v);
    return v->given;
}

static int give_message(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    return visit_one_vehicle(ctx, &(struct visit){.msgid = msgid, .msg = msg, .result = result});
}

static void look_at_drone(void *ctx, struct mf_order_view *view)
{
    const struct vehicle *port = ctx;
    (void)visit_one_vehicle(port, &(struct visit){.view = view});
    view->reached = mf_crowd_state(port->w->members.crowd, port->i).reached;
}

static int upload_mission(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count,
                          uint8_t *result)
{
    return visit_one_vehicle(ctx,
                             &(struct visit){.items = items, .count = count, .result = result});
}

static const struct mf_order_ops k_vehicle = {give_message, look_at_drone, upload_mission};

/* ---- the run */

static void give_ports(struct swarm *w, struct swarm_grid *g)
{
    for (uint32_t k = 0; k < g->own_drones; k++) {
        const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, g->member[k]);
        if (!is_flown_entity(e)) {
            continue;
        }
        if (e->as == MF_SCENARIO_KIND_GHOST) {
            g->port[k].ghost = (struct swarm_ghost_port){w, g->member[k]};
            g->drone[k].port = (struct mf_order_port){&swarm_ghost_ops, &g->port[k].ghost};
        } else {
            g->port[k].vehicle = (struct vehicle){w, g->member[k]};
            g->drone[k].port = (struct mf_order_port){&k_vehicle, &g->port[k].vehicle};
        }
    }
}

int swarm_grid_prepare_ports(struct swarm *w, struct swarm_grid *g)
{
    g->port = swarm_memory(w, w->scenario->grid.line, g->own_drones * sizeof *g->port);
    if (g->port == NULL) {
        return SWARM_INPUT;
    }
    w->members.place = cell_place;
    give_ports(w, g);
    return SWARM_OK;
}

/* Is a ghost above its cell, where the world has it? An error says where it must begin. */
static void check_ghost_place(struct swarm *w, uint32_t i, const struct mf_order_view *view)
{
    const double half_m = w->scenario->grid.metres / 2.0;
    const struct mf_placed home = cell_place(w, i);
    char name[SWARM_NAME_MAX];
    double ne_m[2];
    mf_geo_to_local(
        home.at,
        (struct mf_geo){(double)view->position.lat / 1e7, (double)view->position.lon / 1e7}, ne_m);
    if (fabs(ne_m[0]) > half_m || fabs(ne_m[1]) > half_m) {
        mf_scenario_member_name(w->scenario, i, name);
        (void)swarm_refuse(w, mf_scenario_entity_of(w->scenario, i)->line,
                           "%s is not in its cell: %.0f m from %.7f,%.7f,%.1f, its --home", name,
                           hypot(ne_m[0], ne_m[1]), home.at.lat_deg, home.at.lon_deg,
                           home.alt_amsl_m);
    }
}

/* Once, when they are seen first. */
static void check_ghosts(struct swarm *w, struct swarm_grid *g)
{
    for (uint32_t k = 0; k < g->own_drones; k++) {
        struct mf_order_view view = {0};
        if (g->drone[k].port.ops != &swarm_ghost_ops || g->port[k].seen) {
            continue;
        }
        swarm_ghost_ops.look(g->drone[k].port.ctx, &view);
        g->port[k].seen = view.known;
        if (view.known) {
            check_ghost_place(w, g->member[k], &view);
        }
    }
}

void swarm_grid_move(struct swarm *w, struct swarm_grid *g, mf_us_t at_us)
{
    w->now_us = at_us;
    if (w->members.crowd != NULL) {
        mf_crowd_run(w->members.crowd, &w->workers, at_us);
    }
    swarm_ghosts_run(w, at_us);
    check_ghosts(w, g);
}

void swarm_grid_read_place(const struct swarm *w, const struct swarm_grid *g, uint32_t drone,
                           double at_m[3])
{
    const double *origin = w->scenario->origin;
    struct mf_order_view view = {0};
    double ne_m[2];
    if (drone <= g->own_drones && g->drone[drone - 1u].port.ops != NULL) {
        g->drone[drone - 1u].port.ops->look(g->drone[drone - 1u].port.ctx, &view);
    }
    if (view.known) {
        mf_geo_to_local(
            (struct mf_geo){origin[0], origin[1]},
            (struct mf_geo){(double)view.position.lat / 1e7, (double)view.position.lon / 1e7},
            ne_m);
        at_m[0] = ne_m[1];
        at_m[1] = ne_m[0];
        at_m[2] = (double)view.position.alt / 1e3 - origin[2];
    }
}

/* @return false: the drone is an agent, without a port */
static bool look_by_port(const struct swarm_grid *g, uint32_t k, struct mf_order_view *view)
{
    const struct mf_order_port *port = &g->drone[k].port;
    *view = (struct mf_order_view){0};
    if (port->ops != NULL) {
        port->ops->look(port->ctx, view);
    }
    return port->ops != NULL;
}

uint32_t swarm_grid_count_flown(const struct swarm_grid *g, uint32_t *landed)
{
    uint32_t flown = 0;
    *landed = 0;
    for (uint32_t k = 0; k < g->own_drones; k++) {
        struct mf_order_view view;
        if (!look_by_port(g, k, &view)) {
            continue;
        }
        flown++;
        *landed += view.known && view.landed == MAV_LANDED_STATE_ON_GROUND ? 1u : 0u;
    }
    return flown;
}

static void order_land(const struct swarm_grid *g)
{
    for (uint32_t k = 0; k < g->own_drones; k++) {
        struct mf_order_view view;
        if (look_by_port(g, k, &view) && view.known && view.landed != MAV_LANDED_STATE_ON_GROUND &&
            view.custom_mode != MF_ORDER_LAND) {
            (void)mf_order_land(&g->drone[k].port);
        }
    }
}

/* Let the wall pass for drones on a clock of their own. */
static void wait_step(const struct swarm *w)
{
    const double wait_s = LAND_STEP_US / 1e6 / w->scenario->time.rate;
    const struct timespec t = {(time_t)wait_s, (long)(fmod(wait_s, 1.0) * 1e9)};
    if (w->scenario->time.clock == MF_SCENARIO_CLOCK_REAL) {
        (void)nanosleep(&t, NULL);
    }
}

void swarm_grid_land(struct swarm *w, struct swarm_grid *g, const volatile int *stop)
{
    const mf_us_t last_us = w->now_us + LANDING_US;
    uint32_t landed;
    order_land(g); /* also when a signal ends the run */
    while (swarm_grid_count_flown(g, &landed) > landed && w->now_us < last_us && !*stop) {
        wait_step(w);
        swarm_grid_move(w, g, w->now_us + LAND_STEP_US);
        order_land(g);
    }
}
