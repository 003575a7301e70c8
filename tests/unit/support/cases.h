/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MF_TESTS_CASES_H
#define MF_TESTS_CASES_H

/**
 * @brief How many of its random cases a test takes: all, unless the environment's MF_CASES wants
 *        fewer, as `make valgrind` does, under which each takes fifty times as long.
 * @param usual  all of them, at least 1
 * @return 1 .. usual
 */
int mf_cases(int usual);

#endif
