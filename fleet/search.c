/* SPDX-License-Identifier: Apache-2.0 */
/* Searches: memory, paths, plans, steps. Called by boards/swarm/search. */
#include "fleet/search_state.h"

#include "fleet/plan_bcd.h"
#include "hal/assert.h"
#include "math/trig.h"

#include <string.h>

#define PATH_SPARE 64u   /* most points that a plan adds at once */
#define DETOUR     2u    /* points of a path per square, with those that lead around obstacles */
#define NEAR_M     1.0f  /* radius of the station in which flight costs no energy */
#define EDGE_M     0.01f /* a place as near to the boundary as this counts as inside */

/* ---- memory */

static size_t objects_of(const struct mf_search_settings *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->object_kinds; i++) {
        n += s->objects[i].count;
    }
    return n;
}

static struct mf_bcd division(const struct mf_search_settings *s)
{
    return (struct mf_bcd){s->corners, s->corner_count, mf_search_edge_m(s), (float)s->altitude_m,
                           s->compat};
}

/* Limits of detours. As published, a path between two points of the area may lead out of it. */
static struct mf_detour_limits limits_of(const struct mf_search_settings *s)
{
    return (struct mf_detour_limits){s->obstacle, s->obstacles, s->clearance_m,
                                     s->compat ? NULL : s->corners,
                                     s->compat ? 0 : s->corner_count};
}

static size_t point_count(const struct mf_search_settings *s)
{
    const struct mf_bcd b = division(s);
    return mf_bcd_points(&b, NULL, 0);
}

/* Room for the squares, the station, and points around obstacles. */
static size_t path_capacity(const struct mf_search_settings *s)
{
    const size_t own = s->plan >= MF_SEARCH_OWN ? MF_SEARCH_GOALS_MAX : 0u;
    return DETOUR * (point_count(s) + 1u) + PATH_SPARE + own;
}

static size_t raster_words(const struct mf_search_settings *s)
{
    if (s->cell_m == 0.0) {
        return 0;
    }
    const struct mf_coverage_grid g = mf_coverage_grid(s->corners, s->corner_count, s->cell_m);
    return mf_coverage_words(&g);
}

size_t mf_search_bytes(const struct mf_search_settings *s)
{
    const size_t each = MF_MEMORY_BYTES(path_capacity(s) * sizeof(struct mf_mover_goal)) +
                        MF_MEMORY_BYTES(objects_of(s) + 1u) + sizeof(struct member) +
                        MF_MEMORY_BYTES(raster_words(s) * sizeof(uint64_t));
    return MF_MEMORY_BYTES(sizeof(struct mf_search)) +
           MF_MEMORY_BYTES(objects_of(s) * sizeof(struct object) + 1u) +
           2u * MF_MEMORY_BYTES(raster_words(s) * sizeof(uint64_t)) +
           MF_MEMORY_BYTES(point_count(s) * sizeof(struct mf_enu) + 1u) + s->member_count * each +
           MF_MEMORY_ALIGN;
}

/* Allocate cleared memory. @return NULL: not enough memory */
static void *part(struct mf_memory *memory, size_t n)
{
    void *p = mf_memory_part(memory, NULL, n);
    return p == NULL ? NULL : memset(p, 0, n);
}

/* ---- paths */

static struct mf_mover_goal goal(const struct mf_search *q, struct mf_enu at)
{
    return (struct mf_mover_goal){at, (float)q->s.speed_mps};
}

static bool has_path(const struct member *m)
{
    return m->path.at < m->path.end;
}

/* Put a point before all others of a path. */
static void push_front(struct path *p, struct mf_mover_goal g)
{
    if (p->at == 0) {
        const size_t left = p->end, room = p->capacity - left;
        memmove(p->point + room, p->point, left * sizeof p->point[0]);
        p->at = room;
        p->end = p->capacity;
    }
    p->point[--p->at] = g;
}

static size_t room_of(const struct path *p)
{
    return p->capacity - (p->end - p->at);
}

