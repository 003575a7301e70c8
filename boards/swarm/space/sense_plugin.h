/* SPDX-License-Identifier: Apache-2.0 */
/** Sensors that plug-ins measure. */
#ifndef MF_BOARDS_SWARM_SENSE_PLUGIN_H
#define MF_BOARDS_SWARM_SENSE_PLUGIN_H

#include "boards/swarm/core/swarm.h"
#include "world/sense.h"

/** @brief Find the plug-ins of all sensors. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_sense_plugin_prepare(struct swarm *w);

/** @brief Bytes of a member's state for sensor @p k of an entity. */
size_t swarm_sense_plugin_bytes(const struct swarm *w, uint32_t entity, uint32_t k);

/** Sensor of a member at an instant. */
struct swarm_sense_plugin {
    const struct swarm *w;
    uint32_t entity, k, i; /**< numbers of the entity, of its sensor, and of the member */
    mf_us_t at_us;
    uint64_t count, key; /**< number of earlier measurements; key of its random numbers */
    const struct mf_sense_body *body;
    const struct mf_sense *at;
    double (*neu_m)[3]; /**< [members], positions of all members that a sensor looks for */
    void *state;
};

/** @brief Let the plug-in measure. @param value  out: [MF_SENSOR_VALUES_MAX] */
void swarm_sense_plugin_measure(const struct swarm_sense_plugin *s, double *value);

/** @brief Value of the weather by its name, or "wind_north" or "wind_east" [m/s].
 *  @return false: the weather does not have it, and @p value is unchanged */
bool swarm_sense_read_weather(const struct swarm *w, const double neu_m[3], mf_us_t at_us,
                              const char *name, double *value);

#endif
