/* SPDX-License-Identifier: Apache-2.0 */
/* Plans and detection of programs on the bus, for a search. search.c calls it. */
#include "boards/swarm/search/search_bus.h"

#include "boards/swarm/outside/bus.h"

#include <math.h>

static mf_us_t search_time_us(const struct swarm_search_plugin *o, const struct mf_search *q)
{
    return mf_us_of((double)mf_search_steps(q) * o->settings->step_s);
}

/* ---- what is told */

void swarm_search_put_area(const struct mf_search_settings *s, struct mf_bus_writer *f)
{
    const double all[] = {(double)s->station.n,
                          (double)s->station.e,
                          (double)s->station.u,
                          mf_search_edge_m(s),
                          s->altitude_m,
                          s->speed_mps,
                          s->step_s};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        mf_bus_put_f64(f, all[i]);
    }
    mf_bus_put_u(f, s->member_count, 4);
    mf_bus_put_u(f, s->corner_count, 4);
    for (size_t i = 0; i < s->corner_count; i++) {
        mf_bus_put_f64(f, s->corners[i].n);
        mf_bus_put_f64(f, s->corners[i].e);
    }
}

static void send_area(struct swarm *w, void *ctx, uint32_t participant)
{
    const struct swarm_search_plugin *o = ctx;
    swarm_search_put_area(o->settings, swarm_bus_frame(w, MF_BUS_AREA));
    swarm_bus_send_to(w, participant);
}

void swarm_search_put_state(const struct mf_search *q, struct mf_bus_writer *f, uint32_t i)
{
    const struct mf_mover_thrust m = mf_search_member(q, i);
    mf_bus_put_f64(f, (double)m.pos_m.n);
    mf_bus_put_f64(f, (double)m.pos_m.e);
    mf_bus_put_f64(f, (double)m.pos_m.u);
    mf_bus_put_f32(f, m.vel_mps.n);
    mf_bus_put_f32(f, m.vel_mps.e);
    mf_bus_put_f32(f, m.vel_mps.u);
    mf_bus_put_f32(f, atan2f(m.heading.e, m.heading.n));
    mf_bus_put_u(f, mf_search_points_left(q, i), 4);
    mf_bus_put_u(f, 1, 1);
    mf_bus_put_u(f, 0, 3);
}

static void put_member_state(struct swarm *w, void *ctx, struct mf_bus_writer *f, uint32_t i)
{
    (void)w;
    swarm_search_put_state(((const struct swarm_search_plugin *)ctx)->q, f, i);
}

static void put_frames(struct swarm *w, void *ctx)
{
    const struct swarm_search_plugin *o = ctx;
    const struct mf_search *q = o->q;
    swarm_bus_send_states(w, (uint32_t)o->settings->member_count, put_member_state, ctx);
    struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_REPORTS);
    for (size_t i = 0; mf_search_steps(q) > 0 && i < o->settings->member_count; i++) {
        const struct mf_en *at;
        const size_t n = mf_search_reports(q, i, &at);
        for (size_t k = 0; k < n && mf_bus_fits(f, MF_BUS_REPORT_BYTES); k++) {
            mf_bus_put_u(f, i, 8);
            mf_bus_put_f64(f, at[k].n);
            mf_bus_put_f64(f, at[k].e);
        }
    }
    if (f->n > MF_BUS_HEADER) {
        swarm_bus_send(w);
    }
}

/* ---- what is heard */

static const char *obey_frame(struct swarm *w, void *ctx, uint32_t participant,
                              const struct mf_bus_frame *frame)
{
    struct swarm_search_plugin *o = ctx;
    struct mf_bus_path path;
    (void)participant;
    if (frame->type != MF_BUS_PATH || w->scenario->search.plan != MF_SEARCH_BUS) {
        return "gives orders to a team whose plan is not of kind bus; its orders are PATH";
    }
    const char *why = mf_bus_path(frame, &path);
    if (why != NULL || path.goals > MF_SEARCH_GOALS_MAX) {
        return why != NULL ? why : "sends a PATH of more than 4096 goals";
    }
    for (size_t i = 0; i < path.goals; i++) {
        o->goal[i] = mf_bus_goal(&path, i);
    }
    if (mf_search_go(o->q, path.member, path.where, o->goal, path.goals) == MF_E_OK) {
        return NULL;
    }
    (void)snprintf(o->text, sizeof o->text, "sends a path: %s", mf_search_error(o->q));
    return o->text;
}

