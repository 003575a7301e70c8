/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of drones that are one of several: their number, and what follows from it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "host/config/config_item.h"
#include "math/geodesic.h"
#include "tests/unit/support/names.h"

#define FORMS " 0 40000 mayfly-3"

static struct mf_config s_config;

/* One flag and one variable, either may be NULL. @return of mf_config_read() */
static int read_with(const char *flag, const char *variable)
{
    char copy[2][160];
    (void)snprintf(copy[0], sizeof copy[0], "%s", flag != NULL ? flag : "");
    (void)snprintf(copy[1], sizeof copy[1], "%s", variable != NULL ? variable : "");
    char *argv[] = {(char[]){"mayfly"}, copy[0], NULL};
    char *env[] = {copy[1][0] != '\0' ? copy[1] : NULL, NULL};
    return mf_config_read(&s_config, flag != NULL ? 2 : 1, argv, env);
}

static void expect_instance(const char *value, int instance)
{
    char variable[160];
    (void)snprintf(variable, sizeof variable, "MAYFLY_INSTANCE=%s", value);
    if (read_with(NULL, variable) != MF_E_OK) {
        fail_msg("%s: %s", variable, s_config.error);
    }
    assert_int_equal(s_config.instance, instance);
    assert_int_equal(s_config.sysid, instance + 1);
}

static void expect_refused(const char *value, const char *data)
{
    char flag[160];
    (void)snprintf(flag, sizeof flag, "--instance=%s", value);
    assert_int_equal(read_with(flag, NULL), MF_E_RANGE);
    assert_names(s_config.error, "--instance");
    assert_names(s_config.error, data);
}

static void test_sim001_a_pod_of_a_statefulset_knows_its_number(void **state)
{
    (void)state;
    expect_instance("mayfly-3", 3);
    expect_instance("mayfly-0", 0);
    expect_instance("drone-of-team-7-12", 12);
    expect_instance("a.b-253", 253);
    expect_instance("3", 3);
    assert_int_equal(read_with("--instance=mayfly-3", "MAYFLY_INSTANCE=mayfly-4"), MF_E_OK);
    assert_int_equal(s_config.instance, 3);
}

static void test_a_name_without_a_number_is_refused(void **state)
{
    (void)state;
    expect_refused("mayfly", "mayfly" FORMS);
    expect_refused("mayfly-", "mayfly-" FORMS);
    expect_refused("mayfly3", "mayfly3" FORMS);
    expect_refused("mayfly-3x", "mayfly-3x" FORMS);
    expect_refused("mayfly-3-", "mayfly-3-" FORMS);
    expect_refused("mayfly--3", "mayfly--3" FORMS);
    expect_refused("Mayfly-3", "Mayfly-3" FORMS);
    expect_refused("mayfly_3", "mayfly_3" FORMS);
    expect_refused("mayfly-0x3", "mayfly-0x3" FORMS);
    expect_refused("-3", "-3 0 40000");
    expect_refused("3-4", "3-4 -4 0 40000");
    expect_refused("mayfly-40001", "40001 0 40000");
    expect_refused("mayfly-99999999999", "99999999999 0 40000");
    assert_int_equal(read_with(NULL, "MAYFLY_INSTANCE=mayfly-254"), MF_E_RANGE);
    assert_names(s_config.error, "254 255 254 --sysid");
}

/* @return the second default client, of which PX4 has one for each of ten instances only */
static const struct mf_config_link *onboard_of(const char *flag)
{
    const struct mf_config_link *found = NULL;
    assert_int_equal(read_with(flag, NULL), MF_E_OK);
    for (int i = 0; i < s_config.link_count; i++) {
        found = s_config.link[i].kind == MF_LINK_UDP_OUT ? &s_config.link[i] : found;
    }
    return found;
}

static void test_instances_behind_nine_know_that_they_share_a_port(void **state)
{
    (void)state;
    assert_string_equal(onboard_of("--instance=9")->address, "127.0.0.1:14549@14589");
    assert_false(onboard_of("--instance=9")->is_shared);
    assert_string_equal(onboard_of("--instance=10")->address, "127.0.0.1:14549@14590");
    assert_true(onboard_of("--instance=10")->is_shared);
    assert_true(onboard_of("--instance=253")->is_shared);
    assert_int_equal(read_with("--udp-out=127.0.0.1:14549", "MAYFLY_INSTANCE=10"), MF_E_OK);
    for (int i = 0; i < s_config.link_count; i++) {
        assert_false(s_config.link[i].is_shared); /* this one was asked for */
    }
}

