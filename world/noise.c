/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequences and smooth noise. Called by world/wind, gnss_noise, medium, fleet and
 * boards/swarm. */
#include "world/noise.h"

#include "math/chance.h"
#include "math/trig.h"

/* Distance of knots in correlation times: 2 / c^2, where c is the mean over a gap of 1 / spread. */
#define SPACING 1.49853

#define DRAWS    12
#define MEAN_SUM (DRAWS * 32767.5) /* of 16 bits each */
/* Mask of two of the four draws in 64 bits: the lower of each pair. */
#define LOW_DRAWS UINT64_C(0x0000FFFF0000FFFF)

uint64_t mf_noise_key(const struct mf_seed *seed, enum mf_noise_stream stream)
{
    MF_ASSERT(seed != NULL && (uint32_t)stream < (uint32_t)MF_NOISE_STREAM_COUNT);
    return mf_chance_u64(mf_chance_u64(seed->seed, seed->instance), (uint64_t)stream);
}

double mf_noise_gauss(uint64_t key, uint64_t n)
{
    uint64_t pairs = 0; /* two sums in one number */
    for (uint64_t i = 0; i < DRAWS / 4; i++) {
        const uint64_t bits = mf_chance_u64(key, n * (DRAWS / 4) + i);
        pairs += (bits & LOW_DRAWS) + (bits >> 16 & LOW_DRAWS);
    }
    const uint32_t sum = (uint32_t)pairs + (uint32_t)(pairs >> 32);
    return ((double)sum - MEAN_SUM) / 65536.0;
}

struct mf_noise mf_noise_smooth(uint64_t key, double correlation_s)
{
    const double above_s = correlation_s > 0.001 ? correlation_s : 0.001;
    const double held_s = above_s < 1e6 ? above_s : 1e6;
    return (struct mf_noise){.key = key, .spacing_us = mf_us_of(held_s * SPACING)};
}

struct mf_noise_value mf_noise_step(double u)
{
    if (!(u > 0.0 && u < 1.0)) {
        return (struct mf_noise_value){.x = u >= 1.0 ? 1.0 : 0.0};
    }
    return (struct mf_noise_value){
        .x = u * u * u * (10.0 + u * (6.0 * u - 15.0)),
        .per_s = 30.0 * u * u * (1.0 - u) * (1.0 - u),
        .per_s2 = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u),
        .per_s3 = 60.0 - 360.0 * u * (1.0 - u),
    };
}

/* Value between knots with the values a and b, at u = 0 .. 1 of the way. The mixture is divided by
 * its spread, so that its variance is that of the knots everywhere; the step between them is flat
 * at both, so that derivatives meet. Derivatives are those by u. */
static struct mf_noise_value between(double a, double b, double u)
{
    const struct mf_noise_value step = mf_noise_step(u);
    const double s = step.x;
    const double variance = 1.0 - 2.0 * s + 2.0 * s * s;
    const double spread = mf_sqrt(variance);
    const double cross = b * (1.0 - s) - a * s;
    const double x_s = cross / (variance * spread);
    const double bend = (a + b) * variance + 3.0 * cross * (2.0 * s - 1.0);
    const double bend_s = 6.0 * cross - (a + b) * (2.0 * s - 1.0);
    const double fifth = variance * variance * spread;
    const double x_ss = -bend / fifth;
    const double x_sss = (5.0 * bend * (2.0 * s - 1.0) - bend_s * variance) / (fifth * variance);
    return (struct mf_noise_value){
        .x = (a * (1.0 - s) + b * s) / spread,
        .per_s = x_s * step.per_s,
        .per_s2 = x_ss * step.per_s * step.per_s + x_s * step.per_s2,
        .per_s3 = x_sss * step.per_s * step.per_s * step.per_s +
                  3.0 * x_ss * step.per_s * step.per_s2 + x_s * step.per_s3,
    };
}

/* Value of one of the two sequences of knots that make up the noise: even draws or odd ones. */
static struct mf_noise_value along(const struct mf_noise *noise, mf_us_t t_us, uint64_t odd)
{
    const uint64_t knot = (uint64_t)(t_us / noise->spacing_us);
    const double u = (double)(t_us % noise->spacing_us) / (double)noise->spacing_us;
    return between(mf_noise_gauss(noise->key, 2 * knot + odd),
                   mf_noise_gauss(noise->key, 2 * knot + 2 + odd), u);
}

struct mf_noise_value mf_noise_at(const struct mf_noise *noise, mf_us_t t_us)
{
    MF_ASSERT(noise != NULL && noise->spacing_us > 0 && t_us >= 0);
    /* the second sequence is half a gap ahead: while one stands still, the other moves */
    const struct mf_noise_value a = along(noise, t_us, 0);
    const struct mf_noise_value b = along(noise, t_us + noise->spacing_us / 2, 1);
    const double half = mf_sqrt(0.5);
    const double rate = 1e6 / (double)noise->spacing_us;
    return (struct mf_noise_value){
        .x = half * (a.x + b.x),
        .per_s = half * rate * (a.per_s + b.per_s),
        .per_s2 = half * rate * rate * (a.per_s2 + b.per_s2),
        .per_s3 = half * rate * rate * rate * (a.per_s3 + b.per_s3),
    };
}
