/* SPDX-License-Identifier: Apache-2.0 */
/* Sets up and boots the vehicles of this process, starts their missions, and is their carrier.
 * program/read.c prepares them; cells/, search/ and hosts/ boot them; members.c calls the carrier;
 * program/systems.c lists the system. */
#include "boards/swarm/members/vehicles.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/bodies.h"
#include "boards/swarm/members/charge.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/orders.h"
#include "boards/swarm/members/plans.h"
#include "boards/swarm/members/port_vehicle.h"
#include "drone/plan_check.h"
#include "firmware/core/param.h"
#include "firmware/protocol/param_change.h"
#include "firmware/report/snapshot.h"
#include "fleet/place.h"
#include "host/base/guard.h"
#include "host/spec/faultspec.h"
#include "math/trig.h"
#include "mavlink/enums.h"
#include "world/egm96.h"

#include <stdlib.h>
#include <string.h>

#define SYSTEMS       250u   /* system ids of vehicles; the others of 255 are for ground stations */
#define START_GRID_US 100000 /* vehicles begin to move at multiples, as by --start-grid */
#define UPLOAD_ITEMS  500u   /* items of each kind that a client may upload to a vehicle */

/* Vehicles of a run, in the arena. */
struct swarm_vehicles {
    struct mf_memory room; /* of the crowd */
    struct mf_crowd *crowd;
    struct mf_timer start[MF_SCENARIO_ENTITIES_MAX];
    uint32_t refused; /* missions that did not begin */
};

static struct swarm_vehicles *vehicles_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_VEHICLES];
}

/* ---- settings of an entity */

