/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sensors of members, whatever each is. All sensors of one rate measure at the same instants, when
 * all members have come there, before the turns of that instant: so they may see each other, and
 * the bytes are the same on any number of threads.
 */
#ifndef MF_BOARDS_SWARM_SENSES_H
#define MF_BOARDS_SWARM_SENSES_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Who or what a sensor has met or found. */
enum swarm_found { SWARM_FOUND_NOTHING, SWARM_FOUND_MEMBER, SWARM_FOUND_OBSTACLE };

/** The last measurement of a sensor. */
struct swarm_sensed {
    double value[MF_SENSOR_VALUES_MAX]; /**< infinity: there was nothing to see */
    mf_us_t at_us;
    uint32_t count; /**< measurements so far */
    uint32_t found; /**< enum swarm_found */
    uint32_t what;  /**< its number */
};

/** @brief What sensor @p k of a member's entity measured last. */
const struct swarm_sensed *swarm_sensed(const struct swarm *w, uint32_t i, uint32_t k);

/** Called with each measurement of sensor @p k of member @p i. @param ray  [MF_SENSOR_RAYS] of a
 * ring */
typedef void swarm_sensed_fn(struct swarm *w, uint32_t i, uint32_t k,
                             const struct swarm_sensed *sensed, const float *ray);

/** @brief Report measurements from now on. After SWARM_PREPARE of a run with sensors. */
void swarm_senses_report(struct swarm *w, swarm_sensed_fn *report);

/** Sensors of members. */
extern const struct swarm_system swarm_senses_system;

#endif
