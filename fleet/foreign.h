/* SPDX-License-Identifier: Apache-2.0 */
/** Body that an autopilot outside steers by pulses: a multirotor in wind, with sensors on it. */
#ifndef MF_FLEET_FOREIGN_H
#define MF_FLEET_FOREIGN_H

#include "fleet/foreign_json.h"
#include "world/multirotor.h"
#include "world/noise.h"

/** Settings of a body. */
struct mf_foreign_settings {
    double yaw_deg, mass_kg;
    double wind_mps, wind_from_deg; /**< mean wind, and the direction that it blows from */
    double gusts_mps,
        gust_time_s; /**< standard deviation of gusts north and east; their correlation time */
    double gyro_rps, accel_mps2; /**< standard deviation of the sensors' noise on each axis */
    struct mf_seed seed;         /**< seed of gusts and noise */
};

/** A body. mf_foreign_begin() initialises it; it must not move in memory afterwards. */
struct mf_foreign {
    struct mf_foreign_settings settings;
    struct mf_multirotor rotors;
    struct mf_noise gust[2];      /**< north, east */
    struct mf_vec3 mean_wind_mps; /**< NED, the direction that the wind blows to */
    uint64_t gyro_key, accel_key;
    uint64_t time_ns;              /**< simulated time since the begin */
    uint64_t frames;               /**< number of frames simulated */
    uint32_t frame_count;          /**< number that the last frame carried */
    struct mf_foreign_state state; /**< state after the last frame: the answer to it */
};

/** Result of mf_foreign_take(). */
enum mf_foreign_took {
    MF_FOREIGN_STEPPED,
    MF_FOREIGN_REPEATED,  /**< the autopilot sent the same frame again: repeat the last answer */
    MF_FOREIGN_RESTARTED, /**< the autopilot has restarted, and so has the body */
};

/** @brief Put a body on the ground at the origin, at time 0. */
void mf_foreign_begin(struct mf_foreign *b, const struct mf_foreign_settings *settings);

/** @brief Apply the autopilot's pulses for 1 / frame_rate of time; then @c state is the answer. */
enum mf_foreign_took mf_foreign_take(struct mf_foreign *b, const struct mf_foreign_pulses *pulses);

#endif
