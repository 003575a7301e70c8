/* SPDX-License-Identifier: Apache-2.0 */
/* Whole flights with a body that needs time to speed up and to stop, and what the others must do
 * all the same: landed states, corners, exact stops, pauses and changes in the middle of a leg. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S      1000000
#define STEP   10000
#define LANDED 16

static const float k_arm[7] = {1.0f, 0, 0, 0, 0, 0, 0};
static const float k_disarm[7] = {0.0f, 0, 0, 0, 0, 0, 0};

/* Corners of a square of 100 m, GeographicLib. */
enum { LAT0 = 473977420, LON0 = 85455940, LAT1 = 473986412, LON1 = 85469186 };

/* What a flight showed, step by step. */
struct watch {
    uint8_t landed[LANDED]; /* states, in order */
    size_t count;
    struct mf_pose last;
    mf_us_t at_us;
    double speed_max_mps;
};

static double speed_of(const struct mf_pose *p)
{
    return hypot((double)p->vel_ned_mps[0], (double)p->vel_ned_mps[1]);
}

static double distance_to(const struct mf_pose *p, int32_t lat, int32_t lon)
{
    return mf_geo_inverse((struct mf_geo){p->lat_deg, p->lon_deg},
                          (struct mf_geo){(double)lat / 1e7, (double)lon / 1e7})
        .distance_m;
}

static bool is_at(const struct mf_pose *p, int32_t lat, int32_t lon, double alt_m)
{
    return p->lat_deg == (double)lat / 1e7 && p->lon_deg == (double)lon / 1e7 &&
           p->alt_amsl_m == alt_m;
}

/* It counts as reached: a step of 10 ms within NAV_ACC_RAD, still on the way to the
 * place itself. */
static bool nears(const struct mf_pose *p, int32_t lat, int32_t lon, double alt_m)
{
    const double far_m = distance_to(p, lat, lon);
    return far_m < 2.0 && far_m > 1.9 && speed_of(p) > 1.0 && fabs(p->alt_amsl_m - alt_m) < 1e-3;
}

static double change(const float a[3], const float b[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    }
    return sqrt(sum);
}

/* Nothing may jump from one step to the next, whatever was asked for in between: with PX4's limits
 * 4 m/s^2 upwards and 3 horizontally, 4 m/s^3 each. */
static void check_smooth(const struct watch *w, const struct mf_pose *p, double step_s)
{
    const double moved_m = mf_geo_inverse((struct mf_geo){w->last.lat_deg, w->last.lon_deg},
                                          (struct mf_geo){p->lat_deg, p->lon_deg})
                               .distance_m;
    assert_true(moved_m <= (speed_of(p) + 0.1) * step_s + 1e-6);
    assert_true(fabs(p->alt_amsl_m - w->last.alt_amsl_m) <= 4.0 * step_s);
    assert_true(change(p->vel_ned_mps, w->last.vel_ned_mps) <= 5.0 * step_s + 1e-5);
    assert_true(change(p->acc_ned_mps2, w->last.acc_ned_mps2) <= 5.7 * step_s + 1e-4);
}

static void look(struct rig *r, struct watch *w)
{
    const struct mf_pose p = rig_pose(r);
    const struct mf_vehicle *v = &r->drone.vehicle;
    const bool moves = speed_of(&p) > 0.0 || p.vel_ned_mps[2] != 0.0f;
    assert_true((v->commander.landed == MF_LANDED_ON_GROUND) == p.on_ground);
    assert_true(mf_vehicle_moving(v) || !moves); /* a clock that jumps must not jump over it */
    if (w->at_us > 0 && r->drone.world.faults.wrapped.airframe == &mf_airframe_physics_ops) {
        check_smooth(w, &p, (double)(r->mock.now.vehicle_us - w->at_us) * 1e-6);
    }
    if (w->count == 0 || w->landed[w->count - 1] != v->commander.landed) {
        assert_true(w->count < LANDED);
        w->landed[w->count++] = v->commander.landed;
    }
    w->last = p;
    w->at_us = r->mock.now.vehicle_us;
    w->speed_max_mps = fmax(w->speed_max_mps, speed_of(&p));
}