static const struct {
    const char *key;
    size_t offset;
    bool whole;
    double low, high;
} k_setting[] = {
#define WHOLE_INT  true
#define WHOLE_REAL false
#define X(type, field, key, value, low, high) \
    {key, offsetof(struct mf_world_settings, field), WHOLE_##type, low, high},
    MF_WORLD_SETTING_LIST(X)
#undef X
};

static int set_setting(struct swarm *w, struct mf_world_settings *world,
                       const struct mf_scenario_value *v)
{
    for (size_t i = 0; i < sizeof k_setting / sizeof k_setting[0]; i++) {
        if (strcmp(k_setting[i].key, v->name) != 0) {
            continue;
        }
        if (strncmp(v->name, "home.l", 6) == 0 || strcmp(v->name, "home.alt") == 0 ||
            strcmp(v->name, "seed") == 0) {
            return swarm_refuse(w, v->line,
                                "settings: %s follows from place and seed: leave it out", v->name);
        }
        if (!(v->value >= k_setting[i].low && v->value <= k_setting[i].high)) {
            return swarm_refuse(w, v->line, "settings: %s must be from %g to %g", v->name,
                                k_setting[i].low, k_setting[i].high);
        }
        uint8_t *field = (uint8_t *)world + k_setting[i].offset;
        const int32_t whole = (int32_t)v->value;
        if (k_setting[i].whole) {
            memcpy(field, &whole, sizeof whole);
        } else {
            memcpy(field, &v->value, sizeof v->value);
        }
        return SWARM_OK;
    }
    return swarm_refuse(w, v->line, "settings: '%s' is not known (docs/options.md)", v->name);
}

static int set_entity_faults(struct swarm *w, struct mf_world_settings *world,
                             const struct mf_scenario_entity *e)
{
    char reason[MF_FAULT_REASON_MAX];
    for (uint32_t i = 0; i < e->faults; i++) {
        const char *spec = e->fault[i].spec;
        if (world->fault_count == MF_FAULT_PLANS_MAX ||
            mf_fault_spec_parse(spec, strlen(spec), &world->fault[world->fault_count], reason) !=
                MF_E_OK) {
            return swarm_refuse(w, e->fault[i].line, "faults: %s", reason);
        }
        world->fault_count++;
    }
    return SWARM_OK;
}

static double param_value(const struct mf_params *p, enum mf_param param)
{
    return mf_param_info(param)->is_float ? (double)mf_param_f(p, param)
                                          : (double)mf_param_i(p, param);
}

/* Find the least value of a pair of limits, such as MPC_THR_MIN and MPC_THR_MAX.
 * @param name  one of the two  @return true: it is above the greatest one */
static bool are_limits_crossed(const struct mf_params *p, const char *name, char low[32],
                               char high[32])
{
    const size_t n = strlen(name) < 4u ? 0 : strlen(name) - 4u;
    if (strcmp(name + n, "_MIN") != 0 && strcmp(name + n, "_MAX") != 0) {
        return false;
    }
    (void)snprintf(low, 32, "%.*s_MIN", (int)n, name);
    (void)snprintf(high, 32, "%.*s_MAX", (int)n, name);
    const int least = mf_param_find(low), most = mf_param_find(high);
    return least >= 0 && most >= 0 &&
           param_value(p, (enum mf_param)least) > param_value(p, (enum mf_param)most);
}

/* Check an entity's parameters on a vehicle's defaults: all its vehicles would give the same
 * answer. */
static int check_entity_params(struct swarm *w, const struct mf_scenario_entity *e)
{
    const struct mf_options options = {0};
    struct mf_params params;
    mf_param_reset(&params, &options);
    for (uint32_t i = 0; i < e->params; i++) {
        const struct mf_scenario_value *v = &e->param[i];
        const int result = mf_param_launch(&params, v->name, v->value);
        if (result == MF_E_NOENT) {
            return swarm_refuse(w, v->line, "params: '%s' is not known (docs/parameters.md)",
                                v->name);
        }
        if (result < 0) {
            return swarm_refuse(w, v->line, "params: %g is not a value of %s (docs/parameters.md)",
                                v->value, v->name);
        }
    }
    for (uint32_t i = 0; i < e->params; i++) {
        char low[32], high[32];
        if (are_limits_crossed(&params, e->param[i].name, low, high)) {
            return swarm_refuse(w, e->param[i].line, "params: %s is above %s", low, high);
        }
    }
    return SWARM_OK;
}

static int prepare_kind(struct swarm *w, uint32_t number)
{
    const struct mf_scenario_entity *e = &w->scenario->entity[number];
    struct swarm_kind *kind = &w->members.kind[number];
    kind->world = mf_world_settings_default();
    kind->world.seed = (int32_t)w->scenario->seed;
    kind->world.epoch_utc_us = w->scenario->time.epoch_us;
    kind->world.motion = e->body.kind == MF_SCENARIO_BODY_PHYSICS ? MF_WORLD_MOTION_PHYSICS
                                                                  : MF_WORLD_MOTION_CONSTANT;
    kind->world.wind_from_deg = w->scenario->weather.is.air.wind[1];
    if (!mf_scenario_is_stepped(&e->body)) { /* a stepped body has the wind as a force */
        kind->world.wind_mps = w->scenario->weather.is.air.wind[0];
    }
    int result = set_entity_faults(w, &kind->world, e);
    for (uint32_t i = 0; i < e->settings && result == SWARM_OK; i++) {
        result = set_setting(w, &kind->world, &e->setting[i]);
    }
    if (result == SWARM_OK) {
        result = check_entity_params(w, e);
    }
    if (result == SWARM_OK && e->plan[0] != '\0') {
        kind->plan = swarm_plan(w, e);
        result = kind->plan != NULL ? SWARM_OK : SWARM_INPUT;
    }
    return result;
}

int swarm_prepare(struct swarm *w)
{
    struct mf_pack pack;
    const bool packed = mf_pack_open(&pack, mf_egm96_pack, mf_egm96_pack_size) == MF_E_OK &&
                        mf_geoid_add(&w->members.geoid, &pack, MF_PACK_AS_MADE) == MF_E_OK;
    MF_ASSERT(packed);
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        w->members.carrier[k] = &swarm_things; /* until a system sets the kind's own carrier */
    }
    w->members.kind = calloc(w->scenario->entities, sizeof *w->members.kind);
    int result = w->members.kind != NULL ? SWARM_OK : swarm_refuse(w, 1, "no memory");
    for (uint32_t i = 0; i < w->scenario->entities && result == SWARM_OK; i++) {
        result = prepare_kind(w, i);
    }
    return result == SWARM_OK ? swarm_arrivals_prepare(w) : result;
}

/* ---- vehicles */

static struct swarm_kind *kind_of_entity(const struct swarm *w, const struct mf_scenario_entity *e)
{
    return &w->members.kind[e - w->scenario->entity];
}

/* Set the wind of a vehicle to that at its home, unless its settings name another wind or its body
 * is stepped: a vehicle has one wind during a run. */
