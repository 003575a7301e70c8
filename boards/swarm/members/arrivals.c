/* SPDX-License-Identifier: Apache-2.0 */
/* Lets members arrive at their times, and retires them when they have landed. vehicles.c and
 * agents.c call it for that; files of many rooms ask whether a member is present.
 * program/systems.c lists its system. */
#include "boards/swarm/members/arrivals.h"

#include "boards/swarm/members/members.h"
#include "boards/swarm/members/plans.h"
#include "boards/swarm/members/routes.h"
#include "firmware/state/state.h"
#include "mavlink/enums.h"

#define EVENT(name) (1u << MF_SCENARIO_EVENT_##name)

/* Arrivals of one entity. */
struct flow {
    const struct mf_shared_plan *plan[MF_ARRIVALS_PLANS_MAX];
    uint32_t next; /* index within the entity of the member that arrives next */
    struct mf_timer timer;
};

/* State of arrivals; it and its arrays are in the arena. */
struct swarm_arrivals {
    struct flow flow[MF_SCENARIO_ENTITIES_MAX];
    mf_us_t *at_us;                 /* [members], time of arrival */
    mf_us_t *retired_us;            /* [members], time of retirement; MF_NEVER: not retired */
    struct swarm_route *route;      /* [members], used for agents */
    struct swarm_route_plan *flies; /* [members], used for agents */
};

static struct swarm_arrivals *arrivals_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_ARRIVALS];
}

static const struct mf_scenario_entity *arriving_entity_of(const struct swarm *w, uint32_t i)
{
    const struct mf_scenario_entity *e =
        arrivals_of(w) != NULL ? mf_scenario_entity_of(w->scenario, i) : NULL;
    return e != NULL && mf_scenario_arrives(e) ? e : NULL;
}

/* ---- before the run */

static bool has_arrivals(const struct mf_scenario *s)
{
    bool has = false;
    for (uint32_t k = 0; k < s->entities; k++) {
        has = has || mf_scenario_arrives(&s->entity[k]);
    }
    return has;
}

/* True if a plan ends on the ground: a member that retires must have landed. */
static bool ends_on_ground(const struct mf_shared_plan *plan)
{
    const uint16_t n = plan->mission.count;
    const uint16_t last = n > 0 ? plan->mission.item[n - 1u].command : 0;
    return last == MAV_CMD_NAV_LAND || last == MAV_CMD_NAV_RETURN_TO_LAUNCH;
}

static int read_flow_plans(struct swarm *w, const struct mf_scenario_entity *e, struct flow *flow)
{
    for (uint32_t k = 0; k < e->arrivals.plans; k++) {
        const char *file = e->arrivals.plan[k];
        flow->plan[k] = swarm_plan_read(w, file, e->arrivals.line);
        if (flow->plan[k] == NULL) {
            return SWARM_INPUT;
        }
        if (!ends_on_ground(flow->plan[k])) {
            return swarm_refuse(w, e->arrivals.line,
                                "arrivals: %s ends in the air: its last item must land or return",
                                file);
        }
        const uint16_t refuses = swarm_route_refuses(flow->plan[k]);
        if (e->as == MF_SCENARIO_KIND_AGENT && refuses < flow->plan[k]->mission.count) {
            return swarm_refuse(
                w, e->arrivals.line,
                "arrivals: %s: item %u has command %u; agents take off first, and fly "
                "waypoints, loiter times, delays, landings and returns",
                file, (unsigned)refuses, (unsigned)flow->plan[k]->mission.item[refuses].command);
        }
    }
    return SWARM_OK;
}

static void set_arrival_times(struct swarm *w, const struct mf_scenario_entity *e)
{
    mf_us_t at_us = (mf_us_t)(e->start_s * 1e6);
    for (uint32_t i = e->first; i < e->first + e->count; i++) {
        at_us += mf_arrival_gap_us(w->scenario, i);
        arrivals_of(w)->at_us[i] = at_us;
        arrivals_of(w)->retired_us[i] = MF_NEVER;
    }
}

