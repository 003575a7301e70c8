/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors, and what the core does before main(). Not compiled for any other machine. */
#include "boards/stm32f405/core.h"
#include "hal-stm32/regs.h"

extern uint32_t stack_low[], stack_top[];              /* link.ld */
extern uint32_t data_begin[], data_end[], data_load[]; /* link.ld */
extern uint32_t bss_begin[], bss_end[];                /* link.ld */

int main(void);
_Noreturn void reset_handler(void);

/* A fault of the core or an interrupt that nobody asked for: a programmer's error. */
static void on_fault(void)
{
    core_failed("fault of the core");
}

/* Volatile, so that no loop becomes a call of a library that is not ready. The stack is painted for
 * its high-water mark, but for what is in use. */
static void prepare_memory(void)
{
    const volatile uint32_t *from = data_load;
    volatile uint32_t here = 0;
    for (volatile uint32_t *to = data_begin; to < data_end; to++) {
        *to = *from++;
    }
    for (volatile uint32_t *to = bss_begin; to < bss_end; to++) {
        *to = 0;
    }
    for (volatile uint32_t *to = stack_low; to + CORE_STACK_IN_USE_WORDS < &here; to++) {
        *to = CORE_STACK_PAINT;
    }
}

_Noreturn void reset_handler(void)
{
    mf_bus_modify(&core_bus, SCB_CPACR, SCB_CPACR_FPU, SCB_CPACR_FPU);
    __asm volatile("dsb\n\tisb" ::: "memory"); /* from here on the FPU may be used */
    mf_bus_write(&core_bus, SCB_VTOR, FLASH_ORIGIN);
    prepare_memory();
    (void)main();
    core_reset();
}

/* ARMv7-M, B1.5.3: the first word is the stack, then 15 exceptions of the core, then RM0090, table
 * 61. */
union vector {
    const void *stack;
    void (*handler)(void);
};

#define IRQ(number) (16 + (number))

__attribute__((section(".vectors"), used)) static const union vector k_vectors[IRQ(82)] = {
    [0] = {.stack = stack_top},
    [1] = {.handler = reset_handler},
    [2] = {.handler = on_fault}, /* NMI */
    [3] = {.handler = on_fault}, /* HardFault, and those below, which are not enabled */
    [4] = {.handler = on_fault},
    [5] = {.handler = on_fault},
    [6] = {.handler = on_fault},
    [15] = {.handler = board_systick_interrupt},
    [IRQ(IRQ_USART1)] = {.handler = board_usart1_interrupt},
    [IRQ(IRQ_USART2)] = {.handler = board_usart2_interrupt},
    [IRQ(IRQ_USART3)] = {.handler = board_usart3_interrupt},
};
