/* SPDX-License-Identifier: Apache-2.0 */
/* Returns to the mission's landing, and along the mission: RTL_TYPE 1 to 4. */
#include "tests/sim/steer_fixture.h"

/* 1e-7 deg; at this latitude a degree is 111,188.6 m to the north, 75,486.4 m to the
 * east (WGS84). */
static int32_t north_e7(double m)
{
    return (int32_t)(473977420.0 + m / 111188.6 * 1e7);
}

static int32_t east_e7(double m)
{
    return (int32_t)(85455940.0 + m / 75486.4 * 1e7);
}

static struct mf_item at(uint16_t command, double north_m, double east_m, float up_m, float p1)
{
    return rig_item(command, 6, north_e7(north_m), east_e7(east_m), up_m, p1);
}

static struct mf_item action(uint16_t command)
{
    return rig_item(command, 2, 0, 0, 0.0f, 0.0f);
}

enum { TAKEOFF, A, TRIGGER, B, START, C, DOWN, COUNT };

static struct rig *mission(int32_t type, uint16_t count)
{
    const struct mf_item items[COUNT] = {
        [TAKEOFF] = rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 20.0f, 0.0f),
        [A] = at(MAV_CMD_NAV_WAYPOINT, 300.0, 0.0, 20.0f, 0.0f),
        [TRIGGER] = action(MAV_CMD_IMAGE_START_CAPTURE),
        [B] = at(MAV_CMD_NAV_WAYPOINT, 300.0, 300.0, 25.0f, 100.0f),
        [START] = action(MAV_CMD_DO_LAND_START),
        [C] = at(MAV_CMD_NAV_WAYPOINT, 600.0, 300.0, 40.0f, 0.0f),
        [DOWN] = at(MAV_CMD_NAV_LAND, 700.0, 300.0, 0.0f, 0.0f),
    };
    struct rig *r = rig_new(NULL);
    rig_set_i(r, "RTL_TYPE", type);
    rig_upload(r, items, count);
    return r;
}

static void fly_until(struct rig *r, uint16_t seq, double seconds)
{
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                     MAV_RESULT_ACCEPTED);
    while (r->drone.vehicle.mission.current < seq) {
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
        assert_true(r->mock.now.vehicle_us < 500 * S);
    }
    rig_run_until(r, r->mock.now.vehicle_us + (mf_us_t)(seconds * 1e6));
}

static void go_back(struct rig *r)
{
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
}

/* Flies over these places, in this order; NAN ends them. It may pass others. */
static void assert_passes(struct rig *r, const double (*place)[3])
{
    while (!isnan((*place)[0])) {
        double neu_m[3];
        from_home(r, neu_m);
        const double off =
            hypot(hypot(neu_m[0] - (*place)[0], neu_m[1] - (*place)[1]), neu_m[2] - (*place)[2]);
        place += off < 1.5;
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
        if (r->mock.now.vehicle_us > 900 * S) {
            fail_msg("never at %.0f, %.0f, %.0f", (*place)[0], (*place)[1], (*place)[2]);
        }
    }
}

static void assert_lands(struct rig *r, double north_m, double east_m)
{
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_LAND);
    (void)rig_run_while(r, rig_armed, 300.0);
    assert_at(r, north_m, east_m, 0.0, 0.1);
}

/* On with the mission, at once and without its waits, to its landing. */
static void test_sim027_along_the_mission(void **state)
{
    static const double k_way[][3] = {{300, 150, 22.5}, {300, 300, 25}, {600, 300, 40},
                                      {700, 300, 40},   {700, 300, 20}, {NAN}};
    (void)state;
    for (int32_t type = 2; type <= 4; type += 2) { /* two items forwards, three backwards */
        struct rig *r = mission(type, COUNT);
        fly_until(r, B, 14.0);
        go_back(r);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_RTL);
        const mf_us_t t0_us = r->mock.now.vehicle_us;
        assert_passes(r, k_way);
        assert_true(r->mock.now.vehicle_us < t0_us + 90 * S); /* 100 s of hold were not waited */
        struct mf_msg_mission_item_reached m;
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
        assert_int_equal(m.seq, B);
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
        assert_int_equal(m.seq, C);
        assert_lands(r, 700.0, 300.0);
        assert_true(r->drone.vehicle.mission.finished);
        assert_int_equal(r->drone.vehicle.mission.current, DOWN);
    }
}

