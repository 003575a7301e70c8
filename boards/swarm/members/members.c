/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/members/members.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/members/agents.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/leaves.h"
#include "boards/swarm/members/port_vehicle.h"
#include "boards/swarm/minds/hive.h"
#include "boards/swarm/minds/minds.h"
#include "boards/swarm/outside/foreigns.h"
#include "boards/swarm/radio/radio.h"
#include "firmware/state/state.h"
#include "fleet/place.h"
#include "math/trig.h"

static int32_t kind_of(const struct swarm *w, uint32_t i)
{
    return mf_scenario_entity_of(w->scenario, i)->as;
}

struct visit {
    struct swarm *w;
    swarm_visit_fn *run;
};

static void visit_vehicle(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                          struct mf_inside *inside)
{
    const struct visit *v = ctx;
    struct swarm_port_vehicle port = {drone, inside};
    (void)shard;
    v->run(v->w, i, &(struct mf_order_port){&swarm_port_vehicle_ops, &port});
}

void swarm_visit(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                 swarm_visit_fn *visit)
{
    struct visit v = {w, visit};
    if (w->root != NULL && e->as != MF_SCENARIO_KIND_VEHICLE) {
        return; /* the root has all others */
    }
    switch (e->as) {
    case MF_SCENARIO_KIND_VEHICLE:
        mf_crowd_visit(w->crowd, &w->workers, at_us, e->first, e->first + e->count, visit_vehicle,
                       &v);
        break;
    case MF_SCENARIO_KIND_AGENT:
        swarm_agents_visit(w, at_us, e, visit);
        break;
    case MF_SCENARIO_KIND_GHOST:
        swarm_ghosts_visit(w, at_us, e, visit);
        break;
    default:
        break; /* a thing obeys nothing, a body its autopilot alone */
    }
}

void swarm_visit_all(struct swarm *w, mf_us_t at_us, swarm_visit_fn *visit)
{
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        swarm_visit(w, at_us, &w->scenario->entity[k], visit);
    }
}

uint32_t swarm_vehicles_top(const struct mf_scenario *s)
{
    uint32_t top = 0;
    for (uint32_t i = 0; i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        const bool vehicle =
            e->as == MF_SCENARIO_KIND_VEHICLE && e->object.thing == MF_SCENARIO_THING_NONE;
        top = vehicle ? e->first + e->count : top;
    }
    return top;
}

/* Of the vehicles, wherever they are. */
static struct swarm_sum sum_of(const struct swarm *w)
{
    return w->leaves != NULL ? w->leaves->sum(w)
                             : (struct swarm_sum){.next_us = mf_crowd_next(w->crowd),
                                                  .frozen = mf_crowd_frozen(w->crowd),
                                                  .armed = mf_crowd_armed(w->crowd),
                                                  .up = mf_crowd_up(w->crowd)};
}

uint32_t swarm_frozen(const struct swarm *w)
{
    return sum_of(w).frozen;
}

uint32_t swarm_armed(const struct swarm *w)
{
    return sum_of(w).armed;
}

uint32_t swarm_up(const struct swarm *w)
{
    return sum_of(w).up;
}

/* What else is idle is asked first: it costs less. */
static bool vehicles_idle(const struct swarm *w)
{
    return w->leaves != NULL ? w->leaves->sum(w).idle : mf_crowd_is_idle(w->crowd);
}

bool swarm_is_idle(const struct swarm *w)
{
    return !swarm_has_flock(w) && !swarm_hive_works(w) && swarm_agents_next(w) == MF_NEVER &&
           swarm_ghosts_next(w) == MF_NEVER && swarm_foreigns_next(w) == MF_NEVER &&
           vehicles_idle(w);
}

bool swarm_is_away(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return swarm_is_lost(w, i, at_us) || swarm_is_absent(w, i, at_us);
}

struct mf_crowd_state swarm_state(const struct swarm *w, uint32_t i)
{
    switch (kind_of(w, i)) {
    case MF_SCENARIO_KIND_AGENT:
        return swarm_agent_state(w, i);
    case MF_SCENARIO_KIND_GHOST:
        return swarm_ghost_state(w, i);
    case MF_SCENARIO_KIND_THING:
        return (struct mf_crowd_state){.landed = MF_LANDED_ON_GROUND, .reached = -1};
    case MF_SCENARIO_KIND_BODY:
        return swarm_foreign_state(w, i);
    default:
        return w->leaves != NULL ? w->leaves->state(w, i) : mf_crowd_state(w->crowd, i);
    }
}

