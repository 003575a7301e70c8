/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Time since the boot from the core's SysTick: an interrupt each period, and the counter between
 * them. The interrupt wakes a sleeping core, too, so a period is how late a pass may be.
 *
 * The clock stands where interrupts are lost: while flash is erased the core executes nothing, and
 * all but one of the interrupts of that second or two are gone.
 */
#ifndef MF_HAL_STM32_SYSTICK_H
#define MF_HAL_STM32_SYSTICK_H

#include "hal-stm32/bus.h"
#include "hal/clock.h"

struct mf_systick {
    const struct mf_bus *bus;
    uint32_t period_us, period_ticks;
    volatile uint32_t periods; /**< since the start; the interrupt counts */
    uint32_t wraps;            /**< of periods: of 10 ms, once in 497 days */
    uint32_t last_periods;     /**< that was read */
    uint64_t last_ticks;       /**< the latest answer, so that time never decreases */
};

/** @brief Start from 0. @param core_hz  of the core: whole kHz @param period_ms  its 24 bits hold
 * 99 ms at 168 MHz */
void mf_systick_start(struct mf_systick *systick, const struct mf_bus *bus, uint32_t core_hz,
                      uint32_t period_ms);

/** @brief The SysTick interrupt. */
static inline void mf_systick_interrupt(struct mf_systick *systick)
{
    systick->periods = systick->periods + 1u;
}

/** @brief Cycles of the core since the start. Not from an interrupt. */
uint64_t mf_systick_ticks(struct mf_systick *systick);

/** Clock contract: both clocks are real time. The context is a struct mf_systick. */
extern const struct mf_clock_ops mf_systick_ops;

#endif