static void set_wind_at_home(const struct swarm *w, const struct mf_scenario_entity *e,
                             const struct mf_placed *home, struct mf_world_settings *world)
{
    const struct mf_scenario *s = w->scenario;
    double neu_m[3], ne_mps[2];
    const struct mf_weather *weather = &s->weather.is;
    if ((weather->regions == 0 && weather->own == NULL) || mf_scenario_is_stepped(&e->body) ||
        world->wind_mps != weather->air.wind[0] || world->wind_from_deg != weather->air.wind[1]) {
        return;
    }
    mf_geo_to_local((struct mf_geo){s->origin[0], s->origin[1]}, home->at, neu_m);
    neu_m[2] = home->alt_amsl_m - s->origin[2];
    mf_weather_wind(weather, neu_m, 0.0, ne_mps);
    world->wind_mps = mf_length2(ne_mps[0], ne_mps[1]);
    world->wind_from_deg = mf_deg(mf_atan2(-ne_mps[1], -ne_mps[0]));
}

static int describe_vehicle(void *ctx, uint32_t i, struct mf_drone_setup *setup,
                            struct mf_world_settings *world, struct mf_store_shared *store)
{
    struct swarm *w = ctx;
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    if (e->as != MF_SCENARIO_KIND_VEHICLE || (w->members.here != NULL && w->members.here[i] == 0)) {
        return MF_E_NOENT;
    }
    const struct swarm_kind *kind = kind_of_entity(w, e);
    const bool cells = swarm_has_cells(w);
    struct mf_placed placed =
        w->members.place != NULL ? w->members.place(w, i) : mf_place(w->scenario, i);
    const struct mf_shared_plan *arrives = swarm_arrivals_plan(w, i, &placed);
    const struct mf_shared_plan *plan = arrives != NULL ? arrives : kind->plan;
    struct mf_world_settings shared = *world;
    *world = kind->world;
    world->memory = shared.memory;
    world->geoid = shared.geoid;
    world->terrain = shared.terrain;
    world->body = swarm_body_of_vehicle(w, i);
    world->instance = mf_scenario_identity(w->scenario, i);
    world->home_lat_deg = placed.at.lat_deg;
    world->home_lon_deg = placed.at.lon_deg;
    world->home_alt_amsl_m = placed.alt_amsl_m;
    set_wind_at_home(w, e, &placed, world);
    setup->vehicle.sysid = (uint8_t)(1u + i % SYSTEMS);
    setup->vehicle.compid = MAV_COMP_ID_AUTOPILOT1;
    setup->vehicle.uid = (uint64_t)i + 1u;
    setup->vehicle.utc_us = world->epoch_utc_us;
    setup->vehicle.options = (struct mf_options){
        .px4_motion = world->motion == MF_WORLD_MOTION_PHYSICS, .start_grid_us = START_GRID_US};
    struct mf_plan_shift shift = {0};
    if (plan != NULL) {
        shift = mf_plan_shift(plan, world->home_lat_deg, world->home_lon_deg,
                              world->home_alt_amsl_m - plan->alt_amsl_m);
    }
    const bool linked = swarm_has(w, SWARM_SLOT_LINKS);
    mf_store_shared_init(store, plan, &shift, linked || cells ? world->memory : NULL,
                         linked || cells ? UPLOAD_ITEMS : 0);
    return swarm_systems_describe(w, i, setup, world);
}

static int begin_vehicle(void *ctx, uint32_t i, struct mf_drone *drone)
{
    struct swarm *w = ctx;
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    for (uint32_t k = 0; k < e->params; k++) {
        const int result =
            mf_param_override(mf_drone_vehicle(drone), e->param[k].name, e->param[k].value);
        MF_ASSERT(result == MF_E_OK); /* check_entity_params() has checked them */
    }
    const mf_us_t turn_us = swarm_behaviour_next_us(w, i);
    if (turn_us != MF_NEVER) {
        mf_crowd_turn(w->members.crowd, i, turn_us);
    }
    return swarm_systems_booted(w, i, drone);
}

