/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Assertions for a microcontroller, put before each file by its build (`-include`). Flash counts
 * there: an assertion keeps no text, since its line says which it is, and hands over nothing but
 * that line. That is 8 bytes less than a call with three arguments, for each of some 700.
 *
 * An assertion of a header's inline function names the file that includes the header.
 */
#ifndef MF_HAL_ASSERT_SHORT_H
#define MF_HAL_ASSERT_SHORT_H

_Noreturn void mf_assert_failed(const char *expr, const char *file, int line);

/** Failure function of a file, which knows the file's name. */
__attribute__((noinline, cold, noreturn, unused)) static void mf_assert_at(int line)
{
    mf_assert_failed("", __BASE_FILE__, line);
}

#define MF_ASSERT(expr) ((expr) ? (void)0 : mf_assert_at(__LINE__))

#endif