static void push_back(struct path *p, struct mf_mover_goal g)
{
    if (p->end == p->capacity) {
        memmove(p->point, p->point + p->at, (p->end - p->at) * sizeof p->point[0]);
        p->end -= p->at;
        p->at = 0;
    }
    if (p->end < p->capacity) {
        p->point[p->end++] = g;
    }
}

/* Append a point and the way to it, around obstacles. @return false: no way, or not enough room */
static bool go_on_to(struct mf_search *q, struct member *m, struct mf_enu from, struct mf_enu to)
{
    const struct mf_detour_limits limits = limits_of(&q->s);
    struct mf_enu way[MF_DETOUR_MAX];
    const int points = mf_detour(&limits, from, to, way);
    if (points < 0 || room_of(&m->path) < (size_t)points + 1u) {
        q->refused++;
        return false;
    }
    for (int i = 0; i < points; i++) {
        push_back(&m->path, goal(q, way[i]));
    }
    push_back(&m->path, goal(q, to));
    return true;
}

/* Insert a point and the way to it, around obstacles, before the rest of the path. */
static void go_first_to(struct mf_search *q, struct member *m, struct mf_enu to)
{
    const struct mf_detour_limits limits = limits_of(&q->s);
    struct mf_enu there[MF_DETOUR_MAX], on[MF_DETOUR_MAX];
    const int before = mf_detour(&limits, m->body.pos_m, to, there);
    const int after = mf_detour(&limits, to, m->path.point[m->path.at].at_m, on);
    if (before < 0 || after < 0 || room_of(&m->path) < (size_t)(before + after) + 1u) {
        q->refused++;
        return;
    }
    for (int i = after; i > 0; i--) {
        push_front(&m->path, goal(q, on[i - 1]));
    }
    push_front(&m->path, goal(q, to));
    for (int i = before; i > 0; i--) {
        push_front(&m->path, goal(q, there[i - 1]));
    }
}

static float distance(struct mf_enu a, struct mf_enu b)
{
    return mf_enu_length((struct mf_enu){b.e - a.e, b.n - a.n, b.u - a.u});
}

/* Last point of a member's path, or its place. */
static struct mf_enu end_of(const struct member *m)
{
    return has_path(m) ? m->path.point[m->path.end - 1u].at_m : m->body.pos_m;
}

static bool flies_squares(const struct mf_search *q, size_t member)
{
    return q->s.plan != MF_SEARCH_BDBCD || !q->s.members[member].visits;
}

/* Divide the area and share out its points. @return false: the area contains no point to fly to */
static bool plan_paths(struct mf_search *q, struct mf_enu *point)
{
    const struct mf_search_settings *s = &q->s;
    const struct mf_bcd b = division(s);
    const size_t count = mf_bcd_points(&b, point, point_count(s));
    bool any = false;
    size_t team = 0;
    for (size_t i = 0; i < s->member_count; i++) {
        team += flies_squares(q, i) ? 1u : 0u;
    }
    const size_t share = team == 0 ? count : mf_bcd_share(count, team);
    size_t from = 0;
    for (size_t i = 0; i < s->member_count; i++) {
        if (!flies_squares(q, i)) {
            continue;
        }
        struct member *m = &q->member[i];
        for (size_t k = from; k < from + share && k < count; k++) {
            any = go_on_to(q, m, end_of(m), point[k]) || any;
        }
        (void)go_on_to(q, m, end_of(m), s->station);
        from += share;
    }
    return any;
}

