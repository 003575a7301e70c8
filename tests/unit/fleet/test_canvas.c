/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/canvas.h: pixels of lines and discs, marked by hand on squared paper. */
#include "fleet/canvas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WIDTH  6u
#define HEIGHT 4u
#define INK    0x102030u

static uint8_t s_rgb[HEIGHT * WIDTH * 3u + 1u];
static struct mf_canvas s_canvas = {WIDTH, HEIGHT, s_rgb};

static int clear(void **state)
{
    (void)state;
    memset(s_rgb, 0xEE, sizeof s_rgb);
    mf_canvas_fill(&s_canvas, 0);
    return 0;
}

/* Compare the picture with rows of text: '#' is a pixel of INK, anything else is black. */
static void assert_picture(const char *expected)
{
    char picture[HEIGHT * (WIDTH + 1u) + 1u] = "";
    size_t n = 0;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            const uint8_t *p = s_rgb + (y * WIDTH + x) * 3u;
            const uint32_t colour = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
            picture[n++] = (char)(colour == INK ? '#' : colour == 0 ? '.' : '?');
        }
        picture[n++] = '\n';
    }
    assert_string_equal(picture, expected);
    assert_int_equal(s_rgb[sizeof s_rgb - 1u], 0xEE); /* the byte behind the picture */
}

static void test_fill_gives_each_byte_of_each_pixel_its_part(void **state)
{
    (void)state;
    assert_int_equal(mf_canvas_bytes(&s_canvas), 72);
    mf_canvas_fill(&s_canvas, 0x0A0B0C);
    for (size_t i = 0; i < 72; i += 3) {
        assert_int_equal(s_rgb[i], 0x0A);
        assert_int_equal(s_rgb[i + 1u], 0x0B);
        assert_int_equal(s_rgb[i + 2u], 0x0C);
    }
    assert_int_equal(s_rgb[72], 0xEE);
}

/* LDS-13: pixels whose centres are within; a box may reach beyond the picture. */
static void test_a_box_has_the_pixels_whose_centres_it_covers(void **state)
{
    (void)state;
    mf_canvas_box(&s_canvas, 1.0, 1.0, 3.0, 2.0, INK);
    assert_picture("......\n"
                   ".##...\n"
                   "......\n"
                   "......\n");
    mf_canvas_box(&s_canvas, 3.4, 1.5, 99.0, 3.4, INK);
    assert_picture("......\n"
                   ".#####\n"
                   "...###\n"
                   "......\n");
    mf_canvas_box(&s_canvas, -9.0, 2.6, 0.4, 9.0, INK);
    mf_canvas_box(&s_canvas, -9.0, 2.6, 0.6, 9.0, INK);
    assert_picture("......\n"
                   ".#####\n"
                   "...###\n"
                   "#.....\n");
}

static void test_a_level_line_has_both_ends(void **state)
{
    (void)state;
    mf_canvas_line(&s_canvas, 1, 2, 4, 2, INK);
    assert_picture("......\n......\n.####.\n......\n");
}

static void test_a_line_may_run_backwards(void **state)
{
    (void)state;
    mf_canvas_line(&s_canvas, 3, 3, 0, 0, INK);
    assert_picture("#.....\n.#....\n..#...\n...#..\n");
}

/* Rows 0.5 and 1.5 round up: y is 0, 0.5, 1, 1.5, 2 at x from 0 to 4. */
static void test_a_gentle_line_has_one_pixel_in_each_column(void **state)
{
    (void)state;
    mf_canvas_line(&s_canvas, 0, 0, 4, 2, INK);
    assert_picture("#.....\n.##...\n...##.\n......\n");
}

static void test_a_line_without_length_is_a_pixel(void **state)
{
    (void)state;
    mf_canvas_line(&s_canvas, 5, 3, 5, 3, INK);
    assert_picture("......\n......\n......\n.....#\n");
}

static void test_a_line_is_cut_at_the_edges(void **state)
{
    (void)state;
    mf_canvas_line(&s_canvas, -100, 1, 100, 1, INK);
    assert_picture("......\n######\n......\n......\n");
    mf_canvas_line(&s_canvas, 2, -1e6, 2, 1e6, INK);
    assert_picture("..#...\n######\n..#...\n..#...\n");
}

/* A step is at most a pixel long from edge to edge; by hand: x = 2.5, 3.375, 4.25, 5.125 and
 * y = 0.2, 0.64, 1.08, 1.51; x = 0, 0.775, 1.55 and y = 2.45, 2.84, 3.23; x = 0, 0.97 and y = 2.55,
 * 3.03. */
