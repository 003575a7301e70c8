/* SPDX-License-Identifier: Apache-2.0 */
/* The rates that messages show are those of the attitude they show (SIM-018): random flights, on
 * either body, in wind, by missions and by setpoints of attitude, beside differences of the
 * attitude that know no formula. Where a piece of the closed form ends the attitude has a kink:
 * there the rate is between those on both sides. */
#include "firmware/report/encode.h"
#include "firmware/report/encode_units.h"
#include "math/chance.h"
#include "tests/sim/steer_fixture.h"
#include "tests/unit/support/cases.h"

#define LOOK_US    170000 /* between two looks */
#define AHEAD_US   2000   /* nothing is planned anew between the last plan and a look */
#define LONG_US    1000
#define SHORT_US   250
#define MISSIONS   3, 12 /* by day, at night */
#define ITEMS      7
#define SHARP_RPS  0.01 /* apart on both sides of an instant: a kink, or a jump */
#define SHARP_PART 0.05 /* of all looks */

struct deviation {
    double square;
    double worst;
    double fastest; /* |rates| that were seen */
    uint32_t looks;
    uint32_t sharp;
};

static double s_key;

static double chance(double low, double high)
{
    s_key += 1.0;
    return low + (high - low) * mf_chance_unit(14, (uint64_t)s_key);
}

static struct mf_pose pose_at(struct rig *r, mf_us_t t_us)
{
    struct mf_pose pose;
    const struct mf_hal *hal = &r->drone.vehicle.hal;
    assert_int_equal(hal->airframe->sample(hal->airframe_ctx, t_us, &pose), MF_E_OK);
    return pose;
}

static void quaternion_of(const struct mf_pose *p, double q[4])
{
    const double r = (double)p->roll_rad / 2, t = (double)p->pitch_rad / 2;
    const double y = (double)p->yaw_rad / 2;
    q[0] = cos(r) * cos(t) * cos(y) + sin(r) * sin(t) * sin(y);
    q[1] = sin(r) * cos(t) * cos(y) - cos(r) * sin(t) * sin(y);
    q[2] = cos(r) * sin(t) * cos(y) + sin(r) * cos(t) * sin(y);
    q[3] = cos(r) * cos(t) * sin(y) - sin(r) * sin(t) * cos(y);
}

/* The mean angular velocity about the body's axes that turns one attitude into the other. */
static void turned(struct rig *r, mf_us_t from_us, mf_us_t to_us, double rps[3])
{
    const struct mf_pose from = pose_at(r, from_us), to = pose_at(r, to_us);
    double a[4], b[4];
    quaternion_of(&from, a);
    quaternion_of(&to, b);
    const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double per_s = 2e6 / (double)(to_us - from_us) * (w < 0.0 ? -1.0 : 1.0);
    rps[0] = per_s * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]);
    rps[1] = per_s * (a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]);
    rps[2] = per_s * (a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]);
}

/* By how much a rate is off what is between the differences before and after it. */
static double outside(double rate, double before, double after, double *apart)
{
    const double low = fmin(before, after), high = fmax(before, after);
    *apart = high - low;
    if (*apart <= SHARP_RPS) {
        return fabs(rate - (low + high) / 2);
    }
    return fmax(0.0, fmax(low - rate, rate - high));
}

static void compare(struct rig *r, mf_us_t t_us, mf_us_t step_us, const float rates[3],
                    double off[3], bool *sharp)
{
    double before[3], after[3];
    turned(r, t_us - step_us, t_us, before);
    turned(r, t_us, t_us + step_us, after);
    *sharp = false;
    for (size_t i = 0; i < 3; i++) {
        double apart;
        off[i] = outside((double)rates[i], before[i], after[i], &apart);
        *sharp = *sharp || apart > SHARP_RPS;
    }
}

static void expect_rates(const float rates[3], float roll, float pitch, float yaw)
{
    assert_true(roll == rates[0] && pitch == rates[1] && yaw == rates[2]);
}