int swarm_arrivals_prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    if (!has_arrivals(s)) {
        return SWARM_OK;
    }
    struct swarm_arrivals *a = swarm_memory(w, 1, sizeof *a);
    mf_us_t *at_us = swarm_memory(w, 1, s->members * sizeof *at_us);
    mf_us_t *retired_us = swarm_memory(w, 1, s->members * sizeof *retired_us);
    struct swarm_route *route = swarm_memory(w, 1, s->members * sizeof *route);
    struct swarm_route_plan *flies = swarm_memory(w, 1, s->members * sizeof *flies);
    if (a == NULL || at_us == NULL || retired_us == NULL || route == NULL || flies == NULL) {
        return SWARM_INPUT;
    }
    a->route = route;
    a->flies = flies;
    a->at_us = at_us;
    a->retired_us = retired_us;
    w->state[SWARM_SLOT_ARRIVALS] = a;
    int result = SWARM_OK;
    for (uint32_t k = 0; k < s->entities && result == SWARM_OK; k++) {
        if (mf_scenario_arrives(&s->entity[k])) {
            set_arrival_times(w, &s->entity[k]);
            result = read_flow_plans(w, &s->entity[k], &a->flow[k]);
        }
    }
    return result;
}

const struct mf_shared_plan *swarm_arrivals_plan(const struct swarm *w, uint32_t i,
                                                 struct mf_placed *place)
{
    const struct mf_scenario_entity *e = arriving_entity_of(w, i);
    if (e == NULL) {
        return NULL;
    }
    const struct mf_shared_plan *plan =
        arrivals_of(w)->flow[e - w->scenario->entity].plan[mf_arrival_plan(w->scenario, i)];
    if (e->arrivals.corners == 0) {
        *place = (struct mf_placed){{plan->lat_deg, plan->lon_deg}, plan->alt_amsl_m};
    }
    return plan;
}

bool swarm_sends_remote_id(const struct swarm *w, uint32_t i)
{
    const struct mf_scenario_entity *e = arriving_entity_of(w, i);
    return e != NULL && e->arrivals.remote_id;
}

/* ---- arrival */

static void set_next_timer(struct swarm *w, const struct mf_scenario_entity *e)
{
    const uint32_t k = (uint32_t)(e - w->scenario->entity);
    struct flow *flow = &arrivals_of(w)->flow[k];
    const uint32_t next = flow->next;
    if (next < e->count) {
        const int result =
            mf_timer_set(&w->engine, &flow->timer, arrivals_of(w)->at_us[e->first + next], 0);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS has one for each entity */
    }
}

static void tell_arrived(struct swarm *w, uint32_t i, mf_us_t at_us)
{
    struct mf_crowd_state now = swarm_state(w, i);
    now.at_us = at_us;
    swarm_systems_changed(w, &(struct swarm_change){0, i, EVENT(ARRIVED), &now, &now});
}

/* Let all members of an entity arrive whose time is @p at_us. */
static void admit_members(void *ctx, uint32_t entity, mf_us_t at_us)
{
    struct swarm *w = ctx;
    const struct mf_scenario_entity *e = &w->scenario->entity[entity];
    struct flow *flow = &arrivals_of(w)->flow[entity];
    const uint32_t from = e->first + flow->next;
    uint32_t to = from;
    while (to < e->first + e->count && arrivals_of(w)->at_us[to] == at_us) {
        tell_arrived(w, to++, at_us);
    }
    flow->next = to - e->first;
    if (e->as == MF_SCENARIO_KIND_VEHICLE) { /* an agent starts its plan in its own turn */
        swarm_start_members(w, from, to, at_us);
    }
    set_next_timer(w, e);
}

static int start_flow_timers(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t k = 0; arrivals_of(w) != NULL && k < s->entities; k++) {
        if (mf_scenario_arrives(&s->entity[k])) {
            mf_timer_init(&arrivals_of(w)->flow[k].timer, MF_PHASE_CONTROL, k, admit_members, w);
            set_next_timer(w, &s->entity[k]);
        }
    }
    return SWARM_OK;
}

/* ---- plans of agents */

