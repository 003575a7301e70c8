/* SPDX-License-Identifier: Apache-2.0 */
/* Offboard flights: every mask and frame, on the constant body and on the one with physics. */
#include "tests/sim/steer_fixture.h"
#include "tests/unit/support/cases.h"

static void test_takes_off_flies_and_lands_by_setpoints(void **state)
{
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        struct rig *r = offboard(physics != 0);
        stream_position(r, 30.0f, 40.0f, -10.0f, physics ? 60.0 : 10.0);
        assert_at(r, 30.0, 40.0, 10.0, 1e-3);
        stream_position(r, 0.0f, 0.0f, -20.0f, physics ? 60.0 : 10.0);
        assert_at(r, 0.0, 0.0, 20.0, 1e-3);
        stream_velocity(r, 0.0f, 0.0f, 1.0f, 25.0); /* 20 m at 1 m/s, then 2 s to disarm */
        assert_true(truth(r).on_ground);
        assert_false(r->drone.vehicle.commander.armed);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    }
}

static void test_velocity(void **state)
{
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        struct rig *r = offboard(physics != 0);
        double before[3], after[3];
        stream_velocity(r, 3.0f, -4.0f, 0.0f, 10.0);
        assert_velocity(r, 3.0, -4.0, 0.0, 1e-4);
        from_home(r, before);
        stream_velocity(r, 3.0f, -4.0f, 0.0f, 10.0);
        from_home(r, after);
        assert_close(after[0] - before[0], 30.0, 1e-3);
        assert_close(after[1] - before[1], -40.0, 1e-3);
        assert_close(after[2], 10.0, 1e-6);
        stream_velocity(r, 40.0f, 0.0f, -50.0f, 20.0); /* MPC_XY_VEL_MAX, MPC_Z_VEL_MAX_UP */
        const struct mf_pose fast = truth(r);
        assert_true((double)fast.vel_ned_mps[0] <= 12.0 + 1e-5);
        assert_true((double)fast.vel_ned_mps[0] > (physics ? 9.0 : 11.9));
        assert_close((double)fast.vel_ned_mps[2], -3.0, 1e-5);
        stream_velocity(r, 0.0f, 0.0f, 50.0f, 5.0);
        assert_close((double)truth(r).vel_ned_mps[2], 1.5, 1e-5); /* MPC_Z_VEL_MAX_DN */
    }
}

/* Forward is where the nose points: east, after a turn to 90 degrees. */
static void test_body_velocity_and_yaw(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    struct mf_msg_set_position_target_local_ned m =
        local(MAV_FRAME_BODY_NED, VELOCITY_ONLY & ~USE_YAW);
    m.yaw = 1.5707964f;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 3.0);
    assert_close((double)truth(r).yaw_rad, 1.5707963, 1e-6);
    m.vx = 2.0f;
    m.vy = 1.0f;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 5.0);
    assert_velocity(r, -1.0, 2.0, 0.0, 1e-5);
    m = local(MAV_FRAME_BODY_NED, VELOCITY_ONLY & ~USE_RATE); /* a circle: 5 m/s, 0.5 rad/s */
    m.vx = 5.0f;
    m.yaw_rate = 0.5f;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 10.0);
    double from[3], to[3];
    from_home(r, from);
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 6.3); /* half a turn: 2 r = 20 m */
    from_home(r, to);
    assert_close(hypot(to[0] - from[0], to[1] - from[1]), 20.0, 0.5);
    assert_close((double)truth(r).yawspeed_rps, 0.5, 1e-6);
}

/* Drag balances 2 m/s2 at 2 m/s. */
static void test_acceleration(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    struct mf_msg_set_position_target_local_ned m = local(MAV_FRAME_LOCAL_NED, ACC_ONLY);
    m.afx = 2.0f;
    m.afz = -1.0f;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 5.0);
    assert_velocity(r, 2.0, 0.0, -1.0, 1e-5);
    m.afx = 0.0f; /* none to the north: all of MPC_XY_VEL_MAX goes to the east */
    m.afy = 20.0f;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 20.0);
    assert_close((double)truth(r).vel_ned_mps[1], 12.0, 1e-5);
}

