/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MF_TESTS_CASES_H
#define MF_TESTS_CASES_H

/**
 * @brief How many of its random cases a test takes. In the environment, MF_LONG is for all of
 *        them, as `make long` wants; MF_CASES for at most so many, as `make valgrind` does, under
 *        which each takes fifty times as long.
 * @param sample  without MF_LONG, at least 1
 * @param all     with it
 */
int mf_cases(int sample, int all);

#endif
