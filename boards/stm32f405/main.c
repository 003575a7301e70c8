/* SPDX-License-Identifier: Apache-2.0 */
/* The drone on an STM32F405: two links and a console on USARTs, the store in flash, a loop that
 * sleeps (docs/stm32f405.md). */
#include "boards/stm32f405/board.h"
#include "boards/stm32f405/core.h"
#include "firmware/attach.h"
#include "firmware/report/stream.h"
#include "firmware/state/ftp.h"
#include "firmware/state/journal.h"
#include "firmware/state/link.h"
#include "firmware/state/shell.h"
#include "firmware/state/signing.h"
#include "firmware/state/version.h"
#include "hal-stm32/iwdg.h"
#include "hal-stm32/rcc.h"
#include "hal-stm32/regs.h"
#include "hal-stm32/store_flash.h"
#include "hal-stm32/systick.h"
#include "hal-stm32/usart.h"

#define COMPONENT_AUTOPILOT 1
/* The upper half of the uid of this kind of board: "MAYS". */
#define UID_BOARD UINT64_C(0x4D41595300000000)

#define PIN_AF7 7u /* USART1 to 3 (STM32F405 data sheet, table 9) */

/* The pins of a USART, transmit and receive, are neighbours on one port. */
static const struct {
    uint32_t usart, port;
    unsigned first_pin, irq;
    bool on_apb2;
    uint32_t baud;
    const char *name;
    enum mf_rate_profile profile;
} k_wiring[] = {
    {USART1_BASE, GPIOA_BASE, 9, IRQ_USART1, true, 921600, "usart1", MF_PROFILE_sim},
    {USART2_BASE, GPIOA_BASE, 2, IRQ_USART2, false, 57600, "usart2", MF_PROFILE_min},
    {USART3_BASE, GPIOB_BASE, 10, IRQ_USART3, false, 115200, "console", MF_PROFILE_min},
};
#define USARTS  (sizeof k_wiring / sizeof k_wiring[0])
#define CONSOLE BOARD_LINKS
_Static_assert(USARTS == BOARD_LINKS + 1u, "the last USART is the console");

static struct mf_systick s_systick;
static struct mf_usart s_usart[USARTS];
static int32_t s_interval_us[BOARD_LINKS][MF_STREAM_COUNT];
static uint8_t s_rx[USARTS][BOARD_RX_BYTES], s_tx[BOARD_LINKS][BOARD_TX_BYTES];
static uint8_t s_console_tx[BOARD_CONSOLE_BYTES];
static struct mf_link s_links[BOARD_LINKS];
static struct mf_shell s_shells[BOARD_LINKS];
static struct mf_signing s_signing;
static struct mf_ftp s_ftp;
static struct mf_journal s_journal;
static struct mf_store_flash s_store;
struct board_stats board_stats;

/* Two banks for each area. */
#define BANKS(name, count) static uint8_t s_bank_##name[2][(count)*MF_STORE_##name##_BYTES]
BANKS(PARAM, BOARD_PARAMS);
BANKS(MISSION, BOARD_MISSION_ITEMS);
BANKS(FENCE, BOARD_FENCE_ITEMS);
BANKS(RALLY, BOARD_RALLY_POINTS);
BANKS(SIGNING, BOARD_SIGNING);

static const struct mf_store_banks k_banks[MF_STORE_AREA_COUNT] = {
    [MF_STORE_PARAM] = {{s_bank_PARAM[0], s_bank_PARAM[1]}, BOARD_PARAMS},
    [MF_STORE_MISSION] = {{s_bank_MISSION[0], s_bank_MISSION[1]}, BOARD_MISSION_ITEMS},
    [MF_STORE_FENCE] = {{s_bank_FENCE[0], s_bank_FENCE[1]}, BOARD_FENCE_ITEMS},
    [MF_STORE_RALLY] = {{s_bank_RALLY[0], s_bank_RALLY[1]}, BOARD_RALLY_POINTS},
    [MF_STORE_SIGNING] = {{s_bank_SIGNING[0], s_bank_SIGNING[1]}, BOARD_SIGNING},
};

void board_systick_interrupt(void)
{
    mf_systick_interrupt(&s_systick);
}

