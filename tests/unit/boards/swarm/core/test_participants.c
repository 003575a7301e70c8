/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/participants.h: the table of those who have taken part. */
#include "boards/swarm/core/participants.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static struct captured s_out;

static const char *table(void)
{
    capture(&s_out, stdout);
    swarm_participants_system.close(&s_swarm, 0);
    return captured(&s_out);
}

static void note(const char *name, mf_us_t until_us, double wall_s, const char *how)
{
    swarm_participants_add(&s_swarm,
                           &(struct swarm_participant){"bus", name, until_us, wall_s, how});
}

static void test_without_participants_there_is_no_table(void **state)
{
    (void)state;
    assert_string_equal(table(), "");
}

static void test_a_row_of_each_in_their_order(void **state)
{
    (void)state;
    note("controller 'b'", 1500000, 0.25, "stayed");
    note("controller 'a'", 0, 12.0, "was silent");
    const char *text = table();
    assert_names(text, "who name until wall ended");
    assert_non_null(strstr(
        text,
        "\nbus       controller 'b'                         1.500000      0.250  stayed\n"
        "bus       controller 'a'                         0.000000     12.000  was silent\n"));
}

static void test_a_table_is_printed_once(void **state)
{
    (void)state;
    note("x", 0, 0.0, "left");
    assert_names(table(), "x left");
    assert_string_equal(table(), "");
}

static void test_long_names_are_cut_off(void **state)
{
    char name[100], how[100];
    (void)state;
    memset(name, 'n', sizeof name);
    memset(how, 'h', sizeof how);
    name[99] = how[99] = '\0';
    note(name, 0, 0.0, how);
    const char *row = strchr(table(), '\n') + 1;
    assert_int_equal(strspn(row + 10, "n"), 47);
    assert_int_equal(strspn(strchr(row, 'h'), "h"), 63);
}

static void test_rows_beyond_4096_are_left_out(void **state)
{
    FILE *sink = tmpfile();
    size_t lines = 0;
    (void)state;
    for (unsigned i = 0; i < 4100; i++) {
        note("x", 0, 0.0, "left");
    }
    (void)fflush(stdout);
    const int before = dup(STDOUT_FILENO);
    assert_true(dup2(fileno(sink), STDOUT_FILENO) >= 0);
    swarm_participants_system.close(&s_swarm, 0);
    (void)fflush(stdout);
    assert_true(dup2(before, STDOUT_FILENO) >= 0);
    (void)close(before);
    rewind(sink);
    for (int c; (c = fgetc(sink)) != EOF;) {
        lines += c == '\n' ? 1u : 0u;
    }
    (void)fclose(sink);
    assert_int_equal(lines, 4097); /* with the head */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_participants_there_is_no_table),
        cmocka_unit_test(test_a_row_of_each_in_their_order),
        cmocka_unit_test(test_a_table_is_printed_once),
        cmocka_unit_test(test_long_names_are_cut_off),
        cmocka_unit_test(test_rows_beyond_4096_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