/* An object goes straight on for ever, as those of a search do. */
static void carry_on(const struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_pose *pose)
{
    const struct mf_geo origin = {w->scenario->origin[0], w->scenario->origin[1]};
    const double t_s = (double)at_us * 1e-6;
    double ne_mps[2], ne_m[2];
    mf_place_way(w->scenario, i, ne_mps);
    mf_geo_to_local(origin, (struct mf_geo){pose->lat_deg, pose->lon_deg}, ne_m);
    const struct mf_geo at =
        mf_geo_from_local(origin, ne_m[0] + ne_mps[0] * t_s, ne_m[1] + ne_mps[1] * t_s);
    pose->lat_deg = at.lat_deg;
    pose->lon_deg = at.lon_deg;
    pose->vel_ned_mps[0] = (float)ne_mps[0];
    pose->vel_ned_mps[1] = (float)ne_mps[1];
    pose->yaw_rad = (float)mf_atan2(ne_mps[1], ne_mps[0]);
}

static struct mf_pose thing_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    const struct mf_placed placed = mf_place(w->scenario, i);
    struct mf_pose pose = {.lat_deg = placed.at.lat_deg,
                           .lon_deg = placed.at.lon_deg,
                           .alt_amsl_m = placed.alt_amsl_m,
                           .on_ground = true};
    if (mf_scenario_entity_of(w->scenario, i)->object.speed_mps > 0.0) {
        carry_on(w, i, at_us, &pose);
    }
    return pose;
}

struct mf_pose swarm_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    switch (kind_of(w, i)) {
    case MF_SCENARIO_KIND_AGENT:
        return swarm_agent_pose(w, i, at_us);
    case MF_SCENARIO_KIND_GHOST:
        return swarm_ghost_pose(w, i, at_us);
    case MF_SCENARIO_KIND_THING:
        return thing_pose(w, i, at_us);
    case MF_SCENARIO_KIND_BODY:
        return swarm_foreign_pose(w, i, at_us);
    default:
        return w->leaves != NULL ? w->leaves->pose(w, i, at_us) : mf_crowd_pose(w->crowd, i, at_us);
    }
}

static void place_of(const struct swarm *w, const struct mf_pose *p, double *neu_m)
{
    const double *origin = w->scenario->origin;
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]}, (struct mf_geo){p->lat_deg, p->lon_deg},
                    neu_m);
    neu_m[2] = p->alt_amsl_m - origin[2];
}

void swarm_place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    if (kind_of(w, i) == MF_SCENARIO_KIND_AGENT) {
        swarm_agent_place(w, i, at_us, neu_m);
        return;
    }
    const struct mf_pose p = swarm_pose(w, i, at_us);
    place_of(w, &p, neu_m);
}

struct mf_pose swarm_motion(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    if (kind_of(w, i) == MF_SCENARIO_KIND_AGENT) {
        return swarm_agent_motion(w, i, at_us, neu_m);
    }
    const struct mf_pose p = swarm_pose(w, i, at_us);
    place_of(w, &p, neu_m);
    return p;
}

void swarm_advance(struct swarm *w, mf_us_t until_us)
{
    mf_crowd_run(w->crowd, &w->workers, until_us);
    if (w->leaves != NULL) {
        w->leaves->run(w, until_us);
    }
    swarm_agents_run(w, until_us);
    swarm_ghosts_run(w, until_us);
    swarm_foreigns_run(w, until_us);
}

mf_us_t swarm_next(const struct swarm *w)
{
    return mf_earlier(mf_earlier(sum_of(w).next_us, swarm_agents_next(w)),
                      mf_earlier(swarm_ghosts_next(w), swarm_foreigns_next(w)));
}

uint64_t swarm_steps(const struct swarm *w)
{
    const uint64_t vehicles = w->leaves != NULL ? w->leaves->steps(w) : mf_crowd_steps(w->crowd);
    return vehicles + swarm_agents_steps(w) + swarm_foreigns_steps(w);
}

uint64_t swarm_digest(const struct swarm *w)
{
    const uint64_t members = swarm_agents_digest(w, w->leaves != NULL ? w->leaves->digest(w)
                                                                      : mf_crowd_digest(w->crowd));
    return swarm_radio_digest(w, swarm_foreigns_digest(w, swarm_ghosts_digest(w, members)));
}
