/* SPDX-License-Identifier: Apache-2.0 */
/* Clock tree, SysTick and watchdog: what is written to which register, in which order. */
#include "hal-stm32/iwdg.h"
#include "hal-stm32/rcc.h"
#include "hal-stm32/regs.h"
#include "hal-stm32/systick.h"
#include "tests/unit/hal-stm32/f405.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct f405 s_chip;

static int setup(void **state)
{
    (void)state;
    f405_init(&s_chip);
    return 0;
}

/* ---- clock tree */

static void test_core_runs_at_168_mhz_from_a_crystal(void **state)
{
    (void)state;
    const struct mf_rcc rcc = mf_rcc_start(&s_chip.bus, 8000000);
    assert_int_equal(rcc.source, MF_RCC_HSE_PLL);
    assert_int_equal(rcc.core_hz, 168000000);
    assert_int_equal(rcc.apb1_hz, 42000000);
    assert_int_equal(rcc.apb2_hz, 84000000);
    /* 8 MHz / 8 * 336 / 2; / 7 for USB; from HSE */
    assert_int_equal(s_chip.rcc_pllcfgr, 8 | 336 << 6 | 1 << 22 | 7 << 24);
    assert_int_equal(s_chip.rcc_cfgr, 2 | 5 << 10 | 4 << 13);
    assert_int_equal(s_chip.flash_acr, 5 | 7 << 8);
    uint32_t latency_at = 0, switch_at = 0;
    for (uint32_t i = 0; i < s_chip.log_count; i++) {
        latency_at = s_chip.log[i].address == FLASH_ACR ? i : latency_at;
        switch_at = s_chip.log[i].address == RCC_CFGR ? i : switch_at;
    }
    assert_true(latency_at < switch_at); /* faster than the flash would be read wrong */
}

static void test_without_a_crystal_it_runs_from_the_oscillator_inside(void **state)
{
    (void)state;
    s_chip.crystal = false;
    const struct mf_rcc rcc = mf_rcc_start(&s_chip.bus, 8000000);
    assert_int_equal(rcc.source, MF_RCC_HSI_PLL);
    assert_int_equal(rcc.core_hz, 168000000);
    assert_int_equal(s_chip.rcc_pllcfgr, 16 | 336 << 6 | 7 << 24);
}

static void test_without_a_pll_it_stays_at_16_mhz_everywhere(void **state)
{
    (void)state;
    s_chip.pll = false;
    const struct mf_rcc rcc = mf_rcc_start(&s_chip.bus, 8000000);
    assert_int_equal(rcc.source, MF_RCC_HSI);
    assert_int_equal(rcc.core_hz, 16000000);
    assert_int_equal(rcc.apb1_hz, 16000000);
    assert_int_equal(s_chip.rcc_cfgr, 0);
}

/* The firmware undoes the dividers that the PLL needs: the buses run as fast as the core. */
static void test_a_core_that_cannot_be_switched_runs_at_16_mhz_everywhere(void **state)
{
    (void)state;
    s_chip.stuck = true;
    const struct mf_rcc rcc = mf_rcc_start(&s_chip.bus, 8000000);
    assert_int_equal(rcc.source, MF_RCC_HSI);
    assert_int_equal(rcc.apb2_hz, 16000000);
    assert_int_equal(s_chip.rcc_cfgr & (7 << 10 | 7 << 13), 0);
}

static void test_an_emulator_without_a_clock_controller_is_not_waited_for(void **state)
{
    (void)state;
    s_chip.emulator = true;
    const struct mf_rcc rcc = mf_rcc_start(&s_chip.bus, 8000000);
    assert_int_equal(rcc.source, MF_RCC_EMULATED);
    assert_int_equal(rcc.core_hz, 168000000);
    assert_int_equal(s_chip.log_count, 0);
}

/* ---- SysTick */

static uint32_t s_count; /* of the counter, downwards */
static struct mf_systick s_systick;
static bool s_interrupt_between;

