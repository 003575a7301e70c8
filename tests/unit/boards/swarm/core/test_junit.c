/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/junit.h: cases that hold and fail, with texts that XML would read as its own.
 */
#include "boards/swarm/core/junit.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static const char *written(const struct swarm_case *c)
{
    static char s_text[1000];
    FILE *file = tmpfile();
    swarm_junit_case(&s_swarm, file, c);
    rewind(file);
    s_text[fread(s_text, 1, sizeof s_text - 1, file)] = '\0';
    (void)fclose(file);
    return s_text;
}

static void test_a_case_that_holds(void **state)
{
    const struct swarm_case c = {.name = "a < b", .members = 3};
    (void)state;
    swarm_begin();
    (void)strcpy(s_swarm.file, "x&y.yaml");
    assert_string_equal(written(&c),
                        "  <testcase classname=\"x&amp;y.yaml\" name=\"a &lt; b\"/>\n");
}

static void test_a_case_that_fails(void **state)
{
    const struct swarm_case c = {.name = "near", .why = "\"a\" & <b>", .wrong = 2, .members = 3};
    (void)state;
    swarm_begin();
    (void)strcpy(s_swarm.file, "x.yaml");
    assert_string_equal(written(&c),
                        "  <testcase classname=\"x.yaml\" name=\"near\"><failure message=\""
                        "&quot;a&quot; &amp; &lt;b>\">fails for 2 of 3</failure></testcase>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_case_that_holds),
        cmocka_unit_test(test_a_case_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
