/* SPDX-License-Identifier: Apache-2.0 */
/** What a scenario says of sensors: kinds, what each needs, its keys. */
#ifndef MF_FLEET_SCENARIO_SENSOR_H
#define MF_FLEET_SCENARIO_SENSOR_H

#include "fleet/scenario_own.h"
#include "world/field.h"
#include "world/sense.h"

/** Sensors of an entity. */
#define MF_SCENARIO_SENSORS_MAX 8u
/** Most numbers of one measurement; rays of a ring. */
#define MF_SENSOR_VALUES_MAX 8u
#define MF_SENSOR_RAYS       72u

/** Name, word, numbers of a measurement, how many of the first of them are noisy, reach where none
 * is given [m], pitch where none is given [deg]. Append only: the order is part of every sensor's
 * chance. */
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

/** What each member measures. */
struct mf_scenario_sensor {
    int line;
    int32_t kind; /**< enum mf_scenario_sensor_kind */
    double rate_hz;
    double sigma; /**< of the normal noise of each number, in its unit */
    double reach_m;
    double offset_m[3];           /**< forward, right, down of the body's middle */
    double yaw_deg, pitch_deg;    /**< where it looks: to the right of ahead, above it */
    double fov_deg[2];            /**< CAMERA: angles of view, across and along */
    char of[32];                  /**< OBJECT, OWN: name of an entity */
    char attr[MF_FIELD_NAME_MAX]; /**< ATTRIBUTE: what; in a world of cells: of them; or "" */
    int32_t direction;            /**< enum mf_grid_direction */
    uint32_t range;               /**< cells */
    struct mf_scenario_own own;   /**< OWN: which entry of a plug-in */
};

/** How much of what a member's sensors measure leaves on its MAVLink links. */
struct mf_scenario_sensor_link {
    double rate_hz;     /**< of each sensor, at most; 0: nothing leaves */
    double bytes_per_s; /**< of all of them, at most */
};

extern const struct mf_keys mf_sensor_keys;      /**< of a struct mf_scenario_sensor */
extern const struct mf_keys mf_sensor_link_keys; /**< of a struct mf_scenario_sensor_link */

/** @brief The word of a kind, how many numbers it measures at once, how many of them are noisy. */
const char *mf_sensor_word(int32_t kind);
uint32_t mf_sensor_values(int32_t kind);
uint32_t mf_sensor_noisy(int32_t kind);

/** @brief What stands where nothing is given; what follows from its kind stays open. */
void mf_sensor_defaults(struct mf_scenario_sensor *s);

/** @brief What follows from its kind, where nothing was given.
 *  @return NULL; what is missing, or does not go with its kind */
const char *mf_sensor_settle(struct mf_scenario_sensor *s);

/** @brief How it is fixed to its body. */
struct mf_sense_mount mf_sensor_mount(const struct mf_scenario_sensor *s);

#endif
