/* SPDX-License-Identifier: Apache-2.0 */
/** What a scenario says of the weather (world/weather.h): its keys. */
#ifndef MF_FLEET_SCENARIO_WEATHER_H
#define MF_FLEET_SCENARIO_WEATHER_H

#include "fleet/keys.h"
#include "world/weather.h"

/** Of a struct mf_weather. */
extern const struct mf_keys mf_scenario_weather_keys;

/** @brief Does it make sense? @param line  out: of the region that does not; 0: of none
 *  @return NULL; what is wrong */
const char *mf_scenario_weather_check(const struct mf_weather *w, int *line);

#endif