void board_usart1_interrupt(void)
{
    mf_usart_interrupt(&s_usart[0]);
}

void board_usart2_interrupt(void)
{
    mf_usart_interrupt(&s_usart[1]);
}

void board_usart3_interrupt(void)
{
    mf_usart_interrupt(&s_usart[CONSOLE]);
}

/* ---- what must not happen */

_Noreturn void core_failed(const char *why)
{
    board_console_say("failed: ", why, "");
    /* The interrupt of the console may be masked now. */
    for (uint32_t i = 0; i < MF_RCC_CORE_HZ / 100u && mf_ring_used(&s_usart[CONSOLE].tx) > 0; i++) {
        mf_usart_interrupt(&s_usart[CONSOLE]);
    }
    core_reset();
}

_Noreturn void mf_assert_failed(const char *expr, const char *file, int line)
{
    (void)expr; /* the Makefile leaves it out */
    board_console_say_at("assertion failed", file, (uint32_t)line);
    core_failed("an assertion");
}

/* ---- start */

static void start_pin(uint32_t port, unsigned pin)
{
    const uint32_t afr = port + GPIO_AFRL + (pin >= 8u ? 4u : 0u);
    const unsigned at = pin % 8u * 4u;
    mf_bus_modify(&core_bus, afr, 0xFu << at, PIN_AF7 << at);
    mf_bus_modify(&core_bus, port + GPIO_OSPEEDR, 3u << 2u * pin, GPIO_OSPEEDR_FAST << 2u * pin);
    mf_bus_modify(&core_bus, port + GPIO_PUPDR, 3u << 2u * pin, GPIO_PUPDR_UP << 2u * pin);
    mf_bus_modify(&core_bus, port + GPIO_MODER, 3u << 2u * pin, GPIO_MODER_AF << 2u * pin);
}

static void start_usarts(const struct mf_rcc *rcc)
{
    mf_bus_modify(&core_bus, RCC_AHB1ENR, RCC_AHB1ENR_GPIOAEN | RCC_AHB1ENR_GPIOBEN,
                  RCC_AHB1ENR_GPIOAEN | RCC_AHB1ENR_GPIOBEN);
    mf_bus_modify(&core_bus, RCC_APB1ENR, RCC_APB1ENR_USART2EN | RCC_APB1ENR_USART3EN,
                  RCC_APB1ENR_USART2EN | RCC_APB1ENR_USART3EN);
    mf_bus_modify(&core_bus, RCC_APB2ENR, RCC_APB2ENR_USART1EN, RCC_APB2ENR_USART1EN);
    for (size_t i = 0; i < USARTS; i++) {
        const bool console = i == CONSOLE;
        start_pin(k_wiring[i].port, k_wiring[i].first_pin);
        start_pin(k_wiring[i].port, k_wiring[i].first_pin + 1u);
        mf_usart_buffers(&s_usart[i], s_rx[i], BOARD_RX_BYTES, console ? s_console_tx : s_tx[i],
                         console ? BOARD_CONSOLE_BYTES : BOARD_TX_BYTES);
        mf_usart_init(&s_usart[i], &core_bus, k_wiring[i].usart,
                      k_wiring[i].on_apb2 ? rcc->apb2_hz : rcc->apb1_hz, k_wiring[i].baud);
        mf_bus_write(&core_bus, NVIC_ISER + k_wiring[i].irq / 32u * 4u,
                     1u << k_wiring[i].irq % 32u);
    }
    board_console_start(&(struct mf_serial){.ops = &mf_usart_ops, .ctx = &s_usart[CONSOLE]});
}

/* In flight nobody can do without the core for the second or two that erasing takes. */
static int erase_on_ground(void *ctx, unsigned sector)
{
    return mf_vehicle_status(board_vehicle()).armed ? MF_E_AGAIN : mf_flash_ops.erase(ctx, sector);
}

static void start_store(void)
{
    static struct mf_flash s_flash = {&core_bus, BOARD_STORE_BASE, BOARD_STORE_BYTES,
                                      BOARD_STORE_SECTOR};
    static struct mf_flash_ops s_ops;
    s_ops = mf_flash_ops;
    s_ops.erase = erase_on_ground;
    const int result = mf_store_flash_init(&s_store, &s_ops, &s_flash, BOARD_STORE_BYTES, k_banks);
    board_console_say("store: ", result == MF_E_OK ? "in flash" : "not persistent",
                      result == MF_E_OK ? "" : ", the flash keeps nothing");
}

