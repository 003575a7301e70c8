/* SPDX-License-Identifier: Apache-2.0 */
/* A team whose bodies are vehicles: the whole firmware each, flown along its path by orders. It
 * goes to each point and stays there until it is sent on; as published its velocity points to the
 * next one at every step, so that it passes through. */
#include "boards/swarm/search/team.h"

#include "boards/swarm/members/port_vehicle.h"
#include "firmware/state/state.h"
#include "math/trig.h"

#include <math.h>

#define RETRY_US   500000 /* interval at which a refused order is repeated [us] */
#define LANDING_US (600 * MF_SECOND_US)

enum phase { WAITING, RISING, GOING, LANDING };

struct swarm_pilot {
    enum phase phase;
    mf_us_t next_us;              /* no order before it */
    struct mf_mover_goal ordered; /* to which it goes */
    bool steered;                 /* by velocities */
};

/* ---- one member */

/* Place of a pose in the frame of the origin. */
static struct mf_enu enu_of_pose(const struct swarm *w, const struct mf_pose *p)
{
    const double *origin = w->scenario->origin;
    double ne_m[2];
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]}, (struct mf_geo){p->lat_deg, p->lon_deg},
                    ne_m);
    return (struct mf_enu){(float)ne_m[1], (float)ne_m[0], (float)(p->alt_amsl_m - origin[2])};
}

static bool order_goal(const struct swarm *w, const struct mf_order_port *port,
                       struct mf_mover_goal to)
{
    const double *origin = w->scenario->origin;
    const struct mf_geo at = mf_geo_from_local((struct mf_geo){origin[0], origin[1]},
                                               (double)to.at_m.n, (double)to.at_m.e);
    return mf_order_go(port, (int32_t)lround(at.lat_deg * 1e7), (int32_t)lround(at.lon_deg * 1e7),
                       (float)(origin[2] + (double)to.at_m.u), to.speed_mps);
}

/* Fly at full speed in the direction of the next point, as UavSim does. */
static bool order_velocity(const struct team *t, size_t member, const struct mf_order_port *port,
                           struct mf_mover_goal to)
{
    struct swarm_pilot *p = &t->pilot[member];
    const struct mf_enu from = mf_search_member(t->search, member).pos_m;
    const double way[3] = {(double)(to.at_m.n - from.n), (double)(to.at_m.e - from.e),
                           (double)(from.u - to.at_m.u)};
    const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    const double speed = length > 0.0 ? (double)to.speed_mps / length : 0.0;
    const float vel_ned_mps[3] = {(float)(way[0] * speed), (float)(way[1] * speed),
                                  (float)(way[2] * speed)};
    mf_order_velocity(port, vel_ned_mps, (float)atan2(way[1], way[0]));
    p->steered = p->steered || mf_order_offboard(port);
    return p->steered;
}

static bool is_same_goal(struct mf_mover_goal a, struct mf_mover_goal b)
{
    return a.at_m.e == b.at_m.e && a.at_m.n == b.at_m.n && a.at_m.u == b.at_m.u;
}

/* Is an order due at this instant? A member without a path stays on the ground, or lands. */
static bool is_order_due(const struct swarm *w, const struct team *t, size_t member)
{
    const struct swarm_pilot *p = &t->pilot[member];
    const bool has_path = mf_search_points_left(t->search, member) > 0;
    if (w->now_us < p->next_us || (!has_path && (p->phase == WAITING || p->phase == LANDING))) {
        return false;
    }
    return p->phase != GOING || !has_path || t->settings.compat ||
           !is_same_goal(p->ordered, mf_search_point(t->search, member, 0));
}

