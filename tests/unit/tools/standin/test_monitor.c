/* SPDX-License-Identifier: Apache-2.0 */
/* SIM-041: volumes above WGS84, and what the cloud service says of those who report. */
#include "tests/unit/support/names.h"
#include "tools/standin/monitor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ALTITUDES(lower, upper)                                                \
    "\"altitude_lower\":{\"value\":" lower ",\"reference\":\"W84\",\"units\":" \
    "\"M\"},"                                                                  \
    "\"altitude_upper\":{\"value\":" upper ",\"reference\":\"W84\",\"units\":\"M\"}"
#define CIRCLE                                                                                    \
    "{\"outline_circle\":{\"center\":{\"lat\":47,\"lng\":8},\"radius\":{\"value\":100,\"units\":" \
    "\"M\"}}," ALTITUDES("500", "600") "}"
/* Across the antimeridian. */
#define TRIANGLE                                                                             \
    "{\"outline_polygon\":{\"vertices\":[{\"lat\":0,\"lng\":179},{\"lat\":0,\"lng\":-179},{" \
    "\"lat\":1,\"lng\":180}]}," ALTITUDES("-10", "20") "}"

static struct standin_monitor s_monitor;

static struct mf_geo at(double lat_deg, double lon_deg)
{
    return (struct mf_geo){.lat_deg = lat_deg, .lon_deg = lon_deg};
}

static void test_sim041_a_place_is_in_a_volume_up_to_its_border(void **state)
{
    static struct standin_volumes v;
    char error[200];
    (void)state;
    assert_true(standin_volumes_parse("[" CIRCLE "," TRIANGLE "]", &v, error, sizeof error));
    assert_int_equal(v.count, 2);
    assert_true(standin_volumes_hold(&v, at(47, 8), 500));
    assert_true(standin_volumes_hold(&v, at(47, 8), 600));
    assert_false(standin_volumes_hold(&v, at(47, 8), 499.99));
    assert_false(standin_volumes_hold(&v, at(47, 8), 600.01));
    assert_true(standin_volumes_hold(&v, at(47.00089, 8), 550));  /* 98.96 m */
    assert_false(standin_volumes_hold(&v, at(47.00091, 8), 550)); /* 101.2 m */
    assert_true(standin_volumes_hold(&v, at(0.5, 179.9), 0));
    assert_true(standin_volumes_hold(&v, at(0.5, -179.9), 0));
    assert_false(standin_volumes_hold(&v, at(0.5, 178.9), 0));
    assert_false(standin_volumes_hold(&v, at(0.5, 0), 0));
    assert_false(standin_volumes_hold(&v, at(0.5, 179.9), 20.5));
}

static void test_wrong_volumes_are_refused_with_their_number(void **state)
{
    static const struct {
        const char *text, *data;
    } k_wrong[] = {
        {"", "JSON list 1 16"},
        {"{}", "JSON list 1 16"},
        {"[]", "1 16 volumes"},
        {"[" CIRCLE ",{}]", "volume 2 altitude_lower altitude_upper W84"},
        {"[{" ALTITUDES("5", "4") "}]", "volume 1 altitude_lower altitude_upper"},
        {"[{" ALTITUDES("4", "5") "}]", "volume 1 outline_circle outline_polygon 3 64"},
        {"[{\"outline_circle\":{\"center\":{\"lat\":91,\"lng\":8},\"radius\":{\"value\":1,"
         "\"units\":\"M\"}}," ALTITUDES("4", "5") "}]",
         "volume 1 outline_circle"},
        {"[{\"outline_polygon\":{\"vertices\":[1,2,3]}," ALTITUDES("4", "5") "}]",
         "volume 1 vertex"},
        {"[{\"altitude_lower\":{\"value\":1,\"reference\":\"EGM96\",\"units\":\"M\"}}]",
         "volume 1 altitude_lower altitude_upper W84"},
    };
    static struct standin_volumes v;
    char error[200];
    (void)state;
    for (size_t i = 0; i < sizeof k_wrong / sizeof k_wrong[0]; i++) {
        assert_false(standin_volumes_parse(k_wrong[i].text, &v, error, sizeof error));
        assert_names(error, k_wrong[i].data);
    }
}

static int set_up(void **state)
{
    char error[200];
    (void)state;
    memset(&s_monitor, 0, sizeof s_monitor);
    (void)pthread_mutex_init(&s_monitor.lock, NULL);
    return standin_volumes_parse("[" CIRCLE "]", &s_monitor.volumes, error, sizeof error) ? 0 : -1;
}

/* @return how many were outside so far; -1: refused */
static int report(const char *name, const char *body)
{
    const char *why;
    json_t *answer = standin_monitor_take(&s_monitor, name, body, &why);
    const int outside =
        answer != NULL ? (int)json_integer_value(json_object_get(answer, "outside")) : -1;
    assert_true((answer == NULL) == (why != NULL));
    json_decref(answer);
    return outside;
}

#define AT(altitude) "{\"time_us\":1,\"lat_deg\":47,\"lon_deg\":8.0,\"alt_wgs84_m\":" altitude "}"

static void test_sim041_one_report_outside_is_not_forgotten(void **state)
{
    (void)state;
    assert_int_equal(report("a", "{\"reports\":[" AT("550") "," AT("601") "," AT("550") "]}"), 1);
    assert_int_equal(report("a", "{\"reports\":[" AT("580") "]}"), 1);
    assert_int_equal(report("b", "{\"reports\":[]}"), 0);
    json_t *list = standin_monitor_list(&s_monitor);
    const json_t *all = json_object_get(list, "instances"), *a = json_array_get(all, 0);
    assert_int_equal(json_array_size(all), 2);
    assert_string_equal(json_string_value(json_object_get(a, "state")), "nonconforming");
    assert_int_equal(json_integer_value(json_object_get(a, "reports")), 4);
    assert_true(json_number_value(
                    json_object_get(json_object_get(a, "first_outside"), "alt_wgs84_m")) == 601.0);
    assert_string_equal(json_string_value(json_object_get(json_array_get(all, 1), "state")),
                        "conforming");
    json_decref(list);
}

static void test_a_wrong_report_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(report("a", ""), -1);
    assert_int_equal(report("a", "[]"), -1);
    assert_int_equal(report("a", "{\"reports\":1}"), -1);
    assert_int_equal(report("a", "{\"reports\":[" AT("700") ",{\"time_us\":1}]}"), -1);
    assert_int_equal(report("a", "{\"reports\":[" AT("\"1\"") "]}"), -1);
    assert_int_equal(s_monitor.count, 0);
}

static void test_there_is_room_for_so_many(void **state)
{
    char name[20];
    (void)state;
    for (unsigned i = 0; i < STANDIN_INSTANCES_MAX; i++) {
        (void)snprintf(name, sizeof name, "i%u", i);
        assert_int_equal(report(name, "{\"reports\":[]}"), 0);
    }
    assert_int_equal(report("one more", "{\"reports\":[]}"), -1);
    assert_int_equal(report("i7", "{\"reports\":[" AT("550") "]}"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim041_a_place_is_in_a_volume_up_to_its_border),
        cmocka_unit_test(test_wrong_volumes_are_refused_with_their_number),
        cmocka_unit_test_setup(test_sim041_one_report_outside_is_not_forgotten, set_up),
        cmocka_unit_test_setup(test_a_wrong_report_changes_nothing, set_up),
        cmocka_unit_test_setup(test_there_is_room_for_so_many, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