static uint32_t count_read(void *ctx, uint32_t address)
{
    (void)ctx;
    assert_int_equal(address, SYST_CVR);
    if (s_interrupt_between) { /* the counter wraps and the interrupt counts, just now */
        s_interrupt_between = false;
        mf_systick_interrupt(&s_systick);
        return 0;
    }
    return s_count;
}

static mf_us_t now_us(void)
{
    const struct mf_now now = mf_systick_ops.read(&s_systick);
    assert_int_equal(now.vehicle_us, now.transport_us);
    return now.vehicle_us;
}

static void test_systick_counts_periods_and_what_is_between(void **state)
{
    (void)state;
    mf_systick_start(&s_systick, &s_chip.bus, 168000000, 10);
    const struct f405_write want[] = {{0xE000E014, 1679999}, {0xE000E018, 0}, {0xE000E010, 7}};
    assert_memory_equal(s_chip.log, want, sizeof want);

    const struct mf_bus bus = {count_read, NULL, NULL};
    s_systick.bus = &bus;
    s_count = 1680000 - 84000;
    assert_int_equal(now_us(), 500);
    s_count = 1;
    assert_int_equal(now_us(), 9999);
    s_count = 0; /* wrapped; the interrupt has not counted: time stands, it does not go back */
    assert_int_equal(now_us(), 9999);
    mf_systick_interrupt(&s_systick);
    assert_int_equal(now_us(), 10000);
    s_count = 1680000 - 168;
    assert_int_equal(now_us(), 10001);
    assert_int_equal(mf_systick_ticks(&s_systick), 1680168);

    s_interrupt_between = true; /* the older period with the newer count would be 10 ms back */
    s_count = 1680000 - 336;
    assert_int_equal(now_us(), 20002);

    s_systick.periods = UINT32_MAX; /* 497 days */
    assert_int_equal(now_us(), INT64_C(42949672950002));
    mf_systick_interrupt(&s_systick);
    assert_int_equal(now_us(), INT64_C(42949672960002));
}

/* ---- watchdog */

static void test_watchdog_is_started_with_its_time_and_then_fed(void **state)
{
    (void)state;
    mf_iwdg_start(&s_chip.bus, 4000);
    mf_iwdg_feed(&s_chip.bus);
    const struct f405_write want[] = {
        {0xE0042008, 1 << 12}, /* stands while a debugger halts the core */
        {0x40003000, 0xCCCC},  /* start */
        {0x40003000, 0x5555},  /* the next two registers may be written */
        {0x40003004, 4},       /* LSI / 64: 500 Hz */
        {0x40003008, 2000},    /* 4 s */
        {0x40003000, 0xAAAA},  /* reload */
        {0x40003000, 0xAAAA},  /* fed */
    };
    assert_int_equal(s_chip.log_count, sizeof want / sizeof want[0]);
    assert_memory_equal(s_chip.log, want, sizeof want);
}

static void test_a_reset_by_the_watchdog_is_told_once(void **state)
{
    (void)state;
    assert_false(mf_iwdg_has_bitten(&s_chip.bus));
    s_chip.rcc_csr = 1u << 29 | 1u << 26; /* IWDGRSTF, PINRSTF */
    assert_true(mf_iwdg_has_bitten(&s_chip.bus));
    assert_false(mf_iwdg_has_bitten(&s_chip.bus));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_core_runs_at_168_mhz_from_a_crystal, setup),
        cmocka_unit_test_setup(test_without_a_crystal_it_runs_from_the_oscillator_inside, setup),
        cmocka_unit_test_setup(test_without_a_pll_it_stays_at_16_mhz_everywhere, setup),
        cmocka_unit_test_setup(test_a_core_that_cannot_be_switched_runs_at_16_mhz_everywhere,
                               setup),
        cmocka_unit_test_setup(test_an_emulator_without_a_clock_controller_is_not_waited_for,
                               setup),
        cmocka_unit_test_setup(test_systick_counts_periods_and_what_is_between, setup),
        cmocka_unit_test_setup(test_watchdog_is_started_with_its_time_and_then_fed, setup),
        cmocka_unit_test_setup(test_a_reset_by_the_watchdog_is_told_once, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
