/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/overhead.h: SVG of a scene of 100 m, so 6 px are a metre, and its frame is 20 px wide. At
 * the origin, on the equator, a degree of longitude is 111,319.49 m, one of latitude 110,574.28 m.
 */
#include "fleet/overhead.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LAT(north_m) ((north_m) / 110574.2758)
#define LON(east_m)  ((east_m) / 111319.4908)

struct point {
    uint32_t member;
    struct mf_geo at;
};

static struct mf_scenario_entity s_entity[2];
static struct mf_scenario_obstacle s_obstacle[4];
static struct mf_scenario s_scenario;
static const struct point *s_point;
static char *s_svg;
static const double *s_station_ne_m;
static const struct mf_overhead_note *s_note;

static uint32_t point(const void *ctx, size_t k, struct mf_geo *at)
{
    const struct point *p = *(const struct point *const *)ctx;
    *at = p[k].at;
    return p[k].member;
}

static const char *thing(const void *ctx, uint32_t member, double *ne_m)
{
    (void)ctx;
    ne_m[0] = 10.0 * member;
    ne_m[1] = 50.0;
    return "#303030";
}

/* Member 0 is "d"; members 1 and 2 are the things "t.1" and "t.2". */
static int begin(void **state)
{
    static const struct {
        const char *name;
        int32_t as;
        uint32_t first, count;
    } k[] = {{"d", MF_SCENARIO_KIND_VEHICLE, 0, 1}, {"t", MF_SCENARIO_KIND_THING, 1, 2}};
    (void)state;
    memset(s_entity, 0, sizeof s_entity);
    s_scenario = (struct mf_scenario){.entity = s_entity, .search.obstacle = s_obstacle};
    for (size_t i = 0; i < 2; i++) {
        struct mf_scenario_entity *e = &s_scenario.entity[i];
        (void)snprintf(e->name, sizeof e->name, "%s", k[i].name);
        e->as = k[i].as;
        e->first = k[i].first;
        e->count = k[i].count;
    }
    s_scenario.entities = 1;
    s_scenario.members = 1;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(s_svg);
    s_svg = NULL;
    s_station_ne_m = NULL;
    s_note = NULL;
    return 0;
}

static const char *draw(const struct point *p, size_t count)
{
    size_t n = 0;
    FILE *to = open_memstream(&s_svg, &n);
    assert_non_null(to);
    s_point = p;
    mf_overhead_write(&(struct mf_overhead){.scenario = &s_scenario,
                                            .points = count,
                                            .point = point,
                                            .thing = thing,
                                            .ctx = &s_point,
                                            .station_ne_m = s_station_ne_m,
                                            .note = s_note},
                      to);
    (void)fclose(to);
    return s_svg;
}

static void must_have(const char *part)
{
    if (strstr(s_svg, part) == NULL) {
        fail_msg("no '%s' in\n%s", part, s_svg);
    }
}

/* From the origin 100 m east, and 50 m north of it. */
static const struct point k_way[] = {
    {0, {0.0, 0.0}}, {0, {0.0, LON(100.0)}}, {0, {LAT(50.0), 0.0}}};

static void test_without_points_there_is_no_picture(void **state)
{
    (void)state;
    assert_string_equal(draw(k_way, 0), "");
}

static void test_a_way_in_its_frame(void **state)
{
    (void)state;
    (void)draw(k_way, 3);
    must_have("width=\"760\" height=\"400\""); /* 600 + 40 + 120; 18 px of 20 names + 40 */
    must_have("points=\"20.0,320.0 620.0,320.0 20.0,20.0 \"");
    must_have("stroke=\"#1F77B4\"");
    must_have("<title>d</title></polyline>");
    must_have("<text x=\"640.0\" y=\"34.0\" fill=\"#1F77B4\">d</text>");
    assert_string_equal(s_svg + strlen(s_svg) - 7u, "</svg>\n");
}

static void test_a_high_picture_is_as_high_as_it_must(void **state)
{
    static const struct point k[] = {{0, {0.0, 0.0}}, {0, {LAT(100.0), LON(10.0)}}};
    (void)state;
    (void)draw(k, 2);
    must_have("width=\"220\" height=\"640\""); /* 60 + 40 + 120; 600 + 40 */
}

/* A scene smaller than a metre is not magnified further. */
static void test_a_member_that_stayed_is_a_point(void **state)
{
    (void)state;
    (void)draw(k_way, 1);
    must_have("width=\"160\" height=\"400\"");
    must_have("points=\"20.0,20.0 \"");
}

