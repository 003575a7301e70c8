/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs of a sweep. A run is a pure function of the scenario and of its number: variations first,
 * then the ranges in their order, then the draws of random values. A draw has the same values in
 * every variation, so that a comparison of variations does not depend on luck.
 */
#ifndef MF_FLEET_SWEEP_H
#define MF_FLEET_SWEEP_H

#include "fleet/scenario_check.h"

/** Maximum number of keys, and size of a listed value with its NUL [characters]. */
#define MF_SCENARIO_RANGES_MAX 8u
#define MF_SCENARIO_VALUE_MAX  48u

/** Change of a key's value from run to run of a sweep. */
enum mf_sweep_kind {
    MF_SWEEP_FOR,     /**< first, last, step: a run for each */
    MF_SWEEP_EACH,    /**< one run for each of some texts */
    MF_SWEEP_UNIFORM, /**< random: lowest, highest */
    MF_SWEEP_NORMAL,  /**< random: mean, standard deviation */
};

/** A key whose values a sweep changes. */
struct mf_sweep_range {
    char key[MF_YAML_KEY_MAX]; /**< dotted key, or name of ${NAME} */
    int line;
    enum mf_sweep_kind kind;
    double number[3];
    uint32_t values;                     /**< FOR, EACH: number of values */
    char (*text)[MF_SCENARIO_VALUE_MAX]; /**< EACH: [values] */
};

/** Runs of a sweep, which sweep.h counts. */
struct mf_scenario_sweep {
    int32_t over; /**< 1: one run for each variation */
    uint32_t ranges;
    struct mf_sweep_range *range; /**< [ranges] */
    uint32_t count;               /**< number of draws of random values; 0: not set */
};

/** Maximum number of runs. */
#define MF_SWEEP_RUNS_MAX 100000u

/** @brief Number of runs of a scenario that was read. @return 1 .. MF_SWEEP_RUNS_MAX */
uint32_t mf_sweep_runs(const struct mf_scenario *s);

/** @brief Variation of a run, from 0. */
uint32_t mf_sweep_variation(const struct mf_scenario *s, uint32_t run);

/** @brief True if the values of a range repeat a setting by chance: seeds and draws. */
bool mf_sweep_repeats(const struct mf_scenario *s, uint32_t range);

/** @brief Number of a run's setting: runs that differ by seeds and draws only have the same one. */
uint32_t mf_sweep_setting(const struct mf_scenario *s, uint32_t run);

/** @brief Write a run's value of a range as text. @param text  out [MF_SCENARIO_VALUE_MAX] */
void mf_sweep_value(const struct mf_scenario *s, uint32_t run, uint32_t range, char *text);

/** Check that a sweep changes each key once, counts random draws, and has not too many runs. */
mf_scenario_check mf_sweep_check;

/** Keys of struct mf_scenario_sweep. */
extern const struct mf_keys mf_sweep_keys;

#endif
