/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/search/search.h"
#include "boards/swarm/search/team.h"

#include "boards/swarm/outside/bus.h"
#include "boards/swarm/search/search_bus.h"
#include "boards/swarm/search/search_operator.h"
#include "boards/swarm/time/console.h"
#include "boards/swarm/time/course.h"
#include "boards/swarm/time/hold.h"
#include "boards/swarm/time/pace.h"
#include "fleet/place.h"
#include "math/chance.h"
#include "math/trig.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool is_object(const struct mf_scenario_entity *e)
{
    return e->object.thing == MF_SCENARIO_THING_OBJECT;
}

static struct mf_enu enu(const double neu[3])
{
    return (struct mf_enu){(float)neu[1], (float)neu[0], (float)neu[2]};
}

/* ---- from the scenario */

#define CELLS_MAX  1e8 /* of a raster */
#define POINTS_MAX 1e5 /* of a path */

/* How many squares of @p edge_m the box around the area has. */
static double squares(const struct team *t, double edge_m)
{
    const struct mf_coverage_box box = mf_coverage_box(t->corner, t->settings.corner_count);
    return ceil((box.high.e - box.low.e) / edge_m) * ceil((box.high.n - box.low.n) / edge_m);
}

/* Who takes part. @param vehicles  whether the team's members are, if there is any so far */
static int check_searcher(struct swarm *w, const struct mf_scenario_entity *e, uint32_t searchers,
                          bool vehicles)
{
    const bool vehicle = e->as == MF_SCENARIO_KIND_VEHICLE;
    const bool stepped = e->body.kind == MF_SCENARIO_BODY_THRUST;
    if (vehicle ? stepped : !(stepped && e->as == MF_SCENARIO_KIND_AGENT)) {
        return swarm_refuse(w, e->line,
                            "%s: with a plan everybody is 'thing: object', 'as: agent' with "
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
    for (uint32_t i = 0; i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        if (is_object(e) && e->place.kind != MF_PLACE_BOUNDARY) {
            return swarm_refuse(w, e->line, "%s: an object's place is 'boundary'", e->name);
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
               : swarm_refuse(w, s->search.line, "plan: nobody is there who searches");
}

static int check(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_output *const others[] = {&s->outputs.kml,     &s->outputs.czml,
                                                       &s->outputs.geojson, &s->outputs.tlog,
                                                       &s->outputs.record,  &s->outputs.events};
    if (s->search.corners == 0) {
        return swarm_refuse(w, s->search.line,
                            "plan: needs space.boundary, the area that is searched");
    }
    if (s->expects > 0) {
        return swarm_refuse(w, s->search.line, "plan: a search takes no expect");
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i]->file[0] != '\0') {
            return swarm_refuse(w, others[i]->line,
                                "outputs: a search has csv, stats, coverage, overhead and video");
        }
    }
    return check_entities(w);
}

/* The number of the entity that is sought. @return SWARM_INPUT with an error set */
static int find_sought(struct swarm *w, const struct mf_scenario_entity *e, uint32_t *kind)
{
    const struct mf_scenario *s = w->scenario;
    for (*kind = 0; *kind < s->entities; (*kind)++) {
        if (is_object(&s->entity[*kind]) && strcmp(s->entity[*kind].name, e->seeker.seeks) == 0) {
            return SWARM_OK;
        }
    }
    return e->seeker.seeks[0] == '\0'
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

static int add_entity(struct swarm *w, struct team *t, uint32_t number)
{
    const struct mf_scenario_entity *e = &w->scenario->entity[number];
    struct mf_search_settings *q = &t->settings;
    struct mf_search_member m = member_of(e);
    if (is_object(e)) {
        t->object[q->object_kinds++] = (struct mf_search_objects){
            number, e->count, e->object.speed_mps, e->object.seen, e->object.mistaken};
        return SWARM_OK;
    }
    const int result = find_sought(w, e, &m.seeks);
    for (uint32_t i = 0; result == SWARM_OK && i < e->count; i++) {
        double neu[3];
        mf_place_local(w->scenario, e->first + i, neu);
        m.begin_m = enu(neu);
        t->number[q->member_count] = e->first + i;
        t->member[q->member_count++] = m;
    }
    return result;
}

/* The member who visits: the one that is named, or the last one. */
static int find_base(struct swarm *w, struct team *t)
{
    const struct mf_scenario_search *s = &w->scenario->search;
    uint32_t from = 0, to = 0;
    t->settings.base = (uint32_t)t->settings.member_count - 1u;
    if (s->base[0] == '\0') {
        return SWARM_OK;
    }
    if (mf_scenario_find(w->scenario, s->base, &from, &to) && to == from + 1u) {
        for (uint32_t i = 0; i < t->settings.member_count; i++) {
            if (t->number[i] == from) {
                t->settings.base = i;
                return SWARM_OK;
            }
        }
    }
    return swarm_refuse(w, s->line, "plan: base: '%s' is no member of the team", s->base);
}

/* As printed, or as in the published program. */
static double dive_m(const struct mf_scenario_search *s)
{
    const double otherwise_m = s->compat == MF_SCENARIO_COMPAT_UAVSIM ? 10.0 : 15.0;
    return isnan(s->dive_m) ? otherwise_m : s->dive_m;
}

static struct mf_obstacle obstacle_of(const struct mf_scenario_obstacle *o)
{
    return o->kind == MF_SCENARIO_SHAPE_BOX
               ? mf_obstacle_box(enu(o->at), enu(o->size))
               : mf_obstacle_cylinder(enu(o->at), o->radius_m, o->height_m);
}

static int build(struct swarm *w, struct team *t)
{
    const struct mf_scenario *s = w->scenario;
    t->member = calloc(s->members, sizeof *t->member);
    t->number = calloc(s->members, sizeof *t->number);
    t->became = calloc(s->members + 1u, sizeof *t->became);
    if (t->member == NULL || t->number == NULL || t->became == NULL) {
        return swarm_refuse(w, s->search.line, "plan: no memory for %u members", s->members);
    }
    for (uint32_t i = 0; i < s->search.corners; i++) {
        t->corner[i] = (struct mf_en){s->search.corner[i][1], s->search.corner[i][0]};
    }
    for (uint32_t i = 0; i < s->search.obstacles; i++) {
        t->obstacle[i] = obstacle_of(&s->search.obstacle[i]);
    }
    t->settings = (struct mf_search_settings){
        .step_s = s->time.step_s,
        .corners = t->corner,
        .corner_count = s->search.corners,
        .station = enu(s->search.station),
        .plan = (enum mf_search_plan)s->search.plan,
        .altitude_m = s->search.altitude_m,
        .speed_mps = s->search.speed_mps,
        .low_m = s->search.plan == MF_SEARCH_BDBCD ? s->search.visit_m : dive_m(&s->search),
        .compat = s->search.compat == MF_SCENARIO_COMPAT_UAVSIM,
        .balance_m = s->search.detection.balance_m,
        .report_m = s->search.detection.report_m,
        .cell_m = s->search.cell_m,
        .weather = &s->weather.is,
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
    result = result == SWARM_OK ? find_base(w, t) : result;
    return result == SWARM_OK ? swarm_search_own_prepare(w, &t->own, &t->settings) : result;
}

static int begin(struct swarm *w, struct team *t)
{
    const double cell_m = t->settings.cell_m, edge_m = mf_search_edge_m(&t->settings);
    const int line = w->scenario->search.line;
    if (cell_m > 0.0 && squares(t, cell_m) > CELLS_MAX) {
        return swarm_refuse(w, line, "outputs.coverage.cell: %g m makes more than %.0f cells",
                            cell_m, CELLS_MAX);
    }
    if (!(edge_m > 0.0) || squares(t, edge_m) > POINTS_MAX) {
        return swarm_refuse(w, line,
                            "plan: pictures of %g m make more than %.0f squares of the area",
                            edge_m, POINTS_MAX);
    }
    t->memory.size = mf_search_bytes(&t->settings);
    t->memory.bytes = malloc(t->memory.size);
    t->search = t->memory.bytes == NULL ? NULL : mf_search_init(&t->settings, &t->memory);
    return t->search != NULL
               ? SWARM_OK
               : swarm_refuse(
                     w, line,
                     "plan: the area has no square to fly to, or no way leads there, or no "
                     "memory is left");
}

/* ---- what became of it */

static void tell_ratio(FILE *to, double x, int digits)
{
    if (x < 0.0) {
        (void)fputc(',', to); /* undefined */
    } else {
        (void)fprintf(to, ",%.*f", digits, x);
    }
}

static void write_rows(const struct swarm *w, const struct team *t, FILE *to)
{
    const char *table = t->own.fingerprint; /* a column more, where detection was measured */
    (void)fprintf(to, "Name,Precision,Recall,F1,Energy_Used,PCT_Covered,PCT_Spotted%s\n",
                  table[0] != '\0' ? ",Detection" : "");
    for (size_t i = 0; i <= t->settings.member_count; i++) {
        const struct mf_search_statistics q = t->became[i];
        char name[SWARM_NAME_MAX] = "Total";
        if (i < t->settings.member_count) {
            mf_scenario_member_name(w->scenario, t->number[i], name);
        }
        (void)fputs(name, to);
        tell_ratio(to, q.precision, 6);
        tell_ratio(to, q.recall, 6);
        tell_ratio(to, q.f1, 6);
        tell_ratio(to, q.energy_ns, 3);
        tell_ratio(to, q.covered, 6);
        tell_ratio(to, q.spotted, 6);
        (void)fprintf(to, "%s%s\n", table[0] != '\0' ? "," : "", table);
    }
}

static int write_statistics(struct swarm *w, const struct team *t)
{
    const struct mf_scenario_output *o = &w->scenario->outputs.stats;
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    FILE *file = swarm_open(w, o, 0);
    if (file == NULL) {
        return SWARM_INPUT;
    }
    write_rows(w, t, file);
    return swarm_close(w, file) ? SWARM_OK : swarm_refuse_incomplete(w, o->line);
}

static uint64_t mixed(uint64_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return mf_chance_u64(hash ^ bits, 0);
}

/* One number of all that the team did. */
static uint64_t digest(const struct team *t)
{
    uint64_t hash = mf_search_steps(t->search);
    for (size_t i = 0; i < t->settings.member_count; i++) {
        const struct mf_search_statistics q = t->became[i];
        const struct mf_mover_thrust m = mf_search_member(t->search, i);
        const double all[] = {q.precision,         q.recall,           q.energy_ns,
                              q.covered,           q.spotted,          (double)q.frames,
                              (double)m.pos_m.e,   (double)m.pos_m.n,  (double)m.pos_m.u,
                              (double)m.vel_mps.e, (double)m.vel_mps.n};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            hash = mixed(hash, all[k]);
        }
    }
    return hash;
}

static double used_s(clock_t since)
{
    return (double)(clock() - since) / (double)CLOCKS_PER_SEC;
}

static size_t points_left(const struct team *t)
{
    size_t left = 0;
    for (size_t i = 0; i < t->settings.member_count; i++) {
        left += mf_search_points_left(t->search, i);
    }
    return left;
}

static void tell(struct swarm *w, const struct team *t, double wall_s, double cpu_s)
{
    const uint64_t steps = mf_search_steps(t->search);
    const struct mf_search_statistics all = t->became[t->settings.member_count];
    (void)printf("scenario  %s%s%s, seed %" PRIu64 "%s\n", w->file,
                 w->scenario->variation[0] != '\0' ? ", variation " : "", w->scenario->variation,
                 w->scenario->seed, swarm_course_of(w)->interrupted ? ", ended by a signal" : "");
    (void)printf("team      %zu members, %u pictures, ", t->settings.member_count, all.frames);
    if (!t->settings.bodies_outside) {
        (void)printf("energy %.0f N s, ", all.energy_ns);
    }
    (void)printf("%zu points not reached, %u refused\n", points_left(t),
                 mf_search_refused(t->search));
    (void)printf("time      %.3f s simulated in %.3f s, %.3f s of processors\n",
                 (double)steps * t->settings.step_s, wall_s, cpu_s);
    (void)printf("steps     %" PRIu64 ", %.0f a second of a processor\n", steps,
                 (double)steps / fmax(cpu_s, 1e-6));
    (void)printf("memory    %.1f MB\n", swarm_resident_mb());
    write_rows(w, t, stdout);
    (void)printf("hash      %016" PRIx64 "\n", digest(t));
}

/* Vehicles have flown up to it, if the bodies are vehicles. @return false: the search is over */
static bool step(struct swarm *w, struct team *t)
{
    if (t->settings.bodies_outside) {
        swarm_team_move(w, t);
    }
    bool busy = mf_search_step(t->search);
    if (swarm_has(w, SWARM_SLOT_BUS)) { /* it may send somebody on who had come to an end */
        busy = swarm_search_bus_step(&t->own, t->search) && points_left(t) > 0;
    }
    if (t->watch != NULL) {
        swarm_team_note(w, t);
    }
    return busy;
}

/* Can it go on, whether or not anybody has somewhere to go? */
static bool is_whole(const struct swarm *w, const struct team *t)
{
    return w->error[0] == '\0' && mf_search_error(t->search) == NULL;
}

/* All steps. @param asks  a person on stdin lets them pass */
static void take_steps(struct swarm *w, struct team *t, const volatile int *stop, bool asks)
{
    const double end_s = w->scenario->time.end_s;
    struct swarm_operator operator;
    struct swarm_console console = {.o = &operator};
    struct swarm_pace pace = {.w = w};
    bool busy = true;
    swarm_search_operate(&operator, w, t);
    if (asks) {
        swarm_hold_pause(w, true);
        pace.hear = swarm_console_turn;
        pace.ctx = &console;
    }
    swarm_pace_begin(&pace);
    while (busy && (double)mf_search_steps(t->search) * t->settings.step_s < end_s &&
           swarm_pace_turn(&pace, mf_search_steps(t->search) + 1u, stop)) {
        busy = step(w, t);
        w->now_us = swarm_step_end(w, mf_search_steps(t->search));
        busy = busy || (is_whole(w, t) && swarm_pace_rest(&pace, stop));
    }
    w->state[SWARM_SLOT_OPERATOR] = NULL;
}

static int fly(struct swarm *w, struct team *t, const volatile int *stop, bool asks)
{
    int result = swarm_team_watch(w, t);
    if (result == SWARM_OK && t->settings.bodies_outside) {
        result = swarm_team_boot(w, t);
    }
    const bool begun = result == SWARM_OK && mf_search_begin(t->search) &&
                       swarm_search_bus_begin(&t->own, t->search);
    const double begin_s = swarm_wall_s();
    const clock_t since = clock();
    if (begun) {
        take_steps(w, t, stop, asks);
    }
    const double cpu_s = used_s(since), wall_s = swarm_wall_s() - begin_s;
    if (result == SWARM_OK && t->settings.bodies_outside) {
        swarm_team_land(w, t, stop);
    }
    const int closed = swarm_team_unwatch(w, t);
    if (result != SWARM_OK || closed != SWARM_OK) {
        return SWARM_INPUT;
    }
    if (!is_whole(w, t)) {
        return swarm_search_own_refuse(&t->own, t->search);
    }
    swarm_search_bus_end(&t->own, t->search);
    swarm_course_of(w)->interrupted = *stop != 0;
    w->now_us = (mf_us_t)((double)mf_search_steps(t->search) * t->settings.step_s * 1e6);
    for (size_t i = 0; i <= t->settings.member_count; i++) {
        t->became[i] = mf_search_statistics(t->search, i);
    }
    swarm_course_of(w)->hash = digest(t);
    tell(w, t, wall_s, cpu_s);
    result = write_statistics(w, t);
    if (result == SWARM_OK && w->members.crowd != NULL && mf_crowd_frozen(w->members.crowd) > 0) {
        return SWARM_FROZEN;
    }
    return result == SWARM_OK && swarm_course_of(w)->interrupted ? SWARM_SIGNAL : result;
}

static int search(struct swarm *w, struct team *t, const volatile int *stop, const char *plans,
                  bool asks)
{
    int result = check(w);
    if (result == SWARM_OK) {
        result = build(w, t);
    }
    if (result == SWARM_OK) {
        result = begin(w, t);
    }
    if (result == SWARM_OK && plans != NULL && w->scenario->search.plan == MF_SEARCH_BUS) {
        return swarm_refuse(w, w->scenario->search.line,
                            "plan: of kind bus is made while it runs: it cannot be exported");
    }
    if (result == SWARM_OK && plans != NULL) {
        return mf_search_begin(t->search) ? swarm_team_export(w, t, plans)
                                          : swarm_search_own_refuse(&t->own, t->search);
    }
    if (result == SWARM_OK && stop != NULL) {
        result = swarm_bus_open(w);
        result = result == SWARM_OK ? fly(w, t, stop, asks) : result;
        swarm_bus_close(w, result);
    }
    return result;
}

int swarm_search(struct swarm *w, const volatile int *stop, const char *plans, bool steps)
{
    struct team *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return swarm_refuse(w, w->scenario->search.line, "plan: no memory");
    }
    const int result = search(w, t, stop, plans, steps);
    swarm_team_end(w, t);
    swarm_search_own_free(&t->own);
    free(t->memory.bytes);
    free(t->member);
    free(t->number);
    free(t->became);
    free(t);
    return result;
}