/* Back, and home at the altitude of the last item; the same without a landing. */
static void test_sim027_back_along_the_mission(void **state)
{
    static const double k_way[][3] = {
        {300, 150, 22.5}, {300, 0, 20}, {150, 0, 20}, {0, 0, 20}, {NAN}};
    static const double k_home[][3] = {{50, 0, 20}, {0, 0, 20}, {NAN}};
    (void)state;
    struct rig *r = mission(2, START);
    fly_until(r, B, 15.0);
    go_back(r);
    assert_passes(r, k_way);
    assert_lands(r, 0.0, 0.0);
    assert_true(rig_said(r, "RTL: land at destination"));

    r = mission(4, COUNT); /* three items forwards, one backwards */
    fly_until(r, A, 10.0);
    go_back(r);
    assert_passes(r, k_home);
    assert_lands(r, 0.0, 0.0);
}

/* From elsewhere: the nearest item comes first. */
static void test_sim027_joins_the_mission(void **state)
{
    static const double k_way[][3] = {{600, 300, 40}, {700, 300, 40}, {NAN}};
    static const double k_back[][3] = {{300, 300, 25}, {300, 0, 20}, {0, 0, 20}, {NAN}};
    (void)state;
    for (int count = START; count <= COUNT; count += COUNT - START) {
        struct rig *r = mission(2, (uint16_t)count);
        rig_take_off(r, 20.0f);
        assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, (const float[4]){-1, 1, 0, NAN},
                                         north_e7(560.0), east_e7(330.0), 520.0f),
                         MAV_RESULT_ACCEPTED);
        (void)rig_run_while(r, rig_moving, 200.0);
        go_back(r);
        assert_passes(r, count == COUNT ? k_way : k_back);
        assert_lands(r, count == COUNT ? 700.0 : 0.0, count == COUNT ? 300.0 : 0.0);
    }
}

/* The nearest one, be it the first; of two that are equally near the first one. */
static void test_sim027_joins_the_first_of_two(void **state)
{
    static const struct {
        double north_m;
        uint16_t seq;
    } k_case[] = {{250.0, 1}, {60.0, 0}};
    const struct mf_item items[] = {at(MAV_CMD_NAV_TAKEOFF, 10.0, 0.0, 20.0f, 0.0f),
                                    at(MAV_CMD_NAV_WAYPOINT, 300.0, 0.0, 20.0f, 0.0f),
                                    at(MAV_CMD_NAV_WAYPOINT, 300.0, 0.0, 20.0f, 0.0f),
                                    at(MAV_CMD_NAV_LAND, 400.0, 0.0, 0.0f, 0.0f)};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = rig_new(NULL);
        rig_set_i(r, "RTL_TYPE", 2);
        rig_upload(r, items, 4);
        rig_take_off(r, 20.0f);
        assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, (const float[4]){-1, 1, 0, NAN},
                                         north_e7(k_case[i].north_m), east_e7(0.0), 508.0f),
                         MAV_RESULT_ACCEPTED);
        (void)rig_run_while(r, rig_moving, 200.0);
        go_back(r);
        assert_int_equal(r->drone.vehicle.mission.current, k_case[i].seq);
    }
}

/* Straight to the landing: up to 30 m above it, to where it begins, and along it; or to what else
 * counts and is nearer. */
