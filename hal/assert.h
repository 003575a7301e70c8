/* SPDX-License-Identifier: Apache-2.0 */
/** Assertions, for every room: this header stands on nothing but the compiler. */
#ifndef MF_HAL_ASSERT_H
#define MF_HAL_ASSERT_H

/** @brief Handle a failed assertion, which is a programmer's error. The program defines this
 * function: a microcontroller keeps the text and resets; host/base/guard.h names the instance, and
 * lets a program with many drones continue without it. Assertions never check data from outside. */
_Noreturn void mf_assert_failed(const char *expr, const char *file, int line);

/** Stays on in release builds. */
#ifndef MF_ASSERT
#define MF_ASSERT(expr) ((expr) ? (void)0 : mf_assert_failed(#expr, __FILE__, __LINE__))
#endif

#endif