static bool exchange_frames(struct swarm_search_plugin *o, enum swarm_bus_cause cause)
{
    static const struct swarm_bus_ops k_ops = {put_frames, obey_frame};
    struct swarm *w = o->w;
    const bool plans = w->scenario->search.plan == MF_SEARCH_BUS;
    const bool fine = swarm_bus_turn(w, search_time_us(o, o->q), cause, &k_ops, o) == SWARM_OK;
    if (fine && plans && mf_search_error(o->q) == NULL && swarm_bus_count_controllers(w) == 0) {
        (void)swarm_refuse(w, w->scenario->bus.line,
                           "bus: no controller is left, and the plan is of kind bus: a planner "
                           "stays until END");
    }
    return fine && w->error[0] == '\0';
}

static const char *exchange_reports(void *ctx, struct mf_search *q)
{
    struct swarm_search_plugin *o = ctx;
    o->told = mf_search_steps(q);
    return exchange_frames(o, SWARM_BUS_REPORT) ? NULL : "the bus";
}

static const char *ask_probability(void *ctx, const struct mf_search *q,
                                   const struct mf_search_look *look, double *p)
{
    struct swarm_search_plugin *o = ctx;
    struct mf_bus_writer *f = swarm_bus_frame(o->w, MF_BUS_LOOKS);
    const double all[] = {(double)search_time_us(o, q) / 1e6,
                          look->view.height_m,
                          look->view.speed_mps,
                          look->view.away_m,
                          look->view.corner_m,
                          look->model.seen,
                          look->model.mistaken};
    mf_bus_put_u(f, look->member, 4);
    mf_bus_put_u(f, look->sought ? 1 : 0, 4);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        mf_bus_put_f64(f, all[i]);
    }
    const struct mf_bus_frame *answer = swarm_bus_ask(o->w, MF_BUS_DETECTIONS);
    return answer == NULL ? "the bus" : mf_bus_detection(answer, p);
}

/* ---- the run */

int swarm_search_bus_prepare(struct swarm_search_plugin *o)
{
    const struct mf_scenario *s = o->w->scenario;
    const bool plans = s->search.plan == MF_SEARCH_BUS;
    const bool detects = s->search.detection.model == MF_SCENARIO_MODEL_BUS;
    if ((plans || detects) && s->bus.listen[0] == '\0') {
        return swarm_refuse(o->w, plans ? s->search.line : s->search.detection.line,
                            "%s: of kind bus needs bus: {listen: PORT} (docs/bus.md)",
                            plans ? "plan" : "detection");
    }
    if ((plans || detects) && s->bus.controllers == 0) {
        return swarm_refuse(o->w, s->bus.line,
                            "bus.controllers: 0, but plan or detection is a "
                            "controller's");
    }
    o->hooks.reported = s->bus.listen[0] != '\0' && plans ? exchange_reports : o->hooks.reported;
    o->hooks.probability = detects ? ask_probability : o->hooks.probability;
    return SWARM_OK;
}

bool swarm_search_bus_begin(struct swarm_search_plugin *o, struct mf_search *q)
{
    o->q = q;
    o->told = UINT64_MAX;
    return !swarm_has(o->w, SWARM_SLOT_BUS) ||
           (swarm_bus_gather(o->w, send_area, o) == SWARM_OK && exchange_frames(o, SWARM_BUS_TICK));
}

bool swarm_search_bus_step(struct swarm_search_plugin *o, struct mf_search *q)
{
    const bool told = o->told == mf_search_steps(q);
    return !swarm_has(o->w, SWARM_SLOT_BUS) || told ||
           !swarm_bus_is_due(o->w, search_time_us(o, q), SWARM_BUS_TICK) ||
           exchange_frames(o, SWARM_BUS_TICK);
}

void swarm_search_bus_end(struct swarm_search_plugin *o, const struct mf_search *q)
{
    if (!swarm_has(o->w, SWARM_SLOT_BUS)) {
        return;
    }
    swarm_bus_set_time(o->w, search_time_us(o, q));
    struct mf_bus_writer *f = swarm_bus_frame(o->w, MF_BUS_STATISTICS);
    for (size_t i = 0; i <= o->settings->member_count && mf_bus_fits(f, MF_BUS_STATISTICS_BYTES);
         i++) {
        const struct mf_search_statistics s = mf_search_statistics(q, i);
        mf_bus_put_u(f, i < o->settings->member_count ? i : UINT32_MAX, 4);
        mf_bus_put_u(f, s.frames, 4);
        mf_bus_put_f64(f, s.precision);
        mf_bus_put_f64(f, s.recall);
        mf_bus_put_f64(f, s.f1);
        mf_bus_put_f64(f, s.energy_ns);
        mf_bus_put_f64(f, s.covered);
        mf_bus_put_f64(f, s.spotted);
    }
    swarm_bus_send(o->w);
}
