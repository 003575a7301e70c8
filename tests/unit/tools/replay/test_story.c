/* SPDX-License-Identifier: Apache-2.0 */
/* A flight as a page: what is read of a story, what is left out of it, and what the page holds. */
#include "tools/replay/html.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BOOT   "{\"t_s\":0,\"event\":\"boot\"}\n"
#define LAT_M  111320.0
#define EDGE_M 1e-6

static struct replay_story story;

static int free_story(void **state)
{
    (void)state;
    replay_story_free(&story);
    return 0;
}

static void read_text(const char *text, size_t n)
{
    FILE *in = tmpfile();
    assert_non_null(in);
    assert_int_equal(fwrite(text, 1, n, in), n);
    rewind(in);
    assert_true(replay_story_read(&story, in));
    (void)fclose(in);
}

static void test_lines_are_read_and_nonsense_is_left_out(void **state)
{
    static const char text[] = "100 1 2 3 4 5\n" /* before the boot */
        BOOT "{\"t_s\":1,\"event\":\"statustext\",\"text\":\"</script>\"}\n"
                               "2000000 47.5 8.25 500.125 488 359.5\n"
                               "3000000 47.5 8.25 501 488 10 47.6 8.26 502\n"
                               "4000000 47.5 nan 501 488 10\n"
                               "5000000 47.5 8.25 501 488 10 47.6\n"
                               "-1 47.5 8.25 501 488 10\n"
                               "9223372036854775807 47.5 8.25 501 488 10\n"
                               "nonsense\n" BOOT "{\"t_s\":2,\"event\":\"armed\",\"ar"; /* cut */
    (void)state;
    read_text(text, sizeof text - 1);
    assert_int_equal(story.chapters, 2);
    assert_int_equal(story.instants, 2);
    assert_int_equal(story.events, 3);
    assert_int_equal(story.chapter[0].instants, 2);
    assert_int_equal(story.chapter[1].instants, 0);
    assert_int_equal(story.instant[0].t_us, 2000000);
    assert_true(story.instant[0].alt_amsl_m == 500.125 && !story.instant[0].said);
    assert_true(story.instant[1].said && story.instant[1].said_alt_amsl_m == 502.0);
    static const char wanted[] =
        "{\"t_s\":0,\"event\":\"boot\"},\n"
        "{\"t_s\":1,\"event\":\"statustext\",\"text\":\"\\u003c/script>\"}";
    assert_int_equal(story.chapter[0].length, sizeof wanted - 1);
    assert_memory_equal(story.text, wanted, sizeof wanted - 1);
}

/* "f TIME" and ten numbers; one is not known; a line of nine, times out of range, a cut line. */
static void test_figures_are_read(void **state)
{
    static const char text[] = BOOT "f 2000000 1.25 -2 0.5 -10.5 3 nan 15.75 120 7 1\n"
                                    "f 2100000 1 2 3 4 5 6 7 8 9\n"
                                    "f -9223372036854775808 1 2 3 4 5 6 7 8 9 10\n"
                                    "f 9223372036854775807 1 2 3 4 5 6 7 8 9 10\n"
                                    "f 2200000 1 2 3 4 5 0.5 7 8 9 10"; /* without its end */
    char page[4096] = "";
    (void)state;
    read_text(text, sizeof text - 1);
    assert_int_equal(story.figures, 1);
    assert_int_equal(story.chapter[0].figures, 1);
    assert_int_equal(story.figure[0].t_us, 2000000);
    assert_true(story.figure[0].vel_ned_mps[1] == -2.0 && isnan(story.figure[0].remaining));
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_true(replay_html(&story, &(struct replay_about){.name = "f"}, out));
    rewind(out);
    bool found = false;
    while (fgets(page, sizeof page, out) != NULL) {
        found = found || strstr(page, "\"figures\":[[2000,125,-200,50,-105,30,null,1575,120,7,1]]");
    }
    assert_true(found);
    (void)fclose(out);
}

/* Two boots, and nothing in them. */
static void test_a_story_without_instants_is_thinned(void **state)
{
    static const char text[] = BOOT BOOT;
    (void)state;
    read_text(text, sizeof text - 1);
    replay_story_thin(&story, 10, 10);
    assert_int_equal(story.chapters, 2);
    assert_int_equal(story.instants, 0);
    assert_int_equal(story.figures, 0);
}

/* 1001 figures from 50 s on, 0.1 s apart; of these 100 at most, 1 s apart, and the last. */
static void test_figures_are_thinned(void **state)
{
    FILE *in = tmpfile();
    (void)state;
    assert_non_null(in);
    (void)fputs(BOOT, in);
    for (int i = 0; i <= 1000; i++) {
        (void)fprintf(in, "f %d 0 0 0 0 0 0 0 %d 0 0\n", 50000000 + 100000 * i, i);
    }
    rewind(in);
    assert_true(replay_story_read(&story, in));
    (void)fclose(in);
    replay_story_thin(&story, 100, 5000);
    assert_int_equal(story.chapter[0].figures, 1001);
    replay_story_thin(&story, 100, 100);
    assert_int_equal(story.chapter[0].figures, 101);
    assert_int_equal(story.figure[1].t_us, 51000000);
    assert_int_equal(story.figure[100].t_us, 150000000);
}

