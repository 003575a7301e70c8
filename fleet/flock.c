/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/flock.h"

#include "math/trig.h"

#include <string.h>

static uint32_t buckets_of(uint32_t count)
{
    uint32_t buckets = 16;
    while (buckets < count) {
        buckets *= 2;
    }
    return buckets;
}

size_t mf_flock_bytes(uint32_t count)
{
    return count * (sizeof(struct mf_bird) + sizeof(uint32_t)) +
           (buckets_of(count) + 1u) * sizeof(uint32_t);
}

void mf_flock_init(struct mf_flock *f, uint32_t count, double cell_m, void *bytes)
{
    MF_ASSERT(f != NULL && bytes != NULL && cell_m > 0.0);
    memset(bytes, 0, mf_flock_bytes(count));
    f->count = count;
    f->bird = bytes;
    f->order = (uint32_t *)(void *)(f->bird + count);
    f->begin = f->order + count;
    f->buckets = buckets_of(count);
    f->cell_m = cell_m;
}

/* ---- the grid */

/* Cells in one dimension: places are held within 10^6 m, cells are at least 0.1 m. */
static int32_t cell_of(double m, double cell_m)
{
    const double cells = m / cell_m;
    const int32_t whole = (int32_t)cells;
    return (double)whole > cells ? whole - 1 : whole;
}

static uint32_t bucket_of(const struct mf_flock *f, int32_t north, int32_t east)
{
    const uint32_t mixed = (uint32_t)north * 0x9E3779B1u ^ (uint32_t)east * 0x85EBCA77u;
    return (mixed ^ mixed >> 15) & (f->buckets - 1u);
}

static uint32_t bucket_of_bird(const struct mf_flock *f, const struct mf_bird *bird)
{
    return bucket_of(f, cell_of(bird->neu_m[0], f->cell_m), cell_of(bird->neu_m[1], f->cell_m));
}

/* A sort by counting, which keeps the order of numbers within a bucket. */
void mf_flock_sort(struct mf_flock *f)
{
    memset(f->begin, 0, (f->buckets + 1u) * sizeof f->begin[0]);
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->bird[i].flies) {
            f->begin[bucket_of_bird(f, &f->bird[i]) + 1u]++;
        }
    }
    for (uint32_t k = 0; k < f->buckets; k++) {
        f->begin[k + 1u] += f->begin[k];
    }
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->bird[i].flies) {
            f->order[f->begin[bucket_of_bird(f, &f->bird[i])]++] = i;
        }
    }
    /* each bucket's begin has moved to its end, which is the begin of the next one */
    memmove(f->begin + 1, f->begin, f->buckets * sizeof f->begin[0]);
    f->begin[0] = 0;
}

/* ---- what a member sees */

struct seen {
    uint32_t count;
    double away[2]; /* from those that are too near */
    double vel[2];  /* sums of velocities and of places relative to its own */
    double middle[2];
};

static void see(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b, uint32_t other,
                struct seen *s)
{
    const double *p = f->bird[i].neu_m, *q = f->bird[other].neu_m;
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (distance2 > b->radius_m * b->radius_m) {
        return;
    }
    s->count++;
    for (size_t k = 0; k < 2; k++) {
        s->vel[k] += (double)f->bird[other].vel_ne_mps[k];
        s->middle[k] += d[k];
    }
    /* 0 at the distance of separation, and the stronger the nearer; two at one place part when
     * chance moves one of them */
    if (distance2 < b->separation_m * b->separation_m && distance2 > 0.0) {
        const double distance_m = mf_sqrt(distance2);
        const double push = (b->separation_m - distance_m) / distance_m;
        s->away[0] -= d[0] * push;
        s->away[1] -= d[1] * push;
    }
}

/* Those of one cell; another one may share its bucket. */
static void look_into(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b,
                      int32_t north, int32_t east, struct seen *s)
{
    const uint32_t bucket = bucket_of(f, north, east);
    for (uint32_t k = f->begin[bucket]; k < f->begin[bucket + 1u]; k++) {
        const double *q = f->bird[f->order[k]].neu_m;
        if (f->order[k] != i && cell_of(q[0], f->cell_m) == north &&
            cell_of(q[1], f->cell_m) == east) {
            see(f, i, b, f->order[k], s);
        }
    }
}

static struct seen look_around(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b)
{
    struct seen s = {0};
    const int32_t north = cell_of(f->bird[i].neu_m[0], f->cell_m);
    const int32_t east = cell_of(f->bird[i].neu_m[1], f->cell_m);
    for (int32_t n = north - 1; n <= north + 1; n++) {
        for (int32_t e = east - 1; e <= east + 1; e++) {
            look_into(f, i, b, n, e, &s);
        }
    }
    return s;
}

void mf_flock_steer(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b,
                    struct mf_mind *mind, float vel_ned_mps[3])
{
    MF_ASSERT(i < f->count && f->bird[i].flies && b->radius_m <= f->cell_m);
    const struct seen s = look_around(f, i, b);
    const double heading_rad = (double)mind->heading_rad, speed = (double)mind->speed_mps;
    const double each = s.count > 0 ? 1.0 / (double)s.count : 0.0;
    double vel[2] = {speed * mf_cos(heading_rad), speed * mf_sin(heading_rad)};
    for (size_t k = 0; k < 2 && s.count > 0; k++) {
        const double acc = b->separate * s.away[k] + b->align * (s.vel[k] * each - vel[k]) +
                           b->cohere * s.middle[k] * each;
        vel[k] += acc / b->rate_hz;
    }
    const double wanted = mf_length2(vel[0], vel[1]);
    const double held = mf_smaller(wanted, b->speed_max_mps);
    if (wanted > 1e-3) { /* whoever stands keeps its heading */
        mind->heading_rad = (float)mf_atan2(vel[1], vel[0]);
    }
    mind->speed_mps = (float)held;
    vel_ned_mps[0] = (float)(held * mf_cos((double)mind->heading_rad));
    vel_ned_mps[1] = (float)(held * mf_sin((double)mind->heading_rad));
    vel_ned_mps[2] = 0.0f;
}
