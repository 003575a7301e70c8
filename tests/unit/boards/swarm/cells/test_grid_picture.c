/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/cells/grid_picture.h: the text of the picture, by hand. A world of 6 x 4 cells has
 * cells of 600 / 6 = 100 px and an edge of 20 px; row y begins 20 + (4 - y - 1) * 100 px below the
 * top. The legend begins at 20 + 600 + 20 = 640 px, its lines at 20 + 14 + 18 k px. */
#include "boards/swarm/cells/grid_picture.h"

#include "boards/swarm/core/arena.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#define SPACE      "space:\n  cells: {size: [6, 4, 1], metres: 10}\n"
#define DRONES     "entities:\n  - {name: d, count: 2, as: agent, body: {kind: cell, speed: 1}, "
#define PLACES     "place: {list: [[0, 2], [0, 3]]}, battery: {mah: 100, move: 0.01}}\n"
#define CONTROLLER "controllers:\n  - {id: 0}\n"
#define GOTO       "controllers:\n  - {id: 0, tasks: [{goto: [2, 2], drone: d.1}]}\n"

static struct swarm_grid s_grid;
static struct swarm_grid_picture s_picture;
static struct mf_grid *s_q;
static char *s_text;

static void build(const char *text)
{
    memset(&s_grid, 0, sizeof s_grid);
    if (swarm_grid_build(swarm_of(text), &s_grid, false) != SWARM_OK) {
        fail_msg("%s", s_swarm.error);
    }
}

static void make(void)
{
    static const struct mf_grid_watch k_none;
    struct mf_memory memory = {.size = mf_grid_bytes(&s_grid.s)};
    memory.bytes = swarm_memory(&s_swarm, 1, memory.size);
    assert_non_null(memory.bytes);
    s_q = mf_grid_init(&s_grid.s, &k_none, &memory);
    assert_non_null(s_q);
}

static void run_ticks(uint32_t ticks)
{
    for (uint32_t k = 0; k < ticks; k++) {
        (void)mf_grid_tick(s_q);
        swarm_grid_picture_note(&s_picture, &s_grid, s_q);
    }
}

static const char *written(void)
{
    size_t n = 0;
    free(s_text);
    s_text = NULL;
    FILE *to = open_memstream(&s_text, &n);
    assert_non_null(to);
    swarm_grid_picture_write(&s_picture, &s_swarm, &s_grid, s_q, to);
    assert_int_equal(fclose(to), 0);
    swarm_grid_picture_free(&s_picture);
    assert_null(s_picture.steps.at);
    assert_null(s_picture.last);
    return s_text;
}

static void has(const char *part)
{
    if (strstr(s_text, part) == NULL) {
        fail_msg("no '%s' in\n%s", part, s_text);
    }
}

static uint32_t count_of(const char *part)
{
    uint32_t n = 0;
    for (const char *at = s_text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        n++;
    }
    return n;
}

static int end(void **state)
{
    (void)state;
    free(s_picture.steps.at);
    free(s_picture.last);
    free(s_text);
    s_text = NULL;
    memset(&s_picture, 0, sizeof s_picture);
    return 0;
}

/* 600 + 2 * 20 + 160 = 800 px wide; the legend of 24 * 18 = 432 px is higher than the cells' 400
 * px: 432 + 2 * 20 = 472 px high. */
static void test_an_empty_world_is_a_frame(void **state)
{
    (void)state;
    build(SPACE DRONES PLACES CONTROLLER);
    make();
    assert_string_equal(written(),
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"472\" "
                        "font-family=\"sans-serif\" font-size=\"13\">\n"
                        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
                        "<rect x=\"20\" y=\"20\" width=\"600.0\" height=\"400.0\" fill=\"#F4F7FA\" "
                        "stroke=\"#303030\"/>\n</svg>\n");
}