/* A link heard two boots: each has its own samples and events. */
static void test_a_flight_becomes_a_story(void **state)
{
    int64_t epoch_us[] = {INT64_C(1700000000000000), 0};
    struct replay_sample sample[] = {
        {.boot = 0,
         .t_us = 1000000,
         .lat_e7 = 475000000,
         .lon_e7 = 82500000,
         .alt_amsl_mm = 500500,
         .height_mm = 12500,
         .vel_ned_cmps = {150, -250, 25},
         .heading_cdeg = 27050},
        {.boot = 0, .t_us = 2000000, .lat_e7 = 475000001},
        {.boot = 1, .t_us = 500000, .lat_e7 = 476000000},
    };
    struct replay_event event[] = {
        {.type = REPLAY_ARMED, .boot = 0, .t_us = 1500000, .value = 1},
        {.type = REPLAY_MISSION_REACHED, .boot = 1, .t_us = 600000, .value = 4},
    };
    const struct replay_flight flight = {.sysid = 3,
                                         .compid = 1,
                                         .boot = epoch_us,
                                         .boots = 2,
                                         .sample = sample,
                                         .samples = 3,
                                         .event = event,
                                         .events = 2};
    (void)state;
    assert_true(replay_story_heard(&story, &flight));
    assert_int_equal(story.chapters, 2);
    assert_int_equal(story.events, 4);
    assert_int_equal(story.chapter[0].instants, 2);
    assert_int_equal(story.chapter[1].instants, 1);
    assert_int_equal(story.chapter[0].figures, 2);
    assert_int_equal(story.chapter[1].figures, 1);
    const struct replay_instant *i = &story.instant[0];
    assert_int_equal(i->t_us, 1000000);
    assert_true(i->lat_deg == 47.5 && i->lon_deg == 8.25 && i->alt_amsl_m == 500.5);
    assert_true(i->ground_amsl_m == 488.0 && i->heading_deg == 270.5);
    assert_true(i->said && i->said_lat_deg == 47.5 && i->said_lon_deg == 8.25);
    assert_true(i->said_alt_amsl_m == 500.5);
    assert_true(story.instant[2].lat_deg == 47.6);
    const struct replay_figures *f = &story.figure[0];
    assert_int_equal(f->t_us, 1000000);
    assert_true(f->vel_ned_mps[0] == 1.5 && f->vel_ned_mps[1] == -2.5 && f->vel_ned_mps[2] == 0.25);
    assert_true(isnan(f->remaining) && isnan(f->roll_deg));
    static const char wanted[] = "{\"t_s\":0,\"event\":\"boot\",\"utc_us\":1700000000000000,"
                                 "\"system_id\":3,\"component_id\":1},\n"
                                 "{\"t_s\":1.500000,\"event\":\"armed\",\"armed\":true}";
    assert_int_equal(story.chapter[0].length, sizeof wanted - 1);
    assert_memory_equal(story.text, wanted, sizeof wanted - 1);
}

/* ---- what is left out */

static struct replay_instant path(int i)
{
    const double t_s = i * 0.1, north_m = i < 300 ? 5.0 * t_s : 150.0; /* then it turns east */
    const double east_m = i < 300 ? 0.0 : 5.0 * (t_s - 30.0) + 20.0 * sin((t_s - 30.0) / 5.0);
    const double lat = 47.0 + north_m / LAT_M, lon = 8.0 + east_m / LAT_M;
    return (struct replay_instant){.t_us = INT64_C(100000) * i,
                                   .lat_deg = lat,
                                   .lon_deg = lon,
                                   .alt_amsl_m = 500.0,
                                   .heading_deg = i < 300   ? 359.0
                                                  : i < 320 ? 1.0
                                                            : 90.0,
                                   .said = i % 1000 < 900,
                                   .said_lat_deg = i >= 500 && i < 510 ? lat + 100.0 / LAT_M : lat,
                                   .said_lon_deg = lon,
                                   .said_alt_amsl_m = 500.0};
}

static void fly(int n)
{
    FILE *in = tmpfile();
    assert_non_null(in);
    (void)fputs(BOOT, in);
    for (int i = 0; i < n; i++) {
        const struct replay_instant p = path(i);
        (void)fprintf(in, "%lld %.12f %.12f %.3f 0 %.1f", (long long)p.t_us, p.lat_deg, p.lon_deg,
                      p.alt_amsl_m, p.heading_deg);
        if (p.said) {
            (void)fprintf(in, " %.12f %.12f %.3f", p.said_lat_deg, p.said_lon_deg,
                          p.said_alt_amsl_m);
        }
        (void)fputc('\n', in);
    }
    rewind(in);
    assert_true(replay_story_read(&story, in));
    (void)fclose(in);
    assert_int_equal(story.instants, n);
}

