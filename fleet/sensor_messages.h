/* SPDX-License-Identifier: Apache-2.0 */
/** Measurements of a member's sensors as MAVLink messages, so that programs on its links sense the
 * simulated world: DISTANCE_SENSOR, OBSTACLE_DISTANCE, OPTICAL_FLOW_RAD. */
#ifndef MF_FLEET_SENSOR_MESSAGES_H
#define MF_FLEET_SENSOR_MESSAGES_H

#include "fleet/scenario_sensor.h"
#include "hal/types.h"
#include "mavlink/frame.h"

/** Id of OPTICAL_FLOW_RAD, which no autopilot here reads, so the table of messages lacks it. */
#define MF_SENSOR_OPTICAL_FLOW_RAD 106u
/** Component that sends these messages: MAV_COMP_ID_OBSTACLE_AVOIDANCE. */
#define MF_SENSOR_COMPID 196u

/** Measurement of a sensor. */
struct mf_sensor_report {
    const struct mf_scenario_sensor *sensor;
    uint8_t id; /**< index of the sensor among those of its member */
    mf_us_t at_us;
    const double *value; /**< numbers that the kind of sensor measures */
    const float *ray;    /**< [MF_SENSOR_RAYS] of a ring; NULL for other kinds */
};

/** Budget of one member's messages. Begin with zeros; fields are private. */
struct mf_sensor_bounds {
    mf_us_t at_us;
    double owed_bytes; /**< bytes sent ahead of the rate */
    mf_us_t next_us[MF_SCENARIO_SENSORS_MAX];
};

/** @brief True if a message exists for this kind of sensor. */
bool mf_sensor_has_message(int32_t kind);

/** @brief Encode a measurement as a frame. @return its length; 0: the kind of sensor lacks a
 * message */
size_t mf_sensor_frame(const struct mf_sensor_report *report, const struct mf_sender *from,
                       uint8_t out[MF_FRAME_MAX]);

/** @brief True if a frame of sensor @p k may leave at @p at_us; then count it.
 * @return false: rate or bytes of @p link do not allow it */
bool mf_sensor_may(struct mf_sensor_bounds *b, const struct mf_scenario_sensor_link *link,
                   uint32_t k, mf_us_t at_us, size_t bytes);

#endif
