/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MF_TESTS_CASES_H
#define MF_TESTS_CASES_H

/**
 * @brief How many of its random cases a test takes. In the environment, MF_NIGHT is for all of
 *        them, as `make nightly` wants; MF_CASES for at most so many, as `make valgrind` does,
 *        under which each takes fifty times as long.
 * @param by_day    without MF_NIGHT, at least 1
 * @param at_night  with it
 */
int mf_cases(int by_day, int at_night);

#endif