static void start_vehicle(void)
{
    struct mf_setup setup = {
        .hal = mf_hal_null(),
        .links = s_links,
        .shells = s_shells,
        .signing = &s_signing,
        .ftp = &s_ftp,
        .link_count = BOARD_LINKS,
        .sysid = 1,
        .compid = COMPONENT_AUTOPILOT,
        .uid = UID_BOARD | 1u,
        .journal = &s_journal,
        .options = {.start_grid_us = 0},
    };
    setup.hal.clock = &mf_systick_ops;
    setup.hal.clock_ctx = &s_systick;
    setup.hal.store = &mf_store_flash_ops;
    setup.hal.store_ctx = &s_store;
    setup.hal.log = &board_console_ops;
    if (board_boot(&setup) != MF_E_OK) {
        core_failed("the vehicle does not boot");
    }
    for (size_t i = 0; i < BOARD_LINKS; i++) {
        const struct mf_serial serial = {.ops = &mf_usart_ops, .ctx = &s_usart[i]};
        mf_stream_profile(k_wiring[i].profile, s_interval_us[i]);
        (void)mf_link_open(board_vehicle(), &serial, k_wiring[i].name, s_interval_us[i]);
    }
}

/* ---- loop */

static bool has_input(void)
{
    for (size_t i = 0; i < BOARD_LINKS; i++) {
        if (mf_ring_used(&s_usart[i].rx) > 0) {
            return true;
        }
    }
    return false;
}

/* Every interrupt ends the sleep; SysTick's comes each period. */
static void sleep_until(mf_us_t due_us)
{
    while (!has_input() && mf_systick_ops.read(&s_systick).vehicle_us < due_us) {
        mf_iwdg_feed(&core_bus);
        core_sleep(has_input);
    }
}

static mf_us_t step_vehicle(void)
{
    const uint64_t begin = mf_systick_ticks(&s_systick);
    const struct mf_wake wake = mf_vehicle_step(board_vehicle());
    const uint64_t ticks = mf_systick_ticks(&s_systick) - begin;
    board_stats.passes++;
    board_stats.ticks += ticks;
    if (ticks > board_stats.longest_ticks) {
        board_stats.longest_ticks = (uint32_t)ticks;
        board_stats.longest_us = *mf_vehicle_clock(board_vehicle());
    }
    return mf_earlier(mf_earlier(wake.essential_us, wake.periodic_us), wake.transport_us);
}

int main(void)
{
    static const char *const k_clock[] = {
        [MF_RCC_HSE_PLL] = "crystal",
        [MF_RCC_HSI_PLL] = "no crystal, HSI",
        [MF_RCC_HSI] = "no PLL, HSI at 16 MHz",
        [MF_RCC_EMULATED] = "no clock controller",
    };
    const struct mf_rcc rcc = mf_rcc_start(&core_bus, BOARD_HSE_HZ);
    mf_systick_start(&s_systick, &core_bus, rcc.core_hz, BOARD_PERIOD_MS);
    start_usarts(&rcc);
    board_console_say("mayfly " MF_VERSION " on an STM32F405, ", board_body_name, "");
    board_console_say("clock: ", k_clock[rcc.source], "");
    if (mf_iwdg_has_bitten(&core_bus)) {
        board_console_say("the watchdog has reset the board", "", "");
    }
    start_store();
    start_vehicle();
    mf_iwdg_start(&core_bus, BOARD_WATCHDOG_MS);
    struct mf_status status;
    do {
        mf_iwdg_feed(&core_bus);
        sleep_until(step_vehicle());
        status = mf_vehicle_status(board_vehicle());
    } while (!status.reboot && !status.shutdown);
    board_console_say(status.reboot ? "reboot" : "shut down", "", "");
    while (status.shutdown) { /* the watchdog cannot be stopped */
        mf_iwdg_feed(&core_bus);
        core_sleep(NULL);
    }
    core_reset();
}
