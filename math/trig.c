/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The polynomials are minimax fits, found with the Remez exchange in 60 digits and rounded to
 * double; the relative error of each over its interval is below 1e-17, so that rounding alone
 * decides the last bits.
 */
#include "math/trig.h"

#include "hal/assert.h"

#include <float.h>
#include <math.h> /* NAN and sqrt, nothing else */
#include <stdbool.h>
#include <stdint.h>

_Static_assert(FLT_EVAL_METHOD == 0, "float and double are computed as what they are");
_Static_assert(sizeof(int) == sizeof(int32_t), "mf_round_i32 returns an int");

#define NOT_A_NUMBER     ((double)NAN)
#define ARGUMENT_MAX_RAD 1e6
#define TAN_PI_8         0.41421356237309503

/* pi/2 = A + B + C, the first two of 33 bits: up to 2^20 times A or B is exact. */
#define QUARTERS_MAX (1 << 20)
#define PI_2_A       0x1.921fb54400000p+0
#define PI_2_B       0x1.0b4611a600000p-34
#define PI_2_C       0x1.3198a2e037073p-69

/* An argument less a number of quarter turns: hi + lo, |hi| <= pi/4. */
struct reduced {
    double hi;
    double lo;
    uint32_t quarter;
};

static bool in_range(double x)
{
    return x >= -ARGUMENT_MAX_RAD && x <= ARGUMENT_MAX_RAD;
}

static int32_t nearest(double x)
{
    return (int32_t)(x < 0.0 ? x - 0.5 : x + 0.5);
}

static struct reduced without_quarters(double x, int32_t quarters)
{
    MF_ASSERT(quarters >= -QUARTERS_MAX && quarters <= QUARTERS_MAX);
    const double n = (double)quarters;
    const double a = x - n * PI_2_A; /* exact */
    const double b = n * PI_2_B;     /* exact */
    const double hi = a - b;
    return (struct reduced){hi, ((a - hi) - b) - n * PI_2_C, (uint32_t)quarters & 3u};
}

static struct reduced reduce(double x)
{
    return without_quarters(x, nearest(x * (2.0 / MF_PI)));
}

static double sin_near_zero(struct reduced r)
{
    const double z = r.hi * r.hi;
    double p = 0x1.5d942e69df3d5p-33;
    p = p * z - 0x1.ae5e6ab6996dbp-26;
    p = p * z + 0x1.71de357e2b01cp-19;
    p = p * z - 0x1.a01a019c1a3cbp-13;
    p = p * z + 0x1.111111110f8cep-7;
    p = p * z - 0x1.5555555555549p-3;
    return r.hi + (r.hi * (z * p) + r.lo * (1.0 - 0.5 * z));
}

static double cos_near_zero(struct reduced r)
{
    const double z = r.hi * r.hi;
    double p = -0x1.8fbda18153837p-37;
    p = p * z + 0x1.1eea0b72d6064p-29;
    p = p * z - 0x1.27e4f83d07991p-22;
    p = p * z + 0x1.a01a019d00f15p-16;
    p = p * z - 0x1.6c16c16c15520p-10;
    p = p * z + 0x1.555555555554ep-5;
    const double half = 0.5 * z;
    const double top = 1.0 - half;
    return top + (((1.0 - top) - half) + (z * z * p - r.hi * r.lo));
}

static double in_quarter(struct reduced r, uint32_t quarter)
{
    const double v = (quarter & 1u) != 0 ? cos_near_zero(r) : sin_near_zero(r);
    return (quarter & 2u) != 0 ? -v : v;
}

double mf_sin(double x)
{
    if (!in_range(x)) {
        return NOT_A_NUMBER;
    }
    const struct reduced r = reduce(x);
    return in_quarter(r, r.quarter);
}

double mf_cos(double x)
{
    if (!in_range(x)) {
        return NOT_A_NUMBER;
    }
    const struct reduced r = reduce(x);
    return in_quarter(r, r.quarter + 1u);
}

