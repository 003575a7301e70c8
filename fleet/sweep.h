/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The runs of a sweep. A run is a pure function of the scenario and its number: variations first,
 * then the ranges in their order, then the draws of chance. A draw has the same values in every
 * variation, so that these are compared with each other and not with luck.
 */
#ifndef MF_FLEET_SWEEP_H
#define MF_FLEET_SWEEP_H

#include "fleet/scenario.h"

/** Most runs of a sweep. */
#define MF_SWEEP_RUNS_MAX 100000u

/** @brief How many runs. @return 1 .. MF_SWEEP_RUNS_MAX, of a scenario that was read */
uint32_t mf_sweep_runs(const struct mf_scenario *s);

/** @brief The variation of a run, from 0. */
uint32_t mf_sweep_variation(const struct mf_scenario *s, uint32_t run);

/** @brief A run's value of a range, as its text. @param text  out [MF_SCENARIO_VALUE_MAX] */
void mf_sweep_value(const struct mf_scenario *s, uint32_t run, uint32_t range, char *text);

/** @brief What holds between them. @return false: @p r has the error */
bool mf_sweep_check(struct mf_reading *r, const struct mf_scenario *s);

/** Keys of struct mf_scenario_sweep. */
extern const struct mf_keys mf_sweep_keys;

#endif