static void test_a_cut_line_begins_and_ends_at_the_edge(void **state)
{
    (void)state;
    mf_canvas_line(&s_canvas, 2.5, 0.2, 10.5, 4.2, INK);
    assert_picture("...#..\n...##.\n.....#\n......\n");
    mf_canvas_fill(&s_canvas, 0);
    mf_canvas_line(&s_canvas, -4.5, 0.2, 3.5, 4.2, INK);
    assert_picture("......\n......\n#.....\n.##...\n");
    mf_canvas_fill(&s_canvas, 0);
    mf_canvas_line(&s_canvas, -4.5, 0.3, 3.5, 4.3, INK);
    assert_picture("......\n......\n......\n##....\n");
    mf_canvas_fill(&s_canvas, 0);
    mf_canvas_line(&s_canvas, -1, 1, 1, -1, INK); /* only the corner */
    assert_picture("#.....\n......\n......\n......\n");
}

static void test_a_line_on_the_first_edges_is_drawn(void **state)
{
    (void)state;
    mf_canvas_line(&s_canvas, 0, 0, 0, 3, INK);
    assert_picture("#.....\n#.....\n#.....\n#.....\n");
    mf_canvas_line(&s_canvas, 0, 0, 5, 0, INK);
    assert_picture("######\n#.....\n#.....\n#.....\n");
}

static void test_a_line_outside_draws_no_pixel(void **state)
{
    (void)state;
    mf_canvas_line(&s_canvas, 0, -1, 5, -1, INK);       /* above */
    mf_canvas_line(&s_canvas, 0, 4, 5, 4, INK);         /* on the edge below the last pixels */
    mf_canvas_line(&s_canvas, -5, 0, -1, 9, INK);       /* to the left */
    mf_canvas_line(&s_canvas, -1, 0, -1, 3, INK);       /* to the left, upright */
    mf_canvas_line(&s_canvas, 7, -20, 30, 0, INK);      /* to the right, past the corner */
    mf_canvas_line(&s_canvas, -0.25, 0, -0.25, 3, INK); /* its pixels would round to 0 */
    mf_canvas_line(&s_canvas, 0, -0.25, 5, -0.25, INK);
    assert_picture("......\n......\n......\n......\n");
}

/* Centres of pixels are at .5: those of a 2 by 2 square are 0.707 from their common corner. */
static void test_a_disc_has_the_pixels_whose_centres_are_within(void **state)
{
    (void)state;
    mf_canvas_disc(&s_canvas, 2, 2, 0.7, INK);
    assert_picture("......\n......\n......\n......\n");
    mf_canvas_disc(&s_canvas, 2, 2, 0.71, INK);
    assert_picture("......\n.##...\n.##...\n......\n");
}

static void test_a_disc_is_cut_at_the_corner(void **state)
{
    (void)state;
    mf_canvas_disc(&s_canvas, 5.5, 3.5, 1.0, INK); /* its right and lower neighbours are outside */
    assert_picture("......\n......\n.....#\n....##\n");
}

static void test_ppm_is_a_head_and_the_pixels(void **state)
{
    char *text = NULL;
    size_t n = 0;
    (void)state;
    FILE *to = open_memstream(&text, &n);
    assert_non_null(to);
    mf_canvas_fill(&s_canvas, 0x414243);
    assert_true(mf_canvas_write(&s_canvas, to));
    assert_int_equal(fclose(to), 0);
    assert_int_equal(n, 11 + 72);
    assert_memory_equal(text, "P6\n6 4\n255\nABCABC", 17);
    free(text);
}

static void test_a_file_without_room_is_reported(void **state)
{
    char room[20];
    (void)state;
    FILE *to = fmemopen(room, sizeof room, "w");
    assert_non_null(to);
    (void)setvbuf(to, NULL, _IONBF, 0);
    assert_false(mf_canvas_write(&s_canvas, to));
    (void)fclose(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_fill_gives_each_byte_of_each_pixel_its_part, clear),
        cmocka_unit_test_setup(test_a_box_has_the_pixels_whose_centres_it_covers, clear),
        cmocka_unit_test_setup(test_a_level_line_has_both_ends, clear),
        cmocka_unit_test_setup(test_a_line_may_run_backwards, clear),
        cmocka_unit_test_setup(test_a_gentle_line_has_one_pixel_in_each_column, clear),
        cmocka_unit_test_setup(test_a_line_without_length_is_a_pixel, clear),
        cmocka_unit_test_setup(test_a_line_is_cut_at_the_edges, clear),
        cmocka_unit_test_setup(test_a_cut_line_begins_and_ends_at_the_edge, clear),
        cmocka_unit_test_setup(test_a_line_on_the_first_edges_is_drawn, clear),
        cmocka_unit_test_setup(test_a_line_outside_draws_no_pixel, clear),
        cmocka_unit_test_setup(test_a_disc_has_the_pixels_whose_centres_are_within, clear),
        cmocka_unit_test_setup(test_a_disc_is_cut_at_the_corner, clear),
        cmocka_unit_test_setup(test_ppm_is_a_head_and_the_pixels, clear),
        cmocka_unit_test_setup(test_a_file_without_room_is_reported, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
