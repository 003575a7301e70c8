/* SPDX-License-Identifier: Apache-2.0 */
/** What is random in the world, made of chance without state (math/chance.h): integers, + - * / and
 * sqrt. */
#ifndef MF_WORLD_NOISE_H
#define MF_WORLD_NOISE_H

#include "hal/types.h"

/** What is random here, each with a sequence of its own. Append only: the order is part of every
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

/** Which chance: equal for equal runs. */
struct mf_seed {
    uint64_t seed;     /**< of the run */
    uint64_t instance; /**< of the vehicle, so that several differ under one seed */
};

/** @brief The key of a stream. */
uint64_t mf_noise_key(const struct mf_seed *seed, enum mf_noise_stream stream);

/** @brief A draw from what is close to a normal distribution with mean 0 and standard deviation 1:
 * the sum of 12 uniform draws of 16 bits, hence exact, and never beyond +-6. Draws with different
 * @p n are independent. */
double mf_noise_gauss(uint64_t key, uint64_t n);

/** A smooth function of time that looks random. */
struct mf_noise {
    uint64_t key;
    mf_us_t spacing_us; /**< of its knots, > 0 */
};

/** Its value at an instant and its derivatives; the first two are continuous. */
struct mf_noise_value {
    double x;
    double per_s;
    double per_s2;
    double per_s3;
};

/** @brief Noise of mean 0 and, at every instant, standard deviation 1.
 *  @param correlation_s  integral of the autocorrelation over positive lags, as for a first-order
 *  Gauss-Markov process with this time constant; held between 0.001 and 1e6. Beyond three times
 *  that nothing is left of it. */
struct mf_noise mf_noise_smooth(uint64_t key, double correlation_s);

/** @brief The noise at an instant, in closed form. @param t_us  >= 0 */
struct mf_noise_value mf_noise_at(const struct mf_noise *noise, mf_us_t t_us);

/** @brief A step: 0 up to u = 0, 1 from u = 1 on, and in between a polynomial whose first two
 * derivatives (here by u) are zero at both. */
struct mf_noise_value mf_noise_step(double u);

#endif
