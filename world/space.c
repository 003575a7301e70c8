/* SPDX-License-Identifier: Apache-2.0 */
/* Obstacles in a tree of boxes: rays and contacts. Called by world/sense, mover_body and
 * space_slide, and boards/swarm/contacts. */
#include "world/space.h"

#include "math/trig.h"

#include <string.h>

#define FAR_M 1e6
/* LEAF: most parts of a box that is not cut any more; BINS: number of cuts that are compared along
 * an axis. */
#define LEAF 4u
#define BINS 12u
/* DEEP: depth of the tree from which on cuts are in halves; STACK: boxes on a path through it. */
#define DEEP     40u
#define STACK    80u
#define TOUCH_M  MF_SPACE_TOUCH_M
#define ADVANCES MF_SPACE_ADVANCES

size_t mf_space_bytes(uint32_t parts)
{
    return (size_t)parts * (sizeof(struct mf_space_part) + 2u * sizeof(struct mf_space_node)) +
           sizeof(struct mf_space_node);
}

void mf_space_init(struct mf_space *space, uint32_t parts, void *bytes)
{
    MF_ASSERT(space != NULL && bytes != NULL && parts > 0 && parts < UINT32_MAX / 4u);
    *space = (struct mf_space){.part = bytes, .capacity = parts};
    space->node = (struct mf_space_node *)(void *)(space->part + parts);
}

/* ---- obstacles */

static struct mf_box box_of(const struct mf_space_part *part)
{
    return part->is_solid ? mf_solid_box(&part->of.shape) : mf_triangle_box(&part->of.triangle);
}

static int add(struct mf_space *space, const struct mf_space_part *part)
{
    const struct mf_box box = box_of(part);
    bool good = true;
    for (size_t i = 0; i < 3; i++) {
        good = good && mf_within(box.low[i], FAR_M) && mf_within(box.high[i], FAR_M) &&
               box.low[i] <= box.high[i];
    }
    if (!good || space->count == space->capacity) {
        space->refused++;
        return good ? MF_E_FULL : MF_E_RANGE;
    }
    space->part[space->count++] = *part;
    return MF_E_OK;
}

int mf_space_add_solid(struct mf_space *space, uint32_t id, const struct mf_solid *s)
{
    const bool box = s->kind == MF_SOLID_BOX;
    const bool tall = s->kind == MF_SOLID_CYLINDER || s->kind == MF_SOLID_CONE;
    const bool extent = box ? s->size_m[0] > 0.0 && s->size_m[1] > 0.0 && s->size_m[2] > 0.0
                            : s->radius_m > 0.0 && (!tall || s->height_m > 0.0);
    if (!extent || s->kind < 0 || s->kind >= MF_SOLID_MESH) {
        space->refused++;
        return MF_E_RANGE;
    }
    struct mf_space_part part = {.id = id, .is_solid = true};
    part.of.shape = *s;
    return add(space, &part);
}

int mf_space_add_triangles(struct mf_space *space, uint32_t id, const struct mf_triangle *t,
                           uint32_t count)
{
    int result = MF_E_OK;
    for (uint32_t i = 0; i < count && result == MF_E_OK; i++) {
        struct mf_space_part part = {.id = id};
        part.of.triangle = t[i];
        result = add(space, &part);
    }
    return result;
}

/* ---- the tree */

static struct mf_box joined(const struct mf_box *a, const struct mf_box *b)
{
    struct mf_box both;
    for (size_t i = 0; i < 3; i++) {
        both.low[i] = mf_smaller(a->low[i], b->low[i]);
        both.high[i] = mf_larger(a->high[i], b->high[i]);
    }
    return both;
}

static const struct mf_box k_nothing = {{FAR_M * 4, FAR_M * 4, FAR_M * 4},
                                        {-FAR_M * 4, -FAR_M * 4, -FAR_M * 4}};

