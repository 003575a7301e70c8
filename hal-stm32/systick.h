/* SPDX-License-Identifier: Apache-2.0 */
/** Time since the boot from the core's SysTick: an interrupt each millisecond, and the counter
 * between them. */
#ifndef MF_HAL_STM32_SYSTICK_H
#define MF_HAL_STM32_SYSTICK_H

#include "hal-stm32/bus.h"
#include "hal/clock.h"

struct mf_systick {
    const struct mf_bus *bus;
    uint32_t ticks_per_ms;
    volatile uint32_t ms; /**< since the start; the interrupt counts */
    uint32_t wraps;       /**< of ms: once in 49 days */
    uint32_t last_ms;     /**< that was read */
    uint64_t last_ticks;  /**< the latest answer, so that time never decreases */
};

/** @brief Start from 0. @param core_hz  of the core: whole kHz */
void mf_systick_start(struct mf_systick *systick, const struct mf_bus *bus, uint32_t core_hz);

/** @brief The SysTick interrupt. */
static inline void mf_systick_interrupt(struct mf_systick *systick)
{
    systick->ms = systick->ms + 1u;
}

/** @brief Cycles of the core since the start. Not from an interrupt. */
uint64_t mf_systick_ticks(struct mf_systick *systick);

/** Clock contract: both clocks are real time. The context is a struct mf_systick. */
extern const struct mf_clock_ops mf_systick_ops;

#endif
