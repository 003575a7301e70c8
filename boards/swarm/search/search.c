/* SPDX-License-Identifier: Apache-2.0 */
/* The system of a search: the team of a scenario, its steps as steps of the run's loop
 * (time/steps.h), its summary and its statistics. program/systems.c lists it. */
#include "boards/swarm/search/search.h"
#include "boards/swarm/search/team.h"

#include "boards/swarm/outside/bus.h"
#include "boards/swarm/search/search_bus.h"
#include "boards/swarm/search/search_operator.h"
#include "boards/swarm/time/course.h"
#include "boards/swarm/time/hold.h"
#include "fleet/place.h"
#include "math/chance.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static struct team *team_of(const struct swarm *w)
{
    return (struct team *)swarm_steps_of(w);
}

static bool is_object(const struct mf_scenario_entity *e)
{
    return e->object.thing == MF_SCENARIO_THING_OBJECT;
}

static struct mf_enu enu_of_neu(const double neu[3])
{
    return (struct mf_enu){(float)neu[1], (float)neu[0], (float)neu[2]};
}

/* ---- from the scenario */

#define CELLS_MAX  1e8 /* of a raster */
#define POINTS_MAX 1e5 /* of a path */

/* Number of squares of @p edge_m in the box around the area. */
static double count_squares(const struct team *t, double edge_m)
{
    const struct mf_coverage_box box = mf_coverage_box(t->corner, t->settings.corner_count);
    return ceil((box.high.e - box.low.e) / edge_m) * ceil((box.high.n - box.low.n) / edge_m);
}

/* Refuse an entity that cannot be in the team. @param vehicles  the earlier entities are vehicles
 */
static int check_searcher(struct swarm *w, const struct mf_scenario_entity *e, uint32_t searchers,
                          bool vehicles)
{
    const bool vehicle = e->as == MF_SCENARIO_KIND_VEHICLE;
    const bool stepped = e->body.kind == MF_SCENARIO_BODY_THRUST;
    if (vehicle ? stepped : !(stepped && e->as == MF_SCENARIO_KIND_AGENT)) {
        return swarm_refuse(w, e->line,
                            "%s: with a plan every member is 'thing: object', 'as: agent' with "
                            "'body: thrust', or 'as: vehicle' with another body",
                            e->name);
    }
    if (searchers > 0 && vehicle != vehicles) {
        return swarm_refuse(w, e->line, "%s: all of a team are vehicles, or none", e->name);
    }
    if (e->plan[0] != '\0' || e->behaviour.kind != MF_BEHAVIOUR_NONE) {
        return swarm_refuse(w, e->line, "%s: the plan is the team's; it has no other", e->name);
    }
    return e->place.kind != MF_PLACE_GEO
               ? SWARM_OK
               : swarm_refuse(w, e->line, "%s: a searcher's place is in metres", e->name);
}

static int check_entities(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    uint32_t searchers = 0;
    bool vehicles = false;
    if (s->search.corners == 0) {
        return swarm_refuse(w, s->search.line,
                            "plan: needs space.boundary, the area that is searched");
    }
    for (uint32_t i = 0; i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        if (is_object(e) && e->place.kind == MF_PLACE_GEO) {
            return swarm_refuse(w, e->line, "%s: an object's place is in metres", e->name);
        }
        if (is_object(e)) {
            continue;
        }
        if (check_searcher(w, e, searchers, vehicles) != SWARM_OK) {
            return SWARM_INPUT;
        }
        vehicles = e->as == MF_SCENARIO_KIND_VEHICLE;
        searchers += e->count;
    }
    return searchers >= (s->search.plan == MF_SEARCH_BDBCD ? 2u : 1u)
               ? SWARM_OK
               : swarm_refuse(w, s->search.line, "plan: no entity is part of the search team");
}

/* Find the kind of a type of objects: the number of the first entity that has it.
 * @return the count of entities: no entity has it */
