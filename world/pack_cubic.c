/* SPDX-License-Identifier: Apache-2.0 */
#include "world/pack_cubic.h"

/* Solutions of the normal equations in fractions; test_pack.c proves that they solve them. */
/* clang-format off */
const struct mf_cubic mf_cubic_inside = {
    240,
    {
        {   9,   -9,    9,  186,   54,   -9,   -9,   54,  -54,    9,   -9,    9},
        { -18,   18,  -88,  -42,  162,  -32,    8,  -78,   78,   -8,   18,  -18},
        { -88,    8,  -18,  -42,  -78,   18,   18,  162,   78,  -18,  -32,   -8},
        {   0,    0,   90, -150,   30,   30,   30,  -90,   90,  -30,    0,    0},
        {  96,  -96,   96,  -96,  -24,   24,  -96,  -24,  144,  -24,   24,  -24},
        {  90,   30,    0, -150,  -90,    0,    0,   30,   90,    0,   30,  -30},
        {   0,    0,  -20,   60,  -60,   20,  -20,   60,  -60,   20,    0,    0},
        {   0,    0,  -60,   60,   60,  -60,   60,  -60,  -60,   60,    0,    0},
        { -60,   60,    0,   60,  -60,    0,    0,   60,  -60,    0,  -60,   60},
        { -20,  -20,    0,   60,   60,    0,    0,  -60,  -60,    0,   20,   20},
    },
};

const struct mf_cubic mf_cubic_pole = {
    372,
    {
        {   0,    0,   62,  124,  124,   62,    0,    0,    0,    0,    0,    0},
        {   0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0},
        {-131,    7,  -31,  -62,  -62,  -31,   45,  216,  156,  -45,  -55,   -7},
        {   0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0},
        { 138, -138,    0,    0,    0,    0, -183,   33,  153,   -3,   48,  -48},
        { 144,   42,  -62, -124, -124,  -62,   -9,   87,   99,    9,   42,  -42},
        {   0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0},
        {   0,    0,    0,    0,    0,    0,   93,  -93,  -93,   93,    0,    0},
        {-102,  102,    0,    0,    0,    0,   18,   12,  -12,  -18,  -84,   84},
        { -31,  -31,   31,   62,   62,   31,    0,  -93,  -93,    0,   31,   31},
    },
};
/* clang-format on */

double mf_cubic_at(const struct mf_cubic *fit, const int32_t *node, double x, double y)
{
    double c[MF_CUBIC_TERMS]; /* whole numbers, as long as they are not divided */
    for (size_t i = 0; i < MF_CUBIC_TERMS; i++) {
        int64_t sum = 0;
        for (size_t j = 0; j < MF_CUBIC_NODES; j++) {
            sum += (int64_t)node[j] * fit->weight[i][j];
        }
        c[i] = (double)sum;
    }
    const double y0 = c[0] + y * (c[2] + y * (c[5] + y * c[9]));
    const double y1 = c[1] + y * (c[4] + y * c[8]);
    const double y2 = c[3] + y * c[7];
    return (y0 + x * (y1 + x * (y2 + x * c[6]))) / fit->divisor;
}
