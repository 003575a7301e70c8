/* SPDX-License-Identifier: Apache-2.0 */
/* What a key file may hold. Digests are those of sha256sum. */
#include "host/spec/keyfile.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEX "000102030405060708090A0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

static void expect_key(const char *text, size_t n, const char *hex)
{
    uint8_t key[MF_KEYFILE_KEY_BYTES];
    char got[2 * MF_KEYFILE_KEY_BYTES + 1];
    assert_int_equal(mf_keyfile_parse(text, n, key), MF_E_OK);
    for (size_t i = 0; i < sizeof key; i++) {
        (void)snprintf(got + 2 * i, 3, "%02x", key[i]);
    }
    assert_string_equal(got, hex);
}

static void test_digits_and_passphrases(void **state)
{
    static const char k_digits[] =
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    static const char k_swordfish[] =
        "b9f195c5cc7ef6afadbfbc42892ad47d3b24c6bc94bb510c4564a90a14e8b799";
    (void)state;
    expect_key(HEX, 64, k_digits);
    expect_key(HEX "\r\n", 66, k_digits);
    expect_key("swordfish", 9, k_swordfish);
    expect_key("swordfish \n\n", 12, k_swordfish);
    expect_key("\xEF\xBB\xBFswordfish", 12, k_swordfish);
    expect_key("\xEF\xBB\xBF" HEX, 67, k_digits);
    expect_key(HEX, 63, /* one digit less is a passphrase */
               "0115353cb044b0eae0bf51b24c1c00ec35c9ef404438b118996c9b060443f456");
}

static void test_what_is_no_key(void **state)
{
    static char text[MF_KEYFILE_TEXT_MAX + 1];
    uint8_t key[MF_KEYFILE_KEY_BYTES];
    (void)state;
    assert_int_equal(mf_keyfile_parse("", 0, key), MF_E_RANGE);
    assert_int_equal(mf_keyfile_parse(" \n", 2, key), MF_E_RANGE);
    memset(text, '0', 64);
    assert_int_equal(mf_keyfile_parse(text, 64, key), MF_E_RANGE); /* would mean: no key */
    memset(text, 'x', sizeof text);
    assert_int_equal(mf_keyfile_parse(text, sizeof text - 1, key), MF_E_OK);
    assert_int_equal(mf_keyfile_parse(text, sizeof text, key), MF_E_RANGE);
}

static void test_files(void **state)
{
    char path[] = "/tmp/mayfly-key-XXXXXX", reason[256] = "";
    uint8_t key[MF_KEYFILE_KEY_BYTES];
    (void)state;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(mf_keyfile_read(path, key, reason, sizeof reason), MF_E_RANGE);
    assert_names(reason, path);
    assert_names(reason, "64");
    assert_int_equal(write(fd, HEX "\n", 65), 65);
    assert_int_equal(mf_keyfile_read(path, key, reason, sizeof reason), MF_E_OK);
    assert_int_equal(key[10], 10);
    (void)close(fd);
    (void)unlink(path);
    assert_int_equal(mf_keyfile_read(path, key, reason, sizeof reason), MF_E_IO);
    assert_names(reason, path);
    assert_names(reason, "No such file");
    assert_int_equal(mf_keyfile_read("/tmp", key, reason, sizeof reason), MF_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits_and_passphrases),
        cmocka_unit_test(test_what_is_no_key),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
