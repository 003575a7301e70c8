/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The clock tree: 168 MHz for the core, 42 MHz on APB1, 84 MHz on APB2, from a crystal (HSE), or
 * where that does not start, from the oscillator inside (HSI, 1 %).
 */
#ifndef MF_HAL_STM32_RCC_H
#define MF_HAL_STM32_RCC_H

#include "hal-stm32/bus.h"

#define MF_RCC_CORE_HZ 168000000u
#define MF_RCC_HSI_HZ  16000000u

/** Sources of the core's clock. */
enum mf_rcc_source {
    MF_RCC_HSE_PLL,  /**< the crystal, 168 MHz */
    MF_RCC_HSI_PLL,  /**< no crystal: 168 MHz, but only as exact as HSI */
    MF_RCC_HSI,      /**< the PLL does not lock: 16 MHz on all buses */
    MF_RCC_EMULATED, /**< no clock controller, as in QEMU, which runs the core at 168 MHz */
};

struct mf_rcc {
    enum mf_rcc_source source;
    uint32_t core_hz, apb1_hz, apb2_hz;
};

/** @brief Bring the clocks up; every wait is bounded. @param hse_hz  the crystal: whole MHz, 2
 * .. 26
 *  @return what came of it; a drone flies from each of them but needs the right baud rates */
struct mf_rcc mf_rcc_start(const struct mf_bus *bus, uint32_t hse_hz);

#endif
