/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MF_TESTS_CASES_H
#define MF_TESTS_CASES_H

/**
 * @brief Number of cases that a test takes of those that are random or many. In the environment,
 *        MF_LONG=1 takes all; MF_LONG=0 a fiftieth of the sample, as under valgrind, which is fifty
 *        times as slow.
 * @param sample  without MF_LONG; at least 1
 * @param all     with MF_LONG=1; at least @p sample
 */
int mf_cases(int sample, int all);

#endif
