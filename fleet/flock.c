/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbours and velocities of a flock. Called by boards/swarm/minds. */
#include "fleet/flock.h"

#include "math/trig.h"

#include <string.h>

size_t mf_flock_bytes(uint32_t count)
{
    return count * sizeof(struct mf_flock_member) + mf_buckets_bytes(count);
}

void mf_flock_init(struct mf_flock *f, uint32_t count, double cell_m, void *bytes)
{
    MF_ASSERT(f != NULL && bytes != NULL && cell_m > 0.0);
    memset(bytes, 0, mf_flock_bytes(count));
    f->count = count;
    f->member = bytes;
    f->by_cell = mf_buckets(count, f->member + count);
    f->cell_m = cell_m;
}

/* ---- the grid */

static uint32_t bucket_of(const struct mf_flock *f, int32_t north, int32_t east)
{
    const uint32_t mixed = (uint32_t)north * 0x9E3779B1u ^ (uint32_t)east * 0x85EBCA77u;
    return (mixed ^ mixed >> 15) & (f->by_cell.buckets - 1u);
}

static uint32_t bucket_of_member(const struct mf_flock *f, const struct mf_flock_member *member)
{
    return bucket_of(f, mf_cell_along(member->neu_m[0], f->cell_m),
                     mf_cell_along(member->neu_m[1], f->cell_m));
}

/* Buckets need no check for overflow: members stay within 10^6 m, and cells are at least 0.1 m. */
void mf_flock_sort(struct mf_flock *f)
{
    mf_buckets_begin(&f->by_cell);
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->member[i].flies) {
            mf_buckets_count(&f->by_cell, bucket_of_member(f, &f->member[i]));
        }
    }
    mf_buckets_lay(&f->by_cell);
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->member[i].flies) {
            mf_buckets_put(&f->by_cell, bucket_of_member(f, &f->member[i]), i);
        }
    }
    mf_buckets_end(&f->by_cell);
}

/* ---- what a member sees */

struct seen {
    uint32_t count;
    double away[2];   /* sum of the ways from neighbours that are too near */
    double vel[2];    /* sum of the neighbours' velocities */
    double middle[2]; /* sum of the neighbours' places, relative to the member */
};

static void see(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b, uint32_t other,
                struct seen *s)
{
    const double *p = f->member[i].neu_m, *q = f->member[other].neu_m;
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (distance2 > b->radius_m * b->radius_m) {
        return;
    }
    s->count++;
    for (size_t k = 0; k < 2; k++) {
        s->vel[k] += (double)f->member[other].vel_ne_mps[k];
        s->middle[k] += d[k];
    }
    /* The push is 0 at the distance of separation, and grows towards it. Two members at one place
     * part when chance moves one of them. */
    if (distance2 < b->separation_m * b->separation_m && distance2 > 0.0) {
        const double distance_m = mf_sqrt(distance2);
        const double push = (b->separation_m - distance_m) / distance_m;
        s->away[0] -= d[0] * push;
        s->away[1] -= d[1] * push;
    }
}

/* Visit the members of one cell, and skip those of others that share its bucket. */
static void look_into(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b,
                      int32_t north, int32_t east, struct seen *s)
{
    const uint32_t bucket = bucket_of(f, north, east);
    for (uint32_t k = f->by_cell.begin[bucket]; k < f->by_cell.begin[bucket + 1u]; k++) {
        const double *q = f->member[f->by_cell.order[k]].neu_m;
        if (f->by_cell.order[k] != i && mf_cell_along(q[0], f->cell_m) == north &&
            mf_cell_along(q[1], f->cell_m) == east) {
            see(f, i, b, f->by_cell.order[k], s);
        }
    }
}

static struct seen look_around(const struct mf_flock *f, uint32_t i, const struct mf_behaviour *b)
{
    struct seen s = {0};
    const int32_t north = mf_cell_along(f->member[i].neu_m[0], f->cell_m);
    const int32_t east = mf_cell_along(f->member[i].neu_m[1], f->cell_m);
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
    MF_ASSERT(i < f->count && f->member[i].flies && b->radius_m <= f->cell_m);
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
    if (wanted > 1e-3) { /* a member that stands keeps its heading */
        mind->heading_rad = (float)mf_atan2(vel[1], vel[0]);
    }
    mind->speed_mps = (float)held;
    vel_ned_mps[0] = (float)(held * mf_cos((double)mind->heading_rad));
    vel_ned_mps[1] = (float)(held * mf_sin((double)mind->heading_rad));
    vel_ned_mps[2] = 0.0f;
}
