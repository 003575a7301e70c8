/* SPDX-License-Identifier: Apache-2.0 */
/* Compares events, modes and positions of members with the scenario's expectations, and reports
 * failures. program/systems.c lists its system. */
#include "boards/swarm/output/expect.h"

#include "boards/swarm/core/junit.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "firmware/flight/mode.h"
#include "fleet/place.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#define WHY_MAX  SWARM_CASE_WHY_MAX
#define WHAT_MAX SWARM_CASE_NAME_MAX

/* Members from .. to - 1; their times begin at @c offset in at_s. */
struct range {
    uint32_t from, to, offset;
};

/* An expectation and its state. */
struct watch {
    struct swarm *w;
    const struct mf_scenario_expect *e;
    struct range range[MF_SCENARIO_CHOSEN_MAX];
    uint32_t ranges;
    uint32_t members;
    double *at_s; /* event expectations: [members], time of the event [s]; NAN: none yet; < 0: it
                   * was at -at_s - 1, too early or late */
    int mode;     /* expected enum mf_mode; < 0: none */
    struct mf_timer timer;
    bool looked;       /* the mode or position was checked at its time */
    uint32_t wrong;    /* number of members that do not meet the expectation */
    char why[WHY_MAX]; /* reason of the first such member */
};

struct swarm_expect {
    uint32_t count;
    struct watch watch[];
};

static struct swarm_expect *expects_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_EXPECT];
}

/* ---- set-up */

