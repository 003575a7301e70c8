/* SPDX-License-Identifier: Apache-2.0 */
/* host/http/origin.h: names of this machine, and pages from elsewhere. */
#include "host/http/origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A request with these headers; "" is a header that is not there. What lies behind is not of it. */
static struct mf_http_request request(const char *host, const char *origin)
{
    static char s_host[64], s_origin[64];
    struct mf_http_request r;
    memset(&r, 0, sizeof r);
    (void)snprintf(s_host, sizeof s_host, "%s1.evil", host);
    (void)snprintf(s_origin, sizeof s_origin, "%s:80", origin);
    r.host.at = s_host;
    r.host.len = strlen(host);
    r.origin.at = s_origin;
    r.origin.len = strlen(origin);
    return r;
}

static bool names_loopback(const char *host)
{
    const struct mf_http_request r = request(host, "");
    return mf_http_names_loopback(&r);
}

static bool crosses(const char *host, const char *origin)
{
    const struct mf_http_request r = request(host, origin);
    return mf_http_crosses_origins(&r);
}

static void test_names_of_this_machine(void **state)
{
    static const char *const k[] = {"localhost", "LocalHost",  "localhost:5780",
                                    "127.0.0.1", "127.8.9.1",  "127.0.0.1:80",
                                    "[::1]",     "[::1]:5780", "127.1"};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_true(names_loopback(k[i]));
    }
}

static void test_names_that_others_may_give_to_this_machine(void **state)
{
    static const char *const k[] = {"evil.com",
                                    "localhost.evil.com",
                                    "127.0.0.1.evil.com",
                                    "127.evil.com",
                                    "localhosts",
                                    "localhost:80x",
                                    "10.0.0.1",
                                    "[::1].evil.com",
                                    "[::2]",
                                    "[::1",
                                    "a127.0.0.1",
                                    "127.0.0.1:80:80",
                                    ":80",
                                    "80",
                                    "127."};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_false(names_loopback(k[i]));
    }
}

static void test_a_request_without_a_name(void **state)
{
    (void)state;
    assert_false(names_loopback(""));
}

static void test_a_request_without_an_origin_crosses_none(void **state)
{
    (void)state;
    assert_false(crosses("localhost:80", ""));
    assert_false(crosses("", ""));
}

static void test_a_page_of_the_same_origin(void **state)
{
    (void)state;
    assert_false(crosses("localhost:5780", "http://localhost:5780"));
    assert_false(crosses("[::1]:1", "http://[::1]:1"));
}

static void test_a_page_of_another_origin(void **state)
{
    (void)state;
    assert_true(crosses("localhost:5780", "http://localhost:5781"));
    assert_true(crosses("localhost:5780", "http://localhost"));
    assert_true(crosses("localhost", "http://localhost:5780"));
    assert_true(crosses("localhost:5780", "https://localhost:578"));
    assert_true(crosses("localhost:5780", "null"));
    assert_true(crosses("localhost:5780", "http://127.0.0.1:5780"));
    assert_true(crosses("", "http://"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_this_machine),
        cmocka_unit_test(test_names_that_others_may_give_to_this_machine),
        cmocka_unit_test(test_a_request_without_a_name),
        cmocka_unit_test(test_a_request_without_an_origin_crosses_none),
        cmocka_unit_test(test_a_page_of_the_same_origin),
        cmocka_unit_test(test_a_page_of_another_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
