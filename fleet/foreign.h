/* SPDX-License-Identifier: Apache-2.0 */
/** The body that an autopilot steers by pulses: a multirotor in wind, with sensors on it. */
#ifndef MF_FLEET_FOREIGN_H
#define MF_FLEET_FOREIGN_H

#include "fleet/foreign_json.h"
#include "world/multirotor.h"
#include "world/noise.h"

/** What the user sets. */
struct mf_foreign_settings {
    double yaw_deg, mass_kg;
    double wind_mps, wind_from_deg; /**< mean wind, and where it blows from */
    double gusts_mps, gust_time_s;  /**< standard deviation north and east; correlation time */
    double gyro_rps, accel_mps2;    /**< standard deviation of the sensors, each axis */
    struct mf_seed seed;            /**< of gusts and noise */
};

/** The body. Begun by mf_foreign_begin(), and not moved in memory afterwards. */
struct mf_foreign {
    struct mf_foreign_settings settings;
    struct mf_multirotor rotors;
    struct mf_noise gust[2];      /**< north, east */
    struct mf_vec3 mean_wind_mps; /**< NED, where it blows to */
    uint64_t gyro_key, accel_key;
    uint64_t time_ns;              /**< simulated, since the begin */
    uint64_t frames;               /**< done */
    uint32_t frame_count;          /**< of the last one */
    struct mf_foreign_state state; /**< after it */
};

/** What a packet was. */
enum mf_foreign_took {
    MF_FOREIGN_STEPPED,
    MF_FOREIGN_REPEATED,  /**< the frame had come before: the last answer again */
    MF_FOREIGN_RESTARTED, /**< the autopilot has begun anew, and so did the body */
};

/** @brief On the ground at the origin, at time 0. */
void mf_foreign_begin(struct mf_foreign *b, const struct mf_foreign_settings *settings);

/** @brief What the autopilot sent, and 1 / frame_rate of time; then @c state is the answer. */
enum mf_foreign_took mf_foreign_take(struct mf_foreign *b, const struct mf_foreign_pulses *pulses);

#endif
