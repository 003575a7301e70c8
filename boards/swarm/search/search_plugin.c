/* SPDX-License-Identifier: Apache-2.0 */
/* Calls plug-ins that plan, detect and compute costs, and reads measured tables of detection.
 * search.c prepares them. */
#include "boards/swarm/search/search_plugin.h"

#include "boards/swarm/search/search_bus.h"
#include "math/chance.h"
#include "mavlink/sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Purpose of random numbers; fleet/search.c has smaller ones. */
enum { OWN_PURPOSE = 32 };

/* ---- calls */

static void enter_plugin(struct swarm_search_plugin *o, const struct swarm_plugin *what)
{
    o->last = what;
    swarm_plugin_enter(what);
}

/* Copy the reason of a plug-in, whose memory may change. */
static const char *leave_plugin(struct swarm_search_plugin *o, const char *why)
{
    if (why != NULL) {
        (void)snprintf(o->text, sizeof o->text, "%s", why);
    }
    swarm_plugin_leave();
    return why != NULL ? o->text : NULL;
}

static struct mf_plugin_place plugin_place_of(struct mf_enu at)
{
    return (struct mf_plugin_place){(double)at.e, (double)at.n, (double)at.u};
}

static bool order_path(void *host, uint32_t member, enum mf_plugin_where where,
                       const struct mf_plugin_goal *goal, uint32_t goals)
{
    static const enum mf_search_where k_where[] = {[MF_PLUGIN_INSTEAD] = MF_SEARCH_INSTEAD,
                                                   [MF_PLUGIN_FIRST] = MF_SEARCH_FIRST,
                                                   [MF_PLUGIN_LAST] = MF_SEARCH_LAST};
    struct swarm_search_plugin *o = host;
    const uint32_t n = goals < MF_SEARCH_GOALS_MAX ? goals : MF_SEARCH_GOALS_MAX;
    if ((unsigned)where > MF_PLUGIN_LAST) {
        where = MF_PLUGIN_LAST;
    }
    for (uint32_t i = 0; i < n; i++) {
        o->goal[i] = (struct mf_mover_goal){
            {(float)goal[i].at.east, (float)goal[i].at.north, (float)goal[i].at.up},
            (float)goal[i].speed_mps};
    }
    return mf_search_go(o->plans, member, k_where[where], o->goal, n) == MF_E_OK && n == goals;
}

static const char *begin_by_plugin(void *ctx, struct mf_search *q)
{
    struct swarm_search_plugin *o = ctx;
    const struct mf_search_settings *s = o->settings;
    const struct mf_plugin_area area = {o->corner,
                                        (uint32_t)s->corner_count,
                                        o->member,
                                        (uint32_t)s->member_count,
                                        plugin_place_of(s->station),
                                        s->altitude_m,
                                        s->speed_mps,
                                        mf_search_edge_m(s)};
    const struct mf_plugin_paths paths = {o, order_path};
    o->plans = q;
    enter_plugin(o, &o->plan);
    return leave_plugin(o, o->plan.entry->plan->begin(&o->plan.self, &area, &paths));
}

static const char *report_to_plugin(void *ctx, struct mf_search *q)
{
    struct swarm_search_plugin *o = ctx;
    const struct mf_plugin_paths paths = {o, order_path};
    uint32_t n = 0;
    for (size_t i = 0; i < o->settings->member_count; i++) {
        const struct mf_en *at;
        const size_t fresh = mf_search_reports(q, i, &at);
        for (size_t k = 0; k < fresh && n < SWARM_REPORTS_MAX; k++) {
            o->reports[n++] = (struct mf_plugin_report){(uint32_t)i, {at[k].e, at[k].n, 0.0}};
        }
    }
    const double time_s = (double)mf_search_steps(q) * o->settings->step_s;
    o->plans = q;
    enter_plugin(o, &o->plan);
    return leave_plugin(
        o, o->plan.entry->plan->reported(&o->plan.self, time_s, o->reports, n, &paths));
}

static const char *plugin_probability(void *ctx, const struct mf_search *q,
                                      const struct mf_search_look *look, double *p)
{
    struct swarm_search_plugin *o = ctx;
    const struct mf_plugin_look l = {
        (uint32_t)look->member, look->sought,         look->model.seen,  look->model.mistaken,
        look->view.height_m,    look->view.speed_mps, look->view.away_m, look->view.corner_m};
    (void)q;
    enter_plugin(o, &o->detection);
    *p = o->detection.entry->detection->probability(&o->detection.self, &l);
    return leave_plugin(o, NULL);
}

static const char *add_plugin_cost(void *ctx, const struct mf_search *q, size_t member,
                                   double *cost_n)
{
    struct swarm_search_plugin *o = ctx;
    const struct mf_mover_thrust body = mf_search_member(q, member);
    const struct mf_plugin_motion motion = {
        (uint32_t)member, (double)mf_search_steps(q) * o->settings->step_s,
        plugin_place_of(body.pos_m), plugin_place_of(body.vel_mps), plugin_place_of(body.thrust_n)};
    enter_plugin(o, &o->cost);
    *cost_n = o->cost.entry->cost->cost(&o->cost.self, &motion);
    return leave_plugin(o, NULL);
}

/* ---- what the scenario chose */