static void test_sim027_to_the_missions_landing(void **state)
{
    static const double k_way[][3] = {{400, 200, 30}, {600, 300, 40}, {700, 300, 40}, {NAN}};
    static const double k_home[][3] = {{400, 200, 30}, {0, 0, 30}, {NAN}};
    const struct mf_item rally = at(MAV_CMD_NAV_RALLY_POINT, 400.0, 100.0, 0.0f, 0.0f);
    const struct mf_item far = at(MAV_CMD_NAV_RALLY_POINT, -900.0, 0.0, 0.0f, 0.0f);
    static const struct {
        int32_t type;
        bool far, near;
        double north_m, east_m;
    } k_case[] = {{1, false, false, 700, 300}, {1, true, false, 700, 300},
                  {1, false, true, 400, 100},  {3, false, false, 700, 300},
                  {0, false, false, 0, 0},     {5, true, false, -900, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = mission(k_case[i].type, COUNT);
        if (k_case[i].far || k_case[i].near) {
            assert_int_equal(
                rig_upload_plan(r, MAV_MISSION_TYPE_RALLY, k_case[i].near ? &rally : &far, 1),
                MAV_MISSION_ACCEPTED);
        }
        rig_take_off(r, 20.0f);
        assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, (const float[4]){-1, 1, 0, NAN},
                                         north_e7(400.0), east_e7(200.0), 508.0f),
                         MAV_RESULT_ACCEPTED);
        (void)rig_run_while(r, rig_moving, 200.0);
        go_back(r);
        if (k_case[i].north_m > 600.0) {
            assert_passes(r, k_way);
        } else if (k_case[i].type == 0) {
            assert_passes(r, k_home);
        }
        for (int s = 0; s < 200; s += 20) {
            mf_mock_clear(&r->mock, 0);
            rig_run_until(r, r->mock.now.vehicle_us + 20 * S);
        }
        assert_false(rig_armed(r));
        assert_at(r, k_case[i].north_m, k_case[i].east_m, 0.0, 0.1);
    }
}

/* Above home a cone of 1 degree, the narrowest, leads down at once; without a cone it climbs first.
 */
static void test_sim027_the_narrowest_cone(void **state)
{
    (void)state;
    for (int32_t angle_deg = 0; angle_deg <= 1; angle_deg++) {
        double neu_m[3];
        struct rig *r = rig_airborne(5.0f);
        rig_set_i(r, "RTL_CONE_ANG", angle_deg);
        go_back(r);
        rig_run_until(r, r->mock.now.vehicle_us + S);
        from_home(r, neu_m);
        assert_int_equal(neu_m[2] > 5.5, angle_deg == 0);
    }
}

/* A mission that is taken away meanwhile: home from there. */
static void test_a_mission_that_is_cleared(void **state)
{
    static const double k_way[][3] = {{300, 300, 25}, {0, 0, 25}, {NAN}};
    (void)state;
    struct rig *r = mission(2, COUNT);
    fly_until(r, B, 15.0);
    go_back(r);
    const struct mf_msg_mission_clear_all clear = {.target_system = 1, .target_component = 1};
    rig_send(r, MF_MSG_MISSION_CLEAR_ALL, &clear);
    assert_int_equal(r->drone.vehicle.mission.count, 0);
    assert_passes(r, k_way);
    assert_lands(r, 0.0, 0.0);
}

/* On the ground there is nowhere to go; without a mission every type goes home. */
static void test_without_a_mission(void **state)
{
    (void)state;
    for (int32_t type = 0; type <= 5; type++) {
        struct rig *r = rig_airborne(20.0f);
        rig_set_i(r, "RTL_TYPE", type);
        go_back(r);
        (void)rig_run_while(r, rig_armed, 100.0);
        assert_at(r, 0.0, 0.0, 0.0, 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim027_along_the_mission),
        cmocka_unit_test(test_sim027_back_along_the_mission),
        cmocka_unit_test(test_sim027_joins_the_mission),
        cmocka_unit_test(test_sim027_joins_the_first_of_two),
        cmocka_unit_test(test_sim027_to_the_missions_landing),
        cmocka_unit_test(test_sim027_the_narrowest_cone),
        cmocka_unit_test(test_a_mission_that_is_cleared),
        cmocka_unit_test(test_without_a_mission),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
