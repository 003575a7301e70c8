/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The flight since the boot as a line: points between which everything moved evenly.
 *
 * A point is kept where a straight, even motion ends, so that a leg costs two points, however long
 * it is, and a corner that a sample saw is one of them. What lies between two points is off by
 * MF_TRACK_TOLERANCE_M at most. A full line forgets every second point of its older half.
 */
#ifndef MF_HOST_API_TRACK_H
#define MF_HOST_API_TRACK_H

#include "hal/types.h"

/** Points that are kept. */
#define MF_TRACK_MAX 4096u
/** Of what is left out, in each coordinate [m]. */
#define MF_TRACK_TOLERANCE_M 0.1

/** Where something is. */
struct mf_track_place {
    double lat_deg, lon_deg; /**< WGS84 */
    double alt_amsl_m;
};

/** One instant. */
struct mf_track_point {
    mf_us_t t_us;                   /**< vehicle time */
    struct mf_track_place truth;    /**< where the vehicle is */
    struct mf_track_place reported; /**< where it says that it is, if it says so */
    bool reports;
    float ground_amsl_m; /**< below it */
};

/** Coordinates that move: truth and report, north, east, up. */
#define MF_TRACK_AXES 6

/** Fields belong to the implementation. */
struct mf_track {
    uint32_t count;
    uint32_t total; /**< points that were kept since the boot, with those that were forgotten */
    bool pending;   /**< last is beyond the last point kept */
    struct mf_track_point last;
    double slowest[MF_TRACK_AXES], fastest[MF_TRACK_AXES]; /**< m/s at which all since are met */
    struct mf_track_point point[MF_TRACK_MAX];
};

/** @brief The vehicle has booted: nothing is known. */
void mf_track_clear(struct mf_track *track);

/** @brief Where it is now. Times must not go back; an instant may come twice. */
void mf_track_add(struct mf_track *track, const struct mf_track_point *now);

/** @brief The first point that is later than a time. @return its index; count: there is none */
uint32_t mf_track_after(const struct mf_track *track, mf_us_t t_us);

/** @brief How far two places are apart, nearly [m]. */
double mf_track_apart_m(const struct mf_track_place *a, const struct mf_track_place *b);

#endif
