/* SPDX-License-Identifier: Apache-2.0 */
/** Sensors of plug-ins. */
#ifndef MF_BOARDS_SWARM_SENSE_OWN_H
#define MF_BOARDS_SWARM_SENSE_OWN_H

#include "boards/swarm/core/swarm.h"
#include "world/sense.h"

/** @brief Find what the scenario chose. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_sense_own_prepare(struct swarm *w);

/** @brief Find the plug-ins in this process after a resume. */
void swarm_sense_own_resume(struct swarm *w);

/** @brief Bytes of a member's state of sensor @p k of an entity. */
size_t swarm_sense_own_bytes(const struct swarm *w, uint32_t entity, uint32_t k);

/** A sensor of a member at an instant. */
struct swarm_sense_own {
    const struct swarm *w;
    uint32_t entity, k, i; /**< which sensor, and whose */
    mf_us_t at_us;
    uint64_t count, key; /**< measurements before; of its chance */
    const struct mf_sense_body *body;
    const struct mf_sense *at;
    double (*neu_m)[3]; /**< [members] of those whom it finds */
    void *state;
};

/** @brief Measure. @param value  out: [MF_SENSOR_VALUES_MAX] */
void swarm_sense_own_measure(const struct swarm_sense_own *s, double *value);

/** @brief A value of the weather, or "wind_north", "wind_east". @return false: there is none, and
 *  @p value is as before */
bool swarm_sense_weather(const struct swarm *w, const double neu_m[3], mf_us_t at_us,
                         const char *name, double *value);

#endif
