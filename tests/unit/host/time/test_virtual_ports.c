/* SPDX-License-Identifier: Apache-2.0 */
/* host/time/virtual_ports.h: the address on loopback that stands for a port of a node. */
#include "host/time/virtual_ports.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define NODE(x) (0x7F000102u | (uint32_t)(x) << 16) /* 127.X.1.2 */

static void assert_real(uint32_t node, uint16_t port, uint32_t host, uint16_t real)
{
    const struct mf_virtual_socket there = mf_virtual_real(node, port);
    assert_int_equal(there.host, host);
    assert_int_equal(there.port, real);
    const struct mf_virtual_socket back = mf_virtual_shown(host, real);
    assert_int_equal(back.host, node);
    assert_int_equal(back.port, port);
}

static void test_ports_from_1024_on_stay(void **state)
{
    (void)state;
    assert_real(NODE(128), 1024, NODE(128), 1024);
    assert_real(NODE(253), 65535, NODE(253), 65535);
}

static void test_lower_ports_need_no_privileges(void **state)
{
    (void)state;
    assert_real(NODE(128), 80, NODE(254), 1024 + 80);
    assert_real(NODE(129), 80, NODE(254), 2048 + 80);
    assert_real(NODE(190), 1023, NODE(254), 65535);
    assert_real(NODE(191), 1, NODE(255), 1025);
    assert_real(NODE(253), 1023, NODE(255), 65535);
}

static void test_no_two_networks_share_one(void **state)
{
    static unsigned char s_taken[2][65536];
    (void)state;
    for (unsigned x = 128; x <= 253; x++) {
        for (unsigned port = 1; port < 1024; port++) {
            const struct mf_virtual_socket real = mf_virtual_real(NODE(x), (uint16_t)port);
            assert_true(real.port >= 1024);
            assert_int_equal(s_taken[(real.host >> 16 & 0xFFu) - 254u][real.port]++, 0);
        }
    }
}

static void test_other_addresses_stand_for_themselves(void **state)
{
    (void)state;
    const struct mf_virtual_socket vehicle = mf_virtual_shown(0x7F400001u, 14550); /* 127.64.0.1 */
    assert_int_equal(vehicle.host, 0x7F400001u);
    assert_int_equal(vehicle.port, 14550);
    const struct mf_virtual_socket low = mf_virtual_shown(NODE(254), 53);
    assert_int_equal(low.host, NODE(254));
    assert_int_equal(low.port, 53);
    assert_int_equal(mf_virtual_real(0x7F400001u, 80).port, 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ports_from_1024_on_stay),
        cmocka_unit_test(test_lower_ports_need_no_privileges),
        cmocka_unit_test(test_no_two_networks_share_one),
        cmocka_unit_test(test_other_addresses_stand_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