/* Every message that shows rates shows the same ones; the receiver is exact. */
static void expect_same_rates(struct mf_vehicle *v, mf_us_t t_us, const float rates[3])
{
    struct mf_msg_attitude_quaternion q;
    struct mf_msg_highres_imu imu;
    struct mf_msg_odometry odometry;
    struct mf_msg_hil_state_quaternion hil;
    assert_true(mf_encode_attitude_quaternion(mf_estimate_at(v, t_us), &q));
    expect_rates(rates, q.rollspeed, q.pitchspeed, q.yawspeed);
    assert_true(mf_encode_highres_imu(v, t_us, &imu));
    expect_rates(rates, imu.xgyro, imu.ygyro, imu.zgyro);
    assert_true(mf_encode_odometry(v, mf_estimate_at(v, t_us), &odometry));
    expect_rates(rates, odometry.rollspeed, odometry.pitchspeed, odometry.yawspeed);
    assert_true(mf_encode_hil_state_quaternion(v, t_us, &hil));
    expect_rates(rates, hil.rollspeed, hil.pitchspeed, hil.yawspeed);
}

static void look(struct rig *r, struct deviation *d)
{
    struct mf_msg_attitude m;
    const mf_us_t t_us = r->mock.now.vehicle_us + AHEAD_US;
    double coarse[3], fine[3];
    bool kink, edge;
    assert_true(mf_encode_attitude(mf_estimate_at(&r->drone.vehicle, t_us), &m));
    const float rates[3] = {m.rollspeed, m.pitchspeed, m.yawspeed};
    expect_same_rates(&r->drone.vehicle, t_us, rates);
    mf_estimate_forget(&r->drone.vehicle); /* it must not be remembered for an instant to come */
    compare(r, t_us, LONG_US, rates, coarse, &kink);
    compare(r, t_us, SHORT_US, rates, fine, &edge);
    for (size_t i = 0; i < 3; i++) {
        const double off = fmin(coarse[i], fine[i]);
        d->square += off * off;
        d->worst = fmax(d->worst, off);
        d->fastest = fmax(d->fastest, fabs((double)rates[i]));
    }
    d->looks++;
    d->sharp += edge ? 1 : 0;
}

static void expect_true_rates(const struct deviation *d)
{
    const double rms = sqrt(d->square / (3.0 * d->looks));
    print_message("%u looks, %u sharp; up to %.2f rad/s; off by %.6f rms, %.6f at worst\n",
                  d->looks, d->sharp, d->fastest, rms, d->worst);
    assert_true(d->looks > 500);
    assert_true(d->sharp < SHARP_PART * d->looks);
    assert_true(rms < 0.0005 && d->worst < 0.005);
}

static struct rig *in_the_world(uint32_t n, bool physics)
{
    struct mf_world_settings s = mf_world_settings_default();
    s.motion = physics ? MF_WORLD_MOTION_PHYSICS : MF_WORLD_MOTION_CONSTANT;
    s.accel_mps2 = n % 2 == 0 ? 0.0 : 2.0;
    s.drag_per_s = n % 3 == 0 ? 0.4 : 1.0;
    s.wind_mps = n % 3 == 1 ? 4.0 : 0.0;
    s.gusts_mps = n % 3 != 0 ? 1.5 : 0.0;
    s.gust_time_s = 2.0;
    s.wind_from_deg = chance(-180, 180);
    const struct mf_options options = {.px4_motion = physics};
    return rig_new_in(&options, &s);
}

static void upload_random(struct rig *r)
{
    struct mf_item items[ITEMS] = {rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 12.0f, 0.0f)};
    for (size_t i = 1; i < ITEMS - 1; i++) {
        const struct mf_geo to = mf_geo_from_local((struct mf_geo){RIG_LAT_DEG, RIG_LON_DEG},
                                                   chance(-60, 60), chance(-60, 60));
        items[i] =
            i == 3 ? rig_item(MAV_CMD_DO_CHANGE_SPEED, 2, 0, 0, 0.0f, 1.0f)
                   : rig_item(MAV_CMD_NAV_WAYPOINT, 6, (int32_t)(to.lat_deg * 1e7),
                              (int32_t)(to.lon_deg * 1e7), (float)chance(5, 30), (float)(i % 2));
        if (i == 3) {
            items[i].param[1] = mf_f32_bits((float)chance(2, 10));
        } else if (i % 2 == 0) {
            items[i].param[3] = mf_f32_bits((float)chance(-180, 180));
        }
    }
    items[ITEMS - 1] = rig_item(MAV_CMD_NAV_RETURN_TO_LAUNCH, 2, 0, 0, 0.0f, 0.0f);
    rig_upload(r, items, ITEMS);
}

