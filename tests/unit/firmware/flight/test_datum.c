/* SPDX-License-Identifier: Apache-2.0 */
/* What altitudes are above: places that no model of the geoid covers are refused, and ellipsoid
 * altitudes follow from the model at the very place. The mock's models end at a parallel. */
#include "tests/unit/firmware/flight_fixture.h"

#include "firmware/flight/datum.h"
#include "firmware/report/encode.h"

#define EDGE_DEG  47.4 /* 250 m north of here */
#define BEYOND_E7 474100000
#define INSIDE_E7 473990000
#define LON_E7    85455940
#define GPS       0x20u

static const struct mf_options k_default;

static void model(void)
{
    fx.mock.earth.result = MF_E_OK;
    fx.mock.earth.north_deg = EDGE_DEG;
    fx.mock.earth.undulation_m = 47.3628;
    mf_estimate_forget(&fx.v);
    (void)mf_vehicle_step(&fx.v);
    mf_mock_clear(&fx.mock, 0);
}

static struct mf_vehicle *flying(void)
{
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    model();
    return v;
}

static void test_sim040_reposition_outside_is_denied(void **state)
{
    (void)state;
    (void)flying();
    const size_t plans = fx.mock.airframe.plan_count;
    assert_int_equal(fx_reposition(5.0f, NAN, 47.41, 8.545594, 520.0f), MAV_RESULT_DENIED);
    assert_true(fx_named("Reposition outside geoid"));
    assert_int_equal(fx.mock.airframe.plan_count, plans);
    assert_int_equal(fx_reposition(5.0f, NAN, 47.399, 8.545594, 520.0f), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_reposition(5.0f, NAN, NAN, NAN, 520.0f), MAV_RESULT_ACCEPTED);
}

static void test_sim040_orbit_outside_is_denied(void **state)
{
    const float p[4] = {20.0f, 3.0f, NAN, NAN};
    (void)state;
    struct mf_vehicle *v = flying();
    assert_int_equal(
        fx_command_int(MAV_CMD_DO_ORBIT, MAV_FRAME_GLOBAL_INT, p, BEYOND_E7, LON_E7, 520.0f),
        MAV_RESULT_DENIED);
    assert_true(fx_named("Orbit outside geoid"));
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_int_equal(
        fx_command_int(MAV_CMD_DO_ORBIT, MAV_FRAME_GLOBAL_INT, p, INSIDE_E7, LON_E7, 520.0f),
        MAV_RESULT_ACCEPTED);
}

static void test_sim040_home_outside_is_denied(void **state)
{
    const float p[4] = {0.0f};
    (void)state;
    struct mf_vehicle *v = flying();
    const struct mf_home before = v->home;
    assert_int_equal(
        fx_command_int(MAV_CMD_DO_SET_HOME, MAV_FRAME_GLOBAL_INT, p, BEYOND_E7, LON_E7, 500.0f),
        MAV_RESULT_DENIED);
    assert_true(fx_named("Home outside geoid"));
    assert_true(v->home.lat_deg == before.lat_deg && !v->home.manual);
    assert_int_equal(
        fx_command_int(MAV_CMD_DO_SET_HOME, MAV_FRAME_GLOBAL_INT, p, INSIDE_E7, LON_E7, 500.0f),
        MAV_RESULT_ACCEPTED);
    mf_mock_place(&fx.mock, 47.41, 8.545594, 520.0, false);
    mf_estimate_forget(v);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, (const float[7]){1.0f}), MAV_RESULT_DENIED);
    assert_true(fx_named("Home outside geoid"));
}

static void test_sim040_setpoints_outside_are_refused(void **state)
{
    (void)state;
    struct mf_vehicle *v = flying();
    struct mf_msg_set_position_target_global_int m = {
        .target_system = 1,
        .target_component = 1,
        .coordinate_frame = MAV_FRAME_GLOBAL_INT,
        .type_mask = 0xDF8, /* a place alone */
        .lat_int = BEYOND_E7,
        .lon_int = LON_E7,
        .alt = 520.0f,
    };
    v->now.transport_us = fx.mock.now.transport_us = 10 * S;
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_POSITION_TARGET_GLOBAL_INT, &m);
    (void)mf_vehicle_step(v);
    assert_true(fx_named("SET_POSITION_TARGET_GLOBAL_INT outside"));
    assert_false(v->inputs.setpoint.live);
    m.lat_int = INSIDE_E7;
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_POSITION_TARGET_GLOBAL_INT, &m);
    (void)mf_vehicle_step(v);
    assert_true(v->inputs.setpoint.live);
}

