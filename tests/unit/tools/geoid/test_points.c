/* SPDX-License-Identifier: Apache-2.0 */
/* Places and tables as text, and options among them. */
#include "tools/geoid/options.h"
#include "tools/geoid/points.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static double s_lat_deg, s_lon_deg;

static const char *read_point(const char *text)
{
    return geoid_point_read(text, &s_lat_deg, &s_lon_deg);
}

static void test_places(void **state)
{
    (void)state;
    assert_null(read_point("-33.9,18.4"));
    assert_true(s_lat_deg == -33.9);
    assert_true(s_lon_deg == 18.4);
    assert_null(read_point(" 90 , -180.5\r\n"));
    assert_true(s_lon_deg == -180.5);
    assert_null(read_point("1 359.9995"));
    assert_null(read_point("1e1,2E1\n"));
}

static void test_what_is_no_place(void **state)
{
    (void)state;
    static const char *const k_bad[] = {"",      "47",    "47,",     ",8",      "47,8,9",
                                        "47;8",  "x,8",   "47,8x",   "90.01,0", "-91,0",
                                        "nan,0", "0,inf", "0,720.1", "47 8 x",  "lat,lon"};
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_non_null(read_point(k_bad[i]));
    }
}

/* ---- tables */

static struct geoid_table s_table;

static void with_table(const char *text)
{
    char path[] = "/tmp/mf_table_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
    (void)geoid_table_open(&s_table, path);
    assert_int_equal(unlink(path), 0);
}

static void test_a_table_with_quotes_and_without_a_last_newline(void **state)
{
    (void)state;
    with_table("lat,lon,\"the value\",note\r\n1,2,3,\"a, \"\"b\"\"\"\r\n\r\n4,5,6,");
    assert_int_equal(geoid_table_column(&s_table, "the value"), 2);
    assert_int_equal(geoid_table_column(&s_table, "4"), 3);
    assert_int_equal(geoid_table_column(&s_table, "5"), GEOID_FIELDS_MAX);
    assert_int_equal(geoid_table_column(&s_table, "0"), GEOID_FIELDS_MAX);
    assert_int_equal(geoid_table_next(&s_table), 1);
    assert_string_equal(s_table.field[2], "3");
    assert_string_equal(s_table.field[3], "a, \"b\"");
    assert_int_equal(geoid_table_next(&s_table), 1);
    assert_string_equal(s_table.field[0], "4");
    assert_string_equal(s_table.field[3], "");
    assert_int_equal(s_table.line, 4);
    assert_int_equal(geoid_table_next(&s_table), 0);
    geoid_table_close(&s_table);
}

static void test_rows_that_do_not_fit(void **state)
{
    (void)state;
    with_table("lat,lon\n1\n");
    assert_int_equal(geoid_table_next(&s_table), -1);
    geoid_table_close(&s_table);
    with_table("lat,lon\n\"1,2\n");
    assert_int_equal(geoid_table_next(&s_table), -1);
    geoid_table_close(&s_table);
    errno = 1;
    with_table("");
    assert_int_equal(errno, 0);
    geoid_table_close(&s_table);
}

/* ---- options */

static void test_negative_places_are_no_options(void **state)
{
    (void)state;
    const char *model = NULL, *interp = NULL;
    const struct geoid_option options[] = {{"--model", &model}, {"--interp", &interp}};
    char a[] = "-33.9,18.4", b[] = "--model", c[] = "x", d[] = "--interp=cubic", e[] = "--",
         f[] = "--y";
    char *argv[] = {a, b, c, d, e, f};
    assert_int_equal(geoid_options(6, argv, options, 2), 2);
    assert_string_equal(argv[0], "-33.9,18.4");
    assert_string_equal(argv[1], "--y");
    assert_string_equal(model, "x");
    assert_string_equal(interp, "cubic");
}

static void test_wrong_options(void **state)
{
    (void)state;
    const char *model = NULL;
    const struct geoid_option options[] = {{"--model", &model}};
    char a[] = "--mode", b[] = "--model", c[] = "--models=x";
    char *first[] = {a}, *second[] = {b}, *third[] = {c};
    double value;
    assert_int_equal(geoid_options(1, first, options, 1), -1);
    assert_int_equal(geoid_options(1, second, options, 1), -1);
    assert_int_equal(geoid_options(1, third, options, 1), -1);
    assert_true(geoid_number("--n", "1.5", 0.0, 2.0, &value));
    assert_false(geoid_number("--n", "2.5", 0.0, 2.0, &value));
    assert_false(geoid_number("--n", "nan", 0.0, 2.0, &value));
    assert_false(geoid_number("--n", "1 m", 0.0, 2.0, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_what_is_no_place),
        cmocka_unit_test(test_a_table_with_quotes_and_without_a_last_newline),
        cmocka_unit_test(test_rows_that_do_not_fit),
        cmocka_unit_test(test_negative_places_are_no_options),
        cmocka_unit_test(test_wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