struct mf_search *mf_search_init(const struct mf_search_settings *s, struct mf_memory *memory)
{
    const size_t raster = raster_words(s) * sizeof(uint64_t);
    struct mf_search *q = part(memory, sizeof *q);
    if (q == NULL) {
        return NULL;
    }
    q->s = *s;
    q->object_count = objects_of(s);
    q->object = part(memory, q->object_count * sizeof q->object[0] + 1u);
    q->member = part(memory, s->member_count * sizeof q->member[0]);
    struct mf_enu *point = part(memory, point_count(s) * sizeof *point + 1u);
    if (q->object == NULL || q->member == NULL || point == NULL) {
        return NULL;
    }
    if (raster > 0) {
        q->grid = mf_coverage_grid(s->corners, s->corner_count, s->cell_m);
        q->area = part(memory, raster);
        q->all = part(memory, raster);
        if (q->area == NULL || q->all == NULL) {
            return NULL;
        }
        mf_coverage_fill(q->area, &q->grid, s->corners, s->corner_count);
    }
    for (size_t i = 0; i < s->member_count; i++) {
        struct member *m = &q->member[i];
        m->body =
            (struct mf_mover_thrust){.pos_m = s->members[i].begin_m, .heading = {0.0f, 1.0f, 0.0f}};
        m->path.capacity = path_capacity(s);
        m->path.point = part(memory, m->path.capacity * sizeof m->path.point[0]);
        m->spotted = part(memory, q->object_count + 1u);
        m->covered = raster > 0 ? part(memory, raster) : NULL;
        if (m->path.point == NULL || m->spotted == NULL || (raster > 0 && m->covered == NULL)) {
            return NULL;
        }
    }
    search_place_objects(q);
    return s->plan >= MF_SEARCH_OWN || plan_paths(q, point) ? q : NULL;
}

/* ---- plan, detection and costs of a plug-in */

/* Is a place in the area or at the station? A place on the edge is. */
static bool may_be_at(const struct mf_search_settings *s, struct mf_enu at)
{
    bool edge = mf_enu_near_segment(at, s->station, s->station, NEAR_M);
    for (size_t i = 0; !edge && i < s->corner_count; i++) {
        const struct mf_en a = s->corners[i], b = s->corners[(i + 1u) % s->corner_count];
        edge = mf_enu_near_segment(at, (struct mf_enu){(float)a.e, (float)a.n, 0.0f},
                                   (struct mf_enu){(float)b.e, (float)b.n, 0.0f}, EDGE_M);
    }
    const struct mf_en level = {(double)at.e, (double)at.n};
    return edge || mf_coverage_inside(level, s->corners, s->corner_count);
}

static bool is_good(struct mf_search *q, size_t member, size_t i, const struct mf_mover_goal *g)
{
    const bool finite = mf_finite((double)g->at_m.e) && mf_finite((double)g->at_m.n) &&
                        mf_finite((double)g->at_m.u) && mf_finite((double)g->speed_mps);
    if (!finite || g->at_m.u < 0.0f || !(g->speed_mps > 0.0f)) {
        search_fail(
            q, "point %zu for member %zu must be finite, above the ground, with a speed above 0", i,
            member + 1u);
        return false;
    }
    if (!may_be_at(&q->s, g->at_m)) {
        search_fail(
            q,
            "point %zu for member %zu, north %.1f, east %.1f, lies outside space.boundary; send "
            "members to places within it, or to the station",
            i, member + 1u, (double)g->at_m.n, (double)g->at_m.e);
        return false;
    }
    return true;
}

int mf_search_go(struct mf_search *q, size_t member, enum mf_search_where where,
                 const struct mf_mover_goal *goal, size_t goals)
{
    if (member >= q->s.member_count) {
        search_fail(q, "there is no member %zu: they are numbered from 0 to %zu", member,
                    q->s.member_count - 1u);
        return MF_E_RANGE;
    }
    for (size_t i = 0; i < goals; i++) {
        if (!is_good(q, member, i, &goal[i])) {
            return MF_E_RANGE;
        }
    }
    struct path *p = &q->member[member].path;
    p->at = where == MF_SEARCH_INSTEAD ? 0 : p->at;
    p->end = where == MF_SEARCH_INSTEAD ? 0 : p->end;
    if (goals > room_of(p)) {
        search_fail(q, "a path of member %zu has more than %zu points", member + 1u, p->capacity);
        return MF_E_FULL;
    }
    for (size_t i = 0; i < goals; i++) {
        if (where == MF_SEARCH_FIRST) {
            push_front(p, goal[goals - 1u - i]);
        } else {
            push_back(p, goal[i]);
        }
    }
    return MF_E_OK;
}