/* Half the surface of a box. */
static double surface(const struct mf_box *b)
{
    const double d[3] = {b->high[0] - b->low[0], b->high[1] - b->low[1], b->high[2] - b->low[2]};
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

static double middle_of(const struct mf_space_part *part, size_t axis)
{
    const struct mf_box box = box_of(part);
    return 0.5 * (box.low[axis] + box.high[axis]);
}

/* Box around parts, and the range of their middles, in which it may be cut. */
struct extent {
    struct mf_box box;
    double low[3], high[3];
};

static struct extent extent_of(const struct mf_space *space, uint32_t first, uint32_t count)
{
    struct extent e = {.box = k_nothing};
    memcpy(e.low, k_nothing.low, sizeof e.low);
    memcpy(e.high, k_nothing.high, sizeof e.high);
    for (uint32_t i = first; i < first + count; i++) {
        const struct mf_box box = box_of(&space->part[i]);
        e.box = joined(&e.box, &box);
        for (size_t axis = 0; axis < 3; axis++) {
            const double middle = 0.5 * (box.low[axis] + box.high[axis]);
            e.low[axis] = mf_smaller(e.low[axis], middle);
            e.high[axis] = mf_larger(e.high[axis], middle);
        }
    }
    return e;
}

static uint32_t bin_of(const struct extent *e, size_t axis, double middle)
{
    const double part = (middle - e->low[axis]) / (e->high[axis] - e->low[axis]);
    const uint32_t bin = (uint32_t)(part * (double)BINS);
    return bin < BINS ? bin : BINS - 1u;
}

/* Cut of a box: parts below this bin of this axis come first. */
struct cut {
    size_t axis;
    uint32_t bin; /* 0: no cut */
    double cost;
};

/* Find the cheapest cut along an axis. The cost is that of rays: surfaces of both sides times their
 * parts. */
static void compare_cuts(const struct mf_space *space, uint32_t first, uint32_t count,
                         const struct extent *e, size_t axis, struct cut *best)
{
    struct mf_box box[BINS], left = k_nothing, right[BINS];
    uint32_t parts[BINS] = {0}, below = 0;
    if (!(e->high[axis] > e->low[axis])) {
        return;
    }
    for (uint32_t k = 0; k < BINS; k++) {
        box[k] = k_nothing;
    }
    for (uint32_t i = first; i < first + count; i++) {
        const struct mf_box one = box_of(&space->part[i]);
        const uint32_t bin = bin_of(e, axis, 0.5 * (one.low[axis] + one.high[axis]));
        box[bin] = joined(&box[bin], &one);
        parts[bin]++;
    }
    right[BINS - 1u] = box[BINS - 1u];
    for (uint32_t k = BINS - 1u; k > 0; k--) {
        right[k - 1u] = joined(&right[k], &box[k - 1u]);
    }
    for (uint32_t k = 1; k < BINS; k++) {
        left = joined(&left, &box[k - 1u]);
        below += parts[k - 1u];
        if (below > 0 && below < count) {
            const double cost =
                surface(&left) * (double)below + surface(&right[k]) * (double)(count - below);
            if (best->bin == 0 || cost < best->cost) {
                *best = (struct cut){axis, k, cost};
            }
        }
    }
}

/* Divide the parts of a box. @return number of parts in the first half */
static uint32_t divide(struct mf_space *space, uint32_t first, uint32_t count,
                       const struct extent *e, uint32_t depth)
{
    struct cut best = {0};
    for (size_t axis = 0; axis < 3 && depth < DEEP; axis++) {
        compare_cuts(space, first, count, e, axis, &best);
    }
    if (best.bin == 0) {
        return count / 2u; /* all at one place, or very deep: any halves */
    }
    uint32_t low = first, high = first + count;
    while (low < high) {
        if (bin_of(e, best.axis, middle_of(&space->part[low], best.axis)) < best.bin) {
            low++;
        } else {
            const struct mf_space_part part = space->part[low];
            space->part[low] = space->part[--high];
            space->part[high] = part;
        }
    }
    return low - first;
}

/* Store a box as floats, never smaller than it is. */
static void set_box(struct mf_space_node *node, const struct mf_box *box)
{
    for (size_t i = 0; i < 3; i++) {
        const double margin = 1e-6 * (mf_abs(box->low[i]) + mf_abs(box->high[i])) + 1e-9;
        node->low[i] = (float)(box->low[i] - margin);
        node->high[i] = (float)(box->high[i] + margin);
    }
}

void mf_space_build(struct mf_space *space)
{
    struct {
        uint32_t node, depth;
    } stack[STACK];
    uint32_t open = 0;
    space->nodes = 0;
    if (space->count == 0) {
        return;
    }
    space->node[space->nodes++] = (struct mf_space_node){.count = space->count};
    stack[open].node = 0;
    stack[open++].depth = 0;
    while (open > 0) {
        struct mf_space_node *node = &space->node[stack[--open].node];
        const uint32_t depth = stack[open].depth, first = node->first, count = node->count;
        const struct extent e = extent_of(space, first, count);
        set_box(node, &e.box);
        if (count <= LEAF) {
            continue;
        }
        const uint32_t below = divide(space, first, count, &e, depth);
        node->first = space->nodes;
        node->count = 0;
        for (uint32_t k = 0; k < 2; k++) {
            MF_ASSERT(open < STACK); /* two per level; halves limit the depth */
            stack[open].node = space->nodes;
            stack[open++].depth = depth + 1u;
            space->node[space->nodes++] = (struct mf_space_node){
                .first = k == 0 ? first : first + below, .count = k == 0 ? below : count - below};
        }
    }
}

/* ---- rays */

struct beam {
    const double *from, *toward;
    double per[3]; /* 1 / toward */
};

/* Distance at which a ray enters a box; infinity: not before @p reach. */
static double enters(const struct beam *b, const struct mf_space_node *node, double reach)
{
    double in = 0.0, out = reach;
    for (size_t i = 0; i < 3; i++) {
        const double one = ((double)node->low[i] - b->from[i]) * b->per[i];
        const double two = ((double)node->high[i] - b->from[i]) * b->per[i];
        in = mf_larger(mf_smaller(one, two), in);
        out = mf_smaller(mf_larger(one, two), out);
    }
    return in <= out ? in : __builtin_inf();
}

static void try_parts(const struct mf_space *space, const struct mf_space_node *node,
                      const struct beam *b, struct mf_ray_hit *hit)
{
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const struct mf_space_part *part = &space->part[i];
        const double at = part->is_solid ? mf_solid_ray(&part->of.shape, b->from, b->toward)
                                         : mf_triangle_ray(&part->of.triangle, b->from, b->toward);
        /* of two at one distance the lower id wins, so that the result does not depend on the
         * tree */
        if (at < hit->distance_m || (at == hit->distance_m && part->id < hit->id)) {
            *hit = (struct mf_ray_hit){at, part->id};
        }
    }
}