static void fly_until(struct rig *r, struct watch *w, mf_us_t until_us)
{
    while (r->mock.now.vehicle_us < until_us) {
        rig_run_until(r, mf_earlier(r->mock.now.vehicle_us + STEP, until_us));
        look(r, w);
    }
}

static void fly_while(struct rig *r, struct watch *w, bool (*condition)(const struct rig *),
                      double limit_s)
{
    const mf_us_t limit_us = r->mock.now.vehicle_us + (mf_us_t)(limit_s * 1e6);
    look(r, w);
    while (condition(r)) {
        assert_true(r->mock.now.vehicle_us < limit_us);
        fly_until(r, w, r->mock.now.vehicle_us + STEP);
    }
}

static void expect_landed(const struct watch *w, size_t n, const uint8_t *states)
{
    assert_int_equal(w->count, n);
    assert_memory_equal(w->landed, states, n);
}

static bool before_item(const struct rig *r, uint16_t seq)
{
    return r->drone.vehicle.mission.current < seq;
}

static bool before_2(const struct rig *r)
{
    return before_item(r, 2);
}

static bool before_3(const struct rig *r)
{
    return before_item(r, 3);
}

static bool before_4(const struct rig *r)
{
    return before_item(r, 4);
}

static bool not_rtl(const struct rig *r)
{
    return r->drone.vehicle.commander.mode == MF_MODE_MISSION;
}

static struct rig *physics(void)
{
    return rig_new_moving(MF_WORLD_MOTION_PHYSICS, 0.0);
}

static struct rig *physics_airborne(float height_m)
{
    struct rig *r = physics();
    rig_take_off(r, height_m);
    return r;
}

static void go_to(struct rig *r, int32_t lat, int32_t lon, float alt_m)
{
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, lat, lon, alt_m),
                     MAV_RESULT_ACCEPTED);
}

/* Take-off to 10 m, past a corner, a stop of 2 s, past another, home. */
static void start_square(struct rig *r)
{
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT1, LON0, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT1, LON1, 10.0f, 2.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT0, LON1, 10.0f, 0.0f),
        rig_item(MAV_CMD_DO_CHANGE_SPEED, 2, 0, 0, 0.0f, 1.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT0, LON0, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_RETURN_TO_LAUNCH, 2, 0, 0, 0.0f, 0.0f),
    };
    items[4].param[1] = mf_f32_bits(5.0f);
    rig_upload(r, items, 7);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_disarm), MAV_RESULT_ACCEPTED);
}

static void test_sim021_sim036_mission_with_px4_motion(void **state)
{
    (void)state;
    struct rig *r = physics();
    struct watch w = {.count = 0};
    start_square(r);
    fly_until(r, &w, 3990000); /* COM_SPOOLUP_TIME 1 s, MPC_TKO_RAMP_T 3 s */
    assert_int_equal(r->drone.vehicle.commander.landed, MF_LANDED_ON_GROUND);
    fly_until(r, &w, 4010000);
    assert_int_equal(r->drone.vehicle.commander.landed, MF_LANDED_TAKEOFF);
    fly_while(r, &w, before_2, 60.0); /* the first corner: within NAV_ACC_RAD, and fast */
    assert_true(distance_to(&w.last, LAT1, LON0) < 2.0 && distance_to(&w.last, LAT1, LON0) > 1.8);
    assert_true(speed_of(&w.last) > 1.5 && speed_of(&w.last) < 2.5);
    mf_mock_clear(&r->mock, 0);
    while (r->drone.vehicle.navigator.phase != MF_NAV_WAIT) {
        fly_until(r, &w, r->mock.now.vehicle_us + STEP);
    }
    assert_true(nears(&w.last, LAT1, LON1, 498.0)); /* a hold counts from here */
    fly_while(r, &w, before_3, 2.02);
    assert_true(distance_to(&w.last, LAT1, LON1) < 0.3 && speed_of(&w.last) < 0.3);
    fly_while(r, &w, before_4, 60.0); /* a change of speed behind it is no stop */
    assert_true(distance_to(&w.last, LAT0, LON1) < 2.0 && speed_of(&w.last) > 1.5);
    mf_mock_clear(&r->mock, 0);
    fly_while(r, &w, not_rtl, 60.0); /* a return behind it is: it ends at the place */
    assert_true(nears(&w.last, LAT0, LON0, 498.0));
    fly_while(r, &w, rig_armed, 60.0);
    assert_true(is_at(&w.last, LAT0, LON0, RIG_ALT_M));
    expect_landed(&w, 5, (const uint8_t[]){1, 3, 2, 4, 1});
    assert_true(w.speed_max_mps < 5.001); /* MPC_XY_CRUISE of this motion */
}

