/* SPDX-License-Identifier: Apache-2.0 */
/* Arrivals: keys, checks and random times. Called by fleet/scenario, and boards/swarm/arrivals and
 * tracks. */
#include "fleet/scenario_arrivals.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"
#include "math/chance.h"
#include "world/coverage.h"
#include "world/decibel.h"

#include <math.h>

#define LN_10 2.30258509299404568402

/* Random numbers of a member. */
enum { DRAW_GAP, DRAW_PLAN };

/* Least share of its bounding box that an area has: places are found by trying, which would take
 * long in a thinner one. */
#define LEAST_PART 0.001

#define ARRIVALS(field) offsetof(struct mf_scenario_arrivals, field)
#define FAR_M           MF_SCENARIO_FAR_M

/* ---- keys */

static bool read_area(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                      void *at)
{
    struct mf_scenario_arrivals *a = at;
    a->corner = mf_scenario_read_corners(r, key, node, &a->corners);
    return a->corner != NULL;
}

/* Read a file's name, or a list of names. */
static bool read_plans(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at)
{
    static const struct mf_reading_rows k_rows = {
        .fewest = 1, .most = MF_ARRIVALS_PLANS_MAX, .size = MF_ARRIVALS_FILE_MAX};
    struct mf_scenario_arrivals *a = at;
    (void)key;
    a->plan = mf_reading_text_rows(r, node, &k_rows, &a->plans);
    for (uint32_t i = 0; a->plan != NULL && i < a->plans; i++) {
        if (a->plan[i][0] == '\0') {
            return mf_reading_refuse(r, mf_node_line(node),
                                     "must be a file, of less than %u characters",
                                     MF_ARRIVALS_FILE_MAX);
        }
    }
    return a->plan != NULL;
}

static const struct mf_key k_arrivals[] = {
    REAL("per_minute", ARRIVALS(per_minute), 0.001, 1e6,
         "how many arrive in a minute on average, from start on: a Poisson process"),
    {.name = "in",
     .type = MF_KEY_OTHER,
     .low = -FAR_M,
     .high = FAR_M,
     .read = read_area,
     .help = "corners of the area in which each appears: [[north, east], ...] of the origin [m]; "
             "where its plan begins"},
    OTHER("plan", 0, read_plans,
          "file (.plan, QGC WPL) that each flies, or a list, of which each flies one by chance; "
          "its last item lands"),
    FLAG("remote_id", ARRIVALS(remote_id), "their links send OPEN_DRONE_ID_*; true"),
};
const struct mf_keys mf_scenario_arrivals_keys = {k_arrivals, COUNT_OF(k_arrivals), NULL,
                                                  ARRIVALS(line)};

/* ---- checks between keys */

bool mf_scenario_arrives(const struct mf_scenario_entity *e)
{
    return e->arrivals.per_minute > 0.0;
}

/* Twice the area of the polygon, always positive. */
static double doubled_area(const struct mf_scenario_arrivals *a)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < a->corners; k++) {
        const double *from = a->corner[k], *to = a->corner[(k + 1u) % a->corners];
        sum += from[0] * to[1] - from[1] * to[0];
    }
    return fabs(sum);
}

static bool is_thin(const struct mf_scenario_arrivals *a)
{
    double low[2] = {FAR_M, FAR_M}, high[2] = {-FAR_M, -FAR_M};
    for (uint32_t k = 0; k < a->corners; k++) {
        for (size_t axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], a->corner[k][axis]);
            high[axis] = fmax(high[axis], a->corner[k][axis]);
        }
    }
    const double box_m2 = (high[0] - low[0]) * (high[1] - low[1]);
    return !(box_m2 > 0.0) || doubled_area(a) < 2.0 * LEAST_PART * box_m2;
}

static bool has_place(const struct mf_scenario_place *p)
{
    return p->kind != MF_PLACE_POINT || p->at[0] != 0.0 || p->at[1] != 0.0 || p->at[2] != 0.0;
}

bool mf_scenario_arrivals_check(struct mf_reading *r, struct mf_scenario *s,
                                struct mf_scenario_entity *e)
{
    const struct mf_scenario_arrivals *a = &e->arrivals;
    if (!mf_scenario_arrives(e)) {
        return a->line == 0 || mf_entity_refuse(r, e, "%s: arrivals need per_minute");
    }
    if (a->plans == 0) {
        return mf_entity_refuse(r, e, "%s: arrivals need plan: a file, or a list of files");
    }
    const bool flies = e->as == MF_SCENARIO_KIND_VEHICLE || e->as == MF_SCENARIO_KIND_AGENT;
    if (!flies || e->plan[0] != '\0' || e->behaviour.kind != MF_BEHAVIOUR_NONE) {
        return mf_entity_refuse(r, e,
                                "%s: arrivals are vehicles or agents that fly arrivals.plan, "
                                "without a plan or behaviour beside it");
    }
    if (mf_scenario_begins_in_air(&e->body)) {
        return mf_entity_refuse(r, e,
                                "%s: arrivals begin on the ground: no body that begins in the air");
    }
    if (mf_scenario_goes_by_steps(s)) {
        return mf_entity_refuse(r, e, "%s: a search and a world of cells have no arrivals");
    }
    if (has_place(&e->place)) {
        return mf_entity_refuse(
            r, e, "%s: arrivals appear within arrivals.in, or where their plan begins: no place");
    }
    if (a->corners == 0 && mf_scenario_is_stepped(&e->body)) {
        return mf_entity_refuse(r, e, "%s: arrivals whose body is stepped need arrivals.in");
    }
    if (a->corners > 0 && is_thin(a)) {
        return mf_entity_refuse(
            r, e, "%s: arrivals.in must be an area: its corners are all but on one line");
    }
    e->place.kind = a->corners > 0 ? MF_PLACE_ARRIVALS : e->place.kind;
    return true;
}

/* ---- random numbers */

static double chance(const struct mf_scenario *s, uint32_t i, uint64_t draw)
{
    return mf_chance_unit(mf_scenario_chance(s, i, MF_PURPOSE_ARRIVAL), draw);
}

mf_us_t mf_arrival_gap_us(const struct mf_scenario *s, uint32_t i)
{
    const double mean_s = 60.0 / mf_scenario_entity_of(s, i)->arrivals.per_minute;
    const double left = 1.0 - chance(s, i, DRAW_GAP); /* above 0, so that the logarithm is finite */
    return mf_us_of(-mf_db(left) * (LN_10 / 10.0) * mean_s);
}

uint32_t mf_arrival_plan(const struct mf_scenario *s, uint32_t i)
{
    const double plans = (double)mf_scenario_entity_of(s, i)->arrivals.plans;
    return (uint32_t)(plans * chance(s, i, DRAW_PLAN));
}