bool mf_space_ray(const struct mf_space *space, const double from[3], const double toward[3],
                  double reach_m, struct mf_ray_hit *hit)
{
    struct {
        uint32_t node;
        double at;
    } stack[STACK];
    struct beam b = {.from = from, .toward = toward};
    uint32_t open = 0;
    struct mf_ray_hit best = {reach_m, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        /* avoid infinity for a direction along a plane of a box */
        b.per[i] = 1.0 / (mf_abs(toward[i]) > 1e-30 ? toward[i] : 1e-30);
    }
    if (space->nodes > 0 && enters(&b, &space->node[0], reach_m) <= reach_m) {
        stack[open].at = 0.0;
        stack[open++].node = 0;
    }
    while (open > 0) {
        const struct mf_space_node *node = &space->node[stack[--open].node];
        if (stack[open].at > best.distance_m) {
            continue;
        }
        if (node->count > 0) {
            try_parts(space, node, &b, &best);
            continue;
        }
        const double at[2] = {enters(&b, &space->node[node->first], best.distance_m),
                              enters(&b, &space->node[node->first + 1u], best.distance_m)};
        const uint32_t near = at[1] < at[0] ? 1u : 0u;
        for (uint32_t k = 0; k < 2; k++) { /* visit the nearer child first */
            const uint32_t child = k == 0 ? 1u - near : near;
            if (at[child] <= best.distance_m) {
                stack[open].at = at[child];
                stack[open++].node = node->first + child;
            }
        }
    }
    *hit = best;
    return best.id != UINT32_MAX;
}