/* A climb of 0.6 m is below NAV_MC_ALT_RAD: it is over half-way up, not on the ground. */
static void test_sim021_a_take_off_lower_than_its_radius(void **state)
{
    (void)state;
    struct rig *r = physics();
    struct watch w = {.count = 0};
    rig_set_f(r, "MIS_TAKEOFF_ALT", 0.6f);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_while(r, &w, rig_in_takeoff, 30.0);
    assert_true(fabs(w.last.alt_amsl_m - (RIG_ALT_M + 0.3)) < 0.01);
    expect_landed(&w, 3, (const uint8_t[]){1, 3, 2});
    fly_while(r, &w, rig_moving, 30.0);
    assert_true(w.last.alt_amsl_m == RIG_ALT_M + (double)0.6f);
}

static bool not_waiting(const struct rig *r)
{
    return r->drone.vehicle.navigator.phase != MF_NAV_WAIT;
}

/* What changes while the vehicle comes to rest at a place that counts as reached, or waits there,
 * does not keep it from the place: a speed, a parameter, a glitch of the receiver that passes. */
static void test_sim036_disturbed_behind_the_radius(void **state)
{
    (void)state;
    struct rig *r = physics_airborne(10.0f);
    struct watch w = {.count = 0};
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT1, LON0, 10.0f, 1.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT1, LON1, 10.0f, 0.0f),
    };
    rig_upload(r, items, 2);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_disarm), MAV_RESULT_ACCEPTED);
    fly_while(r, &w, not_waiting, 60.0);
    rig_set_f(r, "MPC_XY_CRUISE", 3.0f);
    while (!r->drone.vehicle.mission.finished) {
        mf_mock_clear(&r->mock, 0);
        fly_until(r, &w, r->mock.now.vehicle_us + STEP);
    }
    assert_int_equal(r->drone.vehicle.navigator.phase, MF_NAV_BRAKE);
    rig_set_f(r, "MPC_XY_CRUISE", 2.0f);
    assert_int_equal(rig_command(r, MAV_CMD_DO_CHANGE_SPEED, (const float[7]){1.0f, 4.0f, -1.0f}),
                     MAV_RESULT_ACCEPTED);
    r->drone.vehicle.navigator.aimed_ned_m[0] = 1.0; /* as if the receiver had been off */
    const mf_us_t off_us = r->mock.now.vehicle_us;
    assert_true(mf_navigator_watch(&r->drone.vehicle, off_us) == off_us + 1000000);
    fly_while(r, &w, rig_moving, 20.0);
    assert_true(is_at(&w.last, LAT1, LON1, 498.0));
}

