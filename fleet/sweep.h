/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs of a sweep. A run is a pure function of the scenario and of its number: variations first,
 * then the ranges in their order, then the draws of random values. A draw has the same values in
 * every variation, so that a comparison of variations does not depend on luck.
 */
#ifndef MF_FLEET_SWEEP_H
#define MF_FLEET_SWEEP_H

#include "fleet/scenario.h"

/** Maximum number of runs. */
#define MF_SWEEP_RUNS_MAX 100000u

/** @brief Number of runs of a scenario that was read. @return 1 .. MF_SWEEP_RUNS_MAX */
uint32_t mf_sweep_runs(const struct mf_scenario *s);

/** @brief Variation of a run, from 0. */
uint32_t mf_sweep_variation(const struct mf_scenario *s, uint32_t run);

/** @brief Write a run's value of a range as text. @param text  out [MF_SCENARIO_VALUE_MAX] */
void mf_sweep_value(const struct mf_scenario *s, uint32_t run, uint32_t range, char *text);

/** @brief Check a sweep's keys against each other. @return false: @p r has the error */
bool mf_sweep_check(struct mf_reading *r, const struct mf_scenario *s);

/** Keys of struct mf_scenario_sweep. */
extern const struct mf_keys mf_sweep_keys;

#endif
