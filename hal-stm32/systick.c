/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/systick.h"

#include "hal-stm32/regs.h"

#define HZ_PER_KHZ 1000u
#define US_PER_MS  1000u
/* The counter has 24 bits. */
#define RELOAD_MAX 0xFFFFFFu

void mf_systick_start(struct mf_systick *systick, const struct mf_bus *bus, uint32_t core_hz)
{
    MF_ASSERT(core_hz % HZ_PER_KHZ == 0 && core_hz / HZ_PER_KHZ - 1u <= RELOAD_MAX);
    *systick = (struct mf_systick){.bus = bus, .ticks_per_ms = core_hz / HZ_PER_KHZ};
    mf_bus_write(bus, SYST_RVR, systick->ticks_per_ms - 1u);
    mf_bus_write(bus, SYST_CVR, 0);
    mf_bus_write(bus, SYST_CSR, SYST_CSR_CLKSOURCE | SYST_CSR_TICKINT | SYST_CSR_ENABLE);
}

uint64_t mf_systick_ticks(struct mf_systick *systick)
{
    uint32_t ms, count;
    do { /* the interrupt may come between the two: then once more */
        ms = systick->ms;
        count = mf_bus_read(systick->bus, SYST_CVR); /* counts down */
    } while (ms != systick->ms);
    systick->wraps += ms < systick->last_ms;
    systick->last_ms = ms;
    const uint64_t whole_ms = (uint64_t)systick->wraps << 32 | ms;
    /* It reaches 0 when the interrupt counts, so 0 is the beginning of a millisecond. */
    const uint64_t ticks =
        whole_ms * systick->ticks_per_ms + (count == 0 ? 0u : systick->ticks_per_ms - count);
    /* A counter that has wrapped shows it a moment before the interrupt has counted. */
    systick->last_ticks = ticks > systick->last_ticks ? ticks : systick->last_ticks;
    return systick->last_ticks;
}

static struct mf_now clock_read(void *ctx)
{
    struct mf_systick *systick = ctx;
    const mf_us_t now_us = (mf_us_t)(mf_systick_ticks(systick) * US_PER_MS / systick->ticks_per_ms);
    return (struct mf_now){now_us, now_us};
}

const struct mf_clock_ops mf_systick_ops = {clock_read};
