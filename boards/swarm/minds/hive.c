/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the central planner: reads the states of its drones, decides, and gives orders.
 * program/systems.c lists its system. */
#include "boards/swarm/minds/hive.h"

#include "boards/swarm/members/members.h"
#include "fleet/hive_port.h"
#include "fleet/place.h"
#include "math/trig.h"

#include <math.h>

#define START_US  MF_SECOND_US /* by this time all members have reported a position */
#define CELLS_MAX 65536u

struct swarm_hive {
    struct mf_hive hive;
    struct mf_hive_pilot *pilot; /* [hive.bees], in the order of members */
    struct mf_hive_flight flight;
    uint32_t first_flower;
    mf_us_t at_us; /* time of the present turn */
    bool done;
    struct mf_timer timer;
};

/* @return NULL: it is not written */
static FILE *hive_file_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_HIVE_FILE];
}

static struct swarm_hive *hive_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_HIVE];
}

/* ---- set-up */

static const struct mf_scenario_entity *find_sought_entity(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->entities; k++) {
        uint32_t from, to;
        const char *seeks = s->entity[k].seeker.seeks;
        if (seeks[0] != '\0' && mf_scenario_find(s, seeks, &from, &to)) {
            return mf_scenario_entity_of(s, from);
        }
    }
    return NULL;
}

static struct mf_en local_place(const struct mf_scenario *s, uint32_t i)
{
    double ne_m[2];
    const struct mf_placed placed = mf_place(s, i);
    mf_geo_to_local((struct mf_geo){s->origin[0], s->origin[1]}, placed.at, ne_m);
    return (struct mf_en){ne_m[1], ne_m[0]};
}

/* Corners of the planner's area: the boundary, or a rectangle around the hive and all objects.
 * @param corner  out [MF_SCENARIO_CORNERS_MAX]
 * @return their number */
static size_t fill_area_corners(const struct mf_scenario *s,
                                const struct mf_scenario_entity *flowers, struct mf_en *corner)
{
    struct mf_en low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (uint32_t k = 0; k < s->search.corners; k++) {
        corner[k] = (struct mf_en){s->search.corner[k][1], s->search.corner[k][0]};
    }
    if (s->search.corners > 0) {
        return s->search.corners;
    }
    for (uint32_t i = 0; i < s->members; i++) {
        const struct mf_scenario_entity *e = mf_scenario_entity_of(s, i);
        if (e == flowers || e->object.thing == MF_SCENARIO_THING_HIVE) {
            const struct mf_en at = local_place(s, i);
            low = (struct mf_en){fmin(low.e, at.e - 1.0), fmin(low.n, at.n - 1.0)};
            high = (struct mf_en){fmax(high.e, at.e + 1.0), fmax(high.n, at.n + 1.0)};
        }
    }
    corner[0] = low;
    corner[1] = (struct mf_en){high.e, low.n};
    corner[2] = high;
    corner[3] = (struct mf_en){low.e, high.n};
    return 4;
}

static void fill_hive(struct swarm *w, const struct mf_scenario_entity *flowers)
{
    const struct mf_scenario *s = w->scenario;
    struct swarm_hive *v = hive_of(w);
    uint32_t n = 0;
    for (uint32_t f = 0; f < v->hive.flowers; f++) {
        v->hive.flower[f].at = local_place(s, flowers->first + f);
        v->hive.flower[f].pollen = flowers->object.pollen;
    }
    for (uint32_t i = 0; i < s->members; i++) {
        const struct mf_scenario_entity *e = mf_scenario_entity_of(s, i);
        if (!mf_scenario_is_chosen(s, &s->planner.of, i, false)) {
            continue;
        }
        struct mf_bee *bee = &v->hive.bee[n];
        bee->home = local_place(s, i);
        bee->seeks = e->seeker.seeks[0] != '\0';
        bee->ahead_tan = mf_tan(e->seeker.lateral_rad);
        bee->across_tan = mf_tan(e->seeker.horizontal_rad);
        bee->capacity_mas = e->cell.mah * 3600.0;
        bee->draw_ma = e->cell.draw_ma;
        bee->charge_below = e->cell.charge_below;
        v->pilot[n] =
            (struct mf_hive_pilot){.member = i, .boot_ms = UINT32_MAX, .fps = e->seeker.fps};
        v->pilot[n].mind.height_m = (float)s->planner.height_m;
        n++;
    }
}

