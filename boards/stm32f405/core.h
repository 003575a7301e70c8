/* SPDX-License-Identifier: Apache-2.0 */
/** Functions of core.c for the rest of the board, and those of the board that startup.c calls. */
#ifndef MF_BOARDS_STM32F405_CORE_H
#define MF_BOARDS_STM32F405_CORE_H

#include "hal-stm32/bus.h"

/** Begin of the flash memory, and with it of the vectors. */
#define FLASH_ORIGIN 0x08000000u

/** Content of unused stack, and number of words below a function that are not painted. */
#define CORE_STACK_PAINT        0x5AFE57ACu
#define CORE_STACK_IN_USE_WORDS 32u

/** Interrupts by their position (RM0090, table 61). */
#define IRQ_USART1 37
#define IRQ_USART2 38
#define IRQ_USART3 39

/** The chip's own registers and memory. */
extern const struct mf_bus core_bus;

/** @brief Sleep until the next interrupt. @param ready  asked with interrupts masked, so that none
 * is missed: true: do not sleep; may be NULL */
void core_sleep(bool (*ready)(void));

/** @brief Reset the chip. */
_Noreturn void core_reset(void);

/** @brief The program cannot go on: the console says why, then the chip resets. */
_Noreturn void core_failed(const char *why);

void board_systick_interrupt(void);
void board_usart1_interrupt(void);
void board_usart2_interrupt(void);
void board_usart3_interrupt(void);

#endif
