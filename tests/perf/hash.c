/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One hash over the results of math/ and the constant-speed motion of world/: the stand-in for the conformance script, see ci/determinism.sh.
 * The arguments come from a counter-based generator, so that every build sees the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/types.h"
#include "math/geodesic.h"
#include "math/trig.h"
#include "world/airframe_constant.h"

void mf_assert_failed(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    abort();
}

static uint64_t g_hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

static void add(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    for (unsigned i = 0; i < 64; i += 8) {
        g_hash = (g_hash ^ ((bits >> i) & 0xffu)) * UINT64_C(0x100000001b3);
    }
}

/* 0 .. 1, the n-th number of splitmix64 */
static double unit(uint64_t n)
{
    uint64_t z = n * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void hash_trig(uint64_t n)
{
    const double x = (unit(n) - 0.5) * ((n & 1u) != 0 ? 7.0 : 2e6);
    const double y = unit(n + 1) - 0.5;
    add(mf_sin(x));
    add(mf_cos(x));
    add(mf_atan2(y, x));
    add(mf_sqrt(x));
    add(mf_wrap_pi(x));
}

static void hash_geodesic(uint64_t n)
{
    const struct mf_geo from = {unit(n) * 180.0 - 90.0, unit(n + 1) * 360.0 - 180.0};
    const double distance_m = unit(n + 2) * unit(n + 3) * 1e6;
    double azimuth_rad;
    const struct mf_geo_ray ray = mf_geo_ray(from, (unit(n + 4) - 0.5) * 6.28);
    const struct mf_geo to = mf_geo_at(&ray, distance_m, &azimuth_rad);
    const struct mf_geo_line line = mf_geo_inverse(from, to);
    add(to.lat_deg);
    add(to.lon_deg);
    add(azimuth_rad);
    add(line.distance_m);
    add(line.azimuth_from_rad);
    add(line.azimuth_to_rad);
}

static void hash_pose(const struct mf_pose *pose)
{
    add(pose->lat_deg);
    add(pose->lon_deg);
    add(pose->alt_amsl_m);
    for (int i = 0; i < 3; i++) {
        add((double)pose->vel_ned_mps[i]);
    }
    add((double)pose->yaw_rad);
    add(pose->on_ground ? 1.0 : 0.0);
}

/* One leg of a flight: planned in the middle of the one before, sampled until after its end. */
static mf_us_t hash_leg(struct mf_airframe_constant *body, uint64_t n, mf_us_t t_us)
{
    const struct mf_airframe_ops *ops = &mf_airframe_constant_ops;
    struct mf_pose pose;
    ops->sample(body, t_us, &pose);
    const struct mf_leg leg = {
        .lat_deg = pose.lat_deg + (unit(n) - 0.5) * 0.01,
        .lon_deg = pose.lon_deg + (unit(n + 1) - 0.5) * 0.01,
        .alt_amsl_m = 500.0 + 100.0 * unit(n + 2),
        .speed_h_mps = 10.0f,
        .speed_up_mps = 3.0f,
        .speed_down_mps = 1.5f,
        .yaw_rad = (float)(unit(n + 3) * 6.0 - 3.0),
        .yaw_rate_rps = 1.0f,
        .land = unit(n + 4) < 0.1,
    };
    mf_us_t arrive_us = 0;
    add((double)ops->plan(body, t_us, &leg, 1));
    add((double)ops->next(body, t_us, MF_WHEN_ARRIVED, 0.0, &arrive_us));
    add((double)arrive_us);
    for (int i = 0; i < 20; i++) {
        t_us += 7777777;
        ops->sample(body, t_us, &pose);
        hash_pose(&pose);
    }
    return t_us;
}

static void hash_flight(uint64_t seed)
{
    struct mf_airframe_constant body;
    mf_us_t t_us = 0;
    mf_airframe_constant_init(&body, unit(seed) * 170.0 - 85.0, 179.99, 488.0, 0.5f);
    mf_airframe_constant_ops.arm(&body, t_us, true);
    for (uint64_t leg = 0; leg < 20; leg++) {
        t_us = hash_leg(&body, seed + 5 * leg, t_us);
    }
}

int main(void)
{
    for (uint64_t n = 1; n <= 400000; n += 2) {
        hash_trig(n);
    }
    for (uint64_t n = 1; n <= 100000; n += 5) {
        hash_geodesic(n);
    }
    for (uint64_t n = 1; n <= 20000; n += 100) {
        hash_flight(n);
    }
    printf("%016" PRIx64 "\n", g_hash);
    return 0;
}