static double recharge_s(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->entities; k++) {
        if (s->entity[k].object.thing == MF_SCENARIO_THING_HIVE) {
            return s->entity[k].object.recharge_s;
        }
    }
    return 0.0;
}

static void report_news(void *ctx, enum mf_hive_news news, uint32_t bee, uint32_t cell,
                        uint32_t flower);

static int prepare_hive(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_planner *p = &s->planner;
    struct mf_en corner[MF_SCENARIO_CORNERS_MAX];
    uint32_t bees = 0;
    if (p->kind < 0) {
        return SWARM_OK;
    }
    for (uint32_t i = 0; i < s->members; i++) {
        bees += mf_scenario_is_chosen(s, &p->of, i, false) ? 1u : 0u;
    }
    const struct mf_scenario_entity *flowers = find_sought_entity(s);
    MF_ASSERT(flowers != NULL); /* check_planner() has checked the scenario */
    struct mf_hive_settings settings = {.corner = corner,
                                        .corners = fill_area_corners(s, flowers, corner),
                                        .reach_m = p->reach_m,
                                        .height_m = p->height_m,
                                        .recharge_us = (mf_us_t)(recharge_s(s) * 1e6),
                                        .lost_us = (mf_us_t)(p->lost_s * 1e6)};
    settings.grid = mf_coverage_grid(corner, settings.corners, p->cell_m);
    if ((uint64_t)settings.grid.columns * settings.grid.rows > CELLS_MAX) {
        return swarm_refuse(
            w, p->line, "planner: the world has more than %u cells: raise planner.cell", CELLS_MAX);
    }
    struct swarm_hive *v = swarm_memory(w, p->line, sizeof *v);
    struct mf_hive_pilot *pilot = swarm_memory(w, p->line, bees * sizeof *pilot);
    void *bytes = swarm_memory(w, p->line, mf_hive_bytes(&settings.grid, bees, flowers->count));
    if (v == NULL || pilot == NULL || bytes == NULL) {
        return SWARM_INPUT;
    }
    w->state[SWARM_SLOT_HIVE] = v;
    v->pilot = pilot;
    v->first_flower = flowers->first;
    v->flight = (struct mf_hive_flight){.origin = {s->origin[0], s->origin[1], s->origin[2]},
                                        .height_m = p->height_m,
                                        .speed_mps = p->speed_mps,
                                        .rise = {.rate_hz = p->rate_hz},
                                        .period_us = (mf_us_t)(1e6 / p->rate_hz + 0.5)};
    mf_hive_init(&v->hive, &settings, bees, flowers->count, bytes);
    v->hive.tell = report_news;
    v->hive.ctx = w;
    fill_hive(w, flowers);
    mf_hive_begin(&v->hive);
    return SWARM_OK;
}

/* ---- reports */

static int open_hive_file(struct swarm *w)
{
    const struct mf_scenario_output *o = &w->scenario->outputs.hive;
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    if (hive_of(w) == NULL) {
        return swarm_refuse(w, o->line, "outputs: hive: there is no planner");
    }
    w->state[SWARM_SLOT_HIVE_FILE] = swarm_open(w, o, 0);
    if (hive_file_of(w) == NULL) {
        return SWARM_INPUT;
    }
    if (w->command->resume == NULL) {
        (void)fputs("t_s,member,what,cell,object,pollen\n", hive_file_of(w));
    }
    return SWARM_OK;
}

/* Report the event of a visited object. */
static void note_visit(struct swarm *w, uint32_t member)
{
    struct mf_crowd_state now = swarm_state(w, member);
    const uint32_t events = 1u << MF_SCENARIO_EVENT_VISITED;
    now.at_us = hive_of(w)->at_us;
    swarm_systems_changed(w, &(struct swarm_change){0, member, events, &now, &now});
}

