/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A walk along beacons by what is received of them: a member climbs the strength of the beacon
 * that it aims at, and when that is strong enough it aims at the next one; from the last one, the
 * edge, it comes back the same way. It knows where it is, and of a beacon only its number.
 *
 * The slope is that of the plane through the last places and strengths, by least squares; the
 * member weaves a little, so that its places are not on a line. Without news it wanders.
 */
#ifndef MF_FLEET_GRADIENT_H
#define MF_FLEET_GRADIENT_H

#include "fleet/behaviour.h"

#define MF_GRADIENT_SAMPLES 16u

/** Of one member. */
struct mf_gradient {
    uint32_t first, count; /**< members who are its beacons */
    uint32_t aim;          /**< number of a beacon, from 0 */
    uint32_t reached;      /**< beacons so far; on the way back they count again */
    uint32_t told;         /**< of them, the caller's */
    uint32_t quiet;        /**< turns without news of its aim */
    uint32_t samples;      /**< since it aims there: the last ones are kept */
    bool back, done;
    struct {
        float north_m, east_m, dbm;
    } sample[MF_GRADIENT_SAMPLES];
};

/** @brief A packet of a beacon has come. @param beacon  its number  @param ne_m  [2]: where the
 * member is  @param dbm  as received  @return the beacon at which it aimed is reached */
bool mf_gradient_hear(struct mf_gradient *g, double near_dbm, uint32_t beacon, const double *ne_m,
                      double dbm);

/** @brief The slope at its place. @param ne  out [2]: of length 1  @return false: not known */
bool mf_gradient_slope(const struct mf_gradient *g, double *ne);

/** @brief The velocity that it wants. @param mind  its heading: in, out; its chance
 *  @param vel_ned_mps  out: level */
void mf_gradient_steer(struct mf_gradient *g, const struct mf_behaviour *b, struct mf_mind *mind,
                       float vel_ned_mps[3]);

#endif