static int give_state(struct swarm *w, struct swarm_search_plugin *o, struct swarm_plugin *own,
                      int line)
{
    own->self.key =
        mf_chance_key(w->scenario->seed, w->scenario->variation_number, 0, OWN_PURPOSE + o->found);
    o->found++;
    own->self.state = swarm_memory(w, line, own->entry->state_bytes + 1u);
    return own->self.state != NULL ? SWARM_OK : SWARM_INPUT;
}

static int find_search_plugin(struct swarm *w, struct swarm_search_plugin *o,
                              const struct mf_scenario_own *chosen, enum mf_plugin_kind kind,
                              const char *key, int line, struct swarm_plugin *own)
{
    const int result = swarm_plugin_find(w, chosen, kind, key, line, own);
    return result == SWARM_OK ? give_state(w, o, own, line) : result;
}

static int find_table(struct swarm *w, struct swarm_search_plugin *o,
                      struct mf_search_settings *settings)
{
    const struct mf_scenario_search *s = &w->scenario->search;
    char path[3 * MF_SCENARIO_FILE_MAX], error[MF_DETECTION_ERROR_MAX];
    uint8_t digest[MF_SHA256_BYTES];
    struct mf_sha256 sha;
    size_t n = 0;
    if (s->detection.file[0] == '\0') {
        return swarm_refuse(w, s->detection.line, "detection: model table needs file: NAME.csv");
    }
    swarm_plan_path(w, s->detection.file, path, sizeof path);
    char *text = swarm_read_file(w, path, &n);
    if (text == NULL) {
        return swarm_refuse(w, s->detection.line, "detection.file: %s: %s", path, strerror(errno));
    }
    const bool good = mf_detection_read(text, &o->table, error);
    mf_sha256_init(&sha);
    mf_sha256_add(&sha, (const uint8_t *)text, n);
    mf_sha256_end(&sha, digest);
    free(text);
    for (size_t i = 0; i + 1u < SWARM_FINGERPRINT_MAX; i += 2u) {
        (void)snprintf(&o->fingerprint[i], 3, "%02x", digest[i / 2u]);
    }
    settings->table = &o->table;
    return good ? SWARM_OK
                : swarm_refuse(w, s->detection.line, "detection.file: %s:%s", path, error);
}

static int describe_area(struct swarm *w, struct swarm_search_plugin *o)
{
    const struct mf_search_settings *s = o->settings;
    o->member = swarm_memory(w, w->scenario->search.line, s->member_count * sizeof *o->member);
    if (o->member == NULL) {
        return SWARM_INPUT;
    }
    for (size_t i = 0; i < s->corner_count; i++) {
        o->corner[i] = (struct mf_plugin_place){s->corners[i].e, s->corners[i].n, 0.0};
    }
    for (size_t i = 0; i < s->member_count; i++) {
        const struct mf_search_member *m = &s->members[i];
        o->member[i] = (struct mf_plugin_searcher){plugin_place_of(m->begin_m), m->fps,
                                                   m->lateral_rad, m->horizontal_rad};
    }
    return SWARM_OK;
}

int swarm_search_plugin_prepare(struct swarm *w, struct swarm_search_plugin *o,
                                struct mf_search_settings *settings)
{
    const struct mf_scenario_search *s = &w->scenario->search;
    int result = SWARM_OK;
    o->w = w;
    o->settings = settings;
    o->hooks.ctx = o;
    settings->own = &o->hooks;
    if (s->plan == MF_SEARCH_OWN) {
        result = find_search_plugin(w, o, &s->own, MF_PLUGIN_PLAN, "plan", s->line, &o->plan);
        result = result == SWARM_OK ? describe_area(w, o) : result;
        o->hooks.begin = begin_by_plugin;
        o->hooks.reported =
            result == SWARM_OK && o->plan.entry->plan->reported != NULL ? report_to_plugin : NULL;
    }
    if (result == SWARM_OK && s->cost.name[0] != '\0') {
        result = find_search_plugin(w, o, &s->cost, MF_PLUGIN_COST, "cost", s->cost.line, &o->cost);
        o->hooks.cost = add_plugin_cost;
    }
    if (result == SWARM_OK && s->detection.model == MF_SCENARIO_MODEL_OWN) {
        result = find_search_plugin(w, o, &s->detection.own, MF_PLUGIN_DETECTION, "detection",
                                    s->detection.line, &o->detection);
        o->hooks.probability = plugin_probability;
    }
    if (result == SWARM_OK && s->detection.model == MF_SCENARIO_MODEL_TABLE) {
        result = find_table(w, o, settings);
    }
    return result == SWARM_OK ? swarm_search_bus_prepare(o) : result;
}

int swarm_search_plugin_refuse(const struct swarm_search_plugin *o, const struct mf_search *q)
{
    const bool bus = o->w->scenario->search.plan == MF_SEARCH_BUS;
    char name[MF_SCENARIO_FILE_MAX + 64u];
    (void)snprintf(name, sizeof name, "%s", bus ? "plan of the bus" : "plan");
    if (o->w->error[0] != '\0') {
        return SWARM_INPUT; /* the bus has said why */
    }
    if (o->last != NULL) {
        swarm_plugin_name(o->last, name, sizeof name);
    }
    return swarm_refuse(o->w, o->w->scenario->search.line, "%s: %s", name, mf_search_error(q));
}
