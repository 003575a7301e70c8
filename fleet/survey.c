/* SPDX-License-Identifier: Apache-2.0 */
/* Maps and goals of a survey without a leader. Called by boards/swarm/heard. */
#include "fleet/survey.h"

#include "math/trig.h"

#define HALF_ROOT 0.70710678118654752 /* half the side of a square, by the radius of its circle */

size_t mf_survey_bytes(const struct mf_survey *s)
{
    return sizeof(struct mf_survey_member) + 2u * s->words * sizeof(uint64_t);
}

uint64_t *mf_survey_seen(struct mf_survey_member *m)
{
    return (void *)(m + 1);
}

static uint64_t *known_of(const struct mf_survey *s, struct mf_survey_member *m)
{
    return mf_survey_seen(m) + s->words;
}

/* Is the bit of a cell set? Each row of a raster begins with a new word. */
static bool is_set(const struct mf_coverage_grid *g, const uint64_t *bits, uint32_t cell)
{
    const uint32_t column = cell % g->columns, row = cell / g->columns;
    const uint64_t word = bits[row * ((g->columns + 63u) / 64u) + column / 64u];
    return (word >> (column % 64u) & 1u) != 0;
}

static struct mf_en middle(const struct mf_coverage_grid *g, uint32_t cell)
{
    const uint32_t column = cell % g->columns, row = cell / g->columns;
    return (struct mf_en){g->corner.e + (column + 0.5) * g->cell_m,
                          g->corner.n + (row + 0.5) * g->cell_m};
}

static double apart(struct mf_en a, struct mf_en b)
{
    return mf_length2(a.e - b.e, a.n - b.n);
}

void mf_survey_see(const struct mf_survey *s, struct mf_survey_member *m,
                   const struct mf_coverage_frame *frame)
{
    mf_coverage_see(mf_survey_seen(m), &s->grid, frame);
    mf_coverage_see(known_of(s, m), &s->grid, frame);
}

/* Find or make a neighbour's entry; a full list replaces the one with the oldest packet. */
static struct mf_survey_neighbour *place_for(struct mf_survey_member *m, uint32_t member)
{
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < m->neighbours; i++) {
        if (m->neighbour[i].member == member) {
            return &m->neighbour[i];
        }
        oldest = m->neighbour[i].turn < m->neighbour[oldest].turn ? i : oldest;
    }
    if (m->neighbours < MF_SURVEY_NEIGHBOURS) {
        return &m->neighbour[m->neighbours++];
    }
    return &m->neighbour[oldest];
}

void mf_survey_hear(const struct mf_survey *s, struct mf_survey_member *m, uint32_t member,
                    struct mf_en at, bool flies, double sees_m)
{
    *place_for(m, member) = (struct mf_survey_neighbour){member, m->turn, at, flies};
    if (flies) {
        const struct mf_coverage_frame frame = {
            at, {0.0, 1.0}, sees_m * HALF_ROOT, sees_m * HALF_ROOT};
        mf_coverage_see(known_of(s, m), &s->grid, &frame);
    }
}

/* Is a flying neighbour, whose packets still arrive, nearer to a place? */
static bool is_anothers(const struct mf_survey *s, const struct mf_survey_member *m,
                        struct mf_en at, double own_m)
{
    for (uint32_t i = 0; i < m->neighbours; i++) {
        const struct mf_survey_neighbour *n = &m->neighbour[i];
        if (n->flies && m->turn - n->turn < s->silent_turns && apart(n->at, at) < own_m) {
            return true;
        }
    }
    return false;
}

/* Find the nearest unmarked cell. @param alone  skip cells that are nearer to a neighbour */
static uint32_t nearest(const struct mf_survey *s, struct mf_survey_member *m, struct mf_en at,
                        bool alone)
{
    const uint64_t *known = known_of(s, m);
    uint32_t best = MF_SURVEY_NONE;
    double best_m = 0.0;
    for (uint32_t c = 0; c < s->grid.columns * s->grid.rows; c++) {
        if (!is_set(&s->grid, s->area, c) || is_set(&s->grid, known, c)) {
            continue;
        }
        const struct mf_en to = middle(&s->grid, c);
        const double m_away = apart(at, to);
        if ((best == MF_SURVEY_NONE || m_away < best_m) &&
            !(alone && is_anothers(s, m, to, m_away))) {
            best = c;
            best_m = m_away;
        }
    }
    return best;
}

bool mf_survey_turn(const struct mf_survey *s, struct mf_survey_member *m, struct mf_en at,
                    struct mf_en *goal)
{
    m->turn++;
    uint32_t cell = nearest(s, m, at, true);
    cell = cell != MF_SURVEY_NONE ? cell : nearest(s, m, at, false);
    m->goal = cell;
    if (cell == MF_SURVEY_NONE) {
        return false;
    }
    *goal = middle(&s->grid, cell);
    return true;
}