static uint32_t kind_of(const struct mf_scenario *s, const char *type)
{
    uint32_t kind = 0;
    while (kind < s->entities && !(is_object(&s->entity[kind]) &&
                                   strcmp(mf_scenario_type(&s->entity[kind]), type) == 0)) {
        kind++;
    }
    return kind;
}

/* Find the kind of the objects that a member seeks: a type, or those of an entity. @return
 * SWARM_INPUT with an error set */
static int find_sought(struct swarm *w, const struct mf_scenario_entity *e, uint32_t *kind)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_entity *named = mf_scenario_entity_named(s, e->seeker.seeks);
    *kind = kind_of(s, e->seeker.seeks);
    if (*kind == s->entities && named != NULL && is_object(named)) {
        *kind = kind_of(s, mf_scenario_type(named));
    }
    return e->seeker.seeks[0] == '\0' || *kind < s->entities
               ? SWARM_OK
               : swarm_refuse(w, e->line, "%s: seeks: no object is called '%s'", e->name,
                              e->seeker.seeks);
}

static struct mf_search_member member_of(const struct mf_scenario_entity *e)
{
    const struct mf_scenario_thrust *t = &e->body.thrust;
    return (struct mf_search_member){
        .body = {.mass_kg = (float)t->mass,
                 .area_m2 = t->area,
                 .up_n = (float)t->up,
                 .down_n = (float)t->down,
                 .forward_n = (float)t->forward,
                 .left_n = (float)t->left,
                 .backward_n = (float)t->backward,
                 .right_n = (float)t->right,
                 .compat = t->compat == MF_SCENARIO_COMPAT_UAVSIM},
        .fps = e->seeker.fps,
        .lateral_rad = e->seeker.lateral_rad,
        .horizontal_rad = e->seeker.horizontal_rad,
    };
}

/* Refuse a body that could not fly the plan in any place: what it lacks is known before the start.
 * As published, thrust may exceed its limits, so only the weight counts. */
static int check_limits(struct swarm *w, const struct mf_scenario_entity *e)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_mover_thrust_settings body = member_of(e).body;
    const double weight_n = (double)mf_mover_thrust_weight_n(&body);
    const double most_mps = mf_mover_thrust_terminal_mps(&body);
    if (!(weight_n < (double)body.up_n)) {
        return swarm_refuse(w, e->line,
                            "%s: body.up: a thrust of %g N does not lift its weight of %.2f N",
                            e->name, e->body.thrust.up, weight_n);
    }
    if (!body.compat && s->search.speed_mps > most_mps) {
        return swarm_refuse(w, s->search.line,
                            "plan.speed: %g m/s is above %.2f m/s, the terminal speed of %s with a "
                            "thrust of %g N ahead",
                            s->search.speed_mps, most_mps, e->name, e->body.thrust.forward);
    }
    if (!body.compat && s->weather.is.air.wind[0] >= most_mps) {
        return swarm_refuse(w, e->line,
                            "space.weather.wind: %s flies %.2f m/s at most, its terminal speed, "
                            "against a wind of %g m/s",
                            e->name, most_mps, s->weather.is.air.wind[0]);
    }
    return SWARM_OK;
}

static void add_objects(struct swarm *w, struct team *t, uint32_t number)
{
    const struct mf_scenario_entity *e = &w->scenario->entity[number];
    const double *velocity_mps = e->object.velocity_mps;
    struct mf_search_settings *q = &t->settings;
    q->starts = t->start;
    for (uint32_t i = 0; i < e->count; i++) {
        double neu[3] = {0.0, 0.0, 0.0};
        struct mf_search_start start = {.placed = e->place.kind != MF_PLACE_BOUNDARY,
                                        .moving = !isnan(velocity_mps[0])};
        if (start.placed) {
            mf_place_local(w->scenario, e->first + i, neu);
        }
        neu[2] = isnan(e->object.height_m) ? neu[2] : e->object.height_m;
        start.at_m = enu_of_neu(neu);
        start.vel_mps = start.moving ? enu_of_neu(velocity_mps) : start.vel_mps;
        t->object_number[t->objects] = e->first + i;
        t->start[t->objects++] = start;
    }
    t->object[q->object_kinds++] =
        (struct mf_search_objects){kind_of(w->scenario, mf_scenario_type(e)),
                                   e->count,
                                   e->object.speed_mps,
                                   e->object.seen,
                                   e->object.mistaken,
                                   e->chance};
}

