/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what members touch between two looks. contacts.c, collisions.c and senses.c call it. */
#include "boards/swarm/space/touching.h"

#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/bodies.h"
#include "boards/swarm/members/members.h"

#include <math.h>

/* Height at which balls of lost and absent members are out of reach [m]. */
#define AWAY_M (-9e5)

static int prepare_shapes(struct swarm *w, struct swarm_touching *t)
{
    const uint32_t members = w->scenario->members;
    uint32_t shapes = 0;
    for (uint32_t i = 0; i < members; i++) {
        shapes += swarm_has_shape(w, i) ? 1u : 0u;
    }
    if (shapes == 0) {
        return SWARM_OK;
    }
    t->shape = swarm_memory(w, 1, shapes * sizeof *t->shape);
    for (uint32_t i = 0; i < members && t->shape != NULL; i++) {
        if (swarm_has_shape(w, i)) {
            t->shape[t->shapes++].i = i;
        }
    }
    return t->shape != NULL ? SWARM_OK : SWARM_INPUT;
}

int swarm_touching_prepare(struct swarm *w, struct swarm_touching *t, mf_us_t period_us)
{
    const struct mf_scenario *s = w->scenario;
    t->ball = swarm_memory(w, 1, s->members * sizeof *t->ball);
    void *bytes = swarm_memory(w, 1, mf_touch_bytes(s->members));
    if (t->ball == NULL || bytes == NULL) {
        return SWARM_INPUT;
    }
    mf_touch_init(&t->touch, s->members, bytes);
    t->period_us = period_us;
    for (uint32_t i = 0; i < s->members; i++) {
        t->ball[i].radius_m = mf_scenario_entity_of(s, i)->body.radius_m;
    }
    return prepare_shapes(w, t);
}

bool swarm_touching_find_obstacle(const struct swarm *w, const struct swarm_touching *t, uint32_t i,
                                  struct mf_contact *contact)
{
    const struct mf_space *space = w->members.space;
    bool met = false;
    if (swarm_body_is_stopped(w, i)) {
        met = swarm_body_met(w, i, t->at_us, t->at_us + t->period_us, contact);
    } else if (space != NULL) {
        met = mf_space_meet(space, &t->ball[i], t->period_us, contact);
    }
    contact->ball = i;
    return met;
}

void swarm_touching_visit_members(const struct swarm_touching *t, uint32_t i, mf_touch_take *take,
                                  void *ctx)
{
    mf_touch_look(&t->touch, i, take, ctx);
    for (uint32_t k = 0; k < t->shapes && t->ball[i].neu_m[2] != AWAY_M; k++) {
        const struct swarm_shape *shape = &t->shape[k];
        struct mf_contact contact = {.ball = i, .with = shape->i};
        if (!shape->away && mf_solid_meet(&shape->solid, shape->vel_mps, &t->ball[i], t->period_us,
                                          &contact.after_us)) {
            take(ctx, &contact);
        }
    }
}

static void look_at_shape(struct swarm *w, struct swarm_shape *shape, mf_us_t at_us, double per_s)
{
    double now_m[3];
    swarm_place(w, shape->i, at_us, now_m);
    shape->away = shape->away || swarm_is_away(w, shape->i, at_us);
    for (uint32_t axis = 0; axis < 3; axis++) {
        shape->vel_mps[axis] = (now_m[axis] - shape->solid.at_neu_m[axis]) * per_s;
    }
}

void swarm_touching_look(struct swarm *w, struct swarm_touching *t, mf_us_t at_us)
{
    const double per_s = 1e6 / (double)t->period_us;
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        double now_m[3];
        const bool stays = swarm_is_away(w, i, at_us) || t->ball[i].neu_m[2] == AWAY_M;
        swarm_place(w, i, at_us, now_m);
        for (uint32_t axis = 0; axis < 3; axis++) {
            t->ball[i].vel_mps[axis] = stays ? 0.0 : (now_m[axis] - t->ball[i].neu_m[axis]) * per_s;
        }
    }
    for (uint32_t k = 0; k < t->shapes; k++) {
        look_at_shape(w, &t->shape[k], at_us, per_s);
    }
    mf_touch_sort(&t->touch, t->ball, t->period_us);
}

void swarm_touching_end_look(struct swarm *w, struct swarm_touching *t, mf_us_t at_us)
{
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        swarm_place(w, i, at_us, t->ball[i].neu_m);
        if (swarm_is_away(w, i, at_us) ||
            swarm_has_shape(w, i)) { /* a place of its own, far from all other balls */
            t->ball[i].neu_m[0] += 1e3 * (double)(i % 1000u);
            t->ball[i].neu_m[1] += 1e3 * floor((double)i / 1000.0);
            t->ball[i].neu_m[2] = AWAY_M;
        }
    }
    for (uint32_t k = 0; k < t->shapes; k++) {
        struct swarm_shape *shape = &t->shape[k];
        swarm_shape(w, shape->i, at_us, &shape->solid);
        shape->away = swarm_is_away(w, shape->i, at_us);
    }
    t->at_us = at_us;
}
