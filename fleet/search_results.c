/* SPDX-License-Identifier: Apache-2.0 */
/* State of a search, and what became of it. Called by boards/swarm/search. */
#include "fleet/search_state.h"

#include "hal/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void search_fail(struct mf_search *q, const char *format, ...)
{
    if (q->error[0] == '\0') { /* later errors follow from the first */
        va_list args;
        va_start(args, format);
        (void)vsnprintf(q->error, sizeof q->error, format, args);
        va_end(args);
    }
}

bool search_failed(struct mf_search *q, const char *why)
{
    if (why != NULL) {
        search_fail(q, "%s", why);
    }
    return q->error[0] != '\0';
}

const char *mf_search_error(const struct mf_search *q)
{
    return q->error[0] != '\0' ? q->error : NULL;
}

uint64_t mf_search_steps(const struct mf_search *q)
{
    return q->steps;
}

struct mf_mover_thrust mf_search_member(const struct mf_search *q, size_t member)
{
    return q->member[member].body;
}

const struct mf_coverage_grid *mf_search_raster(const struct mf_search *q)
{
    return q->all != NULL ? &q->grid : NULL;
}

bool mf_search_seen(const struct mf_search *q, uint32_t column, uint32_t row)
{
    for (size_t i = 0; i < q->s.member_count; i++) {
        const uint64_t *covered = q->member[i].covered;
        if (covered != NULL && mf_coverage_is_set(covered, &q->grid, column, row)) {
            return true;
        }
    }
    return false;
}

double mf_search_energy_ns(const struct mf_search *q, size_t member)
{
    return q->s.bodies_outside ? -1.0 : q->member[member].energy_ns;
}

struct mf_en mf_search_object(const struct mf_search *q, size_t i, bool *spotted)
{
    MF_ASSERT(i < q->object_count);
    *spotted = q->object[i].spotted;
    return (struct mf_en){q->object[i].e, q->object[i].n};
}

double mf_search_object_up_m(const struct mf_search *q, size_t i)
{
    MF_ASSERT(i < q->object_count);
    return q->object[i].u;
}

size_t mf_search_points_left(const struct mf_search *q, size_t member)
{
    return q->member[member].path.end - q->member[member].path.at;
}

struct mf_mover_goal mf_search_point(const struct mf_search *q, size_t member, size_t i)
{
    const struct path *p = &q->member[member].path;
    MF_ASSERT(i < p->end - p->at);
    return p->point[p->at + i];
}

uint32_t mf_search_refused(const struct mf_search *q)
{
    return q->refused;
}

static double ratio(double part_of, double whole)
{
    return whole > 0.0 ? part_of / whole : -1.0;
}

/* Count the objects that a member seeks, and those of them that it has spotted. */
static void count_spotted(const struct mf_search *q, size_t member, uint32_t *spotted,
                          uint32_t *there)
{
    const bool all = member == q->s.member_count;
    for (size_t k = 0; k < q->object_count; k++) {
        const struct object *o = &q->object[k];
        bool sought = false;
        for (size_t i = 0; i < q->s.member_count; i++) {
            sought = sought ||
                     ((all || i == member) && q->s.objects[o->group].kind == q->s.members[i].seeks);
        }
        *there += sought ? 1u : 0u;
        *spotted += sought && (all ? o->spotted : q->member[member].spotted[k]) ? 1u : 0u;
    }
}

struct mf_search_statistics mf_search_statistics(const struct mf_search *q, size_t member)
{
    struct mf_search_statistics t = {.covered = -1.0};
    const size_t from = member == q->s.member_count ? 0 : member;
    const size_t to = member == q->s.member_count ? member : member + 1u;
    if (q->all != NULL) {
        memset(q->all, 0, mf_coverage_words(&q->grid) * sizeof q->all[0]);
    }
    for (size_t i = from; i < to; i++) {
        const struct member *m = &q->member[i];
        t.right += m->right;
        t.wrong += m->wrong;
        t.missed += m->missed;
        t.clear += m->clear;
        t.energy_ns += m->energy_ns;
        t.frames += m->frames;
        for (size_t w = 0; q->all != NULL && w < mf_coverage_words(&q->grid); w++) {
            q->all[w] |= m->covered[w];
        }
    }
    if (q->all != NULL) {
        t.covered = (double)mf_coverage_both(q->all, q->area, &q->grid) /
                    (double)mf_coverage_both(q->area, q->area, &q->grid);
    }
    t.energy_ns = q->s.bodies_outside ? -1.0 : t.energy_ns;
    t.precision = ratio(t.right, (double)t.right + t.wrong);
    t.recall = ratio(t.right, (double)t.right + t.missed);
    t.f1 = t.precision < 0.0 || t.recall < 0.0
               ? -1.0
               : ratio(2.0 * t.precision * t.recall, t.precision + t.recall);
    uint32_t spotted = 0, there = 0;
    count_spotted(q, member, &spotted, &there);
    t.spotted = ratio((double)spotted, (double)there);
    return t;
}
