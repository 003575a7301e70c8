/* SPDX-License-Identifier: Apache-2.0 */
/** Expectations as JUnit XML, for --junit. Systems that judge write their cases by it. */
#ifndef MF_BOARDS_SWARM_CORE_JUNIT_H
#define MF_BOARDS_SWARM_CORE_JUNIT_H

#include <stdint.h>
#include <stdio.h>

struct swarm;

/** Maximum length of the text of an expectation, and of the reason why it fails, with the NUL. */
#define SWARM_CASE_NAME_MAX 192u
#define SWARM_CASE_WHY_MAX  256u

/** An expectation that was judged. */
struct swarm_case {
    char name[SWARM_CASE_NAME_MAX];
    char why[SWARM_CASE_WHY_MAX]; /**< "": it holds */
    uint32_t wrong, members;      /**< members for which it fails, of all for which it is */
};

/** @brief Begin the file of --junit. @return NULL with an error set */
FILE *swarm_junit_open(struct swarm *w, uint32_t cases, uint32_t failed);

void swarm_junit_case(const struct swarm *w, FILE *file, const struct swarm_case *c);

/** @return SWARM_OK; SWARM_INPUT with an error set: the file is not complete */
int swarm_junit_close(struct swarm *w, FILE *file);

#endif
