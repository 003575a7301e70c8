/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/sim/geoid_reference.h"

#include "world/egm96.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS    721
#define COLUMNS 1440
#define HEADER  40 /* south, west, steps: doubles; rows, columns: integers; big-endian */
#define TERMS   10 /* of a cubic polynomial in two variables */

static float s_node[ROWS][COLUMNS]; /* south first, as in the file; columns from 180 W */

static bool read_node(FILE *file, float *value)
{
    unsigned char b[4];
    if (fread(b, 1, sizeof b, file) != sizeof b) {
        return false;
    }
    const uint32_t bits = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    memcpy(value, &bits, sizeof *value);
    return true;
}

bool egm96_grid_load(void)
{
    FILE *file = fopen("/usr/share/proj/egm96_15.gtx", "rb");
    bool good = file != NULL && fseek(file, HEADER, SEEK_SET) == 0;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; good && column < COLUMNS; column++) {
            good = read_node(file, &s_node[row][column]);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return good;
}

static void terms_of(double x, double y, double term[TERMS])
{
    const double t[TERMS] = {1,     x,         y,         x * x,     x * y,
                             y * y, x * x * x, x * x * y, x * y * y, y * y * y};
    memcpy(term, t, sizeof t);
}

/* Gauss and Jordan, with the largest element of a column first. */
static void solve(double a[TERMS][TERMS + 1])
{
    for (int k = 0; k < TERMS; k++) {
        int best = k;
        for (int i = k; i < TERMS; i++) {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        for (int j = 0; j <= TERMS; j++) {
            const double swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        for (int i = 0; i < TERMS; i++) {
            const double part = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int j = 0; j <= TERMS; j++) {
                a[i][j] -= part * a[k][j];
            }
        }
    }
}

/* The polynomial of the cell whose corner in the south-west is that node. */
static void fit(int south, int west, double factor[TERMS])
{
    double a[TERMS][TERMS + 1] = {{0}}, term[TERMS];
    for (int y = -1; y <= 2; y++) {
        for (int x = -1; x <= 2; x++) {
            const bool inner_x = x == 0 || x == 1, inner_y = y == 0 || y == 1;
            const double weight = inner_x && inner_y ? 2.0 : inner_x || inner_y ? 1.0 : 0.0;
            const double node = (double)s_node[south + y][(west + x + 2 * COLUMNS) % COLUMNS];
            terms_of(x, y, term);
            for (int i = 0; i < TERMS; i++) {
                for (int j = 0; j < TERMS; j++) {
                    a[i][j] += weight * term[i] * term[j];
                }
                a[i][TERMS] += weight * term[i] * node;
            }
        }
    }
    solve(a);
    for (int i = 0; i < TERMS; i++) {
        factor[i] = a[i][TERMS] / a[i][i];
    }
}

double egm96_grid_at(double lat_deg, double lon_deg)
{
    static double s_factor[TERMS]; /* a flight is in one cell for long */
    static int s_south = -1, s_west;
    const double row = (lat_deg + 90.0) * 4.0, column = (lon_deg + 180.0) * 4.0;
    const int south = (int)floor(row), west = (int)floor(column);
    double term[TERMS], sum = 0.0;
    if (south != s_south || west != s_west) {
        fit(south, west, s_factor);
        s_south = south;
        s_west = west;
    }
    terms_of(column - west, row - south, term);
    for (int i = 0; i < TERMS; i++) {
        sum += term[i] * s_factor[i];
    }
    return sum;
}

struct mf_geoid *geoid_egm96(void)
{
    static struct mf_geoid geoid;
    struct mf_pack pack;
    if (geoid.count == 0 && mf_pack_open(&pack, mf_egm96_pack, mf_egm96_pack_size) == MF_E_OK) {
        (void)mf_geoid_add(&geoid, &pack, MF_PACK_AS_MADE);
    }
    return &geoid;
}
