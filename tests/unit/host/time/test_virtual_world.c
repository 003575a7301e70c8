/* SPDX-License-Identifier: Apache-2.0 */
/* host/time/virtual_world.h: addresses of a world of 3 networks and 300 members. */
#include "host/time/virtual_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define IP(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))

static uint32_t s_network, s_member;

static bool find(uint32_t address)
{
    s_network = s_member = 77;
    return mf_virtual_world_find(address, 3, 300, &s_network, &s_member);
}

static void test_members_count_from_one(void **state)
{
    (void)state;
    assert_int_equal(mf_virtual_world(0, 0), IP(10, 0, 0, 1));
    assert_int_equal(mf_virtual_world(2, 0), IP(10, 2, 0, 1));
    assert_int_equal(mf_virtual_world(0, 255), IP(10, 0, 1, 0));
    assert_int_equal(mf_virtual_world(1, 299), IP(10, 1, 1, 44));
}

static void test_an_address_is_of_its_member(void **state)
{
    (void)state;
    for (uint32_t network = 0; network < 3; network++) {
        for (uint32_t member = 0; member < 300; member++) {
            assert_true(find(mf_virtual_world(network, member)));
            assert_int_equal(s_network, network);
            assert_int_equal(s_member, member);
        }
    }
}

static void test_all_members_of_a_network(void **state)
{
    (void)state;
    assert_true(find(IP(10, 2, 255, 255)));
    assert_int_equal(s_network, 2);
    assert_int_equal(s_member, MF_VIRTUAL_ALL);
}

static void test_all_members_of_all_networks(void **state)
{
    (void)state;
    assert_true(find(IP(10, 255, 255, 255)));
    assert_int_equal(s_network, MF_VIRTUAL_ALL);
    assert_int_equal(s_member, MF_VIRTUAL_ALL);
    assert_true(find(IP(255, 255, 255, 255)));
    assert_int_equal(s_network, MF_VIRTUAL_ALL);
    assert_int_equal(s_member, MF_VIRTUAL_ALL);
}

static void test_addresses_of_no_member(void **state)
{
    (void)state;
    assert_false(find(IP(10, 0, 1, 45)));    /* member 300 */
    assert_false(find(IP(10, 3, 0, 1)));     /* network 3 */
    assert_false(find(IP(10, 3, 255, 255))); /* all of network 3 */
    assert_false(find(IP(11, 0, 0, 1)));     /* another world */
    assert_false(find(IP(127, 0, 0, 1)));
    assert_false(find(0));
}

/* It is no member, and must not be taken for all of them. */
static void test_the_address_of_a_network_itself(void **state)
{
    (void)state;
    assert_false(find(IP(10, 0, 0, 0)));
    assert_false(find(IP(10, 2, 0, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_count_from_one),
        cmocka_unit_test(test_an_address_is_of_its_member),
        cmocka_unit_test(test_all_members_of_a_network),
        cmocka_unit_test(test_all_members_of_all_networks),
        cmocka_unit_test(test_addresses_of_no_member),
        cmocka_unit_test(test_the_address_of_a_network_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
