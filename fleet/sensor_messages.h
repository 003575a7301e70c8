/* SPDX-License-Identifier: Apache-2.0 */
/** What sensors of a member measure, as MAVLink, so that programs on its links sense a world that
 * exists here alone: DISTANCE_SENSOR, OBSTACLE_DISTANCE, OPTICAL_FLOW_RAD. */
#ifndef MF_FLEET_SENSOR_MESSAGES_H
#define MF_FLEET_SENSOR_MESSAGES_H

#include "fleet/scenario_sensor.h"
#include "hal/types.h"
#include "mavlink/frame.h"

/** OPTICAL_FLOW_RAD, which no autopilot here reads, so the table of messages lacks it. */
#define MF_SENSOR_OPTICAL_FLOW_RAD 106u
/** The component that these messages come from: MAV_COMP_ID_OBSTACLE_AVOIDANCE. */
#define MF_SENSOR_COMPID 196u

/** A measurement. */
struct mf_sensor_report {
    const struct mf_scenario_sensor *sensor;
    uint8_t id; /**< of the sensor among those of its member */
    mf_us_t at_us;
    const double *value; /**< as its kind measures */
    const float *ray;    /**< [MF_SENSOR_RAYS] of a ring; NULL of others */
};

/** What limits the messages of one member. Begin with zeros; fields are private. */
struct mf_sensor_bounds {
    mf_us_t at_us;
    double owed_bytes; /**< that were sent and not yet allowed by time */
    mf_us_t next_us[MF_SCENARIO_SENSORS_MAX];
};

/** @brief Is there a message of this kind? */
bool mf_sensor_has_message(int32_t kind);

/** @brief The frame of a measurement. @return its length, 0: its kind has none */
size_t mf_sensor_frame(const struct mf_sensor_report *report, const struct mf_sender *from,
                       uint8_t out[MF_FRAME_MAX]);

/** @brief May a frame of sensor @p k leave at @p at_us? If so it counts.
 *  @return false: rate or bytes of @p link do not allow it */
bool mf_sensor_may(struct mf_sensor_bounds *b, const struct mf_scenario_sensor_link *link,
                   uint32_t k, mf_us_t at_us, size_t bytes);

#endif
