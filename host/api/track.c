/* SPDX-License-Identifier: Apache-2.0 */
/* Track of a flight, for the control API: points between which the motion is even. */
#include "host/api/track.h"

#include "hal/assert.h"
#include "math/trig.h"

#include <math.h>
#include <string.h>

/* Radius of the ellipsoid's equator [m], which is exact enough for comparisons with a tolerance. */
#define RADIUS_M 6378137.0
/* Number of the oldest points of which every second one is dropped if the track is full. */
#define OLDER (MF_TRACK_MAX / 2u)

void mf_track_clear(struct mf_track *track)
{
    track->count = track->total = 0;
    track->pending = false;
}

static void forget_some(struct mf_track *track)
{
    for (uint32_t i = 1; i < OLDER / 2; i++) {
        track->point[i] = track->point[2 * i];
    }
    memmove(&track->point[OLDER / 2], &track->point[OLDER],
            (MF_TRACK_MAX - OLDER) * sizeof track->point[0]);
    track->count -= OLDER / 2;
}

/* Add a point at which a new motion begins. */
static void keep_point(struct mf_track *track, const struct mf_track_point *point)
{
    if (track->count == MF_TRACK_MAX) {
        forget_some(track);
    }
    track->point[track->count++] = *point;
    track->total++;
    track->pending = false;
    for (int i = 0; i < MF_TRACK_AXES; i++) {
        track->slowest[i] = -INFINITY;
        track->fastest[i] = INFINITY;
    }
}

static void find_offset(const struct mf_track_place *from, const struct mf_track_place *to,
                        double m[3])
{
    m[0] = mf_rad(to->lat_deg - from->lat_deg) * RADIUS_M;
    m[1] =
        mf_wrap_pi(mf_rad(to->lon_deg - from->lon_deg)) * RADIUS_M * mf_cos(mf_rad(from->lat_deg));
    m[2] = to->alt_amsl_m - from->alt_amsl_m;
}

double mf_track_apart_m(const struct mf_track_place *a, const struct mf_track_place *b)
{
    double m[3];
    find_offset(a, b, m);
    return sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
}

/* True if one even motion from the last kept point can pass this point and all between, within the
 * tolerance. Then the range of possible speeds is narrowed. */
static bool continue_motion(struct mf_track *track, const struct mf_track_point *now)
{
    const struct mf_track_point *from = &track->point[track->count - 1];
    const double dt_s = (double)(now->t_us - from->t_us) / 1e6;
    double m[MF_TRACK_AXES] = {0}, slowest[MF_TRACK_AXES], fastest[MF_TRACK_AXES];
    if (dt_s <= 0.0 || now->reports != from->reports) {
        return false;
    }
    find_offset(&from->truth, &now->truth, m);
    if (now->reports) {
        find_offset(&from->reported, &now->reported, m + 3);
    }
    for (int i = 0; i < MF_TRACK_AXES; i++) {
        const double speed = m[i] / dt_s;
        if (speed < track->slowest[i] || speed > track->fastest[i]) {
            return false;
        }
        slowest[i] = fmax(track->slowest[i], (m[i] - MF_TRACK_TOLERANCE_M) / dt_s);
        fastest[i] = fmin(track->fastest[i], (m[i] + MF_TRACK_TOLERANCE_M) / dt_s);
    }
    memcpy(track->slowest, slowest, sizeof slowest);
    memcpy(track->fastest, fastest, sizeof fastest);
    return true;
}

void mf_track_add(struct mf_track *track, const struct mf_track_point *now)
{
    const struct mf_track_point *latest = track->pending     ? &track->last
                                          : track->count > 0 ? &track->point[track->count - 1]
                                                             : NULL;
    if (latest == NULL) {
        keep_point(track, now);
        return;
    }
    MF_ASSERT(now->t_us >= latest->t_us);
    if (now->t_us == latest->t_us && now->reports == latest->reports &&
        mf_track_apart_m(&now->truth, &latest->truth) <= 0.0 &&
        mf_track_apart_m(&now->reported, &latest->reported) <= 0.0) {
        return;
    }
    if (!continue_motion(track, now)) {
        if (track->pending) {
            keep_point(track, &track->last);
        }
        if (!continue_motion(track, now)) { /* a jump */
            keep_point(track, now);
            return;
        }
    }
    track->last = *now;
    track->pending = true;
}

uint32_t mf_track_after(const struct mf_track *track, mf_us_t t_us)
{
    uint32_t low = 0, high = track->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (track->point[middle].t_us > t_us) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}
