/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The independent watchdog: it resets the chip unless it is fed in time. It counts with an
 * oscillator of its own (LSI: 32 kHz, by the data sheet 17 to 47 kHz) and cannot be stopped.
 */
#ifndef MF_HAL_STM32_IWDG_H
#define MF_HAL_STM32_IWDG_H

#include "hal-stm32/bus.h"

/** Longest time of the watchdog [ms]. */
#define MF_IWDG_MAX_MS 8190u

/** @brief Start it. @param timeout_ms  nominal, 2 .. MF_IWDG_MAX_MS; two thirds of it
 * are certain */
void mf_iwdg_start(const struct mf_bus *bus, uint32_t timeout_ms);

/** @brief The program is alive. */
void mf_iwdg_feed(const struct mf_bus *bus);

/** @brief Was the last reset the watchdog's? Asked once: the cause is forgotten. */
bool mf_iwdg_has_bitten(const struct mf_bus *bus);

#endif
