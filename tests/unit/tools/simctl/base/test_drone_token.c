/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/support/names.h"
#include "tools/simctl/base/drone_token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char s_path[64];

static void write_file(const char *text)
{
    (void)snprintf(s_path, sizeof s_path, "/tmp/test_drone_token-XXXXXX");
    const int fd = mkstemp(s_path);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)close(fd);
}

/* Python: hmac.new(sha256(key).digest(), b'abc-0', 'sha256').hexdigest() */
static void test_token_is_an_hmac_of_the_id(void **state)
{
    struct simctl_key key;
    struct web_error error = {0};
    char token[SIMCTL_TOKEN_MAX], other[SIMCTL_TOKEN_MAX];
    (void)state;
    write_file("0123456789abcdef");
    assert_true(simctl_key_load(&key, s_path, &error));
    (void)unlink(s_path);
    simctl_drone_token(&key, "abc-0", token);
    assert_string_equal(token, "3c57493fe25cb7e1f4e324f6f7baf1cf11a4f2ca2f819b232ac861e5680d5b22");
    simctl_drone_token(&key, "abc-1", other);
    assert_string_not_equal(token, other);
}

static void test_key_is_made_once_for_its_owner_alone(void **state)
{
    struct simctl_key first, again;
    struct web_error error = {0};
    struct stat about;
    (void)state;
    write_file("");
    (void)unlink(s_path);
    assert_true(simctl_key_load(&first, s_path, &error));
    assert_int_equal(stat(s_path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_true(simctl_key_load(&again, s_path, &error));
    assert_memory_equal(&first, &again, sizeof first);
    (void)unlink(s_path);
    simctl_key_random(&again);
    assert_memory_not_equal(&first, &again, sizeof first);
}

static void test_short_keys_and_folders_are_refused(void **state)
{
    struct simctl_key key;
    struct web_error error = {0};
    (void)state;
    write_file("fifteen bytes..");
    assert_false(simctl_key_load(&key, s_path, &error));
    assert_string_equal(error.code, "key");
    assert_names(error.message, s_path);
    assert_names(error.message, "16");
    (void)unlink(s_path);
    error = (struct web_error){0};
    assert_false(simctl_key_load(&key, "/nowhere/key", &error));
    assert_string_equal(error.code, "key");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_token_is_an_hmac_of_the_id),
        cmocka_unit_test(test_key_is_made_once_for_its_owner_alone),
        cmocka_unit_test(test_short_keys_and_folders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
