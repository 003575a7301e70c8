/* SPDX-License-Identifier: Apache-2.0 */
/** Members of a swarm in the memory of a test that stand where the test has put them. */
#ifndef MF_TESTS_SWARM_STANDING_H
#define MF_TESTS_SWARM_STANDING_H

#include "tests/unit/boards/swarm/swarm_fixture.h"

#define STANDING_MAX 8u

static double s_neu_m[STANDING_MAX][3];
static bool s_lost[STANDING_MAX];

static void place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    (void)w, (void)at_us;
    memcpy(neu_m, s_neu_m[i], sizeof s_neu_m[i]);
}

static bool is_lost(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)w, (void)at_us;
    return s_lost[i];
}

#endif
