/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Exponential function of numbers that are not above zero: e^-x. Uses + - * / only, so the bits are
 * the same everywhere. Relative error below 1e-14 for x up to 30.
 */
#ifndef MF_WORLD_DECAY_H
#define MF_WORLD_DECAY_H

/** @brief e^-x. @param x  >= 0 */
double mf_decay(double x);

/** @brief (x - 1 + e^-x) / x^2, for 0 <= x < 1, where the plain formula would lose its digits. */
double mf_decay_bend(double x);

/** @brief 1 / (1 + e^-x): from 0 to 1 as @p x rises, 1/2 at 0. */
double mf_logistic(double x);

#endif
