/* SPDX-License-Identifier: Apache-2.0 */
/* Passes calls about members to the carriers of their kinds. Every room above calls it. */
#include "boards/swarm/members/members.h"

static const struct swarm_carrier *carrier_of(const struct swarm *w, uint32_t i)
{
    return w->members.carrier[mf_scenario_entity_of(w->scenario, i)->as];
}

static const struct swarm_carrier *vehicle_carrier(const struct swarm *w)
{
    return w->members.carrier[MF_SCENARIO_KIND_VEHICLE];
}

/* ---- one member */

struct mf_crowd_state swarm_state(const struct swarm *w, uint32_t i)
{
    return carrier_of(w, i)->state(w, i);
}

struct mf_pose swarm_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return carrier_of(w, i)->pose(w, i, at_us);
}

static void place_of_pose(const struct swarm *w, const struct mf_pose *p, double *neu_m)
{
    const double *origin = w->scenario->origin;
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]}, (struct mf_geo){p->lat_deg, p->lon_deg},
                    neu_m);
    neu_m[2] = p->alt_amsl_m - origin[2];
}

void swarm_place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    const struct swarm_carrier *c = carrier_of(w, i);
    if (c->place != NULL) {
        c->place(w, i, at_us, neu_m);
        return;
    }
    const struct mf_pose p = c->pose(w, i, at_us);
    place_of_pose(w, &p, neu_m);
}

struct mf_pose swarm_motion(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    const struct swarm_carrier *c = carrier_of(w, i);
    if (c->motion != NULL) {
        return c->motion(w, i, at_us, neu_m);
    }
    const struct mf_pose p = c->pose(w, i, at_us);
    place_of_pose(w, &p, neu_m);
    return p;
}

float swarm_charge(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    const struct swarm_carrier *c = carrier_of(w, i);
    return c->charge != NULL ? c->charge(w, i, at_us) : -1.0f;
}

bool swarm_is_lost(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    const struct swarm_carrier *c = carrier_of(w, i);
    return c->is_lost != NULL && c->is_lost(w, i, at_us);
}

bool swarm_has_shape(const struct swarm *w, uint32_t i)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    return e->as == MF_SCENARIO_KIND_GHOST && e->body.shape >= 0;
}

void swarm_shape(const struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_solid *shape)
{
    carrier_of(w, i)->shape(w, i, at_us, shape);
}

double swarm_ray(const struct swarm *w, uint32_t i, mf_us_t at_us, const double neu_m[3],
                 const double toward[3], double reach_m)
{
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        const struct swarm_carrier *c = w->members.carrier[k];
        reach_m =
            c != NULL && c->ray != NULL ? c->ray(w, i, at_us, neu_m, toward, reach_m) : reach_m;
    }
    return reach_m;
}

/* ---- all members of an entity */

void swarm_visit(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                 swarm_visit_fn *visit)
{
    if (swarm_has(w, SWARM_SLOT_LEAF) && e->as != MF_SCENARIO_KIND_VEHICLE) {
        return; /* the root has all other kinds */
    }
    if (w->members.carrier[e->as]->visit != NULL) {
        w->members.carrier[e->as]->visit(w, at_us, e, visit);
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

uint32_t swarm_count_frozen(const struct swarm *w)
{
    return vehicle_carrier(w)->count_states(w).frozen;
}

uint32_t swarm_count_armed(const struct swarm *w)
{
    return vehicle_carrier(w)->count_states(w).armed;
}

uint32_t swarm_count_in_air(const struct swarm *w)
{
    return vehicle_carrier(w)->count_states(w).up;
}

uint32_t swarm_count_refused(const struct swarm *w)
{
    const uint32_t *refused = w->state[SWARM_SLOT_REFUSED];
    return refused != NULL ? *refused : 0;
}

void swarm_set_refused(struct swarm *w, uint32_t refused)
{
    *(uint32_t *)w->state[SWARM_SLOT_REFUSED] = refused;
}

void swarm_start_members(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us)
{
    vehicle_carrier(w)->start(w, from, to, at_us);
    swarm_costs_lap(w, SWARM_COST_PLANS, to - from);
}

/* ---- all members; the order of kinds is that of the digest */

void swarm_advance(struct swarm *w, mf_us_t until_us)
{
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        if (w->members.carrier[k]->run != NULL) {
            w->members.carrier[k]->run(w, until_us);
        }
    }
}

static mf_us_t next_of_carrier_us(const struct swarm *w, const struct swarm_carrier *c)
{
    return c->next_us != NULL ? c->next_us(w) : MF_NEVER;
}

mf_us_t swarm_next_us(const struct swarm *w)
{
    mf_us_t next_us = MF_NEVER;
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        next_us = mf_earlier(next_us, next_of_carrier_us(w, w->members.carrier[k]));
    }
    return next_us;
}

bool swarm_is_idle(const struct swarm *w)
{
    bool idle = swarm_systems_are_idle(w);
    for (int k = MF_SCENARIO_KINDS - 1; k >= 0 && idle; k--) { /* vehicles last: with leaves they
                                                                * cost a round trip */
        const struct swarm_carrier *c = w->members.carrier[k];
        idle = c->is_idle != NULL ? c->is_idle(w) : next_of_carrier_us(w, c) == MF_NEVER;
    }
    return idle;
}

uint64_t swarm_count_steps(const struct swarm *w)
{
    uint64_t steps = 0;
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        steps +=
            w->members.carrier[k]->count_steps != NULL ? w->members.carrier[k]->count_steps(w) : 0;
    }
    return steps;
}

uint64_t swarm_digest(const struct swarm *w)
{
    uint64_t digest = 0;
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        digest = w->members.carrier[k]->digest != NULL ? w->members.carrier[k]->digest(w, digest)
                                                       : digest;
    }
    return swarm_systems_digest(w, digest);
}
