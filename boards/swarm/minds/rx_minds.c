/* SPDX-License-Identifier: Apache-2.0 */
/* Updates members of gradient and survey_flock by their receptions. radio/radio.c passes
 * receptions to it, minds.c turns. */
#include "boards/swarm/minds/rx_minds.h"

#include "boards/swarm/members/members.h"
#include "boards/swarm/minds/minds.h"
#include "fleet/reception.h"

#include <inttypes.h>
#include <stdlib.h>

#define CELLS_MAX 65536u
#define SILENT_S  5.0

struct swarm_rx_minds {
    struct mf_survey survey;
    struct mf_en corner[MF_SCENARIO_CORNERS_MAX];
};

static struct swarm_rx_minds *rx_minds_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_RX_MINDS];
}

static bool is_surveyor(const struct mf_scenario_entity *e)
{
    return e->behaviour.kind == MF_BEHAVIOUR_SURVEY_FLOCK;
}

static bool is_climber(const struct mf_scenario_entity *e)
{
    return e->behaviour.kind == MF_BEHAVIOUR_GRADIENT;
}

bool swarm_rx_minds_listen(const struct swarm *w, const struct mf_scenario_entity *e)
{
    return is_surveyor(e) || is_climber(e) ||
           swarm_mind_plugin_hears(w, (uint32_t)(e - w->scenario->entity));
}

/* ---- set-up */

static const struct mf_scenario_entity *first_surveyor(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->entities; k++) {
        if (is_surveyor(&s->entity[k])) {
            return &s->entity[k];
        }
    }
    return NULL;
}

int swarm_rx_minds_prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_entity *e = first_surveyor(s);
    if (e == NULL) {
        return SWARM_OK;
    }
    struct swarm_rx_minds *h = swarm_memory(w, e->line, sizeof *h);
    if (h == NULL) {
        return SWARM_INPUT;
    }
    for (uint32_t k = 0; k < s->search.corners; k++) {
        h->corner[k] = (struct mf_en){s->search.corner[k][1], s->search.corner[k][0]};
    }
    h->survey.grid = mf_coverage_grid(h->corner, s->search.corners, e->behaviour.cell_m);
    if ((uint64_t)h->survey.grid.columns * h->survey.grid.rows > CELLS_MAX) {
        return swarm_refuse(w, e->line, "%s: more than %u cells: raise behaviour.cell", e->name,
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
    w->state[SWARM_SLOT_RX_MINDS] = h;
    return SWARM_OK;
}

size_t swarm_rx_minds_bytes(const struct swarm *w, const struct mf_scenario_entity *e)
{
    const size_t bytes = is_surveyor(e)  ? mf_survey_bytes(&rx_minds_of(w)->survey)
                         : is_climber(e) ? sizeof(struct mf_gradient)
                                         : 0;
    return (bytes + 15u) / 16u * 16u;
}

/* Paths of beacons are assigned to an entity's members in turn. */
void swarm_rx_minds_init(const struct swarm *w, uint32_t i, void *state)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    if (is_climber(e)) {
        struct mf_gradient *g = state;
        uint32_t to;
        const bool found = mf_scenario_find(
            w->scenario, e->behaviour.path[(i - e->first) % e->behaviour.paths], &g->first, &to);
        MF_ASSERT(found); /* the reader of the scenario has checked the path */
        g->count = to - g->first;
    } else if (is_surveyor(e)) {
        ((struct mf_survey_member *)state)->goal = MF_SURVEY_NONE;
    }
}

/* ---- receptions */

void swarm_rx_minds_receive(struct swarm *w, const struct swarm_heard *heard, const double *neu_m)
{
    const uint32_t i = heard->i;
    const struct mf_delivery *d = heard->delivery;
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    void *state = swarm_mind_state(w, i);
    MF_ASSERT(swarm_rx_minds_listen(w, e));
    if (e->behaviour.kind == MF_BEHAVIOUR_OWN) {
        swarm_mind_plugin_receive(w, heard, state);
    } else if (neu_m == NULL) {
        return;
    } else if (is_surveyor(e)) {
        mf_reception_position(&rx_minds_of(w)->survey, state, e, w->scenario->origin, d->packet);
    } else {
        struct mf_gradient *g = state;
        const uint32_t beacon = d->packet->sender - g->first; /* too large if the sender is not a
                                                               * beacon of the path */
        if (swarm_mind_flies(w, i)) {
            (void)mf_gradient_hear(g, e->behaviour.near_dbm, beacon, neu_m, d->strength_dbm);
        }
    }
}

static void report_reached(struct swarm *w, uint32_t i, struct mf_gradient *g, mf_us_t at_us)
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

void swarm_rx_minds_end_round(struct swarm *w, mf_us_t at_us)
{
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[k];
        for (uint32_t i = e->first; is_climber(e) && i < e->first + e->count; i++) {
            report_reached(w, i, swarm_mind_state(w, i), at_us);
        }
    }
}

/* ---- turns */

void swarm_rx_minds_act(struct swarm *w, uint32_t i, struct mf_mind *mind, void *state,
                        const struct mf_order_port *port)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    struct mf_order_view view;
    if (mf_behave_rise(&e->behaviour, mind, port, &view)) {
        if (is_climber(e)) {
            mf_reception_climb(state, e, mind, port);
        } else {
            mf_reception_survey(&rx_minds_of(w)->survey, state, e, w->scenario->origin, mind, port);
        }
    }
    mind->turns++;
}

/* ---- the summary */

static void print_survey(const struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    if (rx_minds_of(w) == NULL) {
        return;
    }
    const struct mf_survey *v = &rx_minds_of(w)->survey;
    uint64_t *all = calloc(v->words, sizeof *all);
    uint32_t members = 0;
    for (uint32_t i = 0; all != NULL && i < s->members; i++) {
        if (is_surveyor(mf_scenario_entity_of(s, i))) {
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

const struct swarm_system swarm_rx_minds_system = {
    .name = "rx_minds",
    .print_summary = print_survey,
};
