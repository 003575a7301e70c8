/* SPDX-License-Identifier: Apache-2.0 */
/* What the messages about position, attitude and targets say. Expected values are literals,
 * computed by hand or by formulas of another kind (quaternion products, pow()). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "firmware/report/encode_units.h"
#include "tests/unit/firmware/encode_fixture.h"

static void move(float north_mps, float east_mps, float down_mps, float yaw_rad)
{
    struct mf_pose *p = &mock.airframe.pose;
    p->vel_ned_mps[0] = north_mps;
    p->vel_ned_mps[1] = east_mps;
    p->vel_ned_mps[2] = down_mps;
    p->yaw_rad = yaw_rad;
    mf_estimate_forget(&v);
}

static void test_sim016_global_position_int(void **state)
{
    struct mf_msg_global_position_int m;
    (void)state;
    assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.time_boot_ms, 12345);
    assert_int_equal(m.lat, -334488901);
    assert_int_equal(m.lon, -706692655);
    assert_int_equal(m.alt, 567892);
    assert_int_equal(m.relative_alt, 47892); /* 567892 - 520000, though 47.8912 m */
    assert_int_equal(m.vx, 346);
    assert_int_equal(m.vy, -789);
    assert_int_equal(m.vz, -124);
    assert_int_equal(m.hdg, 33135); /* -28.6479 deg */
}

static void test_sim016_signs_and_ends(void **state)
{
    struct mf_msg_global_position_int m;
    (void)state;
    mock.airframe.pose.lat_deg = 89.99999996;
    mock.airframe.pose.lon_deg = -179.99999996;
    mock.airframe.pose.alt_amsl_m = -12.3456;
    move(-3.456f, 7.891f, 1.235f, 1.57079633f);
    assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.lat, 900000000);
    assert_int_equal(m.lon, -1800000000);
    assert_int_equal(m.alt, -12346);
    assert_int_equal(m.relative_alt, -532346);
    assert_int_equal(m.vx, -346);
    assert_int_equal(m.vy, 789);
    assert_int_equal(m.vz, 124);
    assert_int_equal(m.hdg, 9000);
    mock.airframe.pose.alt_amsl_m = 5000.0007; /* a float would lose the millimetre */
    move(400.0f, -400.0f, 0.0f, -1e-6f);       /* no overflow; a heading that rounds to north */
    assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.vx, 32767);
    assert_int_equal(m.vy, -32768);
    assert_int_equal(m.vz, 0);
    assert_int_equal(m.hdg, 0);
    assert_int_equal(m.alt, 5000001);
    assert_int_equal(m.relative_alt, 4480001);
    move(0.0f, 0.0f, 0.0f, -3.14159265f);
    assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.hdg, 18000);
    move(0.0f, 0.0f, 0.0f, 3.14159265f);
    assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.hdg, 18000);
}

/* DO_SET_HOME moves home, not the zero of the relative altitude. */
static void test_sim016_relative_to_take_off(void **state)
{
    struct mf_msg_global_position_int m;
    struct mf_msg_altitude a;
    (void)state;
    v.home.alt_amsl_m = 400.0;
    assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.relative_alt, 47892);
    assert_true(mf_encode_altitude(&v, mf_estimate_at(&v, T_US), &a));
    assert_near(a.altitude_relative, 47.8912, 1e-5);
    v.home.valid = false; /* PX4 would say 567 m here */
    assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.relative_alt, 0);
    assert_int_equal(m.alt, 567892);
    assert_true(mf_encode_altitude(&v, mf_estimate_at(&v, T_US), &a));
    assert_near(a.altitude_relative, 0.0, 0.0);
}

