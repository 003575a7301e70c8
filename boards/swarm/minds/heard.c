/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/minds/heard.h"

#include "boards/swarm/members/members.h"
#include "boards/swarm/minds/minds.h"
#include "fleet/gradient.h"
#include "fleet/survey.h"
#include "math/trig.h"
#include "mavlink/frame.h"

#include <inttypes.h>
#include <stdlib.h>

#define CELLS_MAX 65536u
#define FLIES_MM  1000
#define SILENT_S  5.0

struct swarm_heard {
    struct mf_survey survey;
    struct mf_en corner[MF_SCENARIO_CORNERS_MAX];
};

static bool surveys(const struct mf_scenario_entity *e)
{
    return e->behaviour.kind == MF_BEHAVIOUR_SURVEY_FLOCK;
}

static bool climbs(const struct mf_scenario_entity *e)
{
    return e->behaviour.kind == MF_BEHAVIOUR_GRADIENT;
}

bool swarm_heard_matters(const struct mf_scenario_entity *e)
{
    return surveys(e) || climbs(e);
}

/* ---- made ready */

static const struct mf_scenario_entity *first_surveyor(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->entities; k++) {
        if (surveys(&s->entity[k])) {
            return &s->entity[k];
        }
    }
    return NULL;
}

int swarm_heard_prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_entity *e = first_surveyor(s);
    if (e == NULL) {
        return SWARM_OK;
    }
    struct swarm_heard *h = swarm_memory(w, e->line, sizeof *h);
    if (h == NULL) {
        return SWARM_INPUT;
    }
    for (uint32_t k = 0; k < s->search.corners; k++) {
        h->corner[k] = (struct mf_en){s->search.corner[k][1], s->search.corner[k][0]};
    }
    h->survey.grid = mf_coverage_grid(h->corner, s->search.corners, e->behaviour.cell_m);
    if ((uint64_t)h->survey.grid.columns * h->survey.grid.rows > CELLS_MAX) {
        return swarm_refuse(w, e->line, "%s: more than %u cells; let cell be larger", e->name,
                            CELLS_MAX);
    }
    h->survey.words = mf_coverage_words(&h->survey.grid);
    h->survey.silent_turns = (uint32_t)(SILENT_S * e->behaviour.rate_hz + 0.5);
    uint64_t *area = swarm_memory(w, e->line, h->survey.words * sizeof *area);
    if (area == NULL) {
        return SWARM_INPUT;
    }
    mf_coverage_fill(area, &h->survey.grid, h->corner, s->search.corners);
    h->survey.area = area;
    w->heard = h;
    return SWARM_OK;
}

size_t swarm_heard_bytes(const struct swarm *w, const struct mf_scenario_entity *e)
{
    const size_t bytes = surveys(e)  ? mf_survey_bytes(&w->heard->survey)
                         : climbs(e) ? sizeof(struct mf_gradient)
                                     : 0;
    return (bytes + 15u) / 16u * 16u;
}

/* Members take the paths of beacons in turn. */
void swarm_heard_init(const struct swarm *w, uint32_t i, void *state)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    if (climbs(e)) {
        struct mf_gradient *g = state;
        uint32_t to;
        const bool found = mf_scenario_find(
            w->scenario, e->behaviour.path[(i - e->first) % e->behaviour.paths], &g->first, &to);
        MF_ASSERT(found); /* the reader has looked */
        g->count = to - g->first;
    } else if (surveys(e)) {
        ((struct mf_survey_member *)state)->goal = MF_SURVEY_NONE;
    }
}

/* ---- what is heard */

/* How far a camera at a height sees to each side, whatever its heading. */
static double sees_m(const struct mf_scenario_entity *e, double height_m)
{
    return height_m * mf_tan(mf_smaller(e->seeker.lateral_rad, e->seeker.horizontal_rad));
}

static void hear_position(struct swarm *w, const struct mf_scenario_entity *e, void *state,
                          const struct mf_delivery *d)
{
    struct mf_frame frame;
    struct mf_msg_global_position_int p;
    double ne_m[2];
    const double *origin = w->scenario->origin;
    if (!mf_frame_read(d->packet->bytes, d->packet->size, &frame) || frame.info == NULL ||
        frame.info->id != MF_MSG_GLOBAL_POSITION_INT) {
        return;
    }
    mf_msg_unpack(frame.info, frame.payload, frame.len, &p);
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]},
                    (struct mf_geo){(double)p.lat / 1e7, (double)p.lon / 1e7}, ne_m);
    mf_survey_hear(&w->heard->survey, state, d->packet->sender, (struct mf_en){ne_m[1], ne_m[0]},
                   p.relative_alt > FLIES_MM, sees_m(e, (double)p.relative_alt / 1e3));
}

void swarm_heard_take(struct swarm *w, uint32_t i, const double *neu_m, const struct mf_delivery *d)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    void *state = swarm_mind_state(w, i);
    MF_ASSERT(swarm_heard_matters(e));
    if (surveys(e)) {
        hear_position(w, e, state, d);
    } else {
        struct mf_gradient *g = state;
        const uint32_t beacon = d->packet->sender - g->first; /* of others it is too large */
        if (swarm_mind_flies(w, i)) {
            (void)mf_gradient_hear(g, e->behaviour.near_dbm, beacon, neu_m, d->strength_dbm);
        }
    }
}