static int add_entity(struct swarm *w, struct team *t, uint32_t number)
{
    const struct mf_scenario_entity *e = &w->scenario->entity[number];
    struct mf_search_settings *q = &t->settings;
    struct mf_search_member m = member_of(e);
    if (is_object(e)) {
        add_objects(w, t, number);
        return SWARM_OK;
    }
    int result = find_sought(w, e, &m.seeks);
    if (result == SWARM_OK && e->as != MF_SCENARIO_KIND_VEHICLE) {
        result = check_limits(w, e);
    }
    for (uint32_t i = 0; result == SWARM_OK && i < e->count; i++) {
        double neu[3];
        mf_place_local(w->scenario, e->first + i, neu);
        m.begin_m = enu_of_neu(neu);
        m.identity = mf_scenario_identity(w->scenario, e->first + i);
        t->number[q->member_count] = e->first + i;
        t->member[q->member_count++] = m;
    }
    return result;
}

/* Find the members who visit: those that the plan names, or the last one. */
static int find_bases(struct swarm *w, struct team *t)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_chosen *base = &s->search.base;
    const size_t count = t->settings.member_count;
    size_t visitors = 0;
    for (uint32_t k = 0; k < base->count; k++) {
        const struct mf_scenario_chosen one = {1, base->line, &base->name[k]};
        size_t found = 0;
        for (size_t i = 0; i < count; i++) {
            const bool chosen = mf_scenario_is_chosen(s, &one, t->number[i], false);
            visitors += chosen && !t->member[i].visits ? 1u : 0u;
            t->member[i].visits = t->member[i].visits || chosen;
            found += chosen ? 1u : 0u;
        }
        if (found == 0) {
            return swarm_refuse(w, base->line, "plan: base: '%s' is not a member of the team",
                                base->name[k]);
        }
    }
    if (base->count == 0) {
        t->member[count - 1u].visits = true;
    }
    return visitors < count
               ? SWARM_OK
               : swarm_refuse(
                     w, base->line,
                     "plan: base: all members visit, so no member reports what must be visited");
}

/* Lowest height of a dive: that of the paper, or that of the published program. */
static double dive_m(const struct mf_scenario_search *s)
{
    const double otherwise_m = s->compat == MF_SCENARIO_COMPAT_UAVSIM ? 10.0 : 15.0;
    return isnan(s->dive_m) ? otherwise_m : s->dive_m;
}

static struct mf_obstacle obstacle_of(const struct mf_scenario_obstacle *o)
{
    return o->kind == MF_SCENARIO_SHAPE_BOX
               ? mf_obstacle_box(enu_of_neu(o->at), enu_of_neu(o->size))
               : mf_obstacle_cylinder(enu_of_neu(o->at), o->radius_m, o->height_m);
}

