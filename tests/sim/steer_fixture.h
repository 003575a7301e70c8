/* SPDX-License-Identifier: Apache-2.0 */
/* Clients that steer: streams of setpoints or sticks at 20 Hz, on either body, with what must hold
 * at every instant looked at all the time. */
#ifndef MF_TESTS_STEER_FIXTURE_H
#define MF_TESTS_STEER_FIXTURE_H

#include "math/trig.h"
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S         1000000
#define PERIOD_US 50000

#define POSITION_ONLY 0x0DF8u /* and yaw ignored */
#define VELOCITY_ONLY 0x0DC7u
#define ACC_ONLY      0x0C3Fu
#define PLACE_AND_VEL 0x0DC0u
#define USE_YAW       0x0400u
#define USE_RATE      0x0800u

static bool s_with_physics;

static inline struct mf_pose truth(struct rig *r)
{
    struct mf_pose pose;
    const struct mf_hal *hal = &r->drone.vehicle.hal;
    assert_int_equal(hal->airframe->sample(hal->airframe_ctx, r->mock.now.vehicle_us, &pose),
                     MF_E_OK);
    return pose;
}

static inline void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.9f is not %.9f", a, b);
    }
}

/* A new rig on the ground, at the mode in which it arms. */
static inline struct rig *ground(bool physics)
{
    struct mf_world_settings settings = mf_world_settings_default();
    settings.motion = physics ? MF_WORLD_MOTION_PHYSICS : MF_WORLD_MOTION_CONSTANT;
    s_with_physics = physics;
    struct rig *r = rig_new_in(NULL, &settings);
    rig_run_until(r, S);
    return r;
}

/* Metres north, east and up of home. */
static inline void from_home(struct rig *r, double neu_m[3])
{
    const struct mf_pose pose = truth(r);
    mf_geo_to_local((struct mf_geo){RIG_LAT_DEG, RIG_LON_DEG},
                    (struct mf_geo){pose.lat_deg, pose.lon_deg}, neu_m);
    neu_m[2] = pose.alt_amsl_m - RIG_ALT_M;
}

static inline void assert_at(struct rig *r, double north_m, double east_m, double up_m,
                             double tolerance_m)
{
    double neu_m[3];
    from_home(r, neu_m);
    assert_close(neu_m[0], north_m, tolerance_m);
    assert_close(neu_m[1], east_m, tolerance_m);
    assert_close(neu_m[2], up_m, tolerance_m);
}

static inline void assert_velocity(struct rig *r, double north, double east, double down,
                                   double tolerance)
{
    const struct mf_pose pose = truth(r);
    assert_close((double)pose.vel_ned_mps[0], north, tolerance);
    assert_close((double)pose.vel_ned_mps[1], east, tolerance);
    assert_close((double)pose.vel_ned_mps[2], down, tolerance);
}

/* What must hold at any time. */
static inline void check(struct rig *r)
{
    const struct mf_pose pose = truth(r);
    const bool landed = r->drone.vehicle.commander.landed == MF_LANDED_ON_GROUND;
    assert_true(pose.alt_amsl_m >= pose.ground_amsl_m);
    assert_false(landed && !pose.on_ground);
    if (!s_with_physics) { /* which waits before it lifts off */
        assert_int_equal(landed, pose.on_ground);
    }
    assert_false(mf_vehicle_moving(&r->drone.vehicle) && mf_navigator_steered(&r->drone.vehicle));
    mf_mock_clear(&r->mock, 0);
}

/* The same message again and again. */
static inline void stream(struct rig *r, uint32_t msgid, const void *msg, double seconds)
{
    const mf_us_t until_us = r->mock.now.vehicle_us + (mf_us_t)(seconds * 1e6);
    while (r->mock.now.vehicle_us < until_us) {
        mf_mock_clear(&r->mock, 0);
        rig_send(r, msgid, msg);
        rig_run_until(r, r->mock.now.vehicle_us + PERIOD_US);
        check(r);
    }
}

static inline struct mf_msg_set_position_target_local_ned local(uint8_t frame, uint16_t mask)
{
    return (struct mf_msg_set_position_target_local_ned){
        .target_system = 1, .target_component = 1, .coordinate_frame = frame, .type_mask = mask};
}

static inline void stream_velocity(struct rig *r, float north, float east, float down,
                                   double seconds)
{
    struct mf_msg_set_position_target_local_ned m = local(MAV_FRAME_LOCAL_NED, VELOCITY_ONLY);
    m.vx = north;
    m.vy = east;
    m.vz = down;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, seconds);
}

static inline void stream_position(struct rig *r, float north, float east, float down,
                                   double seconds)
{
    struct mf_msg_set_position_target_local_ned m = local(MAV_FRAME_LOCAL_NED, POSITION_ONLY);
    m.x = north;
    m.y = east;
    m.z = down;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, seconds);
}

static inline void stream_sticks(struct rig *r, int16_t x, int16_t y, int16_t z, int16_t yaw,
                                 double seconds)
{
    const struct mf_msg_manual_control m = {.x = x, .y = y, .z = z, .r = yaw, .target = 1};
    stream(r, MF_MSG_MANUAL_CONTROL, &m, seconds);
}

static inline uint8_t arm(struct rig *r)
{
    return rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){1.0f});
}

static inline uint8_t set_mode(struct rig *r, float main, float sub)
{
    return rig_command(r, MAV_CMD_DO_SET_MODE, (const float[7]){1.0f, main, sub});
}

/* Off the ground by offboard setpoints: 10 m above home, and there since a while. */
static inline struct rig *offboard(bool physics)
{
    struct rig *r = ground(physics);
    stream_position(r, 0.0f, 0.0f, -10.0f, 0.1);
    assert_int_equal(set_mode(r, 6.0f, 0.0f), MAV_RESULT_ACCEPTED);
    assert_int_equal(arm(r), MAV_RESULT_ACCEPTED);
    stream_position(r, 0.0f, 0.0f, -10.0f, physics ? 25.0 : 5.0);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
    assert_at(r, 0.0, 0.0, 10.0, 1e-3);
    return r;
}

/* In POSCTL by sticks, 10 m or a little more above home, standing still. */
static inline struct rig *flown_by_hand(bool physics)
{
    struct rig *r = ground(physics);
    stream_sticks(r, 0, 0, 500, 0, 0.2);
    assert_int_equal(arm(r), MAV_RESULT_ACCEPTED);
    assert_int_equal(set_mode(r, 3.0f, 0.0f), MAV_RESULT_ACCEPTED);
    stream_sticks(r, 0, 0, 500, 0, 1.0);
    assert_true(truth(r).on_ground);
    stream_sticks(r, 0, 0, 1000, 0, 6.0);
    stream_sticks(r, 0, 0, 500, 0, 4.0);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_POSCTL);
    assert_velocity(r, 0.0, 0.0, 0.0, 1e-6);
    return r;
}

#endif
