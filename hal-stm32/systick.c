/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/systick.h"

#include "hal-stm32/regs.h"

#define HZ_PER_KHZ 1000u
#define US_PER_MS  1000u
/* The counter has 24 bits. */
#define RELOAD_MAX 0xFFFFFFu

void mf_systick_start(struct mf_systick *systick, const struct mf_bus *bus, uint32_t core_hz,
                      uint32_t period_ms)
{
    MF_ASSERT(core_hz % HZ_PER_KHZ == 0 && period_ms > 0);
    MF_ASSERT(core_hz / HZ_PER_KHZ <= RELOAD_MAX / period_ms);
    *systick = (struct mf_systick){.bus = bus,
                                   .period_us = period_ms * US_PER_MS,
                                   .period_ticks = core_hz / HZ_PER_KHZ * period_ms};
    mf_bus_write(bus, SYST_RVR, systick->period_ticks - 1u);
    mf_bus_write(bus, SYST_CVR, 0);
    mf_bus_write(bus, SYST_CSR, SYST_CSR_CLKSOURCE | SYST_CSR_TICKINT | SYST_CSR_ENABLE);
}

uint64_t mf_systick_ticks(struct mf_systick *systick)
{
    uint32_t periods, count;
    do { /* the interrupt may come between the two: then once more */
        periods = systick->periods;
        count = mf_bus_read(systick->bus, SYST_CVR); /* counts down */
    } while (periods != systick->periods);
    systick->wraps += periods < systick->last_periods;
    systick->last_periods = periods;
    const uint64_t whole = (uint64_t)systick->wraps << 32 | periods;
    /* the counter reaches 0 when the interrupt counts, so 0 is the beginning of a period */
    const uint64_t ticks =
        whole * systick->period_ticks + (count == 0 ? 0u : systick->period_ticks - count);
    /* A counter that has wrapped shows it a moment before the interrupt has counted. */
    systick->last_ticks = ticks > systick->last_ticks ? ticks : systick->last_ticks;
    return systick->last_ticks;
}

static struct mf_now clock_read(void *ctx)
{
    struct mf_systick *systick = ctx;
    const uint64_t ticks = mf_systick_ticks(systick);
    const uint64_t us = ticks / systick->period_ticks * systick->period_us +
                        ticks % systick->period_ticks * systick->period_us / systick->period_ticks;
    const mf_us_t now_us = (mf_us_t)us;
    return (struct mf_now){now_us, now_us};
}

const struct mf_clock_ops mf_systick_ops = {clock_read};
