/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/program/compare.h: flights whose distances are known, as CSV and as telemetry logs.
 * At latitude 0 a degree of longitude is 111,319.49 m. */
#include "boards/swarm/program/compare.h"

#include "mavlink/frame.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <limits.h>

#define PER_M (1.0 / 111319.490793)
#define HEAD  "t_s,member,lat_deg,lon_deg,alt_amsl_m,mode\n"

static char s_folder[] = "/tmp/test_compare_XXXXXX";
static char s_path[4][PATH_MAX];
static struct captured s_out, s_err;

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(s_folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const k_name[] = {"run.csv", "1.tlog", "2.tlog", "3.tlog"};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        (void)snprintf(s_path[k], sizeof s_path[k], "%s/%s", s_folder, k_name[k]);
        (void)remove(s_path[k]);
    }
    return rmdir(s_folder);
}

static FILE *file(size_t k, const char *name)
{
    (void)snprintf(s_path[k], sizeof s_path[k], "%s/%s", s_folder, name);
    FILE *to = fopen(s_path[k], "w");
    assert_non_null(to);
    return to;
}

/* Height and way east of all flights: up to 10 m in 2 s, then east at 5 m/s until 12 s. */
static double up_m(double t_s)
{
    return t_s < 2.0 ? 5.0 * t_s : 10.0;
}

static double east_m(double t_s)
{
    return t_s < 2.0 ? 0.0 : 5.0 * (t_s - 2.0);
}

/* A run of members, each so many metres farther east than the one before, which begins at 3 s. */
static void write_run(unsigned members, double apart_m)
{
    FILE *to = file(0, "run.csv");
    (void)fputs(HEAD, to);
    for (unsigned t = 0; t <= 15; t++) {
        for (unsigned i = 0; i < members; i++) {
            const double s = t < 3 ? 0.0 : t - 3.0;
            (void)fprintf(to, "%u.000000,d.%u,0.0000000,%.12f,%.3f,Hold\n", t, i + 1,
                          (east_m(s) + apart_m * i) * PER_M, 100.0 + up_m(s));
        }
    }
    (void)fclose(to);
}

/* A log of one flight, so many metres farther east, whose clock begins at another time. */
static void write_log(size_t k, const char *name, double farther_m, double seconds)
{
    FILE *to = file(k, name);
    uint8_t bytes[MF_FRAME_MAX];
    for (unsigned t = 0; t <= 12; t++) {
        const struct mf_msg_global_position_int m = {
            .time_boot_ms = 1000u * t + 700000u,
            .lon = (int32_t)((east_m(t * seconds / 12.0) + farther_m) * PER_M * 1e7),
            .alt = (int32_t)((100.0 + up_m(t * seconds / 12.0)) * 1e3)};
        const struct mf_sender from = {.version = 2, .seq = (uint8_t)t, .sysid = 1, .compid = 1};
        (void)fwrite("\0\1\2\3\4\5\6\7", 1, 8, to); /* the stamp of a telemetry log */
        const size_t n = mf_frame_encode(&from, mf_msg_find(MF_MSG_GLOBAL_POSITION_INT), &m, bytes);
        (void)fwrite(bytes, 1, n, to);
    }
    (void)fclose(to);
}

static int compare(size_t files)
{
    char *const names[] = {s_path[0], s_path[1], s_path[2], s_path[3]};
    capture(&s_out, stdout);
    capture(&s_err, stderr);
    const int result = swarm_compare(names, files);
    (void)captured(&s_err);
    (void)captured(&s_out);
    return result;
}

static void must_compare(size_t files)
{
    const int result = compare(files);
    if (result != SWARM_OK) {
        fail_msg("%s", s_err.text);
    }
}

static void must_refuse(size_t files, const char *data)
{
    assert_int_equal(compare(files), SWARM_INPUT);
    assert_names(s_err.text, data);
}

/* Read the first @p count numbers of a line. */
static void read_numbers(const char *line, double *number, size_t count)
{
    assert_non_null(line);
    for (size_t i = 0; i < count; i++) {
        char *end;
        line += strcspn(line, "0123456789\n");
        number[i] = strtod(line, &end);
        assert_ptr_not_equal(end, line);
        line = end;
    }
}

static void test_a_flight_beside_itself_is_not_apart(void **state)
{
    (void)state;
    write_run(1, 0.0);
    write_log(1, "1.tlog", 0.0, 12.0);
    must_compare(2);
    assert_names(s_out.text, "d.1 1.tlog 11 s");
    double apart_m[3]; /* mean, root of the mean square, most */
    read_numbers(strstr(s_out.text, "air, "), apart_m, 3);
    assert_true(apart_m[0] < 0.02 && apart_m[1] < 0.02 &&
                apart_m[2] < 0.02); /* 1e-7 deg are 11 mm */
}

/* Time counts from the take-off, so clocks that differ by 699 s do not matter. */
static void test_a_flight_three_metres_farther(void **state)
{
    double apart_m[3]; /* mean, root of the mean square, most */
    (void)state;
    write_run(1, 0.0);
    write_log(1, "1.tlog", 3.0, 12.0);
    must_compare(2);
    read_numbers(strstr(s_out.text, "air, "), apart_m, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(apart_m[i] > 2.98 && apart_m[i] < 3.02);
    }
}

/* 20 m apart in the run, 18 m in the logs. */
static void test_spacing_of_two_flights(void **state)
{
    double spacing_m[3]; /* of the run, of the logs, and how they differ */
    (void)state;
    write_run(2, 20.0);
    write_log(1, "1.tlog", 3.0, 12.0);
    write_log(2, "2.tlog", 21.0, 12.0);
    must_compare(3);
    read_numbers(strstr(s_out.text, "spacing"), spacing_m, 3);
    assert_true(spacing_m[0] > 19.98 && spacing_m[0] < 20.02);
    assert_true(spacing_m[1] > 17.98 && spacing_m[1] < 18.02);
    assert_true(spacing_m[2] > 1.97 && spacing_m[2] < 2.03);
}