static void test_sim040_local_setpoints_outside_are_refused(void **state)
{
    (void)state;
    struct mf_vehicle *v = flying();
    const struct mf_msg_set_position_target_local_ned m = {
        .target_system = 1,
        .target_component = 1,
        .coordinate_frame = MAV_FRAME_LOCAL_NED,
        .type_mask = 0xDF8,
        .x = 1000.0f,
        .z = -20.0f,
    };
    v->now.transport_us = fx.mock.now.transport_us = 10 * S;
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
    (void)mf_vehicle_step(v);
    assert_true(fx_named("SET_POSITION_TARGET_LOCAL_NED outside"));
    assert_false(v->inputs.setpoint.live);
}

static void test_sim040_a_target_outside_is_not_followed(void **state)
{
    (void)state;
    struct mf_vehicle *v = flying();
    struct mf_msg_follow_target m = {
        .est_capabilities = 1, .lat = BEYOND_E7, .lon = LON_E7, .alt = 500.0f};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_FOLLOW_TARGET, &m);
    (void)mf_vehicle_step(v);
    assert_false(v->inputs.target.live);
    m.lat = INSIDE_E7;
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_FOLLOW_TARGET, &m);
    (void)mf_vehicle_step(v);
    assert_true(v->inputs.target.live);
}

static void test_a_target_on_the_date_line_is_followed(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    struct mf_msg_follow_target m = {
        .est_capabilities = 1, .lat = INSIDE_E7, .lon = 1800000000, .alt = 500.0f};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_FOLLOW_TARGET, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_true(fx.v.inputs.target.live);
}

/* ---- in flight ---- */

static int32_t ellipsoid_mm(struct mf_vehicle *v)
{
    const struct mf_estimate *e = mf_estimate_at(v, v->instant_us);
    return mf_estimate_ellipsoid_mm(e, e->pose.alt_amsl_m);
}

static void go(double lat_deg)
{
    mf_mock_place(&fx.mock, lat_deg, 8.545594, 520.0, false);
    mf_estimate_forget(&fx.v);
    (void)mf_vehicle_step(&fx.v);
}

static void test_sim040_beyond_the_models_the_last_undulation_holds(void **state)
{
    struct mf_msg_utm_global_position utm;
    struct mf_msg_gps_raw_int gps;
    (void)state;
    struct mf_vehicle *v = flying();
    assert_int_equal(mf_health_at(v, v->instant_us).healthy & GPS, GPS);
    go(47.41);
    assert_true(fx_named("GNSS outside geoid"));
    const struct mf_health h = mf_health_at(v, v->instant_us);
    assert_int_equal(h.present & h.enabled & GPS, GPS);
    assert_int_equal(h.healthy & GPS, 0);
    assert_true(mf_encode_gps_raw_int(mf_estimate_at(v, v->instant_us), &gps));
    assert_int_equal(gps.fix_type, 3);
    assert_true(mf_encode_utm_global_position(v, mf_estimate_at(v, v->instant_us), &utm));
    assert_int_equal(utm.alt, 567260); /* 520 + 47.26, by the receiver */
    assert_names(mf_health_denial(v, v->instant_us), "Preflight Fail: outside geoid");
    go(47.399);
    assert_true(fx_named("GNSS inside geoid"));
    assert_int_equal(mf_health_at(v, v->instant_us).healthy & GPS, GPS);
}

static void test_sim039_without_a_fix_the_model_tells(void **state)
{
    (void)state;
    struct mf_vehicle *v = flying();
    fx_gps(false);
    assert_int_equal(ellipsoid_mm(v), 508000 + 47363);
    fx.mock.earth.undulation_m = 50.0; /* beyond the models: as it was */
    fx.mock.airframe.pose.lat_deg = 47.41;
    mf_estimate_forget(v);
    assert_int_equal(ellipsoid_mm(v), 508000 + 47363);
}