static void test_each_member_has_its_line_and_colour(void **state)
{
    static struct point s_many[25];
    (void)state;
    s_scenario.entity[0].count = s_scenario.members = 25;
    for (uint32_t i = 0; i < 25; i++) {
        s_many[i] = (struct point){i, {0.0, LON(4.0 * i)}};
    }
    (void)draw(s_many, 25);
    size_t ways = 0, names = 0;
    for (const char *p = s_svg; (p = strstr(p, "<polyline")) != NULL; p++) {
        ways++;
    }
    for (const char *p = s_svg; (p = strstr(p, "<text")) != NULL; p++) {
        names++;
    }
    assert_int_equal(ways, 25);
    assert_int_equal(names, 20); /* the legend has no room for more */
    must_have("stroke=\"#2CA02C\"");
    must_have("y=\"52.0\" fill=\"#2CA02C\">d.2</text>");
    must_have("y=\"142.0\" fill=\"#1F77B4\">d.7</text>"); /* six colours, again from the first */
}

static void test_things_are_discs_and_belong_to_the_frame(void **state)
{
    static const struct point k[] = {{0, {0.0, 0.0}}, {0, {0.0, LON(100.0)}}};
    (void)state;
    s_scenario.entities = 2;
    s_scenario.members = 3;
    (void)draw(k, 2);
    /* t.1 is 10 m north of the way, t.2 20 m: the upper edge */
    must_have("<circle cx=\"320.0\" cy=\"80.0\" r=\"3.0\" fill=\"#303030\"><title>t.1</title>");
    must_have("<circle cx=\"320.0\" cy=\"20.0\" r=\"3.0\" fill=\"#303030\"><title>t.2</title>");
    must_have("points=\"20.0,140.0 620.0,140.0 \"");
}

/* A team's station belongs to the frame; notes stand below the names. */
static void test_a_station_and_notes(void **state)
{
    static const double k_station[] = {80.0, 50.0};
    static const struct mf_overhead_note k_note[] = {{"#D62728", "spotted"}, {NULL, NULL}};
    (void)state;
    s_station_ne_m = k_station;
    s_note = k_note;
    (void)draw(k_way, 3);
    must_have("<circle cx=\"320.0\" cy=\"20.0\" r=\"5.0\" fill=\"#303030\"></circle>");
    must_have("points=\"20.0,500.0 620.0,500.0 20.0,200.0 \"");
    must_have("<text x=\"640.0\" y=\"52.0\" fill=\"#D62728\">spotted</text>");
}

static void test_a_boundary_is_a_polygon_of_the_frame(void **state)
{
    struct mf_scenario_search *s = &s_scenario.search;
    (void)state;
    s->corners = 3;
    s->corner = (double[3][2]){{-100.0, 0.0}, {-100.0, 100.0}, {0.0, 100.0}}; /* north, east */
    (void)draw(k_way, 1);
    must_have("stroke=\"#303030\" points=\"20.0,620.0 620.0,620.0 620.0,20.0 \"");
    must_have("points=\"20.0,20.0 \"");
}

static void test_obstacles(void **state)
{
    struct mf_scenario_search *s = &s_scenario.search;
    (void)state;
    s->obstacles = 4;
    s->obstacle[0] = (struct mf_scenario_obstacle){
        .kind = MF_SCENARIO_SHAPE_BOX, .at = {10, 20, 0}, .size = {5, 10, 3}};
    s->obstacle[1] = (struct mf_scenario_obstacle){
        .kind = MF_SCENARIO_SHAPE_CYLINDER, .at = {30, 50, 0}, .radius_m = 2.5};
    s->obstacle[2] = (struct mf_scenario_obstacle){.kind = MF_SCENARIO_SHAPE_HULL};
    s->obstacle[3] = (struct mf_scenario_obstacle){.kind = MF_SCENARIO_SHAPE_MESH};
    (void)draw(k_way, 3);
    /* north 10 to 15 of 50, east 20 to 30 */
    must_have(
        "<polygon fill=\"#B8B8B8\" points=\"140.0,260.0 140.0,230.0 200.0,230.0 200.0,260.0 \"");
    must_have("<circle cx=\"320.0\" cy=\"140.0\" r=\"15.0\" fill=\"#B8B8B8\"></circle>");
    size_t shapes = 0;
    for (const char *p = s_svg; (p = strstr(p, "fill=\"#B8B8B8\"")) != NULL; p++) {
        shapes++;
    }
    assert_int_equal(shapes, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_without_points_there_is_no_picture, begin, end),
        cmocka_unit_test_setup_teardown(test_a_way_in_its_frame, begin, end),
        cmocka_unit_test_setup_teardown(test_a_high_picture_is_as_high_as_it_must, begin, end),
        cmocka_unit_test_setup_teardown(test_a_member_that_stayed_is_a_point, begin, end),
        cmocka_unit_test_setup_teardown(test_each_member_has_its_line_and_colour, begin, end),
        cmocka_unit_test_setup_teardown(test_things_are_discs_and_belong_to_the_frame, begin, end),
        cmocka_unit_test_setup_teardown(test_a_station_and_notes, begin, end),
        cmocka_unit_test_setup_teardown(test_a_boundary_is_a_polygon_of_the_frame, begin, end),
        cmocka_unit_test_setup_teardown(test_obstacles, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