struct mf_sin_cos mf_sin_cos(double x)
{
    if (!in_range(x)) {
        return (struct mf_sin_cos){NOT_A_NUMBER, NOT_A_NUMBER};
    }
    const struct reduced r = reduce(x);
    const double s = sin_near_zero(r);
    const double c = cos_near_zero(r);
    const struct mf_sin_cos k_quarter[] = {{s, c}, {c, -s}, {-s, -c}, {-c, s}};
    return k_quarter[r.quarter];
}

/* Arc tangent for
 * t
 * <= tan(pi/8). Even and odd powers are separate, for half as long a chain of dependent
 * operations. */
static double atan_near_zero(double t)
{
    const double z = t * t;
    const double w = z * z;
    double odd = 0x1.f4c8969a3a8ccp-7;
    odd = odd * w + 0x1.7146801b2ba1ap-5;
    odd = odd * w + 0x1.e1760513ee61cp-5;
    odd = odd * w + 0x1.3b13728c722f3p-4;
    odd = odd * w + 0x1.c71c71b9165aep-4;
    odd = odd * w + 0x1.99999999996fep-3;
    double even = -0x1.12f9250235df1p-5;
    even = even * w - 0x1.ab953b22fb241p-5;
    even = even * w - 0x1.110cacad1916ap-4;
    even = even * w - 0x1.745d14f1c5b5ap-4;
    even = even * w - 0x1.2492492479d2ap-3;
    even = even * w - 0x1.5555555555555p-2;
    return t + t * (z * (even + z * odd));
}

/* The angle of (x, y), both finite, not negative and not both zero. */
static double atan2_first_quadrant(double y, double x)
{
    const double small = y < x ? y : x;
    const double large = y < x ? x : y;
    MF_ASSERT(small >= 0.0 && large > 0.0);
    double angle;
    if (small <= TAN_PI_8 * large) {
        angle = atan_near_zero(small / large);
    } else {
        angle = MF_PI / 4.0 + atan_near_zero((small - large) / (small + large));
    }
    return y > x ? MF_PI / 2.0 - angle : angle;
}

/* Signed zeros count, which a comparison does not see. */
static bool is_negative(double x)
{
    union {
        double value;
        uint64_t bits;
    } u = {.value = x};
    return (u.bits >> 63) != 0;
}

static double atan2_magnitudes(double y, double x)
{
    if (y == 0.0 && x == 0.0) {
        return 0.0;
    }
    if (y > DBL_MAX || x > DBL_MAX) {
        return atan2_first_quadrant(y > DBL_MAX ? 1.0 : 0.0, x > DBL_MAX ? 1.0 : 0.0);
    }
    if (y > 1e300 || x > 1e300) { /* the sum must not overflow */
        return atan2_first_quadrant(y * 0.25, x * 0.25);
    }
    return atan2_first_quadrant(y, x);
}

double mf_atan2(double y, double x)
{
    if (y != y || x != x) {
        return NOT_A_NUMBER;
    }
    double angle = atan2_magnitudes(mf_abs(y), mf_abs(x));
    if (is_negative(x)) {
        angle = MF_PI - angle;
    }
    return is_negative(y) ? -angle : angle;
}

double mf_sqrt(double x)
{
    return x >= 0.0 ? sqrt(x) : NOT_A_NUMBER; /* the sign of sqrt's own differs by processor */
}

double mf_wrap_pi(double rad)
{
    if (rad >= -MF_PI && rad <= MF_PI) {
        return rad;
    }
    if (!in_range(rad)) {
        return NOT_A_NUMBER;
    }
    const struct reduced r = without_quarters(rad, 4 * nearest(rad / (2.0 * MF_PI)));
    const double wrapped = r.hi + r.lo;
    return wrapped > MF_PI ? MF_PI : wrapped < -MF_PI ? -MF_PI : wrapped;
}

int mf_round_i32(double x)
{
    if (x != x) {
        return 0;
    }
    if (x <= -2147483648.0) {
        return INT32_MIN;
    }
    if (x >= 2147483647.0) {
        return INT32_MAX;
    }
    const int32_t whole = (int32_t)x;
    const double rest = x - (double)whole; /* exact, unlike x + 0.5 */
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole;
}