static int build_team(struct swarm *w, struct team *t)
{
    const struct mf_scenario *s = w->scenario;
    t->member = swarm_memory(w, s->search.line, s->members * sizeof *t->member);
    t->number = swarm_memory(w, s->search.line, s->members * sizeof *t->number);
    t->became = swarm_memory(w, s->search.line, (s->members + 1u) * sizeof *t->became);
    t->start = swarm_memory(w, s->search.line, s->members * sizeof *t->start);
    t->object_number = swarm_memory(w, s->search.line, s->members * sizeof *t->object_number);
    if (t->member == NULL || t->number == NULL || t->became == NULL || t->start == NULL ||
        t->object_number == NULL) {
        return SWARM_INPUT;
    }
    for (uint32_t i = 0; i < s->search.corners; i++) {
        t->corner[i] = (struct mf_en){s->search.corner[i][1], s->search.corner[i][0]};
    }
    for (uint32_t i = 0; i < s->search.obstacles; i++) {
        t->obstacle[i] = obstacle_of(&s->search.obstacle[i]);
    }
    t->weather = s->weather.is;
    t->settings = (struct mf_search_settings){
        .step_s = s->time.step_s,
        .corners = t->corner,
        .corner_count = s->search.corners,
        .station = enu_of_neu(s->search.station),
        .plan = (enum mf_search_plan)s->search.plan,
        .altitude_m = s->search.altitude_m,
        .speed_mps = s->search.speed_mps,
        .low_m = s->search.plan == MF_SEARCH_BDBCD ? s->search.visit_m : dive_m(&s->search),
        .compat = s->search.compat == MF_SCENARIO_COMPAT_UAVSIM,
        .balance_m = s->search.detection.balance_m,
        .report_m = s->search.detection.report_m,
        .cell_m = s->search.cell_m,
        .weather = &t->weather,
        .obstacle = t->obstacle,
        .obstacles = s->search.obstacles,
        .clearance_m = s->search.clearance_m,
        .seed = s->seed,
        .variation = s->variation_number,
        .members = t->member,
        .objects = t->object,
    };
    int result = SWARM_OK;
    for (uint32_t i = 0; result == SWARM_OK && i < s->entities; i++) {
        result = add_entity(w, t, i);
        if (!is_object(&s->entity[i]) && s->entity[i].as == MF_SCENARIO_KIND_VEHICLE) {
            t->settings.bodies_outside = true;
            t->settings.station.u = (float)t->settings.altitude_m; /* and there they land */
        }
    }
    result = result == SWARM_OK ? find_bases(w, t) : result;
    return result == SWARM_OK ? swarm_search_plugin_prepare(w, &t->own, &t->settings) : result;
}

static int make_search(struct swarm *w, struct team *t)
{
    const double cell_m = t->settings.cell_m, edge_m = mf_search_edge_m(&t->settings);
    const int line = w->scenario->search.line;
    if (cell_m > 0.0 && count_squares(t, cell_m) > CELLS_MAX) {
        return swarm_refuse(w, line, "outputs.coverage.cell: %g m makes more than %.0f cells",
                            cell_m, CELLS_MAX);
    }
    if (!(edge_m > 0.0) || count_squares(t, edge_m) > POINTS_MAX) {
        return swarm_refuse(w, line,
                            "plan: pictures of %g m make more than %.0f squares of the area",
                            edge_m, POINTS_MAX);
    }
    struct mf_memory memory = {.size = mf_search_bytes(&t->settings)};
    memory.bytes = swarm_memory(w, line, memory.size);
    if (memory.bytes == NULL) {
        return SWARM_INPUT;
    }
    t->search = mf_search_init(&t->settings, &memory);
    return t->search != NULL
               ? SWARM_OK
               : swarm_refuse(w, line,
                              "plan: the area has no square to fly to, or no way leads there");
}

/* ---- what became of it */

static void print_ratio(FILE *to, double x, int digits)
{
    if (x < 0.0) {
        (void)fputc(',', to); /* undefined */
    } else {
        (void)fprintf(to, ",%.*f", digits, x);
    }
}

/* Name of a row of the statistics: a member's, or that of the sum behind the last one. */
static struct swarm_name row_name(const struct swarm *w, const struct team *t, size_t i)
{
    return i < t->settings.member_count ? swarm_name(w, t->number[i])
                                        : (struct swarm_name){"Total"};
}

static void write_rows(const struct swarm *w, const struct team *t, FILE *to)
{
    const char *table = t->own.fingerprint; /* a column more, where detection was measured */
    (void)fprintf(to, "Name,Precision,Recall,F1,Energy_Used,PCT_Covered,PCT_Spotted%s\n",
                  table[0] != '\0' ? ",Detection" : "");
    for (size_t i = 0; i <= t->settings.member_count; i++) {
        const struct mf_search_statistics q = t->became[i];
        (void)fputs(row_name(w, t, i).text, to);
        print_ratio(to, q.precision, 6);
        print_ratio(to, q.recall, 6);
        print_ratio(to, q.f1, 6);
        print_ratio(to, q.energy_ns, 3);
        print_ratio(to, q.covered, 6);
        print_ratio(to, q.spotted, 6);
        (void)fprintf(to, "%s%s\n", table[0] != '\0' ? "," : "", table);
    }
}