/* Off the ground, and up to where it goes on. @return it has come up */
static bool rise_to_altitude(const struct swarm *w, const struct team *t, size_t member,
                             const struct mf_order_port *port)
{
    struct swarm_pilot *p = &t->pilot[member];
    const double up_m = (double)mf_search_member(t->search, member).pos_m.u;
    const double low_m = (double)t->settings.members[member].begin_m.u;
    if (p->phase == WAITING && mf_order_arm(port) &&
        mf_order_take_off(port, (float)(t->settings.altitude_m - low_m))) {
        p->phase = RISING;
    }
    p->next_us = p->phase == WAITING ? w->now_us + RETRY_US : w->now_us;
    return p->phase == RISING && up_m >= t->settings.altitude_m - 1.0;
}

static void order_member(const struct swarm *w, const struct team *t, size_t member,
                         const struct mf_order_port *port)
{
    struct swarm_pilot *p = &t->pilot[member];
    const bool landed =
        mf_crowd_state(w->members.crowd, t->number[member]).landed == MF_LANDED_ON_GROUND;
    if (p->phase == LANDING && landed) { /* and has somewhere to go again */
        *p = (struct swarm_pilot){.phase = WAITING};
    }
    if (p->phase < GOING && !rise_to_altitude(w, t, member, port)) {
        return;
    }
    if (mf_search_points_left(t->search, member) > 0) {
        const struct mf_mover_goal to = mf_search_point(t->search, member, 0);
        const bool given =
            t->settings.compat ? order_velocity(t, member, port, to) : order_goal(w, port, to);
        p->ordered = given ? to : p->ordered;
        p->phase = GOING;
        p->next_us = given ? w->now_us : w->now_us + RETRY_US;
    } else {
        p->phase = mf_order_land(port) ? LANDING : p->phase;
        p->steered = false;
        p->next_us = w->now_us + RETRY_US;
    }
}

/* ---- the team */

struct visit {
    const struct swarm *w;
    const struct team *t;
    size_t member;
};

static void order_visited_member(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                                 struct mf_inside *inside)
{
    const struct visit *v = ctx;
    struct swarm_port_vehicle port = {drone, inside};
    (void)shard;
    (void)i;
    order_member(v->w, v->t, v->member, &(struct mf_order_port){&swarm_port_vehicle_ops, &port});
}

int swarm_team_prepare(struct swarm *w, struct team *t)
{
    t->pilot =
        swarm_memory(w, w->scenario->search.line, t->settings.member_count * sizeof *t->pilot);
    for (size_t i = 0; t->pilot != NULL && i < t->settings.member_count; i++) {
        const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, t->number[i]);
        t->pilot[i].next_us = (mf_us_t)(e->start_s * 1e6);
    }
    return t->pilot != NULL ? SWARM_OK : SWARM_INPUT;
}

static void give_team_orders(struct swarm *w, const struct team *t)
{
    for (size_t i = 0; i < t->settings.member_count; i++) {
        struct visit v = {w, t, i};
        if (is_order_due(w, t, i)) {
            mf_crowd_visit(w->members.crowd, &w->workers, w->now_us, t->number[i],
                           t->number[i] + 1u, order_visited_member, &v);
        }
    }
}

void swarm_team_move(struct swarm *w, struct team *t, mf_us_t end_us)
{
    give_team_orders(w, t);
    w->now_us = end_us;
    mf_crowd_run(w->members.crowd, &w->workers, w->now_us);
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_pose p = mf_crowd_pose(w->members.crowd, t->number[i], w->now_us);
        const struct mf_sin_cos yaw = mf_sin_cos((double)p.yaw_rad);
        mf_search_put(t->search, i, enu_of_pose(w, &p),
                      (struct mf_enu){p.vel_ned_mps[1], p.vel_ned_mps[0], -p.vel_ned_mps[2]},
                      (struct mf_enu){(float)yaw.sin, (float)yaw.cos, 0.0f});
    }
}

void swarm_team_land(struct swarm *w, struct team *t, const volatile int *stop)
{
    const mf_us_t last_us = w->now_us + LANDING_US;
    while (mf_crowd_up(w->members.crowd) > 0 && w->now_us < last_us && !*stop) {
        give_team_orders(w, t);
        w->now_us += RETRY_US;
        mf_crowd_run(w->members.crowd, &w->workers, w->now_us);
    }
}
