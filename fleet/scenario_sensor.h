/* SPDX-License-Identifier: Apache-2.0 */
/** Settings of sensors: kinds, the values that each needs, and keys. */
#ifndef MF_FLEET_SCENARIO_SENSOR_H
#define MF_FLEET_SCENARIO_SENSOR_H

#include "fleet/scenario_check.h"
#include "fleet/scenario_own.h"
#include "world/field.h"
#include "world/sense.h"

/** Maximum number of sensors of an entity. */
#define MF_SCENARIO_SENSORS_MAX 8u
/** Maximum count of numbers in one measurement; number of rays of a ring. */
#define MF_SENSOR_VALUES_MAX 8u
#define MF_SENSOR_RAYS       72u

/** Kinds: name, word, count of numbers in a measurement, count of the first of them that are noisy,
 * default reach [m], default pitch [deg]. Append only: the order is part of the keys of every
 * sensor's random numbers. */
/* clang-format off */
#define MF_SCENARIO_SENSOR_LIST(X)             \
    X(COMPASS, "compass", 1, 1, 0, 0)             \
    X(RANGE, "range", 1, 1, 5, 0)                 \
    X(ACCELEROMETER, "accelerometer", 3, 3, 0, 0) \
    X(GYROSCOPE, "gyroscope", 3, 3, 0, 0)         \
    X(POSITION, "position", 3, 3, 0, 0)           \
    X(POSE, "pose", 6, 3, 0, 0)                   \
    X(CONTACT, "contact", 1, 0, 0, 0)             \
    X(OPTICAL_FLOW, "optical_flow", 6, 2, 50, -90) \
    X(CAMERA, "camera", 8, 0, 0, -90)             \
    X(ATTRIBUTE, "attribute", 1, 1, 0, 0)         \
    X(OBJECT, "object", 4, 1, 50, 0)              \
    X(RING, "ring", 2, 0, 5, 0)                   \
    X(OWN, "own", 8, 8, 50, 0)

#define X(name, word, values, noisy, reach, pitch) MF_SCENARIO_SENSOR_##name,
enum mf_scenario_sensor_kind { MF_SCENARIO_SENSOR_LIST(X) MF_SCENARIO_SENSOR_KINDS };
#undef X
/* clang-format on */

/** A sensor, which each member of an entity has. */
struct mf_scenario_sensor {
    int line;
    int32_t kind; /**< enum mf_scenario_sensor_kind */
    double rate_hz;
    double sigma; /**< standard deviation of each number's noise, in its unit */
    double reach_m;
    double offset_m[3];           /**< place relative to the body's middle: forward, right, down */
    double yaw_deg, pitch_deg;    /**< direction: to the right of ahead, above the horizon */
    double fov_deg[2];            /**< CAMERA: angles of view, across and along */
    char of[32];                  /**< OBJECT, OWN: name of the entity to find */
    bool members;                 /**< RANGE, RING, OWN: rays end at members, too */
    char attr[MF_FIELD_NAME_MAX]; /**< ATTRIBUTE: name of the value; in a world of cells: attribute
                                     of cells; else "" */
    int32_t direction;            /**< enum mf_grid_direction */
    uint32_t range;               /**< cells */
    struct mf_scenario_own own;   /**< OWN: entry of the plug-in */
};

/** Limits of the measurements that a member sends on its MAVLink links. */
struct mf_scenario_sensor_link {
    double rate_hz;     /**< greatest rate of each sensor; 0: sends none */
    double bytes_per_s; /**< greatest rate of all sensors together */
};

extern const struct mf_keys mf_sensor_keys;      /**< keys of a struct mf_scenario_sensor */
extern const struct mf_keys mf_sensor_link_keys; /**< keys of a struct mf_scenario_sensor_link */

/** @brief Word of a kind, count of numbers in a measurement, and count of the noisy ones. */
const char *mf_sensor_word(int32_t kind);
uint32_t mf_sensor_values(int32_t kind);
uint32_t mf_sensor_noisy(int32_t kind);

/** @brief Set the values that the file need not give, except those that the kind determines.
 * @param sensor  out: struct mf_scenario_sensor */
void mf_sensor_defaults(void *sensor);

/** Fill in the values that the kind determines, and check that each sensor has what it needs. */
mf_entity_check mf_sensor_check;

/** @brief Place and direction of the sensor on its body. */
struct mf_sense_mount mf_sensor_mount(const struct mf_scenario_sensor *s);

#endif