static void write_counts(const struct swarm *w, const struct team *t, FILE *to)
{
    (void)fputs("Name,True_Positives,False_Positives,False_Negatives,True_Negatives\n", to);
    for (size_t i = 0; i <= t->settings.member_count; i++) {
        const struct mf_search_statistics q = t->became[i];
        (void)fprintf(to, "%s,%u,%u,%u,%u\n", row_name(w, t, i).text, q.right, q.wrong, q.missed,
                      q.clear);
    }
}

static uint64_t mix_number(uint64_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return mf_chance_u64(hash ^ bits, 0);
}

/* Hash of the places of the team and of its statistics. */
static uint64_t search_digest_of(const struct swarm_steps *s)
{
    const struct team *t = (const struct team *)s;
    uint64_t hash = mf_search_steps(t->search);
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_search_statistics q = mf_search_statistics(t->search, i);
        const struct mf_mover_thrust m = mf_search_member(t->search, i);
        const double all[] = {q.precision,         q.recall,           q.energy_ns,
                              q.covered,           q.spotted,          (double)q.frames,
                              (double)m.pos_m.e,   (double)m.pos_m.n,  (double)m.pos_m.u,
                              (double)m.vel_mps.e, (double)m.vel_mps.n};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            hash = mix_number(hash, all[k]);
        }
    }
    return hash;
}

static size_t points_left(const struct team *t)
{
    size_t left = 0;
    for (size_t i = 0; i < t->settings.member_count; i++) {
        left += mf_search_points_left(t->search, i);
    }
    return left;
}

static void print_search_summary(const struct swarm *w, const struct swarm_took *took)
{
    const struct team *t = team_of(w);
    const uint64_t steps = mf_search_steps(t->search);
    const struct mf_search_statistics all = t->became[t->settings.member_count];
    (void)printf("team      %zu members, %u pictures, ", t->settings.member_count, all.frames);
    if (!t->settings.bodies_outside) {
        (void)printf("energy %.0f N s, ", all.energy_ns);
    }
    (void)printf("%zu points not reached, %u refused\n", points_left(t),
                 mf_search_refused(t->search));
    (void)printf("time      %.3f s simulated in %.3f s, %.3f s of processors\n",
                 (double)steps * t->settings.step_s, took->wall_s, took->cpu_s);
    (void)printf("steps     %" PRIu64 ", %.0f a second of a processor\n", steps,
                 (double)steps / fmax(took->cpu_s, 1e-6));
    (void)printf("memory    %.1f MB\n", swarm_resident_mb());
    write_rows(w, t, stdout);
}

/* ---- steps */

/* Vehicles have flown up to the end of the step when the search takes it. */
static bool run_search_step(struct swarm_steps *s, mf_us_t end_us)
{
    struct team *t = (struct team *)s;
    struct swarm *w = t->own.w;
    if (t->settings.bodies_outside) {
        swarm_team_move(w, t, end_us);
    }
    bool busy = mf_search_step(t->search);
    if (swarm_has(w, SWARM_SLOT_BUS)) { /* a planner may send a member on that had come to an end */
        busy = swarm_search_bus_step(&t->own, t->search) && points_left(t) > 0;
    }
    if (t->watch != NULL) {
        swarm_team_record_step(w, t);
    }
    t->failed = w->error[0] != '\0' || mf_search_error(t->search) != NULL;
    return busy && !t->failed;
}

static uint64_t count_search_steps(const struct swarm_steps *s)
{
    return mf_search_steps(((const struct team *)s)->search);
}

static const struct swarm_steps_ops k_ops = {count_search_steps, run_search_step, search_digest_of};

/* ---- before the run */