/* A place that moves, with its velocity: the vehicle is on it, not behind it. */
static void test_position_with_velocity_ahead(void **state)
{
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        struct rig *r = offboard(physics != 0);
        struct mf_msg_set_position_target_local_ned m = local(MAV_FRAME_LOCAL_NED, PLACE_AND_VEL);
        m.z = -10.0f;
        m.vx = 2.0f;
        for (int i = 0; i < 400; i++) {
            m.x = (float)i * 0.1f;
            stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 0.05);
        }
        assert_at(r, 40.0, 0.0, 10.0, physics ? 1.0 : 0.01);
        m.vx = 0.0f; /* no velocity left: straight there */
        stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 20.0);
        assert_at(r, 39.9, 0.0, 10.0, 1e-3);
        /* 50 m/s are asked for, to the north-east: MPC_XY_P of both ways, not of the farther one */
        m.x = 59.9f;
        m.y = 10.0f;
        stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 30.0);
        assert_at(r, 59.9, 10.0, 10.0, 1e-3);
    }
}

/* A place that moves at 2 m/s without saying so: PX4's lag of speed / MPC_XY_P behind it, and
 * exactly there when it stops. */
static void test_place_that_moves(void **state)
{
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        struct rig *r = offboard(physics != 0);
        double neu_m[3];
        for (int i = 0; i < 400; i++) {
            stream_position(r, (float)i * 0.1f, 0.0f, -10.0f, 0.05);
        }
        from_home(r, neu_m);
        assert_close(neu_m[0], 40.0 - 2.0 / 0.95, physics ? 1.0 : 0.2);
        assert_velocity(r, 2.0, 0.0, 0.0, 0.1);
        stream_position(r, 40.0f, 0.0f, -10.0f, 20.0);
        assert_at(r, 40.0, 0.0, 10.0, 1e-3);
    }
}

/* Horizontal velocity at a height: 5 m higher than now, reached and held. */
static void test_velocity_at_a_height(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    struct mf_msg_set_position_target_local_ned m =
        local(MAV_FRAME_LOCAL_NED, 0x0DE3u); /* z, vx, vy */
    m.z = -15.0f;
    m.vx = 1.0f;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 20.0);
    assert_at(r, 20.0, 0.0, 15.0, 0.01);
    assert_velocity(r, 1.0, 0.0, 0.0, 0.01);
}

static void test_global_frames(void **state)
{
    static const struct {
        uint8_t frame;
        float alt;
    } k_case[] = {{MAV_FRAME_GLOBAL_INT, 508.0f},
                  {MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, 20.0f},
                  {MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, 20.0f}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct rig *r = offboard(false);
        const struct mf_msg_set_position_target_global_int m = {
            .target_system = 1,
            .coordinate_frame = k_case[i].frame,
            .type_mask = POSITION_ONLY,
            .lat_int = 473986410, /* 0.0008990 deg, 99.96 m */
            .lon_int = 85455940,
            .alt = k_case[i].alt,
        };
        stream(r, MF_MSG_SET_POSITION_TARGET_GLOBAL_INT, &m, 15.0);
        assert_at(r, 99.956, 0.0, 20.0, 0.01);
    }
}