static void test_sim023_corner_radius_of_an_item(void **state)
{
    (void)state;
    struct rig *r = physics_airborne(10.0f);
    struct watch w = {.count = 0};
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT1, LON0, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT1, LON1, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT0, LON1, 10.0f, 0.0f),
    };
    items[0].param[1] = mf_f32_bits(15.0f);
    rig_upload(r, items, 3);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_disarm), MAV_RESULT_ACCEPTED);
    while (r->drone.vehicle.mission.reached < 0) {
        fly_until(r, &w, r->mock.now.vehicle_us + STEP);
    }
    assert_true(distance_to(&w.last, LAT1, LON0) < 15.0 && distance_to(&w.last, LAT1, LON0) > 14.8);
    rig_set_f(r, "MPC_XY_CRUISE", 6.0f); /* the leg is planned anew and still leads on */
    while (r->drone.vehicle.mission.reached < 1) {
        fly_until(r, &w, r->mock.now.vehicle_us + STEP);
    }
    assert_true(distance_to(&w.last, LAT1, LON1) < 2.0 && distance_to(&w.last, LAT1, LON1) > 1.8);
    assert_true(speed_of(&w.last) > 1.5);
    mf_mock_clear(&r->mock, 0);
    fly_while(r, &w, not_rtl,
              60.0); /* the end of the mission is a stop: it flies on to the place */
    assert_true(nears(&w.last, LAT0, LON1, 498.0));
    fly_while(r, &w, rig_moving, 20.0);
    assert_true(is_at(&w.last, LAT0, LON1, 498.0));
}

/* Every place where a vehicle stops, whatever moves it. */
static void stops_exactly(struct rig *r)
{
    struct watch w = {.count = 0};
    struct mf_msg_global_position_int m;
    rig_take_off(r, 10.0f);
    look(r, &w);
    assert_true(is_at(&w.last, LAT0, LON0, 498.0));
    go_to(r, LAT1, LON1, 513.25f);
    fly_while(r, &w, rig_moving, 120.0);
    assert_true(is_at(&w.last, LAT1, LON1, 513.25));
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &m));
    assert_true(m.lat == LAT1 && m.lon == LON1 && m.alt == 513250 && m.vx == 0 && m.vz == 0);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_while(r, &w, rig_armed, 120.0);
    assert_true(is_at(&w.last, LAT0, LON0, RIG_ALT_M));
    assert_int_equal(w.landed[w.count - 1], MF_LANDED_ON_GROUND);
}

static void test_sim036_sim037_exact_where_it_stops(void **state)
{
    (void)state;
    stops_exactly(rig_new_moving(MF_WORLD_MOTION_CONSTANT, 0.0));
    stops_exactly(rig_new_moving(MF_WORLD_MOTION_CONSTANT, 2.0));
    stops_exactly(rig_new_moving(MF_WORLD_MOTION_EVENT, 0.0));
    stops_exactly(physics());
}

/* By drag and tilt SIH ends at 0.98 g / 1 s = 9.6 m/s; with a tenth of its drag the parameters
 * alone count: 30 m/s, within the same acceleration and jerk (check_smooth), and an exact stop. */
static void test_sim036_thirty_metres_per_second_with_little_drag(void **state)
{
    static const double k_drag[] = {1.0, 0.1, 0.0};
    static const double k_most_mps[] = {9.611, 30.0, 30.0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct rig *r = rig_new_dragged(k_drag[i]);
        struct watch w = {.count = 0};
        rig_take_off(r, 10.0f);
        rig_set_f(r, "MPC_XY_VEL_MAX", 30.0f);
        rig_set_f(r, "MPC_XY_CRUISE", 30.0f);
        go_to(r, LAT0 + 100000, LON0, 498.0f); /* 1.1 km */
        look(r, &w);
        do {
            mf_mock_clear(&r->mock, 0);
            fly_until(r, &w, w.at_us + 10 * STEP);
            assert_true(w.at_us < 400 * S);
        } while (rig_moving(r));
        assert_true(fabs(w.speed_max_mps - k_most_mps[i]) < 0.01);
        assert_true(is_at(&w.last, LAT0 + 100000, LON0, 498.0));
    }
}

/* Halfway along a leg at full speed. */
static struct rig *under_way(struct watch *w)
{
    struct rig *r = physics_airborne(10.0f);
    *w = (struct watch){.count = 0};
    go_to(r, LAT1, LON0, 498.0f);
    fly_until(r, w, r->mock.now.vehicle_us + 10 * S);
    assert_true(speed_of(&w->last) > 4.0);
    mf_mock_clear(&r->mock, 0);
    return r;
}

