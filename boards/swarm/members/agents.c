/* SPDX-License-Identifier: Apache-2.0 */
/* Moves agents on several threads, and lets their behaviours and arrivals give them orders.
 * members.c calls its carrier, program/systems.c lists its system. */
#include "boards/swarm/members/agents.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/bodies.h"
#include "boards/swarm/members/carrier.h"
#include "firmware/flight/mode.h"
#include "fleet/agent.h"
#include "fleet/place.h"
#include "math/chance.h"

#include <string.h>

/* Agents of one shard. Members are divided into shards as in the crowd; one thread runs a shard. */
struct shard {
    mf_us_t next_us;
    uint64_t steps;
};

struct swarm_agents {
    struct mf_agent_plane plane;
    struct mf_agent *agent; /* [members]; only those that are agents are used */
    mf_us_t *due_us;        /* [members], time of the next turn or of the end of a leg; MF_NEVER */
    struct shard shard[MF_CROWD_SHARDS];
};

static struct swarm_agents *agents_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_AGENTS];
}

static bool is_agent(const struct mf_scenario_entity *e)
{
    return e->as == MF_SCENARIO_KIND_AGENT;
}

/* Task for the agents of all shards. */
struct job {
    struct swarm *w;
    mf_us_t at_us;
    const struct mf_scenario_entity *of; /* agents of this entity; NULL: all agents */
    void (*visit)(struct swarm *w, uint32_t i, const struct mf_order_port *port);
    void (*run)(const struct job *job, uint32_t shard, uint32_t i);
};

static void run_agent_shard(void *ctx, uint32_t number)
{
    const struct job *job = ctx;
    const struct mf_scenario *s = job->w->scenario;
    struct shard *shard = &agents_of(job->w)->shard[number];
    const uint32_t from = (uint32_t)((uint64_t)s->members * number / MF_CROWD_SHARDS);
    const uint32_t to = (uint32_t)((uint64_t)s->members * (number + 1u) / MF_CROWD_SHARDS);
    shard->next_us = job->of == NULL ? MF_NEVER : shard->next_us;
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        if (!is_agent(e) || (job->of != NULL && job->of != e)) {
            continue;
        }
        const uint32_t last = e->first + e->count < to ? e->first + e->count : to;
        for (uint32_t i = e->first > from ? e->first : from; i < last; i++) {
            job->run(job, number, i);
            shard->next_us = mf_earlier(shard->next_us, agents_of(job->w)->due_us[i]);
        }
    }
}

static void run_all_shards(const struct job *job)
{
    struct job copy = *job;
    mf_workers_run(&job->w->workers, MF_CROWD_SHARDS, run_agent_shard, &copy);
}

/* ---- one agent */

static struct mf_crowd_state state_of_status(const struct mf_agent_status *status, mf_us_t at_us)
{
    const int mode = mf_mode_from_custom((uint8_t)(status->custom_mode >> 16),
                                         (uint8_t)(status->custom_mode >> 24));
    MF_ASSERT(mode >= 0);
    return (struct mf_crowd_state){.at_us = at_us,
                                   .mode = (uint8_t)mode,
                                   .landed = status->landed,
                                   .armed = status->armed,
                                   .reached = -1};
}

/* Add to the state how far an agent has flown its plan, if it has one. */
static void show_plan(const struct swarm *w, uint32_t i, struct mf_crowd_state *state)
{
    if (swarm_has(w, SWARM_SLOT_ARRIVALS)) {
        state->reached = swarm_arrivals_reached(w, i, &state->finished);
    }
}

/* Report a change of an agent's state.
 * @param reached  last item of its plan before the turn; -1: none */