/* Where an instance stands [1e-9 deg], by other formulas: the equation of geodesics, integrated. */
static void expect_place(int instance, const char *home, const char *spread, double lat_deg,
                         double lon_deg)
{
    char text[3][64];
    (void)snprintf(text[0], sizeof text[0], "--instance=%d", instance);
    (void)snprintf(text[1], sizeof text[1], "--home=%s", home);
    (void)snprintf(text[2], sizeof text[2], "--home-spread=%s", spread);
    char *argv[] = {(char[]){"mayfly"}, text[0], text[1], text[2], NULL};
    char *env[] = {NULL};
    assert_int_equal(mf_config_read(&s_config, 4, argv, env), MF_E_OK);
    assert_true(fabs(s_config.home_lat_deg - lat_deg) < 1.5e-9);
    assert_true(fabs(s_config.home_lon_deg - lon_deg) < 1.5e-9);
    assert_true(s_config.home_alt_amsl_m == 488.0);
    assert_true(s_config.home_spread_m == 0.0); /* has been used */
}

static void test_instances_stand_on_a_grid_around_home(void **state)
{
    (void)state;
    const char *const home = "47.397742,8.545594,488";
    expect_place(0, home, "20", 47.397742, 8.545594);
    expect_place(1, home, "20", 47.397921891, 8.545594);
    expect_place(2, home, "20", 47.397921890, 8.545858938);
    expect_place(3, home, "20", 47.397742, 8.545858937);
    expect_place(4, home, "20", 47.397562109, 8.545858936);
    expect_place(5, home, "20", 47.397562109, 8.545594);
    expect_place(6, home, "20", 47.397562109, 8.545329064);
    expect_place(7, home, "20", 47.397742, 8.545329063);
    expect_place(8, home, "20m", 47.397921890, 8.545329062);
    expect_place(9, home, "20", 47.398101781, 8.545594);
    expect_place(23, home, "20", 47.398101779, 8.545064124);
    expect_place(24, home, "20", 47.398101781, 8.545329062);
    expect_place(3, "-33.9,179.99999,488", "1000", -33.899999526, -179.989198360);
    assert_int_equal(read_with("--instance=7", NULL), MF_E_OK); /* by default all are at home */
    assert_true(s_config.home_lat_deg == 47.397742 && s_config.home_lon_deg == 8.545594);
}

static void test_no_two_of_a_thousand_stand_closer_than_the_spacing(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static struct mf_geo place[COUNT];
    for (int i = 0; i < COUNT; i++) {
        s_config.instance = i;
        s_config.home_lat_deg = 0.0;
        s_config.home_lon_deg = 0.0;
        s_config.home_spread_m = 20.0;
        mf_config_spread_home(&s_config);
        place[i] = (struct mf_geo){s_config.home_lat_deg, s_config.home_lon_deg};
        for (int other = 0; other < i; other++) {
            const double north_m = (place[i].lat_deg - place[other].lat_deg) * 110574.0;
            const double east_m = (place[i].lon_deg - place[other].lon_deg) * 111320.0;
            assert_true(north_m * north_m + east_m * east_m > 19.99 * 19.99);
        }
    }
}

static void test_a_spread_that_is_printed_is_not_applied_again(void **state)
{
    (void)state;
    char text[8192];
    char *argv[] = {(char[]){"mayfly"}, (char[]){"--instance=3"}, (char[]){"--home-spread=20"}};
    char *env[] = {NULL};
    assert_int_equal(mf_config_read(&s_config, 3, argv, env), MF_E_OK);
    FILE *out = fmemopen(text, sizeof text, "w");
    mf_config_print(&s_config, out);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "\nhome_spread: 0 # m\n"));
    assert_non_null(strstr(text, "  lon: 8.5458589"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim001_a_pod_of_a_statefulset_knows_its_number),
        cmocka_unit_test(test_a_name_without_a_number_is_refused),
        cmocka_unit_test(test_instances_behind_nine_know_that_they_share_a_port),
        cmocka_unit_test(test_instances_stand_on_a_grid_around_home),
        cmocka_unit_test(test_no_two_of_a_thousand_stand_closer_than_the_spacing),
        cmocka_unit_test(test_a_spread_that_is_printed_is_not_applied_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
