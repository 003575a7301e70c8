/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/flash.h"

#include "hal-stm32/regs.h"

#define SECTOR_NUMBER_MAX 11u

/* Upper limit of polls, which ends the wait if the flash controller is missing or broken. A busy
 * flash delays the core's next instruction, so that few polls are made. */
#define BUSY_POLLS 10000000u

#define ERRORS \
    (FLASH_SR_OPERR | FLASH_SR_WRPERR | FLASH_SR_PGAERR | FLASH_SR_PGPERR | FLASH_SR_PGSERR)

static bool is_idle(const struct mf_flash *flash)
{
    return mf_bus_wait(flash->bus, FLASH_SR, FLASH_SR_BSY, 0, BUSY_POLLS);
}

/* Flags of errors are cleared by writing ones. */
static bool unlock(const struct mf_flash *flash)
{
    const struct mf_bus *bus = flash->bus;
    if ((mf_bus_read(bus, FLASH_CR) & FLASH_CR_LOCK) != 0) {
        mf_bus_write(bus, FLASH_KEYR, FLASH_KEY1);
        mf_bus_write(bus, FLASH_KEYR, FLASH_KEY2);
    }
    if (!is_idle(flash)) {
        return false;
    }
    mf_bus_write(bus, FLASH_SR, ERRORS);
    return true;
}

static int lock(const struct mf_flash *flash)
{
    const bool done = is_idle(flash) && (mf_bus_read(flash->bus, FLASH_SR) & ERRORS) == 0;
    mf_bus_write(flash->bus, FLASH_CR, FLASH_CR_LOCK);
    return done ? MF_E_OK : MF_E_IO;
}

/* The data cache may hold words as they were before (RM0090, 3.5.2). It is reset while it
 * is off. */
static void forget_cached(const struct mf_flash *flash)
{
    const uint32_t acr = mf_bus_read(flash->bus, FLASH_ACR);
    mf_bus_write(flash->bus, FLASH_ACR, acr & ~FLASH_ACR_DCEN);
    mf_bus_write(flash->bus, FLASH_ACR, (acr & ~FLASH_ACR_DCEN) | FLASH_ACR_DCRST);
    mf_bus_write(flash->bus, FLASH_ACR, acr);
}

static uint32_t address_of(const struct mf_flash *flash, unsigned sector, uint32_t offset)
{
    MF_ASSERT(flash->first + sector <= SECTOR_NUMBER_MAX);
    MF_ASSERT(offset % 4u == 0 && offset < flash->sector_bytes);
    return flash->base + sector * flash->sector_bytes + offset;
}

static int flash_erase(void *ctx, unsigned sector)
{
    const struct mf_flash *flash = ctx;
    const uint32_t number = flash->first + sector;
    MF_ASSERT(number <= SECTOR_NUMBER_MAX);
    if (!unlock(flash)) {
        return lock(flash);
    }
    const uint32_t what = FLASH_CR_SER | number << FLASH_CR_SNB_AT | FLASH_CR_PSIZE_32;
    mf_bus_write(flash->bus, FLASH_CR, what);
    mf_bus_write(flash->bus, FLASH_CR, what | FLASH_CR_STRT);
    const int result = lock(flash);
    forget_cached(flash);
    return result;
}

static int flash_program(void *ctx, unsigned sector, uint32_t offset, uint32_t word)
{
    const struct mf_flash *flash = ctx;
    if (!unlock(flash)) {
        return lock(flash);
    }
    mf_bus_write(flash->bus, FLASH_CR, FLASH_CR_PG | FLASH_CR_PSIZE_32);
    mf_bus_write(flash->bus, address_of(flash, sector, offset), word);
    return lock(flash);
}

static uint32_t flash_read(void *ctx, unsigned sector, uint32_t offset)
{
    const struct mf_flash *flash = ctx;
    return mf_bus_read(flash->bus, address_of(flash, sector, offset));
}

const struct mf_flash_ops mf_flash_ops = {flash_erase, flash_program, flash_read};
