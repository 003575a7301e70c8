/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Walk along beacons by the strength of their packets: a member climbs the strength of the beacon
 * that it aims at, and aims at the next one when that is strong enough; from the last one, the
 * edge, it returns the same way. A member knows its own place, and of a beacon only the number.
 *
 * The slope is that of the plane through the last places and strengths, by least squares. The
 * member weaves a little, so that its places are not on a line. It wanders while no packets
 * arrive.
 */
#ifndef MF_FLEET_GRADIENT_H
#define MF_FLEET_GRADIENT_H

#include "fleet/behaviour.h"

#define MF_GRADIENT_SAMPLES 16u

/** State of one member's walk. */
struct mf_gradient {
    uint32_t first, count; /**< members that are its beacons */
    uint32_t aim;          /**< number of the beacon that it aims at, from 0 */
    uint32_t reached;      /**< number of beacons reached; on the way back they count again */
    uint32_t told;         /**< reached beacons that the caller has reported; the caller's field */
    uint32_t quiet;        /**< turns without a packet of the beacon */
    uint32_t
        samples; /**< number of samples of this beacon; the last MF_GRADIENT_SAMPLES are kept */
    bool back, done;
    struct {
        float north_m, east_m, dbm;
    } sample[MF_GRADIENT_SAMPLES];
};

/** @brief Add a received packet of a beacon. @param beacon  number of the beacon @param ne_m [2]:
 * place of the member @param dbm  strength of the packet @return true: the member has reached the
 * beacon that it aimed at */
bool mf_gradient_hear(struct mf_gradient *g, double near_dbm, uint32_t beacon, const double *ne_m,
                      double dbm);

/** @brief Compute the direction in which the strength grows. @param ne  out [2]: of length 1
 * @return false: too few samples, or no slope */
bool mf_gradient_slope(const struct mf_gradient *g, double *ne);

/** @brief Compute the next velocity of the member. @param mind  in, out: heading; in: key of random
 * numbers
 * @param vel_ned_mps  out: level */
void mf_gradient_steer(struct mf_gradient *g, const struct mf_behaviour *b, struct mf_mind *mind,
                       float vel_ned_mps[3]);

#endif