/* The globe's edges are places; what lies beyond is none, and no sign of life. */
static void test_places_of_the_globe(void **state)
{
    static const struct {
        int32_t lat_e7, lon_e7;
        float alt_m;
        bool taken;
    } k_case[] = {{900000000, 1800000000, 500.0f, true},
                  {-900000000, -1800000000, 500.0f, true},
                  {900000001, 0, 500.0f, false},
                  {0, 1800000001, 500.0f, false},
                  {0, 0, 100000.0f, true},
                  {0, 0, 100001.0f, false},
                  {-900000001, 0, 500.0f, false},
                  {0, -1800000001, 500.0f, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = ground(false);
        const struct mf_msg_set_position_target_global_int m = {
            .target_system = 1,
            .coordinate_frame = MAV_FRAME_GLOBAL_INT,
            .type_mask = POSITION_ONLY,
            .lat_int = k_case[i].lat_e7,
            .lon_int = k_case[i].lon_e7,
            .alt = k_case[i].alt_m,
        };
        rig_send(r, MF_MSG_SET_POSITION_TARGET_GLOBAL_INT, &m);
        assert_int_equal(r->drone.vehicle.inputs.setpoint.live, k_case[i].taken);
        assert_int_equal(rig_said(r, "GLOBAL_INT invalid"), !k_case[i].taken);
    }
}

static void test_attitude_flies_by_tilt(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    /* pitch -10 degrees, hovering: g tan(10 deg) if thrust held the height: 0.5 / cos(10 deg) */
    const struct mf_msg_set_attitude_target m = {
        .target_system = 1,
        .type_mask = 0x07,
        .q = {0.9961947f, 0.0f, -0.0871557f, 0.0f},
        .thrust = 0.5077133f,
    };
    stream(r, MF_MSG_SET_ATTITUDE_TARGET, &m, 5.0);
    assert_velocity(r, 1.729177, 0.0, 0.0, 1e-4);
    struct mf_msg_attitude_target echo;
    rig_send(r, MF_MSG_SET_ATTITUDE_TARGET, &m);
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){83.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ATTITUDE_TARGET, &echo));
    assert_close((double)echo.q[2], -0.0871557, 1e-6);
    assert_close((double)echo.thrust, 0.5077133, 1e-7);
    struct mf_msg_set_attitude_target scaled = m; /* clients round; far from one is no attitude */
    for (int i = 0; i < 4; i++) {
        scaled.q[i] = 0.55f * m.q[i];
    }
    stream(r, MF_MSG_SET_ATTITUDE_TARGET, &scaled, 1.0);
    assert_velocity(r, 1.729177, 0.0, 0.0, 1e-4);
    assert_true(r->drone.vehicle.inputs.setpoint.live);
    scaled = m; /* level, and turned by 60 degrees */
    memcpy(scaled.q, (const float[]){0.8660254f, 0.0f, 0.0f, 0.5f}, sizeof scaled.q);
    stream(r, MF_MSG_SET_ATTITUDE_TARGET, &scaled, 5.0);
    assert_close((double)truth(r).yaw_rad, 1.0471976, 1e-6);
    struct mf_msg_set_attitude_target rates = {.target_system = 1, .type_mask = 0x80};
    rates.thrust = 0.6f; /* up: 0.2 g */
    rates.body_yaw_rate = 0.25f;
    stream(r, MF_MSG_SET_ATTITUDE_TARGET, &rates, 5.0);
    assert_close((double)truth(r).yawspeed_rps, 0.25, 1e-6);
    assert_true(truth(r).vel_ned_mps[2] < -1.0f);
}

static void request(struct rig *r, float msgid)
{
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){msgid}),
                     MAV_RESULT_ACCEPTED);
}

/* Roll 10, pitch -20 degrees, north: whatever shows attitude shows what was asked for. */
static void test_sim018_attitude_that_is_asked_for_shows(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    const struct mf_msg_set_attitude_target m = {
        .target_system = 1,
        .type_mask = 0x07,
        /* cos 5 cos 10, sin 5 cos 10, cos 5 sin -10, -sin 5 sin -10 */
        .q = {0.98106026f, 0.08583165f, -0.17298739f, 0.01513444f},
        .thrust = 0.6f,
    };
    struct mf_msg_attitude euler;
    struct mf_msg_attitude_quaternion q;
    struct mf_msg_odometry odometry;
    struct mf_msg_hil_state_quaternion hil;
    struct mf_msg_highres_imu imu;
    stream(r, MF_MSG_SET_ATTITUDE_TARGET, &m, 2.0);
    mf_mock_clear(&r->mock, 0);
    for (size_t i = 0; i < 5; i++) {
        request(r, (const float[]){30.0f, 31.0f, 331.0f, 115.0f, 105.0f}[i]);
    }
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ATTITUDE, &euler));
    assert_close((double)euler.roll, 0.17453293, 1e-6);
    assert_close((double)euler.pitch, -0.34906585, 1e-6);
    assert_close((double)euler.yaw, 0.0, 1e-6);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ATTITUDE_QUATERNION, &q));
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ODOMETRY, &odometry));
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_HIL_STATE_QUATERNION, &hil));
    const float shown[4] = {q.q1, q.q2, q.q3, q.q4};
    for (size_t i = 0; i < 4; i++) {
        assert_close((double)shown[i], (double)m.q[i], 1e-6);
        assert_close((double)odometry.q[i], (double)m.q[i], 1e-6);
        assert_close((double)hil.attitude_quaternion[i], (double)m.q[i], 1e-6);
    }
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_HIGHRES_IMU, &imu));
    assert_close((double)imu.xacc, -9.80665 * 0.34202014, 1e-4); /* g sin 20, held up by the nose */
    assert_close((double)imu.yacc, -9.80665 * 0.93969262 * 0.17364818, 1e-4);

    stream_velocity(r, 1.0f, 0.0f, 0.0f, 0.5); /* level, as every other way of flying */
    mf_mock_clear(&r->mock, 0);
    request(r, 30.0f);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ATTITUDE, &euler));
    assert_true(euler.roll == 0.0f && euler.pitch == 0.0f);

    /* Rates go on from there, not from the attitude that was flown once. */
    const struct mf_msg_set_attitude_target still = {
        .target_system = 1, .type_mask = 0x80, .thrust = 0.5f};
    stream(r, MF_MSG_SET_ATTITUDE_TARGET, &still, 0.5);
    mf_mock_clear(&r->mock, 0);
    request(r, 30.0f);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ATTITUDE, &euler));
    assert_true(euler.roll == 0.0f && euler.pitch == 0.0f);
}

