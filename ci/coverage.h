/* SPDX-License-Identifier: Apache-2.0 */
/* First header of every file with COV=1. A program that ends without the functions of atexit(), or
 * gives its process to another program, writes gcov's counts before it. The C library's functions
 * have other names here, so that no file meets a declaration that it did not include. */
#ifndef CI_COVERAGE_H
#define CI_COVERAGE_H

#define COVERAGE_SIGINT  2
#define COVERAGE_SIGTERM 15

void coverage_dump(void) __asm__("__gcov_dump");
_Noreturn void coverage_exit_now(int code) __asm__("_exit");
_Noreturn void coverage_abort_now(void) __asm__("abort");
int coverage_execv_now(const char *path, char *const words[]) __asm__("execv");
int coverage_execvp_now(const char *name, char *const words[]) __asm__("execvp");
int coverage_raise(int number) __asm__("raise");
void (*coverage_signal(int number, void (*handler)(int)))(int) __asm__("signal");
_Noreturn void coverage_exit(int code);
_Noreturn void coverage_abort(void);
int coverage_execv(const char *path, char *const words[]);
int coverage_execvp(const char *name, char *const words[]);
void coverage_begin(void);
void coverage_end(int number);

__attribute__((weak)) void coverage_exit(int code)
{
    coverage_dump();
    coverage_exit_now(code);
}

/* While the heap is locked (host/base/heap.h), gcov's allocation leads here a second time. */
__attribute__((weak)) void coverage_abort(void)
{
    static int s_calls;
    if (s_calls++ == 0) {
        coverage_dump();
    }
    coverage_abort_now();
}

__attribute__((weak)) int coverage_execv(const char *path, char *const words[])
{
    coverage_dump();
    return coverage_execv_now(path, words);
}

__attribute__((weak)) int coverage_execvp(const char *name, char *const words[])
{
    coverage_dump();
    return coverage_execvp_now(name, words);
}

/* End by the signal as a program without this handler does. */
__attribute__((weak)) void coverage_end(int number)
{
    (void)coverage_signal(number, (void (*)(int))0);
    coverage_dump();
    (void)coverage_raise(number);
}

/* Runs ahead of main(): a program that handles these signals takes them over later, and one that
 * was started to ignore them still does. */
__attribute__((weak, constructor)) void coverage_begin(void)
{
    static const int k_ends[] = {COVERAGE_SIGINT, COVERAGE_SIGTERM};
    for (int i = 0; i < 2; i++) {
        void (*const before)(int) = coverage_signal(k_ends[i], coverage_end);
        if (before != (void (*)(int))0) {
            (void)coverage_signal(k_ends[i], before);
        }
    }
}

#define _exit  coverage_exit
#define abort  coverage_abort
#define execv  coverage_execv
#define execvp coverage_execvp

#endif
