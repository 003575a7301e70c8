/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of host names: numbers, localhost, and answers of a name server, whose bytes this test
 * gives in the place of the C library's resolver (RFC 1035, section 4.1). */
#include "hal-posix/endpoint.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <fcntl.h>
#include <net/if.h>
#include <resolv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NAME "drone.example"

/* Answer with one question, for the name; an alias, whose name is a pointer to the question's, and
 * an address.
 */
static const uint8_t k_v4[] = {
    0,   1,    0x81, 0x80, 0,   1, 0, 2, 0, 0, 0,    0,  5, 'd', 'r', 'o', 'n', 'e', 7, 'e', 'x',
    'a', 'm',  'p',  'l',  'e', 0, 0, 1, 0, 1, 0xC0, 12, 0, 5,   0,   1,   0,   0,   0, 9,   0,
    2,   0xC0, 12,   0xC0, 12,  0, 1, 0, 1, 0, 0,    0,  9, 0,   4,   192, 0,   2,   77};
static const uint8_t k_v6[] = {0,    1,  0x81, 0x80, 0, 0, 0, 1, 0, 0,  0,    0,    0,
                               0,    28, 0,    1,    0, 0, 0, 9, 0, 16, 0x20, 0x01, 0x0D,
                               0xB8, 0,  0,    0,    0, 0, 0, 0, 0, 0,  0,    0,    1};

static struct {
    uint8_t bytes[2][400]; /* answers to A and AAAA */
    int n[2];
    char host[64];
    char *hosts; /* content of /etc/hosts; NULL: the file is missing */
} s;

/* Open files as the C library does, except /etc/hosts. */
FILE *fopen(const char *path, const char *mode)
{
    if (strcmp(path, "/etc/hosts") != 0) {
        return fdopen(open(path, mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT, 0600), mode);
    }
    return s.hosts != NULL ? fmemopen(s.hosts, strlen(s.hosts), "r") : NULL;
}

int res_search(const char *host, int class, int type, unsigned char *answer, int size)
{
    const size_t i = type == T_A ? 0 : 1;
    assert_int_equal(class, C_IN);
    assert_true(type == T_A || type == T_AAAA);
    strncpy(s.host, host, sizeof s.host - 1);
    if (s.n[i] > 0) {
        assert_true(s.n[i] <= size);
        memcpy(answer, s.bytes[i], (size_t)s.n[i]);
    }
    return s.n[i];
}

static void answer(size_t i, const uint8_t *bytes, size_t n)
{
    memcpy(s.bytes[i], bytes, n);
    s.n[i] = (int)n;
}

static int begin(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    s.n[0] = s.n[1] = -1;
    return 0;
}

static void expect(const char *host, int family, const char *want)
{
    struct mf_addr addr;
    char text[INET6_ADDRSTRLEN];
    assert_int_equal(mf_resolve(host, &addr), MF_E_OK);
    assert_int_equal(addr.any.sa_family, family);
    assert_int_equal(addr.len, family == AF_INET ? sizeof addr.in : sizeof addr.in6);
    assert_int_equal(family == AF_INET ? addr.in.sin_port : addr.in6.sin6_port, 0);
    assert_int_equal(family == AF_INET ? 0u : addr.in6.sin6_scope_id, 0);
    const void *at = family == AF_INET ? (const void *)&addr.in.sin_addr : &addr.in6.sin6_addr;
    assert_string_equal(inet_ntop(family, at, text, sizeof text), want);
}

static void refuse(const char *host)
{
    struct mf_addr addr;
    assert_int_equal(mf_resolve(host, &addr), MF_E_NOENT);
}

static void test_numbers_and_localhost(void **state)
{
    struct mf_addr addr;
    (void)state;
    expect("10.1.2.3", AF_INET, "10.1.2.3");
    expect("2001:db8::7", AF_INET6, "2001:db8::7");
    assert_int_equal(mf_resolve("fe80::1%lo", &addr), MF_E_OK);
    assert_int_equal(addr.in6.sin6_scope_id, if_nametoindex("lo"));
    refuse("fe80::1%nowhere");
    refuse("2001:db8:0000:0000:0000:0000:0000:0000:0000:0007"); /* longer than any address */
    expect("localhost", AF_INET, "127.0.0.1");
    expect("LOCALHOST", AF_INET, "127.0.0.1");
    expect("pad.localhost", AF_INET, "127.0.0.1");
    refuse(".localhost");
    refuse("pad.localhosts");
    assert_false(mf_host_is_name("10.1.2.3"));
    assert_false(mf_host_is_name("::1"));
    assert_false(mf_host_is_name("a.localhost"));
    assert_true(mf_host_is_name(NAME));
}

