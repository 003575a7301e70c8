/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/hal-stm32/f405.h"

#include "hal-stm32/regs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define RESET_ACR 0u
#define FIRST     10u
#define TORN      0x0F0F0F0Fu /* bits that half an operation has changed */

/* ---- flash */

/* @return the word of flash memory, or NULL */
static uint32_t *word_of(struct f405 *chip, uint32_t address)
{
    const uint32_t at = address - F405_STORE_BASE;
    return at < 2u * F405_SECTOR_BYTES
               ? &chip->sector[at / F405_SECTOR_BYTES][at / 4u % F405_SECTOR_WORDS]
               : NULL;
}

/* @return does the power last for this operation? */
static bool has_power(struct f405 *chip)
{
    if (chip->power_left < 0) {
        return true;
    }
    chip->dead = chip->power_left-- == 0;
    return !chip->dead;
}

static void program(struct f405 *chip, uint32_t *word, uint32_t value)
{
    assert_true(chip->key == 2);
    assert_int_equal(chip->flash_cr, FLASH_CR_PG | FLASH_CR_PSIZE_32);
    assert_int_equal(*word, 0xFFFFFFFF); /* else only 0 could be programmed */
    if (has_power(chip)) {
        *word = value;
        chip->programs++;
    } else if (!chip->torn_clean) {
        *word = value | TORN;
    }
}

static void erase(struct f405 *chip, unsigned sector)
{
    assert_true(chip->key == 2 && sector < 2);
    const bool whole = has_power(chip);
    if (whole) {
        chip->erasures++;
        memset(chip->sector[sector], 0xFF, sizeof chip->sector[sector]);
        return;
    }
    for (size_t i = 0; i < F405_SECTOR_WORDS && !chip->torn_clean; i++) {
        chip->sector[sector][i] |= i % 2 == 0 ? 0xFFFFFFFFu : TORN;
    }
}

static void write_flash_cr(struct f405 *chip, uint32_t value)
{
    if ((value & FLASH_CR_LOCK) != 0) {
        chip->key = 0;
        chip->flash_cr = FLASH_CR_LOCK;
        return;
    }
    assert_int_equal(chip->key, 2); /* a locked register takes nothing else */
    chip->flash_cr = value;
    if ((value & FLASH_CR_STRT) != 0) {
        assert_true((value & FLASH_CR_SER) != 0 && (value & FLASH_CR_PG) == 0);
        erase(chip, (value >> FLASH_CR_SNB_AT & 0xFu) - FIRST);
    }
}

static void write_key(struct f405 *chip, uint32_t value)
{
    static const uint32_t k_key[] = {0x45670123u, 0xCDEF89ABu}; /* RM0090, 3.6.1 */
    assert_true(chip->key < 2);
    assert_int_equal(value, k_key[chip->key]);
    chip->key++;
    chip->flash_cr = chip->key == 2 ? 0 : FLASH_CR_LOCK;
}

/* The data cache is reset only while it is off (RM0090, 3.5.2). */
static void write_acr(struct f405 *chip, uint32_t value)
{
    assert_true((value & FLASH_ACR_DCRST) == 0 || (value & FLASH_ACR_DCEN) == 0);
    chip->flash_acr = value;
}

/* ---- USART */

static void write_usart(struct f405 *chip, uint32_t offset, uint32_t value)
{
    if (offset == USART_CR1) {
        chip->usart_cr1 = value;
    } else if (offset == USART_DR) {
        assert_false(chip->tx_full);
        assert_true(chip->sent_count < sizeof chip->sent);
        chip->sent[chip->sent_count++] = (uint8_t)value;
    }
}

static uint32_t read_usart(struct f405 *chip, uint32_t offset)
{
    switch (offset) {
    case USART_SR:
        return chip->usart_sr | (chip->tx_full ? 0 : USART_SR_TXE);
    case USART_DR:
        chip->usart_sr = 0;
        return chip->usart_dr;
    case USART_CR1:
        return chip->usart_cr1;
    default:
        return 0;
    }
}