static void tell_change(struct swarm *w, uint32_t shard, uint32_t i,
                        const struct mf_agent_status *was, int32_t reached, mf_us_t at_us)
{
    const struct mf_agent_status is = mf_agent_status(&agents_of(w)->agent[i]);
    const bool same =
        is.armed == was->armed && is.landed == was->landed && is.custom_mode == was->custom_mode;
    if (same && !swarm_has(w, SWARM_SLOT_ARRIVALS)) {
        return;
    }
    struct mf_crowd_state before = state_of_status(was, at_us), now = state_of_status(&is, at_us);
    show_plan(w, i, &now);
    before.reached = reached;
    before.finished = now.finished && now.reached == reached;
    if (same && now.reached == reached) {
        return;
    }
    swarm_member_changed(w, shard, i, &before, &now);
}

static bool is_agent_moving(void *ctx)
{
    const struct mf_agent_port *port = ctx;
    return mf_agent_next(port->agent, port->now_us) != MF_NEVER;
}

/* End a leg, then run the visit or the behaviour of an agent. */
static void run_agent_turn(const struct job *job, uint32_t shard, uint32_t i, mf_us_t at_us)
{
    struct swarm *w = job->w;
    struct swarm_agents *a = agents_of(w);
    struct mf_agent_port agent = {&a->agent[i], &a->plane, at_us};
    const struct mf_order_port port = {&mf_agent_port_ops, &agent};
    const struct mf_agent_status was = mf_agent_status(agent.agent);
    mf_us_t due_us = MF_NEVER;
    int32_t reached = -1;
    mf_agent_settle(agent.agent, at_us);
    if (job->visit != NULL) {
        job->visit(w, i, &port);
    } else if (w->members.behaviours != NULL) {
        w->members.behaviours->act(w, i, at_us, &port);
    }
    if (swarm_has(w, SWARM_SLOT_ARRIVALS)) {
        bool finished;
        reached = swarm_arrivals_reached(w, i, &finished);
        due_us = swarm_arrivals_act(w, i, at_us, &port, is_agent_moving, &agent);
    }
    a->shard[shard].steps++;
    due_us = mf_earlier(due_us, swarm_behaviour_next_us(w, i));
    a->due_us[i] = mf_earlier(due_us, mf_agent_next(agent.agent, at_us));
    tell_change(w, shard, i, &was, reached, at_us);
}

static void run_agent(const struct job *job, uint32_t shard, uint32_t i)
{
    while (agents_of(job->w)->due_us[i] <= job->at_us) {
        run_agent_turn(job, shard, i, agents_of(job->w)->due_us[i]);
    }
}

static void visit_agent(const struct job *job, uint32_t shard, uint32_t i)
{
    run_agent_turn(job, shard, i, job->at_us);
}

/* ---- all agents */

static mf_us_t next_agent_turn_us(const struct swarm *w)
{
    mf_us_t next_us = MF_NEVER;
    for (uint32_t k = 0; agents_of(w) != NULL && k < MF_CROWD_SHARDS; k++) {
        next_us = mf_earlier(next_us, agents_of(w)->shard[k].next_us);
    }
    return next_us;
}

static void run_agents(struct swarm *w, mf_us_t until_us)
{
    if (agents_of(w) != NULL && next_agent_turn_us(w) <= until_us) {
        run_all_shards(&(struct job){.w = w, .at_us = until_us, .run = run_agent});
    }
}

static void visit_agents(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                         swarm_visit_fn *run)
{
    run_all_shards(
        &(struct job){.w = w, .at_us = at_us, .of = e, .visit = run, .run = visit_agent});
}

static uint64_t count_turns(const struct swarm *w)
{
    uint64_t steps = 0;
    for (uint32_t k = 0; agents_of(w) != NULL && k < MF_CROWD_SHARDS; k++) {
        steps += agents_of(w)->shard[k].steps;
    }
    return steps;
}

/* ---- state for other parts */

static uint64_t mix_bytes(uint64_t digest, const void *bytes, size_t n)
{
    uint64_t word;
    for (const uint8_t *at = bytes; n >= sizeof word; at += sizeof word, n -= sizeof word) {
        memcpy(&word, at, sizeof word);
        digest = mf_chance_u64(digest ^ word, 1);
    }
    return digest;
}

