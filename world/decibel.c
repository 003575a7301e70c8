/* SPDX-License-Identifier: Apache-2.0 */
/* Decibels, exponential and error function. Called by world/medium, world/radio and
 * fleet/scenario_arrivals. */
#include "world/decibel.h"

#include "hal/types.h"
#include "math/trig.h"

#include <string.h>

#define LN2          0.69314718055994530942
#define LN10         2.30258509299404568402
#define SQRT2        1.41421356237309504880
#define ROOT_PI_HALF 0.88622692545275801365 /* sqrt(pi) / 2 */
#define EXP_MAX      700.0

/* Layout of a double. */
#define MANTISSA_BITS 52
#define BIAS          1023
#define MANTISSA_MASK ((UINT64_C(1) << MANTISSA_BITS) - 1u)

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* ln((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 + ...),
 * s
 * <= 0.172: the first omitted term is below 1e-16 of the first one. Separate sums of even and odd
 * terms shorten the chain of dependent operations. */
static double log_near_one(double m)
{
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s, w = z * z;
    double even = 1.0 / 17.0;
    even = even * w + 1.0 / 13.0;
    even = even * w + 1.0 / 9.0;
    even = even * w + 1.0 / 5.0;
    even = even * w + 1.0;
    double odd = 1.0 / 19.0;
    odd = odd * w + 1.0 / 15.0;
    odd = odd * w + 1.0 / 11.0;
    odd = odd * w + 1.0 / 7.0;
    odd = odd * w + 1.0 / 3.0;
    return 2.0 * s * (even + odd * z);
}

double mf_db(double x)
{
    const uint64_t bits = bits_of(x);
    const uint64_t exponent = bits >> MANTISSA_BITS; /* with the sign in the highest bit */
    if (exponent == 0 || exponent >= 2 * BIAS + 1) {
        return -__builtin_inf();
    }
    /* mantissa, scaled to 1 / sqrt(2) .. sqrt(2) */
    const double m = of_bits((bits & MANTISSA_MASK) | (uint64_t)BIAS << MANTISSA_BITS);
    const bool upper = m > SQRT2;
    const double near = upper ? 0.5 * m : m;
    const double twos = (double)((int32_t)exponent - BIAS + (upper ? 1 : 0));
    return twos * (10.0 * LN2 / LN10) + log_near_one(near) * (10.0 / LN10);
}

double mf_exp(double x)
{
    if (!(x >= -EXP_MAX)) {
        return 0.0;
    }
    const double held = mf_smaller(x, EXP_MAX);
    const int32_t twos = mf_round_i32(held / LN2);
    const double r = held - (double)twos * LN2;
    double sum = 1.0;
    for (int32_t n = 18; n > 0; n--) {
        sum = 1.0 + sum * r / (double)n;
    }
    return sum * of_bits((uint64_t)(twos + BIAS) << MANTISSA_BITS);
}

double mf_db_ratio(double db)
{
    MF_ASSERT(mf_within(db, 3000.0));
    return mf_exp(db * (LN10 / 10.0));
}

/* e^(-x^2) (x + 2/3 x^3 + 4/15 x^5 + ...): all terms have one sign, so that they do not cancel. */
double mf_erf(double x)
{
    const double size = mf_abs(x);
    if (size > 6.0) {
        return x < 0.0 ? -1.0 : 1.0;
    }
    double term = size, sum = size;
    for (uint32_t n = 1; term > 1e-18 * sum && n < 200; n++) {
        term *= 2.0 * size * size / (double)(2u * n + 1u);
        sum += term;
    }
    const double result = sum * mf_exp(-size * size) / ROOT_PI_HALF;
    return x < 0.0 ? -result : result;
}