/* Let the behaviour of a vehicle act. */
static mf_us_t act_by_behaviour(void *ctx, uint32_t i, mf_us_t at_us, struct mf_drone *drone,
                                struct mf_inside *inside)
{
    struct swarm *w = ctx;
    struct swarm_port_vehicle vehicle = {drone, inside};
    w->members.behaviours->act(w, i, at_us,
                               &(struct mf_order_port){&swarm_port_vehicle_ops, &vehicle});
    return swarm_behaviour_next_us(w, i);
}

static void report_change(void *ctx, uint32_t shard, uint32_t i,
                          const struct mf_crowd_state *before, const struct mf_crowd_state *now)
{
    struct swarm *w = ctx;
    swarm_member_changed(w, shard, i, before, now);
}

static bool run_guarded(void *ctx, uint32_t shard, uint32_t i, const mf_us_t *now_us,
                        void (*run)(void *part), void *part)
{
    struct swarm *w = ctx;
    struct mf_guard guard = {.instance = (int32_t)i + 1, .now_us = now_us};
    if (mf_guard_run(&guard, run, part)) {
        return true;
    }
    char text[MF_GUARD_TEXT_MAX];
    (void)fprintf(stderr, "mayfly-swarm: %s is frozen: %s\n", swarm_name(w, i).text,
                  mf_guard_text(&guard, text, sizeof text));
    const struct mf_crowd_state now = {.at_us = *now_us, .frozen = true};
    const uint32_t events = 1u << MF_SCENARIO_EVENT_FROZEN;
    swarm_systems_changed(w, &(struct swarm_change){shard, i, events, &now, &now});
    return false;
}

static void wake_links(void *ctx, uint32_t i, struct mf_wake *wake)
{
    struct swarm *w = ctx;
    w->members.woken(w, i, wake);
}

/* Indexed by [members have behaviours][programs outside may connect to vehicles]. */
static const struct mf_crowd_ops k_ops[2][2] = {
    {{describe_vehicle, begin_vehicle, NULL, report_change, NULL, run_guarded},
     {describe_vehicle, begin_vehicle, NULL, report_change, wake_links, run_guarded}},
    {{describe_vehicle, begin_vehicle, act_by_behaviour, report_change, NULL, run_guarded},
     {describe_vehicle, begin_vehicle, act_by_behaviour, report_change, wake_links, run_guarded}},
};

/* Most bytes that a vehicle needs for optional parts: those that an entity's settings use, or that
 * clients may switch on. */