static void test_sim030_sim036_a_pause_brakes_and_holds_where_it_stops(void **state)
{
    struct watch w;
    (void)state;
    struct rig *r = under_way(&w);
    const struct mf_pose from = w.last;
    const mf_us_t from_us = w.at_us;
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LOITER_UNLIM, rig_nan7()), MAV_RESULT_ACCEPTED);
    look(r, &w);
    assert_int_equal(r->drone.vehicle.navigator.phase, MF_NAV_BRAKE);
    const struct mf_leg aimed = r->drone.vehicle.navigator.leg; /* where it will be */
    fly_while(r, &w, rig_moving, 20.0);
    assert_true(w.at_us - from_us > S && w.at_us - from_us < 5 * S);
    const double braked_m = distance_to(&from, (int32_t)lrint(w.last.lat_deg * 1e7),
                                        (int32_t)lrint(w.last.lon_deg * 1e7));
    assert_true(braked_m > 4.0 && braked_m < 12.0); /* v^2 / 2a is 5 m; the jerk adds to it */
    assert_true(aimed.lat_deg == w.last.lat_deg && aimed.lon_deg == w.last.lon_deg);
    const struct mf_pose held = w.last;
    fly_until(r, &w, w.at_us + 30 * S);
    assert_true(held.lat_deg == w.last.lat_deg && held.lon_deg == w.last.lon_deg &&
                held.alt_amsl_m == w.last.alt_amsl_m);
    go_to(r, LAT1, LON0, 498.0f); /* and on */
    fly_while(r, &w, rig_moving, 60.0);
    assert_true(is_at(&w.last, LAT1, LON0, 498.0));
}

static void test_a_change_of_altitude_while_braking_keeps_the_place(void **state)
{
    struct watch w;
    (void)state;
    struct rig *r = under_way(&w);
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LOITER_UNLIM, rig_nan7()), MAV_RESULT_ACCEPTED);
    const struct mf_leg aimed = r->drone.vehicle.navigator.leg;
    fly_until(r, &w, w.at_us + S / 2);
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, INT32_MAX, INT32_MAX, 510.0f),
                     MAV_RESULT_ACCEPTED);
    fly_while(r, &w, rig_moving, 60.0);
    assert_true(w.last.lat_deg == aimed.lat_deg && w.last.lon_deg == aimed.lon_deg &&
                w.last.alt_amsl_m == 510.0);
}

static void test_sim028_sim029_return_and_land_in_the_middle_of_a_leg(void **state)
{
    struct watch w;
    (void)state;
    struct rig *r = under_way(&w);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_while(r, &w, rig_armed, 180.0);
    assert_true(is_at(&w.last, LAT0, LON0, RIG_ALT_M));
    expect_landed(&w, 3, (const uint8_t[]){2, 4, 1});

    r = under_way(&w);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_while(r, &w, rig_armed, 60.0);
    assert_true(w.last.alt_amsl_m == RIG_ALT_M && w.last.on_ground);
    assert_true(distance_to(&w.last, LAT1, LON0) > 50.0); /* it lands where it comes to a stop */
    expect_landed(&w, 3, (const uint8_t[]){2, 4, 1});
}

static void test_sim027_repositions_and_speeds_in_the_middle_of_a_leg(void **state)
{
    struct watch w;
    (void)state;
    struct rig *r = under_way(&w);
    go_to(r, LAT0, LON1, 503.0f);
    fly_until(r, &w, w.at_us + S);
    go_to(r, LAT1, LON1, 498.0f);
    fly_until(r, &w, w.at_us + 3 * S);
    assert_int_equal(rig_command(r, MAV_CMD_DO_CHANGE_SPEED, (const float[7]){1.0f, 8.0f, -1.0f}),
                     MAV_RESULT_ACCEPTED);
    fly_until(r, &w, w.at_us + 5 * S);
    assert_true(w.speed_max_mps > 5.5);
    rig_set_f(r, "MPC_XY_VEL_MAX", 3.0f); /* a lowered limit holds from now on */
    fly_until(r, &w, w.at_us + 4 * S);
    assert_true(speed_of(&w.last) < 3.01);
    fly_while(r, &w, rig_moving, 120.0);
    assert_true(is_at(&w.last, LAT1, LON1, 498.0));
}

