/* SPDX-License-Identifier: Apache-2.0 */
/** The body that an autopilot steers by pulses: a multirotor in wind, with sensors on it. */
#ifndef BODY_BODY_H
#define BODY_BODY_H

#include "tools/body/json_link.h"
#include "world/multirotor.h"
#include "world/noise.h"

/** What the user sets. */
struct body_settings {
    double yaw_deg, mass_kg;
    double wind_mps, wind_from_deg; /**< mean wind, and where it blows from */
    double gusts_mps, gust_time_s;  /**< standard deviation north and east; correlation time */
    double gyro_rps, accel_mps2;    /**< standard deviation of the sensors, each axis */
    double seed;
};

/** The body. Begun by body_begin(), and not moved in memory afterwards. */
struct body {
    struct body_settings settings;
    struct mf_multirotor rotors;
    struct mf_noise gust[2];      /**< north, east */
    struct mf_vec3 mean_wind_mps; /**< NED, where it blows to */
    uint64_t gyro_key, accel_key;
    uint64_t time_ns;        /**< simulated, since the begin */
    uint64_t frames;         /**< done */
    uint32_t frame_count;    /**< of the last one */
    struct body_state state; /**< after it */
};

/** What a packet was. */
enum body_took {
    BODY_STEPPED,
    BODY_REPEATED,  /**< the frame had come before: the last answer again */
    BODY_RESTARTED, /**< the autopilot has begun anew, and so did the body */
};

/** @brief On the ground at the origin, at time 0. */
void body_begin(struct body *b, const struct body_settings *settings);

/** @brief What the autopilot sent, and 1 / frame_rate of time; then @c state is the answer. */
enum body_took body_take(struct body *b, const struct body_pulses *pulses);

#endif
