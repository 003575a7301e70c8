/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Inputs of the proofs (ci/prove.py): values of which only the range is known. Frama-C reads the
 * contracts; there are no bodies, because nothing here is ever run.
 */
#ifndef MF_TESTS_PROVE_ANY_H
#define MF_TESTS_PROVE_ANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
extern volatile int any_source;

/** @brief Any whole number of a range, both ends included. */
/*@ requires low <= high;
  @ assigns \result \from any_source, low, high;
  @ ensures low <= \result <= high; */
int64_t any(int64_t low, int64_t high);

/** @brief The same of lengths. */
/*@ requires low <= high;
  @ assigns \result \from any_source, low, high;
  @ ensures low <= \result <= high; */
size_t any_size(size_t low, size_t high);

/** @brief Any double but NaN, infinite ones included. (Eva does not see that a comparison
 * excludes NaN.) */
/*@ assigns \result \from any_source;
  @ ensures !\is_NaN(\result); */
double any_number(void);

/** @brief Both ways. */
/*@ assigns \result \from any_source;
  @ ensures \result == 0 || \result == 1; */
int either(void);

/** @brief Fill memory with bytes of any values. */
/*@ requires \valid((char *)at + (0 .. n - 1));
  @ assigns ((char *)at)[0 .. n - 1] \from any_source;
  @ ensures \initialized((char *)at + (0 .. n - 1)); */
void any_bytes(void *at, size_t n);

/** @brief These bytes can be read, and each has a value. */
/*@ requires readable: n == 0 || \valid_read((char *)at + (0 .. n - 1));
  @ requires initialised: n == 0 || \initialized((char *)at + (0 .. n - 1));
  @ assigns \nothing; */
void must_be_readable(const void *at, size_t n);

/** @brief These bytes can be written. */
/*@ requires writable: n == 0 || \valid((char *)at + (0 .. n - 1));
  @ assigns \nothing; */
void must_be_writable(void *at, size_t n);

/** @brief This holds whatever came in. */
/*@ requires holds: condition != 0;
  @ assigns \nothing; */
void must_hold(int condition);

/** No assertion of the program can fail. */
/*@ requires assertion: \false;
  @ assigns \nothing;
  @ exits \false;
  @ ensures \false; */
_Noreturn void mf_assert_failed(const char *expr, const char *file, int line);
/* clang-format on */

#endif