static int prepare_search(struct swarm *w)
{
    struct team *t = swarm_memory(w, w->scenario->search.line, sizeof *t);
    if (t == NULL || check_entities(w) != SWARM_OK) {
        return SWARM_INPUT;
    }
    int result = build_team(w, t);
    result = result == SWARM_OK ? make_search(w, t) : result;
    result = result == SWARM_OK && t->settings.bodies_outside ? swarm_team_prepare(w, t) : result;
    if (result == SWARM_OK) {
        swarm_steps_prepare(w, &t->steps, &k_ops);
        swarm_search_operate(&t->operator, w, t);
    }
    return result;
}

static int open_search(struct swarm *w)
{
    team_of(w)->watch = NULL; /* a checkpoint has that of another process */
    return swarm_team_watch(w, team_of(w));
}

/* The search cannot go on: set the error, unless the bus has. */
static int set_search_error(struct team *t)
{
    t->failed = true;
    return swarm_search_plugin_refuse(&t->own, t->search);
}

static int begin_search(struct swarm *w)
{
    struct team *t = team_of(w);
    return mf_search_begin(t->search) && swarm_search_bus_begin(&t->own, t->search)
               ? SWARM_OK
               : set_search_error(t);
}

int swarm_search_export(struct swarm *w, const char *folder)
{
    struct team *t = team_of(w);
    if (w->scenario->search.plan == MF_SEARCH_BUS) {
        return swarm_refuse(w, w->scenario->search.line,
                            "plan: of kind bus is made while it runs: it cannot be exported");
    }
    return mf_search_begin(t->search) ? swarm_team_export(w, t, folder) : set_search_error(t);
}

/* ---- the end */

/* A plug-in, or a controller on the bus, has ended the search. */
static bool has_search_failed(const struct swarm *w)
{
    return team_of(w)->failed;
}

static void finish_search(struct swarm *w, bool goes_on)
{
    struct team *t = team_of(w);
    w->now_us = goes_on ? w->now_us : swarm_step_end(w, mf_search_steps(t->search));
    if (t->settings.bodies_outside && !goes_on) {
        swarm_team_land(w, t, w->hold.stop);
    }
    t->failed = !swarm_team_unwatch(w, t) || t->failed;
    if (t->failed) {
        (void)set_search_error(t);
        return;
    }
    swarm_search_bus_end(&t->own, t->search);
    for (size_t i = 0; i <= t->settings.member_count; i++) {
        t->became[i] = mf_search_statistics(t->search, i);
    }
    if (!goes_on) {
        w->now_us = (mf_us_t)((double)mf_search_steps(t->search) * t->settings.step_s * 1e6);
    }
}

/* Write a file, if the scenario wants it. @return false: it is not complete */
static bool write_file(struct swarm *w, const struct mf_scenario_output *o,
                       void (*rows)(const struct swarm *w, const struct team *t, FILE *to))
{
    FILE *file = o->file[0] != '\0' ? swarm_open(w, o, 0) : NULL;
    if (file != NULL) {
        rows(w, team_of(w), file);
    }
    return o->file[0] == '\0' || (file != NULL && swarm_close(w, file));
}

static bool write_statistics(struct swarm *w)
{
    const bool rows = write_file(w, &w->scenario->outputs.stats, write_rows);
    return write_file(w, &w->scenario->outputs.counts, write_counts) && rows;
}

static void close_search(struct swarm *w, int code)
{
    struct team *t = team_of(w);
    if (t != NULL) {
        (void)swarm_team_unwatch(w, t);
    }
    swarm_bus_close(w, code);
    w->state[SWARM_SLOT_OPERATOR] = NULL;
    w->state[SWARM_SLOT_STEPS] = NULL;
}

const struct swarm_system swarm_search_system = {
    .name = "search",
    .on = {[SWARM_CONNECT] = swarm_bus_open,
           [SWARM_PREPARE] = prepare_search,
           [SWARM_OPEN] = open_search,
           [SWARM_BEGIN] = begin_search},
    .routes = swarm_search_routes,
    .commands = swarm_search_commands,
    .has_failed = has_search_failed,
    .refuses = true,
    .finish = finish_search,
    .print_world_summary = print_search_summary,
    .complete = write_statistics,
    .close = close_search,
};