bool mf_search_takes(const struct mf_search *q, size_t member, const struct mf_mover_goal *goal)
{
    return goal->at_m.u >= 0.0f && mf_finite((double)goal->at_m.u) &&
           may_be_at(&q->s, goal->at_m) && room_of(&q->member[member].path) > 0;
}

bool mf_search_begin(struct mf_search *q)
{
    const struct mf_search_own *own = q->s.own;
    const bool begins = q->s.plan >= MF_SEARCH_OWN && own != NULL && own->begin != NULL;
    return !begins || !search_failed(q, own->begin(own->ctx, q));
}

size_t mf_search_reports(const struct mf_search *q, size_t member, const struct mf_en **report)
{
    const struct member *m = &q->member[member];
    *report = &m->report[m->reports - m->fresh];
    return m->fresh;
}

/* ---- steps */

static double cost_of(struct mf_search *q, size_t member)
{
    const struct mf_search_own *own = q->s.own;
    double cost_n = (double)mf_enu_length(q->member[member].body.thrust_n);
    if (own != NULL && own->cost != NULL) {
        if (!search_failed(q, own->cost(own->ctx, q, member, &cost_n)) &&
            !(cost_n >= 0.0 && mf_finite(cost_n))) {
            search_fail(q, "a cost is %g; it must be finite and not negative", cost_n);
        }
    }
    return cost_n;
}

/* Has a body passed within 1 m of its goal in this step? As published, at any height. */
static bool passed(const struct member *m, const struct mf_mover_goal *to, bool level)
{
    return to != NULL && mf_enu_near_segment(to->at_m, m->before_m, m->body.pos_m, NEAR_M) &&
           (level || mf_within((double)(to->at_m.u - m->body.pos_m.u), (double)NEAR_M));
}

static void fly_member(struct mf_search *q, size_t member)
{
    struct member *m = &q->member[member];
    const struct mf_search_member *s = &q->s.members[member];
    const struct mf_enu from = m->body.pos_m;
    const struct mf_mover_goal *to = has_path(m) ? &m->path.point[m->path.at] : NULL;
    const float step_s = (float)q->s.step_s;
    if (q->s.bodies_outside
            ? passed(m, to, q->s.compat)
            : mf_mover_thrust_step(&m->body, &s->body, to, search_wind(q, from), step_s)) {
        m->path.at++;
    } else if (!q->s.bodies_outside) {
        search_watch_progress(q, member, to);
    }
    if (!mf_enu_near_segment(q->s.station, from, from, NEAR_M)) {
        m->energy_ns += q->s.step_s * cost_of(q, member);
    }
    m->since_frame_s += q->s.step_s;
    if (m->since_frame_s > 1.0 / s->fps && m->body.pos_m.u > 0.0f) {
        m->since_frame_s = 0.0;
        search_take_picture(q, member);
    }
}

void mf_search_put(struct mf_search *q, size_t member, struct mf_enu pos_m, struct mf_enu vel_mps,
                   struct mf_enu heading)
{
    struct member *m = &q->member[member];
    MF_ASSERT(q->s.bodies_outside);
    m->before_m = m->body.pos_m;
    m->body = (struct mf_mover_thrust){.pos_m = pos_m, .vel_mps = vel_mps, .heading = heading};
}

static struct mf_enu low_over(const struct mf_search *q, struct mf_en at)
{
    return (struct mf_enu){(float)at.e, (float)at.n, (float)q->s.low_m};
}

static bool in_area(const struct mf_search *q, struct mf_en at)
{
    return mf_coverage_inside(at, q->s.corners, q->s.corner_count);
}

/* Insert dives to a member's reports into its path; as published, only to the first of a step. */
static void dive(struct mf_search *q, struct member *m)
{
    const uint32_t first = m->reports - m->fresh;
    const uint32_t count = q->s.compat ? 1u : m->fresh;
    for (uint32_t i = count; i > 0; i--) {
        const struct mf_en at = m->report[first + i - 1u];
        if (!in_area(q, at)) {
            q->refused++;
        } else if (has_path(m)) {
            go_first_to(q, m, low_over(q, at));
        }
    }
}

