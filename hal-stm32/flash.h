/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Flash memory that is erased by sectors and programmed by words: the contract that the store
 * stands on, and the STM32F405's own flash as a device of it.
 *
 * An erased word is 0xFFFFFFFF; programming only clears bits. Sectors have numbers from 0 among
 * those of the device.
 */
#ifndef MF_HAL_STM32_FLASH_H
#define MF_HAL_STM32_FLASH_H

#include "hal-stm32/bus.h"

#define MF_FLASH_BLANK 0xFFFFFFFFu

struct mf_flash_ops {
    /** Erase a sector. @return MF_E_OK; MF_E_IO; MF_E_AGAIN: not now, it would take too long */
    int (*erase)(void *ctx, unsigned sector);
    /** Program one word of a sector. @param offset  [bytes], a multiple of 4 @return
     * MF_E_OK; MF_E_IO */
    int (*program)(void *ctx, unsigned sector, uint32_t offset, uint32_t word);
    /** Read a word of a sector. */
    uint32_t (*read)(void *ctx, unsigned sector, uint32_t offset);
};

/** Neighbouring sectors of one size of the chip's own flash (RM0090, table 5). */
struct mf_flash {
    const struct mf_bus *bus;
    uint32_t base;         /**< address of the first sector */
    uint32_t sector_bytes; /**< of each */
    unsigned first;        /**< the chip's number of the first one, 0 .. 11 */
};

/** The context is a struct mf_flash. The core stands still while a sector is erased (128 kB: 1 to
 *  2 s) or a word is programmed (16 to 100 us), since it runs from the same flash. */
extern const struct mf_flash_ops mf_flash_ops;

#endif