/* The longer side has 600 px: 4 x 10 cells of 60 px are 240 + 200 = 440 px wide, 640 px high. */
static void test_the_longer_side_sets_the_scale(void **state)
{
    (void)state;
    build("space:\n  cells: {size: [4, 10, 1], metres: 10}\n  blocked: [[1, 9]]\n" DRONES PLACES
              CONTROLLER);
    make();
    (void)written();
    has("width=\"440\" height=\"640\"");
    has("<rect x=\"80.00\" y=\"20.00\" width=\"60.00\" height=\"60.00\" fill=\"#606060\"/>\n");
}

/* Walls [3, 0], [4, 0] are neighbours: 20 + 300 px, row 0 at 20 + 300 px. The package is at [1, 2]:
 * 120 px, row 2 at 120 px. The charger is at [5, 3]: 520 px, row 3 at 20 px. The legend has them in
 * the order of rows. */
static void test_cells_have_colours_that_the_legend_names(void **state)
{
    (void)state;
    build(SPACE "  blocked: [[3, 0], [4, 0]]\n  attributes: [[1, 2, package, 7]]\n" DRONES PLACES
                "  - {name: c, thing: charger, rate: 100, place: [5, 3]}\n" CONTROLLER);
    make();
    (void)written();
    has("<rect x=\"320.00\" y=\"320.00\" width=\"200.00\" height=\"100.00\" fill=\"#606060\"/>\n"
        "<text x=\"640.0\" y=\"34.0\" fill=\"#606060\">blocked</text>\n"
        "<rect x=\"120.00\" y=\"120.00\" width=\"100.00\" height=\"100.00\" fill=\"#9CC3E6\"/>\n"
        "<text x=\"640.0\" y=\"52.0\" fill=\"#9CC3E6\">package</text>\n"
        "<rect x=\"520.00\" y=\"20.00\" width=\"100.00\" height=\"100.00\" fill=\"#E6B800\"/>\n"
        "<text x=\"640.0\" y=\"70.0\" fill=\"#E6B800\">charger</text>\n</svg>\n");
}

/* Walls of two rows are two rectangles, and one line of the legend. */
static void test_the_legend_names_a_letter_once(void **state)
{
    (void)state;
    build(SPACE "  blocked: [[3, 0], [5, 0], [3, 1]]\n" DRONES PLACES CONTROLLER);
    make();
    (void)written();
    assert_int_equal(count_of("fill=\"#606060\"/>"), 3);
    assert_int_equal(count_of("<text "), 1);
}

/* The picture shows the lowest of two levels that has something: at [1, 1] the package below a
 * wall, at [2, 1] the wall alone. */
static void test_the_lowest_level_that_has_something_is_seen(void **state)
{
    (void)state;
    build("space:\n  cells: {size: [6, 4, 2], metres: 10}\n  blocked: [[1, 1, 1], [2, 1, 1]]\n"
          "  attributes: [[1, 1, package, 7]]\n" DRONES PLACES CONTROLLER);
    make();
    (void)written();
    has("<rect x=\"120.00\" y=\"220.00\" width=\"100.00\" height=\"100.00\" fill=\"#9CC3E6\"/>\n");
    has("<rect x=\"220.00\" y=\"220.00\" width=\"100.00\" height=\"100.00\" fill=\"#606060\"/>\n");
}

static void test_a_name_is_text_not_markup(void **state)
{
    (void)state;
    build(SPACE "  attributes: [[1, 2, package, 7]]\n" DRONES PLACES CONTROLLER);
    (void)snprintf(s_grid.checked.attribute[0].name, sizeof s_grid.checked.attribute[0].name,
                   "a<&>b");
    make();
    (void)written();
    has(">a&#60;&#38;>b</text>");
}

/* d.1 flies from [0, 2] to [2, 2] and home, one cell per tick; middles are at 20 + 50 + 100 x px,
 * 20 + 150 px. d.2 stays at [0, 3], 20 + 50 px below the top. */
