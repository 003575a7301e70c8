/* SPDX-License-Identifier: Apache-2.0 */
/*
 * boards/conform on the chip: the same objects of the autopilot and its world as in the other
 * images, with the files of the host behind semihosting (ci/stm32_same.py). Only an emulator or a
 * debugger answers these calls.
 */
#include "boards/stm32f405/core.h"
#include "hal/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX    16
#define COMMAND_LINE_MAX 512
#define SYS_GET_CMDLINE  0x15
#define SRAM_END         0x20020000u

extern char bss_end[];                    /* link.ld: the heap of the C library begins here */
extern uint32_t stack_low[], stack_top[]; /* link.ld */

/** No pack fits beside the program: sessions name a constant. */
const uint8_t mf_egm96_pack[1] = {0};
const size_t mf_egm96_pack_size = 0;

/* Of librdimon: it opens standard input and output. */
void initialise_monitor_handles(void);

int __real_main(int argc, char **argv); /* boards/conform/main.c */
int __wrap_main(void);
void *_sbrk(ptrdiff_t by);

/* librdimon's own wants the stack above the heap. */
void *_sbrk(ptrdiff_t by)
{
    static char *s_end = bss_end;
    char *begin = s_end;
    if (by > (char *)SRAM_END - begin) {
        errno = ENOMEM;
        return (void *)-1;
    }
    s_end += by;
    return begin;
}

static int semihost(int call, void *argument)
{
    register int r0 __asm("r0") = call;
    register void *r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

/* High-water mark [bytes] of everything: the drone, and scripts and stdio above it. */
static unsigned stack_used(void)
{
    const uint32_t *at = stack_low;
    while (*at == CORE_STACK_PAINT && at < stack_top) {
        at++;
    }
    return (unsigned)((stack_top - at) * (ptrdiff_t)sizeof *at);
}

_Noreturn void mf_assert_failed(const char *expr, const char *file, int line)
{
    (void)fprintf(stderr, "conform: assertion failed: %s, %s:%d\n", expr, file, line);
    abort();
}

int __wrap_main(void)
{
    static char s_line[COMMAND_LINE_MAX];
    static char *s_argument[ARGUMENTS_MAX];
    struct {
        char *text;
        int size;
    } block = {s_line, sizeof s_line};
    int count = 0;
    initialise_monitor_handles();
    if (semihost(SYS_GET_CMDLINE, &block) != 0) {
        return EXIT_FAILURE;
    }
    for (char *at = s_line; *at != '\0' && count < ARGUMENTS_MAX;) {
        s_argument[count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    const int result = __real_main(count, s_argument);
    (void)fprintf(stderr, "%u bytes of stack\n", stack_used());
    exit(result);
}

_Noreturn void core_failed(const char *why)
{
    (void)fprintf(stderr, "conform: %s\n", why);
    exit(EXIT_FAILURE);
}

/* No device is switched on here. */
void board_systick_interrupt(void)
{
    core_failed("an interrupt");
}

void board_usart1_interrupt(void)
{
    core_failed("an interrupt");
}

void board_usart2_interrupt(void)
{
    core_failed("an interrupt");
}

void board_usart3_interrupt(void)
{
    core_failed("an interrupt");
}