static void test_mission_set_current_and_pause_in_the_middle_of_a_leg(void **state)
{
    (void)state;
    struct rig *r = physics();
    struct watch w = {.count = 0};
    const struct mf_msg_mission_set_current to_5 = {
        .target_system = 1, .target_component = 1, .seq = 5};
    start_square(r);
    fly_while(r, &w, before_2, 60.0);
    mf_mock_clear(&r->mock, 0);
    fly_until(r, &w, w.at_us + 8 * S);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LOITER_UNLIM, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_until(r, &w, w.at_us + S); /* on again before it has come to rest */
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){-1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(r->drone.vehicle.mission.current, 2);
    fly_until(r, &w, w.at_us + 3 * S);
    rig_send(r, MF_MSG_MISSION_SET_CURRENT, &to_5);
    mf_mock_clear(&r->mock, 0);
    fly_while(r, &w, not_rtl, 60.0);
    assert_true(nears(&w.last, LAT0, LON0, 498.0));
    fly_while(r, &w, rig_armed, 60.0);
    assert_true(is_at(&w.last, LAT0, LON0, RIG_ALT_M));
    expect_landed(&w, 5, (const uint8_t[]){1, 3, 2, 4, 1});
}

static void test_sim021_on_the_ground_until_it_lifts_off(void **state)
{
    (void)state;
    struct rig *r = physics();
    struct watch w = {.count = 0};
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_until(r, &w, 2 * S);
    assert_int_equal(rig_landed_seen(r), 1);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LOITER_UNLIM, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_until(r, &w, 9 * S); /* called off: it stays */
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_until(r, &w, 12 * S); /* COM_DISARM_PRFLT and COM_SPOOLUP_TIME are over, but it takes off */
    assert_true(r->drone.vehicle.commander.armed);
    fly_until(r, &w, 13 * S + 10000);
    assert_int_equal(rig_landed_seen(r), 3);
    fly_while(r, &w, rig_in_takeoff, 30.0);
    expect_landed(&w, 3, (const uint8_t[]){1, 3, 2});
}

/* Sent up again between touchdown and the disarming that follows it. */
static void test_off_again_after_a_landing(void **state)
{
    (void)state;
    struct rig *r = physics_airborne(3.0f);
    struct watch w = {.count = 0};
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    while (r->drone.vehicle.commander.landed != MF_LANDED_ON_GROUND) {
        fly_until(r, &w, r->mock.now.vehicle_us + STEP);
    }
    fly_until(r, &w, w.at_us + S);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_while(r, &w, rig_in_takeoff, 30.0);
    assert_true(fabs(w.last.alt_amsl_m - (RIG_ALT_M + 3.0 - 0.8)) < 0.02); /* NAV_MC_ALT_RAD */
    fly_while(r, &w, rig_moving, 20.0);
    assert_true(w.last.alt_amsl_m == RIG_ALT_M + 3.0);
    expect_landed(&w, 4, (const uint8_t[]){4, 1, 3, 2});
}

/* Waypoints on the ground, with holds that last until it is there: it stands there until it has
 * lifted off again. */
static void test_sim021_through_a_waypoint_on_the_ground(void **state)
{
    (void)state;
    struct rig *r = physics_airborne(5.0f);
    struct watch w = {.count = 0};
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT0 + 2000, LON0, 0.0f, 10.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT0, LON0, -0.5f,
                 9.0f), /* below, by less than NAV_MC_ALT_RAD: it ends where it can */
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT0, LON0, 5.0f, 0.0f),
    };
    rig_upload(r, items, 3);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_disarm), MAV_RESULT_ACCEPTED);
    while (!r->drone.vehicle.mission.finished) {
        mf_mock_clear(&r->mock, 0);
        fly_until(r, &w, r->mock.now.vehicle_us + STEP);
        assert_true(w.at_us < 200 * S);
    }
    fly_while(r, &w, rig_moving, 20.0);
    assert_true(is_at(&w.last, LAT0, LON0, RIG_ALT_M + 5.0));
    assert_true(w.count >= 4 && w.landed[1] == MF_LANDED_ON_GROUND);
}