static bool goes_home(const struct mf_search *q, const struct member *m)
{
    return has_path(m) && distance(end_of(m), q->s.station) == 0.0f;
}

/* Choose the visiting member that has the fewest points ahead, of these the one whose way ends
 * nearest to a report. As published, the first one. */
static struct member *choose_visitor(struct mf_search *q, struct mf_enu report)
{
    struct member *best = NULL;
    size_t fewest = 0;
    for (size_t i = 0; i < q->s.member_count; i++) {
        struct member *m = &q->member[i];
        const size_t ahead = m->path.end - m->path.at - (goes_home(q, m) ? 1u : 0u);
        if (flies_squares(q, i) || (best != NULL && (q->s.compat || ahead > fewest))) {
            continue;
        }
        if (best == NULL || ahead < fewest ||
            distance(end_of(m), report) < distance(end_of(best), report)) {
            best = m;
            fewest = ahead;
        }
    }
    return best;
}

/* Let a visiting member take a report into its way. The way home stays the last goal. As published,
 * the member forgets where it was going. */
static void call_visitor(struct mf_search *q, struct member *m)
{
    MF_ASSERT(m != NULL); /* a plan with visits has a member that visits */
    if (!m->called && q->s.compat) {
        m->path.at = m->path.end = 0;
    } else if (!m->called && goes_home(q, m)) {
        m->path.end--;
    }
    m->called = true;
}

/* Send visiting members to the places that the others report, and home. As published, their own
 * reports send the first one home. */
static void visit(struct mf_search *q)
{
    for (size_t i = 0; i < q->s.member_count; i++) {
        const struct member *m = &q->member[i];
        for (uint32_t k = m->reports - m->fresh; k < m->reports; k++) {
            const struct mf_enu at = low_over(q, m->report[k]);
            const bool counts = flies_squares(q, i);
            struct member *visitor = choose_visitor(q, at);
            if (counts && !in_area(q, m->report[k])) {
                q->refused++;
            }
            if (counts || q->s.compat) {
                call_visitor(q, visitor);
            }
            if (counts && in_area(q, m->report[k])) {
                (void)go_on_to(q, visitor, end_of(visitor), at);
            }
        }
    }
    for (size_t i = 0; i < q->s.member_count; i++) {
        struct member *m = &q->member[i];
        if (m->called) {
            (void)go_on_to(q, m, end_of(m), q->s.station);
        }
        m->called = false;
    }
}

/* Let an own plan react to the reports of the step. */
static void ask_own(struct mf_search *q)
{
    const struct mf_search_own *own = q->s.own;
    uint32_t fresh = 0;
    for (size_t i = 0; i < q->s.member_count; i++) {
        fresh += q->member[i].fresh;
    }
    if (fresh > 0 && own != NULL && own->reported != NULL) {
        (void)search_failed(q, own->reported(own->ctx, q));
    }
}

static void learn(struct mf_search *q)
{
    for (size_t i = 0; q->s.plan == MF_SEARCH_AVBCD && i < q->s.member_count; i++) {
        if (q->member[i].fresh > 0) {
            dive(q, &q->member[i]);
        }
    }
    if (q->s.plan == MF_SEARCH_BDBCD) {
        visit(q);
    }
    if (q->s.plan >= MF_SEARCH_OWN) {
        ask_own(q);
    }
}

bool mf_search_step(struct mf_search *q)
{
    bool busy = false;
    q->steps++;
    for (size_t k = 0; k < q->object_count; k++) {
        q->object[k].e += (double)q->object[k].ve * q->s.step_s;
        q->object[k].n += (double)q->object[k].vn * q->s.step_s;
        q->object[k].u += (double)q->object[k].vu * q->s.step_s;
    }
    for (size_t i = 0; i < q->s.member_count; i++) {
        q->member[i].fresh = 0;
        fly_member(q, i);
    }
    learn(q);
    for (size_t i = 0; i < q->s.member_count; i++) {
        busy = busy || has_path(&q->member[i]);
    }
    return busy && q->error[0] == '\0';
}
