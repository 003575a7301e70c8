/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The store (hal/store.h) in two sectors of flash memory.
 *
 * Records stand in memory (drone/store_memory.h), and every commit is appended to a journal in one
 * sector before it counts. When that is full, what is active is written into the other sector,
 * which becomes the valid one with its last word. At every instant the flash holds either what was
 * active before a commit or what is active after it, whatever word the power fails at.
 *
 *     sector   sequence, ~sequence, 0, magic    the magic is programmed last
 *     entry    what (magic, area, bytes of a record), count, tag, CRC-32; then the records, padded
 *              to words. The CRC covers the rest and is programmed last
 *
 * Flash that does not keep what is programmed (there is none behind QEMU's) is found at the start:
 * the store then works in memory alone.
 */
#ifndef MF_HAL_STM32_STORE_FLASH_H
#define MF_HAL_STM32_STORE_FLASH_H

#include "drone/store_memory.h"
#include "hal-stm32/flash.h"

#define MF_STORE_FLASH_SECTORS 2u

struct mf_store_flash {
    struct mf_store_memory memory;
    const struct mf_flash_ops *flash;
    void *flash_ctx;
    uint32_t sector_bytes; /**< a multiple of 4 */
    bool persistent;       /**< the flash keeps what is programmed */
    unsigned sector;       /**< the valid one */
    uint32_t sequence;     /**< of it: counts up with each change of sector */
    uint32_t end;          /**< where the next entry goes; sector_bytes: nothing is appended here */
};

/**
 * @brief Load what the flash holds; make a sector valid if none is; erase the spare one, so that no
 * commit has to for a long time. May take as long as two erasures.
 * @param banks  [MF_STORE_AREA_COUNT], copied; their memory stays the caller's. No entry holds more
 * records than fit into a sector with those of all other areas
 * @return MF_E_OK; MF_E_IO: not persistent, the store is in memory alone and empty
 */
int mf_store_flash_init(struct mf_store_flash *store, const struct mf_flash_ops *flash,
                        void *flash_ctx, uint32_t sector_bytes, const struct mf_store_banks *banks);

/** Store contract; the context is a struct mf_store_flash. */
extern const struct mf_store_ops mf_store_flash_ops;

#endif