/* The largest distance of the path from the straight lines that are left. */
static double furthest_m(int n)
{
    double worst_m = 0.0;
    size_t k = 0;
    for (int i = 0; i < n; i++) {
        const struct replay_instant p = path(i);
        while (k + 2 < story.instants && story.instant[k + 1].t_us <= p.t_us) {
            k++;
        }
        const struct replay_instant *a = &story.instant[k], *b = &story.instant[k + 1];
        const double part = (double)(p.t_us - a->t_us) / (double)(b->t_us - a->t_us);
        const double lat = a->lat_deg + (b->lat_deg - a->lat_deg) * part;
        const double lon = a->lon_deg + (b->lon_deg - a->lon_deg) * part;
        worst_m = fmax(worst_m, fabs(lat - p.lat_deg) * LAT_M);
        worst_m = fmax(worst_m, fabs(lon - p.lon_deg) * LAT_M * cos(47.0 * 0.0174533));
        if (p.said && a->said && b->said) {
            const double said = a->said_lat_deg + (b->said_lat_deg - a->said_lat_deg) * part;
            worst_m = fmax(worst_m, fabs(said - p.said_lat_deg) * LAT_M);
        }
    }
    return worst_m;
}

static void test_what_is_left_out_lies_on_straight_lines(void **state)
{
    (void)state;
    fly(3000);
    replay_story_thin(&story, 1000000, 3000);
    assert_true(story.tolerance_m == 0.05);
    assert_in_range(story.instants, 30, 300);
    assert_true(furthest_m(3000) <= 0.05 + EDGE_M);
    assert_int_equal(story.instant[0].t_us, 0);
    assert_int_equal(story.instant[story.instants - 1].t_us, 299900000);
    assert_int_equal(story.events, 1);
}

static void test_a_long_flight_is_coarser_and_says_so(void **state)
{
    (void)state;
    fly(8000);
    replay_story_thin(&story, 200, 3000);
    assert_true(story.instants <= 200);
    assert_true(story.tolerance_m > 0.05);
    assert_true(furthest_m(8000) <= story.tolerance_m + EDGE_M);
}

static void test_nothing_and_one_instant_stay(void **state)
{
    (void)state;
    replay_story_thin(&story, 10, 3000);
    assert_int_equal(story.instants, 0);
    fly(1);
    replay_story_thin(&story, 10, 3000);
    assert_int_equal(story.instants, 1);
    replay_story_free(&story);
    fly(2);
    replay_story_thin(&story, 10, 3000);
    assert_int_equal(story.instants, 2);
}

/* ---- the page */

static void test_a_page_holds_its_flight_and_nothing_ends_it_early(void **state)
{
    static const char text[] = BOOT "1500000 47.5 8.25 500.126 488 270.4\n"
                                    "2000000 48.5 8.25 500 488 0 48.50001 8.25 501\n"
                                    "3000000 47.5 8.25 500 488 0 47.5 8.25 500\n";
    const struct replay_about about = {
        .name = "</script>.mfr", .truth = true, .note = {"a \"note\""}, .notes = 1};
    char *page = NULL;
    size_t n = 0;
    (void)state;
    read_text(text, sizeof text - 1);
    FILE *out = open_memstream(&page, &n);
    assert_non_null(out);
    assert_true(replay_html(&story, &about, out));
    (void)fclose(out);
    assert_non_null(strstr(page, "{\"name\":\"\\u003c/script>.mfr\",\"truth\":true,"));
    assert_non_null(strstr(page, "\"notes\":[\"a \\\"note\\\"\"],"));
    assert_non_null(strstr(page, "\"samples\":[[1500,475000000,82500000,50013,48800,270,0],"
                                 "[2000,485000000,82500000,50000,48800,0,100,0,100],"
                                 "[3000,475000000,82500000,50000,48800,0]]"));
    assert_null(strstr(page, "here\":\"the flight"));
    assert_string_equal(page + n - 8, "</html>\n");
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_lines_are_read_and_nonsense_is_left_out, free_story),
        cmocka_unit_test_teardown(test_figures_are_read, free_story),
        cmocka_unit_test_teardown(test_a_flight_becomes_a_story, free_story),
        cmocka_unit_test_teardown(test_a_story_without_instants_is_thinned, free_story),
        cmocka_unit_test_teardown(test_figures_are_thinned, free_story),
        cmocka_unit_test_teardown(test_what_is_left_out_lies_on_straight_lines, free_story),
        cmocka_unit_test_teardown(test_a_long_flight_is_coarser_and_says_so, free_story),
        cmocka_unit_test_teardown(test_nothing_and_one_instant_stay, free_story),
        cmocka_unit_test_teardown(test_a_page_holds_its_flight_and_nothing_ends_it_early,
                                  free_story),
    };
    return cmocka_run_group_tests_name("replay story", tests, NULL, NULL);
}
