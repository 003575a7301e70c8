/* SPDX-License-Identifier: Apache-2.0 */
/** Randomness of the world, made of chance without state (math/chance.h): integers, + - * / and
 * sqrt. */
#ifndef MF_WORLD_NOISE_H
#define MF_WORLD_NOISE_H

#include "hal/types.h"

/** Random quantities, each with its own sequence. Append only: the order is part of every
 * sequence. */
/* clang-format off */
#define MF_NOISE_STREAM_LIST(X) \
    X(WIND_NORTH)               \
    X(WIND_EAST)                \
    X(FIX_NORTH)                \
    X(FIX_EAST)                 \
    X(FIX_DOWN)                 \
    X(DRIFT_NORTH)              \
    X(DRIFT_EAST)               \
    X(DRIFT_DOWN)               \
    X(SPEED_NORTH)              \
    X(SPEED_EAST)               \
    X(GYROSCOPE)                \
    X(ACCELEROMETER)

enum mf_noise_stream {
#define X(name) MF_NOISE_##name,
    MF_NOISE_STREAM_LIST(X)
#undef X
    MF_NOISE_STREAM_COUNT
};
/* clang-format on */

/** Seed: equal for equal runs. */
struct mf_seed {
    uint64_t seed;     /**< seed of the run */
    uint64_t instance; /**< number or key of the vehicle, so that several differ under one seed */
};

/** @brief Key of a stream. */
uint64_t mf_noise_key(const struct mf_seed *seed, enum mf_noise_stream stream);

/** @brief Draw from nearly a normal distribution with mean 0 and standard deviation 1: the sum of
 * 12 uniform draws of 16 bits, so exact, and never beyond +-6. Draws with different @p n are
 * independent. */
double mf_noise_gauss(uint64_t key, uint64_t n);

/** Smooth random function of time. */
struct mf_noise {
    uint64_t key;
    mf_us_t spacing_us; /**< distance of its knots, > 0 */
};

/** Value of a noise at an instant, and its derivatives; the first two are continuous. */
struct mf_noise_value {
    double x;
    double per_s;
    double per_s2;
    double per_s3;
};

/** @brief Noise of mean 0 and, at every instant, standard deviation 1.
 * @param correlation_s  integral of the autocorrelation over positive lags, as for a first-order
 * Gauss-Markov process with this time constant; limited to 0.001 .. 1e6. The autocorrelation is 0
 * beyond three times that. */
struct mf_noise mf_noise_smooth(uint64_t key, double correlation_s);

/** @brief Value of the noise at an instant, in closed form. @param t_us  >= 0 */
struct mf_noise_value mf_noise_at(const struct mf_noise *noise, mf_us_t t_us);

/** @brief Smooth step: 0 up to u = 0, 1 from u = 1 on, and in between a polynomial whose first two
 * derivatives (here by u) are zero at both. */
struct mf_noise_value mf_noise_step(double u);

#endif
