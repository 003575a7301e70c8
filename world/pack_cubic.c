/* SPDX-License-Identifier: Apache-2.0 */
/* Cubic interpolation of packs. Called by world/pack. */
#include "world/pack_cubic.h"

/* Solutions of the normal equations, as fractions; test_pack_cubic.c proves that they solve
 * them. */
/* clang-format off */
const struct mf_cubic mf_cubic_inside = {
    240,
    {
        {   9,  -18,  -88,    0,   96,   90,    0,    0,  -60,  -20},
        {  -9,   18,    8,    0,  -96,   30,    0,    0,   60,  -20},
        {   9,  -88,  -18,   90,   96,    0,  -20,  -60,    0,    0},
        { 186,  -42,  -42, -150,  -96, -150,   60,   60,   60,   60},
        {  54,  162,  -78,   30,  -24,  -90,  -60,   60,  -60,   60},
        {  -9,  -32,   18,   30,   24,    0,   20,  -60,    0,    0},
        {  -9,    8,   18,   30,  -96,    0,  -20,   60,    0,    0},
        {  54,  -78,  162,  -90,  -24,   30,   60,  -60,   60,  -60},
        { -54,   78,   78,   90,  144,   90,  -60,  -60,  -60,  -60},
        {   9,   -8,  -18,  -30,  -24,    0,   20,   60,    0,    0},
        {  -9,   18,  -32,    0,   24,   30,    0,    0,  -60,   20},
        {   9,  -18,   -8,    0,  -24,  -30,    0,    0,   60,   20},
    },
};

const struct mf_cubic mf_cubic_pole = {
    372,
    {
        {   0,    0, -131,    0,  138,  144,    0,    0, -102,  -31},
        {   0,    0,    7,    0, -138,   42,    0,    0,  102,  -31},
        {  62,    0,  -31,    0,    0,  -62,    0,    0,    0,   31},
        { 124,    0,  -62,    0,    0, -124,    0,    0,    0,   62},
        { 124,    0,  -62,    0,    0, -124,    0,    0,    0,   62},
        {  62,    0,  -31,    0,    0,  -62,    0,    0,    0,   31},
        {   0,    0,   45,    0, -183,   -9,    0,   93,   18,    0},
        {   0,    0,  216,    0,   33,   87,    0,  -93,   12,  -93},
        {   0,    0,  156,    0,  153,   99,    0,  -93,  -12,  -93},
        {   0,    0,  -45,    0,   -3,    9,    0,   93,  -18,    0},
        {   0,    0,  -55,    0,   48,   42,    0,    0,  -84,   31},
        {   0,    0,   -7,    0,  -48,  -42,    0,    0,   84,   31},
    },
};
/* clang-format on */

double mf_cubic_at(const struct mf_cubic *fit, const int32_t *node, double x, double y)
{
    double c[MF_CUBIC_TERMS] = {
        0}; /* whole numbers below 2^53, so the order of sums does not matter */
    for (size_t i = 0; i < MF_CUBIC_NODES; i++) {
        const double value = node[i];
        for (size_t j = 0; j < MF_CUBIC_TERMS; j++) {
            c[j] += value * fit->weight[i][j];
        }
    }
    const double x0 = c[0] + y * (c[2] + y * (c[5] + y * c[9]));
    const double x1 = c[1] + y * (c[4] + y * c[8]);
    const double x2 = c[3] + y * c[7];
    return (x0 + x * (x1 + x * (x2 + x * c[6]))) / fit->divisor;
}
