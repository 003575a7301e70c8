/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of progress: texts of a vehicle cannot move the cursor of a terminal. */
#include "tools/fly/console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, const char *shown)
{
    struct fly_console console;
    char line[256] = "";
    FILE *out = fmemopen(line, sizeof line, "w");
    assert_non_null(out);
    memset(&console, 0, sizeof console);
    console.out = out;
    fly_console_event(&console, FLY_PLAIN, "T ", "%s", text);
    (void)fclose(out);
    assert_string_equal(line, shown);
}

static void test_texts_stay_as_they_are(void **state)
{
    (void)state;
    expect("Armed, 12 m", "T Armed, 12 m\n");
    expect("\xC3\xA9 \xC2\xA0 \xE2\x82\xAC",
           "T \xC3\xA9 \xC2\xA0 \xE2\x82\xAC\n"); /* U+00A0, too */
}

static void test_controls_become_spaces(void **state)
{
    (void)state;
    expect("a\x1B[2Jb\r\n\x7F", "T a [2Jb   \n");
    expect("\xC2\x9B"
           "2J",
           "T \xC2 2J\n"); /* U+009B, as ESC [ */
    expect("\xC2\x80\xC2\x9F", "T \xC2 \xC2 \n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_stay_as_they_are),
        cmocka_unit_test(test_controls_become_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
