/* SPDX-License-Identifier: Apache-2.0 */
/* Lets bees and rigid bodies bounce off members, at regular looks. contacts.c and senses.c take
 * contacts of these members from here. */
#include "boards/swarm/space/collisions.h"

#include "boards/swarm/core/gathered.h"
#include "boards/swarm/members/bodies.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/space/touching.h"
#include "math/trig.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Last collision of a member. */
struct last {
    uint32_t with;
    mf_us_t found_us;  /* the look that has found it; 0: none yet */
    mf_us_t pushed_us; /* the last look that has pushed the member */
};

/* State of collisions, in the arena. */
struct swarm_collisions {
    struct swarm_touching touching;
    struct mf_timer timer;
    struct last *last; /* [members] */
    /* collisions that wait for the file of contacts: [capacity]; NULL: without such a file */
    struct swarm_collision *told;
    size_t first, tolds, capacity;
    uint64_t count;
    bool failed; /* memory was exhausted */
};

static struct swarm_collisions *collisions_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_COLLISIONS];
}

/* ---- for others */

bool swarm_collides(const struct swarm *w, uint32_t a, uint32_t b)
{
    return collisions_of(w) != NULL && (swarm_body_is_stopped(w, a) || swarm_body_is_stopped(w, b));
}

bool swarm_collisions_next(struct swarm *w, struct swarm_collision *collision)
{
    struct swarm_collisions *c = collisions_of(w);
    if (c == NULL || c->first == c->tolds) {
        return false;
    }
    *collision = c->told[c->first++];
    if (c->first == c->tolds) {
        c->first = c->tolds = 0;
    }
    return true;
}

bool swarm_collision_since(const struct swarm *w, uint32_t i, mf_us_t since_us, uint32_t *with)
{
    const struct swarm_collisions *c = collisions_of(w);
    if (c == NULL || c->last[i].found_us == 0 || c->last[i].found_us < since_us) {
        return false;
    }
    *with = c->last[i].with;
    return true;
}

/* ---- a pair */

/* Two balls at the instant at which they touch. */
struct pair {
    double normal[3];   /* from the first to the second, of length 1 */
    double closing_mps; /* speed towards each other, > 0 */
    double overlap_m;   /* >= 0 */
};

/* @return false: they have one place, or move away from each other */
static bool find_pair(const struct mf_ball *a, const struct mf_ball *b, double after_s,
                      struct pair *p)
{
    double away = 0.0, speed = 0.0;
    for (size_t k = 0; k < 3; k++) {
        p->normal[k] = b->neu_m[k] - a->neu_m[k] + (b->vel_mps[k] - a->vel_mps[k]) * after_s;
        away += p->normal[k] * p->normal[k];
    }
    away = mf_sqrt(away);
    if (!(away > 0.0)) {
        return false;
    }
    for (size_t k = 0; k < 3; k++) {
        p->normal[k] /= away;
        speed -= (b->vel_mps[k] - a->vel_mps[k]) * p->normal[k];
    }
    p->closing_mps = speed;
    p->overlap_m = mf_larger(a->radius_m + b->radius_m - away, 0.0);
    return speed > 0.0;
}

/* Push one of a pair. @param share  its share of the change, signed: along the normal or against it
 * @param since_s  time since the contact */
static void push(struct swarm *w, uint32_t i, const struct pair *p, double share, double since_s)
{
    const struct swarm_collisions *c = collisions_of(w);
    const double by_mps = share * (1.0 + w->scenario->collisions.restitution) * p->closing_mps;
    const double shift_m = by_mps * since_s + share * p->overlap_m;
    double by[3], shift[3];
    for (size_t k = 0; k < 3; k++) {
        by[k] = by_mps * p->normal[k];
        shift[k] = shift_m * p->normal[k];
    }
    if (w->members.space != NULL) { /* no push leads into an obstacle */
        struct mf_ball way = c->touching.ball[i];
        struct mf_contact wall;
        swarm_place(w, i, c->touching.at_us + c->touching.period_us, way.neu_m);
        memcpy(way.vel_mps, shift, sizeof way.vel_mps);
        if (mf_space_meet(w->members.space, &way, 1000000, &wall)) {
            memset(shift, 0, sizeof shift);
        }
    }
    swarm_body_push(w, i, c->touching.at_us + c->touching.period_us, shift, by);
}

static void tell(struct swarm_collisions *c, mf_us_t at_us, uint32_t i, uint32_t with)
{
    c->count++;
    c->last[i].found_us = c->last[with].found_us = c->touching.at_us + c->touching.period_us;
    c->last[i].with = with;
    c->last[with].with = i;
    if (c->told != NULL) {
        MF_ASSERT(c->tolds < c->capacity); /* prepare_told() counts them */
        c->told[c->tolds++] = (struct swarm_collision){at_us, i, with};
    }
}

