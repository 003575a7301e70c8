/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Decibels and the exponential function, of + - * / alone, so that they have the same bits on every
 * compiler, C library and processor. Pure, stateless.
 */
#ifndef MF_WORLD_DECIBEL_H
#define MF_WORLD_DECIBEL_H

/** @brief 10 log10(x). @param x  positive, finite and normal; else -infinity
 *  Absolute error below 1e-12 dB. */
double mf_db(double x);

/** @brief Ratio of a number of decibels: the inverse of mf_db(). @param db  within +-3000 */
double mf_db_ratio(double db);

/** @brief e to the power of x; 0 below -700, and e to the power of 700 above that. Relative error
 * below 1e-13. */
double mf_exp(double x);

/** @brief The error function. Absolute error below 1e-14. */
double mf_erf(double x);

#endif