static size_t parts_each(const struct swarm *w)
{
    size_t most = 0;
    const struct mf_weather *weather = &w->scenario->weather.is;
    const bool blows = weather->air.wind[0] > 0.0 || weather->regions > 0 || weather->own != NULL;
    if (swarm_has(w, SWARM_SLOT_LINKS) || swarm_has_cells(w)) {
        return MF_WORLD_PARTS_BYTES + MF_STORE_SHARED_BYTES(UPLOAD_ITEMS);
    }
    for (uint32_t i = 0; i < w->scenario->entities; i++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[i];
        const bool plain = e->settings == 0 && e->faults == 0 && !blows;
        const size_t bytes = !plain ? MF_WORLD_PARTS_BYTES
                             : e->body.kind == MF_SCENARIO_BODY_PHYSICS
                                 ? MF_MEMORY_BYTES(sizeof(struct mf_airframe_physics))
                                 : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Number of places in the crowd, at least 1: those behind the last vehicle are not needed. */
static uint32_t crowd_size(const struct mf_scenario *s)
{
    const uint32_t top = swarm_vehicles_top(s);
    return top > 0 ? top : 1u;
}

int swarm_boot(struct swarm *w)
{
    uint32_t failed = 0;
    w->members.crowd = mf_crowd_init(&(struct mf_crowd_setup){
        .count = crowd_size(w->scenario),
        .memory = &vehicles_of(w)->room,
        .parts_each = parts_each(w),
        .ops = &k_ops[w->members.behaviours != NULL][w->members.woken != NULL],
        .ctx = w,
        .geoid = &w->members.geoid,
        .jumps = w->scenario->time.clock == MF_SCENARIO_CLOCK_EVENT});
    MF_ASSERT(w->members.crowd != NULL);
    vehicles_of(w)->crowd = w->members.crowd;
    const int result = mf_crowd_boot(w->members.crowd, &w->workers, &failed);
    if (result != MF_E_OK) {
        return w->error[0] != '\0'
                   ? SWARM_INPUT
                   : swarm_refuse(w, mf_scenario_entity_of(w->scenario, failed)->line,
                                  "%s cannot boot: %s", swarm_name(w, failed).text,
                                  result == MF_E_RANGE ? "its place has no geoid, or a fault "
                                                         "cannot be scheduled"
                                                       : mf_err_text(result));
    }
    return SWARM_OK;
}

/* ---- start of missions */

/* Reason why a vehicle does not start its mission. */
static const char *reason_of(struct mf_vehicle *v, struct mf_text *why)
{
    struct mf_snapshot s;
    if (!mf_plan_feasible(v, NULL, why)) {
        return why->s;
    }
    mf_snapshot_take(v, &s);
    return s.denial[0] != '\0' ? s.denial : "it gave no reason";
}

static void start_mission(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                          struct mf_inside *inside)
{
    struct swarm *w = ctx;
    struct mf_msg_command_int m = {.command = MAV_CMD_MISSION_START};
    struct mf_msg_command_ack ack = {0};
    struct mf_text why;
    (void)shard;
    if (mf_inside_command(inside, drone, &m, &ack) == MF_E_OK &&
        ack.result == MAV_RESULT_ACCEPTED) {
        return;
    }
    if (__atomic_fetch_add(&vehicles_of(w)->refused, 1u, __ATOMIC_RELAXED) == 0) {
        (void)fprintf(stderr, "mayfly-swarm: %s: its mission was refused (MAV_RESULT %u): %s\n",
                      swarm_name(w, i).text, ack.result, reason_of(mf_drone_vehicle(drone), &why));
    }
}

static void start_plan_missions(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us)
{
    mf_crowd_visit(w->members.crowd, &w->workers, at_us, from, to, start_mission, w);
}

static void start_entity(void *ctx, uint32_t entity, mf_us_t at_us)
{
    struct swarm *w = ctx;
    const struct mf_scenario_entity *e = &w->scenario->entity[entity];
    swarm_start_members(w, e->first, e->first + e->count, at_us);
}

/* ---- the carrier of vehicles that fly in this process */

static struct mf_crowd_state vehicle_state(const struct swarm *w, uint32_t i)
{
    return mf_crowd_state(w->members.crowd, i);
}

static struct mf_pose vehicle_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return mf_crowd_pose(w->members.crowd, i, at_us);
}

static float vehicle_charge(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return swarm_crowd_charge(w->members.crowd, i, at_us);
}

struct visit {
    struct swarm *w;
    swarm_visit_fn *run;
};

static void run_visit(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                      struct mf_inside *inside)
{
    const struct visit *v = ctx;
    struct swarm_port_vehicle port = {drone, inside};
    (void)shard;
    v->run(v->w, i, &(struct mf_order_port){&swarm_port_vehicle_ops, &port});
}

static void visit_vehicles(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                           swarm_visit_fn *run)
{
    mf_crowd_visit(w->members.crowd, &w->workers, at_us, e->first, e->first + e->count, run_visit,
                   &(struct visit){w, run});
}

static void run_vehicles(struct swarm *w, mf_us_t until_us)
{
    mf_crowd_run(w->members.crowd, &w->workers, until_us);
}

static mf_us_t next_vehicle_step_us(const struct swarm *w)
{
    return mf_crowd_next(w->members.crowd);
}

static bool is_crowd_idle(const struct swarm *w)
{
    return mf_crowd_is_idle(w->members.crowd);
}

static uint64_t count_crowd_steps(const struct swarm *w)
{
    return mf_crowd_steps(w->members.crowd);
}

static uint64_t crowd_digest(const struct swarm *w, uint64_t digest)
{
    (void)digest; /* vehicles are the first kind, so the digest begins here */
    return mf_crowd_digest(w->members.crowd);
}

static struct swarm_vehicle_counts count_vehicles(const struct swarm *w)
{
    return (struct swarm_vehicle_counts){.frozen = mf_crowd_frozen(w->members.crowd),
                                         .armed = mf_crowd_armed(w->members.crowd),
                                         .up = mf_crowd_up(w->members.crowd)};
}

static const struct swarm_carrier k_vehicles = {.state = vehicle_state,
                                                .pose = vehicle_pose,
                                                .charge = vehicle_charge,
                                                .visit = visit_vehicles,
                                                .run = run_vehicles,
                                                .next_us = next_vehicle_step_us,
                                                .is_idle = is_crowd_idle,
                                                .count_steps = count_crowd_steps,
                                                .digest = crowd_digest,
                                                .count_states = count_vehicles,
                                                .start = start_plan_missions,
                                                .give_orders = swarm_orders_to_vehicles};

/* ---- --check */

int swarm_vehicles_check(struct swarm *w)
{
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[k];
        struct mf_placed placed = mf_place(w->scenario, e->first);
        const struct mf_shared_plan *arrives = swarm_arrivals_plan(w, e->first, &placed);
        const struct mf_shared_plan *plan = arrives != NULL ? arrives : w->members.kind[k].plan;
        struct mf_text why;
        if (e->count > 0 && e->as == MF_SCENARIO_KIND_VEHICLE && plan != NULL &&
            !swarm_plan_judge(e, plan, placed, &why)) {
            (void)swarm_refuse(w, arrives != NULL ? e->arrivals.line : e->line,
                               "plan: %s would refuse its mission: %s",
                               swarm_name(w, e->first).text, why.s);
            return SWARM_FAILED;
        }
    }
    return SWARM_OK;
}

