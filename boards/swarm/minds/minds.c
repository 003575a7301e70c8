/* SPDX-License-Identifier: Apache-2.0 */
/* Lets the behaviours of members act at their times, and a flock in two steps. Carriers call it
 * through w->members.behaviours, hosts/leaf.c for the flock members on a leaf, ghosts/ for a lost
 * ghost. */
#include "boards/swarm/minds/minds.h"

#include "boards/swarm/members/members.h"
#include "boards/swarm/minds/mind_plugin.h"
#include "boards/swarm/minds/minds_internal.h"
#include "boards/swarm/minds/rx_minds.h"
#include "fleet/flock.h"
#include "fleet/place.h"

#include <math.h>

static bool is_flock(const struct mf_scenario_entity *e)
{
    return e->behaviour.kind == MF_BEHAVIOUR_FLOCK;
}

static uint32_t flock_size(const struct mf_scenario *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->entities; i++) {
        count += is_flock(&s->entity[i]) ? s->entity[i].count : 0;
    }
    return count;
}

static bool has_minds(const struct mf_scenario *s)
{
    for (uint32_t i = 0; i < s->entities; i++) {
        if (s->entity[i].behaviour.kind != MF_BEHAVIOUR_NONE) {
            return true;
        }
    }
    return false;
}

static bool has_flock(const struct swarm *w)
{
    return swarm_minds_of(w) != NULL && swarm_minds_of(w)->flock.members.count > 0;
}

/* ---- set-up */

static int prepare_flock(struct swarm *w, uint32_t count)
{
    struct flock *f = &swarm_minds_of(w)->flock;
    double cell_m = 0.0;
    for (uint32_t i = 0; i < w->scenario->entities; i++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[i];
        const mf_us_t period_us = mf_behaviour_period_us(&e->behaviour);
        if (!is_flock(e)) {
            continue;
        }
        if (f->period_us != 0 && f->period_us != period_us) {
            return swarm_refuse(w, e->line, "%s: all of a flock must have one rate", e->name);
        }
        f->period_us = period_us;
        cell_m = fmax(cell_m, e->behaviour.radius_m);
    }
    void *bytes = swarm_memory(w, 1, mf_flock_bytes(count));
    if (bytes == NULL) {
        return SWARM_INPUT;
    }
    mf_flock_init(&f->members, count, cell_m, bytes);
    return SWARM_OK;
}

/* Bytes of state that a member of an entity needs for its kind of behaviour. */
static size_t state_bytes(const struct swarm *w, const struct mf_scenario_entity *e)
{
    return e->behaviour.kind == MF_BEHAVIOUR_OWN
               ? swarm_mind_plugin_bytes(w, (uint32_t)(e - w->scenario->entity))
               : swarm_rx_minds_bytes(w, e);
}

/* ---- turns of one member */

static mf_us_t first_turn_us(const struct mf_scenario_entity *e)
{
    return (mf_us_t)(e->start_s * 1e6);
}

static mf_us_t next_act_us(const struct mf_scenario_entity *e, const struct mind *m)
{
    const bool alone = e->behaviour.kind != MF_BEHAVIOUR_NONE && !is_flock(e);
    return alone && m->mind.phase != MF_BEHAVIOUR_DONE
               ? first_turn_us(e) + m->mind.turns * mf_behaviour_period_us(&e->behaviour)
               : MF_NEVER;
}

static mf_us_t next_turn_us(const struct swarm *w, uint32_t i)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    if (swarm_minds_of(w) == NULL) {
        return MF_NEVER;
    }
    return next_act_us(e, &swarm_minds_of(w)->mind[i]);
}

