/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/report/log_topics.h, without functions. */
#ifndef MF_FIRMWARE_STATE_LOG_TOPICS_H
#define MF_FIRMWARE_STATE_LOG_TOPICS_H

#include "firmware/state/log_record.h"

struct mf_vehicle;

/* PX4's names and fields, so that readers of its logs find what they look for (docs/logs.md). */

/** Rates of topics in the log. */
enum mf_log_rate {
    MF_LOG_FAST,  /**< ten times a second */
    MF_LOG_SLOW,  /**< once a second */
    MF_LOG_STATE, /**< once a second, and at an instant as often as it changes there */
};

/**
 * Topic, how often, its fields in ULog's form, in the order in which
 * mf_log_<topic>() puts them; the timestamp, which comes first, is the logger's. Larger types stand
 * before smaller ones, so that nothing is padded.
 */
/* clang-format off */
/* PX4 publishes the receiver's fix twice: as it comes, and blended of all receivers. */
#define MF_LOG_GPS_FIELDS \
      "uint64_t timestamp;uint64_t timestamp_sample;uint64_t time_utc_usec;double latitude_deg;"   \
      "double longitude_deg;double altitude_msl_m;double altitude_ellipsoid_m;uint32_t device_id;" \
      "float s_variance_m_s;float eph;float epv;float hdop;float vdop;float vel_m_s;"              \
      "float vel_n_m_s;float vel_e_m_s;float vel_d_m_s;float cog_rad;float heading;"               \
      "uint8_t fix_type;uint8_t satellites_used;bool vel_ned_valid;"

#define MF_LOG_TOPIC_LIST(X)                                                                       \
    X(vehicle_attitude, FAST, \
      "uint64_t timestamp;uint64_t timestamp_sample;float[4] q;")                                  \
    X(vehicle_angular_velocity, FAST, \
      "uint64_t timestamp;uint64_t timestamp_sample;float[3] xyz;")                                \
    X(vehicle_local_position, FAST, \
      "uint64_t timestamp;uint64_t timestamp_sample;uint64_t ref_timestamp;double ref_lat;"        \
      "double ref_lon;float ref_alt;float x;float y;float z;float vx;float vy;float vz;"           \
      "float z_deriv;float ax;float ay;float az;float heading;float eph;float epv;float evh;"      \
      "float evv;bool xy_valid;bool z_valid;bool v_xy_valid;bool v_z_valid;bool xy_global;"        \
      "bool z_global;bool heading_good_for_control;")                                              \
    X(vehicle_global_position, FAST, \
      "uint64_t timestamp;uint64_t timestamp_sample;double lat;double lon;float alt;"              \
      "float alt_ellipsoid;float eph;float epv;float terrain_alt;bool lat_lon_valid;"              \
      "bool alt_valid;bool terrain_alt_valid;bool dead_reckoning;")                                \
    X(vehicle_status, STATE, \
      "uint64_t timestamp;uint64_t armed_time;uint64_t takeoff_time;uint8_t arming_state;"         \
      "uint8_t nav_state_user_intention;uint8_t nav_state;uint8_t vehicle_type;"                   \
      "uint8_t system_type;uint8_t system_id;uint8_t component_id;bool failsafe;"                  \
      "bool pre_flight_checks_pass;")                                                              \
    X(vehicle_land_detected, STATE, \
      "uint64_t timestamp;bool freefall;bool ground_contact;bool maybe_landed;bool landed;")       \
    X(sensor_gps, SLOW, MF_LOG_GPS_FIELDS)                                                         \
    X(vehicle_gps_position, SLOW, MF_LOG_GPS_FIELDS)                                               \
    X(sensor_combined, FAST, \
      "uint64_t timestamp;float[3] gyro_rad;float[3] accelerometer_m_s2;")                         \
    X(vehicle_magnetometer, SLOW, \
      "uint64_t timestamp;uint64_t timestamp_sample;float[3] magnetometer_ga;")                    \
    X(vehicle_air_data, SLOW, \
      "uint64_t timestamp;uint64_t timestamp_sample;float baro_alt_meter;float baro_pressure_pa;"  \
      "float ambient_temperature;")                                                                \
    X(vehicle_local_position_setpoint, STATE, \
      "uint64_t timestamp;float x;float y;float z;float vx;float vy;float vz;float yaw;"           \
      "float yawspeed;")                                                                           \
    X(vehicle_attitude_setpoint, FAST, \
      "uint64_t timestamp;float[4] q_d;float[3] thrust_body;")                                     \
    X(vehicle_rates_setpoint, FAST, \
      "uint64_t timestamp;float roll;float pitch;float yaw;float[3] thrust_body;")                 \
    X(manual_control_setpoint, FAST, \
      "uint64_t timestamp;uint64_t timestamp_sample;float roll;float pitch;float yaw;"             \
      "float throttle;bool valid;uint8_t data_source;")                                            \
    X(actuator_outputs, STATE, "uint64_t timestamp;uint32_t noutputs;float[16] output;")           \
    X(battery_status, SLOW, \
      "uint64_t timestamp;float voltage_v;float current_a;float current_average_a;"                \
      "float discharged_mah;float remaining;float temperature;uint8_t cell_count;uint8_t warning;" \
      "uint8_t id;bool connected;")
/* clang-format on */

/** The topics of the list; the order is that of their numbers in a file. */
/* clang-format off */
enum mf_log_topic {
#define X(name, rate, fields) MF_LOG_TOPIC_##name,
    MF_LOG_TOPIC_LIST(X)
#undef X
    MF_LOG_TOPIC_COUNT
};
/* clang-format on */

/** Description of a topic from the list. */
struct mf_log_topic_info {
    const char *name, *fields; /**< as in the list */
    /** Appends what follows the timestamp. */
    void (*put)(struct mf_vehicle *v, mf_us_t t_us, struct mf_log_record *r);
    enum mf_log_rate rate;
};

#endif
