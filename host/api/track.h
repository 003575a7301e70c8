/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Track of the flight since the boot as a line: points between which the motion was straight and
 * even.
 *
 * A point is kept where a straight, even motion ends, so that a leg costs two points, however long
 * it is, and a corner that a sample showed is one of them. Places between two points are off by
 * MF_TRACK_TOLERANCE_M at most. A full line drops every second point of its older half.
 */
#ifndef MF_HOST_API_TRACK_H
#define MF_HOST_API_TRACK_H

#include "hal/types.h"

/** Maximum number of points. */
#define MF_TRACK_MAX 4096u
/** Largest error of places between points, in each coordinate [m]. */
#define MF_TRACK_TOLERANCE_M 0.1

/** Place. */
struct mf_track_place {
    double lat_deg, lon_deg; /**< WGS84 */
    double alt_amsl_m;
};

/** Point of the track. */
struct mf_track_point {
    mf_us_t t_us;                   /**< vehicle time */
    struct mf_track_place truth;    /**< true place of the vehicle */
    struct mf_track_place reported; /**< place that the vehicle reports */
    bool reports;
    float ground_amsl_m; /**< altitude of the ground below the vehicle */
};

/** Coordinates that move: truth and report, north, east, up. */
#define MF_TRACK_AXES 6

/** Fields are private. */
struct mf_track {
    uint32_t count;
    uint32_t total; /**< number of points kept since the boot, with the dropped ones */
    bool pending;   /**< last is later than the last point kept */
    struct mf_track_point last;
    double slowest[MF_TRACK_AXES],
        fastest[MF_TRACK_AXES]; /**< range of speeds [m/s] for which all samples since the last
                                   point are met */
    struct mf_track_point point[MF_TRACK_MAX];
};

/** @brief Begin an empty track, after a boot. */
void mf_track_clear(struct mf_track *track);

/** @brief Add a sample. Times must not decrease; an instant may occur twice. */
void mf_track_add(struct mf_track *track, const struct mf_track_point *now);

/** @brief Find the first point that is later than a time. @return its index; count: all are
 * earlier */
uint32_t mf_track_after(const struct mf_track *track, mf_us_t t_us);

/** @brief Approximate distance of two places [m]. */
double mf_track_apart_m(const struct mf_track_place *a, const struct mf_track_place *b);

#endif