static void act_in_turn(struct swarm *w, uint32_t i, mf_us_t at_us,
                        const struct mf_order_port *port)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    struct mind *m = &swarm_minds_of(w)->mind[i];
    if (next_act_us(e, m) > at_us) {
        return;
    }
    struct mf_behaviour_home home = {0};
    if (e->behaviour.kind == MF_BEHAVIOUR_OWN) {
        const bool more =
            swarm_mind_plugin_turn(w, i, m->mind.turns, at_us, swarm_mind_state(w, i), port);
        m->mind.turns++;
        m->mind.phase = more ? m->mind.phase : MF_BEHAVIOUR_DONE;
        return;
    }
    if (e->behaviour.kind == MF_BEHAVIOUR_GRADIENT ||
        e->behaviour.kind == MF_BEHAVIOUR_SURVEY_FLOCK) {
        swarm_rx_minds_act(w, i, &m->mind, swarm_mind_state(w, i), port);
        return;
    }
    if (e->behaviour.kind == MF_BEHAVIOUR_WAYPOINTS) {
        const struct mf_placed placed = mf_place(w->scenario, i);
        home = (struct mf_behaviour_home){placed.at.lat_deg, placed.at.lon_deg, placed.alt_amsl_m};
    }
    (void)mf_behave(&e->behaviour, &m->mind, &home, port);
}

void swarm_mind_skip(struct swarm *w, uint32_t i, mf_us_t at_us)
{
    while (next_turn_us(w, i) <= at_us) {
        swarm_minds_of(w)->mind[i].mind.turns++;
    }
}

void swarm_mind_return(struct swarm *w, uint32_t i, bool armed)
{
    if (swarm_minds_of(w) == NULL) {
        return;
    }
    struct mf_mind *mind = &swarm_minds_of(w)->mind[i].mind;
    mind->going = false;
    if (!armed && mind->phase != MF_BEHAVIOUR_DONE) {
        mind->phase = MF_BEHAVIOUR_GROUND;
    }
}

/* ---- the flock: all look before any acts */

static void observe_flock_member(struct swarm *w, uint32_t i, const struct mf_order_port *port)
{
    struct mf_order_view view;
    const struct mind *m = &swarm_minds_of(w)->mind[i];
    struct mf_flock_member *member = &swarm_minds_of(w)->flock.members.member[m->flock_number];
    member->flies = false;
    if (m->mind.phase != MF_BEHAVIOUR_GO) {
        return;
    }
    port->ops->look(port->ctx, &view);
    const double *origin = w->scenario->origin;
    if (!view.known) {
        return;
    }
    mf_geo_to_local(
        (struct mf_geo){origin[0], origin[1]},
        (struct mf_geo){(double)view.position.lat / 1e7, (double)view.position.lon / 1e7},
        member->neu_m);
    member->neu_m[2] = (double)view.position.alt / 1e3 - origin[2];
    member->vel_ne_mps[0] = (float)view.position.vx / 100.0f;
    member->vel_ne_mps[1] = (float)view.position.vy / 100.0f;
    member->flies = true;
}

static void move_flock_member(struct swarm *w, uint32_t i, const struct mf_order_port *port)
{
    struct mf_order_view view;
    float vel_ned_mps[3];
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    const struct flock *f = &swarm_minds_of(w)->flock;
    struct mind *m = &swarm_minds_of(w)->mind[i];
    if (f->at_us < first_turn_us(e)) {
        return;
    }
    if (mf_behave_rise(&e->behaviour, &m->mind, port, &view) &&
        f->members.member[m->flock_number].flies) {
        mf_flock_steer(&f->members, m->flock_number, &e->behaviour, &m->mind, vel_ned_mps);
        mf_behave_fly(&m->mind, port, vel_ned_mps);
    }
    m->mind.turns++;
}

/* Call @p run for all flock members. Each thread writes only to the members of its shard. */
static void visit_flock_members(struct swarm *w, swarm_visit_fn *run)
{
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        if (is_flock(&w->scenario->entity[k])) {
            swarm_visit(w, swarm_minds_of(w)->flock.at_us, &w->scenario->entity[k], run);
        }
    }
}

struct mf_flock_member *swarm_flock_members(const struct swarm *w, uint32_t *count)
{
    *count = has_flock(w) ? swarm_minds_of(w)->flock.members.count : 0;
    return *count > 0 ? swarm_minds_of(w)->flock.members.member : NULL;
}