static void test_an_answer_has_the_address_behind_an_alias(void **state)
{
    (void)state;
    answer(0, k_v4, sizeof k_v4);
    answer(1, k_v6, sizeof k_v6);
    expect(NAME, AF_INET, "192.0.2.77");
    assert_string_equal(s.host, NAME);
}

static void test_without_one_for_ipv4_that_of_ipv6_counts(void **state)
{
    (void)state;
    answer(1, k_v6, sizeof k_v6);
    expect(NAME, AF_INET6, "2001:db8::1");
    answer(0, k_v4, 11); /* less than a header */
    expect(NAME, AF_INET6, "2001:db8::1");
}

/* However short an answer is, nothing behind its end is read as an address. */
static void test_a_cut_answer_is_none(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof k_v4; n++) {
        answer(0, k_v4, n);
        refuse(NAME);
    }
    for (size_t n = 0; n < sizeof k_v6; n++) {
        answer(1, k_v6, n);
        refuse(NAME);
    }
}

/* An address of three bytes, and a record of another type, are skipped; 256 questions are more
 * than there are. */
static void test_what_is_no_address(void **state)
{
    (void)state;
    answer(0, k_v4, sizeof k_v4);
    s.bytes[0][56] = 3; /* length of the data */
    refuse(NAME);
    answer(0, k_v4, sizeof k_v4);
    s.bytes[0][48] = 16; /* TXT */
    refuse(NAME);
    answer(0, k_v4, sizeof k_v4);
    s.bytes[0][4] = 1;
    refuse(NAME);
    answer(0, k_v4, sizeof k_v4);
    s.bytes[0][7] = 1; /* one record: the alias */
    refuse(NAME);
    answer(0, k_v4, sizeof k_v4);
    s.bytes[0][41] = 1; /* the alias is longer than the answer */
    refuse(NAME);
}

/* A record of 258 bytes stands before the address. */
static void test_a_long_record_is_skipped(void **state)
{
    (void)state;
    memcpy(s.bytes[0], k_v4, 31); /* head and question */
    memcpy(s.bytes[0] + 31, "\xC0\x0C\0\x10\0\1\0\0\0\x09\1\2", 12);
    memcpy(s.bytes[0] + 31 + 12 + 258, k_v4 + 45, 16);
    s.n[0] = 31 + 12 + 258 + 16;
    expect(NAME, AF_INET, "192.0.2.77");
}

static void give_hosts(const char *text)
{
    static char s_text[300];
    assert_true(strlen(text) < sizeof s_text);
    s.hosts = strcpy(s_text, text);
}

static void test_the_file_of_hosts_comes_before_servers(void **state)
{
    (void)state;
    answer(0, k_v4, sizeof k_v4);
    give_hosts("# none\n\n::5 " NAME "\n192.0.2.9\tother drone.EXAMPLE # x\n192.0.2.10 " NAME "\n");
    expect(NAME, AF_INET, "192.0.2.9"); /* the first of IPv4 */
    expect("other", AF_INET, "192.0.2.9");
    give_hosts("::5 x " NAME "\r\n::6 " NAME "\n");
    expect(NAME, AF_INET6, "::5");
    give_hosts("192.0.2.9 other # " NAME "\n192.0.2.x " NAME "\n" NAME "\n");
    expect(NAME, AF_INET, "192.0.2.77");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_numbers_and_localhost, begin),
        cmocka_unit_test_setup(test_an_answer_has_the_address_behind_an_alias, begin),
        cmocka_unit_test_setup(test_without_one_for_ipv4_that_of_ipv6_counts, begin),
        cmocka_unit_test_setup(test_a_cut_answer_is_none, begin),
        cmocka_unit_test_setup(test_what_is_no_address, begin),
        cmocka_unit_test_setup(test_a_long_record_is_skipped, begin),
        cmocka_unit_test_setup(test_the_file_of_hosts_comes_before_servers, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
