/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sensors of members of any kind. All sensors of one rate measure at the same instants: when all
 * members have run to it, and before turns at it. So sensors see other members at that instant, and
 * the result is the same on any number of threads.
 */
#ifndef MF_BOARDS_SWARM_SENSES_H
#define MF_BOARDS_SWARM_SENSES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Kind of object that a sensor has touched or found. */
enum swarm_found { SWARM_FOUND_NOTHING, SWARM_FOUND_MEMBER, SWARM_FOUND_OBSTACLE };

/** Last measurement of a sensor. */
struct swarm_sensed {
    double value[MF_SENSOR_VALUES_MAX]; /**< infinity: the sensor did not see anything */
    mf_us_t at_us;
    uint32_t count; /**< number of measurements so far */
    uint32_t found; /**< kind of object, enum swarm_found */
    uint32_t what;  /**< number of the member or obstacle */
};

/** @brief Last measurement of sensor @p k of a member. */
const struct swarm_sensed *swarm_get_sensed(const struct swarm *w, uint32_t i, uint32_t k);

/** Function that is called with each measurement of sensor @p k of member @p i.
 *  @param ray  [MF_SENSOR_RAYS] of a ring; else NULL */
typedef void swarm_sensed_fn(struct swarm *w, uint32_t i, uint32_t k,
                             const struct swarm_sensed *sensed, const float *ray);

/** @brief Pass all further measurements to @p report. After SWARM_PREPARE of a run with sensors. */
void swarm_senses_report(struct swarm *w, swarm_sensed_fn *report);

/** System of sensors. */
extern const struct swarm_system swarm_senses_system;

#endif