bool swarm_flock_number_of(const struct swarm *w, uint32_t i, uint32_t *number)
{
    *number = swarm_minds_of(w)->mind[i].flock_number;
    return *number != UINT32_MAX;
}

void swarm_flock_observe(struct swarm *w, mf_us_t at_us)
{
    swarm_minds_of(w)->flock.at_us = at_us;
    visit_flock_members(w, observe_flock_member);
}

void swarm_flock_move(struct swarm *w, mf_us_t at_us)
{
    swarm_minds_of(w)->flock.at_us = at_us;
    mf_flock_sort(&swarm_minds_of(w)->flock.members);
    visit_flock_members(w, move_flock_member);
}

static void move_flock(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct swarm *w = ctx;
    struct mf_flock *flock = &swarm_minds_of(w)->flock.members;
    const struct swarm_carrier *vehicles = w->members.carrier[MF_SCENARIO_KIND_VEHICLE];
    (void)id;
    swarm_flock_observe(w, at_us);
    if (vehicles->see_flock != NULL) {
        vehicles->see_flock(w, flock->member, flock->count, at_us);
        vehicles->move_flock(w, flock->member, flock->count, at_us);
    }
    swarm_flock_move(w, at_us);
    swarm_costs_lap(w, SWARM_COST_BEHAVIOURS, flock->count);
}

static int start_flock_timer(struct swarm *w)
{
    if (!has_flock(w)) {
        return SWARM_OK;
    }
    struct flock *f = &swarm_minds_of(w)->flock;
    mf_timer_init(&f->timer, MF_PHASE_ENTITY, 0, move_flock, w);
    const int result = mf_timer_set(&w->engine, &f->timer, 0, f->period_us);
    MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer */
    return SWARM_OK;
}

static bool are_minds_idle(const struct swarm *w)
{
    return !has_flock(w); /* a flock flies until the run ends */
}

static const struct swarm_behaviours k_behaviours = {.next_us = next_turn_us, .act = act_in_turn};

static int prepare_minds(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const uint32_t flock_members = flock_size(s);
    uint32_t flock_number = 0;
    if (!has_minds(s)) {
        return SWARM_OK;
    }
    w->state[SWARM_SLOT_MINDS] = swarm_memory(w, 1, sizeof *swarm_minds_of(w));
    struct mind *mind = swarm_memory(w, 1, s->members * sizeof *mind);
    if (swarm_minds_of(w) == NULL || mind == NULL) {
        return SWARM_INPUT;
    }
    swarm_minds_of(w)->mind = mind;
    w->members.behaviours = &k_behaviours;
    if (swarm_rx_minds_prepare(w) != SWARM_OK) {
        return SWARM_INPUT;
    }
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        const size_t own = state_bytes(w, e) * e->count;
        swarm_minds_of(w)->own_bytes[k] = state_bytes(w, e);
        swarm_minds_of(w)->own[k] = own > 0 ? swarm_memory(w, e->line, own) : NULL;
        if (own > 0 && swarm_minds_of(w)->own[k] == NULL) {
            return SWARM_INPUT;
        }
        for (uint32_t i = e->first; i < e->first + e->count; i++) {
            swarm_minds_of(w)->mind[i] =
                (struct mind){.mind = mf_mind_begin(&e->behaviour,
                                                    mf_scenario_chance(s, i, MF_PURPOSE_BEHAVIOUR)),
                              .flock_number = is_flock(e) ? flock_number++ : UINT32_MAX};
            if (own > 0) {
                swarm_rx_minds_init(w, i, swarm_mind_state(w, i));
            }
        }
    }
    return flock_members > 0 ? prepare_flock(w, flock_members) : SWARM_OK;
}

const struct swarm_system swarm_minds_system = {
    .name = "behaviours",
    .on = {[SWARM_FIND] = swarm_mind_plugin_prepare,
           [SWARM_PREPARE] = prepare_minds,
           [SWARM_BEGIN] = start_flock_timer},
    .is_idle = are_minds_idle,
};
