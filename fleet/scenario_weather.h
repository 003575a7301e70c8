/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of the weather (world/weather.h). */
#ifndef MF_FLEET_SCENARIO_WEATHER_H
#define MF_FLEET_SCENARIO_WEATHER_H

#include "fleet/scenario_check.h"
#include "fleet/scenario_own.h"
#include "world/weather.h"

/** Source of the weather: the scenario's values, or a plug-in in addition to them. */
enum mf_scenario_weather_kind { MF_SCENARIO_WEATHER_PLAIN, MF_SCENARIO_WEATHER_OWN };

struct mf_scenario_weather {
    struct mf_weather is;
    int32_t kind;               /**< enum mf_scenario_weather_kind */
    struct mf_scenario_own own; /**< OWN */
};

/** Keys of a struct mf_scenario_weather. */
extern const struct mf_keys mf_scenario_weather_keys;

/** Check that winds and regions of the weather are possible. */
mf_scenario_check mf_scenario_weather_check;

#endif