void f405_receive(struct f405 *chip, uint8_t byte)
{
    if ((chip->usart_sr & USART_SR_RXNE) != 0) {
        chip->usart_sr |= USART_SR_ORE;
        return;
    }
    chip->usart_dr = byte;
    chip->usart_sr |= USART_SR_RXNE;
}

/* ---- the bus */

static uint32_t read_rcc_cr(const struct f405 *chip)
{
    uint32_t cr = chip->rcc_cr | RCC_CR_HSIRDY;
    cr |= chip->crystal && (cr & RCC_CR_HSEON) != 0 ? RCC_CR_HSERDY : 0;
    return cr | (chip->pll && (cr & RCC_CR_PLLON) != 0 ? RCC_CR_PLLRDY : 0);
}

static uint32_t bus_read(void *ctx, uint32_t address)
{
    struct f405 *chip = ctx;
    if (chip->emulator) {
        return 0;
    }
    if (address == FLASH_SR) { /* what is polled most */
        return chip->flash_sr;
    }
    const uint32_t *word = word_of(chip, address);
    if (word != NULL) {
        return *word;
    }
    if (address >= USART1_BASE && address < USART1_BASE + 0x20u) {
        return read_usart(chip, address - USART1_BASE);
    }
    switch (address) {
    case FLASH_CR:
        return chip->flash_cr;
    case FLASH_ACR:
        return chip->flash_acr;
    case RCC_CR:
        return read_rcc_cr(chip);
    case RCC_CFGR:
        return chip->rcc_cfgr | (chip->stuck ? 0 : (chip->rcc_cfgr & RCC_CFGR_SW) << 2);
    case RCC_CSR:
        return chip->rcc_csr;
    default:
        return 0;
    }
}

static void write_register(struct f405 *chip, uint32_t address, uint32_t value)
{
    if (address >= USART1_BASE && address < USART1_BASE + 0x20u) {
        write_usart(chip, address - USART1_BASE, value);
        return;
    }
    switch (address) {
    case FLASH_KEYR:
        write_key(chip, value);
        break;
    case FLASH_CR:
        write_flash_cr(chip, value);
        break;
    case FLASH_SR:
        chip->flash_sr &= ~value;
        break;
    case FLASH_ACR:
        write_acr(chip, value);
        break;
    case RCC_CR:
        chip->rcc_cr = value;
        break;
    case RCC_CFGR:
        chip->rcc_cfgr = value;
        break;
    case RCC_PLLCFGR:
        assert_true((chip->rcc_cr & RCC_CR_PLLON) == 0); /* RM0090, 7.3.2 */
        chip->rcc_pllcfgr = value;
        break;
    case RCC_CSR:
        chip->rcc_csr = (value & RCC_CSR_RMVF) != 0 ? 0 : chip->rcc_csr;
        break;
    default:
        break;
    }
}

static void bus_write(void *ctx, uint32_t address, uint32_t value)
{
    struct f405 *chip = ctx;
    uint32_t *word = word_of(chip, address);
    if (word == NULL && chip->log_count < F405_LOG) {
        chip->log[chip->log_count++] = (struct f405_write){address, value};
    }
    if (chip->emulator || chip->dead) {
        return;
    }
    if (word != NULL) {
        program(chip, word, value);
        return;
    }
    write_register(chip, address, value);
}

void f405_reset(struct f405 *chip)
{
    chip->bus = (struct mf_bus){bus_read, bus_write, chip};
    chip->log_count = 0;
    chip->flash_cr = FLASH_CR_LOCK;
    chip->flash_acr = RESET_ACR;
    chip->flash_sr = 0;
    chip->key = 0;
    chip->power_left = -1;
    chip->dead = false;
    chip->rcc_cr = RCC_CR_HSION;
    chip->rcc_cfgr = chip->rcc_pllcfgr = 0;
    chip->usart_cr1 = chip->usart_sr = 0;
    chip->sent_count = 0;
}

void f405_init(struct f405 *chip)
{
    memset(chip, 0, sizeof *chip);
    memset(chip->sector, 0xFF, sizeof chip->sector);
    chip->crystal = chip->pll = true;
    f405_reset(chip);
}
