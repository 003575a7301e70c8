/* SPDX-License-Identifier: Apache-2.0 */
/* A body with PX4's limits, legs for it, and what its poses say: for the tests of the physics. */
#ifndef MF_TESTS_PHYSICS_FIXTURE_H
#define MF_TESTS_PHYSICS_FIXTURE_H

#include "math/trig.h"
#include "world/airframe_physics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HOME_LAT_DEG 47.397742
#define HOME_LON_DEG 8.545594
#define GROUND_M     488.0
#define SECOND       MF_SECOND_US
#define FALL_US      2989100 /* from 20 m, with a drag of 1 /s */

static const struct mf_airframe_ops *const k_ops = &mf_airframe_physics_ops;

static inline void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.17g, want %.17g, off by %g", got, want, fabs(got - want));
    }
}

static inline struct mf_pose pose_at(struct mf_airframe_physics *b, mf_us_t t_us)
{
    struct mf_pose pose;
    memset(&pose, 0xff, sizeof pose);
    assert_int_equal(k_ops->sample(b, t_us, &pose), MF_E_OK);
    return pose;
}

static inline mf_us_t next_us(struct mf_airframe_physics *b, mf_us_t t_us, enum mf_when when,
                              double value)
{
    mf_us_t at_us = -1;
    assert_int_equal(k_ops->next(b, t_us, when, value, &at_us), MF_E_OK);
    return at_us;
}

static inline double metres_apart(const struct mf_pose *p, double lat_deg, double lon_deg)
{
    return mf_geo_inverse((struct mf_geo){p->lat_deg, p->lon_deg},
                          (struct mf_geo){lat_deg, lon_deg})
        .distance_m;
}

static inline double speed_h(const struct mf_pose *p)
{
    return hypot((double)p->vel_ned_mps[0], (double)p->vel_ned_mps[1]);
}

static inline double tilt_deg(const struct mf_pose *p)
{
    return acos(cos((double)p->roll_rad) * cos((double)p->pitch_rad)) * 180.0 / MF_PI;
}

static inline bool same_place(const struct mf_pose *a, const struct mf_pose *b)
{
    return a->lat_deg == b->lat_deg && a->lon_deg == b->lon_deg && a->alt_amsl_m == b->alt_amsl_m;
}

static inline bool same_vector(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Every field; memcmp would also compare padding. */
static inline bool same_pose(const struct mf_pose *a, const struct mf_pose *b)
{
    return same_place(a, b) && a->ground_amsl_m == b->ground_amsl_m &&
           same_vector(a->vel_ned_mps, b->vel_ned_mps) &&
           same_vector(a->acc_ned_mps2, b->acc_ned_mps2) && a->roll_rad == b->roll_rad &&
           a->pitch_rad == b->pitch_rad && a->yaw_rad == b->yaw_rad &&
           a->yawspeed_rps == b->yawspeed_rps && a->on_ground == b->on_ground;
}

static inline bool stands(const struct mf_pose *p)
{
    static const float k_zero[3] = {0.0f, 0.0f, 0.0f};
    return same_vector(p->vel_ned_mps, k_zero) && same_vector(p->acc_ned_mps2, k_zero) &&
           p->roll_rad == 0.0f && p->pitch_rad == 0.0f;
}

/* A leg at PX4's speeds, but 10 m/s, heading kept. */
static inline struct mf_leg leg_to(double lat_deg, double lon_deg, double alt_m)
{
    return (struct mf_leg){
        .lat_deg = lat_deg,
        .lon_deg = lon_deg,
        .alt_amsl_m = alt_m,
        .speed_h_mps = 10.0f,
        .speed_up_mps = 3.0f,
        .speed_down_mps = 1.5f,
        .yaw_rad = NAN,
        .yaw_rate_rps = 1.0f,
    };
}

/* The same, metres from a place. */
static inline struct mf_leg leg_by(double lat_deg, double lon_deg, double north_m, double east_m,
                                   double height_m)
{
    const struct mf_geo to = mf_geo_from_local((struct mf_geo){lat_deg, lon_deg}, north_m, east_m);
    return leg_to(to.lat_deg, to.lon_deg, GROUND_M + height_m);
}

static inline struct mf_leg leg_home(double north_m, double east_m, double height_m)
{
    return leg_by(HOME_LAT_DEG, HOME_LON_DEG, north_m, east_m, height_m);
}

static inline struct mf_leg leg_up(const struct mf_airframe_physics *b, double height_m)
{
    return leg_to(b->now.end.lat_deg, b->now.end.lon_deg, b->now.ground_amsl_m + height_m);
}

static inline void plan(struct mf_airframe_physics *b, mf_us_t t_us, struct mf_leg leg)
{
    assert_int_equal(k_ops->plan(b, t_us, &leg, 1), MF_E_OK);
}

static inline void plan2(struct mf_airframe_physics *b, mf_us_t t_us, struct mf_leg leg,
                         struct mf_leg next)
{
    const struct mf_leg legs[2] = {leg, next};
    assert_int_equal(k_ops->plan(b, t_us, legs, 2), MF_E_OK);
}

static inline void arm(struct mf_airframe_physics *b, mf_us_t t_us, bool on)
{
    assert_int_equal(k_ops->arm(b, t_us, on), MF_E_OK);
}

static inline void put(struct mf_airframe_physics *b, double lat_deg, double lon_deg, float yaw_rad)
{
    mf_airframe_physics_init(b, lat_deg, lon_deg, GROUND_M, yaw_rad, &mf_physics_limits_px4);
}

/* Armed and hovering above a place since some instant that is returned. */
static inline mf_us_t hover(struct mf_airframe_physics *b, double lat_deg, double lon_deg,
                            double height_m)
{
    put(b, lat_deg, lon_deg, 0.5f);
    arm(b, 0, true);
    plan(b, SECOND, leg_up(b, height_m));
    return next_us(b, SECOND, MF_WHEN_ARRIVED, 0.0);
}

static inline mf_us_t hover_home(struct mf_airframe_physics *b, double height_m)
{
    return hover(b, HOME_LAT_DEG, HOME_LON_DEG, height_m);
}

#endif