static void test_disarmed_before_it_lifts_off(void **state)
{
    (void)state;
    struct rig *r = physics();
    struct watch w = {.count = 0};
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    fly_until(r, &w, 2 * S);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_disarm), MAV_RESULT_ACCEPTED);
    assert_false(rig_moving(r) || mf_vehicle_moving(&r->drone.vehicle));
    fly_until(r, &w, 10 * S);
    expect_landed(&w, 1, (const uint8_t[]){1});
    rig_take_off(r, 5.0f); /* and later it flies */
    assert_true(rig_pose(r).alt_amsl_m == 493.0);
}

static void test_motors_off_in_the_middle_of_a_leg(void **state)
{
    struct watch w;
    (void)state;
    struct rig *r = under_way(&w);
    w.at_us = 0; /* it falls from rest: that is a jump */
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){0.0f, 21196.0f}),
                     MAV_RESULT_ACCEPTED);
    const mf_us_t from_us = r->mock.now.vehicle_us;
    (void)rig_run_while(r, rig_moving, 5.0);
    assert_int_equal(r->mock.now.vehicle_us - from_us,
                     1864788); /* 9.80665 (t - 1 + e^-t) = 10, up */
    assert_int_equal(r->drone.vehicle.commander.landed, MF_LANDED_ON_GROUND);
}

static void near(float value, float expected)
{
    assert_true(fabsf(value - expected) < 1e-6f);
}

static void test_sim036_limits_are_the_parameters(void **state)
{
    (void)state;
    struct rig *r = physics_airborne(10.0f);
    const struct mf_physics_limits *l = &r->drone.world.parts.physics->now.limits;
    const struct mf_physics_limits *px4 = &mf_physics_limits_px4;
    near(l->vel_h_mps, px4->vel_h_mps);
    near(l->vel_up_mps, px4->vel_up_mps);
    near(l->vel_down_mps, px4->vel_down_mps);
    near(l->acc_h_mps2, px4->acc_h_mps2);
    near(l->acc_up_mps2, px4->acc_up_mps2);
    near(l->acc_down_mps2, px4->acc_down_mps2);
    near(l->jerk_mps3, px4->jerk_mps3);
    near(l->takeoff_mps, px4->takeoff_mps);
    near(l->takeoff_wait_s, px4->takeoff_wait_s);
    near(l->takeoff_ramp_s, px4->takeoff_ramp_s);
    near(l->land_mps, px4->land_mps);
    near(l->land_crawl_mps, px4->land_crawl_mps);
    near(l->land_alt1_m, px4->land_alt1_m);
    near(l->land_alt2_m, px4->land_alt2_m);
    near(l->land_alt3_m, px4->land_alt3_m);
    near(l->alt_radius_m, px4->alt_radius_m);
    near(l->yaw_acc_rps2, px4->yaw_acc_rps2);
    near(l->tilt_max_rad, px4->tilt_max_rad);
    near(l->drag_per_s, px4->drag_per_s);
    rig_set_f(r, "MPC_LAND_ALT2", 12.0f); /* above MPC_LAND_ALT1: what cannot be is put right */
    rig_set_f(r, "MPC_TKO_RAMP_T", 0.0f);
    rig_set_f(r, "MPC_TILTMAX_AIR", 89.0f);
    rig_set_f(r, "MPC_ACC_HOR", 2.5f);
    go_to(r, LAT1, LON0, 498.0f);
    near(l->land_alt2_m, 10.0f);
    near(l->takeoff_ramp_s, 0.001f);
    near(l->tilt_max_rad, 1.48352986f);
    near(l->acc_h_mps2, 2.5f);
}