static void tell_reached(struct swarm *w, uint32_t i, struct mf_gradient *g, mf_us_t at_us)
{
    for (; g->told < g->reached; g->told++) {
        struct mf_crowd_state now = swarm_state(w, i);
        struct mf_crowd_state before = now;
        const bool home = g->done && g->told + 1u == g->reached;
        const uint32_t events =
            1u << MF_SCENARIO_EVENT_ITEM | (home ? 1u << MF_SCENARIO_EVENT_FINISHED : 0u);
        now.at_us = at_us;
        now.reached = (int32_t)g->told;
        before.reached = now.reached - 1;
        swarm_systems_changed(w, &(struct swarm_change){0, i, events, &before, &now});
    }
}

void swarm_heard_round(struct swarm *w, mf_us_t at_us)
{
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[k];
        for (uint32_t i = e->first; climbs(e) && i < e->first + e->count; i++) {
            tell_reached(w, i, swarm_mind_state(w, i), at_us);
        }
    }
}

/* ---- turns */

static void climb(const struct mf_scenario_entity *e, struct mf_mind *mind, struct mf_gradient *g,
                  const struct mf_order_port *port)
{
    float vel_ned_mps[3];
    if (g->done) {
        mind->phase = mf_order_land(port) ? (uint8_t)MF_BEHAVIOUR_DONE : mind->phase;
        return;
    }
    mf_gradient_steer(g, &e->behaviour, mind, vel_ned_mps);
    mf_behave_fly(mind, port, vel_ned_mps);
}

static void survey(const struct swarm *w, const struct mf_scenario_entity *e, struct mf_mind *mind,
                   struct mf_survey_member *m, const struct mf_order_port *port)
{
    struct mf_order_view view;
    struct mf_en to;
    double ne_m[2];
    const double *origin = w->scenario->origin;
    port->ops->look(port->ctx, &view);
    if (!view.known) {
        return;
    }
    mf_geo_to_local(
        (struct mf_geo){origin[0], origin[1]},
        (struct mf_geo){(double)view.position.lat / 1e7, (double)view.position.lon / 1e7}, ne_m);
    const double yaw_rad = mf_rad((double)view.position.hdg / 100.0);
    const double height_m = (double)view.position.relative_alt / 1e3;
    const struct mf_en at = {ne_m[1], ne_m[0]};
    mf_survey_see(&w->heard->survey, m,
                  &(struct mf_coverage_frame){at,
                                              {mf_sin(yaw_rad), mf_cos(yaw_rad)},
                                              height_m * mf_tan(e->seeker.lateral_rad),
                                              height_m * mf_tan(e->seeker.horizontal_rad)});
    if (!mf_survey_turn(&w->heard->survey, m, at, &to)) {
        mind->phase = mf_order_land(port) ? (uint8_t)MF_BEHAVIOUR_DONE : mind->phase;
        return;
    }
    const double north = to.n - at.n, east = to.e - at.e, away_m = mf_length2(north, east);
    const double speed_mps = mf_smaller(e->behaviour.speed_max_mps, away_m);
    const double per_m = away_m > 0.0 ? speed_mps / away_m : 0.0;
    const float vel_ned_mps[3] = {(float)(north * per_m), (float)(east * per_m), 0.0f};
    mind->heading_rad = (float)mf_atan2(east, north);
    mf_behave_fly(mind, port, vel_ned_mps);
}

void swarm_heard_act(struct swarm *w, uint32_t i, struct mf_mind *mind, void *state,
                     const struct mf_order_port *port)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    struct mf_order_view view;
    if (mf_behave_rise(&e->behaviour, mind, port, &view)) {
        if (climbs(e)) {
            climb(e, mind, state, port);
        } else {
            survey(w, e, mind, state, port);
        }
    }
    mind->turns++;
}

/* ---- the summary */

static void tell_sum(const struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    if (w->heard == NULL) {
        return;
    }
    const struct mf_survey *v = &w->heard->survey;
    uint64_t *all = calloc(v->words, sizeof *all);
    uint32_t members = 0;
    for (uint32_t i = 0; all != NULL && i < s->members; i++) {
        if (surveys(mf_scenario_entity_of(s, i))) {
            const uint64_t *seen = mf_survey_seen(swarm_mind_state(w, i));
            for (size_t k = 0; k < v->words; k++) {
                all[k] |= seen[k];
            }
            members++;
        }
    }
    if (all != NULL) {
        (void)printf("survey    %u members have seen %" PRIu64 " of %" PRIu64 " cells\n", members,
                     mf_coverage_both(v->area, all, &v->grid),
                     mf_coverage_both(v->area, v->area, &v->grid));
    }
    free(all);
}

const struct swarm_system swarm_heard_system = {
    .name = "heard",
    .tell = tell_sum,
};
