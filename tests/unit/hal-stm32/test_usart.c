/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/usart.h"

#include "hal-stm32/regs.h"
#include "tests/unit/hal-stm32/f405.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define UE_TE_RE_RXNEIE 0x202Cu /* RM0090, 30.6.4: bits 13, 3, 2, 5 */
#define TXEIE           0x80u   /* bit 7 */

static struct f405 s_chip;
static struct mf_usart s_usart;
static uint8_t s_rx[4], s_tx[8];

static int setup(void **state)
{
    (void)state;
    f405_init(&s_chip);
    memset(&s_usart, 0, sizeof s_usart);
    mf_usart_buffers(&s_usart, s_rx, sizeof s_rx, s_tx, sizeof s_tx);
    mf_usart_init(&s_usart, &s_chip.bus, USART1_BASE, 84000000, 57600);
    return 0;
}

static void test_baud_rate_and_interrupts_are_set_up_while_it_is_off(void **state)
{
    (void)state;
    const struct f405_write want[] = {
        {0x4001100C, 0},
        {0x40011008, 1458}, /* 84e6 / 57600 = 1458.3: divider 91.125 (RM0090, table 138) */
        {0x4001100C, UE_TE_RE_RXNEIE},
    };
    assert_int_equal(s_chip.log_count, 3);
    assert_memory_equal(s_chip.log, want, sizeof want);
}

static void test_the_interrupt_sends_what_the_transmitter_did_not_take_at_once(void **state)
{
    (void)state;
    s_chip.tx_full = true;
    assert_int_equal(mf_usart_ops.write(&s_usart, (const uint8_t *)"mayfly", 6), 6);
    assert_int_equal(s_chip.sent_count, 0);
    assert_int_equal(s_chip.usart_cr1, UE_TE_RE_RXNEIE | TXEIE);
    assert_int_equal(mf_usart_ops.room(&s_usart), 1);
    assert_int_equal(mf_usart_ops.write(&s_usart, (const uint8_t *)"ab", 2), 0); /* all or none */

    s_chip.tx_full = false;
    mf_usart_interrupt(&s_usart);
    assert_int_equal(s_chip.sent_count, 6);
    assert_memory_equal(s_chip.sent, "mayfly", 6);
    assert_int_equal(s_chip.usart_cr1, UE_TE_RE_RXNEIE); /* nothing waits: no more interrupts */
    assert_int_equal(mf_usart_ops.room(&s_usart), 7);
}

static void test_a_transmitter_that_is_always_ready_gets_everything_from_the_write(void **state)
{
    (void)state;
    assert_int_equal(mf_usart_ops.write(&s_usart, (const uint8_t *)"QEMU", 4), 4);
    assert_memory_equal(s_chip.sent, "QEMU", 4);
    assert_int_equal(s_chip.usart_cr1, UE_TE_RE_RXNEIE);
}

static void test_received_bytes_wait_in_the_ring_and_what_is_lost_is_counted(void **state)
{
    (void)state;
    uint8_t bytes[8];
    for (uint8_t i = 0; i < 5; i++) { /* three fit */
        f405_receive(&s_chip, i);
        mf_usart_interrupt(&s_usart);
    }
    assert_int_equal(s_usart.rx_dropped, 2);
    assert_int_equal(s_usart.rx_errors, 0);
    assert_int_equal(mf_usart_ops.read(&s_usart, bytes, sizeof bytes), 3);
    assert_memory_equal(bytes, ((const uint8_t[]){0, 1, 2}), 3);
    assert_int_equal(mf_usart_ops.read(&s_usart, bytes, sizeof bytes), 0);

    f405_receive(&s_chip, 7);
    f405_receive(&s_chip, 8); /* before the interrupt came */
    mf_usart_interrupt(&s_usart);
    assert_int_equal(s_usart.rx_errors, 1);
    assert_int_equal(mf_usart_ops.read(&s_usart, bytes, sizeof bytes), 1);
    assert_int_equal(bytes[0], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_baud_rate_and_interrupts_are_set_up_while_it_is_off, setup),
        cmocka_unit_test_setup(test_the_interrupt_sends_what_the_transmitter_did_not_take_at_once,
                               setup),
        cmocka_unit_test_setup(
            test_a_transmitter_that_is_always_ready_gets_everything_from_the_write, setup),
        cmocka_unit_test_setup(test_received_bytes_wait_in_the_ring_and_what_is_lost_is_counted,
                               setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
