/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/control_inputs.h, without functions. */
#ifndef MF_FIRMWARE_STATE_CONTROL_INPUTS_H
#define MF_FIRMWARE_STATE_CONTROL_INPUTS_H

#include "firmware/state/link.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/silence.h"

/** A setpoint that changes sooner than this after the last one is chased [us]. */
#define MF_CHASE_US (500 * MF_MS_US)

/** Channels of RC_CHANNELS and RC_CHANNELS_OVERRIDE. */
#define MF_CHANNELS_MAX 18u

/** Liveness of one of them. */
struct mf_input {
    struct mf_heard heard; /**< last; meaningless before the first */
    bool live;             /**< not silent for its time-out (COM_OF_LOSS_T, COM_RC_LOSS_T) */
};

/** Deflections, -1 .. 1, 0 in the middle. */
struct mf_sticks {
    float roll;     /**< to the right */
    float pitch;    /**< forward */
    float yaw;      /**< turn to the right */
    float throttle; /**< up */
};

/** RC_CHANNELS_OVERRIDE, for its echo. */
struct mf_channels {
    struct mf_heard heard;
    uint16_t raw[MF_CHANNELS_MAX]; /**< pulse lengths [us]; UINT16_MAX: not given */
    uint8_t count; /**< number of channels up to the last given one; 0: no message so far */
};

/** SET_ATTITUDE_TARGET, for its echo. */
struct mf_attitude_aim {
    bool flown;     /**< the last setpoint was one of attitude */
    float roll_rad; /**< with the heading of the aim */
    float pitch_rad;
    float rates_rps[3]; /**< body axes; 0: not given */
    float thrust;       /**< 0 .. 1; MPC_THR_HOVER holds the altitude */
};

/** Target to follow (FOLLOW_TARGET): its place at the time of the last message, WGS84. */
struct mf_followed {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m; /**< NAN: not given */
    float vel_ned_mps[3];
    float course_rad; /**< last direction of its movement; north until it moved */
};

/** Last values of the control inputs, and whether the inputs are still present. */
struct mf_inputs {
    struct mf_input setpoint; /**< OFFBOARD */
    struct mf_input manual;   /**< sticks, which several modes need */
    struct mf_input target;   /**< FOLLOW */
    struct mf_aim aim;        /**< offboard */
    struct mf_attitude_aim attitude;
    struct mf_sticks sticks;
    bool had_manual; /**< while armed this time, or at arming */
    struct mf_channels channels;
    struct mf_followed followed;
    mf_us_t changed_us;    /**< vehicle time at which the offboard aim changed last */
    mf_us_t complained_us; /**< transport time of the last text about a setpoint */
};

#endif
