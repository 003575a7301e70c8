/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, sleep and reset of the core; the board and startup.c call it. Not compiled for any
 * other machine. */
#include "boards/stm32f405/core.h"

#include "hal-stm32/regs.h"

static uint32_t bus_read(void *ctx, uint32_t address)
{
    (void)ctx;
    return *(volatile const uint32_t *)address;
}

static void bus_write(void *ctx, uint32_t address, uint32_t value)
{
    (void)ctx;
    *(volatile uint32_t *)address = value;
}

const struct mf_bus core_bus = {bus_read, bus_write, NULL};

/* WFI ends with an interrupt that is pending, masked or not (ARMv7-M, B1.5.19). */
void core_sleep(bool (*ready)(void))
{
    __asm volatile("cpsid i" ::: "memory");
    if (ready == NULL || !ready()) {
        __asm volatile("wfi" ::: "memory");
    }
    __asm volatile("cpsie i\n\tisb" ::: "memory");
}

_Noreturn void core_reset(void)
{
    __asm volatile("dsb" ::: "memory");
    mf_bus_write(&core_bus, SCB_AIRCR, SCB_AIRCR_RESET);
    for (;;) {
        core_sleep(NULL);
    }
}
