/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/rcc.h"

#include "hal-stm32/regs.h"

#define MHZ 1000000u

/* Crystals take some milliseconds, the PLL 300 us. A poll takes at least four cycles of HSI. */
#define READY_POLLS 100000u

/* 1 MHz into the PLL, 336 MHz in it, halved for the core, and a seventh for USB (48 MHz). */
#define PLLN   336u
#define PLLP_2 0u
#define PLLQ   7u

static bool switch_on(const struct mf_bus *bus, uint32_t on, uint32_t ready)
{
    mf_bus_modify(bus, RCC_CR, on, on);
    return mf_bus_wait(bus, RCC_CR, ready, ready, READY_POLLS);
}

static bool run_from_pll(const struct mf_bus *bus, uint32_t input_hz, uint32_t source)
{
    const uint32_t pllm = input_hz / MHZ;
    MF_ASSERT(pllm >= 2u && pllm <= 63u);
    mf_bus_write(bus, RCC_PLLCFGR,
                 pllm | PLLN << RCC_PLLCFGR_PLLN_AT | PLLP_2 | source |
                     PLLQ << RCC_PLLCFGR_PLLQ_AT);
    if (!switch_on(bus, RCC_CR_PLLON, RCC_CR_PLLRDY)) {
        return false;
    }
    /* Wait states and bus dividers first: nothing may run too fast for a moment. */
    mf_bus_write(bus, FLASH_ACR,
                 FLASH_ACR_5WS | FLASH_ACR_PRFTEN | FLASH_ACR_ICEN | FLASH_ACR_DCEN);
    (void)mf_bus_wait(bus, FLASH_ACR, FLASH_ACR_LATENCY, FLASH_ACR_5WS, READY_POLLS);
    mf_bus_modify(bus, RCC_CFGR, RCC_CFGR_PPRE1 | RCC_CFGR_PPRE2,
                  RCC_CFGR_PPRE1_DIV4 | RCC_CFGR_PPRE2_DIV2);
    mf_bus_modify(bus, RCC_CFGR, RCC_CFGR_SW, RCC_CFGR_SW_PLL);
    return mf_bus_wait(bus, RCC_CFGR, RCC_CFGR_SWS, RCC_CFGR_SWS_PLL, READY_POLLS);
}

struct mf_rcc mf_rcc_start(const struct mf_bus *bus, uint32_t hse_hz)
{
    struct mf_rcc rcc = {MF_RCC_EMULATED, MF_RCC_CORE_HZ, MF_RCC_CORE_HZ / 4u, MF_RCC_CORE_HZ / 2u};
    MF_ASSERT(hse_hz % MHZ == 0);
    if ((mf_bus_read(bus, RCC_CR) & RCC_CR_HSIRDY) == 0) {
        return rcc; /* the core runs, and a chip would run from HSI now */
    }
    if (switch_on(bus, RCC_CR_HSEON, RCC_CR_HSERDY)) {
        rcc.source = MF_RCC_HSE_PLL;
        if (run_from_pll(bus, hse_hz, RCC_PLLCFGR_PLLSRC)) {
            return rcc;
        }
        mf_bus_modify(bus, RCC_CR, RCC_CR_PLLON, 0);
    }
    rcc.source = MF_RCC_HSI_PLL;
    if (run_from_pll(bus, MF_RCC_HSI_HZ, 0)) {
        return rcc;
    }
    mf_bus_modify(bus, RCC_CFGR, RCC_CFGR_PPRE1 | RCC_CFGR_PPRE2, 0);
    return (struct mf_rcc){MF_RCC_HSI, MF_RCC_HSI_HZ, MF_RCC_HSI_HZ, MF_RCC_HSI_HZ};
}
