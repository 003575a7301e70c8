/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Registers and bits of the STM32F405 that the drivers use, by the names of ST's reference manual
 * RM0090 (and, for those of the core, of the ARMv7-M architecture). Addresses of a device are its
 * base plus an offset.
 */
#ifndef MF_HAL_STM32_REGS_H
#define MF_HAL_STM32_REGS_H

/* clang-format off */
/* ---- RM0090, 7.3: reset and clock control */
#define RCC_BASE            0x40023800u
#define RCC_CR              (RCC_BASE + 0x00u)
#define RCC_CR_HSION        (1u << 0)
#define RCC_CR_HSIRDY       (1u << 1)
#define RCC_CR_HSEON        (1u << 16)
#define RCC_CR_HSERDY       (1u << 17)
#define RCC_CR_PLLON        (1u << 24)
#define RCC_CR_PLLRDY       (1u << 25)
#define RCC_PLLCFGR         (RCC_BASE + 0x04u)
#define RCC_PLLCFGR_PLLN_AT 6u
#define RCC_PLLCFGR_PLLSRC  (1u << 22) /* the PLL runs from HSE, not from HSI */
#define RCC_PLLCFGR_PLLQ_AT 24u
#define RCC_CFGR            (RCC_BASE + 0x08u)
#define RCC_CFGR_SW         (3u << 0)
#define RCC_CFGR_SW_PLL     (2u << 0)
#define RCC_CFGR_SWS        (3u << 2)
#define RCC_CFGR_SWS_PLL    (2u << 2)
#define RCC_CFGR_PPRE1      (7u << 10)
#define RCC_CFGR_PPRE1_DIV4 (5u << 10)
#define RCC_CFGR_PPRE2      (7u << 13)
#define RCC_CFGR_PPRE2_DIV2 (4u << 13)
#define RCC_AHB1ENR         (RCC_BASE + 0x30u)
#define RCC_AHB1ENR_GPIOAEN (1u << 0)
#define RCC_AHB1ENR_GPIOBEN (1u << 1)
#define RCC_APB1ENR         (RCC_BASE + 0x40u)
#define RCC_APB1ENR_USART2EN (1u << 17)
#define RCC_APB1ENR_USART3EN (1u << 18)
#define RCC_APB2ENR         (RCC_BASE + 0x44u)
#define RCC_APB2ENR_USART1EN (1u << 4)
#define RCC_CSR             (RCC_BASE + 0x74u)
#define RCC_CSR_RMVF        (1u << 24) /* write: forget the causes of the last reset */
#define RCC_CSR_IWDGRSTF    (1u << 29) /* the last reset was the watchdog's */

/* ---- RM0090, 8.4: general-purpose pins */
#define GPIOA_BASE          0x40020000u
#define GPIOB_BASE          0x40020400u
#define GPIO_MODER          0x00u
#define GPIO_MODER_AF       2u /* two bits for each pin */
#define GPIO_OSPEEDR        0x08u
#define GPIO_OSPEEDR_FAST   2u
#define GPIO_PUPDR          0x0Cu
#define GPIO_PUPDR_UP       1u
#define GPIO_AFRL           0x20u /* four bits for each pin; 8 to 15 in the next register */

/* ---- RM0090, 30.6: USART */
#define USART1_BASE         0x40011000u
#define USART2_BASE         0x40004400u
#define USART3_BASE         0x40004800u
#define USART_SR            0x00u
#define USART_SR_PE         (1u << 0)
#define USART_SR_FE         (1u << 1)
#define USART_SR_NF         (1u << 2)
#define USART_SR_ORE        (1u << 3)
#define USART_SR_RXNE       (1u << 5)
#define USART_SR_TXE        (1u << 7)
#define USART_DR            0x04u
#define USART_BRR           0x08u
#define USART_CR1           0x0Cu
#define USART_CR1_RE        (1u << 2)
#define USART_CR1_TE        (1u << 3)
#define USART_CR1_RXNEIE    (1u << 5)
#define USART_CR1_TXEIE     (1u << 7)
#define USART_CR1_UE        (1u << 13)

/* ---- RM0090, 3.9: flash interface */
#define FLASH_BASE          0x40023C00u
#define FLASH_ACR           (FLASH_BASE + 0x00u)
#define FLASH_ACR_LATENCY   (7u << 0)
#define FLASH_ACR_5WS       (5u << 0) /* 168 MHz at 2.7 to 3.6 V: table 10 */
#define FLASH_ACR_PRFTEN    (1u << 8)
#define FLASH_ACR_ICEN      (1u << 9)
#define FLASH_ACR_DCEN      (1u << 10)
#define FLASH_ACR_DCRST     (1u << 12)
#define FLASH_KEYR          (FLASH_BASE + 0x04u)
#define FLASH_KEY1          0x45670123u
#define FLASH_KEY2          0xCDEF89ABu
#define FLASH_SR            (FLASH_BASE + 0x0Cu)
#define FLASH_SR_OPERR      (1u << 1)
#define FLASH_SR_WRPERR     (1u << 4)
#define FLASH_SR_PGAERR     (1u << 5)
#define FLASH_SR_PGPERR     (1u << 6)
#define FLASH_SR_PGSERR     (1u << 7)
#define FLASH_SR_BSY        (1u << 16)
#define FLASH_CR            (FLASH_BASE + 0x10u)
#define FLASH_CR_PG         (1u << 0)
#define FLASH_CR_SER        (1u << 1)
#define FLASH_CR_SNB_AT     3u
#define FLASH_CR_PSIZE_32   (2u << 8)
#define FLASH_CR_STRT       (1u << 16)
#define FLASH_CR_LOCK       (1u << 31)

/* ---- RM0090, 21.4: independent watchdog; 38.16.4: it stands while a debugger halts the core */
#define IWDG_BASE           0x40003000u
#define IWDG_KR             (IWDG_BASE + 0x00u)
#define IWDG_KR_RELOAD      0xAAAAu
#define IWDG_KR_ACCESS      0x5555u
#define IWDG_KR_START       0xCCCCu
#define IWDG_PR             (IWDG_BASE + 0x04u)
#define IWDG_PR_DIV64       4u
#define IWDG_RLR            (IWDG_BASE + 0x08u)
#define IWDG_RLR_MAX        0xFFFu
#define IWDG_SR             (IWDG_BASE + 0x0Cu)
#define DBGMCU_APB1_FZ      0xE0042008u
#define DBGMCU_DBG_IWDG_STOP (1u << 12)

/* ---- ARMv7-M, B3: the core's own */
#define SYST_CSR            0xE000E010u
#define SYST_CSR_ENABLE     (1u << 0)
#define SYST_CSR_TICKINT    (1u << 1)
#define SYST_CSR_CLKSOURCE  (1u << 2) /* the processor's clock */
#define SYST_RVR            0xE000E014u
#define SYST_CVR            0xE000E018u
#define NVIC_ISER           0xE000E100u /* 32 interrupts in each register */
#define SCB_VTOR            0xE000ED08u
#define SCB_AIRCR           0xE000ED0Cu
#define SCB_AIRCR_RESET     0x05FA0004u /* VECTKEY and SYSRESETREQ */
#define SCB_CPACR           0xE000ED88u
#define SCB_CPACR_FPU       (0xFu << 20)
/* clang-format on */

#endif