static void test_echo_of_the_setpoint(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    struct mf_msg_position_target_local_ned echo;
    stream_velocity(r, 1.0f, 2.0f, -0.5f, 1.0);
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){85.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_POSITION_TARGET_LOCAL_NED, &echo));
    assert_int_equal(echo.type_mask, 0x0DC7);
    assert_close((double)echo.vy, 2.0, 1e-7);
    assert_true(echo.x != echo.x);
    stream_position(r, 5.0f, 6.0f, -7.0f, 1.0);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){85.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_POSITION_TARGET_LOCAL_NED, &echo));
    assert_int_equal(echo.type_mask, 0x0DF8);
    assert_close((double)echo.y, 6.0, 1e-3);
}

/* What PX4 refuses is no sign of life. */
static void test_refused_setpoints(void **state)
{
    static const struct {
        uint8_t frame;
        uint16_t mask;
        const char *text;
    } k_case[] = {
        {MAV_FRAME_LOCAL_OFFSET_NED, VELOCITY_ONLY, "coordinate frame 7"},
        {MAV_FRAME_BODY_OFFSET_NED, VELOCITY_ONLY, "coordinate frame 9"},
        {MAV_FRAME_BODY_NED, POSITION_ONLY, "LOCAL_NED invalid"},
        {MAV_FRAME_BODY_NED, VELOCITY_ONLY | 8u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, 0x0FFF & ~0x200u, "LOCAL_NED invalid"},
        /* each axis needs a setpoint, and x and y come in pairs */
        {MAV_FRAME_LOCAL_NED, POSITION_ONLY | 3u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, POSITION_ONLY | 1u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, POSITION_ONLY | 4u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, PLACE_AND_VEL | 2u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, VELOCITY_ONLY | 8u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, VELOCITY_ONLY | 32u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, ACC_ONLY | 128u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, ACC_ONLY | 256u, "LOCAL_NED invalid"},
        {MAV_FRAME_LOCAL_NED, ACC_ONLY | 0x200u, "LOCAL_NED force not supported"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = ground(false);
        assert_int_equal(arm(r), MAV_RESULT_ACCEPTED);
        const struct mf_msg_set_position_target_local_ned m =
            local(k_case[i].frame, k_case[i].mask);
        rig_run_until(r, r->mock.now.vehicle_us + S + 100000);
        mf_mock_clear(&r->mock, 0);
        for (int n = 0; n < 10; n++) {
            rig_send(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
        }
        assert_true(mf_mock_count(&r->mock, 0, MF_MSG_STATUSTEXT) <= 2); /* one text, in chunks */
        assert_true(rig_said(r, k_case[i].text) || rig_said(r, "unsupported"));
        assert_int_equal(set_mode(r, 6.0f, 0.0f), MAV_RESULT_TEMPORARILY_REJECTED);
        assert_true(mf_mock_named(&r->mock, 0, "offboard"));
    }
}

/* PX4 stays where it is for a setpoint of only z. A velocity and a height may share the axes. */
static void test_incomplete_setpoints_are_not_flown(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    stream_position(r, 5.0f, 6.0f, -10.0f, 10.0);
    struct mf_msg_set_position_target_local_ned m =
        local(MAV_FRAME_LOCAL_NED, POSITION_ONLY & ~24u);
    m.z = -12.0f;
    m.type_mask |= 3u; /* a velocity north and east, a height: complete */
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 5.0);
    assert_at(r, 5.0, 6.0, 12.0, 1e-3);
    m.type_mask = POSITION_ONLY | 3u;
    m.z = -20.0f;
    int texts = 0;
    for (int i = 0; i < 10; i++) { /* 0.9 s: COM_OF_LOSS_T is 1 s */
        rig_send(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
        texts += rig_said(r, "LOCAL_NED invalid") ? 1 : 0;
        rig_run_until(r, r->mock.now.vehicle_us + 90000);
    }
    assert_int_equal(texts, 1);
    assert_at(r, 5.0, 6.0, 12.0, 1e-3);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
    for (int i = 0; i < 10; i++) {
        rig_send(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
        rig_run_until(r, r->mock.now.vehicle_us + 90000);
    }
    assert_int_not_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
}

/* Complaints come once a second; the first one needs no second since boot. */
static void test_a_refused_setpoint_at_boot_is_answered(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    rig_run_until(r, 100000);
    const struct mf_msg_set_position_target_local_ned m = local(MAV_FRAME_BODY_NED, POSITION_ONLY);
    rig_send(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
    assert_true(rig_said(r, "LOCAL_NED invalid"));
}

/* A velocity that does not lead off the ground moves nothing there. */
static void test_a_level_velocity_leaves_it_on_the_ground(void **state)
{
    (void)state;
    struct rig *r = ground(false);
    stream_velocity(r, 1.0f, 0.0f, 0.0f, 0.1);
    assert_int_equal(set_mode(r, 6.0f, 0.0f), MAV_RESULT_ACCEPTED);
    assert_int_equal(arm(r), MAV_RESULT_ACCEPTED);
    stream_velocity(r, 1.0f, 0.0f, 0.0f, 3.0);
    assert_at(r, 0.0, 0.0, 0.0, 0.0);
    stream_velocity(r, 1.0f, 0.0f, -1.0f, 4.0);
    assert_true(truth(r).alt_amsl_m > RIG_ALT_M);
}

/* Without a stream it cannot be entered, with a stream that ends the parameter decides. */
static void test_loss(void **state)
{
    static const struct {
        int32_t action;
        int mode;
        bool armed;
    } k_case[] = {{0, MF_MODE_RTL, true},  {3, MF_MODE_RTL, true},  {4, MF_MODE_LAND, true},
                  {5, MF_MODE_HOLD, true}, {-1, MF_MODE_RTL, true}, {7, MF_MODE_HOLD, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = offboard(false);
        rig_set_i(r, "COM_OBL_RC_ACT", k_case[i].action);
        stream_velocity(r, 5.0f, 0.0f, 0.0f, 2.0);
        rig_run_until(r, r->mock.now.vehicle_us + 900000);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
        assert_velocity(r, 5.0, 0.0, 0.0, 1e-5);
        rig_run_until(r, r->mock.now.vehicle_us + 300000);
        assert_int_equal(r->drone.vehicle.commander.mode, k_case[i].mode);
        assert_int_equal(r->drone.vehicle.commander.armed, k_case[i].armed);
        assert_int_equal(r->drone.vehicle.commander.failsafe, k_case[i].armed);
        if (k_case[i].armed && k_case[i].mode == MF_MODE_HOLD) {
            assert_velocity(r, 0.0, 0.0, 0.0, 0.0);
            stream_velocity(r, 5.0f, 0.0f, 0.0f, 1.0); /* Hold ends with its cause */
            assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
            assert_velocity(r, 5.0, 0.0, 0.0, 1e-5);
        }
    }
}

/* Held time is nobody's fault: no loss while vehicle time stands still. */
static void test_no_loss_while_time_stands(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    stream_velocity(r, 1.0f, 0.0f, 0.0f, 1.0);
    for (int i = 0; i < 200; i++) {
        r->mock.now.transport_us += 50000;
        (void)mf_vehicle_step(&r->drone.vehicle);
    }
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
    assert_true(r->drone.vehicle.inputs.setpoint.live);
    for (int i = 0; i < 30; i++) {
        r->mock.now.transport_us += 50000;
        r->mock.now.vehicle_us += 50000;
        (void)mf_vehicle_step(&r->drone.vehicle);
    }
    assert_int_not_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
    assert_true(r->drone.vehicle.commander.failsafe);
}

/* With sticks there, COM_OBL_RC_ACT 0 hands over to the pilot. A host that slept has not lost what
 * waits in its buffers. */
static void test_loss_with_a_pilot_and_a_late_host(void **state)
{
    const struct mf_msg_manual_control sticks = {.z = 500, .target = 1};
    struct mf_msg_set_position_target_local_ned m = local(MAV_FRAME_LOCAL_NED, VELOCITY_ONLY);
    (void)state;
    struct rig *r = offboard(false);
    m.vx = 1.0f;
    stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 1.0);
    r->mock.now.vehicle_us += 3 * S;
    r->mock.now.transport_us += 3 * S;
    rig_send(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
    rig_run_until(r, r->mock.now.vehicle_us + 200000);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
    for (int i = 0; i < 15; i++) {
        rig_send(r, MF_MSG_MANUAL_CONTROL, &sticks);
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
    }
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_POSCTL);
    assert_velocity(r, 0.0, 0.0, 0.0, 0.0);
}

/* A fence ends a flight by setpoints, too: 50 m after 10 s. */
static void test_a_fence_stops_it(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    rig_set_f(r, "GF_MAX_HOR_DIST", 50.0f);
    stream_velocity(r, 5.0f, 0.0f, 0.0f, 9.5);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD);
    stream_velocity(r, 5.0f, 0.0f, 0.0f, 2.0);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    assert_velocity(r, 0.0, 0.0, 0.0, 0.0);
}

static void test_hold_after_offboard_stops(void **state)
{
    (void)state;
    struct rig *r = offboard(false);
    stream_velocity(r, 5.0f, 0.0f, 0.0f, 2.0);
    assert_int_equal(set_mode(r, 4.0f, 3.0f), MAV_RESULT_ACCEPTED);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_velocity(r, 0.0, 0.0, 0.0, 0.0);
    assert_int_equal(set_mode(r, 6.0f, 0.0f), MAV_RESULT_TEMPORARILY_REJECTED);
    stream_velocity(r, 5.0f, 0.0f, 0.0f, 0.2);
    assert_velocity(r, 0.0, 0.0, 0.0, 0.0); /* setpoints alone move nothing */
    assert_int_equal(set_mode(r, 6.0f, 0.0f), MAV_RESULT_ACCEPTED);
    stream_velocity(r, 5.0f, 0.0f, 0.0f, 0.2);
    assert_velocity(r, 5.0, 0.0, 0.0, 1e-5);
}

/* Any bits in any field: it flies or refuses, and is never below the ground. */
static void test_random_setpoints(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        struct rig *r = offboard(physics != 0);
        for (int i = mf_cases(1000, 20000); i > 0; i--) {
            struct mf_msg_set_position_target_local_ned m = local(MAV_FRAME_LOCAL_NED, 0);
            float *field[] = {&m.x,   &m.y,   &m.z,   &m.vx,  &m.vy,      &m.vz,
                              &m.afx, &m.afy, &m.afz, &m.yaw, &m.yaw_rate};
            for (size_t k = 0; k < sizeof field / sizeof field[0]; k++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                const uint32_t bits = (uint32_t)(seed >> 32);
                const float x = (float)((double)(int32_t)bits * (30.0 / 2147483648.0));
                *field[k] = bits % 50 == 0 ? mf_f32_from_bits(bits) : x;
            }
            m.type_mask = (uint16_t)(seed >> 40 & 0x0DFFu);
            m.coordinate_frame = (seed >> 56) % 4 == 0 ? MAV_FRAME_BODY_NED : MAV_FRAME_LOCAL_NED;
            stream(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, 0.05);
            if (r->drone.vehicle.commander.mode != MF_MODE_OFFBOARD ||
                !r->drone.vehicle.commander.armed) {
                stream_position(r, 0.0f, 0.0f, -10.0f, 0.1);
                (void)set_mode(r, 6.0f, 0.0f);
                (void)arm(r);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_off_flies_and_lands_by_setpoints),
        cmocka_unit_test(test_velocity),
        cmocka_unit_test(test_body_velocity_and_yaw),
        cmocka_unit_test(test_acceleration),
        cmocka_unit_test(test_position_with_velocity_ahead),
        cmocka_unit_test(test_place_that_moves),
        cmocka_unit_test(test_velocity_at_a_height),
        cmocka_unit_test(test_global_frames),
        cmocka_unit_test(test_places_of_the_globe),
        cmocka_unit_test(test_attitude_flies_by_tilt),
        cmocka_unit_test(test_sim018_attitude_that_is_asked_for_shows),
        cmocka_unit_test(test_echo_of_the_setpoint),
        cmocka_unit_test(test_refused_setpoints),
        cmocka_unit_test(test_incomplete_setpoints_are_not_flown),
        cmocka_unit_test(test_a_refused_setpoint_at_boot_is_answered),
        cmocka_unit_test(test_a_level_velocity_leaves_it_on_the_ground),
        cmocka_unit_test(test_loss),
        cmocka_unit_test(test_no_loss_while_time_stands),
        cmocka_unit_test(test_loss_with_a_pilot_and_a_late_host),
        cmocka_unit_test(test_a_fence_stops_it),
        cmocka_unit_test(test_hold_after_offboard_stops),
        cmocka_unit_test(test_random_setpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