/* ---- balls */

static double distance_of(const struct mf_space_part *part, const double place[3])
{
    return part->is_solid ? mf_solid_distance(&part->of.shape, place)
                          : mf_triangle_distance(&part->of.triangle, place);
}

static double gap_after(const struct mf_space_part *part, const struct mf_ball *ball, double s)
{
    const double place[3] = {ball->neu_m[0] + ball->vel_mps[0] * s,
                             ball->neu_m[1] + ball->vel_mps[1] * s,
                             ball->neu_m[2] + ball->vel_mps[2] * s};
    return distance_of(part, place) - ball->radius_m;
}

/* Time at which a ball meets a part. It advances by the distance at which it cannot yet meet it,
 * until none is left. A ball that touches the part at the end has met it, since a step that begins
 * there does not count it. @return infinity: not up to @p until_s */
static double meets(const struct mf_space_part *part, const struct mf_ball *ball, double speed,
                    double until_s)
{
    double s = 0.0;
    double gap = gap_after(part, ball, 0.0);
    if (gap <= TOUCH_M) {
        return __builtin_inf();
    }
    for (uint32_t i = 0; i < ADVANCES && gap > TOUCH_M; i++) {
        s += gap / speed;
        if (s > until_s) {
            return gap_after(part, ball, until_s) <= TOUCH_M ? until_s : __builtin_inf();
        }
        gap = gap_after(part, ball, s);
    }
    return s;
}

static bool overlaps(const struct mf_space_node *node, const struct mf_box *box)
{
    bool both = true;
    for (size_t i = 0; i < 3; i++) {
        both = both && (double)node->low[i] <= box->high[i] && box->low[i] <= (double)node->high[i];
    }
    return both;
}

/* Box around the way of a ball. */
static struct mf_box swept(const struct mf_ball *ball, double until_s)
{
    struct mf_box box;
    for (size_t i = 0; i < 3; i++) {
        const double way = ball->vel_mps[i] * until_s;
        box.low[i] = ball->neu_m[i] + mf_smaller(way, 0.0) - ball->radius_m - TOUCH_M;
        box.high[i] = ball->neu_m[i] + mf_larger(way, 0.0) + ball->radius_m + TOUCH_M;
    }
    return box;
}

/* First part of those seen that a ball touches. */
struct meeting {
    const struct mf_ball *ball;
    double speed_mps, first_s;
    uint32_t id;
};

static void take_meeting(void *ctx, const struct mf_space_part *part)
{
    struct meeting *m = ctx;
    const double s = meets(part, m->ball, m->speed_mps, m->first_s);
    if (s < m->first_s || (s == m->first_s && part->id < m->id)) {
        m->first_s = s;
        m->id = part->id;
    }
}

bool mf_space_meet(const struct mf_space *space, const struct mf_ball *ball, mf_us_t until_us,
                   struct mf_contact *contact)
{
    struct meeting first = {.ball = ball,
                            .speed_mps = mf_sqrt(mf_dot3(ball->vel_mps, ball->vel_mps)),
                            .first_s = (double)until_us * 1e-6,
                            .id = UINT32_MAX};
    const struct mf_box box = swept(ball, first.first_s);
    if (!(first.speed_mps > 0.0)) {
        return false;
    }
    mf_space_each(space, &box, take_meeting, &first);
    *contact = (struct mf_contact){.after_us = mf_contact_us(first.first_s), .with = first.id};
    return first.id != UINT32_MAX;
}