static void collide(struct swarm *w, const struct mf_contact *met)
{
    struct swarm_collisions *c = collisions_of(w);
    struct swarm_touching *t = &c->touching;
    struct last *a = &c->last[met->ball], *b = &c->last[met->with];
    const double mass_a = swarm_body_mass_kg(w, met->ball),
                 mass_b = swarm_body_mass_kg(w, met->with);
    const mf_us_t look_us = t->at_us + t->period_us;
    const double after_s = (double)met->after_us * 1e-6;
    struct pair p;
    if ((mass_a <= 0.0 && mass_b <= 0.0) || a->pushed_us == look_us || b->pushed_us == look_us ||
        !find_pair(&t->ball[met->ball], &t->ball[met->with], after_s, &p)) {
        return; /* a member that this look has pushed is where the next look will see it */
    }
    const double share_a = mass_a <= 0.0 ? 0.0 : mass_b <= 0.0 ? 1.0 : mass_b / (mass_a + mass_b);
    const double share_b = mass_b <= 0.0 ? 0.0 : 1.0 - share_a;
    const double since_s = (double)(t->period_us - met->after_us) * 1e-6;
    push(w, met->ball, &p, -share_a, since_s);
    push(w, met->with, &p, share_b, since_s);
    a->pushed_us = mass_a > 0.0 ? look_us : a->pushed_us;
    b->pushed_us = mass_b > 0.0 ? look_us : b->pushed_us;
    if (met->after_us > 0) { /* else a contact that lasts */
        tell(c, t->at_us + met->after_us, met->ball, met->with);
    }
}

/* ---- a look */

/* Contacts of a look; their rows are in the heap, since no checkpoint is within a look. */
struct looking {
    struct swarm *w;
    struct swarm_rows met;
};

static void keep_contact(void *ctx, const struct mf_contact *contact)
{
    struct looking *l = ctx;
    if (swarm_collides(l->w, contact->ball, contact->with)) {
        struct mf_contact *row = swarm_gather(&l->met, sizeof *row);
        if (row != NULL) {
            *row = *contact;
        }
    }
}

static int compare_contacts(const void *left, const void *right)
{
    const struct mf_contact *a = left, *b = right;
    if (a->after_us != b->after_us) {
        return a->after_us < b->after_us ? -1 : 1;
    }
    if (a->ball != b->ball) {
        return a->ball < b->ball ? -1 : 1;
    }
    return a->with < b->with ? -1 : a->with > b->with;
}

static void collide_all(struct looking *l)
{
    struct swarm *w = l->w;
    struct mf_contact *met = l->met.at;
    if (l->met.count > 0) {
        qsort(met, l->met.count, sizeof *met, compare_contacts);
    }
    for (size_t k = 0; k < l->met.count; k++) {
        collide(w, &met[k]);
    }
    if (l->met.failed && !collisions_of(w)->failed) {
        collisions_of(w)->failed = true;
        (void)swarm_refuse(w, w->scenario->collisions.line, "collisions: no memory at %.6f s",
                           (double)w->now_us / 1e6);
    }
    free(l->met.at);
}

static void look(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct looking l = {.w = ctx};
    struct swarm_collisions *c = collisions_of(l.w);
    (void)id;
    if (at_us > 0) {
        swarm_touching_look(l.w, &c->touching, at_us);
        for (uint32_t i = 0; i < l.w->scenario->members; i++) {
            mf_touch_look(&c->touching.touch, i, keep_contact, &l);
        }
    }
    collide_all(&l);
    swarm_touching_end_look(l.w, &c->touching, at_us);
    swarm_costs_lap(l.w, SWARM_COST_CONTACTS, l.met.count);
}

/* ---- set-up and summary */

/* Make room for all collisions between two looks at contacts. A look pushes a member once at most,
 * and each of its collisions pushes one: at most as many as members. */
static int prepare_told(struct swarm *w, struct swarm_collisions *c)
{
    const struct mf_scenario *s = w->scenario;
    if (s->outputs.contacts.file[0] == '\0') {
        return SWARM_OK;
    }
    const size_t looks =
        (size_t)(s->outputs.contacts.every_s / s->collisions.every_s) + 2u; /* rounding */
    c->capacity = looks * s->members;
    c->told = swarm_memory(w, s->collisions.line, c->capacity * sizeof *c->told);
    return c->told != NULL ? SWARM_OK : SWARM_INPUT;
}

static int prepare_collisions(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_collisions *k = &s->collisions;
    if (k->line == 0) {
        return SWARM_OK;
    }
    struct swarm_collisions *c = swarm_memory(w, k->line, sizeof *c);
    struct last *last = swarm_memory(w, k->line, s->members * sizeof *last);
    if (c == NULL || last == NULL || prepare_told(w, c) != SWARM_OK) {
        return SWARM_INPUT;
    }
    c->last = last;
    w->state[SWARM_SLOT_COLLISIONS] = c;
    const int result = swarm_touching_prepare(w, &c->touching, mf_us_of(k->every_s));
    c->touching.touch.overlaps = true;
    return result;
}

static int start_timer(struct swarm *w)
{
    struct swarm_collisions *c = collisions_of(w);
    if (c != NULL) {
        mf_timer_init(&c->timer, MF_PHASE_PLAN, 0, look, w);
        const int result = mf_timer_set(&w->engine, &c->timer, 0, c->touching.period_us);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer */
    }
    return SWARM_OK;
}

static uint32_t count_watching_timers(const struct swarm *w)
{
    return collisions_of(w) != NULL && mf_timer_is_set(&collisions_of(w)->timer) ? 1 : 0;
}

static bool have_collisions_failed(const struct swarm *w)
{
    return collisions_of(w) != NULL && collisions_of(w)->failed;
}

static void print_collisions(const struct swarm *w)
{
    if (collisions_of(w) != NULL) {
        (void)printf("collide   %" PRIu64 " collisions of members\n", collisions_of(w)->count);
    }
}

const struct swarm_system swarm_collisions_system = {
    .name = "collisions",
    .on = {[SWARM_PREPARE] = prepare_collisions, [SWARM_BEGIN] = start_timer},
    .count_watches = count_watching_timers,
    .has_failed = have_collisions_failed,
    .print_summary = print_collisions,
};
