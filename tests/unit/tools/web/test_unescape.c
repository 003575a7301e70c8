/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/web/unescape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What ends a text is not decoded; what is malformed stays as it is. */
static void test_percent(void **state)
{
    static const struct {
        const char *text, *decoded;
    } k_case[] = {
        {"egm96", "egm96"},
        {"%65gm%39%36", "egm96"},
        {"egm96%00", "egm96%00"},
        {"%2500", "%00"},
        {"a%2Fb%2fc", "a/b/c"},
        {"%C3%bc", "\xc3\xbc"},
        {"100%", "100%"},
        {"%", "%"},
        {"%4", "%4"},
        {"%zz%4x", "%zz%4x"},
        {"", ""},
        {"%00%00x", "%00%00x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char text[32];
        memcpy(text, k_case[i].text, strlen(k_case[i].text) + 1);
        assert_int_equal(web_unescape(text), strlen(k_case[i].decoded));
        assert_string_equal(text, k_case[i].decoded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