/* ---- stages */

static int reserve_crowd(struct swarm *w)
{
    if (w->members.carrier[MF_SCENARIO_KIND_VEHICLE] ==
        &swarm_things) { /* no leaves carry the vehicles */
        w->members.carrier[MF_SCENARIO_KIND_VEHICLE] = &k_vehicles;
    }
    const size_t bytes = mf_crowd_bytes(crowd_size(w->scenario), parts_each(w));
    struct swarm_vehicles *v = swarm_memory(w, 1, sizeof *v);
    uint8_t *memory = swarm_memory(w, 1, bytes);
    w->state[SWARM_SLOT_VEHICLES] = v;
    w->state[SWARM_SLOT_REFUSED] = v != NULL ? &v->refused : NULL;
    if (v == NULL || memory == NULL) {
        return SWARM_INPUT;
    }
    v->room = (struct mf_memory){.bytes = memory, .size = bytes};
    return SWARM_OK;
}

static int begin_plans(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t k = 0; k < s->entities; k++) {
        if (s->entity[k].plan[0] == '\0') {
            continue;
        }
        struct mf_timer *start = &vehicles_of(w)->start[k];
        mf_timer_init(start, MF_PHASE_CONTROL, k, start_entity, w);
        const int result =
            mf_timer_set(&w->engine, start, (mf_us_t)(s->entity[k].start_s * 1e6), 0);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS has one for each entity */
    }
    return SWARM_OK;
}

static int resume_crowd(struct swarm *w)
{
    w->members.crowd = vehicles_of(w) != NULL ? vehicles_of(w)->crowd : NULL;
    return SWARM_OK;
}

static void end_crowd(struct swarm *w, bool goes_on)
{
    if (!goes_on) {
        mf_crowd_end(w->members.crowd);
    }
}

static int count_refusals(struct swarm *w, bool goes_on)
{
    (void)goes_on;
    return (int)swarm_count_refused(w);
}

const struct swarm_system swarm_vehicles_system = {
    .name = "vehicles",
    .on = {[SWARM_PREPARE] = reserve_crowd,
           [SWARM_RESUME] = resume_crowd,
           [SWARM_BOOT] = swarm_boot,
           [SWARM_BEGIN] = begin_plans},
    .finish = end_crowd,
    .judge = count_refusals,
};

/* ---- vehicles of a world in steps: it moves and orders them, and there may be none */

static int reserve_if_any(struct swarm *w)
{
    return swarm_vehicles_top(w->scenario) > 0 ? reserve_crowd(w) : SWARM_OK;
}

static int boot_if_any(struct swarm *w)
{
    return swarm_vehicles_top(w->scenario) > 0 ? swarm_boot(w) : SWARM_OK;
}

static void finish_if_any(struct swarm *w, bool goes_on)
{
    if (w->members.crowd != NULL) {
        end_crowd(w, goes_on);
    }
}

const struct swarm_system swarm_stepped_vehicles_system = {
    .name = "vehicles",
    .on = {[SWARM_PREPARE] = reserve_if_any,
           [SWARM_RESUME] = resume_crowd,
           [SWARM_BOOT] = boot_if_any},
    .finish = finish_if_any,
};
