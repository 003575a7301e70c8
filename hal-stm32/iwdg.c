/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/iwdg.h"

#include "hal-stm32/regs.h"

/* LSI / 64 is 500 Hz: 2 ms for each count. */
#define MS_PER_COUNT 2u
/* Registers of the other clock domain take up to five of its periods, 160 us: far fewer polls. */
#define UPDATE_POLLS 100000u

void mf_iwdg_start(const struct mf_bus *bus, uint32_t timeout_ms)
{
    MF_ASSERT(timeout_ms >= MS_PER_COUNT && timeout_ms <= MF_IWDG_MAX_MS);
    mf_bus_modify(bus, DBGMCU_APB1_FZ, DBGMCU_DBG_IWDG_STOP, DBGMCU_DBG_IWDG_STOP);
    mf_bus_write(bus, IWDG_KR, IWDG_KR_START); /* starts LSI, too, without which nothing updates */
    mf_bus_write(bus, IWDG_KR, IWDG_KR_ACCESS);
    mf_bus_write(bus, IWDG_PR, IWDG_PR_DIV64);
    mf_bus_write(bus, IWDG_RLR, timeout_ms / MS_PER_COUNT);
    (void)mf_bus_wait(bus, IWDG_SR, UINT32_MAX, 0, UPDATE_POLLS);
    mf_bus_write(bus, IWDG_KR, IWDG_KR_RELOAD);
}

void mf_iwdg_feed(const struct mf_bus *bus)
{
    mf_bus_write(bus, IWDG_KR, IWDG_KR_RELOAD);
}

bool mf_iwdg_has_bitten(const struct mf_bus *bus)
{
    const bool bitten = (mf_bus_read(bus, RCC_CSR) & RCC_CSR_IWDGRSTF) != 0;
    mf_bus_modify(bus, RCC_CSR, RCC_CSR_RMVF, RCC_CSR_RMVF);
    return bitten;
}
