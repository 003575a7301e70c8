/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A model of the registers of an STM32F405 that the drivers of hal-stm32/ touch, after RM0090:
 * flash controller with two sectors of 128 kB, clocks, watchdog, one USART. It asserts what the
 * manual forbids, and its power can fail at any word.
 */
#ifndef MF_TESTS_F405_H
#define MF_TESTS_F405_H

#include "hal-stm32/bus.h"

#define F405_STORE_BASE   0x080C0000u /* sectors 10 and 11 */
#define F405_SECTOR_BYTES 0x20000u
#define F405_SECTOR_WORDS (F405_SECTOR_BYTES / 4u)
#define F405_LOG          64

/** One write to a register. */
struct f405_write {
    uint32_t address, value;
};

struct f405 {
    struct mf_bus bus;
    bool emulator; /**< as in QEMU: no flash controller, no clock controller; flash reads as 0 */
    uint32_t log_count;
    struct f405_write log[F405_LOG]; /**< the last writes to registers, not those to flash memory */

    /* flash controller */
    uint32_t sector[2][F405_SECTOR_WORDS];
    uint32_t flash_cr, flash_acr, flash_sr;
    unsigned key; /**< how many of the two keys were given in order */
    uint32_t erasures, programs;
    int64_t
        power_left;  /**< operations until the power fails in the middle of one; -1: it does not */
    bool dead;       /**< it has failed: nothing is changed any more */
    bool torn_clean; /**< the operation that the power fails in does nothing, instead of half */

    /* clocks */
    bool crystal, pll;
    bool stuck; /* the core is not switched to another clock */
    uint32_t rcc_cr, rcc_cfgr, rcc_pllcfgr, rcc_csr;

    /* USART1 */
    uint32_t usart_cr1;
    bool tx_full; /**< TXE is clear */
    uint32_t sent_count;
    uint8_t sent[256];
    uint32_t usart_sr; /**< without TXE */
    uint8_t usart_dr;
};

/** @brief A chip as it leaves the factory: flash erased, everything there. */
void f405_init(struct f405 *chip);

/** @brief Power returns: registers as after a reset, flash as it was. */
void f405_reset(struct f405 *chip);

/** @brief A byte arrives; one that was not read is lost and sets ORE. */
void f405_receive(struct f405 *chip, uint8_t byte);

#endif