/* East 0 to 50 m in squares of 10 m; 50 m are the edge of the sixth. */
static void test_squares_that_both_have_covered(void **state)
{
    (void)state;
    write_run(1, 0.0);
    write_log(1, "1.tlog", 1.0, 12.0); /* 1 to 51 m: no rounding at an edge */
    must_compare(2);
    assert_non_null(strstr(s_out.text, "coverage "));
    double squares[4]; /* of the run, of the logs, their side [m], of both */
    read_numbers(strstr(s_out.text, "coverage"), squares, 4);
    assert_true(squares[1] == 6.0 && squares[2] == 10.0 && squares[3] == squares[0]);
}

static void test_more_members_than_logs(void **state)
{
    (void)state;
    write_run(3, 20.0);
    write_log(1, "1.tlog", 0.0, 12.0);
    must_compare(2);
    assert_null(strstr(s_out.text, "spacing"));
    assert_null(strstr(s_out.text, "d.2"));
}

static void test_more_logs_than_members(void **state)
{
    (void)state;
    write_run(1, 0.0);
    write_log(1, "1.tlog", 0.0, 12.0);
    write_log(2, "2.tlog", 0.0, 12.0);
    must_refuse(3, s_path[0]);
}

/* The log ends after 0.1 s, on the ground; the run climbs 0.9 m. */
static void test_a_drone_that_stays_down(void **state)
{
    (void)state;
    write_run(1, 0.0);
    write_log(1, "1.tlog", 0.0, 0.1);
    must_refuse(2, "1.tlog");
    FILE *to = file(0, "run.csv");
    (void)fputs(HEAD "0,d.1,0,0,100,Hold\n9,d.1,0,0,100.9,Hold\n", to);
    (void)fclose(to);
    write_log(1, "1.tlog", 0.0, 12.0);
    must_refuse(2, "d.1");
}

static void test_too_few_and_too_many_files(void **state)
{
    static char *s_many[252];
    (void)state;
    must_refuse(1, "CSV 1 250");
    for (size_t k = 0; k < 252; k++) {
        s_many[k] = s_path[0];
    }
    capture(&s_err, stderr);
    assert_int_equal(swarm_compare(s_many, 252), SWARM_INPUT);
    assert_names(captured(&s_err), "CSV 1 250");
    capture(&s_err, stderr);
    assert_int_equal(swarm_compare(s_many, 0), SWARM_INPUT);
    assert_names(captured(&s_err), "CSV 1 250");
}

static void test_a_run_that_is_not_an_output(void **state)
{
    static const char *const k[] = {"",
                                    "t_s,member\n",
                                    HEAD "x\n",
                                    HEAD "1\n",
                                    HEAD "1,d\n",
                                    HEAD "1,d,2\n",
                                    HEAD "1,d,2,3,high,Hold\n"};
    (void)state;
    write_log(1, "1.tlog", 0.0, 12.0);
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        FILE *to = file(0, "run.csv");
        (void)fputs(k[i], to);
        (void)fclose(to);
        char data[PATH_MAX + 16];
        (void)snprintf(data, sizeof data, "%s outputs.csv", s_path[0]);
        must_refuse(2, data);
    }
}

static void test_a_byte_order_mark_is_not_of_the_head(void **state)
{
    (void)state;
    write_run(1, 0.0);
    FILE *from = fopen(s_path[0], "r");
    assert_non_null(from);
    static char s_text[4096];
    const size_t n = fread(s_text, 1, sizeof s_text, from);
    (void)fclose(from);
    assert_true(n < sizeof s_text);
    FILE *to = file(0, "run.csv");
    (void)fwrite("\xEF\xBB\xBF", 1, 3, to);
    (void)fwrite(s_text, 1, n, to);
    (void)fclose(to);
    write_log(1, "1.tlog", 0.0, 12.0);
    must_compare(2);
}

static void test_a_log_without_positions(void **state)
{
    (void)state;
    write_run(1, 0.0);
    (void)fclose(file(1, "1.tlog"));
    char data[PATH_MAX + 32];
    (void)snprintf(data, sizeof data, "%s GLOBAL_POSITION_INT", s_path[1]);
    must_refuse(2, data);
}

static void test_files_that_are_not_there(void **state)
{
    (void)state;
    write_run(1, 0.0);
    (void)snprintf(s_path[1], sizeof s_path[1], "/nowhere.tlog");
    must_refuse(2, "/nowhere.tlog");
    (void)snprintf(s_path[0], sizeof s_path[0], "/nowhere.csv");
    must_refuse(2, "/nowhere.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_flight_beside_itself_is_not_apart),
        cmocka_unit_test(test_a_flight_three_metres_farther),
        cmocka_unit_test(test_spacing_of_two_flights),
        cmocka_unit_test(test_squares_that_both_have_covered),
        cmocka_unit_test(test_more_members_than_logs),
        cmocka_unit_test(test_more_logs_than_members),
        cmocka_unit_test(test_a_drone_that_stays_down),
        cmocka_unit_test(test_too_few_and_too_many_files),
        cmocka_unit_test(test_a_run_that_is_not_an_output),
        cmocka_unit_test(test_a_byte_order_mark_is_not_of_the_head),
        cmocka_unit_test(test_a_log_without_positions),
        cmocka_unit_test(test_files_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
