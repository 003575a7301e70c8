/* SPDX-License-Identifier: Apache-2.0 */
/* The control API: which URLs are those of a map, and what the page's policy allows for one. */
#include "host/api/api.h"
#include "host/api/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_api_server s_server;

static void test_a_map(void **state)
{
    (void)state;
    static const struct {
        const char *tiles, *host;
    } k_good[] = {
        {"http://127.0.0.1:8090/{z}/{x}/{y}", "http://127.0.0.1:8090"},
        {"https://tiles.example/a/{z}/{x}/{-y}.png?key=1", "https://tiles.example"},
        {"http://[::1]:80/{y}/{x}/{z}", "http://[::1]:80"},
    };
    for (size_t i = 0; i < sizeof k_good / sizeof k_good[0]; i++) {
        char allowed[256];
        (void)snprintf(allowed, sizeof allowed, "; img-src data: %s; ", k_good[i].host);
        assert_true(mf_api_set_map(&s_server, k_good[i].tiles, "its maker"));
        assert_ptr_equal(s_server.map, k_good[i].tiles);
        assert_string_equal(s_server.map_credit, "its maker");
        assert_non_null(strstr(s_server.page_headers, allowed));
        /* nothing else has changed */
        assert_int_equal(strlen(s_server.page_headers),
                         strlen(mf_page_headers) + 1 + strlen(k_good[i].host));
        assert_memory_equal(s_server.page_headers, mf_page_headers,
                            (size_t)(strstr(mf_page_headers, "img-src") - mf_page_headers));
        assert_string_equal(strstr(s_server.page_headers, "base-uri"),
                            strstr(mf_page_headers, "base-uri"));
    }
}

static void test_no_map(void **state)
{
    (void)state;
    static const char *const k_bad[] = {
        "",
        "http://h",
        "http://h/{z}/{x}",
        "http://h/{z}/{y}",
        "http://h/{x}/{y}",
        "http://h{z}/{x}/{y}",
        "http:///{z}/{x}/{y}",
        "//h/{z}/{x}/{y}",
        "file:///{z}/{x}/{y}",
        "http://h;/{z}/{x}/{y}",
        "http://h *;/{z}/{x}/{y}",
        "http://me@h/{z}/{x}/{y}",
        "http://h/{z}/{x}/{y}\r\nX: 1",
        "http://h/{z}/{x}/{y}\x80",
    };
    memset(&s_server, 0, sizeof s_server);
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_false(mf_api_set_map(&s_server, k_bad[i], "its maker"));
        assert_null(s_server.map);
        assert_string_equal(s_server.page_headers, "");
    }
}

/* A host of 128 characters is the longest; the header then has less than 512. */
static void test_the_longest_host(void **state)
{
    (void)state;
    char url[160] = "http://";
    memset(url + 7, 'h', 129);
    (void)snprintf(url + 135, sizeof url - 135, "/{z}/{x}/{y}");
    assert_true(mf_api_set_map(&s_server, url, ""));
    const char *policy = strstr(s_server.page_headers, "Content-Security-Policy: ");
    assert_non_null(policy);
    assert_true(strcspn(policy + 25, "\r") < 512);
    (void)snprintf(url + 135, sizeof url - 135, "h/{z}/{x}/{y}");
    assert_false(mf_api_set_map(&s_server, url, ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_map), cmocka_unit_test(test_no_map),
                                       cmocka_unit_test(test_the_longest_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