bool mf_solid_meet(const struct mf_solid *s, const double vel_mps[3], const struct mf_ball *ball,
                   mf_us_t until_us, mf_us_t *after_us)
{
    const struct mf_space_part part = {.of = {.shape = *s}, .is_solid = true};
    const double until_s = (double)until_us * 1e-6;
    struct mf_ball seen = *ball; /* the ball, relative to the shape */
    for (size_t i = 0; i < 3; i++) {
        seen.vel_mps[i] -= vel_mps[i];
    }
    const double speed = mf_sqrt(mf_dot3(seen.vel_mps, seen.vel_mps));
    const double s_met = speed > 0.0 ? meets(&part, &seen, speed, until_s) : __builtin_inf();
    *after_us = s_met <= until_s ? mf_contact_us(s_met) : MF_NEVER;
    return s_met <= until_s;
}

void mf_space_each(const struct mf_space *space, const struct mf_box *box, mf_space_take *take,
                   void *ctx)
{
    uint32_t stack[STACK], open = 0;
    if (space->nodes > 0) {
        stack[open++] = 0;
    }
    while (open > 0) {
        const struct mf_space_node *node = &space->node[stack[--open]];
        if (!overlaps(node, box)) {
            continue;
        }
        if (node->count == 0) {
            stack[open++] = node->first;
            stack[open++] = node->first + 1u;
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            take(ctx, &space->part[i]);
        }
    }
}

double mf_space_part_distance(const struct mf_space_part *part, const double neu_m[3])
{
    return distance_of(part, neu_m);
}

bool mf_space_part_normal(const struct mf_space_part *part, const double neu_m[3], double radius_m,
                          double normal[3])
{
    /* step of the differences: less than a ball, more than rounding */
    const double step_m = mf_larger(1e-3 * radius_m, 1e-6);
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        double at[3] = {neu_m[0], neu_m[1], neu_m[2]};
        at[i] += step_m;
        normal[i] = distance_of(part, at);
        at[i] -= 2.0 * step_m;
        normal[i] -= distance_of(part, at);
        square += normal[i] * normal[i];
    }
    if (!(square > 0.0)) {
        return false;
    }
    const double length = mf_sqrt(square);
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
    }
    return true;
}

/* Part of an obstacle that is nearest to a ball. */
struct touched {
    const struct mf_space_part *part;
    const double *neu_m;
    double least_m;
    uint32_t with;
};

static void take_touched(void *ctx, const struct mf_space_part *part)
{
    struct touched *t = ctx;
    const double away_m = distance_of(part, t->neu_m);
    if (part->id == t->with && away_m < t->least_m) {
        t->least_m = away_m;
        t->part = part;
    }
}

/* Find the part of an obstacle that a ball touches. @return NULL: all parts are out of reach */
static const struct mf_space_part *touched(const struct mf_space *space, uint32_t with,
                                           const struct mf_ball *ball, double reach_m)
{
    struct touched t = {NULL, ball->neu_m, __builtin_inf(), with};
    struct mf_box box = swept(ball, 0.0);
    for (size_t i = 0; i < 3; i++) {
        box.low[i] -= reach_m;
        box.high[i] += reach_m;
    }
    mf_space_each(space, &box, take_touched, &t);
    return t.part;
}

bool mf_space_normal(const struct mf_space *space, uint32_t with, const struct mf_ball *ball,
                     double normal[3], double *gap_m)
{
    const double reach_m = 0.1 * ball->radius_m;
    const struct mf_space_part *part = touched(space, with, ball, reach_m);
    if (part == NULL || distance_of(part, ball->neu_m) - ball->radius_m > reach_m ||
        !mf_space_part_normal(part, ball->neu_m, ball->radius_m, normal)) {
        return false;
    }
    *gap_m = distance_of(part, ball->neu_m) - ball->radius_m;
    return true;
}
