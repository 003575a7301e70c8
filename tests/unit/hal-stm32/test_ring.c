/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint8_t s_memory[5];
static struct mf_ring s_ring;

static int setup(void **state)
{
    (void)state;
    mf_ring_init(&s_ring, s_memory, sizeof s_memory);
    return 0;
}

static void test_holds_one_byte_less_than_its_memory(void **state)
{
    (void)state;
    assert_int_equal(mf_ring_room(&s_ring), 4);
    assert_false(mf_ring_put(&s_ring, (const uint8_t *)"abcde", 5)); /* all or none */
    assert_int_equal(mf_ring_used(&s_ring), 0);
    assert_true(mf_ring_put(&s_ring, (const uint8_t *)"abcd", 4));
    assert_int_equal(mf_ring_room(&s_ring), 0);
    assert_false(mf_ring_put(&s_ring, (const uint8_t *)"e", 1));
    assert_true(mf_ring_put(&s_ring, (const uint8_t *)"e", 0));
}

static void test_bytes_come_out_in_order_around_the_end_of_memory(void **state)
{
    (void)state;
    uint8_t next_in = 0, next_out = 0, bytes[4];
    for (unsigned round = 0; round < 50; round++) { /* 1 to 4 at a time meet every position */
        const uint8_t n = (uint8_t)(1 + round % 4);
        for (uint8_t i = 0; i < n; i++) {
            bytes[i] = next_in++;
        }
        assert_true(mf_ring_put(&s_ring, bytes, n));
        assert_int_equal(mf_ring_used(&s_ring), n);
        assert_int_equal(mf_ring_room(&s_ring), 4u - n);
        assert_int_equal(mf_ring_get(&s_ring, bytes, 1), 1);
        assert_int_equal(bytes[0], next_out++);
        const uint32_t rest = mf_ring_get(&s_ring, bytes, sizeof bytes);
        assert_int_equal(rest, n - 1u);
        for (uint32_t i = 0; i < rest; i++) {
            assert_int_equal(bytes[i], next_out++);
        }
    }
    assert_int_equal(mf_ring_get(&s_ring, bytes, sizeof bytes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_holds_one_byte_less_than_its_memory, setup),
        cmocka_unit_test_setup(test_bytes_come_out_in_order_around_the_end_of_memory, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
