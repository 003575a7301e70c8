/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/output/tracks.h: files of viewers, of points whose numbers are round. */
#include "boards/swarm/output/tracks.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#define EPOCH_US INT64_C(1700000000000000) /* 2023-11-14T22:13:20Z */

static char *s_text;

static const struct swarm_point k_point[] = {{0, SWARM_TRACK_KML, 0, 47.5, 8.25, 500.0},
                                             {0, SWARM_TRACK_KML, 1500000, 47.5000001, 8.25, 510.5},
                                             {1, SWARM_TRACK_KML, 500000, -1.0, -2.0, 3.0}};

static int begin(void **state)
{
    (void)state;
    (void)swarm_of("time: {end: 1}\nentities:\n  - {name: d, count: 2, behaviour: walk}\n"
                   "  - {name: t, thing: beacon, place: [1, 2]}\n");
    s_scenario.time.epoch_us = EPOCH_US;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(s_text);
    s_text = NULL;
    return 0;
}

static const char *write_file(enum swarm_track of, size_t count)
{
    size_t n = 0;
    free(s_text);
    FILE *to = open_memstream(&s_text, &n);
    assert_non_null(to);
    swarm_tracks_write(&s_swarm, of, k_point, count, to);
    (void)fclose(to);
    return s_text;
}

static void must_have(const char *part)
{
    if (strstr(s_text, part) == NULL) {
        fail_msg("no '%s' in\n%s", part, s_text);
    }
}

static size_t number_of(const char *part)
{
    size_t n = 0;
    for (const char *p = s_text; (p = strstr(p, part)) != NULL; p++) {
        n++;
    }
    return n;
}

static void test_kml_has_all_times_then_all_places(void **state)
{
    (void)state;
    (void)write_file(SWARM_TRACK_KML, 3);
    must_have("<Placemark><name>d.1</name><gx:Track><altitudeMode>absolute</altitudeMode>\n"
              "<when>2023-11-14T22:13:20.000Z</when>\n"
              "<when>2023-11-14T22:13:21.500Z</when>\n"
              "<gx:coord>8.2500000 47.5000000 500.000</gx:coord>\n"
              "<gx:coord>8.2500000 47.5000001 510.500</gx:coord>\n"
              "</gx:Track></Placemark>\n");
    must_have("<name>d.2</name>");
    must_have("<gx:coord>-2.0000000 -1.0000000 3.000</gx:coord>");
    assert_int_equal(number_of("<Placemark>"), 2);
    assert_string_equal(s_text + strlen(s_text) - 18u, "</Document></kml>\n");
}

static void test_kml_without_points_is_a_whole_file(void **state)
{
    (void)state;
    (void)write_file(SWARM_TRACK_KML, 0);
    must_have("<?xml");
    must_have("</Document></kml>\n");
    assert_int_equal(number_of("<Placemark>"), 0);
}

static void test_czml_counts_seconds_from_the_first_point(void **state)
{
    (void)state;
    (void)write_file(SWARM_TRACK_CZML, 3);
    must_have("\"interval\": \"2023-11-14T22:13:20.000Z/2023-11-14T22:13:21.500Z\"");
    must_have("\"id\": \"d.1\"");
    must_have("\"availability\": \"2023-11-14T22:13:20.000Z/2023-11-14T22:13:21.500Z\"");
    must_have("\"cartographicDegrees\": [0,8.2500000,47.5000000,500.000, "
              "1.5,8.2500000,47.5000001,510.500]");
    must_have("\"epoch\": \"2023-11-14T22:13:20.500Z\", \"cartographicDegrees\": "
              "[0,-2.0000000,-1.0000000,3.000]"); /* of d.2 */
    assert_int_equal(s_text[0], '[');
    assert_string_equal(s_text + strlen(s_text) - 2u, "]\n");
}

static void test_czml_has_a_colour_for_each_kind(void **state)
{
    (void)state;
    for (int32_t as = 0; as < MF_SCENARIO_KINDS; as++) {
        s_scenario.entity[0].as = as;
        (void)write_file(SWARM_TRACK_CZML, 2);
        assert_int_equal(number_of("null"), 0);
    }
}

static void test_geojson_has_a_line_for_each_flight(void **state)
{
    (void)state;
    (void)write_file(SWARM_TRACK_GEOJSON, 3);
    must_have("\"id\": 1, \"properties\": {\"name\": \"d.1\", \"entity\": \"d\", \"kind\": "
              "\"vehicle\", ");
    must_have("\"begin\": \"2023-11-14T22:13:20.000Z\", \"end\": \"2023-11-14T22:13:21.500Z\"");
    must_have("\"coordTimes\": [\"2023-11-14T22:13:20.000Z\", \"2023-11-14T22:13:21.500Z\"]");
    must_have("{\"type\": \"LineString\", \"coordinates\": [[8.2500000, 47.5000000, 500.000], "
              "[8.2500000, 47.5000001, 510.500]]}");
    assert_int_equal(number_of("\"Feature\""), 2);
}

static void test_geojson_of_one_place_is_a_point(void **state)
{
    (void)state;
    (void)write_file(SWARM_TRACK_GEOJSON, 3);
    must_have("{\"type\": \"Point\", \"coordinates\": [-2.0000000, -1.0000000, 3.000]}");
    assert_int_equal(number_of("}},\n{\"type\": \"Feature\""), 1);
}

static void test_members_that_do_not_arrive_have_no_remote_id(void **state)
{
    (void)state;
    (void)write_file(SWARM_TRACK_GEOJSON, 3);
    assert_int_equal(number_of("uas_id"), 0);
}

static void test_the_picture_from_above_has_a_way_for_each(void **state)
{
    (void)state;
    s_scenario.members = 2; /* without the thing, whose place only a run knows */
    (void)write_file(SWARM_TRACK_OVERHEAD, 3);
    assert_int_equal(number_of("<polyline"), 2);
    must_have("<title>d.1</title>");
    must_have("<title>d.2</title>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kml_has_all_times_then_all_places, begin, end),
        cmocka_unit_test_setup_teardown(test_kml_without_points_is_a_whole_file, begin, end),
        cmocka_unit_test_setup_teardown(test_czml_counts_seconds_from_the_first_point, begin, end),
        cmocka_unit_test_setup_teardown(test_czml_has_a_colour_for_each_kind, begin, end),
        cmocka_unit_test_setup_teardown(test_geojson_has_a_line_for_each_flight, begin, end),
        cmocka_unit_test_setup_teardown(test_geojson_of_one_place_is_a_point, begin, end),
        cmocka_unit_test_setup_teardown(test_members_that_do_not_arrive_have_no_remote_id, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_the_picture_from_above_has_a_way_for_each, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