static uint64_t mix_agent_digest(const struct swarm *w, uint64_t digest)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        for (uint32_t i = e->first; is_agent(e) && i < e->first + e->count; i++) {
            const struct mf_agent *a = &agents_of(w)->agent[i];
            digest = mix_bytes(digest, &a->from_us, sizeof a->from_us);
            digest = mix_bytes(digest, a->from_m, sizeof a->from_m);
            digest = mix_bytes(digest, a->vel_mps, sizeof a->vel_mps);
            if (a->body != NULL) {
                digest = mix_bytes(digest, &a->body->at_us, sizeof a->body->at_us);
                digest = mix_bytes(digest, &a->body->of, sizeof a->body->of.bee);
            }
        }
    }
    return digest;
}

static struct mf_crowd_state agent_state(const struct swarm *w, uint32_t i)
{
    const struct mf_agent_status status = mf_agent_status(&agents_of(w)->agent[i]);
    struct mf_crowd_state state = state_of_status(&status, w->now_us);
    show_plan(w, i, &state);
    return state;
}

static struct mf_pose agent_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return mf_agent_pose(&agents_of(w)->agent[i], &agents_of(w)->plane, at_us);
}

static struct mf_pose agent_motion(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    const struct mf_pose pose = mf_agent_motion(&agents_of(w)->agent[i], at_us, neu_m);
    neu_m[2] = -neu_m[2];
    return pose;
}

static void agent_place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    mf_agent_place(&agents_of(w)->agent[i], at_us, neu_m);
    neu_m[2] = -neu_m[2];
}

static const struct swarm_carrier k_agents = {.state = agent_state,
                                              .pose = agent_pose,
                                              .motion = agent_motion,
                                              .place = agent_place,
                                              .visit = visit_agents,
                                              .run = run_agents,
                                              .next_us = next_agent_turn_us,
                                              .count_steps = count_turns,
                                              .digest = mix_agent_digest};

/* ---- before the run */

static void carry_by_body(struct swarm *w, uint32_t i)
{
    const struct mf_stepped_settings *made;
    struct mf_stepped *body = swarm_body(w, i, &made);
    if (body != NULL) {
        mf_agent_carry(&agents_of(w)->agent[i], body, made,
                       mf_scenario_begins_in_air(&mf_scenario_entity_of(w->scenario, i)->body));
    }
}

static int prepare_agents(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    if (swarm_find_kind(s, MF_SCENARIO_KIND_AGENT) == NULL) {
        return SWARM_OK;
    }
    struct swarm_agents *a = swarm_memory(w, 1, sizeof *a);
    struct mf_agent *agent = swarm_memory(w, 1, s->members * sizeof *agent);
    mf_us_t *due_us = swarm_memory(w, 1, s->members * sizeof *due_us);
    if (a == NULL || agent == NULL || due_us == NULL) {
        return SWARM_INPUT;
    }
    w->state[SWARM_SLOT_AGENTS] = a;
    w->members.carrier[MF_SCENARIO_KIND_AGENT] = &k_agents;
    *a = (struct swarm_agents){
        .plane = {{s->origin[0], s->origin[1]}, s->origin[2]}, .agent = agent, .due_us = due_us};
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        for (uint32_t i = e->first; is_agent(e) && i < e->first + e->count; i++) {
            struct mf_placed placed = mf_place(s, i);
            const mf_us_t arrives_us = swarm_arrivals_place(w, i, &placed);
            mf_agent_init(&a->agent[i], &a->plane, placed.at, placed.alt_amsl_m);
            carry_by_body(w, i);
            a->due_us[i] = mf_earlier(mf_earlier(swarm_behaviour_next_us(w, i), arrives_us),
                                      mf_agent_next(&a->agent[i], 0));
        }
    }
    return SWARM_OK;
}

const struct swarm_system swarm_agents_system = {
    .name = "agents",
    .on = {[SWARM_PREPARE] = prepare_agents},
};