static void fly_missions(bool physics, uint32_t count)
{
    struct deviation d = {.looks = 0};
    for (uint32_t n = 0; n < count; n++) {
        struct rig *r = in_the_world(n, physics);
        rig_run_until(r, S);
        rig_set_f(r, "MPC_YAWRAUTO_MAX", (float)chance(20, 120));
        upload_random(r);
        assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                         MAV_RESULT_ACCEPTED);
        while (rig_armed(r) && r->mock.now.vehicle_us < 400 * S) {
            rig_run_until(r, r->mock.now.vehicle_us + LOOK_US);
            mf_mock_clear(&r->mock, 0);
            look(r, &d);
        }
        assert_false(rig_armed(r));
    }
    expect_true_rates(&d);
}

static void test_sim018_rates_on_missions_with_physics(void **state)
{
    (void)state;
    fly_missions(true, (uint32_t)mf_cases(MISSIONS));
}

static void test_sim018_rates_on_missions_at_constant_speed(void **state)
{
    (void)state;
    fly_missions(false, (uint32_t)mf_cases(MISSIONS));
}

/* Attitudes that were asked for, with turns and spins. */
static void steer_attitudes(bool physics)
{
    struct deviation d = {.looks = 0};
    struct rig *r = in_the_world(2, physics);
    rig_take_off(r, 40.0f);
    struct mf_msg_set_attitude_target m = {.target_system = 1};
    mf_us_t begun_us = 0;
    for (int i = 0; i < 1200; i++) {
        if (i % 30 == 0) {
            const double roll = chance(-0.15, 0.15), pitch = chance(-0.15, 0.15);
            const bool by_rate = i % 60 == 0;
            m.type_mask = by_rate ? ATTITUDE_TARGET_TYPEMASK_ATTITUDE_IGNORE : 0x07;
            m.body_roll_rate = (float)chance(-0.05, 0.05);
            m.body_pitch_rate = (float)chance(-0.05, 0.05);
            m.body_yaw_rate = (float)chance(-1.0, 1.0);
            m.thrust = 0.5f;
            mf_quaternion(roll, pitch, chance(-3, 3), m.q);
        }
        rig_send(r, MF_MSG_SET_ATTITUDE_TARGET, &m);
        rig_run_until(r, r->mock.now.vehicle_us + PERIOD_US);
        if (i == 20) {
            assert_int_equal(
                rig_command(r, MAV_CMD_DO_SET_MODE, (const float[7]){1.0f, 6.0f}), /* OFFBOARD */
                MAV_RESULT_ACCEPTED);
            begun_us = r->mock.now.vehicle_us;
        }
        mf_mock_clear(&r->mock, 0);
        look(r, &d);
    }
    assert_true(begun_us > 0 && r->drone.vehicle.commander.mode == MF_MODE_OFFBOARD);
    expect_true_rates(&d);
}

static void test_sim018_rates_under_setpoints_of_attitude_with_physics(void **state)
{
    (void)state;
    steer_attitudes(true);
}

static void test_sim018_rates_under_setpoints_of_attitude_at_constant_speed(void **state)
{
    (void)state;
    steer_attitudes(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim018_rates_on_missions_with_physics),
        cmocka_unit_test(test_sim018_rates_on_missions_at_constant_speed),
        cmocka_unit_test(test_sim018_rates_under_setpoints_of_attitude_with_physics),
        cmocka_unit_test(test_sim018_rates_under_setpoints_of_attitude_at_constant_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
