/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of a search, pictures of its cameras, reports of its members. Called by fleet/search. */
#include "fleet/search_state.h"

#include "math/chance.h"
#include "math/trig.h"

/* Purposes of random numbers, different from those of scenarios. */
enum purpose { PLACE_OF_OBJECT = 16, WAY_OF_OBJECT = 17, DETECTION = 18 };

/* ---- objects */

void search_place_objects(struct mf_search *q)
{
    const struct mf_search_settings *s = &q->s;
    size_t k = 0;
    for (uint32_t g = 0; g < s->object_kinds; g++) {
        for (uint32_t i = 0; i < s->objects[g].count; i++, k++) {
            const struct mf_search_start start =
                s->starts != NULL ? s->starts[k] : (struct mf_search_start){.placed = false};
            struct object *o = &q->object[k];
            const uint64_t identity = mf_chance_u64(s->objects[g].identity, i);
            const uint64_t where = mf_chance_key(s->seed, s->variation, identity, PLACE_OF_OBJECT);
            const uint64_t way = mf_chance_key(s->seed, s->variation, identity, WAY_OF_OBJECT);
            const struct mf_en at = mf_coverage_chance(s->corners, s->corner_count, where);
            const double speed = s->objects[g].speed_mps;
            *o = (struct object){at.e,
                                 at.n,
                                 (double)start.at_m.u,
                                 (float)((2.0 * mf_chance_unit(way, 0) - 1.0) * speed),
                                 (float)((2.0 * mf_chance_unit(way, 1) - 1.0) * speed),
                                 0.0f,
                                 g,
                                 false};
            if (start.placed) {
                o->e = (double)start.at_m.e;
                o->n = (double)start.at_m.n;
            }
            if (start.moving) {
                o->ve = start.vel_mps.e;
                o->vn = start.vel_mps.n;
                o->vu = start.vel_mps.u;
            }
        }
    }
}

/* ---- pictures */

static struct mf_en heading_of(const struct mf_mover_thrust *b)
{
    const double e = (double)b->heading.e, n = (double)b->heading.n, length = mf_length2(e, n);
    return length > 0.0 ? (struct mf_en){e / length, n / length} : (struct mf_en){0.0, 1.0};
}

static struct mf_coverage_frame frame_of(const struct mf_search_member *s,
                                         const struct mf_mover_thrust *b)
{
    const double height = (double)b->pos_m.u;
    return (struct mf_coverage_frame){{(double)b->pos_m.e, (double)b->pos_m.n},
                                      heading_of(b),
                                      height * mf_tan(s->lateral_rad),
                                      height * mf_tan(s->horizontal_rad)};
}

/* Does a picture show an object? @param away_m  out: distance from its centre */
static bool in_frame(const struct mf_coverage_frame *f, const struct object *o, double *away_m)
{
    const double e = o->e - f->centre.e, n = o->n - f->centre.n;
    *away_m = mf_length2(e, n);
    return mf_abs(e * f->heading.e + n * f->heading.n) < f->ahead_m &&
           mf_abs(n * f->heading.e - e * f->heading.n) < f->across_m;
}

static bool reported_before(const struct mf_search *q, const struct member *m, struct mf_en at)
{
    for (uint32_t i = 0; i < m->reports; i++) {
        if (mf_length2(m->report[i].e - at.e, m->report[i].n - at.n) < q->s.report_m) {
            return true;
        }
    }
    return false;
}

static void report(const struct mf_search *q, struct member *m, const struct object *o)
{
    const struct mf_en at = {o->e, o->n};
    if (m->reports < MF_SEARCH_REPORTS_MAX && !reported_before(q, m, at)) {
        m->report[m->reports++] = at;
        m->fresh++;
    }
}

static double probability(struct mf_search *q, const struct mf_search_look *look)
{
    const struct mf_search_own *own = q->s.own;
    double p = 0.0;
    if (own == NULL || own->probability == NULL) {
        return mf_detection_probability(&look->model, &look->view, look->sought);
    }
    if (!search_failed(q, own->probability(own->ctx, q, look, &p)) && !(p >= 0.0 && p <= 1.0)) {
        search_fail(q, "a detection has the probability %g; it must be from 0 to 1", p);
    }
    return p;
}

static void look_at(struct mf_search *q, size_t member, size_t k, const struct mf_coverage_frame *f)
{
    struct member *m = &q->member[member];
    struct object *o = &q->object[k];
    const struct mf_search_objects *g = &q->s.objects[o->group];
    const bool sought = g->kind == q->s.members[member].seeks;
    double away_m = 0.0;
    if (!in_frame(f, o, &away_m)) {
        return;
    }
    const struct mf_search_look look = {member,
                                        sought,
                                        {q->s.balance_m, g->seen, g->mistaken, q->s.table},
                                        {(double)m->body.pos_m.u,
                                         (double)mf_enu_length(m->body.vel_mps), away_m,
                                         mf_length2(f->ahead_m, f->across_m), o->u}};
    const uint64_t key =
        mf_chance_key(q->s.seed, q->s.variation, q->s.members[member].identity, DETECTION);
    const bool detected = mf_chance_unit(key, m->looks++) < probability(q, &look);
    if (sought && detected) {
        m->right++;
        m->spotted[k] = true;
        o->spotted = true;
    } else if (sought) {
        m->missed++;
    } else if (detected) {
        m->wrong++;
    } else {
        m->clear++;
    }
    if (detected && q->s.own != NULL && q->s.own->detected != NULL) {
        q->s.own->detected(q->s.own->ctx, q, member, k, sought);
    }
    if (detected) {
        report(q, m, o);
    }
}

void search_take_picture(struct mf_search *q, size_t member)
{
    struct member *m = &q->member[member];
    const struct mf_coverage_frame f = frame_of(&q->s.members[member], &m->body);
    m->frames++;
    if (m->covered != NULL) {
        mf_coverage_see(m->covered, &q->grid, &f);
    }
    for (size_t k = 0; k < q->object_count; k++) {
        look_at(q, member, k, &f);
    }
}

struct mf_coverage_frame mf_search_frame(const struct mf_search *q, size_t member)
{
    return frame_of(&q->s.members[member], &q->member[member].body);
}
