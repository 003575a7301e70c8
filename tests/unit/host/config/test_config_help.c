/* SPDX-License-Identifier: Apache-2.0 */
/* What --help and --help-all say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "host/config/config_item.h"

static void test_help_names_everything(void **state)
{
    (void)state;
    static char text[16384];
    FILE *out = fmemopen(text, sizeof text, "w");
    mf_config_help_all(out);
    assert_int_equal(fclose(out), 0);
    for (int i = 0; i < MF_CONFIG_ITEM_COUNT; i++) {
        const struct mf_config_item *item = &mf_config_items[i];
        assert_non_null(strstr(text, item->flag != NULL ? item->flag : item->env));
        assert_non_null(strstr(text, item->help));
    }
}

static void test_help_is_short(void **state)
{
    (void)state;
    static char text[16384];
    int lines = 0;
    FILE *out = fmemopen(text, sizeof text, "w");
    mf_config_help(out);
    assert_int_equal(fclose(out), 0);
    for (const char *c = text; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    assert_in_range(lines, 15, 24); /* the screen of a terminal */
    assert_non_null(strstr(text, "--clock"));
    assert_non_null(strstr(text, "--help-all"));
    assert_null(strstr(text, "--battery-cells"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_names_everything),
        cmocka_unit_test(test_help_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
