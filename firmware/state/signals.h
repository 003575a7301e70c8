/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/signals.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_SIGNALS_H
#define MF_FIRMWARE_STATE_SIGNALS_H

#include "firmware/state/link.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/silence.h"

/** A setpoint that changes sooner than this after the last one is chased [us]. */
#define MF_CHASE_US (500 * MF_MS_US)

/** Channels of RC_CHANNELS and RC_CHANNELS_OVERRIDE. */
#define MF_CHANNELS_MAX 18u

/** Liveness of a stream. */
struct mf_signal {
    struct mf_heard heard;
    bool live;
};

/** Deflections, -1 .. 1: right, forward, right turn, up. */
struct mf_sticks {
    float roll;
    float pitch;
    float yaw;
    float throttle;
};

/** RC_CHANNELS_OVERRIDE, for its echo. */
struct mf_channels {
    struct mf_heard heard;
    uint16_t raw[MF_CHANNELS_MAX]; /**< pulse lengths [us]; UINT16_MAX: not given */
    uint8_t count;                 /**< up to the last one that is given; 0: never heard */
};

/** SET_ATTITUDE_TARGET, for its echo. */
struct mf_attitude_aim {
    bool flown; /**< the last setpoint was one of attitude */
    float roll_rad;
    float pitch_rad;
    float rates_rps[3]; /**< body axes; 0: not given */
    float thrust;
};

/** FOLLOW_TARGET. */
struct mf_followed {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m; /**< NAN: not given */
    float vel_ned_mps[3];
    float course_rad; /**< last direction of its movement; north until it moved */
};

/** What sticks change of FLW_TGT_FA, _DST and _HT while the mode lasts. */
struct mf_follow_trim {
    mf_us_t at_us; /**< vehicle time up to which the sticks count */
    double angle_rad;
    double distance_m;
    double height_m;
};

struct mf_signals {
    struct mf_signal setpoint;
    struct mf_signal manual;
    struct mf_signal target;
    struct mf_aim aim; /**< offboard */
    struct mf_attitude_aim attitude;
    struct mf_sticks sticks;
    struct mf_channels channels;
    struct mf_followed followed;
    struct mf_follow_trim trim; /**< FOLLOW */
    mf_us_t changed_us;         /**< vehicle time at which the offboard aim changed last */
    mf_us_t complained_us;      /**< transport time of the last text about a setpoint */
    bool had_manual;            /**< while armed this time, or at arming */
};

#endif
