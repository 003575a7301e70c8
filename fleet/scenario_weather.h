/* SPDX-License-Identifier: Apache-2.0 */
/** What a scenario says of the weather (world/weather.h): its keys. */
#ifndef MF_FLEET_SCENARIO_WEATHER_H
#define MF_FLEET_SCENARIO_WEATHER_H

#include "fleet/scenario_own.h"
#include "world/weather.h"

/** Beside what stands in the scenario: weather of a plug-in. */
enum mf_scenario_weather_kind { MF_SCENARIO_WEATHER_PLAIN, MF_SCENARIO_WEATHER_OWN };

struct mf_scenario_weather {
    struct mf_weather is;
    int32_t kind;               /**< enum mf_scenario_weather_kind */
    struct mf_scenario_own own; /**< OWN */
};

/** Of a struct mf_scenario_weather. */
extern const struct mf_keys mf_scenario_weather_keys;

/** @brief Does it make sense? @param line  out: of the region that does not; 0: of none
 *  @return NULL; what is wrong */
const char *mf_scenario_weather_check(const struct mf_scenario_weather *w, int *line);

#endif