static void report_news(void *ctx, enum mf_hive_news news, uint32_t bee, uint32_t cell,
                        uint32_t flower)
{
    static const char *const k_word[] = {
#define X(name, word) word,
        MF_HIVE_NEWS_LIST(X)
#undef X
    };
    struct swarm *w = ctx;
    const struct swarm_hive *v = hive_of(w);
    if (news == MF_HIVE_VISITED) {
        note_visit(w, v->first_flower + flower);
    }
    if (hive_file_of(w) == NULL) {
        return;
    }
    (void)fprintf(hive_file_of(w), "%.6f,%s,%s,", (double)v->at_us / 1e6,
                  swarm_name(w, v->pilot[bee].member).text, k_word[news]);
    if (cell != MF_HIVE_NONE) {
        (void)fprintf(hive_file_of(w), "%u", (unsigned)cell);
    }
    (void)fprintf(hive_file_of(w), ",%s,%u\n",
                  flower != MF_HIVE_NONE ? swarm_name(w, v->first_flower + flower).text : "",
                  (unsigned)v->hive.total.pollen);
}

static void print_hive(const struct swarm *w)
{
    if (hive_of(w) == NULL) {
        return;
    }
    const struct mf_hive_totals *t = &hive_of(w)->hive.total;
    (void)printf("hive      %u of %u cells surveyed, %u of %u objects visited, %u pollen, %u "
                 "charges, %u lost, %u back",
                 t->surveyed, t->cells, t->visited, t->flowers, t->pollen, t->charges, t->lost,
                 t->back);
    if (t->done_us >= 0) {
        (void)printf(", done at %.1f s\n", (double)t->done_us / 1e6);
    } else {
        (void)printf("\n");
    }
}

static bool close_hive_file(struct swarm *w)
{
    FILE *file = hive_file_of(w);
    w->state[SWARM_SLOT_HIVE_FILE] = NULL;
    return swarm_close(w, file);
}

/* ---- turns: look at all drones, plan, then order; each thread writes only to its own drones */

static void look_at_drone(struct swarm *w, uint32_t i, const struct mf_order_port *port)
{
    struct swarm_hive *v = hive_of(w);
    const uint32_t drone = mf_hive_pilot_of(v->pilot, v->hive.bees, i);
    if (drone != MF_HIVE_NONE) {
        mf_hive_look(&v->hive, drone, &v->pilot[drone], &v->flight, v->at_us, port);
    }
}

static void steer_drone(struct swarm *w, uint32_t i, const struct mf_order_port *port)
{
    struct swarm_hive *v = hive_of(w);
    const uint32_t drone = mf_hive_pilot_of(v->pilot, v->hive.bees, i);
    if (drone != MF_HIVE_NONE) {
        mf_hive_steer(&v->hive, drone, &v->pilot[drone], &v->flight, port);
    }
}

static void run_hive_turn(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct swarm *w = ctx;
    struct swarm_hive *v = hive_of(w);
    (void)id;
    v->at_us = at_us;
    for (uint32_t i = 0; i < v->hive.bees; i++) {
        mf_hive_see(&v->hive, i, at_us, &(struct mf_bee_view){0});
    }
    swarm_visit_all(w, at_us, look_at_drone);
    mf_hive_think(&v->hive, at_us);
    swarm_visit_all(w, at_us, steer_drone);
    v->done = mf_hive_rests(&v->hive);
    if (!v->done) {
        const int result = mf_timer_set(&w->engine, &v->timer, at_us + v->flight.period_us, 0);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer */
    }
    swarm_costs_lap(w, SWARM_COST_BEHAVIOURS, v->hive.bees);
}

static int start_hive_timer(struct swarm *w)
{
    struct swarm_hive *h = hive_of(w);
    if (h != NULL) {
        mf_timer_init(&h->timer, MF_PHASE_CONTROL, 0, run_hive_turn, w);
        const int result = mf_timer_set(&w->engine, &h->timer, START_US, 0);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer */
    }
    return SWARM_OK;
}

static bool is_hive_idle(const struct swarm *w)
{
    return hive_of(w) == NULL || hive_of(w)->done;
}

const struct swarm_system swarm_hive_system = {
    .name = "hive",
    .on = {[SWARM_PREPARE] = prepare_hive,
           [SWARM_OPEN] = open_hive_file,
           [SWARM_BEGIN] = start_hive_timer},
    .is_idle = is_hive_idle,
    .print_summary = print_hive,
    .complete = close_hive_file,
};
