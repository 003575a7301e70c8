/* SPDX-License-Identifier: Apache-2.0 */
/* All readers of text from outside: hostile texts are refused with one line, or read, and nesting
 * has one bound. tests/perf/readers.c measures how long they take. */
#include "host/base/value.h"
#include "tests/unit/support/names.h"
#include "tests/unit/support/readers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char s_text[MF_HOSTILE_BYTES + 1u];
static char s_error[MF_READER_ERROR_MAX];

static void test_hostile_texts_are_refused_in_a_line_or_read(void **state)
{
    unsigned refused = 0, read = 0;
    (void)state;
    for (size_t i = 0; i < mf_hostile_count(); i++) {
        const char *name = mf_hostile_text(i, s_text);
        for (size_t k = 0; k < mf_reader_count; k++) {
            s_error[0] = '\0';
            if (mf_readers[k].read(s_text, strlen(s_text), s_error)) {
                read++;
            } else if (s_error[0] == '\0' || strlen(s_error) >= MF_READER_ERROR_MAX - 1u) {
                fail_msg("%s of '%s': '%s'", mf_readers[k].name, name, s_error);
            } else {
                refused++;
            }
        }
    }
    assert_true(refused > read && read > 0);
}

/* The bracket too many is named: the 32nd behind a brace. */
static void test_nesting_has_one_bound(void **state)
{
    static const struct {
        const char *head, *data;
    } k_case[] = {{"{\"a\": [", "1 38 32"}, {"\n\n  {\"a\": [", "3 40 32"}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        for (size_t k = 0; k < mf_reader_count; k++) {
            const size_t n = strlen(k_case[i].head);
            memset(s_text, '[', MF_HOSTILE_BYTES);
            memcpy(s_text, k_case[i].head, n);
            s_text[MF_HOSTILE_BYTES] = '\0';
            s_error[0] = '\0';
            assert_false(mf_readers[k].read(s_text, MF_HOSTILE_BYTES, s_error));
            if (mf_readers[k].nests && !mf_names(s_error, k_case[i].data)) {
                fail_msg("%s: '%s' lacks '%s'", mf_readers[k].name, s_error, k_case[i].data);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_texts_are_refused_in_a_line_or_read),
        cmocka_unit_test(test_nesting_has_one_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