static void test_sim040_a_damaged_model_is_none(void **state)
{
    (void)state;
    struct mf_vehicle *v = flying();
    fx.mock.earth.result = MF_E_IO;
    go(47.399);
    assert_int_equal(mf_health_at(v, v->instant_us).healthy & GPS, 0);
    assert_int_equal(ellipsoid_mm(v), 567260);
    assert_false(mf_datum_known(&v->hal, (struct mf_geo){47.0, 8.0}));
}

static void test_sim039_without_a_model_the_receiver_tells(void **state)
{
    struct mf_msg_utm_global_position utm;
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    assert_true(mf_datum_known(&v->hal, (struct mf_geo){80.0, 0.0}));
    assert_true(mf_encode_utm_global_position(v, mf_estimate_at(v, v->instant_us), &utm));
    assert_int_equal(utm.alt, 508000 + 47260);
    fx_gps(false); /* what it told holds on */
    assert_int_equal(ellipsoid_mm(v), 555260);
}

static void test_sim039_where_it_goes_is_above_the_ellipsoid_too(void **state)
{
    struct mf_msg_utm_global_position utm;
    (void)state;
    struct mf_vehicle *v = flying();
    assert_int_equal(fx_reposition(5.0f, NAN, 47.399, 8.545594, 530.0f), MAV_RESULT_ACCEPTED);
    fx.mock.earth.undulation_m = 47.0; /* there */
    assert_true(mf_encode_utm_global_position(v, mf_estimate_at(v, v->instant_us), &utm));
    assert_int_equal(utm.next_alt, 577000);
    fx.mock.earth.result = MF_E_RANGE;
    assert_true(mf_encode_utm_global_position(v, mf_estimate_at(v, v->instant_us), &utm));
    assert_int_equal(utm.next_alt, 577260); /* as here */
}

static void test_sim041_parameters_name_the_model(void **state)
{
    (void)state;
    memset(&fx, 0, sizeof fx);
    mf_mock_init(&fx.mock);
    fx.mock.earth.about = (struct mf_earth_about){MF_EARTH_EGM2008, 0x9ABCDEF0u, 0};
    assert_int_equal(fx_try_init(1, 1, k_default), MF_E_OK);
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_MF_GEOID), 3);
    assert_int_equal((uint32_t)mf_param_i(&fx.v.params, MF_PARAM_MF_GEOID_HASH), 0x9ABCDEF0u);
    assert_int_equal(mf_param_set(&fx.v, MF_PARAM_MF_GEOID, 2), MF_E_DENIED);
    assert_int_equal(mf_param_set(&fx.v, MF_PARAM_MF_GEOID_HASH, 2), MF_E_DENIED);
    fx_connect(0); /* a reset of all parameters leaves them */
    assert_int_equal(fx_command(MAV_CMD_PREFLIGHT_STORAGE, (const float[7]){2.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_MF_GEOID), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim040_reposition_outside_is_denied),
        cmocka_unit_test(test_sim040_orbit_outside_is_denied),
        cmocka_unit_test(test_sim040_home_outside_is_denied),
        cmocka_unit_test(test_sim040_setpoints_outside_are_refused),
        cmocka_unit_test(test_sim040_local_setpoints_outside_are_refused),
        cmocka_unit_test(test_sim040_a_target_outside_is_not_followed),
        cmocka_unit_test(test_a_target_on_the_date_line_is_followed),
        cmocka_unit_test(test_sim040_beyond_the_models_the_last_undulation_holds),
        cmocka_unit_test(test_sim040_a_damaged_model_is_none),
        cmocka_unit_test(test_sim039_without_a_fix_the_model_tells),
        cmocka_unit_test(test_sim039_without_a_model_the_receiver_tells),
        cmocka_unit_test(test_sim039_where_it_goes_is_above_the_ellipsoid_too),
        cmocka_unit_test(test_sim041_parameters_name_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