static void test_sim036_defaults_and_saved_speeds_of_px4_motion(void **state)
{
    (void)state;
    struct rig *r = physics();
    assert_true(mf_param_f(&r->drone.vehicle.params, MF_PARAM_MPC_XY_CRUISE) == 5.0f);
    assert_true(mf_param_f(&r->drone.vehicle.params, MF_PARAM_MPC_Z_V_AUTO_DN) == 1.5f);
    rig_set_f(r, "MPC_XY_CRUISE", 10.0f); /* the default of the other motion, chosen */
    assert_int_equal(
        mf_param_save(&r->drone.vehicle.params, &r->drone.vehicle.options, &r->drone.vehicle.hal),
        MF_E_OK);
    rig_reboot(r);
    assert_true(mf_param_f(&r->drone.vehicle.params, MF_PARAM_MPC_XY_CRUISE) == 10.0f);
    assert_int_equal(rig_command(r, MAV_CMD_PREFLIGHT_STORAGE, (const float[7]){2.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_true(mf_param_f(&r->drone.vehicle.params, MF_PARAM_MPC_XY_CRUISE) == 5.0f);
}

/* 100 m/s, three ways to ask for it; SIM-037 has no wall at 10 m/s. */
static void test_sim037_any_speed_up_to_100_mps(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    const float fast[4] = {100.0f, 1.0f, 0.0f, NAN};
    const float faster[4] = {100.5f, 1.0f, 0.0f, NAN};
    rig_set_f(r, "MPC_XY_CRUISE", 100.0f);
    go_to(r, 474157420, LON0, 498.0f);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    struct mf_pose p = rig_pose(r);
    assert_true(fabs(speed_of(&p) - 100.0) < 1e-3);
    rig_set_f(r, "MPC_XY_CRUISE", 10.0f);
    assert_int_equal(rig_command(r, MAV_CMD_DO_CHANGE_SPEED, (const float[7]){1.0f, 99.5f, -1.0f}),
                     MAV_RESULT_ACCEPTED);
    p = rig_pose(r);
    assert_true(fabs(speed_of(&p) - 99.5) < 1e-3);
    assert_int_equal(rig_command(r, MAV_CMD_DO_CHANGE_SPEED, (const float[7]){1.0f, 101.0f, -1.0f}),
                     MAV_RESULT_DENIED);
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, fast, 473797420, LON0, 498.0f),
                     MAV_RESULT_ACCEPTED);
    p = rig_pose(r);
    assert_true(fabs(speed_of(&p) - 100.0) < 1e-3);
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, faster, 473797420, LON0, 498.0f),
                     MAV_RESULT_DENIED);
    (void)rig_run_while(r, rig_moving, 300.0);
    p = rig_pose(r);
    assert_true(is_at(&p, 473797420, LON0, 498.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim021_sim036_mission_with_px4_motion),
        cmocka_unit_test(test_sim021_a_take_off_lower_than_its_radius),
        cmocka_unit_test(test_sim036_disturbed_behind_the_radius),
        cmocka_unit_test(test_sim023_corner_radius_of_an_item),
        cmocka_unit_test(test_sim036_sim037_exact_where_it_stops),
        cmocka_unit_test(test_sim036_thirty_metres_per_second_with_little_drag),
        cmocka_unit_test(test_sim030_sim036_a_pause_brakes_and_holds_where_it_stops),
        cmocka_unit_test(test_a_change_of_altitude_while_braking_keeps_the_place),
        cmocka_unit_test(test_sim028_sim029_return_and_land_in_the_middle_of_a_leg),
        cmocka_unit_test(test_sim027_repositions_and_speeds_in_the_middle_of_a_leg),
        cmocka_unit_test(test_mission_set_current_and_pause_in_the_middle_of_a_leg),
        cmocka_unit_test(test_sim021_on_the_ground_until_it_lifts_off),
        cmocka_unit_test(test_off_again_after_a_landing),
        cmocka_unit_test(test_sim021_through_a_waypoint_on_the_ground),
        cmocka_unit_test(test_disarmed_before_it_lifts_off),
        cmocka_unit_test(test_motors_off_in_the_middle_of_a_leg),
        cmocka_unit_test(test_sim036_limits_are_the_parameters),
        cmocka_unit_test(test_sim036_defaults_and_saved_speeds_of_px4_motion),
        cmocka_unit_test(test_sim037_any_speed_up_to_100_mps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