static void test_ways_of_drones(void **state)
{
    (void)state;
    build(SPACE DRONES PLACES GOTO);
    make();
    run_ticks(12);
    (void)written();
    has("<polyline fill=\"none\" stroke=\"#1F77B4\" stroke-width=\"1.5\" "
        "points=\"70.0,170.0 170.0,170.0 270.0,170.0 170.0,170.0 70.0,170.0 "
        "\"><title>d.1</title></polyline>\n"
        "<circle cx=\"70.0\" cy=\"170.0\" r=\"4\" fill=\"#1F77B4\"/>\n"
        "<text x=\"640.0\" y=\"34.0\" fill=\"#1F77B4\">d.1</text>\n"
        "<polyline fill=\"none\" stroke=\"#D62728\" stroke-width=\"1.5\" "
        "points=\"70.0,70.0 \"><title>d.2</title></polyline>\n"
        "<circle cx=\"70.0\" cy=\"70.0\" r=\"4\" fill=\"#D62728\"/>\n"
        "<text x=\"640.0\" y=\"52.0\" fill=\"#D62728\">d.2</text>\n</svg>\n");
}

/* A drone has a step when it appears and when it moves, none when it stays: d.2 appears in tick 3.
 */
static void test_a_drone_that_stays_adds_no_step(void **state)
{
    (void)state;
    build(SPACE DRONES PLACES CONTROLLER);
    s_grid.drone[1].appears = 3;
    make();
    run_ticks(2);
    assert_int_equal(s_picture.steps.count, 1);
    run_ticks(5);
    assert_int_equal(s_picture.steps.count, 2);
    assert_int_equal(((struct swarm_grid_step *)s_picture.steps.at)[0].drone, 1);
    assert_int_equal(((struct swarm_grid_step *)s_picture.steps.at)[0].cell, 12); /* 6 * 2 + 0 */
    assert_int_equal(((struct swarm_grid_step *)s_picture.steps.at)[1].drone, 2);
    assert_int_equal(((struct swarm_grid_step *)s_picture.steps.at)[1].cell, 18);
    assert_int_equal(s_picture.last[1], 19);
    assert_false(s_picture.steps.failed);
}

/* The legend has 24 of 30 drones, and the seventh has the colour of the first. */
static void test_a_legend_has_an_end(void **state)
{
    char text[2048] = "space:\n  cells: {size: [30, 4, 1], metres: 10}\nentities:\n"
                      "  - {name: d, count: 30, as: agent, body: {kind: cell, speed: 1}, "
                      "battery: {mah: 100, move: 0.01}, place: {list: [";
    (void)state;
    for (uint32_t k = 0; k < 30; k++) {
        const size_t n = strlen(text);
        (void)snprintf(text + n, sizeof text - n, "%s[%u, 0]", k > 0 ? ", " : "", k);
    }
    (void)strcat(text, "]}}\n" CONTROLLER);
    build(text);
    make();
    run_ticks(2);
    (void)written();
    assert_int_equal(count_of("<polyline "), 30);
    assert_int_equal(count_of("<text "), 24);
    has("y=\"448.0\" fill=\"#8C564B\">d.24</text>"); /* 34 + 18 * 23; 24 = 4 * 6 */
    has("fill=\"#1F77B4\">d.7</text>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_an_empty_world_is_a_frame, end),
        cmocka_unit_test_teardown(test_the_longer_side_sets_the_scale, end),
        cmocka_unit_test_teardown(test_cells_have_colours_that_the_legend_names, end),
        cmocka_unit_test_teardown(test_the_legend_names_a_letter_once, end),
        cmocka_unit_test_teardown(test_the_lowest_level_that_has_something_is_seen, end),
        cmocka_unit_test_teardown(test_a_name_is_text_not_markup, end),
        cmocka_unit_test_teardown(test_ways_of_drones, end),
        cmocka_unit_test_teardown(test_a_drone_that_stays_adds_no_step, end),
        cmocka_unit_test_teardown(test_a_legend_has_an_end, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
