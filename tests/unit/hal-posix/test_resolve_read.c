/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses in texts, in the hosts file and in answers of name servers, byte by byte (RFC 1035). */
#include "hal-posix/resolve_read.h"

#include <arpa/nameser.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_addr s_addr;

static bool find(const char *hosts, const char *name)
{
    static char s_text[2048];
    (void)snprintf(s_text, sizeof s_text, "%s", hosts);
    FILE *file = fmemopen(s_text, strlen(s_text), "r");
    assert_non_null(file);
    const bool found = mf_addr_from_hosts(file, name, &s_addr);
    (void)fclose(file);
    return found;
}

static void assert_address(const char *text)
{
    char is[MF_ADDR_TEXT_MAX];
    mf_addr_text(&s_addr, is);
    assert_string_equal(is, text);
}

static void test_numeric_addresses(void **state)
{
    (void)state;
    assert_true(mf_addr_from_text("10.0.0.1", &s_addr));
    assert_address("10.0.0.1:0");
    assert_true(mf_addr_from_text("fe80::1%lo", &s_addr));
    assert_address("[fe80::1]:0");
    assert_int_not_equal(s_addr.in6.sin6_scope_id, 0);
    assert_false(mf_addr_from_text("fe80::1%", &s_addr));
    assert_false(mf_addr_from_text("10.0.0", &s_addr));
    assert_false(mf_addr_from_text("1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa", &s_addr));
}

static void test_names_of_the_hosts_file(void **state)
{
    (void)state;
    static const char hosts[] = "127.0.0.1 localhost\n\n"
                                "# 10.0.0.9 drone\n"
                                "::2 \t drone other # 10.0.0.8 sea\n"
                                "nonsense drone\n"
                                "10.0.0.3 base DRONE\r\n"
                                "10.0.0.4 drone\n"
                                "10.0.0.5 last";
    assert_true(find(hosts, "drone")); /* IPv4, although IPv6 comes first */
    assert_address("10.0.0.3:0");
    assert_true(find(hosts, "other"));
    assert_address("[::2]:0");
    assert_true(find(hosts, "last"));
    assert_false(find(hosts, "sea"));
    assert_false(find(hosts, "10.0.0.3"));
}

/* The buffer for a line has 1024 bytes: the rest of a longer comment must not count as a line. */
static void test_the_end_of_a_long_line_is_no_line(void **state)
{
    (void)state;
    static const char tail[] = "10.0.0.9 drone\n10.0.0.3 drone\n";
    for (size_t length = 1015; length < 1035; length++) {
        char hosts[1100];
        memset(hosts, '#', length);
        (void)snprintf(hosts + length, sizeof hosts - length, "%s", tail);
        assert_true(find(hosts, "drone"));
        assert_address("10.0.0.3:0");
    }
    char whole[1100]; /* 1023 characters with its line end fit */
    (void)snprintf(whole, sizeof whole, "%-1022s\n10.0.0.8 next\n", "10.0.0.7 drone");
    assert_true(find(whole, "drone"));
    assert_true(find(whole, "next"));
    assert_address("10.0.0.8:0");
}

/* An answer about "a.b": an alias to "c", then an address; the alias' data and the address' name
 * point into what is before. */
static const uint8_t k_answer[] = {
    0,    7,   0x81, 0x80, 0, 1, 0, 2, 0, 0,  0, 0,                  /* header */
    1,    'a', 1,    'b',  0, 0, 1, 0, 1,                            /* question */
    0xC0, 12,  0,    5,    0, 1, 0, 0, 0, 60, 0, 3, 1,   'c', 0,     /* alias */
    0xC0, 33,  0,    1,    0, 1, 0, 0, 0, 60, 0, 4, 192, 0,   2, 77, /* address */
};

static void test_the_address_behind_an_alias(void **state)
{
    (void)state;
    assert_true(mf_addr_from_answer(k_answer, sizeof k_answer, T_A, &s_addr));
    assert_address("192.0.2.77:0");
    assert_false(mf_addr_from_answer(k_answer, sizeof k_answer, T_AAAA, &s_addr));
}

static void test_an_answer_that_is_cut_gives_no_address(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof k_answer; n++) {
        uint8_t cut[sizeof k_answer];
        memcpy(cut, k_answer, n);
        assert_false(mf_addr_from_answer(cut, n, T_A, &s_addr));
    }
}

static void test_an_address_of_a_wrong_length_is_passed_over(void **state)
{
    (void)state;
    uint8_t wrong[sizeof k_answer];
    memcpy(wrong, k_answer, sizeof wrong);
    wrong[sizeof wrong - 5] = 3; /* its length: a byte is left over */
    assert_false(mf_addr_from_answer(wrong, sizeof wrong, T_A, &s_addr));
    wrong[sizeof wrong - 5] = 5; /* more than there is */
    assert_false(mf_addr_from_answer(wrong, sizeof wrong, T_A, &s_addr));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numeric_addresses),
        cmocka_unit_test(test_names_of_the_hosts_file),
        cmocka_unit_test(test_the_end_of_a_long_line_is_no_line),
        cmocka_unit_test(test_the_address_behind_an_alias),
        cmocka_unit_test(test_an_answer_that_is_cut_gives_no_address),
        cmocka_unit_test(test_an_address_of_a_wrong_length_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
