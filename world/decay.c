/* SPDX-License-Identifier: Apache-2.0 */
/* Exponential function of numbers not above zero. Called by world/fall, world/multirotor and
 * fleet/detection. */
#include "world/decay.h"

#define TERMS     20    /* terms of a series in numbers below 1; the last one is below 1 / 21! */
#define LEAST_EXP 745.2 /* e^-x is 0 for greater x */

double mf_decay_bend(double x)
{
    double sum = 1.0;
    for (int n = TERMS; n > 2; n--) {
        sum = 1.0 - sum * x / (double)n;
    }
    return 0.5 * sum;
}

/* Halve x until it is below 1, then square the result as often. */
double mf_decay(double x)
{
    int squares = 0;
    if (x > LEAST_EXP) {
        return 0.0;
    }
    for (; x >= 1.0; squares++) {
        x *= 0.5;
    }
    double e = 1.0 - x * (1.0 - x * mf_decay_bend(x));
    for (; squares > 0; squares--) {
        e *= e;
    }
    return e;
}

double mf_logistic(double x)
{
    const double e = mf_decay(x < 0.0 ? -x : x);
    return x < 0.0 ? e / (1.0 + e) : 1.0 / (1.0 + e);
}
