/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/report/stream.h, without functions. */
#ifndef MF_FIRMWARE_STATE_STREAM_H
#define MF_FIRMWARE_STATE_STREAM_H

#include "hal/types.h"
#include "mavlink/message.h"

/** Interval of a message that is sent on request only, as SET_MESSAGE_INTERVAL has it. */
#define MF_STREAM_OFF (-1)

/* Messages that can be streamed or requested. Columns: message, its struct, what it is made of
 * (STATE: the state of the flight, flight/encode_state.h; VEHICLE, ESTIMATE, BOTH:
 * report/encode.h), default interval of the profiles [us] sim (SIM-016 .. SIM-021), px4 (PX4's
 * normal link), onboard (its link to an onboard computer) and min; MF_STREAM_OFF: on request only.
 * The encoder of each is mf_encode_<struct>(). A message that PX4 sends as often as it is measured
 * has the rate of its simulator. */
/* clang-format off */
#define MF_STREAM_LIST(X) \
    X(SYS_STATUS, sys_status, STATE, 1000000, 1000000, 200000, 1000000) \
    X(SYSTEM_TIME, system_time, ESTIMATE, 1000000, MF_STREAM_OFF, 1000000, MF_STREAM_OFF) \
    X(GPS_RAW_INT, gps_raw_int, ESTIMATE, 1000000, 200000, 125000, 1000000) \
    X(SCALED_PRESSURE, scaled_pressure, VEHICLE, 1000000, 1000000, 1000000, MF_STREAM_OFF) \
    X(ATTITUDE, attitude, ESTIMATE, 100000, 66667, 10000, MF_STREAM_OFF) \
    X(ATTITUDE_QUATERNION, attitude_quaternion, ESTIMATE, 100000, 100000, 20000, MF_STREAM_OFF) \
    X(LOCAL_POSITION_NED, local_position_ned, BOTH, 100000, 1000000, 33333, MF_STREAM_OFF) \
    X(GLOBAL_POSITION_INT, global_position_int, BOTH, 100000, 200000, 20000, 1000000) \
    X(SERVO_OUTPUT_RAW, servo_output_raw, VEHICLE, MF_STREAM_OFF, 1000000, 100000, MF_STREAM_OFF) \
    X(MISSION_CURRENT, mission_current, STATE, 1000000, 1000000, 1000000, 1000000) \
    X(GPS_GLOBAL_ORIGIN, gps_global_origin, STATE, MF_STREAM_OFF, 1000000, 1000000, MF_STREAM_OFF) \
    X(NAV_CONTROLLER_OUTPUT, nav_controller_output, BOTH, MF_STREAM_OFF, 1000000, 100000, MF_STREAM_OFF) \
    X(RC_CHANNELS, rc_channels, VEHICLE, 200000, 200000, 50000, MF_STREAM_OFF) \
    X(VFR_HUD, vfr_hud, BOTH, 250000, 250000, 100000, MF_STREAM_OFF) \
    X(ATTITUDE_TARGET, attitude_target, BOTH, MF_STREAM_OFF, 500000, 100000, MF_STREAM_OFF) \
    X(POSITION_TARGET_LOCAL_NED, position_target_local_ned, BOTH, MF_STREAM_OFF, 666667, 100000, MF_STREAM_OFF) \
    X(POSITION_TARGET_GLOBAL_INT, position_target_global_int, BOTH, MF_STREAM_OFF, 1000000, 100000, MF_STREAM_OFF) \
    X(HIGHRES_IMU, highres_imu, VEHICLE, 1000000, MF_STREAM_OFF, 20000, MF_STREAM_OFF) \
    X(HIL_STATE_QUATERNION, hil_state_quaternion, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(ALTITUDE, altitude, BOTH, 1000000, 1000000, 100000, MF_STREAM_OFF) \
    X(BATTERY_STATUS, battery_status, STATE, 2000000, 2000000, 2000000, 2000000) \
    X(AUTOPILOT_VERSION, autopilot_version, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(FENCE_STATUS, fence_status, STATE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(ESTIMATOR_STATUS, estimator_status, ESTIMATE, 2000000, 2000000, 1000000, MF_STREAM_OFF) \
    X(WIND_COV, wind_cov, ESTIMATE, 1000000, 2000000, 100000, MF_STREAM_OFF) \
    X(VIBRATION, vibration, VEHICLE, 10000000, 10000000, 2000000, MF_STREAM_OFF) \
    X(HOME_POSITION, home_position, STATE, 2000000, 2000000, 2000000, 2000000) \
    X(EXTENDED_SYS_STATE, extended_sys_state, STATE, 1000000, 1000000, 200000, 1000000) \
    X(ORBIT_EXECUTION_STATUS, orbit_execution_status, VEHICLE, 500000, 500000, 200000, MF_STREAM_OFF) \
    X(STORAGE_INFORMATION, storage_information, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(FLIGHT_INFORMATION, flight_information, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(PROTOCOL_VERSION, protocol_version, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(ODOMETRY, odometry, BOTH, 1000000, MF_STREAM_OFF, 33333, MF_STREAM_OFF) \
    X(UTM_GLOBAL_POSITION, utm_global_position, BOTH, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(OPEN_DRONE_ID_BASIC_ID, open_drone_id_basic_id, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(OPEN_DRONE_ID_LOCATION, open_drone_id_location, BOTH, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(OPEN_DRONE_ID_SYSTEM, open_drone_id_system, BOTH, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(OPEN_DRONE_ID_OPERATOR_ID, open_drone_id_operator_id, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(ACTUATOR_OUTPUT_STATUS, actuator_output_status, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(ESC_STATUS, esc_status, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(COMPONENT_INFORMATION, component_information, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(COMPONENT_METADATA, component_metadata, VEHICLE, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF, MF_STREAM_OFF) \
    X(AVAILABLE_MODES_MONITOR, available_modes_monitor, VEHICLE, MF_STREAM_OFF, 3333333, 3333333, MF_STREAM_OFF) \
    X(CURRENT_MODE, current_mode, STATE, 2000000, 2000000, 2000000, MF_STREAM_OFF)
/* clang-format on */

/** Streams, in the order in which those that are due together leave. */
/* clang-format off */
enum mf_stream {
#define X(NAME, name, of, sim, px4, onboard, min) MF_STREAM_##NAME,
    MF_STREAM_LIST(X)
#undef X
    MF_STREAM_COUNT
};
/* clang-format on */

/** Profiles, and how users name them: the columns of the table, and px4 with what PX4's start
 * script for a simulator changes on the link to a ground station (px4-rc.mavlinksim). */
#define MF_PROFILE_LIST(X) \
    X(sim, "sim") X(px4, "px4") X(onboard, "onboard") X(min, "min") X(px4_sitl, "px4-sitl")

/** Columns of default intervals. A board chooses one for each link. */
/* clang-format off */
enum mf_rate_profile {
#define X(name, text) MF_PROFILE_##name,
    MF_PROFILE_LIST(X)
#undef X
    MF_PROFILE_COUNT
};
/* clang-format on */

/** An SDK counts as present on a link for this long after its last HEARTBEAT, by transport time. */
#define MF_SDK_PRESENT_US (10 * MF_SECOND_US)

/** A link's part of it. Due times are kept in 32 bits: they differ by less than an interval, which
 * an int32_t holds, and next_us says where they are. */
struct mf_stream_state {
    mf_us_t next_us;                  /**< earliest of due_us; MF_NEVER if no stream runs */
    uint32_t due_us[MF_STREAM_COUNT]; /**< vehicle time, its low 32 bits: the first such time that
                                             is not before next_us; none if the stream is off */
    int32_t interval_us[MF_STREAM_COUNT]; /**< or MF_STREAM_OFF */
    const int32_t *default_us; /**< [MF_STREAM_COUNT], the board's: what SET_MESSAGE_INTERVAL 0 goes
                                  back to; less than MF_STREAM_OFF: mf_stream_leave_to_sdk() */
    uint64_t chosen;           /**< bit per stream: a client set its interval */
    uint32_t sdk_us; /**< transport time of the last HEARTBEAT of an SDK, its low 32 bits */
    bool sdk;        /**< one is there */
};

#endif
