/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Trigonometry that gives the same bits on every compiler, libc and processor: built from + - * /
 * and sqrt only. Absolute error below 1e-12 rad (atan2) or 1e-12 (sin, cos) for arguments up to 1e6
 * rad. No libm, no state.
 */
#ifndef MF_MATH_TRIG_H
#define MF_MATH_TRIG_H

#include <stdbool.h>

#define MF_PI 3.14159265358979323846

/** @brief Sine. @param x [rad], |x| <= 1e6; NaN or beyond gives NaN */
double mf_sin(double x);

/** @brief Cosine. @param x [rad], |x| <= 1e6; NaN or beyond gives NaN */
double mf_cos(double x);

/** Both of one angle. */
struct mf_sin_cos {
    double sin;
    double cos;
};

/** @brief mf_sin() and mf_cos() of one angle, the same bits, in little more than the time
 * of one. */
struct mf_sin_cos mf_sin_cos(double x);

/** @brief Angle of the vector (x, y). @return [rad] -pi .. pi; 0 for (0, 0); quadrants and signed
 * zeros as C's atan2 */
double mf_atan2(double y, double x);

/** @brief Square root, correctly rounded (IEEE 754). @return NaN below zero */
double mf_sqrt(double x);

/** @brief Neither infinite nor not-a-number. */
static inline bool mf_finite(double x)
{
    return x - x == 0.0;
}

/** @brief Absolute value. */
static inline double mf_abs(double x)
{
    return x < 0.0 ? -x : x;
}

/** Smaller and larger of two numbers; the second number if either is not-a-number. */
static inline double mf_smaller(double x, double y)
{
    return x < y ? x : y;
}

static inline double mf_larger(double x, double y)
{
    return x > y ? x : y;
}

/** True if low <= x <= high; false for NaN. */
static inline bool mf_between(double x, double low, double high)
{
    return x >= low && x <= high;
}

/** True if
 * x
 * <= limit; false for NaN. */
static inline bool mf_within(double x, double limit)
{
    return mf_between(x, -limit, limit);
}

/** @brief Length of the vector (x, y). */
static inline double mf_length2(double x, double y)
{
    return mf_sqrt(x * x + y * y);
}

static inline double mf_tan(double x)
{
    return mf_sin(x) / mf_cos(x);
}

/** @brief Radians from degrees, and back. */
static inline double mf_rad(double deg)
{
    return deg * (MF_PI / 180.0);
}

static inline double mf_deg(double rad)
{
    return rad * (180.0 / MF_PI);
}

/** @brief An angle brought into -pi .. pi [rad]; any finite input up to 1e6 rad. */
double mf_wrap_pi(double rad);

/** @brief The integer nearest to @p x, halves away from zero, held at the ends of int32_t; NaN
 * gives 0. */
int mf_round_i32(double x);

#endif