static int mode_of_name(const char *name)
{
    for (int i = 0; i < MF_MODE_COUNT; i++) {
        if (strcasecmp(mf_mode_info((enum mf_mode)i)->text, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void find_members(struct watch *x)
{
    const struct mf_scenario *s = x->w->scenario;
    const struct mf_scenario_chosen *of = &x->e->of;
    x->ranges = of->count > 0 ? of->count : 1u;
    x->range[0] = (struct range){0, s->members, 0};
    x->members = 0;
    for (uint32_t i = 0; i < x->ranges; i++) {
        if (of->count > 0) {
            const bool found = mf_scenario_find(s, of->name[i], &x->range[i].from, &x->range[i].to);
            MF_ASSERT(found); /* the reader of the scenario has checked the names */
        }
        x->range[i].offset = x->members;
        x->members += x->range[i].to - x->range[i].from;
    }
}

static int prepare_watch(struct watch *x)
{
    find_members(x);
    x->mode = -1;
    if (x->e->mode[0] != '\0') {
        x->mode = mode_of_name(x->e->mode);
        if (x->mode < 0) {
            return swarm_refuse(x->w, x->e->line, "expect: mode '%s' is not known", x->e->mode);
        }
    }
    if (x->e->event < 0 && x->e->never < 0) {
        return SWARM_OK;
    }
    x->at_s = swarm_memory(x->w, x->e->line, x->members * sizeof x->at_s[0]);
    if (x->at_s == NULL) {
        return SWARM_INPUT;
    }
    for (uint32_t i = 0; i < x->members; i++) {
        x->at_s[i] = (double)NAN;
    }
    return SWARM_OK;
}

static int prepare_expectations(struct swarm *w)
{
    const uint32_t count = w->scenario->expects;
    w->state[SWARM_SLOT_EXPECT] =
        swarm_memory(w, 1, sizeof *expects_of(w) + count * sizeof(struct watch));
    int result = expects_of(w) != NULL ? SWARM_OK : SWARM_INPUT;
    for (uint32_t i = 0; i < count && result == SWARM_OK; i++) {
        expects_of(w)->watch[i].w = w;
        expects_of(w)->watch[i].e = &w->scenario->expect[i];
        expects_of(w)->count++;
        result = prepare_watch(&expects_of(w)->watch[i]);
    }
    return result;
}

static int resume_expectations(struct swarm *w)
{
    for (uint32_t i = 0; i < expects_of(w)->count; i++) {
        expects_of(w)->watch[i].e = &w->scenario->expect[i];
    }
    return SWARM_OK;
}

/* ---- events */

static bool in_time(const struct mf_scenario_expect *e, double t_s)
{
    return (isnan(e->by_s) || t_s <= e->by_s) &&
           (isnan(e->between_s[0]) || (t_s >= e->between_s[0] && t_s <= e->between_s[1]));
}

static void note_time(struct watch *x, uint32_t i, const struct mf_crowd_state *now)
{
    const double t_s = (double)now->at_us / 1e6;
    for (uint32_t k = 0; k < x->ranges; k++) {
        const struct range *range = &x->range[k];
        if (i < range->from || i >= range->to) {
            continue;
        }
        double *at_s = &x->at_s[range->offset + (i - range->from)];
        if (isnan(*at_s) || *at_s < 0.0) {
            *at_s = in_time(x->e, t_s) ? t_s : isnan(*at_s) ? -t_s - 1.0 : *at_s;
        }
    }
}

/* True if a mission item is the expected one. An item without a motion reports no event: it is
 * reached at the instant of the item before it. */
static bool is_item(const struct mf_scenario_expect *e, const struct mf_crowd_state *before,
                    const struct mf_crowd_state *now)
{
    const int32_t item = (int32_t)e->item;
    return e->any_item || now->reached == item || (before->reached < item && item < now->reached);
}

static void note_change(struct swarm *w, const struct swarm_change *c)
{
    for (uint32_t k = 0; k < expects_of(w)->count; k++) {
        struct watch *x = &expects_of(w)->watch[k];
        const int32_t event = x->e->event >= 0 ? x->e->event : x->e->never;
        if (event >= 0 && (c->events >> event & 1u) != 0 &&
            (event != MF_SCENARIO_EVENT_ITEM || is_item(x->e, c->before, c->now))) {
            note_time(x, c->member, c->now);
        }
    }
}

/* ---- modes and positions at a time */

__attribute__((format(printf, 3, 4))) static void wrong(struct watch *x, uint32_t i,
                                                        const char *format, ...)
{
    char what[WHY_MAX - SWARM_NAME_MAX - 4u], name[SWARM_NAME_MAX];
    va_list args;
    if (x->wrong++ > 0) {
        return;
    }
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    mf_scenario_member_name(x->w->scenario, i, name);
    (void)snprintf(x->why, sizeof x->why, "%s %s", name, what);
}

static void look_at_member(struct watch *x, uint32_t i, mf_us_t at_us)
{
    const struct mf_crowd_state now = swarm_state(x->w, i);
    if (swarm_is_absent(x->w, i, at_us)) {
        return;
    }
    if (now.frozen) {
        wrong(x, i, "is frozen");
        return;
    }
    if (x->mode >= 0) {
        if (now.mode != x->mode) {
            wrong(x, i, "is in mode %s", mf_mode_info((enum mf_mode)now.mode)->text);
        }
        return;
    }
    const struct mf_scenario *s = x->w->scenario;
    const struct mf_pose pose = swarm_pose(x->w, i, at_us);
    double is[3];
    mf_geo_to_local((struct mf_geo){s->origin[0], s->origin[1]},
                    (struct mf_geo){pose.lat_deg, pose.lon_deg}, is);
    is[2] = pose.alt_amsl_m - s->origin[2];
    const double d[3] = {is[0] - x->e->position[0], is[1] - x->e->position[1],
                         is[2] - x->e->position[2]};
    const double distance_m = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(distance_m <= x->e->within_m)) {
        wrong(x, i, "is at [%.2f, %.2f, %.2f], %.2f m away", is[0], is[1], is[2], distance_m);
    }
}

static void look_at_members(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct watch *x = ctx;
    (void)id;
    x->looked = true;
    for (uint32_t k = 0; k < x->ranges; k++) {
        for (uint32_t i = x->range[k].from; i < x->range[k].to; i++) {
            look_at_member(x, i, at_us);
        }
    }
}

static int start_watch_timers(struct swarm *w)
{
    for (uint32_t k = 0; k < expects_of(w)->count; k++) {
        struct watch *x = &expects_of(w)->watch[k];
        if (isnan(x->e->at_s)) {
            continue;
        }
        mf_timer_init(&x->timer, MF_PHASE_OBSERVE, k, look_at_members, x);
        const int result = mf_timer_set(&w->engine, &x->timer, (mf_us_t)(x->e->at_s * 1e6), 0);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS has one for each expectation */
    }
    return SWARM_OK;
}

/* ---- at the end of the run */

/* Check whether a member meets an expectation of an event. @param at_s  as in struct watch */
static void judge_member(struct watch *x, uint32_t i, double at_s)
{
    const bool happened = !isnan(at_s) && at_s >= 0.0;
    if (x->e->event != MF_SCENARIO_EVENT_ARRIVED && swarm_arrived_us(x->w, i) > x->w->now_us) {
        return; /* a member that has not arrived can only fail to arrive */
    }
    if (x->e->never >= 0) {
        if (happened) {
            wrong(x, i, "did so at %.6f s", at_s);
        }
    } else if (!happened && isnan(at_s)) {
        wrong(x, i, "did not");
    } else if (!happened) {
        wrong(x, i, "did so at %.6f s", -at_s - 1.0);
    }
}

static void judge_watch(struct watch *x)
{
    if (x->at_s != NULL) {
        for (uint32_t k = 0; k < x->ranges; k++) {
            const struct range *range = &x->range[k];
            for (uint32_t i = range->from; i < range->to; i++) {
                judge_member(x, i, x->at_s[range->offset + (i - range->from)]);
            }
        }
    } else if (!x->looked && isnan(x->e->at_s)) {
        look_at_members(x, 0, x->w->now_us);
    } else if (!x->looked) {
        x->wrong = x->members;
        (void)snprintf(x->why, sizeof x->why, "the run ended at %.6f s",
                       (double)x->w->now_us / 1e6);
    }
}

/* Text of an expectation: "walker: item 3 by 120 s". @param text  out [WHAT_MAX] */
static void describe_expectation(const struct watch *x, char *text)
{
    const struct mf_scenario_expect *e = x->e;
    char when[64] = "", what[80];
    if (e->event >= 0 || e->never >= 0) {
        const int32_t event = e->event >= 0 ? e->event : e->never;
        char item[16] = "";
        if (event == MF_SCENARIO_EVENT_ITEM && !e->any_item) {
            (void)snprintf(item, sizeof item, " %u", (unsigned)e->item);
        }
        (void)snprintf(what, sizeof what, "%s%s%s", e->never >= 0 ? "never " : "",
                       mf_scenario_event_words[event], item);
    } else if (x->mode >= 0) {
        (void)snprintf(what, sizeof what, "mode %s", e->mode);
    } else {
        (void)snprintf(what, sizeof what, "within %g m of [%g, %g, %g]", e->within_m,
                       e->position[0], e->position[1], e->position[2]);
    }
    if (!isnan(e->by_s)) {
        (void)snprintf(when, sizeof when, " by %g s", e->by_s);
    } else if (!isnan(e->between_s[0])) {
        (void)snprintf(when, sizeof when, " between %g and %g s", e->between_s[0], e->between_s[1]);
    } else if (!isnan(e->at_s)) {
        (void)snprintf(when, sizeof when, " at %g s", e->at_s);
    }
    (void)snprintf(text, WHAT_MAX, "%s%s: %s%s", e->of.count > 0 ? e->of.name[0] : "everybody",
                   e->of.count > 1 ? ", ..." : "", what, when);
}

static void print_result(const struct watch *x)
{
    char what[WHAT_MAX];
    describe_expectation(x, what);
    if (x->wrong == 0) {
        (void)printf("ok      %s (line %d)\n", what, x->e->line);
    } else {
        (void)printf("FAILED  %s (line %d): %s%s", what, x->e->line, x->why,
                     x->wrong > 1 ? "" : "\n");
        if (x->wrong > 1) {
            (void)printf("; it fails for %u of %u\n", (unsigned)x->wrong, (unsigned)x->members);
        }
    }
}

static int write_junit(struct swarm *w, int failed)
{
    const struct swarm_expect *e = expects_of(w);
    FILE *file = swarm_junit_open(w, e->count, (uint32_t)failed);
    if (file == NULL) {
        return SWARM_INPUT;
    }
    for (uint32_t k = 0; k < e->count; k++) {
        const struct watch *x = &e->watch[k];
        struct swarm_case c = {.wrong = x->wrong, .members = x->members};
        describe_expectation(x, c.name);
        (void)snprintf(c.why, sizeof c.why, "%s", x->why);
        swarm_junit_case(w, file, &c);
    }
    return swarm_junit_close(w, file);
}

static int report_results(struct swarm *w)
{
    struct swarm_expect *e = expects_of(w);
    int failed = 0;
    for (uint32_t k = 0; k < e->count; k++) {
        judge_watch(&e->watch[k]);
        print_result(&e->watch[k]);
        failed += e->watch[k].wrong > 0;
    }
    return w->command->junit == NULL || write_junit(w, failed) == SWARM_OK ? failed : -1;
}

static int judge_expectations(struct swarm *w, bool goes_on)
{
    return goes_on ? 0 : report_results(w);
}

const struct swarm_system swarm_expect_system = {
    .name = "expect",
    .on = {[SWARM_PREPARE] = prepare_expectations,
           [SWARM_RESUME] = resume_expectations,
           [SWARM_BEGIN] = start_watch_timers},
    .changed = note_change,
    .judge = judge_expectations,
};