static void test_sim017_local_position_ned(void **state)
{
    struct mf_msg_local_position_ned m;
    (void)state;
    v.origin.place = (struct mf_geo){0.0, 0.0};
    v.origin.amsl_m = 100.0;
    mock.airframe.pose.lat_deg = 0.0;
    mock.airframe.pose.lon_deg = -0.001;
    mock.airframe.pose.alt_amsl_m = 130.25;
    assert_true(mf_encode_local_position_ned(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.time_boot_ms, 12345);
    assert_near(m.x, 0.0, 1e-6);
    assert_near(m.y, -111.319491, 1e-5); /* 0.001 deg of the equator */
    assert_near(m.z, -30.25, 1e-6);
    assert_near(m.vx, 3.456f, 0.0);
    assert_near(m.vy, -7.891f, 0.0);
    assert_near(m.vz, -1.235f, 0.0);
    mock.airframe.pose.lat_deg = 0.001;
    mock.airframe.pose.lon_deg = 0.0;
    mock.airframe.pose.alt_amsl_m = 88.0;
    move(-1.0f, 2.0f, 3.0f, 0.0f);
    assert_true(mf_encode_local_position_ned(&v, mf_estimate_at(&v, T_US), &m));
    assert_near(m.x, 110.574276, 1e-5); /* of the meridian there */
    assert_near(m.y, 0.0, 1e-6);
    assert_near(m.z, 12.0, 1e-6);
    assert_near(m.vx, -1.0, 0.0);
    assert_near(m.vy, 2.0, 0.0);
    assert_near(m.vz, 3.0, 0.0);
}

static void test_altitude_and_origin(void **state)
{
    struct mf_msg_altitude a;
    struct mf_msg_gps_global_origin o;
    (void)state;
    assert_true(mf_encode_altitude(&v, mf_estimate_at(&v, T_US), &a));
    assert_int_equal(a.time_usec, 12345678);
    assert_near(a.altitude_monotonic, 567.8916, 1e-4);
    assert_near(a.altitude_amsl, 567.8916, 1e-4);
    assert_near(a.altitude_local, 47.8912, 1e-5);
    assert_near(a.altitude_relative, 47.8912, 1e-5);
    assert_true(isnan(a.altitude_terrain) && isnan(a.bottom_clearance));
    assert_true(mf_encode_gps_global_origin(&v, T_US, &o));
    assert_int_equal(o.latitude, -334495000);
    assert_int_equal(o.longitude, -706700001);
    assert_int_equal(o.altitude, 520000);
    assert_int_equal(o.time_usec, 12345678);
    v.origin.valid = false;
    assert_false(mf_encode_gps_global_origin(&v, T_US, &o));
    assert_true(mf_encode_altitude(&v, mf_estimate_at(&v, T_US), &a));
    assert_near(a.altitude_local, 0.0, 0.0);
}

static void test_vfr_hud(void **state)
{
    struct mf_msg_vfr_hud m;
    (void)state;
    assert_true(mf_encode_vfr_hud(&v, mf_estimate_at(&v, T_US), &m));
    assert_true(isnan(m.airspeed));
    assert_near(m.groundspeed, 8.614628, 1e-6);
    assert_near(m.alt, 567.8916, 1e-4);
    assert_near(m.climb, 1.235f, 0.0);
    assert_int_equal(m.heading, 331);
    assert_int_equal(m.throttle, 0); /* disarmed */
    v.commander.armed = true;
    assert_true(mf_encode_vfr_hud(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.throttle, 0); /* on the ground */
    v.commander.landed = MF_LANDED_IN_AIR;
    move(0.0f, 0.0f, 0.0f, -1.57079633f);
    assert_true(mf_encode_vfr_hud(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.throttle, 50);
    assert_int_equal(m.heading, 270);
    assert_false(signbit(m.climb));
    v.commander.armed = false; /* motors off in the air */
    assert_true(mf_encode_vfr_hud(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.throttle, 0);
}

static void test_sim018_attitude(void **state)
{
    struct mf_msg_attitude m;
    (void)state;
    assert_true(mf_encode_attitude(mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.time_boot_ms, 12345);
    assert_near(m.roll, 0.1f, 0.0);
    assert_near(m.pitch, -0.2f, 0.0);
    assert_near(m.yaw, -0.5f, 0.0);
    assert_near(m.rollspeed, 0.04966733, 1e-7); /* about the axes of the tilted body */
    assert_near(m.pitchspeed, 0.02446085, 1e-7);
    assert_near(m.yawspeed, 0.24379258, 1e-7);
    mock.airframe.pose.roll_rad = mock.airframe.pose.pitch_rad = 0.0f;
    mf_estimate_forget(&v);
    assert_true(mf_encode_attitude(mf_estimate_at(&v, T_US), &m));
    assert_near(m.rollspeed, 0.0, 0.0);
    assert_near(m.pitchspeed, 0.0, 0.0);
    assert_near(m.yawspeed, 0.25, 0.0);
}

static void assert_quaternion(const float q[4], double w, double x, double y, double z)
{
    assert_near(q[0], w, 1e-7);
    assert_near(q[1], x, 1e-7);
    assert_near(q[2], y, 1e-7);
    assert_near(q[3], z, 1e-7);
}

static void test_sim018_quaternion(void **state)
{
    struct mf_msg_attitude_quaternion m;
    (void)state;
    assert_true(mf_encode_attitude_quaternion(mf_estimate_at(&v, T_US), &m));
    const float q[4] = {m.q1, m.q2, m.q3, m.q4};
    assert_int_equal(m.time_boot_ms, 12345);
    assert_quaternion(q, 0.96410150, 0.02351520, -0.10891222, -0.24102585);
    assert_near(m.rollspeed, 0.04966733, 1e-7);
    assert_near(m.pitchspeed, 0.02446085, 1e-7);
    assert_near(m.yawspeed, 0.24379258, 1e-7);
    for (size_t i = 0; i < 4; i++) {
        assert_near(m.repr_offset_q[i], 0.0, 0.0);
    }
}

static void test_attitude_target(void **state)
{
    struct mf_msg_attitude_target m;
    (void)state;
    assert_false(mf_encode_attitude_target(&v, mf_estimate_at(&v, T_US), &m)); /* disarmed */
    v.commander.armed = true;
    assert_true(mf_encode_attitude_target(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.time_boot_ms, 12345);
    assert_quaternion(m.q, 0.96410150, 0.02351520, -0.10891222, -0.24102585);
    assert_near(m.body_pitch_rate, 0.02446085, 1e-7); /* as in ATTITUDE */
    assert_near(m.body_yaw_rate, 0.24379258, 1e-7);
    assert_near(m.thrust, 0.0, 0.0);
    assert_int_equal(m.type_mask, 0);
    v.commander.landed = MF_LANDED_TAKEOFF;
    assert_true(mf_encode_attitude_target(&v, mf_estimate_at(&v, T_US), &m));
    assert_near(m.thrust, 0.5, 0.0);
}

static void test_highres_imu(void **state)
{
    struct mf_msg_highres_imu m;
    (void)state;
    mock.sensors = (struct mf_sensor_values){.imu_us = 12345670,
                                             .acc_frd_mps2 = {-1.0f, -1.5f, -9.4f},
                                             .gyro_frd_rps = {0.05f, 0.02f, 0.24f},
                                             .mag_frd_gauss = {0.26f, 0.14f, 0.37f},
                                             .pressure_hpa = 946.86242,
                                             .pressure_alt_m = 567.8916,
                                             .temperature_c = 11.3087,
                                             .airspeed_us = MF_NOT_THERE};
    assert_true(mf_encode_highres_imu(&v, T_US, &m));
    assert_int_equal(m.time_usec, 12345670);
    assert_true(m.xacc == -1.0f && m.yacc == -1.5f && m.zacc == -9.4f);
    assert_true(m.xgyro == 0.05f && m.ygyro == 0.02f && m.zgyro == 0.24f);
    assert_true(m.xmag == 0.26f && m.ymag == 0.14f && m.zmag == 0.37f);
    assert_near(m.abs_pressure, 946.86242, 1e-4);
    assert_near(m.diff_pressure, 0.0, 0.0);
    assert_near(m.pressure_alt, 567.8916, 1e-4);
    assert_near(m.temperature, 11.3087, 1e-4);
    assert_int_equal(m.fields_updated, 0x1BFF);
    assert_int_equal(m.id, 0);
}

static void test_sensors_that_are_not_there(void **state)
{
    struct mf_msg_highres_imu m;
    struct mf_msg_scaled_pressure p;
    (void)state;
    mock.sensors.mag_us = MF_NOT_THERE;
    assert_true(mf_encode_highres_imu(&v, T_US, &m));
    assert_int_equal(m.fields_updated, 0x1A3F);
    mock.sensors.airspeed_us = 0;
    mock.sensors.diff_pressure_hpa = 1.5f;
    mock.sensors.baro_us = MF_NOT_THERE;
    assert_true(mf_encode_highres_imu(&v, T_US, &m));
    assert_int_equal(m.fields_updated, 0x043F);
    assert_near(m.diff_pressure, 1.5, 0.0);
    assert_false(mf_encode_scaled_pressure(&v, T_US, &p));
    mock.sensors.imu_us = MF_NOT_THERE;
    assert_false(mf_encode_highres_imu(&v, T_US, &m));
}

static void test_pressure(void **state)
{
    struct mf_msg_scaled_pressure m;
    (void)state;
    mock.sensors.baro_us = 12345678;
    mock.sensors.pressure_hpa = 946.86242;
    mock.sensors.temperature_c = 11.3087;
    assert_true(mf_encode_scaled_pressure(&v, T_US, &m));
    assert_int_equal(m.time_boot_ms, 12345);
    assert_near(m.press_abs, 946.86242, 1e-3);
    assert_near(m.press_diff, 0.0, 0.0);
    assert_int_equal(m.temperature, 1131);
    assert_int_equal(m.temperature_press_diff, 0);
}

static void test_odometry(void **state)
{
    struct mf_msg_odometry m;
    (void)state;
    v.origin.place = (struct mf_geo){0.0, 0.0};
    mock.airframe.pose.lat_deg = 0.001;
    mock.airframe.pose.lon_deg = 0.0;
    assert_true(mf_encode_odometry(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.time_usec, 12345678);
    assert_near(m.x, 110.574276, 1e-5);
    assert_near(m.y, 0.0, 1e-6);
    assert_near(m.z, -47.8912, 1e-5);
    assert_quaternion(m.q, 0.96410150, 0.02351520, -0.10891222, -0.24102585);
    assert_near(m.vx, 3.456f, 0.0);
    assert_near(m.vy, -7.891f, 0.0);
    assert_near(m.vz, -1.235f, 0.0);
    assert_near(m.rollspeed, 0.04966733, 1e-7);
    assert_near(m.pitchspeed, 0.02446085, 1e-7);
    assert_near(m.yawspeed, 0.24379258, 1e-7);
    assert_near(m.pose_covariance[0], 0.81, 1e-6); /* h_acc 0.9 m */
    assert_near(m.pose_covariance[6], 0.81, 1e-6);
    assert_near(m.pose_covariance[11], 3.1684, 1e-6); /* v_acc 1.78 m */
    assert_true(isnan(m.pose_covariance[1]) && isnan(m.pose_covariance[20]));
    assert_near(m.velocity_covariance[11], 0.16, 1e-6); /* vel_acc 0.4 m/s */
    assert_true(isnan(m.velocity_covariance[15]));
    assert_int_equal(m.frame_id, 1); /* MAV_FRAME_LOCAL_NED */
    assert_int_equal(m.child_frame_id, 1);
    assert_int_equal(m.estimator_type, 8); /* MAV_ESTIMATOR_TYPE_AUTOPILOT */
}

/* A receiver that is off moves what is reported, never the truth. */
static void test_truth(void **state)
{
    struct mf_msg_hil_state_quaternion m;
    struct mf_msg_global_position_int g;
    (void)state;
    mf_mock_mislead(&mock, 100.0, 0.0, -2.0);
    mf_estimate_forget(&v);
    assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &g));
    assert_int_equal(g.alt, 569892);
    assert_in_range(g.lat + 334488901, 8900, 9100); /* 100 m are about 9,000 of them */
    assert_true(mf_encode_hil_state_quaternion(&v, T_US, &m));
    assert_int_equal(m.time_usec, 12345678);
    assert_quaternion(m.attitude_quaternion, 0.96410150, 0.02351520, -0.10891222, -0.24102585);
    assert_near(m.rollspeed, 0.04966733, 1e-7);
    assert_near(m.pitchspeed, 0.02446085, 1e-7);
    assert_near(m.yawspeed, 0.24379258, 1e-7);
    assert_int_equal(m.lat, -334488901);
    assert_int_equal(m.lon, -706692655);
    assert_int_equal(m.alt, 567892);
    assert_int_equal(m.vx, 346);
    assert_int_equal(m.vy, -789);
    assert_int_equal(m.vz, -124);
    assert_int_equal(m.xacc, 51);
    assert_int_equal(m.yacc, -102);
    assert_int_equal(m.zacc, 25);
    assert_int_equal(m.ind_airspeed, 0);
    assert_int_equal(m.true_airspeed, 0);
    mock.airframe.sample_result = MF_E_IO;
    assert_false(mf_encode_hil_state_quaternion(&v, T_US, &m));
}

static void test_sim020_gps_raw_int(void **state)
{
    struct mf_msg_gps_raw_int m;
    (void)state;
    assert_true(mf_encode_gps_raw_int(mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.time_usec, 12345678);
    assert_int_equal(m.fix_type, 3);
    assert_int_equal(m.lat, -334488901);
    assert_int_equal(m.lon, -706692655);
    assert_int_equal(m.alt, 567892);
    assert_int_equal(m.eph, 70);
    assert_int_equal(m.epv, 110);
    assert_int_equal(m.vel, 861);
    assert_int_equal(m.cog, 29365);
    assert_int_equal(m.satellites_visible, 10);
    assert_int_equal(m.alt_ellipsoid, 594123);
    assert_int_equal(m.h_acc, 900);
    assert_int_equal(m.v_acc, 1780);
    assert_int_equal(m.vel_acc, 400);
    assert_int_equal(m.hdg_acc, 0);
    assert_int_equal(m.yaw, 0); /* none */
}

static void assert_no_fix(const struct mf_msg_gps_raw_int *m, int fix_type, int satellites)
{
    assert_int_equal(m->time_usec, 12345678);
    assert_int_equal(m->fix_type, fix_type);
    assert_int_equal(m->satellites_visible, satellites);
    assert_int_equal(m->eph, 65535);
    assert_int_equal(m->epv, 65535);
    assert_int_equal(m->vel, 65535);
    assert_int_equal(m->cog, 65535);
    assert_int_equal(m->lat, 0);
    assert_int_equal(m->lon, 0);
    assert_int_equal(m->alt, 0);
    assert_int_equal(m->alt_ellipsoid, 0);
    assert_int_equal(m->h_acc, 0);
    assert_int_equal(m->v_acc, 0);
    assert_int_equal(m->vel_acc, 0);
}

static void test_sim020_gps_lost(void **state)
{
    struct mf_msg_gps_raw_int m;
    (void)state;
    mock.gnss.fix.type = MF_FIX_NO_FIX; /* it answers, but sees too little */
    mock.gnss.fix.satellites = 2;
    mf_estimate_forget(&v);
    assert_true(mf_encode_gps_raw_int(mf_estimate_at(&v, T_US), &m));
    assert_no_fix(&m, 1, 2);
    lose_gps();
    assert_true(mf_encode_gps_raw_int(mf_estimate_at(&v, T_US), &m));
    assert_no_fix(&m, 0, 255);
}

/* All messages that carry a position fall silent; attitude, altitude and the truth go on. */
static void test_position_lost(void **state)
{
    static const enum mf_stream k_silent[] = {
        MF_STREAM_GLOBAL_POSITION_INT,
        MF_STREAM_LOCAL_POSITION_NED,
        MF_STREAM_ODOMETRY,
        MF_STREAM_POSITION_TARGET_LOCAL_NED,
        MF_STREAM_POSITION_TARGET_GLOBAL_INT,
        MF_STREAM_NAV_CONTROLLER_OUTPUT,
    };
    union mf_msg m;
    (void)state;
    v.navigator.planned = true;
    for (size_t i = 0; i < sizeof k_silent / sizeof k_silent[0]; i++) {
        assert_true(mf_encode(&v, k_silent[i], T_US, &m));
    }
    lose_gps();
    for (size_t i = 0; i < sizeof k_silent / sizeof k_silent[0]; i++) {
        assert_false(mf_encode(&v, k_silent[i], T_US, &m));
    }
    assert_true(mf_encode(&v, MF_STREAM_ATTITUDE, T_US, &m));
    assert_near(m.attitude.roll, 0.1f, 0.0);
    assert_true(mf_encode(&v, MF_STREAM_HIL_STATE_QUATERNION, T_US, &m));
    assert_int_equal(m.hil_state_quaternion.lat, -334488901);
    assert_true(mf_encode(&v, MF_STREAM_VFR_HUD, T_US, &m));
    assert_near(m.vfr_hud.alt, 567.8916, 1e-4);
    assert_true(mf_encode(&v, MF_STREAM_HOME_POSITION, T_US, &m)); /* known from before */
}

static void test_sim022_home_position(void **state)
{
    struct mf_msg_home_position m;
    (void)state;
    v.origin.place = (struct mf_geo){0.0, 0.0};
    v.origin.amsl_m = 500.0;
    v.home.lat_deg = -0.001;
    v.home.lon_deg = 0.0;
    assert_true(mf_encode_home_position(&v, T_US, &m));
    assert_int_equal(m.latitude, -10000);
    assert_int_equal(m.longitude, 0);
    assert_int_equal(m.altitude, 520000);
    assert_near(m.x, -110.574276, 1e-5);
    assert_near(m.y, 0.0, 1e-6);
    assert_near(m.z, -20.0004, 1e-5);
    assert_quaternion(m.q, 0.96891242, 0.0, 0.0, -0.24740396);
    assert_near(m.approach_x, 0.0, 0.0);
    assert_near(m.approach_y, 0.0, 0.0);
    assert_near(m.approach_z, 0.0, 0.0);
    assert_int_equal(m.time_usec, 2500000); /* when it was set */
    v.home.lat_deg = -33.44950004;
    v.home.lon_deg = -70.67000006;
    assert_true(mf_encode_home_position(&v, T_US, &m));
    assert_int_equal(m.latitude, -334495000);
    assert_int_equal(m.longitude, -706700001);
    v.home.valid = false;
    assert_false(mf_encode_home_position(&v, T_US, &m));
}

static void plan_leg(bool land)
{
    v.navigator.planned = true;
    v.navigator.leg = (struct mf_leg){
        .lat_deg = 0.0, .lon_deg = -0.001, .alt_amsl_m = 530.25, .yaw_rad = -0.75f, .land = land};
    v.origin.place = (struct mf_geo){0.0, 0.0};
    v.origin.amsl_m = 500.0;
    mock.airframe.pose.lat_deg = 0.0;
    mock.airframe.pose.lon_deg = 0.001;
    mf_estimate_forget(&v);
}

static void test_position_targets(void **state)
{
    struct mf_msg_position_target_local_ned l;
    struct mf_msg_position_target_global_int g;
    (void)state;
    assert_false(mf_encode_position_target_local_ned(&v, mf_estimate_at(&v, T_US),
                                                     &l)); /* nothing is planned */
    assert_false(mf_encode_position_target_global_int(&v, mf_estimate_at(&v, T_US), &g));
    plan_leg(false);
    assert_true(mf_encode_position_target_local_ned(&v, mf_estimate_at(&v, T_US), &l));
    assert_int_equal(l.time_boot_ms, 12345);
    assert_near(l.x, 0.0, 1e-6);
    assert_near(l.y, -111.319491, 1e-5);
    assert_near(l.z, -30.25, 1e-6);
    assert_near(l.yaw, -0.75, 0.0);
    assert_true(isnan(l.vx) && isnan(l.vy) && isnan(l.vz) && isnan(l.yaw_rate));
    assert_true(isnan(l.afx) && isnan(l.afy) && isnan(l.afz));
    assert_int_equal(l.type_mask, 0x9F8); /* velocity, acceleration, yaw rate: ignore */
    assert_int_equal(l.coordinate_frame, 1);
    assert_true(mf_encode_position_target_global_int(&v, mf_estimate_at(&v, T_US), &g));
    assert_int_equal(g.time_boot_ms, 12345);
    assert_int_equal(g.lat_int, 0);
    assert_int_equal(g.lon_int, -10000);
    assert_near(g.alt, 530.25, 0.0);
    assert_near(g.yaw, -0.75, 0.0);
    assert_int_equal(g.type_mask, 0x9F8);
    assert_int_equal(g.coordinate_frame, 5);
    plan_leg(true); /* to the ground, whatever altitude the leg names */
    v.navigator.leg.yaw_rad = NAN;
    assert_true(mf_encode_position_target_local_ned(&v, mf_estimate_at(&v, T_US), &l));
    assert_near(l.z, -19.5, 1e-6);
    assert_true(isnan(l.yaw));
    assert_int_equal(l.type_mask, 0xDF8); /* and yaw */
    assert_true(mf_encode_position_target_global_int(&v, mf_estimate_at(&v, T_US), &g));
    assert_near(g.alt, 519.5, 0.0);
    assert_true(isnan(g.yaw_rate));
    v.navigator.leg.spin_rps = -0.5f;
    assert_true(mf_encode_position_target_local_ned(&v, mf_estimate_at(&v, T_US), &l));
    assert_near(l.yaw_rate, -0.5, 0.0);
    assert_int_equal(l.type_mask, 0x5F8);
    assert_true(mf_encode_position_target_global_int(&v, mf_estimate_at(&v, T_US), &g));
    assert_near(g.yaw_rate, -0.5, 0.0);
}

/* A leg that is a velocity: it leads to no place. */
static void test_velocity_targets(void **state)
{
    struct mf_msg_position_target_local_ned l;
    struct mf_msg_position_target_global_int g;
    (void)state;
    plan_leg(false);
    v.navigator.leg.velocity = true;
    v.navigator.leg.vel_ned_mps[0] = 1.5f;
    v.navigator.leg.vel_ned_mps[1] = -2.5f;
    v.navigator.leg.vel_ned_mps[2] = 0.5f;
    assert_true(mf_encode_position_target_local_ned(&v, mf_estimate_at(&v, T_US), &l));
    assert_true(isnan(l.x) && isnan(l.y) && isnan(l.z));
    assert_near(l.vx, 1.5, 0.0);
    assert_near(l.vy, -2.5, 0.0);
    assert_near(l.vz, 0.5, 0.0);
    assert_int_equal(l.type_mask, 0x9C7); /* place, acceleration, yaw rate: ignore */
    assert_true(mf_encode_position_target_global_int(&v, mf_estimate_at(&v, T_US), &g));
    assert_near(g.vx, 1.5, 0.0);
    assert_near(g.vy, -2.5, 0.0);
    assert_near(g.vz, 0.5, 0.0);
    assert_int_equal(g.type_mask, 0x9C7);
}

static void test_nav_controller_output(void **state)
{
    struct mf_msg_nav_controller_output m;
    (void)state;
    assert_false(mf_encode_nav_controller_output(&v, mf_estimate_at(&v, T_US), &m));
    plan_leg(false);
    assert_true(mf_encode_nav_controller_output(&v, mf_estimate_at(&v, T_US), &m));
    assert_near(m.nav_roll, 5.729578, 1e-5);
    assert_near(m.nav_pitch, -11.459156, 1e-5);
    assert_near(m.alt_error, 37.6416, 1e-4); /* too high */
    assert_int_equal(m.nav_bearing, -90);    /* due west */
    assert_int_equal(m.target_bearing, -90);
    assert_int_equal(m.wp_dist, 223); /* 222.639 m */
    assert_near(m.aspd_error, 0.0, 0.0);
    assert_near(m.xtrack_error, 0.0, 0.0);
    v.navigator.leg.lon_deg = 1.0;
    assert_true(mf_encode_nav_controller_output(&v, mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.wp_dist, 65535); /* 111 km do not fit */
}

/* All altitudes above sea level are one. */
static void test_altitudes_agree(void **state)
{
    (void)state;
    for (int i = -50; i < 50; i++) {
        struct mf_msg_global_position_int g;
        struct mf_msg_home_position h;
        struct mf_msg_hil_state_quaternion q;
        const double alt_m = 100.0 + (double)i * 0.12345;
        mock.airframe.pose.alt_amsl_m = alt_m;
        v.home.alt_amsl_m = v.home.takeoff_amsl_m = alt_m;
        mf_estimate_forget(&v);
        assert_true(mf_encode_global_position_int(&v, mf_estimate_at(&v, T_US), &g));
        assert_true(mf_encode_home_position(&v, T_US, &h));
        assert_true(mf_encode_hil_state_quaternion(&v, T_US, &q));
        assert_int_equal(g.alt, h.altitude);
        assert_int_equal(g.alt, q.alt);
        assert_int_equal(g.relative_alt, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim016_global_position_int, setup),
        cmocka_unit_test_setup(test_sim016_signs_and_ends, setup),
        cmocka_unit_test_setup(test_sim016_relative_to_take_off, setup),
        cmocka_unit_test_setup(test_sim017_local_position_ned, setup),
        cmocka_unit_test_setup(test_altitude_and_origin, setup),
        cmocka_unit_test_setup(test_vfr_hud, setup),
        cmocka_unit_test_setup(test_sim018_attitude, setup),
        cmocka_unit_test_setup(test_sim018_quaternion, setup),
        cmocka_unit_test_setup(test_attitude_target, setup),
        cmocka_unit_test_setup(test_highres_imu, setup),
        cmocka_unit_test_setup(test_sensors_that_are_not_there, setup),
        cmocka_unit_test_setup(test_pressure, setup),
        cmocka_unit_test_setup(test_odometry, setup),
        cmocka_unit_test_setup(test_truth, setup),
        cmocka_unit_test_setup(test_sim020_gps_raw_int, setup),
        cmocka_unit_test_setup(test_sim020_gps_lost, setup),
        cmocka_unit_test_setup(test_position_lost, setup),
        cmocka_unit_test_setup(test_sim022_home_position, setup),
        cmocka_unit_test_setup(test_position_targets, setup),
        cmocka_unit_test_setup(test_velocity_targets, setup),
        cmocka_unit_test_setup(test_nav_controller_output, setup),
        cmocka_unit_test_setup(test_altitudes_agree, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