mf_us_t swarm_arrivals_place(struct swarm *w, uint32_t i, struct mf_placed *place)
{
    const struct mf_shared_plan *plan = swarm_arrivals_plan(w, i, place);
    if (plan == NULL) {
        return MF_NEVER;
    }
    arrivals_of(w)->flies[i] =
        (struct swarm_route_plan){plan,
                                  mf_plan_shift(plan, place->at.lat_deg, place->at.lon_deg,
                                                place->alt_amsl_m - plan->alt_amsl_m),
                                  place->alt_amsl_m};
    return arrivals_of(w)->at_us[i];
}

mf_us_t swarm_arrivals_act(struct swarm *w, uint32_t i, mf_us_t at_us,
                           const struct mf_order_port *port, bool (*moves)(void *ctx), void *ctx)
{
    const struct swarm_arrivals *a = arrivals_of(w);
    if (arriving_entity_of(w, i) == NULL) {
        return MF_NEVER;
    }
    return at_us < a->at_us[i]
               ? a->at_us[i]
               : swarm_route_act(&a->route[i], &a->flies[i], at_us, port, moves, ctx);
}

int32_t swarm_arrivals_reached(const struct swarm *w, uint32_t i, bool *finished)
{
    *finished = arriving_entity_of(w, i) != NULL && arrivals_of(w)->route[i].finished;
    return arriving_entity_of(w, i) != NULL ? (int32_t)arrivals_of(w)->route[i].item - 1 : -1;
}

/* ---- presence and retirement */

bool swarm_has_retired(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return arriving_entity_of(w, i) != NULL && at_us >= arrivals_of(w)->retired_us[i];
}

bool swarm_is_absent(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    if (swarm_is_vehicle(w, i) && swarm_is_lost(w, i, at_us)) {
        return true; /* a lost leaf never returns; a lost ghost may */
    }
    return arriving_entity_of(w, i) != NULL &&
           (at_us < arrivals_of(w)->at_us[i] || at_us >= arrivals_of(w)->retired_us[i]);
}

bool swarm_is_away(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return swarm_is_lost(w, i, at_us) || swarm_is_absent(w, i, at_us);
}

mf_us_t swarm_arrived_us(const struct swarm *w, uint32_t i)
{
    return arriving_entity_of(w, i) != NULL ? arrivals_of(w)->at_us[i] : 0;
}

/* True if a member has just landed and disarmed. */
static bool has_come_down(const struct mf_crowd_state *before, const struct mf_crowd_state *now)
{
    return now->landed == MF_LANDED_ON_GROUND && !now->armed &&
           (before->armed || before->landed != MF_LANDED_ON_GROUND);
}

static void watch_member(struct swarm *w, uint32_t i, const struct mf_crowd_state *before,
                         const struct mf_crowd_state *now, uint32_t *events)
{
    if (arriving_entity_of(w, i) == NULL) {
        return;
    }
    if (swarm_is_absent(w, i, now->at_us)) {
        *events = 0;
    } else if (has_come_down(before, now)) {
        arrivals_of(w)->retired_us[i] = now->at_us;
        *events |= EVENT(RETIRED);
    }
}

void swarm_member_changed(struct swarm *w, uint32_t shard, uint32_t i,
                          const struct mf_crowd_state *before, const struct mf_crowd_state *now)
{
    uint32_t events = swarm_events(before, now);
    watch_member(w, i, before, now, &events);
    swarm_systems_changed(w, &(struct swarm_change){shard, i, events, before, now});
}

static void print_arrivals(const struct swarm *w)
{
    const struct swarm_arrivals *a = arrivals_of(w);
    const struct mf_scenario *s = w->scenario;
    uint32_t arrived = 0, retired = 0;
    if (a == NULL) {
        return;
    }
    for (uint32_t i = 0; i < s->members; i++) {
        const bool arrives = arriving_entity_of(w, i) != NULL;
        arrived += arrives && a->at_us[i] <= w->now_us ? 1u : 0u;
        retired += arrives && a->retired_us[i] <= w->now_us ? 1u : 0u;
    }
    (void)printf("arrivals  %u arrived, %u retired, %u present\n", arrived, retired,
                 arrived - retired);
}

const struct swarm_system swarm_arrivals_system = {
    .name = "arrivals",
    .on = {[SWARM_BEGIN] = start_flow_timers},
    .print_summary = print_arrivals,
};
